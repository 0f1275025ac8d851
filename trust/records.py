"""Measurements as rows of a CSV file, appended as they come, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from generator.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


class Table:
    """A CSV file with fixed columns.

    Args:
        path: the file, which is made with the first row; its folder is made at once, so that a bad path is known before
            anything is measured.
        columns: its columns.
        key: the columns by which a measurement is known.

    Raises:
        UserError: the file has other columns.
        OSError: its folder cannot be made.
    """

    def __init__(self, path: Path, columns: Sequence[str], key: Sequence[str]) -> None:
        self.path = path
        self._columns = list(columns)
        self._key = list(key)
        self._seen: set[tuple[str, ...]] = set()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            with path.open(newline="", encoding="utf-8") as file:
                reader = csv.DictReader(file)
                if reader.fieldnames != self._columns:
                    raise UserError(f"{path}: was written by another version; move it away and start anew")
                self._seen = {tuple(row[column] for column in self._key) for row in reader}

    def __contains__(self, key: tuple[str, ...]) -> bool:
        return key in self._seen

    def add(self, rows: Iterable[dict[str, object]]) -> None:
        """Appends rows, all that belongs to one measurement at once."""
        rows = list(rows)
        new = not self.path.exists()
        with self.path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, self._columns, lineterminator="\n")
            if new:
                writer.writeheader()
            writer.writerows(rows)
        self._seen |= {tuple(str(row[column]) for column in self._key) for row in rows}


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
