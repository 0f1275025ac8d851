"""Directed graphs: rows and in-rows, in every format that has directions, from reading to writing."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inputs import generators
from inputs.cli import main
from inputs.formats import egr, gapbs, registry
from inputs.formats.errors import GraphFormatError
from inputs.graph import Graph, from_arcs, from_edges
from inputs.interchange import from_networkx, from_scipy, to_networkx, to_scipy
from inputs.properties import inspect

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KEEPING = [each for each in registry.FORMATS if not each.only_undirected]
SUFFIXES = [suffix for graph_format in KEEPING for suffix in graph_format.suffixes]
ARCS = [(0, 1), (1, 2), (2, 0), (2, 1), (3, 1), (0, 4), (4, 5)]  # in 1: 0, 2 and 3; 3 has no edge that comes in


def example(*, weighted: bool = False) -> Graph:
    ends = np.array(ARCS, dtype=np.int32)
    return from_arcs(6, ends[:, 0], ends[:, 1], np.arange(10, 10 + len(ARCS)) if weighted else None)


def digraph(graph: Graph) -> nx.DiGraph[int]:
    edges = graph.to_edges()
    result: nx.DiGraph[int] = nx.DiGraph()
    result.add_nodes_from(range(graph.vertex_count))
    result.add_edges_from(zip(edges.sources.tolist(), edges.destinations.tolist(), strict=True))
    return result


@st.composite
def arcs(draw: st.DrawFn) -> tuple[int, list[tuple[int, int, int]]]:
    n = draw(st.integers(1, 8))
    vertex = st.integers(0, n - 1)
    return n, draw(st.lists(st.tuples(vertex, vertex, st.integers(0, 99)), max_size=30))


@given(arcs=arcs())
def test_rows_and_in_rows_are_those_of_the_edges(arcs: Any) -> None:
    n, listed = arcs
    columns = np.array(listed, dtype=np.int64).reshape(-1, 3)
    graph = from_arcs(n, columns[:, 0], columns[:, 1], columns[:, 2])
    lightest: dict[tuple[int, int], int] = {}
    for u, v, weight in listed:
        if u != v:
            lightest[u, v] = min(weight, lightest.get((u, v), weight))
    assert graph.in_rows
    assert graph.weights is not None
    found, entering = graph.to_edges(), graph.reversed().to_edges()
    assert [*zip(found.sources, found.destinations, graph.weights, strict=True)] == [
        (u, v, weight) for (u, v), weight in sorted(lightest.items())
    ]
    assert entering.weights is not None
    assert [*zip(entering.sources, entering.destinations, entering.weights, strict=True)] == sorted(
        (v, u, weight) for (u, v), weight in lightest.items()
    )
    np.testing.assert_array_equal(found.destinations[graph.in_rows.edges], entering.sources)
    np.testing.assert_array_equal(graph.in_row_offsets, graph.in_rows.row_offsets)


def test_the_in_rows_of_an_undirected_graph_are_its_rows() -> None:
    graph = from_edges(3, np.array([0, 1]), np.array([1, 2]))
    assert not graph.directed
    assert graph.in_row_offsets is graph.row_offsets
    assert graph.in_neighbours is graph.neighbours


def test_the_bytes_are_those_of_version_3(tmp_path: Path) -> None:
    path = tmp_path / "graph.egr"
    graph = from_arcs(3, np.array([2, 0, 2]), np.array([0, 1, 1]), np.array([7, 8, 9]))
    egr.write(graph, path)
    rows, in_rows = [0, 1, 1, 3, 1, 0, 1, 8, 7, 9], [0, 1, 3, 3, 2, 0, 2, 1, 0, 2]
    words = np.array([*rows, *in_rows], "<i4").tobytes()
    assert path.read_bytes() == struct.pack("<4sIqqII", b"EGR\xff", 3, 3, 3, 1, 0) + words
    assert egr.read_counts(path) == (3, 3)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_format_with_directions_keeps_them(
    tmp_path: Path, assert_same: Callable[[Graph, Graph], None], suffix: str, weighted: bool
) -> None:
    graph = example(weighted=weighted)
    first, second, path = tmp_path / "in.egr", tmp_path / "out.egr", tmp_path / f"graph{suffix}"
    egr.write(graph, first)
    for source, out in ((first, path), (path, second)):
        with pytest.raises(SystemExit) as caught:
            main(["convert", "--directed", str(source), str(out)])
        assert caught.value.code == 0
    found = egr.read(second)
    assert found.directed
    np.testing.assert_array_equal(found.row_offsets, graph.row_offsets)
    np.testing.assert_array_equal(found.neighbours, graph.neighbours)
    if weighted and suffix not in (".sg", ".graph500", ".adjlist"):
        assert_same(found, graph)
    assert_same(registry.load(path), found.to_edges().to_graph())  # unless one asks, it is undirected


def test_other_libraries_keep_directions(assert_same: Callable[[Graph, Graph], None]) -> None:
    graph = example(weighted=True)
    assert_same(from_scipy(to_scipy(graph), directed=True), graph)
    there = to_networkx(graph)
    assert there.is_directed()
    assert_same(from_networkx(there, directed=True), graph)


@pytest.mark.parametrize("suffix", [".sgr", ".graph"])
def test_a_format_without_directions_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str
) -> None:
    egr.write(example(), tmp_path / "in.egr")
    with pytest.raises(SystemExit) as caught:
        main(["convert", "--directed", str(tmp_path / "in.egr"), str(tmp_path / f"out{suffix}")])
    assert caught.value.code == 3
    assert "hold undirected graphs only" in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"in.egr"}


def test_galois_binaries_keep_directions(tmp_path: Path) -> None:
    path = tmp_path / "graph.gr"
    path.write_bytes(struct.pack("<4Q3Q2I", 1, 0, 3, 2, 1, 2, 2, 1, 2))  # 0 -> 1 -> 2
    found = registry.load(path, directed=True)
    assert found.row_offsets.tolist() == [0, 1, 2, 2]
    assert found.in_neighbours.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("word", "value", "reason"),
    [
        (8 + 7 + 7, 1, "row offset 0 is 1, not 0"),
        (8 + 7 + 7 + 1, 2, "row offset 1 is 2, not 1"),
        (8 + 7 + 7 + 7, 3, "neighbour 0 is 3, not 2"),
        (8 + 7 + 7 + 7 + 7, 6, "edge number 0 is 6, not 3"),
        (6, 2, "flags 2 and 0 are unknown"),
        (7, 1, "flags 0 and 1 are unknown"),
    ],
)
def test_in_rows_that_are_no_transpose(tmp_path: Path, word: int, value: int, reason: str) -> None:
    path = tmp_path / "bad.egr"
    egr.write(example(), path)
    words = np.fromfile(path, "<i4")
    words[word] = value
    words.tofile(path)
    with pytest.raises(GraphFormatError) as caught:
        egr.read(path)
    assert caught.value.position == ("byte 24" if word < 8 else f"byte {4 * word}")
    assert reason in caught.value.reason


def test_a_gapbs_file_whose_inverse_is_another_graph(tmp_path: Path) -> None:
    path = tmp_path / "bad.sg"
    gapbs.write(example(), path)
    content = bytearray(path.read_bytes())
    half = 17 + (len(content) - 17) // 2
    content[half + 8 : half + 16] = struct.pack("<q", 0)  # nothing comes into vertex 0
    path.write_bytes(content)
    with pytest.raises(GraphFormatError, match="come into vertex 0 are not as many"):
        gapbs.read(path)


def test_info_describes_directions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "graph.egr"
    egr.write(example(), path)
    shape = inspect(path).shape
    model = digraph(example())
    assert shape.directed
    assert (shape.directed_edges, shape.undirected_edges) == (len(ARCS), 0)
    assert shape.maximum_in_degree == max(degree for _, degree in model.in_degree())
    assert shape.components == nx.number_weakly_connected_components(model)
    assert shape.strong_components == nx.number_strongly_connected_components(model)
    with pytest.raises(SystemExit):
        main(["info", str(path)])
    assert "strongly connected components" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["rmat", "preferential"])
def test_directed_generators_draw_the_edges_of_the_undirected_graph(
    kind: str, assert_same: Callable[[Graph, Graph], None]
) -> None:
    arguments = (6, 200) if kind == "rmat" else (64, 4)
    make = getattr(generators, kind)
    graph = make(*arguments, directed=True)
    assert graph.directed
    assert_same(graph.to_edges().to_graph(), make(*arguments))
    assert graph.edge_count > make(*arguments).edge_count / 2 or kind == "preferential"


def test_a_directed_preferential_graph_has_no_cycle() -> None:
    assert nx.is_directed_acyclic_graph(digraph(generators.preferential(200, 5, directed=True)))
