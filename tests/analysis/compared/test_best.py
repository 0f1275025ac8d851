"""Best programs, what the others cost, and which styles go together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from analysis.compared import best
from analysis.compared.combinations import combinations
from analysis.compared.correlations import correlations, strongest_of
from analysis.errors import AnalysisError
from analysis.measured.graphs import graph_table
from analysis.measured.records import load

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from analysis.compared.study import Study
    from tests.analysis.conftest import Record, Write

A = "bfs-cuda-vertex-topology-push-rmw-nondet-persistent-thread-atomic-i32"
B = A.replace("push-rmw", "pull-rw")
C = A.replace("-atomic-", "-cudaatomic-")


@pytest.fixture
def frame_of(record: Record, write: Write) -> Callable[..., pd.DataFrame]:
    """Loads jobs given as (program, seconds, graph, other fields)."""
    return lambda *jobs: load(write([record(name, s, graph=graph, **fields) for name, s, graph, fields in jobs]))


def test_the_fastest_by_model_and_graph(frame_of: Callable[..., pd.DataFrame]) -> None:
    frame = frame_of((A, 1.0, "g", {}), (B, 0.5, "g", {}), (A, 1.0, "h", {}), (B, 0.1, "h", {"status": "wrong"}))
    assert best.fastest(frame)["program"].tolist() == [B, A]


def test_slowdowns_and_their_bounds(frame_of: Callable[..., pd.DataFrame]) -> None:
    stopped = {"status": "timeout", "samples_s": [], "wall_s": 60.0, "parameters": {"reps": 1, "warmup": 1}}
    same = {"parameters": {"reps": 1, "warmup": 1}}
    frame = frame_of((A, 1.0, "g", same), (B, 4.0, "g", same), (C, 0.0, "g", stopped))
    found = best.slowdowns(frame).set_index("program")
    assert found["slowdown"].to_dict() == pytest.approx({A: 1.0, B: 4.0, C: 30.0})
    assert found["bound"].to_dict() == {A: False, B: False, C: True}
    (row,) = best.costs(frame).to_dict("records")
    assert row["typical"] == pytest.approx((1 * 4 * 30) ** (1 / 3))
    assert (row["jobs"], row["worst"], row["bounds"]) == (3, pytest.approx(30.0), 1)


def test_shares_leave_out_cuda_atomics_and_axes_without_a_choice(frame_of: Callable[..., pd.DataFrame]) -> None:
    frame = frame_of((A, 1.0, "g", {}), (B, 0.5, "g", {}), (C, 0.1, "g", {}), (A, 1.0, "h", {}), (B, 2.0, "h", {}))
    table = best.shares(frame, best.winners(frame)).set_index(["axis", "value"])
    assert table["share"]["flow"].to_dict() == {"push": 0.5, "pull": 0.5}
    assert set(table["n"]["flow"]) == {2}
    assert "iteration" in table.index
    assert set(table["n"]["iteration"]) == {0}  # all are vertex-based: nothing to choose


def test_the_best_style_is_the_best_on_average_and_known_everywhere(frame_of: Callable[..., pd.DataFrame]) -> None:
    jobs: list[Any] = [(A, 1.0, "g", {}), (B, 0.5, "g", {}), (A, 1.0, "h", {}), (B, 1.5, "h", {}), (C, 0.01, "g", {})]
    assert best.best_styles(frame_of(*jobs))["program"].tolist() == [B]
    with pytest.raises(AnalysisError, match="no program"):
        best.best_styles(frame_of(*jobs).iloc[:0])


def test_combinations_recover_what_was_planted(study: Study) -> None:
    matrix = combinations(study.frame)
    assert matrix["push"]["vertex"] == pytest.approx(2.0, rel=0.15)
    assert matrix["pull"]["vertex"] == pytest.approx(0.5, rel=0.15)
    assert matrix["persistent"]["push"] == pytest.approx(1.0, rel=0.15)
    assert matrix.loc["vertex", ["vertex", "edge"]].isna().all()  # an axis with itself
    assert np.isnan(matrix["dup"]["topology"])  # no worklist
    assert "cudaatomic" not in matrix.index


def test_correlations_find_what_depends_on_a_graph(study: Study) -> None:
    frame = study.frame.copy()
    frame["throughput"] = frame["throughput"].where(frame["throughput"].isna(), frame["edges"].astype(float))
    table = correlations(frame, study.graphs)
    assert table["edges"]["warp"] == pytest.approx(1.0)
    assert table["diameter"]["all programs"] == pytest.approx(-1.0)
    assert "share_degree_512" not in table.columns  # the same on all graphs
    ranks = correlations(frame, study.graphs, method="spearman")
    assert ranks["maximum_degree"]["push"] == pytest.approx(1.0, abs=1e-3)
    assert strongest_of(table) is not None
    assert abs(strongest_of(table)[2]) == pytest.approx(1.0)


def test_two_graphs_have_no_correlation(study: Study) -> None:
    frame = study.frame[study.frame["graph"] != "road"]
    table = correlations(frame, graph_table(frame, {}))
    assert table.empty
    assert strongest_of(table) is None
