"""MatrixMarket coordinate files, `.mtx`: an entry (i, j) of a square matrix is an edge, whatever its value.

The parser is the fast_matrix_market library that scipy contains.
"""

import re
from pathlib import Path

import numpy as np
from scipy.io import mminfo, mmread
from scipy.sparse import coo_array

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.graph import MAX_COUNT, EdgeList

_LINE_OF_MESSAGE = re.compile(r"Line (\d+): (.*)", re.DOTALL)


def read(path: Path) -> EdgeList:
    """Read a sparse matrix as a graph.

    Args:
        path: text file, perhaps gzipped: coordinate; pattern, real or integer; general, symmetric or skew-symmetric.

    Returns:
        The entries, both triangles where the file stores one, vertices numbered from 0; values of a real or integer
        matrix as `text.edge_weights` takes them.

    Raises:
        GraphFormatError: the header is wrong or announces something that is not a graph (a dense, complex or
            rectangular matrix), or an entry is wrong or missing.
        OSError: the file cannot be read.
    """
    try:
        rows, columns, _, layout, field, _ = mminfo(path)
        _check_is_graph(path, rows, columns, layout, field)
        matrix = mmread(path, spmatrix=False)
    except (ValueError, OverflowError) as error:
        raise _located(path, str(error)) from error
    assert isinstance(matrix, coo_array)  # noqa: S101  "coordinate", as checked
    sources, destinations = matrix.coords
    weights = None if field == "pattern" else text.edge_weights(path, matrix.data)
    return EdgeList(rows, np.asarray(sources), np.asarray(destinations), weights)


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


def _located(path: Path, message: str) -> GraphFormatError:
    """Turn the library's 'Line 7: reason' into an error with a position."""
    match = _LINE_OF_MESSAGE.match(message)
    line, reason = (int(match[1]), match[2]) if match else (None, message)
    return GraphFormatError(path, line, " ".join(reason.split()))
