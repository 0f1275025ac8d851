"""Files that networkx reads: GraphML, GML, GEXF, Pajek, its lists of neighbours, and edges with attributes in braces.

What such a file calls its vertices is kept (`inputs.names`): words in their order, numbers in ascending order.
"""

import io
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import whole_file
from inputs.graph import EdgeList, Graph
from inputs.interchange import edge_weights, to_networkx
from inputs.weights import WHOLE, WeightRule

if TYPE_CHECKING:
    from collections.abc import Callable

    import networkx as nx

KINDS = {".graphml": "graphml", ".gml": "gml", ".gexf": "gexf", ".net": "pajek", ".adjlist": "adjlist"}
"""What networkx calls the formats."""

_LIST = "edgelist"
_LISTS = (_LIST, "adjlist")
_NUMBER = re.compile(r"[0-9]{1,19}")
_PYTHONS_OWN = re.compile(r"(?<=\d)_(?=\d)|(?=(?![0-9])\d)")
"""Where a number is one for Python alone: before _ between digits, and digits other than 0 to 9."""
_SHOWN = 200  # characters of what networkx says


def has_attributes(path: Path) -> bool:
    """Tells whether the first edge of a list of edges has attributes in braces, as networkx writes them.

    Raises:
        OSError: the file cannot be read.
    """
    lines = (line for _, line in text.numbered_lines(path) if line and not line.startswith(("#", "%")))
    return re.search(r"\s\{.*\}$", next(lines, "")) is not None


def read(path: Path, *, weights: WeightRule = WHOLE) -> EdgeList:
    """Reads a graph as `read_named` does, without the names."""
    return read_named(path, weights)[0]


def read_named(path: Path, rule: WeightRule) -> tuple[EdgeList, NDArray[Any]]:
    """Reads a graph with networkx; all of it is held in memory, as objects.

    Args:
        path: the file, perhaps packed.
        rule: what becomes of attributes called `weight`.

    Returns:
        The edges, in both directions where the file says that they have none, and what each vertex is called.

    Raises:
        GraphFormatError: networkx is missing or does not read it, or some edges have a weight that is none, or none.
        OSError: the file cannot be read.
    """
    graph = _parse(path)
    names = [str(node) for node in graph]
    called: NDArray[Any] = np.array(names, dtype=object)
    order = np.arange(len(names))
    numbers = {*map(int, names)} if all(map(_NUMBER.fullmatch, names)) else None
    if numbers is not None and len(numbers) == len(names) and max(numbers, default=0) < 2**63:
        called = called.astype(np.int64)
        order = np.argsort(called)
    places = np.empty(len(names), dtype=np.int32)
    places[order] = np.arange(len(names), dtype=np.int32)
    number = dict(zip(graph, places.tolist(), strict=True))
    ends = np.array([(number[u], number[v]) for u, v in graph.edges()], dtype=np.int32).reshape(-1, 2)
    try:
        weights = edge_weights(graph, "weight", rule)
    except ValueError as error:
        raise GraphFormatError(path, None, str(error)) from error
    if not graph.is_directed():
        ends = np.concatenate([ends, ends[:, ::-1]])
        weights = None if weights is None else np.concatenate([weights, weights])
    return EdgeList(len(names), ends[:, 0], ends[:, 1], weights), called[order]


def write(graph: Graph, path: Path) -> None:
    """Writes a graph; its vertices are called by their numbers.

    Raises:
        GraphFormatError: networkx is missing.
        OSError: the file cannot be written; nothing is left behind.
    """
    networkx = _networkx(path)
    with whole_file(path) as file:
        getattr(networkx, f"write_{KINDS[path.suffix.lower()]}")(to_networkx(graph), file)


def _parse(path: Path) -> "nx.Graph[Any]":
    networkx = _networkx(path)
    kind = next((KINDS[suffix.lower()] for suffix in reversed(path.suffixes) if suffix.lower() in KINDS), _LIST)
    with text.open_text(path) if kind in _LISTS else text.open_bytes(path) as file:
        content = file.read()
    options = {"create_using": networkx.MultiDiGraph} if kind in _LISTS else {}
    reader = partial(getattr(networkx, f"read_{kind}"), **options)
    try:
        graph: nx.Graph[Any] = reader(io.BytesIO(content))
    except MemoryError:
        raise
    except Exception as error:  # whatever goes wrong in its readers
        said = " ".join(f"{type(error).__name__}: {error}".split())[:_SHOWN]
        raise GraphFormatError(path, None, f"networkx cannot read it as {kind}: {said}") from error
    marked = _PYTHONS_OWN.sub("__", content.decode(errors="surrogateescape")).encode(errors="surrogateescape")
    if marked != content and not _has_same_weights(graph, reader, marked):
        raise GraphFormatError(path, None, "a number has _ or other digits than 0 to 9 in it, as only Python takes")
    return graph


def _has_same_weights(graph: "nx.Graph[Any]", reader: "Callable[..., nx.Graph[Any]]", content: bytes) -> bool:
    """Tells whether weights are read as before although what only Python takes for a number is none any more."""
    try:
        other = reader(io.BytesIO(content))
    except Exception:  # a number is none, for whatever reader
        return False
    known, found = ([data.get("weight") for *_, data in each.edges(data=True)] for each in (graph, other))
    return known == found


def _networkx(path: Path) -> Any:
    try:
        import networkx
    except ImportError as error:
        raise GraphFormatError(path, None, "this format needs networkx: pip install networkx") from error
    return networkx
