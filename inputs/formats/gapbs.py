"""GAPBS's serialised graphs, `.sg`, and `.wsg` with weights.

Little endian, nothing between the parts:

    bool directed;  int64 m, n;  int64 row_offsets[n + 1];  int32 neighbours[m]  (.wsg: int32 neighbour, weight [m])

and, if `directed`, offsets and neighbours of the incoming arcs, which must be the transpose. Where neighbours have 64
bits (NodeID), each arc has twice as many bytes, and a weight of 32 bits has four of nothing after it.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inputs.formats import binary
from inputs.formats.errors import GraphFormatError
from inputs.formats.mirror import check_mirror
from inputs.formats.output import whole_file, write_array
from inputs.formats.text import open_bytes
from inputs.graph import EdgeList, Graph, hash_weights
from inputs.weights import WHOLE, WeightRule

_HEADER = 17
_LARGEST_M = 2**62


def read(path: Path, *, weights: WeightRule = WHOLE) -> Graph:
    """Maps a `.sg` or `.wsg` file into memory and checks that it is a graph.

    Args:
        path: the file; a packed one is unpacked to a temporary file first.
        weights: what becomes of them.

    Returns:
        The outgoing arcs as they are stored; the arrays are read-only views of the file, but neighbours of 64 bits.

    Raises:
        GraphFormatError: the size is not what the counts say, offsets decrease, an id is out of range, a weight is
            negative, too large or not whole, or as many arcs do not come in as leave, vertex by vertex; the position
            is the offset of the first wrong byte. Or rows do not mirror each other that are said not to be directed.
        OSError: the file cannot be read.
    """
    graph = _read(path, weights)
    return replace(graph, neighbours=graph.neighbours.astype(np.int32, copy=False))


def stream(path: Path, *, weights: WeightRule = WHOLE, once: bool = False) -> Iterator[EdgeList]:
    """Reads arcs piece by piece, as `read` does in all else; if `once`, one of both unless they are directed."""
    graph = _read(path, weights)
    with open_bytes(path) as file:
        is_directed = file.read(1) != b"\0"
    yield from (arcs.once() if once and not is_directed else arcs for arcs in graph.batches())


def _read(path: Path, rule: WeightRule) -> Graph:
    """Does the work of `read`, but for the numbers of neighbours, which may have 64 bits."""
    content = binary.map_bytes(path)
    if len(content) < _HEADER:
        raise GraphFormatError(path, f"byte {len(content)}", f"the file ends within its header of {_HEADER} bytes")
    if content[0] > 1:
        raise GraphFormatError(path, "byte 0", f"the flag 'directed' is {content[0]}, not 0 or 1")
    m, n = map(int, binary.array_at(content, 1, "<i8", 2))
    binary.check_counts(path, n, m, n_at=9, m_at=1, largest_m=_LARGEST_M)
    words = 2 if _is_weighted(path) else 1  # for each arc
    arcs_at = _HEADER + 8 * (n + 1)
    halves = 2 if content[0] else 1
    size, wide_size = (_HEADER + halves * (8 * (n + 1) + bytes_each * words * m) for bytes_each in (4, 8))
    is_wide = len(content) == wide_size != size
    binary.check_size(path, content, wide_size if is_wide else size)
    offsets = binary.array_at(content, _HEADER, "<i8", n + 1)
    arcs = binary.array_at(content, arcs_at, "<i8" if is_wide else "<i4", words * m).reshape(m, words)
    binary.check_offsets(path, offsets, m, at=_HEADER)
    binary.check_neighbours(path, arcs[:, 0], n, at=arcs_at)
    if content[0]:
        _check_in_rows(path, content, arcs[:, 0], n)
    weights = None if words == 1 else binary.read_weights(path, arcs[:, 1], rule, at=arcs_at + 4 * (1 + is_wide))
    graph = Graph(offsets, arcs[:, 0], weights)
    if not content[0]:
        check_mirror(path, graph.batches)
    return graph


def _check_in_rows(path: Path, content: NDArray[Any], neighbours: NDArray[np.signedinteger], n: int) -> None:
    """As many arcs come into each vertex by the rows of incoming arcs as by those of outgoing ones."""
    offsets_at = _HEADER + (len(content) - _HEADER) // 2
    offsets = binary.array_at(content, offsets_at, "<i8", n + 1)
    binary.check_offsets(path, offsets, len(neighbours), at=offsets_at)
    wrong = np.diff(offsets) != np.bincount(neighbours, minlength=n)
    if wrong.any():
        v = int(np.argmax(wrong))
        reason = f"the arcs that come into vertex {v} are not as many as those that lead to it"
        raise GraphFormatError(path, f"byte {offsets_at + 8 * (v + 1)}", reason)


def write(graph: Graph, path: Path) -> None:
    """Writes a graph; `.wsg` of a graph without weights gets those that programs would make up.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    with whole_file(path) as file:
        file.write(bytes([graph.directed]))
        write_array(file, np.array([graph.edge_count, graph.vertex_count]), "<i8")
        for rows in (graph, graph.reversed()) if graph.directed else (graph,):
            write_array(file, rows.row_offsets, "<i8")
            for arcs in rows.batches():
                if _is_weighted(path):
                    weights = hash_weights(arcs.sources, arcs.destinations) if arcs.weights is None else arcs.weights
                    write_array(file, np.stack([arcs.destinations, weights], axis=1), "<i4")
                else:
                    write_array(file, arcs.destinations, "<i4")


def _is_weighted(path: Path) -> bool:
    return ".wsg" in map(str.lower, path.suffixes)
