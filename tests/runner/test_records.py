from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from runner.errors import RunnerError
from runner.results.records import RecordFile, Status, read_records, repair_records

if TYPE_CHECKING:
    from pathlib import Path

    from tests.runner.conftest import MakeRecord


def test_records_come_back_as_they_were(tmp_path: Path, record: MakeRecord) -> None:
    records = [record(key="a"), record(key="b", samples_s=[0.1, 1e-9], reason='a "quote"\nand a line')]
    with RecordFile(tmp_path / "s.jsonl") as file:
        for each in records:
            file.append(each)
    assert list(read_records(tmp_path).values()) == records


def test_a_record_of_more_than_a_table_can_hold_is_left_out(
    tmp_path: Path, record: MakeRecord, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = record(key="a"), record(key="b").model_copy(update={"edges": 10**30})
    (tmp_path / "s.jsonl").write_text(f"{good.model_dump_json()}\n{bad.model_dump_json()}\n")
    assert list(read_records(tmp_path)) == ["a"]
    assert f"{tmp_path / 's.jsonl'}:2: left out, not a record: edges" in capsys.readouterr().err


def test_a_session_without_results_leaves_no_file(tmp_path: Path) -> None:
    with RecordFile(tmp_path / "s.jsonl"):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("torn", [b'{"key": "b"', b"\0\0\0", b"{}"])
def test_a_torn_last_line_is_ignored_and_then_cut_off(tmp_path: Path, record: MakeRecord, torn: bytes) -> None:
    file = tmp_path / "s.jsonl"
    whole = record(key="a").model_dump_json().encode() + b"\n"
    file.write_bytes(whole + torn)
    assert list(read_records(tmp_path)) == ["a"]
    repair_records(tmp_path)
    assert file.read_bytes() == whole


def test_a_file_that_is_only_a_torn_line_becomes_empty(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(b'{"ke')
    repair_records(tmp_path)
    assert (tmp_path / "s.jsonl").read_bytes() == b""


@pytest.mark.parametrize("line", ["{}", "hello", '{"format": 2}', ""])
def test_a_line_that_is_no_record_is_named_and_left_out_then_set_aside(
    tmp_path: Path, record: MakeRecord, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    file = tmp_path / "s.jsonl"
    first, last = (f"{record(key=key).model_dump_json()}\n" for key in "ab")
    file.write_text(f"{first}{line}\n{last}torn")
    assert list(read_records(tmp_path)) == ["a", "b"]
    assert f"runner: warning: {file}:2: left out, not a record" in capsys.readouterr().err
    assert file.read_text() == f"{first}{line}\n{last}torn"

    repair_records(tmp_path)
    assert f"runner: warning: {file}:2: set aside in s.jsonl.rejected, not a record" in capsys.readouterr().err
    assert file.read_text() == first + last
    assert (tmp_path / "s.jsonl.rejected").read_text() == f"{line}\n"
    assert list(read_records(tmp_path)) == ["a", "b"]
    assert capsys.readouterr().err == ""


def test_a_file_that_cannot_be_repaired_is_named(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text("torn")
    (tmp_path / "s.jsonl.tmp").mkdir()
    with pytest.raises(RunnerError, match=r"cannot repair .*s\.jsonl"):
        repair_records(tmp_path)


def test_what_is_no_file_holds_no_records(tmp_path: Path, record: MakeRecord) -> None:
    with RecordFile(tmp_path / "s.jsonl") as file:
        file.append(record(key="a"))
    (tmp_path / "folder.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")  # to open it would wait for ever
    repair_records(tmp_path)
    assert list(read_records(tmp_path)) == ["a"]


@pytest.mark.parametrize("samples", ["[-1.0]", "[NaN]", "[]", "[0.0]", "[1e308]", "[1.0, 0.0]"])
def test_no_verified_record_is_without_times(
    tmp_path: Path, record: MakeRecord, capsys: pytest.CaptureFixture[str], samples: str
) -> None:
    line = record(status=Status.VERIFIED, samples_s=[0.5]).model_dump_json()
    (tmp_path / "s.jsonl").write_text(line.replace("[0.5]", samples) + "\n")
    assert read_records(tmp_path) == {}
    assert "s.jsonl:1: left out, not a record: " in capsys.readouterr().err


def test_a_full_disk_leaves_no_half_a_record(
    tmp_path: Path, record: MakeRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_write = os.write
    with RecordFile(tmp_path / "s.jsonl") as file:
        file.append(record(key="a"))
        monkeypatch.setattr(os, "write", lambda descriptor, line: real_write(descriptor, line[:10]))
        with pytest.raises(RunnerError, match="no space left"):
            file.append(record(key="b"))
        monkeypatch.undo()
        file.append(record(key="c"))
    assert list(read_records(tmp_path)) == ["a", "c"]
