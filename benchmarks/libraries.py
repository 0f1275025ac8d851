"""What a Python user would call instead of Violet: for each library, how a graph gets in, and a call an algorithm.

A library gets its own graph object, which is made once and not timed. A call is timed until the library has the result
in its own form; turning that into an array of Violet's, where it takes any work, is not timed. Nothing is imported
until it is asked for, so a library that is not installed costs nothing.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from inputs.graph import Graph, hash_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

DAMPING = 0.85
TOLERANCE = 1e-4
"""What Violet's PageRank ends at: the sum of the changes of all ranks (`templates/algorithms/pr/algorithm.toml`)."""

Answer = Any  # an array, or a number


@dataclass(frozen=True)
class Problem:
    """A graph and what is asked of it.

    Attributes:
        graph: undirected; its weights are there.
        source: the vertex that searches start from.
        threads: that a parallel library may use.
    """

    graph: Graph
    source: int
    threads: int


@dataclass(frozen=True)
class Call:
    """How a library solves one algorithm.

    Attributes:
        run: takes the library's graph and the problem; this is timed.
        read: turns what `run` returned into an array, or a number, as Violet's reference has it; not timed.
    """

    run: Callable[[Any, Problem], Any]
    read: Callable[[Any, Problem], Answer] = lambda found, _: np.asarray(found)


@dataclass(frozen=True)
class Library:
    """A library.

    Attributes:
        package: what it is called.
        modules: what has to be importable for it, itself first.
        model: Violet's programs that it is to be compared with: those of the CPU (`openmp`) or of the GPU (`cuda`).
        load: makes its graph.
        calls: the algorithms that it has.
        threads: how many a call uses, of those that it may.
    """

    package: str
    modules: tuple[str, ...]
    model: str
    load: Callable[[Problem], Any]
    calls: Mapping[str, Call]
    threads: Callable[[Problem], int] = lambda _: 1

    @property
    def installed(self) -> bool:
        """Whether all that it needs can be imported."""
        try:
            for module in self.modules:
                importlib.import_module(module)
        except ImportError:
            return False
        return True

    @property
    def title(self) -> str:
        """Name and version, such as "scipy 1.17.1"."""
        return f"{self.package} {importlib.import_module(self.modules[0]).__version__}"


def weighted(graph: Graph) -> Graph:
    """Returns the graph with the weights that programs give it, unless it has some."""
    if graph.weights is not None:
        return graph
    edges = graph.to_edges()
    return Graph(graph.row_offsets, graph.neighbours, hash_weights(edges.sources, edges.destinations))


def _matrix(problem: Problem) -> Any:
    graph = problem.graph
    shape = (graph.vertex_count, graph.vertex_count)
    from scipy.sparse import csr_array  # here, because it takes a while

    return csr_array((np.asarray(graph.weights, dtype=np.float64), graph.neighbours, graph.row_offsets), shape=shape)


