"""Programs take graphs of one kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from analysis.compared.slowness import fitting
from analysis.errors import AnalysisError
from analysis.measured.records import load

if TYPE_CHECKING:
    from pathlib import Path

LONG = "bfs-cuda-vertex-topology-push-rmw-nondet-persistent-thread-atomic-i32"

Write = Callable[..., "Path"]
Record = Callable[..., dict[str, Any]]


def test_only_programs_that_take_the_graph(record: Record, write: Write) -> None:
    strong = "scc-cpp-vertex-topology-push-rw-nondet-blocked-i32"
    jobs = load(write([record(name, 1.0) for name in (LONG, f"{LONG}-directed", strong)]))
    assert set(fitting(jobs, directed=False)["program"]) == {LONG}
    assert set(fitting(jobs, directed=True)["program"]) == {f"{LONG}-directed", strong}
    with pytest.raises(AnalysisError, match="no program for directed graphs was measured"):
        fitting(jobs[jobs["program"] == LONG], directed=True)
