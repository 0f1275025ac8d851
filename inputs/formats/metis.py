"""METIS graphs, `.graph`: a line `VERTICES EDGES [FORMAT [CONSTRAINTS]]`, then a line of neighbours for each vertex.

Vertices count from 1, an empty line is a vertex without neighbours, `%` begins a comment line. The three digits of
FORMAT say whether vertices have sizes, vertices have weights (CONSTRAINTS of them, else 1) and edges have weights.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.formats.mirror import mirrored
from inputs.formats.output import whole_file
from inputs.graph import MAX_COUNT, EdgeList, Graph, concatenate
from inputs.weights import WHOLE, WeightRule

_ROWS = 1 << 16  # vertices written at a time
_PIECE = 1 << 22  # bytes; longer lines are read in pieces


@dataclass(frozen=True)
class _Header:
    """The first line that is no comment.

    Attributes:
        vertices: number of vertices.
        edges: number of undirected edges.
        skipped: numbers at the front of each vertex line that are sizes and weights of the vertex.
        weighted: each neighbour is followed by the weight of the edge.
    """

    vertices: int
    edges: int
    skipped: int
    weighted: bool

    def skipped_in(self, piece: "_Piece") -> int:
        """How many numbers at the front of a piece are no neighbours."""
        return self.skipped if piece.begins else 0

    def check(self, piece: "_Piece", rule: WeightRule) -> str | None:
        """Says what is wrong with the line of a vertex, or None."""
        fields = piece.content.decode("utf-8", errors="replace").split()
        neighbours = fields[self.skipped_in(piece) :]
        if len(fields) < self.skipped_in(piece) or (self.weighted and len(neighbours) % 2):
            return "the line of a vertex ends too early"
        for place, field in enumerate(neighbours):
            is_weight = self.weighted and place % 2 == 1
            vertex = None if is_weight else text.check_vertex(field, first=1, last=self.vertices)
            if reason := vertex or (text.check_weight(field, rule) if is_weight else None):
                return reason
        front = fields[: self.skipped_in(piece)]
        return next((f"'{field[: text.SHOWN]}' is not a number" for field in front if not text.is_count(field)), None)


@dataclass(frozen=True)
class _Piece:
    """A line, or a part of a long one that ends after a neighbour and its weight.

    Attributes:
        number: of the line, from 1.
        begins: the line begins here.
        content: its bytes.
    """

    number: int
    begins: bool
    content: bytes


def read(path: Path, *, weights: WeightRule = WHOLE) -> EdgeList:
    """Reads a graph.

    Args:
        path: text file, perhaps packed.
        weights: what becomes of them.

    Returns:
        Every edge in both directions, as the file stores it, vertices numbered from 0.

    Raises:
        GraphFormatError: the header is wrong, a line is missing or too many, something is not a number, an id is not
            in [1, vertices], a number is no weight, the number of edges is not the one promised, or one is in the line
            of one of its ends only.
        OSError: the file cannot be read.
    """
    return concatenate(list(stream(path, weights=weights)))


def stream(path: Path, block: int = text.BLOCK, *, weights: WeightRule = WHOLE) -> Iterator[EdgeList]:
    """Reads edges piece by piece, about `block` bytes at a time, as `read` does in all else."""
    edges = partial(_stream, path, block, weights)
    return mirrored(path, edges, first_id=1, position=partial(_line_of, path))


def _line_of(path: Path, vertex: int) -> int:
    """Returns the number of the line of a vertex."""
    with text.open_text(path) as file:
        begun = (line.number for line in _lines(file) if line.begins)
        return next(islice(begun, vertex + 1, None))


def _stream(path: Path, block: int, rule: WeightRule) -> Iterator[EdgeList]:
    """Does the work of `stream`, without looking whether lines mirror each other."""
    with text.open_text(path) as file:
        lines = _lines(file)
        first_line = next(lines, None)
        if first_line is None:
            raise GraphFormatError(path, None, "the file has no line 'VERTICES EDGES'")
        header_line, header = first_line.number, _header(path, first_line)
        promised = f"{header.edges} edges are promised, hence {2 * header.edges} neighbours, not"
        vertices = found = 0
        for pieces in _blocks(_rows(path, header, lines), block):
            edges = _parse(header, vertices, pieces, rule)
            if edges is None:
                raise _wrong_row(path, header, pieces, rule)
            text.tell_read(path, file)
            vertices += sum(piece.begins for piece in pieces)
            found += len(edges.sources)
            if found > 2 * header.edges:  # at once, lest the line of one vertex fills memory
                raise GraphFormatError(path, header_line, f"{promised} {found} or more")
            yield edges
    if vertices < header.vertices:
        reason = f"{header.vertices} vertices are promised, but only {vertices} lines follow"
        raise GraphFormatError(path, header_line, reason)
    if found < 2 * header.edges:
        raise GraphFormatError(path, header_line, f"{promised} {found}")


def write(graph: Graph, path: Path) -> None:
    """Writes a graph; METIS itself demands that weights are positive.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    with whole_file(path) as file:
        weight_format = "" if graph.weights is None else " 001"
        file.write(f"{graph.vertex_count} {graph.edge_count // 2}{weight_format}\n".encode())
        for first in range(0, graph.vertex_count, _ROWS):
            offsets = graph.row_offsets[first : first + _ROWS + 1].astype(np.int64)
            part = slice(offsets[0], offsets[-1])
            numbers: NDArray[Any] = graph.neighbours[part] + 1
            if graph.weights is not None:
                numbers = np.stack([numbers, graph.weights[part]], axis=1).ravel()
            words = numbers.astype(str)
            ends = (offsets - offsets[0]) * (1 if graph.weights is None else 2)
            file.writelines(" ".join(words[begin:end]).encode() + b"\n" for begin, end in pairwise(ends.tolist()))


