from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.errors import UserError
from trust.records import Table, read

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = ["program", "tool", "found"]


def test_a_table_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "table.csv"
    table = Table(path, COLUMNS, ("program", "tool"))
    assert ("a", "x") not in table
    table.add([{"program": "a", "tool": "x", "found": 1}, {"program": "a", "tool": "y", "found": "no, nothing"}])
    assert ("a", "x") in table
    again = Table(path, COLUMNS, ("program", "tool"))
    assert ("a", "y") in again
    assert ("b", "x") not in again
    again.add([{"program": "b", "tool": "x", "found": 0}])
    assert [row["found"] for row in read(path)] == ["1", "no, nothing", "0"]


def test_a_table_of_other_columns_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("program,found\n")
    with pytest.raises(UserError, match="another version"):
        Table(path, COLUMNS, ("program",))


def test_a_missing_table_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is missing; measure first"):
        read(tmp_path / "none.csv")
