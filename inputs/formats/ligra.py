"""Ligra's adjacency graphs, `.adj`: text with a number on each line, rows of edges after where they begin.

AdjacencyGraph;  n;  m;  row_offsets[n];  neighbours[m]   (WeightedAdjacencyGraph: weights[m] after them)
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import whole_file
from inputs.graph import MAX_COUNT, Graph
from inputs.weights import WHOLE, WeightRule

_PLAIN, _WEIGHTED = b"AdjacencyGraph", b"WeightedAdjacencyGraph"
_LARGEST = 2**53  # from here on, floats leave out whole numbers
_NUMBER = re.compile(rb"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_BLANKS = (b"\n", b" ", b"\t", b"\r")
_SHOWN = 60  # characters of what is wrong


def read(path: Path, *, weights: WeightRule = WHOLE) -> Graph:
    """Reads the rows as they are; all numbers are held in memory.

    Args:
        path: text file, perhaps packed.
        weights: what becomes of them.

    Returns:
        The edges out of each vertex.

    Raises:
        GraphFormatError: the first word is another one, there are more or fewer numbers than the first two promise, or
            one is no number, decreases where offsets may not, or is no vertex or weight; the position is that among
            the numbers.
        OSError: the file cannot be read.
    """
    with text.open_text(path) as file:
        word = text.read_line(file).strip()
        if word not in (_PLAIN, _WEIGHTED):
            raise GraphFormatError(path, 1, f"the first line is not '{_PLAIN.decode()}' or '{_WEIGHTED.decode()}'")
        numbers = _numbers(path, file)
    if len(numbers) < 2:
        raise GraphFormatError(path, None, "the file ends before the numbers of vertices and edges")
    n, m = map(int, _whole(path, numbers[:2]))
    for place, (name, count) in enumerate((("vertices", n), ("edges", m)), start=1):
        if not 0 <= count <= (MAX_COUNT if name == "vertices" else 2**62):
            raise GraphFormatError(path, f"number {place}", f"{count} {name} are not from 0 to {MAX_COUNT}")
    is_weighted = word == _WEIGHTED
    promised = 2 + n + m * (2 if is_weighted else 1)
    if len(numbers) != promised:
        reason = f"{n} vertices and {m} edges make {promised} numbers, but the file has {len(numbers)}"
        raise GraphFormatError(path, f"number {min(promised, len(numbers))}", reason)
    rows = _whole(path, numbers[: 2 + n + m])
    begins, neighbours = rows[2 : 2 + n], rows[2 + n :]
    wrong = (begins < np.concatenate([[0], begins])[:-1]) | (begins > m)
    wrong[:1] |= begins[:1] != 0
    _refuse(path, wrong, 3, rows, f"is no offset: they begin with 0, never decrease, and are at most {m}")
    _refuse(path, (neighbours < 0) | (neighbours >= n), 3 + n, rows, f"is not a vertex in [0, {n})")
    graph = Graph(np.concatenate([begins, [m]]), neighbours.astype(np.int32, copy=False))
    if not is_weighted or weights.dropped:
        return graph
    values = numbers[2 + n + m :]
    found = weights.weights_of(values)
    if found is None:
        objections = (weights.objection(float(value), str(value)) for value in values.tolist())
        at, reason = next((at, reason) for at, reason in enumerate(objections, start=3 + n + m) if reason)
        raise GraphFormatError(path, f"number {at}", reason)
    return replace(graph, weights=found)


def _whole(path: Path, numbers: NDArray[Any]) -> NDArray[np.signedinteger]:
    """Takes the first numbers of the file, all but the weights, as whole ones."""
    if numbers.dtype.kind == "i":
        return numbers
    _refuse(path, ~(np.abs(numbers) < _LARGEST) | (np.floor(numbers) != numbers), 1, numbers, "is no whole number")
    return numbers.astype(np.int64)


def _refuse(path: Path, wrong: NDArray[np.bool_], first: int, numbers: NDArray[Any], reason: str) -> None:
    """Raises for the first number that is wrong, of those from `first` on."""
    if wrong.any():
        at = first + int(wrong.argmax())
        raise GraphFormatError(path, f"number {at}", f"{numbers[at - 1]} {reason}")


def _numbers(path: Path, file: IO[bytes]) -> NDArray[Any]:
    """Parses numbers between any blanks, with all cores: of int32 or int64 if all are whole, else of float64."""
    parts: list[NDArray[Any]] = []
    for content, numbers in text.ahead(_parse, _pieces(path, file)):
        if numbers is None:
            raise _no_number(path, content, sum(map(len, parts)))
        parts.append(numbers)
    return np.concatenate(parts)


def _no_number(path: Path, content: bytes, before: int) -> GraphFormatError:
    """Finds the first word that is no number."""
    for at, word in enumerate(content.split(), start=1 + before):
        if not _NUMBER.fullmatch(word):
            shown = word[:_SHOWN].decode("utf-8", errors="replace")
            return GraphFormatError(path, f"number {at}", f"'{shown}' is not a number")
    return GraphFormatError(path, None, "something in the file cannot be parsed")


def _pieces(path: Path, file: IO[bytes]) -> Iterator[bytes]:
    """Cuts what is left of a file at blanks."""
    rest = b""
    while read := file.read(text.BLOCK):
        text.tell_read(path, file)
        content = rest + read
        end = max(map(content.rfind, _BLANKS)) + 1
        yield content[:end]
        rest = content[end:]
    yield rest


def _parse(content: bytes) -> tuple[bytes, NDArray[Any] | None]:
    numbers = text.numbers(content)
    is_short = numbers is not None and numbers.dtype.kind == "i" and (numbers == numbers.astype(np.int32)).all()
    return content, numbers.astype(np.int32) if numbers is not None and is_short else numbers


def write(graph: Graph, path: Path) -> None:
    """Writes a graph, with weights if it has any.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    columns = [graph.row_offsets[:-1], graph.neighbours]
    with whole_file(path) as file:
        file.write((_PLAIN if graph.weights is None else _WEIGHTED) + b"\n")
        file.write(b"%d\n%d\n" % (graph.vertex_count, graph.edge_count))
        for column in columns if graph.weights is None else [*columns, graph.weights]:
            text.write_rows(file, [column], " ")