def _lines(file: IO[bytes]) -> Iterator[_Piece]:
    """Yields the lines that are no comments, cut anywhere after `_PIECE` bytes."""
    number, begins, is_comment = 1, True, False
    while content := file.readline(_PIECE):
        if begins:
            is_comment = content.lstrip().startswith(b"%")
        if not is_comment:
            yield _Piece(number, begins, content)
        begins = content.endswith(b"\n")
        number += begins


def _rows(path: Path, header: _Header, lines: Iterator[_Piece]) -> Iterator[_Piece]:
    """Yields the lines of vertices, long ones cut after a neighbour and its weight.

    Raises:
        GraphFormatError: a piece holds no whole number, or a line follows that of the last vertex.
    """
    vertices, rest = 0, _Piece(0, begins=False, content=b"")
    for piece in lines:
        vertices += piece.begins
        if vertices > header.vertices:
            if piece.content.strip():
                reason = f"a line after those of all {header.vertices} vertices"
                raise GraphFormatError(path, piece.number, reason)
            continue
        row = _Piece(piece.number, piece.begins or rest.begins, rest.content + piece.content)
        if row.content.endswith(b"\n"):
            yield row
            rest = _Piece(row.number, begins=False, content=b"")
        elif len(piece.content) < _PIECE:
            rest = row  # the end of the file
        else:
            words = len(row.content.split()) - header.skipped_in(row)
            last = 1 + (words - 1) % (2 if header.weighted else 1)  # words that may go on in the next piece
            if words <= last:
                raise GraphFormatError(path, row.number, f"no number ends within {_PIECE:,} bytes")
            kept = row.content.rsplit(maxsplit=last)[0]
            yield replace(row, content=kept)
            rest = _Piece(row.number, begins=False, content=row.content[len(kept) :])
    if rest.content:
        yield rest


