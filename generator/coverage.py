"""The coverage page `docs/coverage.md`: what of four papers is in Violet, and why the rest is not.

`docs/coverage.toml` is what it is written from. Each item is held against the style space, so that the page names no
axis value, option or program that there is not.
"""

import re
from functools import cached_property
from pathlib import Path

from generator.errors import FileError, did_you_mean
from generator.paths import ROOT
from generator.space import Space
from generator.tables import Table, read_toml, validated

DATA = ROOT / "docs" / "coverage.toml"
PAGE = ROOT / "docs" / "coverage.md"

_INTRODUCTION = """\
# What of four papers is here

<!-- Written by `python -m generator coverage` from coverage.toml. -->

The styles of Violet come from four papers, and [some from others](#others-whose-strategies-are-values). This page goes
through the four: what is an axis value, a parameter or a page here, in which other form, or not, and why. "Not built
yet" is no judgement. `violet explain PROGRAM` tells what each value of a program means.

| paper | items | here | in another form | not here |
|---|---:|---:|---:|---:|
"""


class Item(Table):
    """What a paper has.

    Attributes:
        section: where the paper has it.
        item: what it is.
        has: where Violet has it, in words: `axis=value,value`, an `--option` of programs, or a file of the checkout.
        form: how that differs from what the paper has.
        why: in place of both, why it is not here.
        program: one to look at.
    """

    section: str
    item: str
    has: str = ""
    form: str = ""
    why: str = ""
    program: str = ""

    @cached_property
    def values(self) -> dict[str, tuple[str, ...]]:
        """The axis values that have it, by axis."""
        pairs = (word.partition("=") for word in self.has.split() if "=" in word)
        return {axis: tuple(values.split(",")) for axis, _, values in pairs}

    @property
    def here(self) -> str:
        """The cell of the page that says where it is."""
        if self.why:
            return f"**not here**: {self.why}"
        return f"{self._places()}, in another form: {self.form}" if self.form else self._places()

    def _places(self) -> str:
        return ", ".join(_link(word) if "/" in word else f"`{word}`" for word in self.has.split())


class Source(Table):
    """A publication: its name in `configs/space.toml`, full citation, and DOI or address."""

    name: str
    citation: str
    at: str = ""

    @property
    def cited(self) -> str:
        """The citation as Markdown."""
        return f"{self.citation}. {_address(self.at)}".rstrip()


class Paper(Source):
    """A publication that is gone through item by item."""

    items: tuple[Item, ...]

    def count(self) -> tuple[int, int, int]:
        """Returns how many items are here, in another form, and not here."""
        absent = sum(bool(each.why) for each in self.items)
        other = sum(bool(each.form) for each in self.items)
        return len(self.items) - absent - other, other, absent


class Coverage(Table):
    """Papers, and other sources of axis values."""

    paper: tuple[Paper, ...]
    source: tuple[Source, ...] = ()


def load(space: Space, path: Path = DATA) -> Coverage:
    """Returns what is known of papers.

    Raises:
        UserError: the file cannot be read, or is no such TOML.
        FileError: an item names what the space does not have, or says neither where it is nor why it is not here.
    """
    text, data = read_toml(path)
    coverage = validated(Coverage, data, path, text)
    options = known_options()
    for item in (item for paper in coverage.paper for item in paper.items):
        if wrong := _wrong(space, item, options):
            line = next(number for number, line in enumerate(text.splitlines(), start=1) if f'"{item.item}"' in line)
            raise FileError(path, text, f"{item.item}: {wrong}", line=line)
    return coverage


def known_options() -> set[str]:
    """Returns the options of programs: parameters of templates and the runtime, and queries of algorithms."""
    files = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
    texts = "\n".join(path.read_text(encoding="utf-8") for path in files)
    return {
        next(filter(None, match))
        for match in re.findall(r'Parameter \w+\("([a-z-]+)"|"--([a-z-]+)"|^\[query\.([a-z-]+)\]', texts, re.MULTILINE)
    }


def shown(coverage: Coverage) -> str:
    """Returns the page."""
    lines = [_INTRODUCTION.rstrip("\n")]
    for paper in coverage.paper:
        counts = " | ".join(map(str, paper.count()))
        lines.append(f"| [{paper.name}](#{paper.name.lower()}) | {len(paper.items)} | {counts} |")
    for paper in coverage.paper:
        lines += [
            "",
            f"## {paper.name}",
            "",
            paper.cited,
            "",
            "| section | what | here | program |",
            "|---|---|---|---|",
        ]
        for item in paper.items:
            program = f"`{item.program}`" if item.program else ""
            lines.append(f"| {item.section} | {item.item} | {item.here} | {program} |".replace("  |", " |"))
    lines += ["", "## Others whose strategies are values", ""]
    lines += [f"- **{source.name}**: {source.cited}" for source in coverage.source]
    return "\n".join(lines) + "\n"


def _wrong(space: Space, item: Item, options: set[str]) -> str:
    """Returns what is wrong with an item, or nothing."""
    if bool(item.has) == bool(item.why):
        return "say where it is (has) or why it is not here (why), and not both"
    if item.form and not item.has:
        return "form is how it differs from what there is; say what that is (has)"
    axes = {axis.name: axis.values for axis in space.axes}
    for name, values in item.values.items():
        if name not in axes:
            return f"there is no axis '{name}'; {did_you_mean(name, axes)}"
        for value in values:
            if value not in axes[name]:
                return f"there is no {name} '{value}'; {did_you_mean(value, axes[name])}"
    for word in (word for word in item.has.split() if "=" not in word):
        if word.startswith("--"):
            if word[2:] not in options:
                return f"no program has the option {word}; {did_you_mean(word[2:], options)}"
        elif not (ROOT / word).exists():
            return f"there is no file {word}"
    return _wrong_program(space, item) if item.program else ""


def _wrong_program(space: Space, item: Item) -> str:
    """Returns why a program is none to look at, or nothing; raises UserError for a name that is none."""
    style = space.parse(item.program)
    if rule := space.forbidden_by(style):
        return f"{item.program}: forbidden by rule '{rule.id}'"
    lacking = [name for name, values in item.values.items() if style.get(name) not in values]
    return f"{item.program}: has none of these values of {lacking[0]}" if lacking else ""


def _link(word: str) -> str:
    """Returns a link from the page to a file of the checkout."""
    path = Path(word)
    target = path.relative_to("docs") if path.is_relative_to("docs") else Path("..") / path
    return f"[{path.name.removesuffix('.md')}]({target})"


def _address(at: str) -> str:
    return f"[{at}](https://doi.org/{at.removeprefix('doi:')})" if at.startswith("doi:") else at and f"<{at}>"
