"""Edge lists as SNAP and KONECT publish them: `source destination [weight]` on each line, comments after `#` or `%`.

Blanks, tabs, commas or semicolons separate the numbers. Vertices keep the numbers that the file gives them, so a file
that counts from 1 has an isolated vertex 0. One line before the edges is passed over if it names columns or is a single
number, that of the vertices.
"""

import logging
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from inputs.formats import edge_table, text
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import whole_file
from inputs.graph import MAX_COUNT, EdgeList, Graph, concatenate, hash_weights
from inputs.weights import WHOLE, WeightRule

if TYPE_CHECKING:
    from numpy.typing import NDArray

_COMMENT = rb"(?:[#%]|(?m:^[ \t]*-1(?:[ \t,;]+-1)*[ \t]*\r?$))"
"""What is no edge: comments, and the line of -1 that ends some lists."""
_EDGES, _VERTICES = ".e", ".v"
_TWO_SIDES = re.compile(r"%\s*bip\b")
_SIZES = re.compile(r"%\s*[0-9]{1,18}\s+([0-9]{1,10})\s+([0-9]{1,10})")
_DECIMAL_COMMA = re.compile(r"\d+[;\s]+\d+[;\s]+-?\d+,\d+")
_LOOKED_AT = 1000  # lines of a file that is wrong
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Start:
    """What comes before the edges.

    Attributes:
        header_lines: how many lines that is.
        field_count: fields of the first edge.
        columns: those of a table whose header says where ends and weights are.
        two_sides: both ends count from 1, as in KONECT's bipartite graphs.
        sides: how many vertices each side has, where the file tells.
    """

    header_lines: int
    field_count: int
    columns: edge_table.Columns | None = None
    two_sides: bool = False
    sides: tuple[int, int] | None = None


def read(path: Path, *, weights: WeightRule = WHOLE) -> EdgeList:
    """Reads an edge list.

    Args:
        path: text file, perhaps packed.
        weights: what becomes of third numbers.

    Returns:
        The edges as written; the number of vertices is the largest id plus 1.

    Raises:
        GraphFormatError: a line has not the number of fields of the first one (2 or 3), or something in it is not a
            number, or an id is negative or too large, or a third number is no weight.
        OSError: the file cannot be read.
    """
    return concatenate(list(stream(path, weights=weights)))


def stream(path: Path, block: int = text.BLOCK, *, weights: WeightRule = WHOLE) -> Iterator[EdgeList]:
    """Reads an edge list piece by piece, as `read` does in all else.

    Args:
        path: text file, perhaps packed.
        block: bytes to parse at a time; only tests need another number.
        weights: what becomes of third numbers.
    """
    start = _start(path)
    if start.columns:
        yield from edge_table.stream(path, start.header_lines, start.columns, weights)
        return
    field_count = start.field_count

    def check_fields(fields: list[str]) -> str | None:
        if len(fields) == field_count:
            return None
        return f"{len(fields)} fields, but the first line has {field_count}{_advice(path)}"

    table = text.Table(int(start.two_sides), MAX_COUNT - 1, field_count == 3, weights, check_fields, comment=_COMMENT)
    read_edges = partial(text.read_edges, path, table, skip_lines=start.header_lines, block=block)
    if start.two_sides:
        yield from _apart(path, start.sides, read_edges)
    elif field_count == 3:
        yield from read_edges()
    else:
        yield from _doubted(path, read_edges())
    last = -1
    for number, word in vertices_beside(path):
        if reason := text.check_vertex(word, first=0, last=MAX_COUNT - 1):
            raise GraphFormatError(path.with_suffix(_VERTICES), number, reason)
        last = max(last, int(word))
    if last >= 0:
        nothing = np.empty(0, dtype=np.int32)
        yield EdgeList(last + 1, nothing, nothing, nothing if field_count == 3 and not weights.dropped else None)


def vertices_beside(path: Path) -> Iterator[tuple[int, str]]:
    """Yields line and name of each vertex that the `.v` file beside a `.e` file lists, as LDBC Graphalytics has them.

    Raises:
        OSError: it cannot be read.
    """
    beside = path.with_suffix(_VERTICES)
    if path.suffix == _EDGES and beside.exists():
        yield from ((number, line.split()[0]) for number, line in text.numbered_lines(beside) if line)


def _doubted(path: Path, batches: Iterable[EdgeList]) -> Iterator[EdgeList]:
    """Passes edges on, and warns if the first of them may be the numbers of vertices and edges."""
    first, found, largest = (0, 0), 0, 0
    for edges in batches:
        ends = (edges.sources, edges.destinations)
        if found == 0 and len(edges.sources):
            first = (int(edges.sources[0]), int(edges.destinations[0]))
            largest = max(int(end[1:].max(initial=0)) for end in ends)
        elif found:
            largest = max(largest, edges.vertex_count - 1)
        found += len(edges.sources)
        yield edges
    if found > 1 and first[0] >= largest and first[1] == found - 1:
        reason = "is read as an edge, but %d edges follow and no id is above %d; if it counts them, put a # before it"
        _log.warning(f"%s: '%d %d' {reason}", path, *first, first[1], first[0])


