from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.errors import UserError, one_line
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


@pytest.mark.parametrize("cut", ["b", "b,x,ver", "b,x,verified", 'b,x,"found on two', 'b,x,"found ""x""'])
def test_a_row_that_a_kill_cut_off_is_measured_again(tmp_path: Path, cut: str) -> None:
    path = tmp_path / "table.csv"
    Table(path, COLUMNS, ("program", "tool")).add([{"program": "a", "tool": "x", "found": 'two\n"lines"'}])
    whole = path.read_text()
    path.write_text(whole + cut)
    table = Table(path, COLUMNS, ("program", "tool"))
    assert path.read_text() == whole
    assert ("a", "x") in table
    assert ("b", "x") not in table
    table.add([{"program": "b", "tool": "x", "found": 1}])
    assert [row["found"] for row in read(path)] == ['two "lines"', "1"]


def test_rows_of_several_lines_are_read(tmp_path: Path) -> None:  # earlier versions wrote some
    path = tmp_path / "table.csv"
    path.write_text('program,tool,found\na,x,"two\n""lines"""\nb,x,1\n')
    assert ("b", "x") in Table(path, COLUMNS, ("program", "tool"))


@pytest.mark.parametrize("damaged", ['b,"x,1', 'b,x,"one, two', 'b,x,"one" two', 'b,x,one, two"'])
@pytest.mark.parametrize("after", ["c,x,1\n", 'c,x,"a, b"\nd,x,1\n', "c,x,1\nd,x"])
def test_a_quote_that_is_missing_deletes_nothing(tmp_path: Path, damaged: str, after: str) -> None:
    path = tmp_path / "table.csv"
    text = f'program,tool,found\na,x,"two\nlines"\n{damaged}\n{after}'
    path.write_text(text)
    with pytest.raises(UserError, match=r"table\.csv:4: .*; remove that row, and it is measured again"):
        Table(path, COLUMNS, ("program", "tool"))
    assert path.read_text() == text


@pytest.mark.parametrize("cut", ["", "prog", "program,tool,found"])
def test_a_header_that_a_kill_cut_off_is_written_again(tmp_path: Path, cut: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(cut)
    Table(path, COLUMNS, ("program",)).add([{"program": "a", "tool": "x", "found": 1}])
    assert path.read_text() == "program,tool,found\na,x,1\n"


@pytest.mark.parametrize("text", ["mine", "program,found", "\n"])
def test_a_file_of_somebody_else_is_not_cut(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(UserError, match="another version"):
        Table(path, COLUMNS, ("program",))
    assert path.read_text() == text


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("b,x", ":3: has other than 3 columns; remove that row, and it is measured again"),
        ("b,x,right,1", ":3: has other than 3 columns"),
        ("b,x,verifie", ":3: has no status of right, wrong"),
        pytest.param("b,x," + "y" * 200_000, ":3: is not CSV: field larger than", id="long field"),
        ("b,x,\udcff", ":3: is not UTF-8 text; remove that row"),
    ],
)
def test_a_row_that_no_measurement_writes_is_refused(tmp_path: Path, row: str, message: str) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"program,tool,status\na,x,right\n{row}\nc,x,wrong\n", errors="surrogateescape")
    with pytest.raises(UserError, match=message):
        Table(path, ["program", "tool", "status"], ("program", "tool"), ("right", "wrong"))


def test_a_missing_table_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is missing; measure first"):
        read(tmp_path / "none.csv")


def test_a_full_disk_is_told_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    table = Table(path, COLUMNS, ("program",))
    path.symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as caught:
        table.add([{"program": "a", "tool": "x", "found": 1}])
    assert one_line(caught.value) == f"{path}: No space left on device"


@pytest.mark.parametrize("name", ["two\nlines", "two\u2028lines\n", "no text \udcff"])
def test_a_file_of_any_name_is_found_again(tmp_path: Path, name: str) -> None:
    for _ in range(2):
        table = Table(tmp_path / "table.csv", ["graph", "status"], ("graph",))
        if (name,) not in table:
            table.add([{"graph": name, "status": "verified"}])
        assert table[name,]["status"] == "verified"
    assert len(read(tmp_path / "table.csv")) == 1


@pytest.mark.parametrize("content", [b"graph,status\rone,ok\rtwo,ok\r", b"graph,status\none,ok\rtwo,ok\r"])
def test_rows_that_end_in_another_way_stay(tmp_path: Path, content: bytes) -> None:
    table = tmp_path / "table.csv"
    table.write_bytes(content)
    with pytest.raises(UserError, match=r"another version|table\.csv:2: ends with carriage returns"):
        Table(table, ["graph", "status"], ("graph",))
    assert table.read_bytes() == content
