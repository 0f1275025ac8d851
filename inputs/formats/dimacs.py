"""DIMACS files: shortest path, `.gr`, and colouring, `.col`; vertices count from 1, comments begin with `c`.

p sp VERTICES ARCS          a SOURCE DESTINATION WEIGHT
p edge VERTICES EDGES       e VERTEX VERTEX                 (also `p col`)
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import whole_file
from inputs.graph import MAX_COUNT, EdgeList, Graph, concatenate, hash_weights
from inputs.weights import WHOLE, WeightRule

_COMMENT = "c"


@dataclass(frozen=True)
class _Kind:
    """What a file of one kind of problem has.

    Attributes:
        words: what its problem line may call it.
        tag: begins each line of an edge.
        line: such a line, for people.
        counted: what the problem line counts.
        is_doubled: files list each edge once or in both directions, and either may be what they count.
    """

    words: tuple[str, ...]
    tag: str
    line: str
    counted: str
    is_doubled: bool


_PATHS = _Kind(("sp",), "a", "an arc is 'a SOURCE DESTINATION WEIGHT'", "arcs", is_doubled=False)
_COLOURING = _Kind(("edge", "col"), "e", "an edge is 'e VERTEX VERTEX'", "edges", is_doubled=True)
_KINDS = {word: kind for kind in (_PATHS, _COLOURING) for word in kind.words}


def read(path: Path, *, weights: WeightRule = WHOLE) -> EdgeList:
    """Reads the arcs of a road network of the 9th DIMACS Implementation Challenge, or a graph to be coloured.

    Args:
        path: text file, perhaps packed.
        weights: what becomes of those of arcs.

    Returns:
        The arcs, or edges, as written, vertices numbered from 0.

    Raises:
        GraphFormatError: the problem line is missing, wrong, or of another problem, the line of an edge is not as it
            should be, an id is not in [1, vertices], a number is no weight, or there are not as many as promised.
        OSError: the file cannot be read.
    """
    return concatenate(list(stream(path, weights=weights)))


def stream(path: Path, *, weights: WeightRule = WHOLE) -> Iterator[EdgeList]:
    """Reads arcs piece by piece, as `read` does in all else."""
    problem_line, kind, vertex_count, promised = _problem(path)
    weighted = kind is _PATHS

    def check_fields(fields: list[str]) -> str | None:
        if len(fields) == 3 + weighted and fields[0] == kind.tag:
            return None
        return f"{kind.line}, not '{' '.join(fields)[:60]}'"

    # No field has a letter but the first, so that a 'c' elsewhere can only be the start of a comment, too.
    comment = _COMMENT.encode()
    table = text.Table(1, vertex_count, weighted, weights, check_fields, comment=comment, tag=kind.tag)
    found = 0
    for arcs in text.read_edges(path, table, skip_lines=problem_line):
        found += len(arcs.sources)
        yield replace(arcs, vertex_count=vertex_count)
    if found != promised and not (kind.is_doubled and found in (2 * promised, promised / 2)):
        raise GraphFormatError(path, problem_line, f"{promised} {kind.counted} are promised, but the file has {found}")
    if found == 0:
        nothing = np.empty(0, dtype=np.int32)
        yield EdgeList(vertex_count, nothing, nothing, nothing if weighted and not weights.dropped else None)


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


def write_colouring(graph: Graph, path: Path) -> None:
    """Writes every edge once, without its weight.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    with whole_file(path) as file:
        file.write(f"p edge {graph.vertex_count} {graph.edge_count // 2}\n".encode())
        for edges in graph.batches():
            once = edges.sources < edges.destinations
            ends = [edges.sources[once] + 1, edges.destinations[once] + 1]
            text.write_rows(file, [np.full(len(ends[0]), "e"), *ends], " ")


def _problem(path: Path) -> tuple[int, _Kind, int, int]:
    """Finds the problem line: its number, and the kind, the vertices and the edges that it promises."""
    known = " or ".join(f"'p {kind.words[0]} VERTICES {kind.counted.upper()}'" for kind in (_PATHS, _COLOURING))
    for number, line in text.numbered_lines(path):
        match line.split():
            case []:
                continue
            case [word, *_] if word.startswith(_COMMENT):
                continue
            case ["p", word, vertices, edges] if word in _KINDS and text.is_count(vertices) and text.is_count(edges):
                if len(vertices) > 10 or int(vertices) > MAX_COUNT:
                    raise GraphFormatError(path, number, f"{vertices[:60]} vertices do not fit in 32-bit numbers")
                return number, _KINDS[word], int(vertices), int(edges[:20])
            case ["p", word, *_] if word not in _KINDS:
                raise GraphFormatError(path, number, f"{known} is read, not a problem of the kind '{word[:60]}'")
            case _:
                raise GraphFormatError(path, number, f"{known} must come before '{line[:60]}'")
    raise GraphFormatError(path, None, f"the file has no line {known}")
