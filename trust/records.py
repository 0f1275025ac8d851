"""Measurements as rows of a CSV file, appended as they come, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import csv
import io
import os
from typing import TYPE_CHECKING

from generator.errors import UserError, naming
from generator.terminal import say

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path


class Table:
    """A CSV file with fixed columns. A last row that a kill cut off is dropped, so that it is measured again.

    Args:
        path: the file, which is made with the first row; its folder is made at once, so that a bad path is known before
            anything is measured.
        columns: its columns.
        key: the columns by which a measurement is known.
        statuses: the words that a column `status` may hold.

    Raises:
        UserError: the file has other columns, or a row that no measurement writes.
        OSError: its folder cannot be made, or the file not read or written.
    """

    def __init__(
        self, path: Path, columns: Sequence[str], key: Sequence[str], statuses: Collection[str] | None = None
    ) -> None:
        self.path = path
        self._columns = list(columns)
        self._key = list(key)
        self._seen: dict[tuple[str, ...], dict[str, str]] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            content = path.read_bytes()
            whole = self._length_of_whole_rows(content)

            def complaint(row: dict[str, str]) -> str | None:
                known = statuses is None or row["status"] in statuses
                return None if known else f"has no status of {', '.join(statuses or ())}"

            self._remember(_rows(path, content[:whole], complaint))
            if whole < len(content):
                os.truncate(path, whole)

    def _length_of_whole_rows(self, content: bytes) -> int:
        """Checks the columns of a file, and returns where the last row ends that has an end."""
        header = ",".join(self._columns).encode()
        if header.startswith(content):  # killed before there was a row, or even a whole header
            return 0
        if content.split(b"\n", 1)[0].removesuffix(b"\r") != header:
            raise UserError(f"{self.path}: was written by another version; move it away and start anew")
        end = content.rfind(b"\n") + 1
        if b"\r" in content[end:]:  # more than a row
            raise _damaged(self.path, content.count(b"\n", 0, end) + 1, "ends with carriage returns alone")
        return end

    def __contains__(self, key: tuple[str, ...]) -> bool:
        return tuple(map(_in_one_line, key)) in self._seen

    def __getitem__(self, key: tuple[str, ...]) -> dict[str, str]:
        return self._seen[tuple(map(_in_one_line, key))]

    def _remember(self, rows: Iterable[dict[str, str]]) -> None:
        self._seen |= {tuple(row[column] for column in self._key): row for row in rows}

    def add(self, rows: Iterable[dict[str, object]]) -> None:
        """Appends rows, all that belongs to one measurement at once, each as one line, to tell one that is cut off."""
        texts = [{column: _in_one_line(str(value)) for column, value in row.items()} for row in rows]
        new = not self.path.exists() or not self.path.stat().st_size
        with naming(self.path), self.path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, self._columns, lineterminator="\n")
            if new:
                writer.writeheader()
            writer.writerows(texts)
        self._remember(texts)


class Tally:
    """Says and counts the rows with a fault, of those that a table is found to hold and those that it gets.

    Args:
        table: where they are.
        fault: says what is wrong with a row, if anything.
        unfinished: whether a row only says that time was up, so that it is measured again.

    Attributes:
        faults: how many there were, unfinished ones aside.
        unfinished: how many of those.
    """

    def __init__(
        self,
        table: Table,
        fault: Callable[[Mapping[str, object]], str | None],
        unfinished: Callable[[Mapping[str, object]], bool] = lambda _: False,
    ) -> None:
        self.faults = 0
        self.unfinished = 0
        self._table = table
        self._fault = fault
        self._is_unfinished = unfinished

    def holds(self, *key: str) -> bool:
        """Tells whether a measurement is in the table already; then it counts."""
        if key not in self._table or self._is_unfinished(self._table[key]):
            return False
        self._count(self._table[key])
        return True

    def add(self, rows: Iterable[dict[str, object]]) -> None:
        """Appends rows to the table."""
        rows = list(rows)
        self._table.add(rows)
        for row in rows:
            self._count(row)

    def _count(self, row: Mapping[str, object]) -> None:
        if fault := self._fault(row):
            if self._is_unfinished(row):
                self.unfinished += 1
            else:
                self.faults += 1
            say(fault)


def _in_one_line(text: str) -> str:
    """Returns a text as tables have it: names of files can have line ends, and bytes that are no text."""
    return " ".join(text.encode(errors="backslashreplace").decode().splitlines())


def count_in(way: Sequence[str]) -> str:
    """Returns the number of threads or parts in the options with which a program runs; nothing where there is none."""
    return way[-1] if way else ""


def read(
    path: Path, columns: Sequence[str] | None = None, complaint: Callable[[dict[str, str]], str | None] | None = None
) -> list[dict[str, str]]:
    """Returns the rows of a table.

    Args:
        path: the table.
        columns: those that it must have, if any.
        complaint: says what is wrong with a row, if anything.

    Raises:
        UserError: there is no such file, or one that no measurement writes.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise UserError(f"{path} is missing; measure first, see violet trust --help") from None
    if columns and content.splitlines()[:1] != [",".join(columns).encode()]:
        raise UserError(f"{path}:1: has other columns than {','.join(columns)}")
    return list(_rows(path, content, complaint))


def _rows(
    path: Path, content: bytes, complaint: Callable[[dict[str, str]], str | None] | None
) -> Iterator[dict[str, str]]:
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise _damaged(path, content.count(b"\n", 0, error.start) + 1, "is not UTF-8 text") from None
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)  # or a lost quote hides all that follows
    line = 2
    try:
        for row in reader:
            if None in row or None in row.values():
                raise _damaged(path, line, f"has other than {len(reader.fieldnames or ())} columns")
            if complaint and (what := complaint(row)):
                raise _damaged(path, line, what)
            yield row
            line = reader.line_num + 1
    except csv.Error as error:
        raise _damaged(path, line, f"is not CSV: {error}") from None


def _damaged(path: Path, line: int, what: str) -> UserError:
    return UserError(f"{path}:{line}: {what}; remove that row, and it is measured again")
