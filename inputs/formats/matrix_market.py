"""MatrixMarket coordinate files, `.mtx`: an entry (i, j) of a square matrix is an edge, whatever its value.

The parser is the fast_matrix_market library that scipy contains.
"""

import logging
import re
from pathlib import Path

import numpy as np
from scipy.io import mminfo, mmread, mmwrite
from scipy.sparse import coo_array

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import replacing
from inputs.graph import MAX_COUNT, EdgeList, Graph

_log = logging.getLogger(__name__)
_LINE_OF_MESSAGE = re.compile(r"Line (\d+): (.*)", re.DOTALL)


def read(path: Path) -> EdgeList:
    """Read a sparse matrix as a graph.

    Args:
        path: text file, perhaps gzipped: coordinate; pattern, real or integer; general, symmetric or skew-symmetric.

    Returns:
        The entries, both triangles where the file stores one, vertices numbered from 0. Values of a real or integer
        matrix become weights if all can be, and are dropped with a warning otherwise: a matrix is more than a graph.

    Raises:
        GraphFormatError: the header is wrong or announces something that is not a graph (a dense, complex or
            rectangular matrix), an entry is wrong or missing, or a matrix that is said to be symmetric stores both
            triangles.
        OSError: the file cannot be read.
    """
    try:
        rows, columns, _, layout, field, symmetry = mminfo(path)
        _check_is_graph(path, rows, columns, layout, field)
        matrix = mmread(path, spmatrix=False)
    except (ValueError, OverflowError) as error:
        raise _located(path, str(error)) from error
    assert isinstance(matrix, coo_array)  # noqa: S101  "coordinate", as checked
    sources, destinations = matrix.coords
    if symmetry != "general":
        _check_one_triangle(path, matrix)
    weights = None if field == "pattern" else text.edge_weights(matrix.data)
    if field != "pattern" and weights is None:
        _log.warning("%s: its values are not all whole numbers that can be weights, so they are dropped", path)
    return EdgeList(rows, np.asarray(sources), np.asarray(destinations), weights)


def write(graph: Graph, path: Path) -> None:
    """Write the lower triangle as a symmetric matrix, pattern or integer.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    arcs = graph.to_edges()
    lower = arcs.sources > arcs.destinations
    values = np.ones(int(lower.sum()), dtype=np.int32) if arcs.weights is None else arcs.weights[lower]
    shape = (graph.vertex_count, graph.vertex_count)
    matrix = coo_array((values, (arcs.sources[lower], arcs.destinations[lower])), shape=shape)
    with replacing(path) as file:
        mmwrite(file, matrix, field="pattern" if arcs.weights is None else "integer", symmetry="symmetric")


def _check_is_graph(path: Path, rows: int, columns: int, layout: str, field: str) -> None:
    """Reject matrices that are not adjacency matrices."""
    if layout != "coordinate":
        raise GraphFormatError(path, 1, f"a graph is a sparse matrix ('coordinate'), not '{layout}'")
    if field not in ("pattern", "real", "integer"):
        raise GraphFormatError(path, 1, f"the entries of a graph are pattern, real or integer, not '{field}'")
    if rows != columns:
        raise GraphFormatError(path, None, f"a graph is a square matrix, not {rows} x {columns}")
    if rows > MAX_COUNT:
        raise GraphFormatError(path, None, f"{rows} vertices do not fit in 32-bit numbers")


def _check_one_triangle(path: Path, matrix: coo_array) -> None:
    """A symmetric matrix stores one triangle; scipy has mirrored the entries, so that both make double entries."""
    sources, destinations = matrix.coords
    upper = sources < destinations
    keys = np.sort(sources[upper].astype(np.uint64) << np.uint64(32) | destinations[upper].astype(np.uint64))
    twice = np.flatnonzero(keys[1:] == keys[:-1])
    if len(twice):
        low, high = divmod(int(keys[twice[0]]), 2**32)
        reason = f"the matrix is symmetric, but its entry ({high + 1}, {low + 1}) is stored twice, or in both triangles"
        raise GraphFormatError(path, None, reason)


def _located(path: Path, message: str) -> GraphFormatError:
    """Turn the library's 'Line 7: reason' into an error with a position."""
    match = _LINE_OF_MESSAGE.match(message)
    line, reason = (int(match[1]), match[2]) if match else (None, message)
    return GraphFormatError(path, line, " ".join(reason.split()))
