"""DIMACS shortest-path files, `.gr`: `p sp VERTICES ARCS`, then `a SOURCE DESTINATION WEIGHT` from 1, comments `c`."""

from pathlib import Path

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.graph import MAX_COUNT, EdgeList

_COMMENT = "c"


def read(path: Path) -> EdgeList:
    """Read the arcs of a road network of the 9th DIMACS Implementation Challenge.

    Args:
        path: text file, perhaps gzipped.

    Returns:
        The arcs as written, vertices numbered from 0; weights as `text.edge_weights` takes them.

    Raises:
        GraphFormatError: the `p sp` line is missing or wrong, an arc is not `a u v w`, an id is not in
            [1, vertices], or the number of arcs is not the one promised.
        OSError: the file cannot be read.
    """
    problem_line, vertex_count, arc_count = _problem(path)

    def check(fields: list[str]) -> str | None:
        if len(fields) != 4 or fields[0] != "a":
            return f"an arc is 'a SOURCE DESTINATION WEIGHT', not '{' '.join(fields)}'"
        return (
            text.check_vertex(fields[1], first=1, last=vertex_count)
            or text.check_vertex(fields[2], first=1, last=vertex_count)
            or text.check_number(fields[3])
        )

    names = ["kind", "source", "destination", "weight"]
    dtypes = {"kind": "str", "source": "int64", "destination": "int64"}
    columns = text.read_columns(path, names, dtypes, comment=_COMMENT, skip_lines=problem_line, check=check)
    sources, destinations = columns["source"] - 1, columns["destination"] - 1
    in_range = all(((ends >= 0) & (ends < vertex_count)).all() for ends in (sources, destinations))
    if not in_range or not (columns["kind"] == "a").all():
        text.raise_at_wrong_line(path, _COMMENT, problem_line, check, otherwise="an arc is wrong")
    if len(sources) != arc_count:
        raise GraphFormatError(path, problem_line, f"{arc_count} arcs are promised, but the file has {len(sources)}")
    return EdgeList(vertex_count, sources, destinations, text.edge_weights(path, columns["weight"]))


def _problem(path: Path) -> tuple[int, int, int]:
    """Find the `p sp` line: its number, and the vertices and arcs that it promises."""
    for number, line in text.numbered_lines(path):
        match line.split():
            case []:
                continue
            case [word, *_] if word.startswith(_COMMENT):
                continue
            case ["p", "sp", vertices, arcs] if vertices.isdecimal() and arcs.isdecimal():
                if int(vertices) > MAX_COUNT:
                    raise GraphFormatError(path, number, f"{vertices} vertices do not fit in 32-bit numbers")
                return number, int(vertices), int(arcs)
            case _:
                raise GraphFormatError(path, number, f"'p sp VERTICES ARCS' must come before '{line[:60]}'")
    raise GraphFormatError(path, None, "the file has no 'p sp VERTICES ARCS' line")
