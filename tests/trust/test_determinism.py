"""Running programs often, and going on where it was stopped."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from inputs.catalogue import ensure
from trust import determinism, graphs
from trust.build import Built
from trust.observe import Observation, Report
from trust.records import read
from trust.tools import TOOLS

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.turns(6, 4)

PROGRAM = "tc-cpp-vertex-topology-push-rmw-det-clausered-cyclic-i32"


@pytest.mark.compile
def test_a_graph_whose_row_a_kill_has_cut_off_is_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not shutil.which("g++"):
        pytest.skip("needs g++")
    config, table = tmp_path / "one.toml", tmp_path / "table.csv"
    config.write_text(f'names = ["{PROGRAM}"]\n')
    inputs = [ensure(name, tmp_path) for name in ("tiny-k5", "tiny-path")]
    monkeypatch.setattr(graphs, "contended", lambda: inputs)
    monkeypatch.setattr(determinism, "_RUNS", 1)
    determinism.measure(str(config), ("cpp",), table, jobs=1)
    whole = table.read_text()
    assert [(row["graph"], row["wrong"], row["results"]) for row in read(table)] == [
        ("tiny-k5", "0", "1"),
        ("tiny-path", "0", "1"),
    ]
    table.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    for _ in range(2):
        determinism.measure(str(config), ("cpp",), table, jobs=1)
        assert table.read_text() == whole


def test_a_run_without_a_result_is_none_of_the_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = iter([Observation("g", "crashed"), Observation("g", "verified", "", 3, "ab")])
    monkeypatch.setattr(determinism, "observe", lambda *_, **__: Report([next(seen)], ""))
    monkeypatch.setattr(determinism, "_RUNS", 1)
    monkeypatch.setattr(determinism, "_THREADS", ("1", "2"))
    program = Built({"model": "cpp", "algorithm": "tc", "determinism": "det"}, {}, tmp_path, TOOLS[0])
    (row,) = determinism._measure(determinism._Task(program, (tmp_path / "g.egr",)))
    assert (row["runs"], row["wrong"], row["rounds"], row["results"]) == (2, 1, 1, 1)
