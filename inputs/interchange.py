"""Graphs as objects of other libraries: scipy's sparse arrays and networkx's graphs."""

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import coo_array, csc_array, csr_array

from inputs.formats.text import edge_weights
from inputs.graph import Graph, from_arcs, from_edges

if TYPE_CHECKING:
    import networkx as nx


def from_scipy(matrix: coo_array | csr_array | csc_array, *, directed: bool = False) -> Graph:
    """Takes a square sparse matrix as a graph: each stored entry that is not zero is an edge.

    Args:
        matrix: of any sparse format and shape (n, n); scipy's older `..._matrix` classes do as well.
        directed: the entry in row u and column v is an edge from u to v only.

    Returns:
        The graph, undirected or directed, and without loops; with the values as weights if all are whole numbers in
        [0, `MAX_WEIGHT`] and not all are 1.

    Raises:
        ValueError: the matrix is not square, or too large for 32-bit numbers.
    """
    entries = matrix.tocoo()
    rows, columns = entries.shape
    if rows != columns:
        raise ValueError(f"a graph is a square matrix, not {rows} x {columns}")
    kept = entries.data != 0
    values = entries.data[kept]
    weights = None if (values == 1).all() else edge_weights(values)
    clean = from_arcs if directed else from_edges
    return clean(rows, entries.row[kept], entries.col[kept], weights)


def to_scipy(graph: Graph) -> csr_array:
    """Sees a graph as a sparse array; its values are the weights, or 1.

    Returns:
        int32 values, shape (n, n); offsets and neighbours are shared with the graph.
    """
    values = np.ones(graph.edge_count, dtype=np.int32) if graph.weights is None else graph.weights
    return csr_array((values, graph.neighbours, graph.row_offsets), shape=(graph.vertex_count, graph.vertex_count))


def from_networkx(graph: "nx.Graph[Any]", weight: str = "weight", *, directed: bool = False) -> Graph:
    """Takes a networkx graph of any kind; its nodes are numbered in their order.

    Args:
        graph: directed or not, multigraph or not.
        weight: the attribute that holds the weight of an edge.
        directed: edges keep their directions; those of an undirected networkx graph are there in both.

    Returns:
        The graph, undirected or directed, and without loops; with weights if all edges have whole ones in
        [0, `MAX_WEIGHT`].

    Raises:
        ValueError: the graph is too large for 32-bit numbers.
    """
    if directed:
        graph = graph.to_directed()
    number = {node: index for index, node in enumerate(graph)}
    ends = np.array([(number[u], number[v]) for u, v in graph.edges()], dtype=np.int64).reshape(-1, 2)
    values = [data.get(weight) for _, _, data in graph.edges(data=True)]
    is_weighted = bool(values) and all(isinstance(number, Real) for number in values)
    weights = edge_weights(np.array(values)) if is_weighted else None
    clean = from_arcs if directed else from_edges
    return clean(len(number), ends[:, 0], ends[:, 1], weights)


def to_networkx(graph: Graph) -> "nx.Graph[int]":
    """Makes a networkx graph with nodes 0 ... n - 1 and, if there are weights, the attribute `weight`.

    Returns:
        A `DiGraph` if the graph is directed, else a `Graph`.
    """
    import networkx as nx  # here, because nothing else needs it

    edges = graph.to_edges()
    result: nx.Graph[int] = nx.DiGraph() if graph.directed else nx.Graph()
    result.add_nodes_from(range(graph.vertex_count))
    pairs = zip(edges.sources.tolist(), edges.destinations.tolist(), strict=True)
    if graph.weights is None:
        result.add_edges_from(pairs)
    else:
        result.add_weighted_edges_from((u, v, w) for (u, v), w in zip(pairs, graph.weights.tolist(), strict=True))
    return result
