"""Edge lists as SNAP publishes them: `source destination [weight]` on each line, comments after `#`.

Blanks, tabs or commas separate the numbers. Vertices keep the numbers that the file gives them, so a file that counts
from 1 has an isolated vertex 0. A first line of words, as CSV files have it, is passed over.
"""

from collections.abc import Iterator
from pathlib import Path

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import replacing
from inputs.graph import MAX_COUNT, EdgeList, Graph, concatenate, hash_weights

_COMMENT = b"#"


def read(path: Path) -> EdgeList:
    """Read an edge list.

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
    """Read an edge list piece by piece, as `read` does in all else.

    Args:
        path: text file, perhaps gzipped.
        block: bytes to parse at a time; only tests need another number.
    """
    header_lines, field_count = _first_edge(path)

    def check_fields(fields: list[str]) -> str | None:
        if len(fields) == field_count:
            return None
        return f"{len(fields)} fields, but the first line has {field_count}"

    table = text.Table(0, MAX_COUNT - 1, field_count == 3, check_fields, comment=_COMMENT)
    yield from text.read_edges(path, table, skip_lines=header_lines, block=block)


def write(graph: Graph, path: Path) -> None:
    """Write every undirected edge once, the smaller vertex first; commas separate in `.csv`, tabs in `.tsv`.

    `.wel` of a graph without weights gets those that programs would make up. An edge list cannot say that the last
    vertices have no edge.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    separator = {".csv": ",", ".tsv": "\t"}.get(path.suffix, " ")
    with replacing(path) as file:
        for edges in graph.batches():
            once = edges.sources < edges.destinations
            columns = [edges.sources[once], edges.destinations[once]]
            if edges.weights is not None:
                columns.append(edges.weights[once])
            elif path.suffix == ".wel":
                columns.append(hash_weights(*columns))
            text.write_rows(file, columns, separator)


def _first_edge(path: Path) -> tuple[int, int]:
    """Find the first edge: how many lines of words are before it (1 or none), and how many fields it has."""
    header_lines = 0
    for number, line in text.numbered_lines(path):
        fields = text.fields_of(line.encode(), _COMMENT)
        if number == 1 and fields and all(field.isidentifier() for field in fields):
            header_lines = 1
        elif fields and len(fields) not in (2, 3):
            raise GraphFormatError(path, number, f"an edge has 2 fields, or 3 with a weight, not {len(fields)}")
        elif fields:
            return header_lines, len(fields)
    raise GraphFormatError(path, None, "the file has no edge")
