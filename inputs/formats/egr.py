"""ECL `.egr`, the native format: what programs map into memory and run on. `docs/reference/formats.md` defines it.

Version 1 is ECL's, with 32-bit offsets. Version 2 is an extension for graphs of more than 2^31 - 1 directed edges, and
version 3 one for directed graphs, with the rows of edges that come in.
"""

import string
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inputs.formats import binary
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import whole_file, write_array
from inputs.graph import BATCH, MAX_COUNT, Graph, transpose
from inputs.weights import REAL, WHOLE, WeightRule, floats_in, seem_whole

MAGIC = b"EGR\xff"  # as a little-endian int32 it is negative, which no reader of version 1 takes for a vertex count
_WIDE, _DIRECTED = 2, 3  # versions
_HEADERS = {1: 8, _WIDE: 24, _DIRECTED: 32}  # their sizes
_WEIGHTED = 1  # a flag of version 3
_TEXT = set(string.printable.encode())


@dataclass(frozen=True)
class Layout:
    """Where things are in a file of n vertices and m directed edges.

    Attributes:
        n: number of vertices.
        m: number of directed edges.
        wide: the file is of version 2, with 64-bit offsets.
        directed: the file is of version 3, with in-rows.
        weighted: ... and with weights; for other versions, the size of the file says so.
    """

    n: int
    m: int
    wide: bool
    directed: bool = False
    weighted: bool = False

    @property
    def header(self) -> bytes:
        """The bytes before the row offsets."""
        if self.directed:
            return struct.pack("<4sIqqII", MAGIC, _DIRECTED, self.n, self.m, self.weighted * _WEIGHTED, 0)
        if self.wide:
            return struct.pack("<4sIqq", MAGIC, _WIDE, self.n, self.m)
        return struct.pack("<ii", self.n, self.m)

    @property
    def offset_dtype(self) -> str:
        """The dtype of row offsets."""
        return "<i8" if self.wide else "<i4"

    @property
    def offsets_at(self) -> int:
        """The first byte of the row offsets."""
        return _HEADERS[_DIRECTED if self.directed else _WIDE if self.wide else 1]

    @property
    def neighbours_at(self) -> int:
        """The first byte of the neighbours."""
        return self.offsets_at + (self.n + 1) * (8 if self.wide else 4)

    @property
    def weights_at(self) -> int:
        """The first byte of the weights, and the size of an undirected file that has none."""
        return self.neighbours_at + 4 * self.m

    @property
    def in_offsets_at(self) -> int:
        """The first byte of the row offsets of edges that come in, in a directed file."""
        return self.weights_at + 4 * self.m * self.weighted


def read(path: Path, *, weights: WeightRule = WHOLE) -> Graph:
    """Maps a file into memory and checks that it is a graph.

    Args:
        path: an `.egr` file of any version; a packed one is unpacked to a temporary file first.
        weights: what becomes of them. Those of versions 1 and 2 may have 64 bits.

    Returns:
        The graph as it is stored; its arrays are read-only views of the file.

    Raises:
        GraphFormatError: the size is not what the counts say, offsets decrease, an id is out of range, a weight is
            negative, too large or not whole, or in-rows are not the transpose of the rows; the position is the offset
            of the first wrong byte.
        OSError: the file cannot be read.
    """
    content = binary.map_bytes(path)
    layout = _layout(path, content)
    if layout.directed:
        return _read_directed(path, content, layout, weights)
    n, m, weights_at = layout.n, layout.m, layout.weights_at
    binary.check_size(path, content, weights_at, weights_at + 4 * m, weights_at + 8 * m)
    row_offsets = binary.array_at(content, layout.offsets_at, layout.offset_dtype, n + 1)
    neighbours = binary.array_at(content, layout.neighbours_at, "<i4", m)
    binary.check_offsets(path, row_offsets, m, at=layout.offsets_at)
    binary.check_neighbours(path, neighbours, n, at=layout.neighbours_at)
    stored = _stored_weights(content, layout)
    found = None if stored is None else binary.read_weights(path, stored, weights, at=weights_at)
    return Graph(row_offsets, neighbours, found)