def write(graph: Graph, path: Path) -> None:
    """Writes every edge once, undirected ones from the smaller vertex; commas separate in `.csv`, tabs in `.tsv`.

    `.wel` of a graph without weights gets those that programs would make up. An edge list cannot say that the last
    vertices have no edge; the log warns if they have none.

    Raises:
        GraphFormatError: the graph has no edge, so there would be nothing in the file.
        OSError: the file cannot be written; nothing is left behind.
    """
    separator = {".csv": ",", ".tsv": "\t"}.get(path.suffix, " ")
    if graph.edge_count == 0:
        raise GraphFormatError(path, None, "an edge list cannot hold a graph without edges; .egr and .mtx can")
    largest = 0
    with whole_file(path) as file:
        for edges in graph.batches():
            once = (edges.sources < edges.destinations) | graph.directed
            columns: list[NDArray[Any]] = [edges.sources[once], edges.destinations[once]]
            largest = max(largest, edges.destinations.max(initial=0), edges.sources.max(initial=0))
            if edges.weights is not None:
                columns.append(edges.weights[once])
            elif path.suffix == ".wel":
                columns.append(hash_weights(*columns))
            text.write_rows(file, columns, separator)
    if lost := graph.vertex_count - 1 - largest:
        _log.warning("%s: the last vertices have no edge, so an edge list lacks them (%d); .mtx has all", path, lost)


def _start(path: Path) -> _Start:
    """Finds the first edge, and what the lines before it say, of which one may be a header."""
    header_lines, two_sides, sides = 0, False, None
    for number, line in text.numbered_lines(path):
        if number == 1 and line.lower().startswith("%%matrixmarket"):
            raise GraphFormatError(
                path, number, "not an edge list but a matrix; give the file a name that ends in .mtx"
            )
        if number == 1:
            two_sides = _TWO_SIDES.match(line) is not None
        elif number == 2 and two_sides and (sizes := _SIZES.fullmatch(line)):
            sides = (int(sizes[1]), int(sizes[2]))
        fields = text.fields_of(line.encode(), _COMMENT)
        if fields[:1] == ["p"] and len(fields) == 4:
            raise GraphFormatError(path, number, "not an edge list but DIMACS; give the file a name that ends in .gr")
        if header_lines == 0 and fields and (_names_columns(fields) or (len(fields) == 1 and text.is_count(fields[0]))):
            header_lines = number
            if columns := edge_table.columns_of(line):
                return _Start(number, 0, columns)
            if line.startswith((",", ";", '""')):
                raise GraphFormatError(path, number, "the first column has no name, so it counts lines: cut -d, -f2-")
        elif fields and len(fields) not in (2, 3):
            hint = _advice(path)
            if not (hint or fields[0].isdecimal()):
                hint = "; if this line is a header, put a # before it"
            raise GraphFormatError(path, number, f"an edge has 2 fields, or 3 with a weight, not {len(fields)}{hint}")
        elif fields:
            return _Start(header_lines, len(fields), two_sides=two_sides, sides=sides)
    raise GraphFormatError(path, None, "the file has no edge")


def _names_columns(fields: list[str]) -> bool:
    """Says whether a line is words, none of which begins like a number."""
    words = "".join(fields)
    is_text = words.isprintable() and any(character.isalpha() for character in words)
    return is_text and not any(field[0].isdecimal() or field[0] in "+-." for field in fields)


def _apart(path: Path, sides: tuple[int, int] | None, batches: Callable[[], Iterator[EdgeList]]) -> Iterator[EdgeList]:
    """Numbers the vertices of the second side after those of the first: the file counts both from 1."""
    if sides is None:
        largest = [(int(edges.sources.max(initial=-1)), int(edges.destinations.max(initial=-1))) for edges in batches()]
        sides = (1 + max(one for one, _ in largest), 1 + max(other for _, other in largest))
    if sum(sides) > MAX_COUNT:
        raise GraphFormatError(path, 2, f"{sum(sides):,} vertices do not fit in 32-bit numbers")
    reason = "bipartite: the %d vertices of its second side are numbered after the %d of the first"
    _log.warning(f"%s: {reason}", path, sides[1], sides[0])
    for edges in batches():
        for ends, side in ((edges.sources, sides[0]), (edges.destinations, sides[1])):
            if ends.max(initial=-1) >= side:
                raise GraphFormatError(path, 2, f"a side of {side} vertices has one with the number {ends.max() + 1}")
        yield replace(edges, vertex_count=sum(sides), destinations=edges.destinations + sides[0])


def _advice(path: Path) -> str:
    """Says how to make an edge list of a file that is none; nothing in doubt, as no advice may lose an edge."""
    lines = [line for _, line in islice(text.numbered_lines(path), _LOOKED_AT)]
    if any(map(_DECIMAL_COMMA.fullmatch, lines)):
        return "; a number has a decimal comma: tr , . makes a point of it"
    rows = [fields for line in lines if (fields := text.fields_of(line.encode(), _COMMENT))]
    if rows and _names_columns(rows[0]):
        del rows[0]
    if not rows:
        return ""
    are_numbers = all(field.isdecimal() for fields in rows for field in fields)
    first, *others = map(len, rows)
    lengths = {first, *others}
    if are_numbers and len(lengths) > 1 and not lengths <= {2, 3}:
        awk = "awk '{for (i = 2; i <= NF; i++) print $1, $i}'"
        return f"; if each line is a vertex and its neighbours, an adjacency list, this makes edges of it: {awk}"
    if lengths == {first} and first > 3:
        separators = {",": "cut -d, -f1,2", ";": "cut -d';' -f1,2"}
        cut = next((cut for mark, cut in separators.items() if mark in lines[-1]), "awk '{print $1, $2}'")
        return f"; keep two or three columns: {cut}"
    if are_numbers and first == 2 and {*others} == {3}:
        return "; if that line counts vertices and edges, put a # before it"
    return ""
