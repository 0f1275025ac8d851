"""Every format that is written is read back, and through every other."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inputs.formats import registry
from inputs.graph import Graph, from_edges, hash_weights

if TYPE_CHECKING:
    from collections.abc import Callable

SUFFIXES = [suffix for graph_format in registry.FORMATS for suffix in graph_format.suffixes]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Random graphs whose last vertex has an edge, because an edge list cannot say that it has none."""
    n = draw(st.integers(2, 12))
    vertex = st.integers(0, n - 1)
    ends = np.array([(0, n - 1), *draw(st.lists(st.tuples(vertex, vertex), max_size=30))], dtype=np.int32)
    weights = draw(st.lists(st.integers(0, 2**29 - 1), min_size=len(ends), max_size=len(ends)))
    return from_edges(n, ends[:, 0], ends[:, 1], np.array(weights) if draw(st.booleans()) else None)


def stored(graph: Graph, suffix: str) -> Graph:
    """What a format keeps of a graph: some have no weights, some always, of 1 or as programs make them."""
    if suffix in (".sg", ".col", ".graph500", ".adjlist"):
        return replace(graph, weights=None)
    if suffix == ".net" and graph.weights is None:
        return replace(graph, weights=np.ones(graph.edge_count, dtype=np.int32))
    if suffix in (".gr", ".wel", ".wsg") and graph.weights is None:
        edges = graph.to_edges()
        return replace(graph, weights=hash_weights(edges.sources, edges.destinations))
    return graph


@settings(max_examples=2, deadline=None)
@given(graph=graphs())
@pytest.mark.parametrize("suffixes", list(itertools.product(SUFFIXES, SUFFIXES)), ids="-".join)
def test_every_pair_of_formats(
    tmp_path_factory: pytest.TempPathFactory,
    assert_same: Callable[[Graph, Graph], None],
    graph: Any,
    suffixes: tuple[str, str],
) -> None:
    folder = tmp_path_factory.mktemp("trip")
    found, expected = graph, graph
    for number, suffix in enumerate(suffixes):
        path = folder / f"{number}{suffix}"
        registry.format_named(path).write(found, path)
        found, expected = registry.load(path), stored(expected, suffix)
    assert_same(found, expected)