def _upper(problem: Problem) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Returns each undirected edge once: its smaller end, its larger end, its weight."""
    edges = problem.graph.to_edges()
    once = edges.sources < edges.destinations
    assert edges.weights is not None  # noqa: S101  # Problem says so
    return edges.sources[once], np.asarray(edges.destinations[once]), np.asarray(edges.weights[once])


def _sparse(name: str) -> Any:
    return getattr(importlib.import_module("scipy.sparse.csgraph"), name)


def _levels_of_tree(found: Any, problem: Problem) -> Answer:
    """Levels of a breadth-first tree: `found` is the order of visits and the predecessors."""
    order, predecessors = found
    levels = np.full(problem.graph.vertex_count, -1, dtype=np.int64)
    levels[problem.source] = 0
    for vertex in order[1:]:
        levels[vertex] = levels[predecessors[vertex]] + 1
    return levels


def _reached(found: Any, _: Problem) -> Answer:
    """Distances, -1 instead of infinity or of a number that no path has."""
    distances = np.asarray(found, dtype=np.float64).ravel()
    return np.where(distances < 1e15, distances, -1).astype(np.int64)


def _of_vertices(values: Mapping[int, float], problem: Problem, missing: float = 0) -> Answer:
    """An array of what a dictionary has for some vertices."""
    array = np.full(problem.graph.vertex_count, missing, dtype=np.float64)
    array[list(values.keys())] = list(values.values())
    return array


def _members(vertices: Any, problem: Problem) -> Answer:
    chosen = np.zeros(problem.graph.vertex_count, dtype=np.int64)
    chosen[list(vertices)] = 1
    return chosen


def _labels(components: Any, problem: Problem) -> Answer:
    labels = np.zeros(problem.graph.vertex_count, dtype=np.int64)
    for label, vertices in enumerate(components):
        labels[list(vertices)] = label
    return labels


def _number(found: Any, _: Problem) -> Answer:
    return found


SCIPY = Library(
    "scipy",
    ("scipy",),
    "openmp",
    _matrix,
    {
        "bfs": Call(lambda g, p: _sparse("breadth_first_order")(g, p.source), _levels_of_tree),
        "sssp": Call(lambda g, p: _sparse("dijkstra")(g, indices=p.source), _reached),
        "cc": Call(lambda g, _: _sparse("connected_components")(g, directed=False)[1]),
        "mst": Call(lambda g, _: _sparse("minimum_spanning_tree")(g), lambda tree, _: round(tree.sum())),
    },
)


def _networkx(problem: Problem) -> Any:
    graph = importlib.import_module("networkx").Graph()
    graph.add_nodes_from(range(problem.graph.vertex_count))
    columns = (part.tolist() for part in _upper(problem))
    graph.add_weighted_edges_from(zip(*columns, strict=True))
    return graph


def _nx(name: str) -> Any:
    return getattr(importlib.import_module("networkx"), name)


def _nx_ranks(graph: Any, problem: Problem, jump: Mapping[int, int] | None = None) -> Any:
    tolerance = TOLERANCE / problem.graph.vertex_count  # it is multiplied by the number of vertices
    return _nx("pagerank")(graph, alpha=DAMPING, personalization=jump, tol=tolerance, weight=None)


NETWORKX = Library(
    "networkx",
    ("networkx",),
    "openmp",
    _networkx,
    {
        "bfs": Call(
            lambda g, p: _nx("single_source_shortest_path_length")(g, p.source),
            lambda found, p: _of_vertices(found, p, -1),
        ),
        "sssp": Call(
            lambda g, p: _nx("single_source_dijkstra_path_length")(g, p.source),
            lambda found, p: _of_vertices(found, p, -1),
        ),
        "cc": Call(lambda g, _: list(_nx("connected_components")(g)), _labels),
        "pr": Call(_nx_ranks, _of_vertices),
        "ppr": Call(lambda g, p: _nx_ranks(g, p, {p.source: 1}), _of_vertices),
        "tc": Call(lambda g, _: sum(_nx("triangles")(g).values()) // 3, _number),
        "lcc": Call(lambda g, _: _nx("clustering")(g), _of_vertices),
        "mis": Call(lambda g, _: _nx("maximal_independent_set")(g, seed=1), _members),
        "kcore": Call(lambda g, _: _nx("core_number")(g), _of_vertices),
        "mst": Call(
            lambda g, _: list(_nx("minimum_spanning_edges")(g)),
            lambda edges, _: sum(edge["weight"] for _u, _v, edge in edges),
        ),
        "gc": Call(lambda g, _: _nx("greedy_color")(g, "largest_first"), _of_vertices),
        "bc": Call(  # of both directions of an undirected path, it counts one half each
            lambda g, p: _nx("betweenness_centrality_subset")(g, [p.source], list(g)),
            lambda found, p: 2 * _of_vertices(found, p),
        ),
    },
)


def _igraph(problem: Problem) -> Any:
    smaller, larger, weights = _upper(problem)
    edges = np.stack([smaller, larger], axis=1)
    module = importlib.import_module("igraph")
    return module.Graph(problem.graph.vertex_count, edges, edge_attrs={"weight": weights.tolist()})


def _levels_of_layers(found: Any, problem: Problem) -> Answer:
    """Levels by the order of visits and where each layer starts in it."""
    order, starts, _ = found
    levels = np.full(problem.graph.vertex_count, -1, dtype=np.int64)
    levels[order] = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return levels


IGRAPH = Library(
    "igraph",
    ("igraph",),
    "openmp",
    _igraph,
    {
        "bfs": Call(lambda g, p: g.bfs(p.source), _levels_of_layers),
        "sssp": Call(lambda g, p: g.distances(p.source, weights="weight"), _reached),
        "cc": Call(lambda g, _: g.connected_components().membership),
        "pr": Call(lambda g, _: g.pagerank(damping=DAMPING)),
        "ppr": Call(lambda g, p: g.personalized_pagerank(damping=DAMPING, reset_vertices=p.source)),
        "tc": Call(lambda g, _: len(g.list_triangles()), _number),
        "lcc": Call(lambda g, _: g.transitivity_local_undirected(mode="zero")),
        "kcore": Call(lambda g, _: g.coreness()),
        "mst": Call(
            lambda g, _: (g, g.spanning_tree(weights="weight", return_tree=False)),
            lambda found, _: round(sum(found[0].es[found[1]]["weight"])),
        ),
        "gc": Call(lambda g, _: g.vertex_coloring_greedy()),
        "bc": Call(  # of both directions of an undirected path, it counts one half each
            lambda g, p: g.betweenness(sources=[p.source]), lambda found, _: 2 * np.asarray(found)
        ),
    },
)


def _networkit(problem: Problem) -> tuple[Any, Any]:
    """Returns a graph without weights, and one with: what needs none is slower on the latter."""
    kit = importlib.import_module("networkit")
    kit.setNumberOfThreads(problem.threads)
    smaller, larger, weights = _upper(problem)
    n = problem.graph.vertex_count
    ends = (smaller.astype(np.uint64), larger.astype(np.uint64))
    plain = kit.GraphFromCoo(ends, n=n, weighted=False, directed=False)
    return plain, kit.GraphFromCoo((weights.astype(np.float64), ends), n=n, weighted=True, directed=False)


def _nk(path: str, *arguments: Any, **named: Any) -> Any:
    """Makes an algorithm of NetworKit and runs it."""
    module, name = path.split(".")
    part = importlib.import_module(f"networkit.{module}")
    return getattr(part, name)(*arguments, **named).run()


def _nk_ranks(graph: Any) -> Any:
    centrality = importlib.import_module("networkit.centrality")
    ranks = centrality.PageRank(graph, damp=DAMPING, tol=TOLERANCE)
    ranks.norm = centrality.Norm.L1_NORM  # of what changes; by default it is the Euclidean one, which ends too early
    return ranks.run()


def _nk_triangles(graph: Any) -> Any:
    graph.indexEdges()  # the first call, which warms up, makes the index
    return _nk("sparsification.TriangleEdgeScore", graph).scores()


NETWORKIT = Library(
    "networkit",
    ("networkit",),
    "openmp",
    _networkit,
    {
        "bfs": Call(
            lambda g, p: _nk("distance.BFS", g[0], p.source, storePaths=False),
            lambda found, p: _reached(found.getDistances(), p),
        ),
        "sssp": Call(
            lambda g, p: _nk("distance.Dijkstra", g[1], p.source, storePaths=False),
            lambda found, p: _reached(found.getDistances(), p),
        ),
        "cc": Call(
            lambda g, _: _nk("components.ParallelConnectedComponents", g[0]),
            lambda found, _: np.asarray(found.getPartition().getVector()),
        ),
        "pr": Call(lambda g, _: _nk_ranks(g[0]), lambda found, _: np.asarray(found.scores())),
        "tc": Call(lambda g, _: _nk_triangles(g[0]), lambda scores, _: round(sum(scores)) // 3),
        "mis": Call(lambda g, _: importlib.import_module("networkit.independentset").Luby().run(g[0])),
        "kcore": Call(
            lambda g, _: _nk("centrality.CoreDecomposition", g[0]), lambda found, _: np.asarray(found.scores())
        ),
        "mst": Call(lambda g, _: _nk("graph.KruskalMSF", g[1]), lambda found, _: round(found.getTotalWeight())),
    },
    threads=lambda problem: problem.threads,
)


def _cugraph(problem: Problem) -> tuple[Any, ...]:
    """Returns the handle, and on the GPU the rows, a graph without weights, one with, and one stored transposed."""
    cupy, plc = importlib.import_module("cupy"), importlib.import_module("pylibcugraph")
    handle = plc.ResourceHandle()
    properties = plc.GraphProperties(is_symmetric=True, is_multigraph=False)
    offsets, neighbours = cupy.asarray(problem.graph.row_offsets), cupy.asarray(problem.graph.neighbours)
    weights = cupy.asarray(problem.graph.weights, dtype=cupy.float32)

    def make(weights: Any = None, *, transposed: bool = False) -> Any:
        return plc.SGGraph(
            handle,
            properties,
            offsets,
            neighbours,
            weight_array=weights,
            store_transposed=transposed,
            renumber=False,
            do_expensive_check=False,
            input_array_format="CSR",
        )

    return handle, make(), make(weights), make(transposed=True)


def _plc(name: str, *arguments: Any) -> Any:
    """Calls pylibcugraph, and waits for the GPU."""
    found = getattr(importlib.import_module("pylibcugraph"), name)(*arguments)
    importlib.import_module("cupy").cuda.runtime.deviceSynchronize()
    return found


def _plc_bfs(graphs: Any, problem: Problem) -> Any:
    sources = importlib.import_module("cupy").asarray([problem.source], dtype=np.int32)
    unlimited = -1
    distances, _, vertices = _plc("bfs", graphs[0], graphs[1], sources, True, unlimited, False, False)
    return vertices, distances


def _plc_sssp(graphs: Any, problem: Problem) -> Any:
    with_predecessors = True  # it refuses to go without
    return _plc("sssp", graphs[0], graphs[2], problem.source, float("inf"), with_predecessors, False)


def _by_vertex(found: Any, problem: Problem) -> Answer:
    """Values in the order of vertices."""
    vertices, values = (part.get() for part in found[:2])
    array = np.zeros(problem.graph.vertex_count, dtype=np.float64)
    array[vertices] = values
    return array


# Written by its documentation: the tests and the committed figures have no GPU.
CUGRAPH = Library(
    "pylibcugraph",
    ("pylibcugraph", "cupy"),
    "cuda",
    _cugraph,
    {
        # Vertices that it does not reach have the largest number of the type.
        "bfs": Call(
            _plc_bfs,
            lambda found, p: np.where((levels := _by_vertex(found, p)) < 2**31 - 1, levels, -1).astype(np.int64),
        ),
        "sssp": Call(_plc_sssp, lambda found, p: _reached(_by_vertex(found, p), p)),
        "cc": Call(
            lambda g, _: _plc("weakly_connected_components", g[0], g[1], None, None, None, None, False), _by_vertex
        ),
        "pr": Call(
            lambda g, _: _plc("pagerank", g[0], g[3], None, None, None, None, DAMPING, TOLERANCE, 100, False),
            _by_vertex,
        ),
        "tc": Call(
            lambda g, _: _plc("triangle_count", g[0], g[1], None, False), lambda found, _: int(found[1].sum()) // 3
        ),
        "kcore": Call(lambda g, _: _plc("core_number", g[0], g[1], "outgoing", False), _by_vertex),
    },
)

LIBRARIES = {library.package: library for library in (SCIPY, NETWORKX, IGRAPH, NETWORKIT, CUGRAPH)}
