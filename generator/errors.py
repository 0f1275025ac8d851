"""Errors a user can mend, told in one line that names the file, the place and the fix."""

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


class UserError(Exception):
    """A mistake in something the user wrote; its message is complete as it stands.

    Attributes:
        exit_code: of a command that it ends.
    """

    exit_code = 2


class FileError(UserError):
    """A mistake in a file, located by the word that is wrong.

    Args:
        path: the file.
        text: its content.
        reason: what is wrong and how to mend it.
        word: the offending word; the error names the first line that has it.
        line: the line, where it is known already.
    """

    def __init__(self, path: Path, text: str, reason: str, *, word: str | None = None, line: int | None = None) -> None:
        line = line or (line_of(text, word) if word else None)
        place = f"{path}:{line}" if line else str(path)
        super().__init__(f"{place}: {reason}")


def one_line(error: Exception) -> str:
    """Returns what an error says; of the system's errors, the file and the reason."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, FileNotFoundError) and error.errno is None:  # pyarrow's, which is the path alone
        return f"{error}: No such file"
    return str(error)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Has the system's errors of the block name the file that it writes.

    Those of a full disk name none, others what is there until the file is whole: `.NAME.` and more.
    """
    try:
        yield
    except OSError as error:
        if error.errno is not None and (error.filename is None or f".{path.name}." in str(error.filename)):
            error.filename = str(path)
        raise


def line_of(text: str, word: str) -> int | None:
    """Returns the number of the first line of TOML where `word` is a key, part of one, or a value, or None."""
    name = re.escape(word)
    pattern = re.compile(rf"""(["']){name}\1|(^|[\[{{.,]) *{name} *[]=.]""")
    for number, line in enumerate(text.splitlines(), start=1):
        if pattern.search(line.split("#", 1)[0]):
            return number
    return None


def line_of_key(text: str, keys: tuple[str | int, ...]) -> int | None:
    """Returns the number of the line of TOML where a key is, or, if it is nowhere, the innermost table for it, or None.

    Args:
        text: the file.
        keys: those that lead to it, and numbers within lists of tables, as pydantic has them.
    """
    best, found = 0, None
    table: tuple[str | int, ...] = ()
    sizes: dict[tuple[str | int, ...], int] = {}  # of lists of tables
    for number, line in enumerate(text.splitlines(), start=1):
        here = table
        if header := re.match(r"\s*(\[\[?)([\w.-]+)\]", line):
            table = ()
            *outer, last = header[2].split(".")
            for key in outer:
                table += (key,)
                table += (sizes[table] - 1,) if table in sizes else ()
            table += (last,)
            if header[1] == "[[":
                sizes[table] = sizes.get(table, 0) + 1
                table += (sizes[table] - 1,)
            here = table
        elif key := re.match(r"""\s*["']?([\w-]+)["']?\s*=""", line):
            here = (*table, key[1])
        if len(here) > best and here == keys[: len(here)]:
            best, found = len(here), number
    return found


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Returns a hint that names the known word nearest to `word`, or all of them if none is near."""
    known = list(known)
    return nearest(word, known) or f"known: {', '.join(known)}"


def nearest(word: str, known: Iterable[str]) -> str:
    """Returns a hint that names the known word nearest to `word`, nothing if none is near."""
    near = difflib.get_close_matches(word, known, n=1)
    return f"did you mean '{near[0]}'?" if near else ""
