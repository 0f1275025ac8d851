from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inputs.graph import EdgeList, from_edges
from inputs.properties import Storage, bfs_depth, inspect, shape, storage
from inputs.tiny import TINY

if TYPE_CHECKING:
    from pathlib import Path


def stored(vertex_count: int, pairs: list[tuple[int, int]]) -> EdgeList:
    ends = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    return EdgeList(vertex_count, ends[:, 0], ends[:, 1])


@given(st.integers(1, 10).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_against_networkx(case: tuple[int, list[tuple[int, int]]]) -> None:
    vertex_count, pairs = case
    graph = stored(vertex_count, pairs).to_graph()
    expected = nx.Graph([(u, v) for u, v in pairs if u != v])
    expected.add_nodes_from(range(vertex_count))
    found = shape(graph)
    assert found.undirected_edges == expected.number_of_edges()
    assert found.maximum_degree == max(degree for _, degree in expected.degree)
    assert found.isolated == nx.number_of_isolates(expected)
    assert found.components == nx.number_connected_components(expected)
    for source in range(vertex_count):
        assert bfs_depth(graph, source) == max(nx.single_source_shortest_path_length(expected, source).values())


@pytest.mark.parametrize(
    ("name", "components", "diameter"),
    [("vertex", 1, 0), ("isolated", 2, 0), ("path", 1, 7), ("star", 1, 2), ("components", 3, 1), ("tree", 1, 6)],
)
def test_tiny_graphs(name: str, components: int, diameter: int) -> None:
    found = shape(TINY[name].graph())
    assert (found.components, found.pseudo_diameter) == (components, diameter)


def test_shares_of_high_degrees() -> None:
    leaves = np.arange(1, 601)
    found = shape(from_edges(1000, np.zeros_like(leaves), leaves))
    assert (found.share_degree_32, found.share_degree_512, found.isolated) == (0.001, 0.001, 399)


@pytest.mark.parametrize(("name", "clustering"), [("vertex", 0), ("edge", 0), ("star", 0), ("tree", 0), ("k5", 1)])
def test_clustering_of_tiny_graphs(name: str, clustering: float) -> None:
    assert shape(TINY[name].graph()).clustering == clustering


def test_clustering_is_that_of_vertices_with_two_neighbours() -> None:
    theirs = nx.gnp_random_graph(200, 0.05, seed=1)
    nx.add_path(theirs, range(200, 220))
    ends = np.array(theirs.edges)
    known = [share for v, share in nx.clustering(theirs).items() if theirs.degree[v] >= 2]
    assert shape(from_edges(220, *ends.T)).clustering == pytest.approx(np.mean(known), abs=0.01)


@pytest.mark.parametrize(
    ("pairs", "symmetric", "is_sorted", "loops", "duplicates"),
    [
        ([], True, True, 0, 0),
        ([(0, 1)], False, True, 0, 0),
        ([(0, 1), (1, 0)], True, True, 0, 0),
        ([(1, 0), (0, 1)], True, False, 0, 0),
        ([(0, 0), (0, 0), (0, 1), (0, 1), (1, 0)], True, True, 2, 2),
        ([(0, 1), (0, 1)], False, True, 0, 1),
    ],
)
def test_storage(pairs: list[tuple[int, int]], symmetric: bool, is_sorted: bool, loops: int, duplicates: int) -> None:
    edges = stored(2, pairs)
    assert storage(edges, edges.to_graph()) == Storage(
        len(pairs), symmetric, is_sorted, loops, duplicates, weighted=False
    )


def test_a_graph_without_vertices() -> None:
    assert shape(stored(0, []).to_graph()).vertices == 0


def test_inspect_a_real_file(shared_graphs: Path) -> None:
    found = inspect(shared_graphs / "facebook_combined.txt")
    assert found.sha256 == "f41c026ed8af3cc3359f1ca5573d0605fb09ae0eefa34544b820fd8c6e2ef296"
    assert (found.shape.maximum_degree, found.shape.components, found.shape.pseudo_diameter) == (1045, 1, 8)
