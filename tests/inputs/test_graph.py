from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inputs.graph import Graph, concatenate, from_arcs, from_edges, hash_weights

if TYPE_CHECKING:
    from collections.abc import Callable

    from inputs.defaults import Duplicates


@st.composite
def edge_lists(draw: st.DrawFn, max_vertices: int = 12) -> tuple[int, list[tuple[int, int, int]]]:
    """Few vertices and many edges, so that loops, duplicates and isolated vertices are all common."""
    n = draw(st.integers(1, max_vertices))
    vertex = st.integers(0, n - 1)
    return n, draw(st.lists(st.tuples(vertex, vertex, st.integers(-5, 5)), max_size=40))


def rows_of(graph: Graph) -> list[list[tuple[int, int | None]]]:
    """List (neighbour, weight or None) in stored order, row by row."""
    weights = [None] * graph.edge_count if graph.weights is None else graph.weights.tolist()
    entries = list(zip(graph.neighbours.tolist(), weights, strict=True))
    return [entries[begin:end] for begin, end in pairwise(graph.row_offsets.tolist())]


def naive_rows(n: int, edges: list[tuple[int, int, int]]) -> list[list[tuple[int, int]]]:
    lightest: dict[Any, int] = {}
    for u, v, w in edges:
        if u != v:
            for pair in ((u, v), (v, u)):
                lightest[pair] = min(w, lightest.get(pair, w))
    return [[(v, lightest[u, v]) for v in range(n) if (u, v) in lightest] for u in range(n)]


def build(
    n: int, edges: list[tuple[int, int, int]], *, weighted: bool = True, dtype: type[np.signedinteger[Any]] = np.int64
) -> Graph:
    columns = np.array(edges, dtype=dtype).reshape(-1, 3)
    return from_edges(n, columns[:, 0], columns[:, 1], columns[:, 2] if weighted else None)


@given(edge_lists())
def test_from_edges_agrees_with_a_dictionary(case: tuple[int, list[tuple[int, int, int]]]) -> None:
    assert rows_of(build(*case)) == naive_rows(*case)


@given(edge_lists())
def test_from_edges_without_weights(case: tuple[int, list[tuple[int, int, int]]]) -> None:
    expected = [[(v, None) for v, _ in row] for row in naive_rows(*case)]
    assert rows_of(build(*case, weighted=False)) == expected


@given(edge_lists(), st.sampled_from(["smallest", "sum", "largest"]))
def test_duplicates_come_to_what_one_asks_for(
    case: tuple[int, list[tuple[int, int, int]]], duplicates: Duplicates
) -> None:
    """Sums are over both directions, unless each edge has the same in either: a file that has all of them twice."""
    n, edges = case
    columns = np.array(edges, dtype=np.int64).reshape(-1, 3).T
    reduced = {"smallest": min, "sum": sum, "largest": max}[duplicates]
    arcs: dict[tuple[int, int], list[int]] = {}
    for u, v, w in edges:
        if u != v:
            arcs.setdefault((u, v), []).append(w)
    one_way = [[(v, reduced(arcs[u, v])) for v in range(n) if (u, v) in arcs] for u in range(n)]
    assert rows_of(from_arcs(n, *columns, duplicates)) == one_way
    both = {(u, v): arcs.get((u, v), []) + arcs.get((v, u), []) for u, v in (*arcs, *((v, u) for u, v in arcs))}
    if all(sum(arcs.get((v, u), [2**40])) == sum(ws) for (u, v), ws in arcs.items()) and duplicates == "sum":
        both = arcs
    two_ways = [[(v, reduced(both[u, v])) for v in range(n) if (u, v) in both] for u in range(n)]
    assert rows_of(from_edges(n, *columns, duplicates)) == two_ways
    mirrored = np.concatenate([columns, columns[[1, 0, 2]]], axis=1)
    assert rows_of(from_edges(n, *mirrored, "sum")) == [
        [(v, sum(arcs.get((u, v), []) + arcs.get((v, u), []))) for v in range(n) if (u, v) in arcs or (v, u) in arcs]
        for u in range(n)
    ]


def test_a_sum_that_is_no_weight_is_refused() -> None:
    ends, weights = np.array([0, 0]), np.array([2**29, 2**29 - 1])
    with pytest.raises(ValueError, match="of an edge add up to 1,073,741,823, which is more than 1,073,741,822"):
        from_edges(2, ends, ends + 1, weights, "sum")
    assert from_edges(2, ends, ends + 1, weights - 1, "sum").weights.tolist() == [2**30 - 3] * 2


@given(edge_lists())
def test_a_clean_graph_stays_as_it_is(
    assert_same: Callable[[Graph, Graph], None], case: tuple[int, list[tuple[int, int, int]]]
) -> None:
    graph = build(*case)
    assert_same(graph.to_edges().to_graph(), graph)


@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_arrays_are_32_bit_whatever_comes_in(dtype: type[np.signedinteger[Any]]) -> None:
    graph = build(3, [(0, 1, 5), (2, 1, 4)], dtype=dtype)
    assert (graph.row_offsets.dtype, graph.neighbours.dtype, graph.weights.dtype) == (np.int32, np.int32, np.int32)


def test_a_graph_without_vertices() -> None:
    graph = build(0, [])
    assert (graph.vertex_count, graph.edge_count, graph.row_offsets.tolist()) == (0, 0, [0])


@pytest.mark.parametrize(
    ("n", "sources", "destinations", "weights", "reason"),
    [
        (2, [0], [2], None, "destinations must be in"),
        (2, [-1], [0], None, "sources must be in"),
        (0, [0], [0], None, "sources must be in"),
        (-1, [], [], None, "vertices, not -1"),
        (2**31, [], [], None, "vertices, not 2,147,483,648"),
        (2, [0, 1], [0], None, "same length"),
        (2, [0], [1], [1, 2], "same length"),
        (2, [0], [1], [2**31], "fit in 32-bit"),
    ],
)
def test_from_edges_refuses(n: int, sources: Any, destinations: Any, weights: Any, reason: str) -> None:
    columns = [np.array(column, dtype=np.int64) for column in (sources, destinations)]
    with pytest.raises(ValueError, match=reason):
        from_edges(n, *columns, None if weights is None else np.array(weights))


def test_hash_weights_are_pinned_and_symmetric() -> None:
    u, v = np.array([0, 0, 1, 123_456, 2**31 - 2]), np.array([0, 1, 2, 654_321, 0])
    assert hash_weights(u, v).tolist() == hash_weights(v, u).tolist() == [1, 45, 43, 6, 31]
    assert hash_weights(u, v).dtype == np.int32


def test_hash_weights_cover_1_to_64_evenly() -> None:
    v = np.arange(64_000)
    counts = np.bincount(hash_weights(np.zeros_like(v), v), minlength=65)
    assert counts[0] == 0
    assert len(counts) == 65
    assert abs(counts[1:] - 1000).max() < 200


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
@pytest.mark.parametrize("ends", [[], [(0, 3)], [(1, 2), (2, 3), (2, 6), (6, 7)]])
def test_batches_are_all_edges(ends: list[tuple[int, int]], size: int) -> None:
    columns = np.array(ends, dtype=np.int32).reshape(-1, 2)
    graph = from_edges(9, *columns.T, np.arange(len(columns)))
    batches = list(graph.batches(size))
    assert all(len(batch.sources) <= size and batch.vertex_count == 9 for batch in batches)
    found, whole = concatenate(batches), graph.to_edges()
    for name in ("sources", "destinations", "weights"):
        assert getattr(found, name).tolist() == getattr(whole, name).tolist()
