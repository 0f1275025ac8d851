"""Writes programs, the runtime they need and the list of what was written."""

import csv
import io
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from generator.errors import UserError
from generator.files import replace_text, temporary_of
from generator.paths import ALGORITHMS, GENERATED, TEMPLATES
from generator.render import Program, render
from generator.runtime import included, runtime_files
from generator.space import Space, Style

T = TypeVar("T")

PROGRAMS = "programs.csv"
"""Lists the programs of an output directory; what is not in it is not built."""
FILES = ".generated-files"
"""Lists all files that were generated into an output directory, or may have been, one a line; no others are removed."""

_KNOWN = ("name", "path", "sha256", "reference")
"""Columns with which every list of programs begins; those of axes come and go."""
_HEAD = "# Written by python -m generator, which removes no other files"
"""First line of the list of files."""


_MANY = 100
"""Programs that take longer than it takes to start a process for them."""

_space: Space
_take: Callable[[Program], Any]
"""Of a process that renders. The space is large: it is not sent along with the styles, which come a few at a time."""


def render_all(space: Space, styles: list[Style], jobs: int) -> list[Program]:
    """Returns the programs of styles in the same order, rendered by up to `jobs` processes."""
    return of_rendered(space, styles, jobs, _whole)


def of_rendered(space: Space, styles: list[Style], jobs: int, take: Callable[[Program], T]) -> list[T]:
    """Returns what a function, one that other processes can import, takes of the program of each style."""
    jobs = min(jobs, len(styles) // _MANY)
    if jobs <= 1:
        return [take(render(space, style)) for style in styles]
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(space, take)) as pool:
        return list(pool.map(_render, styles, chunksize=len(styles) // (4 * jobs) + 1))


def _whole(program: Program) -> Program:
    return program


def _begin(space: Space, take: Callable[[Program], Any]) -> None:
    global _space, _take
    _space, _take = space, take


def _render(style: Style) -> Any:
    return _take(render(_space, style))


def write(space: Space, programs: list[Program], directory: Path) -> tuple[int, int]:
    """Makes `directory` hold exactly these programs, the runtime and their list, beside what somebody else put there.

    Files that are right already are left alone, so that make does not build them again.

    Returns:
        How many programs were written because they are new or differ, and how many stale files were removed.

    Raises:
        UserError: the directory is somebody else's, or a program includes a header that the runtime does not have.
    """
    check(directory)
    wanted, runtime = _texts(programs)
    before, after = _generated(directory), wanted.keys() | runtime.keys()
    _write_if_different(directory / FILES, _lines(before | after))  # first, so that a kill leaves no file without owner
    removed = sum(_remove(directory / path) for path in before - after)
    written = sum(_write_if_different(directory / path, text) for path, text in wanted.items())
    for path, text in runtime.items():
        _write_if_different(directory / path, text)
    _write_if_different(directory / PROGRAMS, listing(space, programs))
    _write_if_different(directory / FILES, _lines(after))
    return written, removed


def add(programs: Iterable[Program], directory: Path) -> None:
    """Writes programs and the runtime into a directory and leaves all else there alone, without listing them.

    Raises:
        UserError: a program includes a header that the runtime does not have.
    """
    wanted, runtime = _texts(programs)
    for path, text in (runtime | wanted).items():
        _write_if_different(directory / path, text)


def _texts(programs: Iterable[Program]) -> tuple[dict[Path, str], dict[Path, str]]:
    """Returns the texts of programs and of the runtime by their paths."""
    runtime = {Path("runtime", path): text for path, text in runtime_files().items()}
    wanted = {}
    for program in programs:
        wanted[Path(program.path)] = program.text
        for header in included(program.text):
            if Path("runtime", header) not in runtime:
                places = f"{TEMPLATES / 'runtime'} or {ALGORITHMS / program.style['algorithm']}"
                raise UserError(f"{program.name}: includes {header}, which is not in {places}")
    return wanted, runtime


def check(directory: Path) -> None:
    """Raises UserError if a directory holds something, but nothing that was generated."""
    if directory.resolve() == GENERATED.resolve() or _begins(directory / PROGRAMS) or _begins(directory / FILES):
        return
    if directory.is_dir() and any(directory.iterdir()):
        raise UserError(f"{directory}: holds files, but no {PROGRAMS} of the generator; name a new or an empty folder")


def listing(space: Space, programs: Iterable[Program]) -> str:
    """Returns programs as CSV: what is known of them, and one column an axis."""
    text = io.StringIO()
    known = (*_KNOWN, "bug_line")
    columns = [*_KNOWN, *(axis.name for axis in space.axes), known[-1]]
    table = csv.DictWriter(text, columns, restval="", lineterminator="\n")
    table.writeheader()
    for program in programs:
        table.writerow({column: getattr(program, column) for column in known} | program.style)
    return text.getvalue()


def _begins(path: Path) -> bool:
    """Tells whether there is such a file and it begins as a list of programs, or of files, does."""
    if not path.is_file():
        return False
    with path.open(encoding="utf-8", errors="replace") as file:
        return file.readline().startswith((",".join(_KNOWN), _HEAD))


def _generated(directory: Path) -> set[Path]:
    """Returns the files that an earlier call wrote, relative to the directory; some of them may be gone."""
    listed: list[str] = []
    if _begins(directory / FILES):
        listed += (directory / FILES).read_text(encoding="utf-8").splitlines()[1:]
    if _begins(directory / PROGRAMS):
        with (directory / PROGRAMS).open(newline="", encoding="utf-8") as file:
            listed += [row["path"] for row in csv.DictReader(file) if row["path"]]
    return {path for path in map(Path, listed) if not path.is_absolute() and ".." not in path.parts}


def _lines(paths: Iterable[Path]) -> str:
    return "".join(f"{line}\n" for line in (_HEAD, *sorted(path.as_posix() for path in paths)))


def _remove(path: Path) -> bool:
    temporary_of(path).unlink(missing_ok=True)
    if not path.is_file():
        return False
    path.unlink()
    return True


def _write_if_different(path: Path, text: str) -> bool:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_text(path, text)
    return True
