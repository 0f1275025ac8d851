"""GAPBS's serialised graphs, `.sg`, and `.wsg` with weights.

Little endian, nothing between the parts:

    bool directed;  int64 m, n;  int64 row_offsets[n + 1];  int32 neighbours[m]  (.wsg: int32 neighbour, weight [m])

and, if `directed`, offsets and neighbours of the incoming arcs, which must be the transpose.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inputs.formats import binary
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import whole_file, write_array
from inputs.graph import Graph, hash_weights

_HEADER = 17
_LARGEST_M = 2**62


def read(path: Path) -> Graph:
    """Maps a `.sg` or `.wsg` file into memory and checks that it is a graph.

    Args:
        path: the file; a gzipped one is unpacked to a temporary file first.

    Returns:
        The outgoing arcs as they are stored; the arrays are read-only views of the file.

    Raises:
        GraphFormatError: the size is not what the counts say, offsets decrease, an id is out of range, a weight is
            negative or too large, or as many arcs do not come in as leave, vertex by vertex; the position is the
            offset of the first wrong byte.
        OSError: the file cannot be read.
    """
    content = binary.map_bytes(path)
    if len(content) < _HEADER:
        raise GraphFormatError(path, f"byte {len(content)}", f"the file ends within its header of {_HEADER} bytes")
    if content[0] > 1:
        raise GraphFormatError(path, "byte 0", f"the flag 'directed' is {content[0]}, not 0 or 1")
    m, n = map(int, binary.array_at(content, 1, "<i8", 2))
    binary.check_counts(path, n, m, n_at=9, m_at=1, largest_m=_LARGEST_M)
    words = 2 if _is_weighted(path) else 1  # for each arc
    arcs_at = _HEADER + 8 * (n + 1)
    half = 8 * (n + 1) + 4 * words * m
    binary.check_size(path, content, _HEADER + half * (2 if content[0] else 1))
    offsets = binary.array_at(content, _HEADER, "<i8", n + 1)
    arcs = binary.array_at(content, arcs_at, "<i4", words * m).reshape(m, words)
    binary.check_offsets(path, offsets, m, at=_HEADER)
    binary.check_neighbours(path, arcs[:, 0], n, at=arcs_at)
    if content[0]:
        _check_in_rows(path, content, arcs[:, 0], n)
    if words == 1:
        return Graph(offsets, arcs[:, 0])
    binary.check_weights(path, arcs[:, 1], at=arcs_at + 4)
    return Graph(offsets, arcs[:, 0], arcs[:, 1])


def _check_in_rows(path: Path, content: NDArray[Any], neighbours: NDArray[np.int32], n: int) -> None:
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
