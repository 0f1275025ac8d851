"""Which module reads which file."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inputs.formats import dimacs, edge_list, egr, matrix_market
from inputs.formats.errors import GraphFormatError
from inputs.graph import EdgeList, Graph


@dataclass(frozen=True)
class Format:
    """A kind of graph file.

    Attributes:
        name: for people.
        suffixes: endings of its file names; `.gz` may follow each.
        read: raises GraphFormatError or OSError.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[Path], EdgeList | Graph]


FORMATS = (
    Format("ECL compressed sparse rows", (".egr",), egr.read),
    Format("edge list (SNAP)", (".txt", ".el", ".tsv"), edge_list.read),
    Format("DIMACS shortest path", (".gr",), dimacs.read),
    Format("MatrixMarket", (".mtx",), matrix_market.read),
)


def format_of(path: Path) -> Format:
    """Find the format of a file by the end of its name, apart from `.gz`.

    Raises:
        GraphFormatError: no format has this suffix.
    """
    suffix = (path.with_suffix("") if path.suffix == ".gz" else path).suffix
    for graph_format in FORMATS:
        if suffix in graph_format.suffixes:
            return graph_format
    known = " ".join(suffix for graph_format in FORMATS for suffix in graph_format.suffixes)
    raise GraphFormatError(path, None, f"unknown suffix '{suffix}'; known, each also with .gz: {known}")


def read(path: Path) -> EdgeList | Graph:
    """Read a graph file of any known format, as it is written: perhaps directed, perhaps with duplicates.

    Args:
        path: the file.

    Returns:
        A `Graph` from formats that store rows, an `EdgeList` from those that list edges.

    Raises:
        GraphFormatError: the file is missing, unreadable, or not a graph.
    """
    graph_format = format_of(path)
    try:
        with path.open(
            "rb"
        ):  # a missing file, a folder and a forbidden file are told apart here, for all formats alike
            pass
        return graph_format.read(path)
    except (EOFError, zlib.error) as error:  # a gzip file that breaks off, or is damaged
        raise GraphFormatError(path, None, str(error)) from error
    except OSError as error:
        raise GraphFormatError(path, None, error.strerror or str(error)) from error


def clean(path: Path, content: EdgeList | Graph) -> Graph:
    """Make what was read from a file into a graph for programs.

    Args:
        path: the file, for the message of an error.
        content: as `read` returns it.

    Returns:
        The graph: undirected, no loops, no duplicates, sorted rows.

    Raises:
        GraphFormatError: the graph is too large for 32-bit numbers.
    """
    edges = content.to_edges() if isinstance(content, Graph) else content
    try:
        return edges.to_graph()
    except ValueError as error:
        raise GraphFormatError(path, None, str(error)) from error


def load(path: Path) -> Graph:
    """Read and clean a graph file of any known format.

    Args:
        path: the file.

    Returns:
        The graph: undirected, no loops, no duplicates, sorted rows.

    Raises:
        GraphFormatError: the file is missing, unreadable, not a graph, or too large for 32-bit numbers.
    """
    return clean(path, read(path))
