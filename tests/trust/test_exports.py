"""Checking many programs as libraries."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from trust import exports
from trust.records import read

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.compile, pytest.mark.turns(6, 3)]

GOOD = (
    "pr-openmp-vertex-topology-pull-rmw-det-clausered-default-f64",
    "mst-cpp-edge-data-nodup-push-rmw-det-dynamic-i64",
)
WRONG = "tc-openmp-vertex-topology-push-rmw-det-atomicred-default-i32-lastitem"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Three libraries; they compile a quarter faster without optimisation, and sanitizers find the same."""
    assert "-O1" in exports._SANITIZED
    monkeypatch.setattr(exports, "_SANITIZED", exports._SANITIZED.replace("-O1", "-O0"))
    for command in ("g++", "make"):
        if not shutil.which(command):
            pytest.skip(f"needs {command}")
    file = tmp_path / "libraries.toml"
    file.write_text(f'extend = ["bug"]\nnames = {[*GOOD, WRONG]}\n')
    return str(file)


@pytest.mark.long
def test_libraries_are_right_and_wrong_ones_are_told(
    config: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.csv"
    assert exports.measure(config, ("openmp", "cpp"), table, jobs=2) == 1
    assert f"{WRONG}: wrong" in capsys.readouterr().out
    assert {row["program"]: row["status"] for row in read(table)} == dict.fromkeys(GOOD, "verified") | {WRONG: "wrong"}
    assert exports.measure(config, ("openmp", "cpp"), table, jobs=2) == 1  # all are known


@pytest.mark.usefixtures("config")
def test_memory_that_is_left_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def leaking(*arguments: object) -> None:
        export(*arguments)
        (test,) = arguments[-1].glob("test/test.cpp")
        text = test.read_text()
        destroy = f"require({GOOD[1].replace('-', '_')}_destroy(handle));"
        assert text.count(destroy) == 1
        test.write_text(text.replace(destroy, "handle = nullptr;"))

    export = exports.export
    monkeypatch.setattr(exports, "export", leaking)
    table = tmp_path / "table.csv"
    file = tmp_path / "one.toml"
    file.write_text(f'names = ["{GOOD[1]}"]\n')
    assert exports.measure(str(file), ("cpp",), table, jobs=1) == 1
    (row,) = read(table)
    assert row["status"] == "wrong"
    assert "leaked in" in row["detail"]
