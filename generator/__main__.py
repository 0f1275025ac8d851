"""Command line of the generator: python -m generator {list,explain,diff,generate,export,manifest,coverage}.

Commands import what they need themselves, so that nobody who asks for help waits for it.
"""

from __future__ import annotations

import csv
import difflib
import json
import os
import sys
import time
from enum import StrEnum
from itertools import dropwhile
from pathlib import Path  # noqa: TC003  # typer looks it up
from typing import TYPE_CHECKING, Annotated

import typer

from generator.errors import UserError
from generator.files import replace_text
from generator.paths import GENERATED
from generator.terminal import say, told_in_one_line

if TYPE_CHECKING:
    from generator.lines import Line

app = typer.Typer(
    help="Expands the style space (configs/space.toml) into standalone programs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def complete_config(incomplete: str) -> list[str]:
    """Returns the names of configs that begin so; where none does, a shell completes files."""
    from generator.config import config_names
    from generator.paths import CONFIGS

    return [name for name in config_names(CONFIGS) if name.startswith(incomplete)]


Config = Annotated[
    str,
    typer.Argument(
        help="A config file, or the name of one in configs/ such as 'quick'.", autocompletion=complete_config
    ),
]
Name = Annotated[
    str, typer.Argument(help="A program's name, such as bfs-openmp-vertex-topology-push-rmw-nondet-default-i32.")
]


class Format(StrEnum):
    """How `list` prints programs."""

    NAMES = "names"
    CSV = "csv"
    JSON = "json"


@app.command("list")
def list_programs(
    config: Config, form: Annotated[Format, typer.Option("--format", help="names, csv or json lines")] = Format.NAMES
) -> None:
    """Prints the programs a config selects, one a line."""
    from generator.config import find_config, select_styles
    from generator.space import load_space, name_of

    space = load_space()
    styles = select_styles(space, find_config(config))
    if form is Format.NAMES:
        say("\n".join(map(name_of, styles)))
    elif form is Format.JSON:
        say("\n".join(json.dumps({"name": name_of(style), **style}) for style in styles))
    else:
        table = csv.DictWriter(sys.stdout, ["name", *(axis.name for axis in space.axes)], lineterminator="\n")
        table.writeheader()
        table.writerows({"name": name_of(style), **style} for style in styles)


@app.command()
def explain(
    name: Name,
    lines: Annotated[bool, typer.Option("--lines", help="Show which line of which template wrote each line.")] = False,
    line: Annotated[
        int | None, typer.Option(min=1, help="Show the hooks that led to this line, from the skeleton on.")
    ] = None,
) -> None:
    """Describes each axis of a program, or says which rule forbids it."""
    from generator.space import load_space

    space = load_space()
    style = space.legal(name)
    if lines or line:
        from generator.lines import lines as lines_of

        _print_lines(lines_of(space, style), line)
        return
    say(name)
    for axis in space.axes:
        if axis.name in style:
            value = style[axis.name]
            say(f"  {axis.name:<12} {value:<13} {axis.means(style)} ({axis.source(value)})")


def _print_lines(lines: list[Line], only: int | None) -> None:
    """Prints lines, each after the hook and template that wrote it, and below it who had a part.

    Of a single line, the hooks that it stands in come first. Raises UserError if there is no such line.
    """
    if only and only > len(lines):
        raise UserError(f"there is no line {only}; the program has {len(lines)}")
    rows = []
    for number, (text, sources, chain) in enumerate(lines, start=1):
        if only in (None, number):
            rows += [("", *source.shown(), "") for source in chain if only]
            written = [source.shown() for source in sources] or [("", "")]
            rows.append((str(number), *written[0], text))
            rows += [("", *other, "") for other in written[1:]]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for count, hook, place, text in rows:
        say(f"{count:>{widths[0]}}  {hook:<{widths[1]}}  {place:<{widths[2]}}  {text}".rstrip())


@app.command()
def diff(
    first: Name,
    second: Name,
    code_only: Annotated[bool, typer.Option("--code-only", help="Leave out the comments at the head.")] = False,
) -> None:
    """Shows what a change of style changes: the unified diff of two programs."""
    from generator.render import render
    from generator.space import load_space

    space = load_space()
    texts = (render(space, space.legal(name)).text.splitlines() for name in (first, second))
    before, after = (list(dropwhile(lambda line: line.startswith("//"), text)) if code_only else text for text in texts)
    say("\n".join(difflib.unified_diff(before, after, first, second, lineterm="")))


@app.command()
def generate(
    config: Config,
    out: Annotated[Path, typer.Option(help="Directory to fill; what else was generated there is removed.")] = GENERATED,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = os.cpu_count() or 1,
) -> None:
    """Writes the programs a config selects, ready to be compiled."""
    from generator import output
    from generator.config import find_config, select_styles
    from generator.space import load_space

    start = time.perf_counter()
    if sys.stderr.isatty():  # who waits for thousands
        say(f"writing the programs of {config}", error=True)
    output.check(out)  # before minutes of rendering
    space = load_space()
    programs = output.render_all(space, select_styles(space, find_config(config)), jobs)
    written, removed = output.write(space, programs, out)
    seconds = time.perf_counter() - start
    say(f"{len(programs)} programs in {out} ({written} new or changed, {removed} files removed) in {seconds:.1f} s")


@app.command()
def export(
    name: Name,
    out: Annotated[Path, typer.Option(help="New folder to fill.")],
    library_name: Annotated[
        str | None, typer.Option("--name", help="Of the library, as in mybfs_solve.", show_default="the program's")
    ] = None,
) -> None:
    """Writes a program as a library for C, C++ and Python, which compiles without Violet."""
    from generator import export as library
    from generator.render import render
    from generator.space import load_space

    space = load_space()
    style = space.legal(name)
    library.export(render(space, style), space.algorithms[style["algorithm"]], out, name=library_name)
    say(f"{out}: `make` builds the library; example.cpp shows its use")


@app.command()
def manifest(
    check: Annotated[
        bool, typer.Option("--check", help="Only compare; exit 1 if the manifest is out of date.")
    ] = False,
) -> None:
    """Writes generated/MANIFEST.csv, the name and hash of every program of every config, and says which changed."""
    from generator import manifest as golden
    from generator.space import load_space

    try:
        before = golden.listed(golden.MANIFEST)
    except UserError:  # a conflict of git in it, perhaps
        if check:
            raise
        before = {}
    after = golden.current(load_space())
    changed = golden.differences(before, after)
    say("\n".join(changed) or "no program has changed")
    if not check:
        replace_text(golden.MANIFEST, golden.shown(after))
    elif changed:
        raise UserError(f"{golden.MANIFEST}: out of date; run python -m generator manifest")


@app.command()
def coverage() -> None:
    """Writes docs/coverage.md: what of the papers is here, and why the rest is not."""
    from generator import coverage as papers
    from generator.space import load_space

    known = papers.load(load_space())
    replace_text(papers.PAGE, papers.shown(known))
    say(f"{papers.PAGE}: {sum(len(paper.items) for paper in known.paper)} items of {len(known.paper)} papers")


def main() -> None:
    """Runs the command line."""
    with told_in_one_line():
        app()


if __name__ == "__main__":
    main()
