"""Edge lists as SNAP and KONECT publish them: `source destination [weight]` on each line, comments after `#` or `%`.

Blanks, tabs, commas or semicolons separate the numbers. Vertices keep the numbers that the file gives them, so a file
that counts from 1 has an isolated vertex 0. One line before the edges is passed over if it names columns or is a single
number, that of the vertices.
"""

import logging
from collections.abc import Iterator
from pathlib import Path

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import whole_file
from inputs.graph import MAX_COUNT, EdgeList, Graph, concatenate, hash_weights

_COMMENT = b"[#%]"
_log = logging.getLogger(__name__)


def read(path: Path) -> EdgeList:
    """Reads an edge list.

    Args:
        path: text file, perhaps gzipped.

    Returns:
        The edges as written; the number of vertices is the largest id plus 1. Third numbers become weights if all are
        whole, and are dropped with a warning otherwise.

    Raises:
        GraphFormatError: a line has not the number of fields of the first one (2 or 3), or something in it is not a
            number, or an id is negative or too large, or a weight is.
        OSError: the file cannot be read.
    """
    return concatenate(list(stream(path)))


def stream(path: Path, block: int = text.BLOCK) -> Iterator[EdgeList]:
    """Reads an edge list piece by piece, as `read` does in all else.

    Args:
        path: text file, perhaps gzipped.
        block: bytes to parse at a time; only tests need another number.
    """
    header_lines, field_count = _first_edge(path)

    def check_fields(fields: list[str]) -> str | None:
        if set(fields) == {"-1"}:
            return "a line of -1 ends some lists of edges; remove it"
        if len(fields) == field_count:
            return None
        hint = "; if that line counts vertices and edges, put a # before it" if field_count == 2 else ""
        return f"{len(fields)} fields, but the first line has {field_count}{hint}"

    table = text.Table(0, MAX_COUNT - 1, field_count == 3, check_fields, comment=_COMMENT)
    first, found, largest = (0, 0), 0, 0
    for edges in text.read_edges(path, table, skip_lines=header_lines, block=block):
        ends = (edges.sources, edges.destinations)
        if found == 0 and len(edges.sources):
            first = (int(edges.sources[0]), int(edges.destinations[0]))
            largest = max(int(end[1:].max(initial=0)) for end in ends)
        elif found:
            largest = max(largest, edges.vertex_count - 1)
        found += len(edges.sources)
        yield edges
    if field_count == 2 and found > 1 and first[0] >= largest and first[1] == found - 1:
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
            columns = [edges.sources[once], edges.destinations[once]]
            largest = max(largest, edges.destinations.max(initial=0), edges.sources.max(initial=0))
            if edges.weights is not None:
                columns.append(edges.weights[once])
            elif path.suffix == ".wel":
                columns.append(hash_weights(*columns))
            text.write_rows(file, columns, separator)
    if lost := graph.vertex_count - 1 - largest:
        _log.warning("%s: the last vertices have no edge, so an edge list lacks them (%d); .mtx has all", path, lost)


def _first_edge(path: Path) -> tuple[int, int]:
    """Finds the first edge: how many lines are before it, of which one may be a header, and how many fields it has."""
    header_lines = 0
    for number, line in text.numbered_lines(path):
        if number == 1 and line.lower().startswith("%%matrixmarket"):
            raise GraphFormatError(
                path, number, "not an edge list but a matrix; give the file a name that ends in .mtx"
            )
        fields = text.fields_of(line.encode(), _COMMENT)
        if header_lines == 0 and fields and (_names_columns(fields) or (len(fields) == 1 and fields[0].isdecimal())):
            if line.startswith((",", ";", '""')):
                raise GraphFormatError(path, number, "the first column has no name, so it counts lines: cut -d, -f2-")
            header_lines = number
        elif fields and len(fields) not in (2, 3):
            first_two = "cut -d, -f1,2" if "," in line else "cut -d';' -f1,2" if ";" in line else "awk '{print $1, $2}'"
            hint = f"; keep two or three columns: {first_two}" if len(fields) > 3 else ""
            if any(character.isalpha() for character in line):
                hint = "; if this line is a header, put a # before it"
            raise GraphFormatError(path, number, f"an edge has 2 fields, or 3 with a weight, not {len(fields)}{hint}")
        elif fields:
            return header_lines, len(fields)
    raise GraphFormatError(path, None, "the file has no edge")


def _names_columns(fields: list[str]) -> bool:
    """Says whether a line is words, none of which begins like a number."""
    words = "".join(fields)
    is_text = words.isprintable() and any(character.isalpha() for character in words)
    return is_text and not any(field[0].isdecimal() or field[0] in "+-." for field in fields)
