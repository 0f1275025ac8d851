"""Graphs as objects of other libraries: scipy's sparse arrays and networkx's graphs."""

from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csc_array, csr_array

from inputs.defaults import Duplicates
from inputs.graph import Graph, Weights, from_arcs, from_edges
from inputs.weights import WHOLE, WeightRule

if TYPE_CHECKING:
    import networkx as nx


def from_scipy(
    matrix: coo_array | csr_array | csc_array, *, directed: bool = False, weights: WeightRule = WHOLE
) -> Graph:
    """Takes a square sparse matrix as a graph: each stored entry is an edge, and repeated ones add up, as in scipy.

    Args:
        matrix: of any sparse format and shape (n, n); scipy's older `..._matrix` classes do as well.
        directed: the entry in row u and column v is an edge from u to v only.
        weights: what becomes of the values.

    Returns:
        The graph, undirected or directed, and without loops; with the values as weights, unless they are bool.

    Raises:
        ValueError: the matrix is not square, or too large for 32-bit numbers, or a value is no weight.
    """
    entries = matrix.tocoo(copy=True)
    entries.sum_duplicates()
    rows, columns = entries.shape
    if rows != columns:
        raise ValueError(f"a graph is a square matrix, not {rows} x {columns}")
    values = None if entries.data.dtype == np.bool_ else _weights(entries.data, weights)
    clean = from_arcs if directed else from_edges
    return clean(rows, entries.row, entries.col, values)


def to_scipy(graph: Graph) -> csr_array:
    """Sees a graph as a sparse array; its values are the weights, or true.

    Returns:
        Values of int32 or bool, shape (n, n); offsets and neighbours are shared with the graph.
    """
    values = np.ones(graph.edge_count, dtype=np.bool_) if graph.weights is None else graph.weights
    return csr_array((values, graph.neighbours, graph.row_offsets), shape=(graph.vertex_count, graph.vertex_count))


def from_networkx(
    graph: "nx.Graph[Any]",
    weight: str = "weight",
    *,
    directed: bool = False,
    weights: WeightRule = WHOLE,
    duplicates: Duplicates = "smallest",
) -> Graph:
    """Takes a networkx graph of any kind; its nodes are numbered in their order.

    Args:
        graph: directed or not, multigraph or not.
        weight: the attribute that holds the weight of an edge.
        directed: edges keep their directions; those of an undirected networkx graph are there in both.
        weights: what becomes of them.
        duplicates: what becomes of those of edges between the same two nodes.

    Returns:
        The graph, undirected or directed, and without loops; with weights unless no edge has one.

    Raises:
        ValueError: the graph is too large for 32-bit numbers, a weight is none, or only some edges have one.
    """
    if directed:
        graph = graph.to_directed()
    number = {node: index for index, node in enumerate(graph)}
    ends = np.array([(number[u], number[v]) for u, v in graph.edges()], dtype=np.int64).reshape(-1, 2)
    clean = from_arcs if directed else from_edges
    return clean(len(number), ends[:, 0], ends[:, 1], edge_weights(graph, weight, weights), duplicates)


def edge_weights(graph: "nx.Graph[Any]", weight: str, rule: WeightRule) -> Weights | None:
    """Takes an attribute of edges as their weights, in the order of `graph.edges()`; None if no edge has it.

    Raises:
        ValueError: it is no weight, or only some edges have it.
    """
    values = [data[weight] for _, _, data in graph.edges(data=True) if weight in data]
    if 0 < len(values) < graph.number_of_edges():
        raise ValueError("some edges have a weight and some have none: give all one, or none")
    if not all(isinstance(value, Real) for value in values):
        raise ValueError("a weight is no number")
    return _weights(np.array(values), rule) if values else None


def _weights(values: NDArray[Any], rule: WeightRule) -> Weights | None:
    """Takes values as weights; raises ValueError if one cannot be."""
    if rule.dropped:
        return None
    if values.dtype in (np.object_, np.float16):  # fractions, whole numbers of more than 64 bits, or a range too small
        values = values.astype(np.float64)
    if values.dtype.kind not in "biuf":
        raise ValueError(f"a weight is no number, but {values.dtype}")
    weights = rule.weights_of(values)
    if weights is None:
        reasons = (rule.objection(float(value), str(value)) for value in values.tolist())
        raise ValueError(next(filter(None, reasons), "a weight is no number"))
    return weights


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
