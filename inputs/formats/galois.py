"""Galois's binary graphs, `.gr` and, where symmetric, `.sgr`.

Little endian:

    uint64 version, weight_size, n, m;  uint64 row_ends[n];  neighbours[m];  weights[m] of weight_size bytes

Neighbours are uint32 in version 1, with 4 bytes after them if m is odd, and uint64 in version 2. Both are read, with
weights of 0, 4 or 8 bytes and up to 2^31 - 1 vertices.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from inputs.formats import binary, text
from inputs.formats.errors import GraphFormatError
from inputs.formats.mirror import check_mirror
from inputs.formats.output import whole_file, write_array
from inputs.graph import EdgeList, Graph
from inputs.weights import WHOLE, WeightRule

_HEADER = 32
_LARGEST_M = 2**62


def is_binary(path: Path) -> bool:
    """Says whether a `.gr` file is one of these rather than DIMACS text: text has no byte 0.

    Raises:
        OSError: the file cannot be read.
    """
    with text.open_bytes(path) as file:
        return b"\0" in file.read(_HEADER)


def read(path: Path, *, weights: WeightRule = WHOLE) -> Graph:
    """Maps a file into memory and checks that it is a graph.

    Args:
        path: the file; a packed one is unpacked to a temporary file first.
        weights: what becomes of them.

    Returns:
        The arcs as they are stored; neighbours (of version 1) and weights are read-only views of the file.

    Raises:
        GraphFormatError: the version is unknown, the size is not what the counts say, offsets decrease, an id is out
            of range, or a weight is negative, too large or not whole; the position is the offset of the first wrong
            byte. Or the rows of an `.sgr` file do not mirror each other.
        OSError: the file cannot be read.
    """
    graph = _map(path, weights)
    if _promises_mirror(path):
        check_mirror(path, graph.batches)
    return replace(graph, neighbours=graph.neighbours.astype(np.int32, copy=False))


def stream(path: Path, *, weights: WeightRule = WHOLE, once: bool = False) -> Iterator[EdgeList]:
    """Reads arcs piece by piece, as `read` does in all else; if `once`, one of both where rows mirror each other."""
    graph = _map(path, weights)
    if is_mirrored := _promises_mirror(path):
        check_mirror(path, graph.batches)
    yield from (arcs.once() if once and is_mirrored else arcs for arcs in graph.batches())


def _promises_mirror(path: Path) -> bool:
    return ".sgr" in map(str.lower, path.suffixes)


def _map(path: Path, rule: WeightRule) -> Graph:
    """Does the work of `read`, but for the numbers of neighbours, which have 64 bits in version 2."""
    content = binary.map_bytes(path)
    if len(content) < _HEADER:
        raise GraphFormatError(path, f"byte {len(content)}", f"the file ends within its header of {_HEADER} bytes")
    version, weight_size, n, m = map(int, binary.array_at(content, 0, "<i8", 4))
    if version not in (1, 2):
        raise GraphFormatError(
            path, "byte 0", f"version {version} of Galois's format is unknown, only 1 and 2 are known"
        )
    if weight_size not in (0, 4, 8):
        raise GraphFormatError(path, "byte 8", f"weights have 0, 4 or 8 bytes, not {weight_size}")
    binary.check_counts(path, n, m, n_at=16, m_at=24, largest_m=_LARGEST_M)
    neighbours_at = _HEADER + 8 * n
    weights_at = neighbours_at + (4 * (m + m % 2) if version == 1 else 8 * m)
    binary.check_size(path, content, weights_at + weight_size * m)
    offsets = np.concatenate([np.zeros(1, dtype=np.int64), binary.array_at(content, _HEADER, "<i8", n)])
    neighbours = binary.array_at(content, neighbours_at, "<i4" if version == 1 else "<i8", m)
    binary.check_offsets(path, offsets, m, at=_HEADER - 8)  # the first offset is not in the file
    binary.check_neighbours(path, neighbours, n, at=neighbours_at)
    if weight_size == 0:
        return Graph(offsets, neighbours)
    stored = binary.array_at(content, weights_at, f"<i{weight_size}", m)
    return Graph(offsets, neighbours, binary.read_weights(path, stored, rule, at=weights_at))


def write(graph: Graph, path: Path) -> None:
    """Writes a graph in version 1.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    m = graph.edge_count
    with whole_file(path) as file:
        write_array(file, np.array([1, 0 if graph.weights is None else 4, graph.vertex_count, m]), "<i8")
        write_array(file, graph.row_offsets[1:], "<i8")
        write_array(file, graph.neighbours, "<i4")
        file.write(bytes(4 * (m % 2)))
        if graph.weights is not None:
            write_array(file, graph.weights, "<i4")
