"""Which module reads which file."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from inputs.formats import (
    dimacs,
    edge_list,
    egr,
    galois,
    gapbs,
    graph500,
    ligra,
    matrix_market,
    metis,
    objects,
    packed,
)
from inputs.formats.errors import GraphFormatError
from inputs.formats.text import open_bytes
from inputs.graph import EdgeList, Graph
from inputs.weights import WHOLE, WeightRule


class Read(Protocol):
    """Reads a whole file."""

    def __call__(self, path: Path, /, *, weights: WeightRule) -> EdgeList | Graph:
        """Raises GraphFormatError or OSError."""


class Stream(Protocol):
    """Reads a file piece by piece."""

    def __call__(self, path: Path, /, *, weights: WeightRule) -> Iterator[EdgeList]:
        """Raises GraphFormatError or OSError."""


@dataclass(frozen=True)
class Format:
    """A kind of graph file.

    Attributes:
        name: for people.
        suffixes: endings of its file names; when reading, that of a packing may follow each.
        read: the whole file.
        write: raises OSError, or GraphFormatError if the format cannot hold the graph.
        stream: reads piece by piece, where the format allows it.
        first_id: what its files call the first vertex.
        only_undirected: its files hold undirected graphs only, so a directed one cannot be written.
        stream_once: as `stream`, with one direction of each edge that the format has in both by definition.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Read
    write: Callable[[Graph, Path], None]
    stream: Stream | None = None
    first_id: int = 0
    only_undirected: bool = False
    stream_once: Stream | None = None


_KONECT = "out."
"""How the names of its edge lists begin, and what ends them is the name of the graph."""
_PACKINGS = " ".join(packed.SUFFIXES)
EGR = Format("ECL compressed sparse rows", (".egr",), egr.read, egr.write)
EDGE_LIST = Format(
    "edge list (SNAP)",
    (".txt", ".el", ".wel", ".tsv", ".csv", ".edges", ".edgelist", ".e"),
    edge_list.read,
    edge_list.write,
    edge_list.stream,
)
_DIMACS = Format("DIMACS shortest path", (".gr",), dimacs.read, dimacs.write, dimacs.stream, first_id=1)
_GALOIS = Format(
    "Galois binary",
    (".sgr",),
    galois.read,
    galois.write,
    galois.stream,
    only_undirected=True,
    stream_once=partial(galois.stream, once=True),
)
OBJECTS = Format("what networkx reads", (*objects.KINDS,), objects.read, objects.write)
FORMATS = (
    EGR,
    EDGE_LIST,
    _DIMACS,
    Format(
        "DIMACS colouring",
        (".col",),
        dimacs.read,
        dimacs.write_colouring,
        dimacs.stream,
        first_id=1,
        only_undirected=True,
    ),
    _GALOIS,
    Format(
        "MatrixMarket",
        (".mtx",),
        matrix_market.read,
        matrix_market.write,
        matrix_market.stream,
        first_id=1,
        stream_once=partial(matrix_market.stream, once=True),
    ),
    Format(
        "GAPBS serialised",
        (".sg", ".wsg"),
        gapbs.read,
        gapbs.write,
        gapbs.stream,
        stream_once=partial(gapbs.stream, once=True),
    ),
    Format(
        "METIS",
        (".graph",),
        metis.read,
        metis.write,
        metis.stream,
        first_id=1,
        only_undirected=True,
        stream_once=partial(metis.stream, once=True),
    ),
    Format("Ligra adjacency", (".adj",), ligra.read, ligra.write),
    Format("Graph500 packed edges", (".graph500",), graph500.read, graph500.write, graph500.stream),
    OBJECTS,
)


def format_named(path: Path) -> Format:
    """Finds the format that a file's name promises: by its suffix, apart from that of a packing.

    Raises:
        GraphFormatError: no format has this suffix, or the file is an archive in which no file is plainly the graph.
        OSError: an archive cannot be read.
    """
    name = packed.name_inside(path)
    suffix = Path(name).suffix.lower()
    for graph_format in FORMATS:
        if suffix in graph_format.suffixes:
            return graph_format
    if name.startswith(_KONECT):
        return EDGE_LIST
    known = " ".join(suffix for graph_format in FORMATS for suffix in graph_format.suffixes)
    raise GraphFormatError(path, None, f"unknown suffix '{suffix}'; known, each also packed ({_PACKINGS}): {known}")


def format_of(path: Path) -> Format:
    """Finds the format of a file: that of its name, but `.gr` may also be Galois's, and an edge list networkx's.

    Raises:
        GraphFormatError: no format has this suffix.
        OSError: the file cannot be read.
    """
    named = format_named(path)
    if named is _DIMACS and galois.is_binary(path):
        return _GALOIS
    return OBJECTS if named is EDGE_LIST and objects.has_attributes(path) else named


def read(path: Path | str, *, weights: WeightRule = WHOLE) -> EdgeList | Graph:
    """Reads a graph file of any known format, as it is written: perhaps directed, perhaps with duplicates.

    Args:
        path: the file.
        weights: what becomes of the numbers of edges.

    Returns:
        A `Graph` from formats that store rows, an `EdgeList` from those that list edges.

    Raises:
        GraphFormatError: the file is missing, unreadable, or not a graph.
        NoRoomError: there is no room to unpack it.
    """
    path = Path(path)
    with file_errors(path):
        return format_of(path).read(path, weights=weights)


def stream(path: Path, *, weights: WeightRule = WHOLE, once: bool = False) -> Iterator[EdgeList]:
    """Reads a graph file piece by piece, in bounded memory.

    Args:
        path: the file.
        weights: what becomes of the numbers of edges.
        once: the graph is to be undirected, so one direction is enough of edges that are there in both.

    Yields:
        At least one batch of edges; the graph has the most vertices that a batch has.

    Raises:
        GraphFormatError: as `read`.
    """
    with file_errors(path):
        graph_format = format_of(path)
        if parts := (graph_format.stream_once if once else None) or graph_format.stream:
            yield from parts(path, weights=weights)
            return
        content = graph_format.read(path, weights=weights)
        yield from content.batches() if isinstance(content, Graph) else iter([content])


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Turns what can go wrong with any file into a GraphFormatError."""
    with packed.file_errors(path):
        format_named(path)
        with open_bytes(path):  # a missing file, a folder and a forbidden file are told apart here, for all formats
            pass
        yield


def clean(path: Path, content: EdgeList | Graph, *, directed: bool = False) -> Graph:
    """Makes what was read from a file into a graph for programs.

    Args:
        path: the file, for the message of an error.
        content: as `read` returns it.
        directed: edges keep their directions.

    Returns:
        The graph: undirected unless it is to be directed, no loops, no duplicates, sorted rows.

    Raises:
        GraphFormatError: the graph is too large for 32-bit numbers.
    """
    edges = content.to_edges() if isinstance(content, Graph) else content
    try:
        return edges.to_graph(directed=directed)
    except ValueError as error:
        raise GraphFormatError(path, None, str(error)) from error


def load(path: Path | str, *, directed: bool = False, weights: WeightRule = WHOLE) -> Graph:
    """Reads and cleans a graph file of any known format.

    Args:
        path: the file.
        directed: edges keep the directions that they have in the file.
        weights: what becomes of the numbers of edges.

    Returns:
        The graph: undirected unless it is to be directed, no loops, no duplicates, sorted rows.

    Raises:
        GraphFormatError: the file is missing, unreadable, not a graph, or too large for 32-bit numbers.
        NoRoomError: there is no room to unpack it.
    """
    return clean(Path(path), read(path, weights=weights), directed=directed)
