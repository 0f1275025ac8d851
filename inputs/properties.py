"""What a graph file holds and what the graph looks like: the columns of a paper's table of inputs."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from inputs import names
from inputs.formats import egr
from inputs.formats.registry import EGR, clean, file_errors, format_of, read
from inputs.graph import EdgeList, Graph
from inputs.weights import REAL, WHOLE

_PAIRS = 20_000


@dataclass(frozen=True)
class Shape:
    """Measures of a clean graph, on undirected edges unless it is directed.

    Attributes:
        vertices: number of vertices.
        directed_edges: stored edges, two for each undirected one.
        undirected_edges: half of them.
        average_degree: directed edges / vertices.
        maximum_degree: largest number of neighbours.
        share_degree_32: share of vertices with at least 32 neighbours (a warp's worth of work).
        share_degree_512: share of vertices with at least 512 neighbours (a block's worth).
        isolated: vertices without a neighbour.
        components: connected components, isolated vertices included; of a directed graph, weakly connected ones.
        pseudo_diameter: levels of a breadth-first search from the far end of another one, both in the largest
            component: a lower bound of the diameter, and exact on trees. In a directed graph, levels from the vertex of
            that component with the largest out-degree.
        clustering: share of vertices' pairs of neighbours that are neighbours, too, in the mean of all vertices that
            have two: of 20,000 pairs, drawn the same way each time. 0 if there is none.
        directed: edges have directions; then degrees are out-degrees, and there are no undirected edges.
        maximum_in_degree: largest number of edges that come in.
        strong_components: strongly connected components, each vertex in one; those of an undirected graph are its
            components.
    """

    vertices: int
    directed_edges: int
    undirected_edges: int
    average_degree: float
    maximum_degree: int
    share_degree_32: float
    share_degree_512: float
    isolated: int
    components: int
    pseudo_diameter: int
    clustering: float = 0.0
    directed: bool = False
    maximum_in_degree: int = 0
    strong_components: int = 0


@dataclass(frozen=True)
class Storage:
    """What a file contains, before cleaning.

    Attributes:
        arcs: edges as the file lists them.
        symmetric: each edge that is not a loop is there in both directions.
        sorted: arcs are in order of source, then destination.
        loops: arcs from a vertex to itself.
        duplicates: arcs that repeat another one, direction included.
        weighted: the edges have weights.
    """

    arcs: int
    symmetric: bool
    sorted: bool
    loops: int
    duplicates: int
    weighted: bool


@dataclass(frozen=True)
class FileProperties:
    """Everything `violet graphs info` says about a file."""

    path: str
    format: str
    sha256: str
    storage: Storage
    shape: Shape


def inspect(path: Path, *, directed: bool = False) -> FileProperties:
    """Reads a graph file of any known format and measures it.

    Args:
        path: the file.
        directed: edges keep their directions, as those of a directed `.egr` file always do.

    Returns:
        What is stored, and the shape of the graph that programs would run on.

    Raises:
        GraphFormatError: the file is not a graph.
    """
    with file_errors(path):
        is_egr = format_of(path) is EGR
        rule = REAL if is_egr and egr.has_real_weights(path) else WHOLE
    content = read(path, weights=rule) if is_egr or not names.are_needed(path) else names.edges(path, rule)[0]
    graph = clean(path, content, directed=directed or (isinstance(content, Graph) and content.directed))
    stored = content.to_edges() if isinstance(content, Graph) else content
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return FileProperties(str(path), format_of(path).name, sha256, storage(stored, graph), shape(graph))


def storage(edges: EdgeList, graph: Graph) -> Storage:
    """Compares edges as stored with the clean graph made of them."""
    keys = edges.sources.astype(np.uint64) << np.uint64(32) | edges.destinations.astype(np.uint64)
    loops = edges.sources == edges.destinations
    is_sorted = bool((keys[1:] >= keys[:-1]).all())
    if not is_sorted:
        keys.sort()
    repeats = keys[1:] == keys[:-1]
    distinct_loops = len(np.unique(edges.sources[loops]))
    symmetric_count = (graph.to_edges().to_graph() if graph.directed else graph).edge_count
    return Storage(
        arcs=len(keys),
        symmetric=len(keys) - int(repeats.sum()) - distinct_loops == symmetric_count,
        sorted=is_sorted,
        loops=int(loops.sum()),
        duplicates=int(repeats.sum()),
        weighted=edges.weights is not None,
    )


def shape(graph: Graph) -> Shape:
    """Measures a clean graph.

    Args:
        graph: without loops and duplicates.

    Returns:
        Its measures; all 0 for the graph without vertices.
    """
    if graph.vertex_count == 0:
        return Shape(0, 0, 0, 0.0, 0, 0.0, 0.0, 0, 0, 0)
    matrix = _adjacency(graph)
    components, labels = connected_components(matrix, directed=True, connection="weak")
    strong_components = connected_components(matrix, connection="strong")[0] if graph.directed else components
    in_largest = labels == np.argmax(np.bincount(labels))
    hub = int(np.argmax(np.where(in_largest, graph.degrees, -1)))
    far_end, pseudo_diameter = _farthest(matrix, hub)
    if not graph.directed:  # else nothing may leave the far end
        _, pseudo_diameter = _farthest(matrix, far_end)
    return Shape(
        vertices=graph.vertex_count,
        directed_edges=graph.edge_count,
        undirected_edges=0 if graph.directed else graph.edge_count // 2,
        average_degree=graph.edge_count / graph.vertex_count,
        maximum_degree=int(graph.degrees.max()),
        share_degree_32=float((graph.degrees >= 32).mean()),
        share_degree_512=float((graph.degrees >= 512).mean()),
        isolated=int(((graph.degrees == 0) & (np.diff(graph.in_row_offsets) == 0)).sum()),
        components=int(components),
        pseudo_diameter=pseudo_diameter,
        clustering=_clustering(graph),
        directed=graph.directed,
        maximum_in_degree=int(np.diff(graph.in_row_offsets).max()),
        strong_components=int(strong_components),
    )


def bfs_depth(graph: Graph, source: int) -> int:
    """Counts the edges from `source` to the farthest vertex that it reaches."""
    _, depth = _farthest(_adjacency(graph), source)
    return depth


def _clustering(graph: Graph) -> float:
    """Draws pairs of neighbours of random vertices, and returns what share of them is joined."""
    with_two = np.flatnonzero(graph.degrees >= 2)
    if not len(with_two):
        return 0.0
    random = np.random.default_rng(1)
    drawn = random.choice(with_two, _PAIRS)
    first = random.integers(graph.degrees[drawn])
    second = (first + 1 + random.integers(graph.degrees[drawn] - 1)) % graph.degrees[drawn]
    begins = graph.row_offsets[drawn].astype(np.int64)
    u, v = graph.neighbours[begins + first], graph.neighbours[begins + second]
    begin, end = graph.row_offsets[u].astype(np.int64), graph.row_offsets[u.astype(np.int64) + 1].astype(np.int64)
    last = end
    while (searched := begin < end).any():  # a binary search for v in each row of u
        middle = np.where(searched, (begin + end) // 2, 0)
        below = searched & (graph.neighbours[middle] < v)
        begin, end = np.where(below, middle + 1, begin), np.where(searched & ~below, middle, end)
    return float(((begin < last) & (graph.neighbours[np.minimum(begin, graph.edge_count - 1)] == v)).mean())


def _adjacency(graph: Graph) -> csr_array:
    """Sees the graph as scipy's matrix of ones (float64, because csgraph would convert anything else)."""
    ones = np.ones(graph.edge_count)
    return csr_array((ones, graph.neighbours, graph.row_offsets), shape=(graph.vertex_count, graph.vertex_count))


def _farthest(matrix: csr_array, source: int) -> tuple[int, int]:
    """Returns a vertex farthest from `source`, and its distance."""
    order, parents = breadth_first_order(matrix, source, directed=True, return_predecessors=True)
    position = np.empty(matrix.shape[0], dtype=np.int64)
    position[order] = np.arange(len(order))
    # A breadth-first order visits parents in order too, so the next level starts at the first vertex whose parent is
    # not before the start of this one: one binary search a level.
    parent_position = position[parents[order[1:]]]
    start, depth = 1, 0
    while start < len(order):
        start, depth = int(np.searchsorted(parent_position, start)) + 1, depth + 1
    return int(order[-1]), depth
