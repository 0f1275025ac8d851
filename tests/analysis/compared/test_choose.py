"""Which programs to try on a graph, from graphs that are like it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest

from analysis.compared.choose import explain, fitting, only, suggest
from analysis.errors import AnalysisError
from analysis.measured.graphs import PROPERTIES
from analysis.measured.records import load

if TYPE_CHECKING:
    from pathlib import Path

LONG = "bfs-cuda-vertex-topology-push-rmw-nondet-persistent-thread-atomic-i32"  # fast where rows are short
WIDE = LONG.replace("-thread-", "-warp-")  # fast where they are long
EVEN = LONG.replace("-thread-", "-block-")  # never the best, never far from it
SHAPES = {"road-1": (3.0, 4.0, 900.0), "road-2": (2.8, 5.0, 700.0), "social-1": (30.0, 9e3, 9.0)}
TIMES = {"road-1": (1.0, 8.0, 2.0), "road-2": (1.1, 9.0, 2.0), "social-1": (8.0, 1.0, 2.0)}

Write = Callable[..., "Path"]
Record = Callable[..., dict[str, Any]]


def table(shapes: dict[str, tuple[float, float, float]]) -> pd.DataFrame:
    """Returns graphs of a million vertices with an average degree, a maximum degree and a diameter."""
    rows = [
        dict.fromkeys(PROPERTIES, np.nan)
        | {"graph": name, "vertices": 1e6, "average_degree": degree, "maximum_degree": most, "diameter": diameter}
        for name, (degree, most, diameter) in shapes.items()
    ]
    return pd.DataFrame(rows)


@pytest.fixture
def frame(record: Record, write: Write) -> pd.DataFrame:
    jobs = [
        record(program, seconds, graph=graph)
        for graph, times in TIMES.items()
        for program, seconds in zip((LONG, WIDE, EVEN), times, strict=True)
    ]
    return load(write(jobs))


def wanted(degree: float, most: float, diameter: float) -> dict[str, float]:
    return {"vertices": 1e6, "average_degree": degree, "maximum_degree": most, "diameter": diameter}


def test_what_was_fast_on_graphs_like_it(frame: pd.DataFrame) -> None:
    for properties, program in ((wanted(3, 4, 800), LONG), (wanted(30, 8e3, 10), WIDE)):
        (found,) = suggest(frame, table(SHAPES), properties, candidates=1)
        assert list(found.programs) == [program]
        assert found.slowdown == pytest.approx(1.0, abs=0.05)
        assert sum(share for _, share in found.like) == pytest.approx(1.0)


def test_programs_are_chosen_together(frame: pd.DataFrame) -> None:
    """One that is never bad is the first; the second is the one that helps most beside it."""
    graphs = table(dict.fromkeys(SHAPES, (8.0, 100.0, 90.0)))  # all count the same
    (found,) = suggest(frame, graphs, wanted(8, 100, 90), candidates=3)
    assert list(found.programs) == [EVEN, LONG, WIDE]  # two roads gain by LONG
    assert found.slowdown == pytest.approx(1.0)
    assert dict(found.like) == pytest.approx(dict.fromkeys(SHAPES, 1 / 3))


def test_what_was_not_measured_somewhere_is_doubted(record: Record, write: Write) -> None:
    """A program that is a little faster on one graph does not come before one that is as fast on both."""
    jobs = [record(LONG, 1.0, graph="road-1"), record(LONG, 1.0, graph="road-2"), record(WIDE, 0.95, graph="road-1")]
    (found,) = suggest(load(write(jobs)), table(SHAPES), wanted(2.9, 4, 800), candidates=1)
    assert list(found.programs) == [LONG]


def test_graphs_of_which_nothing_is_known_count_for_nothing(frame: pd.DataFrame) -> None:
    unknown = table(dict.fromkeys(SHAPES, (np.nan, np.nan, np.nan)))
    with pytest.raises(AnalysisError, match="whose properties are known"):
        suggest(frame, unknown, wanted(3, 4, 800))
    (found,) = suggest(frame, table({"social-1": SHAPES["social-1"]}), wanted(3, 4, 800), candidates=1)
    assert [name for name, share in found.like if share > 0] == ["social-1"]


def test_less_may_be_known_of_a_graph(frame: pd.DataFrame) -> None:
    (found,) = suggest(frame, table(SHAPES), {"average_degree": 30}, candidates=1)
    assert list(found.programs) == [WIDE]
    assert "on average degree 30:" in explain(found, table(SHAPES), {"average_degree": 30})
    with pytest.raises(AnalysisError, match="unknown property 'degree'"):
        suggest(frame, table(SHAPES), {"degree": 30})


def test_only_programs_that_take_the_graph(record: Record, write: Write) -> None:
    strong = "scc-cpp-vertex-topology-push-rw-nondet-blocked-i32"
    jobs = load(write([record(name, 1.0) for name in (LONG, f"{LONG}-directed", strong)]))
    assert set(fitting(jobs, directed=False)["program"]) == {LONG}
    assert set(fitting(jobs, directed=True)["program"]) == {f"{LONG}-directed", strong}
    with pytest.raises(AnalysisError, match="no program for directed graphs was measured"):
        fitting(jobs[jobs["program"] == LONG], directed=True)


def test_only_one_algorithm(frame: pd.DataFrame) -> None:
    found = suggest(frame, table(SHAPES), wanted(3, 4, 800))
    assert only(found, "bfs", "cuda") == found
    with pytest.raises(AnalysisError, match="unknown algorithm 'bsf'; did you mean 'bfs'"):
        only(found, "bsf", None)


def test_it_says_why(frame: pd.DataFrame) -> None:
    (found,) = suggest(frame, table(SHAPES), wanted(3, 4, 800))
    said = explain(found, table(SHAPES), wanted(3, 4, 800))
    assert "bfs in cuda, on average degree 3, maximum degree 4, diameter 800, vertices 1e+06" in said
    assert f"1. {LONG}" in said
    assert "comes from road-1: average degree 3, maximum degree 4, diameter 900" in said
    assert "social-1" not in said  # it counts for next to nothing
