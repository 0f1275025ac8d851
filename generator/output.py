"""Writes programs, the runtime they need and the list of what was written."""

import csv
import io
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from generator.config import find_config, select_styles
from generator.paths import ROOT
from generator.render import Program, render
from generator.runtime import runtime_files
from generator.space import Space, Style

GENERATED = ROOT / "generated"
PROGRAMS = "programs.csv"
"""Lists the programs of an output directory; what is not in it is not built."""
MANIFEST = GENERATED / "MANIFEST.csv"
"""Lists every meaningful program, and those with a planted bug; in the repository, so that a change of templates shows
which programs it changes."""


_MANY = 100
"""Programs that take longer than it takes to start a process for them."""

_space: Space
"""Of a process that renders. It is large, so it is not sent along with the styles, which come a few at a time."""


def render_all(space: Space, styles: list[Style], jobs: int) -> list[Program]:
    """Returns the programs of styles in the same order, rendered by up to `jobs` processes."""
    jobs = min(jobs, len(styles) // _MANY)
    if jobs <= 1:
        return [render(space, style) for style in styles]
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(space,)) as pool:
        return list(pool.map(_render, styles, chunksize=len(styles) // (4 * jobs) + 1))


def _begin(space: Space) -> None:
    global _space
    _space = space


def _render(style: Style) -> Program:
    return render(_space, style)


def write(space: Space, programs: list[Program], directory: Path) -> tuple[int, int]:
    """Makes `directory` hold exactly these programs, the runtime and their list.

    Files that are right already are left alone, so that make does not build them again.

    Returns:
        How many programs were written because they are new or differ, and how many stale files were removed.
    """
    wanted = {directory / program.path: program.text for program in programs}
    runtime = {directory / "runtime" / path: text for path, text in runtime_files().items()}
    stale = _files(directory) - wanted.keys() - runtime.keys()
    for path in stale:
        path.unlink()
    written = sum(_write_if_different(path, text) for path, text in wanted.items())
    for path, text in runtime.items():
        _write_if_different(path, text)
    _write_if_different(directory / PROGRAMS, listing(space, programs))
    return written, len(stale)


def listed_styles(space: Space) -> list[Style]:
    """Returns what the manifest lists: every meaningful style, then the planted bugs."""
    return [style for config in ("all", "bugs") for style in select_styles(space, find_config(config))]


def listing(space: Space, programs: Iterable[Program]) -> str:
    """Returns programs as CSV: what is known of them, and one column an axis."""
    text = io.StringIO()
    known = ("name", "path", "sha256", "reference", "bug_line")
    columns = [*known[:-1], *(axis.name for axis in space.axes), known[-1]]
    table = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    table.writeheader()
    for program in programs:
        table.writerow({column: getattr(program, column) for column in known} | program.style)
    return text.getvalue()


def _files(directory: Path) -> set[Path]:
    """Returns the files below the subdirectories of an output directory, all of which were generated."""
    return {path for path in directory.glob("*/**/*") if path.is_file()}


def _write_if_different(path: Path, text: str) -> bool:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)
    return True
