"""MatrixMarket coordinate files, `.mtx`: an entry (i, j) of a square matrix is an edge, whatever its value."""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import whole_file
from inputs.graph import MAX_COUNT, EdgeList, Graph, concatenate
from inputs.weights import DROPPED, WHOLE, WeightRule

_COMMENT = "%"
_COMPLEX = "complex"
_FIELDS = ("pattern", "real", "integer", "double", "unsigned-integer", _COMPLEX)
_SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")
_BANNER = ("%%MatrixMarket", "matrix", "coordinate", "FIELD", "SYMMETRY")
_KNOWN = (
    (("coordinate",), "a graph is a sparse matrix:"),
    (_FIELDS, "the entries of a graph are"),
    (_SYMMETRIES, "a graph is"),
)

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Header:
    """What comes before the entries.

    Attributes:
        lines: how many lines it takes; the last has the sizes.
        vertices: rows, as many as columns.
        entries: how many follow.
        has_values: entries have a value that is one number.
        is_complex: ... or two.
        is_symmetric: only one triangle is stored.
        is_skew: ... and the other has its values, negative.
    """

    lines: int
    vertices: int
    entries: int
    has_values: bool
    is_complex: bool
    is_symmetric: bool
    is_skew: bool


def read(path: Path, *, weights: WeightRule = WHOLE) -> EdgeList:
    """Reads a sparse matrix as a graph.

    Args:
        path: text file, perhaps packed: coordinate; pattern, real, integer or complex; of any symmetry.
        weights: what becomes of values.

    Returns:
        The entries, both triangles where the file stores one, vertices numbered from 0. Values of a real or integer
        matrix become weights, unless some are negative or too large, as a matrix is more than a graph, or it is
        skew-symmetric or complex: then they are dropped with a warning.

    Raises:
        GraphFormatError: the header is wrong or announces something that is not a graph (a dense or
            rectangular matrix), an entry is wrong, missing or too many, a value that is to be a weight is not whole,
            or a matrix that is said to be symmetric stores both triangles.
        OSError: the file cannot be read.
    """
    return concatenate(list(stream(path, weights=weights)))


def stream(path: Path, *, weights: WeightRule = WHOLE, once: bool = False) -> Iterator[EdgeList]:
    """Reads a matrix piece by piece, as `read` does in all else; if `once`, a symmetric one as it is stored."""
    header = _header(path)
    if header.is_skew and header.has_values and not weights.dropped:
        _log.warning("%s: a skew-symmetric matrix has negative values, which are no weights: all are dropped", path)
        weights = DROPPED
    if header.is_complex and not weights.dropped:
        _log.warning("%s: complex values are no weights: all are dropped", path)
    others = 2 * header.is_complex
    field_count = (3 if header.has_values else 2) + others

    def check_fields(fields: list[str]) -> str | None:
        return None if len(fields) == field_count else f"an entry has {field_count} fields, not {len(fields)}"

    table = text.Table(
        1,
        header.vertices,
        header.has_values,
        weights,
        check_fields,
        comment=_COMMENT.encode(),
        any_values=True,
        others=others,
    )
    found, has_lower, has_upper = 0, False, False
    for entries in text.read_edges(path, table, skip_lines=header.lines):
        found += len(entries.sources)
        has_lower = has_lower or bool((entries.sources > entries.destinations).any())
        has_upper = has_upper or bool((entries.sources < entries.destinations).any())
        if header.is_symmetric and has_lower and has_upper:
            raise GraphFormatError(path, 1, "the matrix is said to be symmetric, but both triangles are stored")
        yield _mirrored(header, entries) if header.is_symmetric and not once else _sized(header, entries)
    if found != header.entries:
        reason = f"{header.entries} entries are promised, but the file has {found}"
        raise GraphFormatError(path, header.lines, reason)
    if found == 0:
        nothing = np.empty(0, dtype=np.int32)
        yield EdgeList(
            header.vertices, nothing, nothing, nothing if header.has_values and not weights.dropped else None
        )


