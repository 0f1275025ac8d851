from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_matrix, csc_array, csr_array

from inputs.graph import Graph, from_edges
from inputs.interchange import from_networkx, from_scipy, to_networkx, to_scipy
from inputs.weights import DROPPED, WeightRule

if TYPE_CHECKING:
    from collections.abc import Callable

    from inputs.defaults import Duplicates


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


@pytest.mark.parametrize("value", [0.5, -1.0, np.nan, np.inf, 2.0**70])
def test_values_that_are_no_weights_are_refused_unless_one_asks(value: float) -> None:
    matrix = csr_array(np.array([[0, value], [3.0, 0]]))
    for make, source in ((from_scipy, matrix), (from_networkx, nx.DiGraph([(0, 1, {"weight": value})]))):
        with pytest.raises(ValueError, match=r"weight .*(not a whole number|not in|no number)"):
            make(source)
        assert make(source, weights=DROPPED).weights is None
    assert from_scipy(csr_array(np.array([[0, 0.5], [0, 0]])), weights=WeightRule(scale=4)).weights.tolist() == [2, 2]


def test_numbers_of_other_kinds_are_weights_or_refused() -> None:
    for value, weight in (
        (Fraction(6, 2), 3),
        (Fraction(1, 2), None),
        (2**70, None),
        (True, 1),
        (np.float16(2), 2),
        (np.float16("inf"), None),
    ):
        graph = nx.Graph([(0, 1, {"weight": value})])
        if weight is None:
            with pytest.raises(ValueError, match="weight"):
                from_networkx(graph)
        else:
            assert from_networkx(graph).weights.tolist() == [weight, weight]
    with pytest.raises(ValueError, match="a weight is no number, but complex128"):
        from_scipy(csr_array(np.array([[0, 3 + 0j], [0, 0]])))


def test_an_edge_that_weighs_nothing_stays(assert_same: Callable[[Graph, Graph], None]) -> None:
    graph = from_edges(3, np.array([0, 1]), np.array([1, 2]), np.array([0, 5]))
    assert_same(from_scipy(to_scipy(graph)), graph)


@pytest.mark.parametrize("kind", [coo_matrix, csc_array, csr_array])
def test_repeated_entries_add_up_as_in_scipy(kind: Callable[..., Any]) -> None:
    repeated = coo_matrix(([2, 3], ([0, 0], [1, 1])), shape=(2, 2))
    assert from_scipy(kind(repeated)).weights.tolist() == [5, 5]


def test_ones_are_weights_and_truth_values_are_none() -> None:
    ones = np.array([[0, 1], [1, 0]])
    assert from_scipy(csr_array(ones)).weights.tolist() == [1, 1]
    assert from_scipy(csr_array(ones.astype(bool))).weights is None


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
    with pytest.raises(ValueError, match="some edges have a weight and some have none: give all one, or none"):
        from_networkx(graph)


@pytest.mark.parametrize(("duplicates", "weight"), [("smallest", 2), ("largest", 5), ("sum", 7)])
def test_of_edges_of_a_multigraph_one_weight_is_made(duplicates: Duplicates, weight: int) -> None:
    graph: Any = nx.MultiGraph([(0, 1, {"weight": 2}), (1, 0, {"weight": 5})])
    found = from_networkx(graph, duplicates=duplicates).weights
    assert found is not None
    assert found.tolist() == [weight, weight]


def test_the_karate_club() -> None:
    graph = from_networkx(nx.karate_club_graph())
    assert (graph.vertex_count, graph.edge_count // 2, graph.weights.min()) == (34, 78, 1)


def test_networkx_weights_may_be_numbers_of_numpy() -> None:
    weights = from_networkx(nx.Graph([(0, 1, {"weight": np.int64(3)})])).weights
    assert weights is not None
    assert weights.tolist() == [3, 3]
