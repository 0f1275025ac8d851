"""DIMACS shortest-path files, `.gr`: `p sp VERTICES ARCS`, then `a SOURCE DESTINATION WEIGHT` from 1, comments `c`."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import whole_file
from inputs.graph import MAX_COUNT, EdgeList, Graph, concatenate, hash_weights

_COMMENT = "c"


def read(path: Path) -> EdgeList:
    """Reads the arcs of a road network of the 9th DIMACS Implementation Challenge.

    Args:
        path: text file, perhaps gzipped.

    Returns:
        The arcs as written, vertices numbered from 0; weights are None, with a warning, if one is not whole.

    Raises:
        GraphFormatError: the `p sp` line is missing or wrong, an arc is not `a u v w`, an id is not in [1, vertices],
            a weight is negative or too large, or the number of arcs is not the one promised.
        OSError: the file cannot be read.
    """
    return concatenate(list(stream(path)))


def stream(path: Path) -> Iterator[EdgeList]:
    """Reads arcs piece by piece, as `read` does in all else."""
    problem_line, vertex_count, arc_count = _problem(path)

    def check_fields(fields: list[str]) -> str | None:
        if len(fields) == 4 and fields[0] == "a":
            return None
        return f"an arc is 'a SOURCE DESTINATION WEIGHT', not '{' '.join(fields)[:60]}'"

    # No field has a letter but the first, so that a 'c' elsewhere can only be the start of a comment, too.
    table = text.Table(1, vertex_count, weighted=True, check_fields=check_fields, comment=_COMMENT.encode(), tag="a")
    found = 0
    for arcs in text.read_edges(path, table, skip_lines=problem_line):
        found += len(arcs.sources)
        yield replace(arcs, vertex_count=vertex_count)
    if found != arc_count:
        raise GraphFormatError(path, problem_line, f"{arc_count} arcs are promised, but the file has {found}")
    if found == 0:
        nothing = np.empty(0, dtype=np.int32)
        yield EdgeList(vertex_count, nothing, nothing, nothing)


def write(graph: Graph, path: Path) -> None:
    """Writes every arc; where the graph has no weights, those that programs would make up.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    with whole_file(path) as file:
        file.write(f"p sp {graph.vertex_count} {graph.edge_count}\n".encode())
        for arcs in graph.batches():
            weights = hash_weights(arcs.sources, arcs.destinations) if arcs.weights is None else arcs.weights
            tags = np.full(len(weights), "a")
            text.write_rows(file, [tags, arcs.sources + 1, arcs.destinations + 1, weights], " ")


def _problem(path: Path) -> tuple[int, int, int]:
    """Finds the `p sp` line: its number, and the vertices and arcs that it promises."""
    for number, line in text.numbered_lines(path):
        match line.split():
            case []:
                continue
            case [word, *_] if word.startswith(_COMMENT):
                continue
            case ["p", "sp", vertices, arcs] if vertices.isdecimal() and arcs.isdecimal():
                if len(vertices) > 10 or int(vertices) > MAX_COUNT:
                    raise GraphFormatError(path, number, f"{vertices[:60]} vertices do not fit in 32-bit numbers")
                return number, int(vertices), int(arcs[:20])
            case _:
                raise GraphFormatError(path, number, f"'p sp VERTICES ARCS' must come before '{line[:60]}'")
    raise GraphFormatError(path, None, "the file has no 'p sp VERTICES ARCS' line")
