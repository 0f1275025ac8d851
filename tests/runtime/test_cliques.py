"""Counting cliques: the reference against brute force on all small graphs, and what may be asked."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from tests.runtime.test_reference import rows_of, values_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.runtime.conftest import Run, Write

pytestmark = [pytest.mark.compile, pytest.mark.daily]


def brute_force(graph: nx.Graph[int], k: int) -> int:
    return sum(all(graph.has_edge(u, v) for u, v in combinations(chosen, 2)) for chosen in combinations(graph, k))


@pytest.mark.parametrize("k", [3, 4, 5, 6])
def test_cliques_of_all_small_graphs_side_by_side(reference: Run, egr: Write, tmp_path: Path, k: int) -> None:
    """All 1,252 graphs of up to seven vertices in one: what one of them has, the others do not hide."""
    small = [graph for graph in nx.graph_atlas_g() if len(graph) > 0]
    assert len(small) == 1252
    counts = [brute_force(graph, k) for graph in small]
    path = egr(rows_of(nx.disjoint_union_all(small)))
    assert reference("clique", path, tmp_path / "out", "--k", k).code == 0
    assert values_of(tmp_path / "out") == [sum(counts)]


def test_a_complete_graph_has_all_there_may_be(reference: Run, egr: Write, tmp_path: Path) -> None:
    assert reference("clique", egr(rows_of(nx.complete_graph(60))), tmp_path / "out", "--k", 6).code == 0
    assert values_of(tmp_path / "out") == [comb(60, 6)]


@pytest.mark.parametrize("k", [2, 7])
def test_cliques_have_three_to_six_vertices(reference: Run, egr: Write, tmp_path: Path, k: int) -> None:
    done = reference("clique", egr(rows_of(nx.complete_graph(3))), tmp_path / "out", "--k", k)
    assert done.code == 2
    assert f"--k takes a whole number from 3 to 6, not '{k}'" in done.stderr
