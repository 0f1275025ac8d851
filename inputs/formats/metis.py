"""METIS graphs, `.graph`: a line `VERTICES EDGES [FORMAT [CONSTRAINTS]]`, then a line of neighbours for each vertex.

Vertices count from 1, an empty line is a vertex without neighbours, `%` begins a comment line. The three digits of
FORMAT say whether vertices have sizes, vertices have weights (CONSTRAINTS of them, else 1) and edges have weights.
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

import numpy as np

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import replacing
from inputs.graph import MAX_COUNT, EdgeList, Graph, concatenate

_ROWS = 1 << 16  # vertices written at a time


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

    def check(self, fields: list[str]) -> str | None:
        """Say what is wrong with the line of a vertex, or None."""
        neighbours = fields[self.skipped :]
        if len(fields) < self.skipped or (self.weighted and len(neighbours) % 2):
            return "the line of a vertex ends too early"
        for place, field in enumerate(neighbours):
            is_weight = self.weighted and place % 2 == 1
            reason = text.check_weight(field) if is_weight else text.check_vertex(field, first=1, last=self.vertices)
            if reason:
                return reason
        return next((f"'{field}' is not a number" for field in fields if not field.isdecimal()), None)


def read(path: Path) -> EdgeList:
    """Read a graph.

    Args:
        path: text file, perhaps gzipped.

    Returns:
        Every edge in both directions, as the file stores it, vertices numbered from 0.

    Raises:
        GraphFormatError: the header is wrong, a line is missing or too many, something is not a number, an id is not
            in [1, vertices], a weight is not in [0, 2^30 - 2], or the number of edges is not the one promised.
        OSError: the file cannot be read.
    """
    return concatenate(list(stream(path)))


def stream(path: Path, block: int = text.BLOCK) -> Iterator[EdgeList]:
    """Read edges piece by piece, about `block` bytes at a time or the longest line, as `read` does in all else."""
    with text.open_bytes(path) as file:
        lines = (numbered for numbered in enumerate(file, start=1) if not numbered[1].lstrip().startswith(b"%"))
        first_line = next(lines, None)
        if first_line is None:
            raise GraphFormatError(path, None, "the file has no line 'VERTICES EDGES'")
        header_line, header = first_line[0], _header(path, *first_line)
        vertices = found = 0
        for rows in _blocks(islice(lines, header.vertices), block):
            edges = _parse(header, vertices, [line for _, line in rows])
            if edges is None:
                raise _wrong_row(path, header, rows)
            text.tell_read(path, file)
            vertices += len(rows)
            found += len(edges.sources)
            yield edges
        if vertices < header.vertices:
            reason = f"{header.vertices} vertices are promised, but only {vertices} lines follow"
            raise GraphFormatError(path, header_line, reason)
        for number, line in lines:
            if line.strip():
                raise GraphFormatError(path, number, f"a line after those of all {header.vertices} vertices")
    if found != 2 * header.edges:
        reason = f"{header.edges} edges are promised, hence {2 * header.edges} neighbours, not {found}"
        raise GraphFormatError(path, header_line, reason)


def write(graph: Graph, path: Path) -> None:
    """Write a graph; METIS itself demands that weights are positive.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    with replacing(path) as file:
        weight_format = "" if graph.weights is None else " 001"
        file.write(f"{graph.vertex_count} {graph.edge_count // 2}{weight_format}\n".encode())
        for first in range(0, graph.vertex_count, _ROWS):
            offsets = graph.row_offsets[first : first + _ROWS + 1].astype(np.int64)
            part = slice(offsets[0], offsets[-1])
            numbers = graph.neighbours[part] + 1
            if graph.weights is not None:
                numbers = np.stack([numbers, graph.weights[part]], axis=1).ravel()
            words = numbers.astype(str)
            ends = (offsets - offsets[0]) * (1 if graph.weights is None else 2)
            file.writelines(" ".join(words[begin:end]).encode() + b"\n" for begin, end in pairwise(ends.tolist()))


def _blocks(lines: Iterator[tuple[int, bytes]], size: int) -> Iterator[list[tuple[int, bytes]]]:
    """Group numbered lines until they have `size` bytes; at least one group, perhaps of none."""
    block: list[tuple[int, bytes]] = []
    held = 0
    for numbered in lines:
        block.append(numbered)
        held += len(numbered[1])
        if held >= size:
            yield block
            block, held = [], 0
    yield block


def _header(path: Path, number: int, line: bytes) -> _Header:
    """Read the header, which is line `number`."""
    fields = line.decode("utf-8", errors="replace").split()
    if not 2 <= len(fields) <= 4 or not all(field.isascii() and field.isdecimal() for field in fields):
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


def _parse(header: _Header, first: int, rows: list[bytes]) -> EdgeList | None:
    """Turn the lines of consecutive vertices, the first of which is given, into edges, or None if one is wrong."""
    lengths = np.array([len(row.split()) for row in rows], dtype=np.int64)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # numpy deprecates text that is not all numbers
        try:
            numbers = np.fromstring(b" ".join(rows).decode("ascii"), dtype=np.int64, sep=" ")
        except (ValueError, DeprecationWarning):
            return None
    kept = lengths - header.skipped
    if len(numbers) != lengths.sum() or (kept < 0).any() or (header.weighted and (kept % 2).any()):
        return None
    place = np.arange(len(numbers)) - np.repeat(np.cumsum(lengths) - lengths, lengths)  # within its line
    if (numbers[place < header.skipped] < 0).any():
        return None
    numbers = numbers[place >= header.skipped]
    step = 2 if header.weighted else 1
    sources = np.repeat(np.arange(first, first + len(rows), dtype=np.int32), kept // step)
    destinations = numbers[::step]
    weights = text.edge_weights(numbers[1::2]) if header.weighted else None
    if (destinations < 1).any() or (destinations > header.vertices).any() or (header.weighted and weights is None):
        return None
    return EdgeList(header.vertices, sources, (destinations - 1).astype(np.int32), weights)


def _wrong_row(path: Path, header: _Header, rows: list[tuple[int, bytes]]) -> GraphFormatError:
    """Find the first wrong line of a vertex."""
    for number, line in rows:
        reason = header.check(line.decode("utf-8", errors="replace").split())
        if reason:
            return GraphFormatError(path, number, reason)
    return GraphFormatError(path, None, "a line is wrong")
