"""METIS graphs, `.graph`: a line `VERTICES EDGES [FORMAT [CONSTRAINTS]]`, then a line of neighbours for each vertex.

Vertices count from 1, an empty line is a vertex without neighbours, `%` begins a comment line. The three digits of
FORMAT say whether vertices have sizes, vertices have weights (CONSTRAINTS of them, else 1) and edges have weights.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from io import BytesIO
from itertools import islice, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.formats.mirror import mirrored
from inputs.formats.output import whole_file
from inputs.graph import MAX_COUNT, EdgeList, Graph, concatenate
from inputs.weights import WHOLE, WeightRule

if TYPE_CHECKING:
    from numpy.typing import NDArray

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

    def check(self, line: bytes, rule: WeightRule, *, begins: bool) -> str | None:
        """Says what is wrong with the line of a vertex, or the rest of it, or None."""
        fields = [field.decode("utf-8", errors="replace") for field in line.split()]  # at ASCII's blanks alone
        skipped = self.skipped if begins else 0
        neighbours = fields[skipped:]
        if len(fields) < skipped or (self.weighted and len(neighbours) % 2):
            return "the line of a vertex ends too early"
        for place, field in enumerate(neighbours):
            is_weight = self.weighted and place % 2 == 1
            vertex = None if is_weight else text.check_vertex(field, first=1, last=self.vertices)
            if reason := vertex or (text.check_weight(field, rule) if is_weight else None):
                return reason
        front = fields[:skipped]
        wrong = next((field for field in front if not text.is_count(field)), None)
        return wrong and f"'{wrong[: text.SHOWN]}' is no size or weight of a vertex: these are whole numbers"


@dataclass(frozen=True)
class _Piece:
    """Lines of vertices, or a part of a long one that ends after a neighbour and its weight.

    Attributes:
        number: of the first line, from 1.
        vertex: whose line that is.
        begins: that line begins here.
        content: with comments.
        rows: without.
    """

    number: int
    vertex: int
    begins: bool
    content: bytes
    rows: bytes


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


def stream(
    path: Path, block: int = text.BLOCK, *, weights: WeightRule = WHOLE, once: bool = False
) -> Iterator[EdgeList]:
    """Reads edges piece by piece, about `block` bytes at a time, as `read` does in all else; if `once`, one of both."""
    found = mirrored(path, partial(_stream, path, block, weights), first_id=1, position=partial(_line_of, path))
    return (edges.once() for edges in found) if once else found


def _line_of(path: Path, vertex: int) -> int:
    """Returns the number of the line of a vertex."""
    rows = (number for number, line in text.numbered_lines(path) if not line.startswith("%"))
    return next(islice(rows, vertex + 1, None))


def _stream(path: Path, block: int, rule: WeightRule) -> Iterator[EdgeList]:
    """Does the work of `stream`, without looking whether lines mirror each other."""
    header_line, header = _header(path)
    promised = f"{header.edges} edges are promised, hence {2 * header.edges} neighbours, not"
    found = 0
    for edges in text.ahead(partial(_parse, path, header, rule), _pieces(path, header_line, header, block)):
        found += len(edges.sources)
        if found > 2 * header.edges:  # at once, lest the line of one vertex fills memory
            raise GraphFormatError(path, header_line, f"{promised} {found} or more")
        yield edges
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


def _header(path: Path) -> tuple[int, _Header]:
    """Reads the first line that is no comment; returns its number, too."""
    lines = ((number, line) for number, line in text.numbered_lines(path) if not line.startswith("%"))
    number, line = next(lines, (0, ""))
    if not number:
        raise GraphFormatError(path, None, "the file has no line 'VERTICES EDGES'")
    fields = line.split()
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
    return number, _Header(int(vertices), int(edges), has_sizes + has_weights * int(constraints), weighted)


def _pieces(path: Path, header_line: int, header: _Header, size: int) -> Iterator[_Piece]:
    """Yields the lines of vertices; the last piece has none, lest there be no piece.

    Raises:
        GraphFormatError: as `_cut`, or there are more or fewer lines than vertices.
    """
    vertices = 0
    for number, begins, content in _cut(path, header_line, header, size):
        piece = _Piece(number, vertices - (not begins), begins, content, content)
        if b"%" in content:
            piece = replace(piece, rows=b"".join(line for _, line in _lines(piece)))
        vertices = piece.vertex + piece.rows.count(b"\n") + (piece.rows[-1:] not in (b"", b"\n"))
        yield piece if vertices <= header.vertices else _up_to(path, header.vertices, piece)
    if vertices < header.vertices:
        reason = f"{header.vertices} vertices are promised, but only {vertices} lines follow"
        raise GraphFormatError(path, header_line, reason)
    yield _Piece(header_line, 0, begins=True, content=b"", rows=b"")


def _cut(path: Path, header_line: int, header: _Header, size: int) -> Iterator[tuple[int, bool, bytes]]:
    """Cuts a file after a line about every `size` bytes, and a line of more than `_PIECE` bytes after an edge.

    Yields:
        The number of the first line, whether it begins here, and the lines.

    Raises:
        GraphFormatError: a piece of a line holds no whole number.
    """
    with text.open_text(path) as file:
        for _ in range(header_line):
            text.read_line(file)
        number, rest = header_line + 1, b""
        while read := file.read(size):
            more = b"" if read.endswith(b"\n") else file.readline(_PIECE)
            content, begins, rest = rest + read + more, not rest, b""
            if len(more) == _PIECE and not more.endswith(b"\n"):
                start = content.rfind(b"\n") + 1
                line, is_begin = content[start:], begins or start > 0
                words = len(line.split()) - header.skipped * is_begin
                last = 1 + (words - 1) % (2 if header.weighted else 1)  # words that may go on in the next piece
                if is_begin and line.lstrip().startswith(b"%"):
                    text.read_line(file)
                    content = content[:start] + b"%\n"
                elif words <= last:
                    reason = f"no number ends within {_PIECE:,} bytes"
                    raise GraphFormatError(path, number + content.count(b"\n"), reason)
                else:
                    kept = start + len(line.rsplit(maxsplit=last)[0])
                    content, rest = content[:kept], content[kept:]
            text.tell_read(path, file)
            yield number, begins, content
            number += content.count(b"\n")
        if rest:
            yield number, False, rest


def _lines(piece: _Piece) -> Iterator[tuple[int, bytes]]:
    """Yields the lines that are no comments, and the number of each."""
    for number, line in enumerate(BytesIO(piece.content), start=piece.number):
        if not line.lstrip().startswith(b"%") or (number == piece.number and not piece.begins):
            yield number, line


def _up_to(path: Path, vertices: int, piece: _Piece) -> _Piece:
    """Leaves out what comes after the line of the last vertex.

    Raises:
        GraphFormatError: that is more than blanks.
    """
    lines = [*_lines(piece)]
    kept = max(0, vertices - piece.vertex)
    for number, line in lines[kept:]:
        if line.strip():
            raise GraphFormatError(path, number, f"a line after those of all {vertices} vertices")
    return replace(piece, rows=b"".join(line for _, line in lines[:kept]))


def _parse(path: Path, header: _Header, rule: WeightRule, piece: _Piece) -> EdgeList:
    """Turns lines into edges."""
    edges = _edges(header, rule, piece)
    if edges is not None:
        return edges
    for number, line in _lines(piece):
        begins = piece.begins or number > piece.number
        if reason := header.check(line, rule, begins=begins):
            raise GraphFormatError(path, number, reason)
    raise GraphFormatError(path, piece.number, "something in the lines from here on cannot be parsed")


def _edges(header: _Header, rule: WeightRule, piece: _Piece) -> EdgeList | None:
    """Turns lines into edges, or returns None if one is wrong."""
    characters = np.frombuffer(piece.rows, dtype=np.uint8)
    is_blank = characters <= ord(" ")
    starts = np.flatnonzero(is_blank[:-1] > is_blank[1:]) + 1  # of words
    starts = starts if is_blank[:1].all() else np.concatenate([[0], starts])
    ends = np.flatnonzero(characters == ord("\n"))
    ends = ends if piece.rows[-1:] in (b"", b"\n") else np.append(ends, len(characters))
    counts = np.diff(np.searchsorted(starts, ends), prepend=0)  # words of each line
    numbers = text.numbers(piece.rows)
    if numbers is None or len(numbers) != len(starts):
        return None
    skipped = np.full(len(counts), header.skipped)
    skipped[:1] *= piece.begins
    kept, step = counts - skipped, 2 if header.weighted else 1
    if (kept < 0).any() or (kept % step).any():
        return None
    if header.skipped or numbers.dtype.kind == "f":
        place = np.arange(len(numbers)) - np.repeat(np.cumsum(counts) - counts + skipped, counts)
        is_whole = np.ones(len(numbers), dtype=np.bool_)
        is_odd = ~is_blank & ((characters < ord("0")) | (characters > ord("9")))
        is_whole[np.searchsorted(starts, np.flatnonzero(is_odd), "right") - 1] = False
        if not (is_whole | ((place >= 0) & (place % step == 1))).all():  # only a weight need not be
            return None
        numbers = numbers[place >= 0]
    destinations, values = numbers[::step], numbers[1::2] if header.weighted else numbers[:0]
    weights = rule.weights_of(values) if header.weighted and not rule.dropped else None
    in_range = (destinations >= 1) & (destinations <= header.vertices)
    if not (in_range.all() and np.isfinite(values).all()) or (header.weighted and not rule.dropped and weights is None):
        return None
    sources = np.repeat(np.arange(piece.vertex, piece.vertex + len(counts), dtype=np.int32), kept // step)
    return EdgeList(header.vertices, sources, (destinations - 1).astype(np.int32), weights)
