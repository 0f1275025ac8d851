from __future__ import annotations

import stat
import struct
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inputs.formats import egr
from inputs.formats.errors import GraphFormatError
from inputs.graph import Graph, from_edges

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PATH_OF_3 = [3, 4, 0, 1, 3, 4, 1, 0, 2, 1]  # n, m, row offsets, neighbours


def save(path: Path, words: object) -> Path:
    np.array(words, dtype="<i4").tofile(path)
    return path


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(0, 10))
    vertex = st.integers(0, max(0, n - 1))
    edges = np.array(draw(st.lists(st.tuples(vertex, vertex), max_size=20 if n else 0)), dtype=np.int32).reshape(-1, 2)
    weights = np.arange(1, len(edges) + 1) if draw(st.booleans()) else None
    return from_edges(n, edges[:, 0], edges[:, 1], weights)


@given(graph=graphs())
def test_round_trip(
    tmp_path_factory: pytest.TempPathFactory, assert_same: Callable[[Graph, Graph], None], graph: Any
) -> None:
    path = tmp_path_factory.mktemp("egr") / "graph.egr"
    egr.write(graph, path)
    # A weighted graph without edges has the same bytes as an unweighted one.
    expected = graph if graph.edge_count else Graph(graph.row_offsets, graph.neighbours)
    assert_same(egr.read(path), expected)
    assert egr.read_counts(path) == (graph.vertex_count, graph.edge_count)


def test_the_bytes_are_those_of_the_format(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "path.egr"
    egr.write(from_edges(3, np.array([0, 1]), np.array([1, 2])), path)
    assert path.read_bytes() == np.array(PATH_OF_3, dtype="<i4").tobytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def wide(
    *,
    magic: bytes = egr.MAGIC,
    version: int = 2,
    n: int = 3,
    m: int = 4,
    offsets: tuple[int, ...] = (0, 1, 3, 4),
    neighbours: tuple[int, ...] = (1, 0, 2, 1),
) -> bytes:
    """The bytes of a file of version 2."""
    header = struct.pack("<4sIqq", magic, version, n, m)
    return header + np.array(offsets, "<i8").tobytes() + np.array(neighbours, "<i4").tobytes()


def test_version_2_has_64_bit_offsets(tmp_path: Path, assert_same: Callable[[Graph, Graph], None]) -> None:
    path = tmp_path / "wide.egr"
    layout = egr.Layout(3, 4, wide=True)
    egr.write_parts(path, layout, [np.array([0, 1]), np.array([3, 4])], [np.array([1, 0]), np.array([2, 1])])
    assert path.read_bytes() == wide()
    graph = egr.read(path)
    assert graph.row_offsets.dtype == np.int64
    assert_same(graph, egr.read(save(tmp_path / "narrow.egr", PATH_OF_3)))
    assert egr.read_counts(path) == (3, 4)


def test_version_2_with_weights(tmp_path: Path) -> None:
    path = tmp_path / "wide.egr"
    path.write_bytes(wide() + np.array([5, 5, 6, 6], "<i4").tobytes())
    assert egr.read(path).weights.tolist() == [5, 5, 6, 6]


@pytest.mark.parametrize(
    ("content", "position", "reason"),
    [
        (egr.MAGIC, "byte 4", "the file ends within its header of 24 bytes"),
        (wide(magic=b"EGR\xfe"), "byte 0", "negative number of vertices"),
        (wide(version=3), "byte 72", "its header promises 112 bytes"),
        (wide(n=-1), "byte 8", "negative number of vertices: -1"),
        (wide(n=2**31), "byte 8", "2147483648 vertices are more than 2147483647"),
        (wide(m=-1), "byte 16", "negative number of edges: -1"),
        (wide(m=2**63 - 1), "byte 16", "edges are more than"),
        (wide()[:-1], "byte 71", "its header promises 72 bytes, or 88 with weights"),
        (wide(offsets=(0, 3, 1, 4)), "byte 40", "row offsets decrease at vertex 1: from 3 to 1"),
        (wide(neighbours=(1, 0, 3, 1)), "byte 64", "neighbour 3 of edge 2 is not in [0, 3)"),
    ],
)
def test_malformed(tmp_path: Path, content: str, position: str, reason: str) -> None:
    """What `tests/corpus` does not have."""
    path = tmp_path / "bad.egr"
    path.write_bytes(content)
    with pytest.raises(GraphFormatError) as caught:
        egr.read(path)
    assert caught.value.position == position
    assert reason in caught.value.reason


def test_an_odd_number_of_bytes(tmp_path: Path) -> None:
    path = tmp_path / "bad.egr"
    path.write_bytes(bytes(13))
    with pytest.raises(GraphFormatError, match=r"bad\.egr:byte 13: .* promises 12 bytes;"):
        egr.read(path)


@given(words=st.lists(st.integers(-2, 5), max_size=14))
def test_any_bytes_are_a_graph_or_an_error(tmp_path_factory: pytest.TempPathFactory, words: list[int]) -> None:
    path = save(tmp_path_factory.mktemp("egr") / "any.egr", words)
    try:
        graph = egr.read(path)
    except GraphFormatError:
        return
    graph.to_edges().to_graph()  # everything in it is in range


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "graph.egr"
    path.mkdir()  # a folder cannot be replaced by a file
    with pytest.raises(OSError, match="directory"):
        egr.write(from_edges(1, np.array([], dtype=int), np.array([], dtype=int)), path)
    assert list(tmp_path.iterdir()) == [path]
