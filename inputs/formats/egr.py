"""ECL `.egr`, the native format: what programs map into memory and run on.

Little endian, nothing between the parts, nothing after them:

    int32 n, m;  int32 row_offsets[n + 1];  int32 neighbours[m];  int32 weights[m]  (this last part is optional)
"""

import os
import tempfile
from pathlib import Path

import numpy as np

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.graph import I32, Graph

_WORD = np.dtype("<i4")
_HEADER_WORDS = 2


def read(path: Path) -> Graph:
    """Map a file into memory and check that it is a graph.

    Args:
        path: an `.egr` file; a gzipped one is unpacked into memory instead.

    Returns:
        The graph as it is stored; its arrays are read-only views of the file.

    Raises:
        GraphFormatError: the size is not what the counts say, offsets decrease, or an id is out of range; the
            position is the offset of the first wrong byte.
        OSError: the file cannot be read.
    """
    words = _words(path)
    n, m = _counts(path, words)
    offsets_at, neighbours_at, weights_at = _HEADER_WORDS, _HEADER_WORDS + n + 1, _HEADER_WORDS + n + 1 + m
    _check_size(path, len(words), without_weights=weights_at, with_weights=weights_at + m)
    row_offsets, neighbours = words[offsets_at:neighbours_at], words[neighbours_at:weights_at]
    _check_offsets(path, row_offsets, m)
    _check_neighbours(path, neighbours, n, first_word=neighbours_at)
    return Graph(row_offsets, neighbours, words[weights_at:] if len(words) > weights_at else None)


def read_counts(path: Path) -> tuple[int, int]:
    """Read only the header of a file: its numbers of vertices and of directed edges.

    Args:
        path: an `.egr` file.

    Returns:
        n and m.

    Raises:
        GraphFormatError: there is no header.
        OSError: the file cannot be read.
    """
    return _counts(path, _words(path))


def write(graph: Graph, path: Path) -> None:
    """Write a graph so that `path` is either untouched or complete, even if the machine stops half-way.

    Args:
        graph: what to write.
        path: the file to make or replace; its folder is made if needed.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    counts = np.array([graph.vertex_count, graph.edge_count])
    parts = [counts, graph.row_offsets, graph.neighbours]
    if graph.weights is not None:
        parts.append(graph.weights)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for part in parts:
                part.astype(_WORD, copy=False).tofile(file)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)  # mkstemp makes private files
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _words(path: Path) -> I32:
    """See the whole file as int32 words, read-only."""
    if path.suffix == ".gz":
        with text.open_bytes(path) as file:
            content = np.frombuffer(file.read(), dtype=np.uint8)
    elif path.stat().st_size:
        content = np.memmap(path, dtype=np.uint8, mode="r").view(np.ndarray)
    else:
        content = np.empty(0, dtype=np.uint8)  # nothing cannot be mapped
    size = len(content)
    if size < _HEADER_WORDS * _WORD.itemsize:
        raise GraphFormatError(path, f"byte {size}", "the file ends before the two counts of its header")
    if size % _WORD.itemsize:
        raise GraphFormatError(path, f"byte {size}", "the file does not end on a 4-byte boundary")
    return content.view(_WORD)


def _counts(path: Path, words: I32) -> tuple[int, int]:
    """Read n and m."""
    n, m = int(words[0]), int(words[1])
    for name, count, byte in (("vertices", n, 0), ("edges", m, _WORD.itemsize)):
        if count < 0:
            raise GraphFormatError(path, f"byte {byte}", f"negative number of {name}: {count}")
    return n, m


def _check_size(path: Path, words: int, *, without_weights: int, with_weights: int) -> None:
    """Accept exactly the two sizes that the counts allow."""
    if words in (without_weights, with_weights):
        return
    expected = f"{without_weights * _WORD.itemsize:,} bytes, or {with_weights * _WORD.itemsize:,} with weights"
    raise GraphFormatError(
        path, f"byte {words * _WORD.itemsize}", f"the file ends here, but its header promises {expected}"
    )


def _check_offsets(path: Path, row_offsets: I32, m: int) -> None:
    """Row offsets start at 0, never decrease and end at m."""
    if row_offsets[0] != 0:
        raise GraphFormatError(path, _byte(_HEADER_WORDS), f"the first row offset is {row_offsets[0]}, not 0")
    decreases = row_offsets[1:] < row_offsets[:-1]
    if decreases.any():
        v = int(np.argmax(decreases))
        reason = f"row offsets decrease at vertex {v}: from {row_offsets[v]} to {row_offsets[v + 1]}"
        raise GraphFormatError(path, _byte(_HEADER_WORDS + v + 1), reason)
    if row_offsets[-1] != m:
        reason = f"the last row offset is {row_offsets[-1]}, but there are {m} edges"
        raise GraphFormatError(path, _byte(_HEADER_WORDS + len(row_offsets) - 1), reason)


def _check_neighbours(path: Path, neighbours: I32, n: int, *, first_word: int) -> None:
    """Every neighbour is a vertex."""
    wrong = neighbours.view(np.uint32) >= n  # as unsigned numbers, negative ones are too large
    if wrong.any():
        e = int(np.argmax(wrong))
        raise GraphFormatError(path, _byte(first_word + e), f"neighbour {neighbours[e]} of edge {e} is not in [0, {n})")


def _byte(word: int) -> str:
    return f"byte {word * _WORD.itemsize}"
