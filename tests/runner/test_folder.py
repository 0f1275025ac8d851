from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from runner.errors import RunnerError
from runner.results.folder import describe_results, export_table
from runner.results.records import RecordFile, Status

if TYPE_CHECKING:
    from pathlib import Path

    from tests.runner.conftest import MakeRecord, Project


def test_the_folder_explains_itself(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.sweep()
    readme = (project.results / "README.md").read_text()
    assert all(f"`{status}`" in readme for status in Status)
    schema = json.loads((project.results / "record.schema.json").read_text())
    (record,) = project.lines()
    assert record.keys() <= schema["properties"].keys()
    described = {name for name, field in schema["properties"].items() if "description" in field}
    assert described == schema["properties"].keys()
    session = json.loads((project.results / "session.schema.json").read_text())
    (written,) = (project.results / "sessions").iterdir()
    assert json.loads(written.read_text()).keys() <= session["properties"].keys()


def test_files_that_are_right_are_left_alone(tmp_path: Path) -> None:
    describe_results(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    describe_results(tmp_path)
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}


def test_the_runner_knows_its_own_readme(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    describe_results(tmp_path)
    written = readme.read_bytes()
    readme.write_text("# Results of Violet\n\nAs an earlier version had it.\n")
    describe_results(tmp_path)
    assert readme.read_bytes() == written
    for mine in (b"# My project\n", b"\xff", b""):
        readme.write_bytes(mine)
        describe_results(tmp_path)
        assert readme.read_bytes() == mine


@pytest.mark.parametrize("name", ["record.schema.json", "session.schema.json"])
def test_the_runner_knows_its_own_schemas(tmp_path: Path, name: str) -> None:
    schema = tmp_path / name
    describe_results(tmp_path)
    written = schema.read_text()
    older = json.loads(written)  # runners of before had no comment and fewer fields
    del older["$comment"], older["properties"][next(iter(older["properties"]))]
    schema.write_text(json.dumps(older))
    describe_results(tmp_path)
    assert schema.read_text() == written
    mine = json.dumps({"$id": "https://example.org/mine"} | older)
    for text in (b'{"title": "Mine"}\n', mine.encode(), b"[]", b"[" * 100_000, b"\xff", b""):
        schema.write_bytes(text)
        describe_results(tmp_path)
        assert schema.read_bytes() == text


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "README.md").mkdir()
    with pytest.raises(RunnerError, match="cannot write to"):
        describe_results(tmp_path)


def test_a_number_that_parquet_does_not_take_is_an_error(tmp_path: Path, record: MakeRecord) -> None:
    with RecordFile(tmp_path / "s.jsonl") as file:
        file.append(record(rounds=10**30))
    with pytest.raises(RunnerError, match="a record has a number of more than 64 bits"):
        export_table(tmp_path, tmp_path / "table.parquet")
    assert export_table(tmp_path, tmp_path / "table.csv") == 1
