"""Labels of a user's own for the vertices of a graph, as matching asks for them.

Programs tell the label of a vertex from its number. So vertices get numbers that have their labels, and numbers that
are left over are vertices without an edge, which no pattern has.
"""

from __future__ import annotations

import csv
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import numpy as np

from generator.numbering import numbers_with
from inputs.formats import packed, text
from inputs.formats.errors import GraphFormatError
from inputs.graph import MAX_COUNT, EdgeList, distinct

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

MOST = 7  # labels of a graph, as in pattern.hpp
_HEADERS = ({"vertex", "name", "id", "node"}, {"from", "source", "src"})  # of lines with a vertex, or two


def read(path: Path) -> dict[str, str]:
    """Reads what each vertex is labelled with.

    Raises:
        GraphFormatError: as `read_column`, or there are too many labels.
    """
    found = read_column(path, "label")
    count = len({*found.values()})
    if count > MOST:
        raise GraphFormatError(path, None, f"{count} different labels, and patterns know 1 to {MOST}")
    return found


def read_column(path: Path, what: str) -> dict[str, str]:
    """Reads what is said of each vertex: two fields a line, after a header or none; `what` is the second one.

    Raises:
        GraphFormatError: a line has other fields, of a vertex two things are said, none is, or the file cannot be read.
    """
    return {vertex: said for (vertex,), said in _rows(path, 1, f"a vertex and its {what}", what).items()}


def read_pairs(path: Path, what: str) -> dict[tuple[str, ...], str]:
    """Reads what is said of pairs of vertices: three fields a line, after a header or none; `what` is the third one.

    Raises:
        GraphFormatError: as `read_column`.
    """
    return _rows(path, 2, f"two vertices and their {what}", what)


def _rows(path: Path, count: int, line_is: str, what: str) -> dict[tuple[str, ...], str]:
    found: dict[tuple[str, ...], str] = {}
    with packed.file_errors(path):
        for number, line in text.numbered_lines(path):
            if not line or line.startswith("#"):
                continue
            mark = next((mark for mark in "\t,;" if mark in line), " ")
            try:
                (row,) = csv.reader([line], delimiter=mark, skipinitialspace=True, strict=True)
            except csv.Error as error:
                raise GraphFormatError(path, number, f"no row of a table: {error}") from None
            fields = [field.strip() for field in row if field.strip()]
            if len(fields) != count + 1:
                raise GraphFormatError(path, number, f"a line is {line_is}, not {len(fields)} fields")
            *vertices, said = fields
            is_number = said[0].isdecimal() or said[0] in "+-."  # then `from` is what a vertex is called
            if not (found or is_number) and vertices[0].lower() in _HEADERS[count - 1]:
                continue
            if (already := found.setdefault((*vertices,), said)) != said:
                whose = "vertex" if count == 1 else "edge"
                raise GraphFormatError(
                    path, number, f"{whose} {', '.join(vertices)} has another {what}, {already}, already"
                )
    if not found:
        raise GraphFormatError(path, None, f"the file has no line of {line_is}")
    return found


def letters(path: Path) -> dict[str, str]:
    """Returns what each letter of a pattern is.

    Raises:
        GraphFormatError: as `read`.
    """
    return dict(zip(ascii_lowercase, sorted({*read(path).values()}), strict=False))


def told(found: dict[str, str]) -> str:
    """Says that in a line."""
    return f"in patterns, {', '.join(f'{letter} is {word}' for letter, word in found.items())}"


def labelled(edges: EdgeList, called: Sequence[object], path: Path) -> tuple[EdgeList, NDArray[Any]]:
    """Numbers the vertices that have edges so that programs see their labels.

    Args:
        edges: of the graph.
        called: what the file of labels calls each vertex.
        path: that file.

    Returns:
        The edges, and what vertices are called, None where a number is left over.

    Raises:
        GraphFormatError: as `read`; or a vertex that has an edge has no label, or there are too many of one label.
    """
    known = read(path)
    words = [*letters(path).values()]
    used = distinct(np.concatenate([edges.sources, edges.destinations]))
    wanted = np.empty(len(used), dtype=np.int32)
    for place, v in enumerate(used.tolist()):
        word = known.get(str(called[v]))
        if word is None:
            raise GraphFormatError(path, None, f"no label for vertex {called[v]}, which has an edge")
        wanted[place] = words.index(word)
    if len(words) * (most := int(np.bincount(wanted).max(initial=0))) > MAX_COUNT // 4:
        raise GraphFormatError(path, None, f"{most:,} vertices of one label are too many")
    numbers = np.zeros(edges.vertex_count, dtype=np.int32)
    numbers[used] = numbers_with(wanted, len(words))
    count = int(numbers.max(initial=0)) + 1
    names = np.full(count, None, dtype=object)
    names[numbers[used]] = [called[v] for v in used.tolist()]
    return EdgeList(count, numbers[edges.sources], numbers[edges.destinations], edges.weights), names