def _read_directed(path: Path, content: NDArray[Any], layout: Layout, rule: WeightRule) -> Graph:
    """Does the work of `read` for version 3."""
    n, m, in_offsets_at = layout.n, layout.m, layout.in_offsets_at
    binary.check_size(path, content, in_offsets_at + 4 * (n + 1 + 2 * m))
    row_offsets = binary.array_at(content, layout.offsets_at, "<i4", n + 1)
    neighbours = binary.array_at(content, layout.neighbours_at, "<i4", m)
    binary.check_offsets(path, row_offsets, m, at=layout.offsets_at)
    binary.check_neighbours(path, neighbours, n, at=layout.neighbours_at)
    stored = _stored_weights(content, layout)
    weights = None if stored is None else binary.read_weights(path, stored, rule, at=layout.weights_at)
    right = transpose(row_offsets, neighbours)
    at = in_offsets_at
    for name, expected in (
        ("row offset", right.row_offsets),
        ("neighbour", right.neighbours),
        ("edge number", right.edges),
    ):
        found = binary.array_at(content, at, "<i4", len(expected))
        wrong = found != expected
        if wrong.any():
            first = int(np.argmax(wrong))
            reason = (
                f"in-rows are not the transpose of the rows: {name} {first} is {found[first]}, not {expected[first]}"
            )
            raise GraphFormatError(path, f"byte {at + 4 * first}", reason)
        at += 4 * len(expected)
    return Graph(row_offsets, neighbours, weights, right)


def read_counts(path: Path) -> tuple[int, int]:
    """Reads only the header of a file: its numbers of vertices and of directed edges.

    Args:
        path: an `.egr` file of any version.

    Returns:
        n and m.

    Raises:
        GraphFormatError: there is no header.
        OSError: the file cannot be read.
    """
    layout = _layout(path, binary.map_bytes(path))
    return layout.n, layout.m


def is_directed(path: Path) -> bool:
    """Reads from the header of a file whether its graph is directed.

    Args:
        path: an `.egr` file of any version.

    Raises:
        GraphFormatError: there is no header.
        OSError: the file cannot be read.
    """
    return _layout(path, binary.map_bytes(path)).directed


def is_weighted(path: Path) -> bool:
    """Reads from the header and the size of a file whether it has weights.

    Args:
        path: an `.egr` file of any version.

    Raises:
        GraphFormatError: there is no header.
        OSError: the file cannot be read.
    """
    content = binary.map_bytes(path)
    return _stored_weights(content, _layout(path, content)) is not None


def has_real_weights(path: Path) -> bool:
    """Tells whether a file has weights, and they are real numbers; see `inputs.weights.floats_in`.

    Args:
        path: an `.egr` file of any version.

    Raises:
        GraphFormatError: there is no header.
        OSError: the file cannot be read.
    """
    content = binary.map_bytes(path)
    stored = _stored_weights(content, _layout(path, content))
    return stored is not None and stored.itemsize == 4 and floats_in(stored) is not None


def read_any(path: Path) -> Graph:
    """Reads a file as `read` does, with the weights that it has, be they whole or real."""
    return read(path, weights=REAL if has_real_weights(path) else WHOLE)


def count_isolated(path: Path) -> int:
    """Counts the vertices without an edge; reads piece by piece, as memory that is mapped looks as if it were used.

    Args:
        path: an `.egr` file that has been checked.

    Raises:
        OSError: the file cannot be read.
    """
    layout = _layout(path, binary.map_bytes(path))
    starts = [layout.offsets_at, layout.in_offsets_at] if layout.directed else [layout.offsets_at]
    isolated, last = 0, [-1] * len(starts)
    with path.open("rb") as file:
        for first in range(0, layout.n + 1, BATCH):
            has_edge = np.zeros(min(BATCH, layout.n + 1 - first), dtype=np.bool_)
            for index, start in enumerate(starts):
                size = np.dtype(layout.offset_dtype).itemsize
                file.seek(start + first * size)
                offsets = np.fromfile(file, layout.offset_dtype, len(has_edge))
                has_edge |= np.diff(offsets, prepend=last[index]) > 0
                last[index] = offsets[-1]
            isolated += int((~has_edge).sum())
    return isolated


