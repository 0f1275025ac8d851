"""Planted bugs: where they are, how they are labelled, and that nothing else has any."""

import csv
import difflib
import io
import re
from collections import defaultdict
from pathlib import Path

import pytest

from generator.config import CONFIGS, covering, first_of_each, select_styles
from generator.errors import FileError, UserError
from generator.layout import lay_out
from generator.output import listing
from generator.render import MARK, Program, composed, environment, render
from generator.space import Space, Style, name_of
from tests.configs import selected
from tests.generator.conftest import clang_format, pairs
from tests.memory import LONG


def clean(style: Style) -> Style:
    return {axis: value for axis, value in style.items() if axis != "bug"}


@pytest.fixture(scope="module")
def planted(space: Space) -> list[Program]:
    return [render(space, style) for style in pairs(selected("bugs"))]


def test_eight_kinds_are_planted_in_four_algorithms_of_every_model() -> None:
    places: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for style in selected("bugs"):
        places[style["bug"]][style["model"]].add(style["algorithm"])
    wide = [kind for kind, models in places.items() if len(models) == 3 and min(map(len, models.values())) >= 4]
    assert len(wide) >= 8
    assert all(len(models) == 3 for models in places.values())


def test_every_kind_of_the_space_is_planted(space: Space, planted: list[Program]) -> None:
    assert {program.style["bug"] for program in planted} == set(space.axis("bug").values)


@pytest.mark.turns(14)
@pytest.mark.parametrize("name", sorted({path.stem for path in CONFIGS.glob("*.toml")} - {"space", "bugs"}))
def test_no_other_config_selects_a_bug(name: str) -> None:
    assert not any("bug" in style for style in selected(name))


def test_a_bug_is_one_change_and_its_label_is_the_line(space: Space, planted: list[Program]) -> None:
    """Of what differs from the clean program, the first line is the one that the label names, or encloses it."""
    for program in planted:
        right = code(render(space, clean(program.style)))
        wrong = code(program)
        matcher = difflib.SequenceMatcher(a=right, b=wrong, autojunk=False)
        changes = [(first, last) for tag, _, _, first, last in matcher.get_opcodes() if tag != "equal"]
        assert program.bug_line is not None
        line = program.bug_line - 1 - start_of_code(program)
        assert any(first <= line <= max(last, first + 1) for first, last in changes), (program.name, line, changes)


def test_a_bug_is_in_one_function(space: Space, planted: list[Program]) -> None:
    for program in planted:
        text, _ = composed(space, program.style, environment())
        lines = lay_out(text).splitlines()
        marked = [number for number, line in enumerate(lines) if MARK in line]
        assert "}" not in lines[marked[0] : marked[-1]], program.name


def test_bugs_are_planted_in_programs_for_directed_graphs(space: Space, planted: list[Program]) -> None:
    directed = list(space.add(space.axis("direction"), [program.style for program in planted]))
    assert {style["bug"] for style in directed} == set(space.axis("bug").values)
    for style in first_of_each(directed, ["bug", "algorithm"]):
        wrong = render(space, style)
        assert wrong.bug_line is not None
        assert code(wrong) != code(render(space, clean(style)))


def code(program: Program) -> list[str]:
    name = re.escape(program.name)
    return [re.sub(name, "NAME", line) for line in program.text.splitlines()[start_of_code(program) :]]


def start_of_code(program: Program) -> int:
    return next(number for number, line in enumerate(program.text.splitlines()) if line.startswith("#include"))


def test_the_header_and_the_list_of_programs_name_the_line(space: Space, planted: list[Program]) -> None:
    rows = {row["name"]: row for row in csv.DictReader(io.StringIO(listing(space, planted)))}
    for program in planted:
        kind = program.style["bug"]
        assert re.search(rf"^// bug +{kind} +PLANTED BUG, line {program.bug_line}: ", program.text, re.MULTILINE)
        assert (rows[program.name]["bug"], rows[program.name]["bug_line"]) == (kind, str(program.bug_line))
        assert program.name.endswith(f"-{kind}")
        assert not re.search(r"[\x00-\x08]", program.text)


def test_clean_programs_have_no_label(space: Space, planted: list[Program]) -> None:
    right = [render(space, clean(program.style)) for program in planted]
    assert {row["bug_line"] for row in csv.DictReader(io.StringIO(listing(space, right)))} == {""}
    assert not any("bug" in re.findall(r"^// (\w+) ", program.text, re.MULTILINE) for program in right)


def test_planted_programs_are_formatted_as_clang_format_would(planted: list[Program], tmp_path: Path) -> None:
    few = covering([program.style for program in planted], 2 if LONG else 1)
    texts = {Path(program.path).name: program.text for program in planted if program.style in few}
    assert clang_format(tmp_path, texts) == ""


def test_names_parse_back_with_and_without_a_bug(space: Space, planted: list[Program]) -> None:
    for program in planted:
        assert space.parse(program.name) == program.style
        assert space.parse(name_of(clean(program.style))) == clean(program.style)


def test_an_axis_that_is_not_optional_cannot_be_added(space: Space, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('add = ["iteration"]\n')
    with pytest.raises(FileError, match=r"mine\.toml:1: no axis 'iteration' with optional values; "):
        select_styles(space, path)


@pytest.mark.parametrize(
    ("sample", "message"),
    [('kind = "first"', "needs `of`"), ('kind = "first", of = ["bgu"]', "'bgu'; did you mean 'bug'")],
)
def test_a_sample_of_firsts_names_axes(space: Space, tmp_path: Path, sample: str, message: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(f"sample = {{ {sample} }}\n")
    with pytest.raises(UserError, match=message):
        select_styles(space, path)
