from __future__ import annotations

from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_matrix, csc_array, csr_array

from inputs.graph import Graph, from_edges
from inputs.interchange import from_networkx, from_scipy, to_networkx, to_scipy

if TYPE_CHECKING:
    from collections.abc import Callable


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 10))
    vertex = st.integers(0, n - 1)
    ends = np.array(draw(st.lists(st.tuples(vertex, vertex), min_size=1)), dtype=np.int32)
    weights = np.arange(2, len(ends) + 2) if draw(st.booleans()) and (ends[:, 0] != ends[:, 1]).any() else None
    return from_edges(n, ends[:, 0], ends[:, 1], weights)


@given(graphs())
def test_there_and_back(assert_same: Callable[[Graph, Graph], None], graph: Any) -> None:
    assert_same(from_scipy(to_scipy(graph)), graph)
    assert_same(from_networkx(to_networkx(graph)), graph)


@pytest.mark.parametrize("kind", [coo_matrix, csc_array, csr_array])
def test_any_sparse_matrix(kind: Callable[..., Any]) -> None:
    graph = from_scipy(kind(np.array([[9, 4, 0], [0, 0, 0], [0, 7, 0]])))
    assert graph.neighbours.tolist() == [1, 0, 2, 1]
    assert graph.weights.tolist() == [4, 4, 7, 7]


def test_entries_that_are_no_weights() -> None:
    assert from_scipy(csr_array(np.array([[0, 0.5], [-1.0, 0]]))).weights is None


def test_a_matrix_that_is_not_square() -> None:
    with pytest.raises(ValueError, match="square matrix, not 2 x 3"):
        from_scipy(csr_array(np.ones((2, 3))))


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiDiGraph])
def test_networkx_nodes_are_numbered_in_order(kind: Callable[..., Any]) -> None:
    graph = from_networkx(kind([("b", "a"), ("a", "c"), ("c", "c")]))
    assert graph.neighbours.tolist() == [1, 0, 2, 1]
    assert graph.weights is None


def test_some_networkx_edges_without_weight() -> None:
    graph = nx.Graph([(0, 1), (1, 2)])
    graph.edges[0, 1]["weight"] = 3
    assert from_networkx(graph).weights is None


def test_the_karate_club() -> None:
    graph = from_networkx(nx.karate_club_graph())
    assert (graph.vertex_count, graph.edge_count // 2, graph.weights.min()) == (34, 78, 1)


def test_networkx_weights_may_be_numbers_of_numpy() -> None:
    weights = from_networkx(nx.Graph([(0, 1, {"weight": np.int64(3)})])).weights
    assert weights is not None
    assert weights.tolist() == [3, 3]
