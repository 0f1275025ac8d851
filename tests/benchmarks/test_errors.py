"""A benchmark that cannot read what it is given says so in one line."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.notes import heard_by_children


@pytest.mark.parametrize(
    ("words", "code", "missing"),
    [
        ("busiest_warp x.egr", 4, "x.egr: No such file"),
        ("export x.egr --exports x", 4, "x: No such file"),
        ("live_best x.egr", 2, "programs.csv"),
        ("loads_under_way x.cu", 4, "x.cu: No such file"),
        ("replay_best x.parquet", 4, "x.parquet: No such file"),
    ],
)
def test_a_missing_file_is_named(tmp_path: Path, words: str, code: int, missing: str) -> None:
    module, *arguments = words.split()
    arguments = [str(tmp_path / word) if word.startswith("x") else word for word in arguments]
    command = [sys.executable, "-c", f"from benchmarks.{module} import main; main()", *arguments]
    environment = heard_by_children(PYTHONPATH=str(Path.cwd()), PATH="")
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n"), done.stderr[:7]) == (code, 1, "error: ")
    assert missing in done.stderr


def test_a_file_that_is_no_table_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.parquet").write_text("no table")
    command = [sys.executable, "-m", "benchmarks.replay_best", str(tmp_path / "x.parquet")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, f"error: {tmp_path / 'x.parquet'} is not a parquet file\n")


def test_an_exported_folder_without_its_graph_is_told_of(tmp_path: Path) -> None:
    exported = tmp_path / "exports" / "one"
    (exported / "src").mkdir(parents=True)
    (exported / "src" / "bfs-one.cpp").touch()
    (exported / "one.so").touch()
    (exported / "one_library.py").touch()
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "bfs-one").touch()
    command = [sys.executable, "-m", "benchmarks.export", tmp_path / "x.egr"]
    command += ["--build", tmp_path / "build", "--exports", tmp_path / "exports"]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (4, f"error: {tmp_path / 'x.egr'}: No such file or directory\n")
