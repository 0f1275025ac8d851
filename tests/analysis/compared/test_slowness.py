"""Programs take graphs of one kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analysis.compared.slowness import fitting, slowness_of
from analysis.errors import AnalysisError
from analysis.measured.records import load

if TYPE_CHECKING:
    from tests.analysis.conftest import Record, Write

LONG = "bfs-cuda-vertex-topology-push-rmw-nondet-persistent-thread-atomic-i32"


def test_only_programs_that_take_the_graph(record: Record, write: Write) -> None:
    strong = "scc-cpp-vertex-topology-push-rw-nondet-blocked-i32"
    jobs = load(write([record(name, 1.0) for name in (LONG, f"{LONG}-directed", strong)]))
    assert set(fitting(jobs, directed=False)["program"]) == {LONG}
    assert set(fitting(jobs, directed=True)["program"]) == {f"{LONG}-directed", strong}
    with pytest.raises(AnalysisError, match="no program for directed graphs was measured"):
        fitting(jobs[jobs["program"] == LONG], directed=True)


def test_where_all_were_cut_off_nothing_is_known(record: Record, write: Write) -> None:
    other = LONG.replace("-thread-", "-warp-")
    stopped = {"status": "timeout", "samples_s": [], "wall_s": 3.0, "parameters": {"reps": 1, "warmup": 1}}
    late = {**stopped, "graph": "late"}
    jobs = load(write([record(LONG, 1.0), record(other, 2.0), record(LONG, 1.0, **late), record(other, 1.0, **late)]))
    found = slowness_of(jobs, str)
    assert found.columns.get_level_values("graph").tolist() == ["grid"]
    assert found[found.columns[0]].to_dict() == {LONG: 0.0, other: pytest.approx(0.693, abs=0.01)}