def _blocks(rows: Iterator[_Piece], size: int) -> Iterator[list[_Piece]]:
    """Groups rows until they have `size` bytes; at least one group, perhaps of none."""
    block: list[_Piece] = []
    held = 0
    for row in rows:
        block.append(row)
        held += len(row.content)
        if held >= size:
            yield block
            block, held = [], 0
    yield block


def _header(path: Path, line: _Piece) -> _Header:
    """Reads the header."""
    number, fields = line.number, line.content.decode("utf-8", errors="replace").split()
    if not 2 <= len(fields) <= 4 or not all(map(text.is_count, fields)):
        reason = f"the header is 'VERTICES EDGES [FORMAT [CONSTRAINTS]]', not '{' '.join(fields)[:60]}'"
        raise GraphFormatError(path, number, reason)
    vertices, edges, digits, constraints = (*fields, *["0", "1"][len(fields) - 2 :])
    if max(len(vertices), len(edges), len(constraints)) > 18 or int(vertices) > MAX_COUNT:
        raise GraphFormatError(path, number, f"{vertices[:60]} vertices and {edges[:60]} edges are too many")
    digits = digits.zfill(3)
    if len(digits) > 3 or not set(digits) <= {"0", "1"}:
        raise GraphFormatError(path, number, f"the format is three digits of 0 or 1, not '{digits[:60]}'")
    has_sizes, has_weights, weighted = (digit == "1" for digit in digits)
    return _Header(int(vertices), int(edges), has_sizes + has_weights * int(constraints), weighted)


def _parse(header: _Header, first: int, rows: list[_Piece], rule: WeightRule) -> EdgeList | None:
    """Turns the lines of consecutive vertices into edges, or None if one is wrong.

    Args:
        header: of the file.
        first: how many lines have begun before.
        rows: lines, or pieces of them.
        rule: what becomes of weights.
    """
    lengths = np.array([len(row.content.split()) for row in rows], dtype=np.int64)
    skipped = np.array([header.skipped_in(row) for row in rows], dtype=np.int64)
    vertices = np.cumsum([row.begins for row in rows], dtype=np.int32) + np.int32(first - 1)
    words = b" ".join(row.content for row in rows)
    dtype = np.float64 if header.weighted and rule != WHOLE else np.int64
    numbers = _numbers(words, dtype) if lengths.any() else np.empty(0, dtype=dtype)
    kept = lengths - skipped
    if numbers is None or len(numbers) != lengths.sum() or (kept < 0).any() or (header.weighted and (kept % 2).any()):
        return None
    place = np.arange(len(numbers)) - np.repeat(np.cumsum(lengths) - lengths, lengths)  # within its line
    is_kept = place >= np.repeat(skipped, lengths)
    if (numbers[~is_kept] < 0).any():
        return None
    numbers = numbers[is_kept]
    step = 2 if header.weighted else 1
    sources = np.repeat(vertices, kept // step)
    destinations = numbers[::step]
    takes_weights = header.weighted and not rule.dropped
    weights = rule.weights_of(numbers[1::2]) if takes_weights else None
    in_range = (destinations >= 1) & (destinations <= header.vertices) & (destinations == destinations.astype(np.int64))
    if not in_range.all() or (takes_weights and weights is None):
        return None
    return EdgeList(header.vertices, sources, (destinations - 1).astype(np.int32), weights)


def _numbers(words: bytes, dtype: type[np.int64] | type[np.float64]) -> NDArray[np.int64 | np.float64] | None:
    """Reads numbers between blanks, or None if some word is not one."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # numpy deprecates text that is not all numbers
        try:
            return np.fromstring(words.decode("ascii"), dtype=dtype, sep=" ")
        except (ValueError, DeprecationWarning):
            return None


def _wrong_row(path: Path, header: _Header, rows: list[_Piece], rule: WeightRule) -> GraphFormatError:
    """Finds the first wrong line of a vertex."""
    for row in rows:
        reason = header.check(row, rule)
        if reason:
            return GraphFormatError(path, row.number, reason)
    return GraphFormatError(path, None, "a line is wrong")