def write(graph: Graph, path: Path) -> None:
    """Writes the lower triangle as a symmetric matrix, or a directed graph as a general one; pattern or integer.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    field = "pattern" if graph.weights is None else "integer"
    symmetry, entries = ("general", graph.edge_count) if graph.directed else ("symmetric", graph.edge_count // 2)
    with whole_file(path) as file:
        file.write(f"%%MatrixMarket matrix coordinate {field} {symmetry}\n".encode())
        file.write(f"{graph.vertex_count} {graph.vertex_count} {entries}\n".encode())
        for arcs in graph.batches():
            stored = (arcs.sources > arcs.destinations) | graph.directed
            values = [] if arcs.weights is None else [arcs.weights[stored]]
            text.write_rows(file, [arcs.sources[stored] + 1, arcs.destinations[stored] + 1, *values], " ")


def _sized(header: _Header, entries: EdgeList) -> EdgeList:
    """Takes the entries that are stored."""
    return EdgeList(header.vertices, entries.sources, entries.destinations, entries.weights)


def _mirrored(header: _Header, entries: EdgeList) -> EdgeList:
    """Adds the triangle that is not stored."""
    off_diagonal = entries.sources != entries.destinations
    weights = entries.weights
    return EdgeList(
        header.vertices,
        np.concatenate([entries.sources, entries.destinations[off_diagonal]]),
        np.concatenate([entries.destinations, entries.sources[off_diagonal]]),
        None if weights is None else np.concatenate([weights, weights[off_diagonal]]),
    )


def _header(path: Path) -> _Header:
    """Reads the banner and the sizes."""
    field, symmetry = "", ""
    for number, line in text.numbered_lines(path):
        if number == 1:
            field, symmetry = _banner(path, line)
        elif line and not line.startswith(_COMMENT):
            vertices, entries = _sizes(path, number, line)
            has_values, is_complex = field not in ("pattern", _COMPLEX), field == _COMPLEX
            is_skew = symmetry == "skew-symmetric"
            return _Header(number, vertices, entries, has_values, is_complex, symmetry != "general", is_skew)
    raise GraphFormatError(path, None, "the file ends before the line 'ROWS COLUMNS ENTRIES'")


def _banner(path: Path, line: str) -> tuple[str, str]:
    """Reads the first line: what entries have, and which of them are stored."""
    words = line.lower().split()
    if words[:2] not in (["%%matrixmarket", "matrix"], ["%matrixmarket", "matrix"]):
        reason = "the first line is not '%%MatrixMarket matrix coordinate FIELD SYMMETRY'"
        raise GraphFormatError(path, 1, reason)
    for word, (known, meaning) in zip(words[2:], _KNOWN, strict=False):
        if word not in known:
            raise GraphFormatError(path, 1, f"{meaning} {', '.join(known)}, not '{word[:60]}'")
    if len(words) < len(_BANNER):
        missing = " ".join(_BANNER[len(words) :])
        choices = f" ({', '.join(_SYMMETRIES)})" if words[-1] in _FIELDS else ""
        raise GraphFormatError(path, 1, f"the first line ends before {missing}{choices}")
    if len(words) > len(_BANNER):
        extra = " ".join(line.split()[len(_BANNER) :])[:60]
        raise GraphFormatError(path, 1, f"the first line goes on after SYMMETRY: move '{extra}' to a line after %")
    return words[3], words[4]


def _sizes(path: Path, number: int, line: str) -> tuple[int, int]:
    """Reads line `number`: the vertices and the entries."""
    fields = line.split()
    if len(fields) != 3 or not all(text.is_count(field) and len(field) < 20 for field in fields):
        raise GraphFormatError(path, number, f"the sizes are 'ROWS COLUMNS ENTRIES', not '{line[:60]}'")
    rows, columns, entries = map(int, fields)
    if rows != columns:
        raise GraphFormatError(path, number, f"a graph is a square matrix, not {rows} x {columns}")
    if rows > MAX_COUNT:
        raise GraphFormatError(path, number, f"{rows} vertices do not fit in 32-bit numbers")
    return rows, entries
