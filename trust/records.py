"""Measurements as rows of a CSV file, appended as they come, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import csv
import os
from typing import TYPE_CHECKING

from generator.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
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
        self._seen: set[tuple[str, ...]] = set()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            self._begin(path.read_bytes())
            self._seen = {tuple(row[column] for column in self._key) for row in self._rows(statuses)}

    def _begin(self, content: bytes) -> None:
        """Checks the columns and the encoding of a file, and cuts off a row that is not whole."""
        header = ",".join(self._columns).encode()
        if header.startswith(content):  # killed before there was a row, or even a whole header
            whole = 0
        elif content.splitlines()[0] == header:
            whole = _length_of_whole_rows(content)
        else:
            raise UserError(f"{self.path}: was written by another version; move it away and start anew")
        try:
            content[:whole].decode()
        except UnicodeDecodeError as error:
            raise self._damaged(content.count(b"\n", 0, error.start) + 1, "is not UTF-8 text") from None
        if whole < len(content):
            os.truncate(self.path, whole)

    def _rows(self, statuses: Collection[str] | None) -> Iterator[dict[str, str]]:
        with self.path.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            try:
                for row in reader:
                    if None in row or None in row.values():
                        raise self._damaged(reader.line_num, f"has other than {len(self._columns)} columns")
                    if statuses is not None and row["status"] not in statuses:
                        raise self._damaged(reader.line_num, f"has no status of {', '.join(statuses)}")
                    yield row
            except csv.Error as error:
                raise self._damaged(reader.line_num + 1, f"is not CSV: {error}") from None

    def _damaged(self, line: int, what: str) -> UserError:
        return UserError(f"{self.path}:{line}: {what}; remove that row, and it is measured again")

    def __contains__(self, key: tuple[str, ...]) -> bool:
        return key in self._seen

    def add(self, rows: Iterable[dict[str, object]]) -> None:
        """Appends rows, all that belongs to one measurement at once."""
        rows = list(rows)
        new = not self.path.exists() or not self.path.stat().st_size
        with self.path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, self._columns, lineterminator="\n")
            if new:
                writer.writeheader()
            writer.writerows(rows)
        self._seen |= {tuple(str(row[column]) for column in self._key) for row in rows}


def _length_of_whole_rows(content: bytes) -> int:
    """Returns where the last row ends that has an end: a newline outside of quotes."""
    end = content.rfind(b"\n") + 1
    while content.count(b'"', 0, end) % 2:
        end = content.rfind(b"\n", 0, end - 1) + 1
    return end


def count_in(way: Sequence[str]) -> str:
    """Returns the number of threads or parts in the options with which a program runs; nothing where there is none."""
    return way[-1] if way else ""


def read(path: Path) -> list[dict[str, str]]:
    """Returns the rows of a table.

    Raises:
        UserError: there is no such file.
    """
    try:
        with path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    except FileNotFoundError:
        raise UserError(f"{path} is missing; measure first, see python -m trust --help") from None
