"""Edge lists as SNAP publishes them: `source destination [weight]` on each line, comments after `#`.

Vertices keep the numbers that the file gives them, so a file that counts from 1 has an isolated vertex 0.
"""

from pathlib import Path

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.graph import MAX_COUNT, EdgeList

_COMMENT = "#"
_NAMES = ["source", "destination", "weight"]


def read(path: Path) -> EdgeList:
    """Read an edge list.

    Args:
        path: text file, perhaps gzipped.

    Returns:
        The edges as written; the number of vertices is the largest id plus 1. Third numbers become weights if all are
        positive integers, and are dropped with a warning otherwise.

    Raises:
        GraphFormatError: a line has not the number of fields of the first one (2 or 3), or something in it is not a
            number, or an id is negative or too large.
        OSError: the file cannot be read.
    """
    names = _NAMES[: _field_count(path)]

    def check(fields: list[str]) -> str | None:
        if len(fields) != len(names):
            return f"{len(fields)} fields, but the first line has {len(names)}"
        source, destination, *weight = fields
        last = MAX_COUNT - 1
        return (
            text.check_vertex(source, first=0, last=last)
            or text.check_vertex(destination, first=0, last=last)
            or next(filter(None, map(text.check_number, weight)), None)
        )

    dtypes = {"source": "int64", "destination": "int64"}
    columns = text.read_columns(path, names, dtypes, comment=_COMMENT, skip_lines=0, check=check)
    sources, destinations = columns["source"], columns["destination"]
    largest = int(max(sources.max(), destinations.max()))
    if min(sources.min(), destinations.min()) < 0 or largest >= MAX_COUNT:
        text.raise_at_wrong_line(path, _COMMENT, 0, check, otherwise="a vertex number is out of range")
    weights = text.edge_weights(path, columns["weight"]) if "weight" in columns else None
    return EdgeList(largest + 1, sources, destinations, weights)


def _field_count(path: Path) -> int:
    """Count the fields of the first line that is not a comment."""
    for number, line in text.numbered_lines(path):
        fields = line.split(_COMMENT, maxsplit=1)[0].split()
        if len(fields) in (2, 3):
            return len(fields)
        if fields:
            raise GraphFormatError(path, number, f"an edge has 2 fields, or 3 with a weight, not {len(fields)}")
    raise GraphFormatError(path, None, "the file has no edge")