def write(graph: Graph, path: Path) -> None:
    """Writes a graph so that `path` is either untouched or completes, even if the machine stops half-way.

    Args:
        graph: what to write; version 3 if it is directed, else version 2 only where version 1 cannot hold it.
        path: the file to make or replace; its folder is made if needed.

    Raises:
        GraphFormatError: weights are real, but none is seen to be; nothing is left behind.
        OSError: the file cannot be written; nothing is left behind.
    """
    weights: list[NDArray[Any]] = [] if graph.weights is None else [graph.weights]
    if graph.in_rows:
        layout = Layout(graph.vertex_count, graph.edge_count, wide=False, directed=True, weighted=bool(weights))
        in_rows = [graph.in_rows.row_offsets, graph.in_rows.neighbours, graph.in_rows.edges]
        write_parts(path, layout, [graph.row_offsets], [graph.neighbours, *weights, *in_rows])
        return
    layout = Layout(graph.vertex_count, graph.edge_count, wide=graph.edge_count > MAX_COUNT)
    write_parts(path, layout, [graph.row_offsets], [graph.neighbours, *weights])


def write_parts(
    path: Path, layout: Layout, offsets: Iterable[NDArray[np.integer]], values: Iterable[NDArray[Any]]
) -> None:
    """Writes a file piece by piece, for graphs larger than memory; like `write` in all else.

    Args:
        path: the file to make or replace.
        layout: what the file is to hold.
        offsets: n + 1 row offsets in all.
        values: m neighbours in all, then m weights or none; then in-rows, if directed.

    Raises:
        GraphFormatError: weights are real, but none is seen to be; nothing is left behind.
        OSError: the file cannot be written; nothing is left behind.
    """
    weighs = told = False  # whether a real weight is not 0, and whether one is seen to be real
    with whole_file(path) as file:
        file.write(layout.header)
        for part in offsets:
            write_array(file, part, layout.offset_dtype)
        for part in values:
            stored = part.view(np.int32) if part.dtype == np.float32 else part
            if stored is not part:
                weighs, told = weighs or bool(stored.any()), told or not seem_whole(stored)
            write_array(file, stored, "<i4")
        if weighs and not told:
            raise GraphFormatError(path, None, "all weights are from 1.99988 to 2, where they seem whole: scale all")


def _stored_weights(content: NDArray[Any], layout: Layout) -> NDArray[Any] | None:
    """Returns the weights of a file as it stores them; None if it has none, or ends before them."""
    m, size = layout.m, len(content) - layout.weights_at
    if not (layout.weighted if layout.directed else m) or size < 4 * m:
        return None
    wide = not layout.directed and size >= 8 * m
    return binary.array_at(content, layout.weights_at, "<i8" if wide else "<i4", m)


def _layout(path: Path, content: NDArray[Any]) -> Layout:
    """Reads the header."""
    size = len(content)
    if content[:4].tobytes() == MAGIC:
        if size < 24:
            raise GraphFormatError(path, f"byte {size}", "the file ends within its header of 24 bytes")
        version = int(binary.array_at(content, 4, "<u4", 1)[0])
        if version not in (_WIDE, _DIRECTED):
            raise GraphFormatError(path, "byte 4", f"version {version} is unknown; known are 1 to {_DIRECTED}")
        n, m = map(int, binary.array_at(content, 8, "<i8", 2))
        directed = version == _DIRECTED
        binary.check_counts(path, n, m, n_at=8, m_at=16, largest_m=MAX_COUNT if directed else 2**62)
        if not directed:
            return Layout(n, m, wide=True)
        if size < _HEADERS[_DIRECTED]:
            raise GraphFormatError(path, f"byte {size}", "the file ends within its header of 32 bytes")
        flags, reserved = map(int, binary.array_at(content, 24, "<u4", 2))
        if flags > _WEIGHTED or reserved != 0:
            raise GraphFormatError(
                path, "byte 24", f"flags {flags} and {reserved} are unknown; known are 0 or 1, and 0"
            )
        return Layout(n, m, wide=False, directed=True, weighted=flags == _WEIGHTED)
    if 0 < size < 1 << 29 and set(content[:8].tobytes()) <= _TEXT:  # as counts, text promises a larger file
        reason = "not an .egr file but text; violet graphs convert GRAPH.txt GRAPH.egr makes one of it"
        raise GraphFormatError(path, "byte 0", reason)
    if size < 8:
        raise GraphFormatError(path, f"byte {size}", "the file ends before the two counts of its header")
    n, m = map(int, binary.array_at(content, 0, "<i4", 2))
    binary.check_counts(path, n, m, n_at=0, m_at=4, largest_m=MAX_COUNT)
    return Layout(n, m, wide=False)
