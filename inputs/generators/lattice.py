"""Graphs whose vertices are the points of a lattice."""

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from inputs.graph import MAX_COUNT, EdgeList, Graph, from_edges
from inputs.hashing import random_bits

_ROAD_EXTRA_SHARE = 0.352  # of the lattice edges outside the spanning tree; makes the average degree about 2.7
_ROAD_TREE, _ROAD_EXTRA = range(2)  # streams of random numbers


def grid(width: int, height: int) -> Graph:
    """Makes a two-dimensional grid: each vertex meets its left, right, upper and lower neighbour, if there is one.

    Args:
        width: vertices in a row, at least 1; vertex (x, y) has the number y * width + x.
        height: number of rows, at least 1.

    Returns:
        width * height vertices and 4 * width * height - 2 * (width + height) directed edges.

    Raises:
        ValueError: a side is not positive, or the grid is too large for 32-bit counts.
    """
    return lattice((height, width))


def lattice(sides: Sequence[int], *, torus: bool = False) -> Graph:
    """Makes a grid of any dimension: each vertex meets the next and the previous one along every side.

    Args:
        sides: vertices along each dimension; numbers rise fastest along the last one.
        torus: the first and the last vertex along a side meet, too.

    Raises:
        ValueError: a side is not positive, or the grid is too large for 32-bit counts.
    """
    return _edges(sides, torus=torus).to_graph()


def road(width: int = 514, height: int = 514, *, seed: int = 1) -> Graph:
    """Makes a road-like network: planar, connected, average degree about 2.7, large diameter, many dead ends.

    It is the minimum spanning tree of a grid with random edge lengths, plus a random share of the other grid edges.

    Args:
        width: vertices in a row of the grid, at least 1.
        height: number of rows, at least 1.
        seed: same seed, same graph.

    Returns:
        The graph, of width * height vertices. With the default size a breadth-first search from vertex 0 takes about
        1,000 levels.

    Raises:
        ValueError: a side is not positive, or the grid is too large for 32-bit counts.
    """
    edges = _edges((height, width), torus=False)
    index = np.arange(len(edges.sources), dtype=np.uint64)
    in_tree = _spanning_tree(edges, lengths=random_bits(seed, _ROAD_TREE, index))
    is_extra = random_bits(seed, _ROAD_EXTRA, index) < np.uint64(_ROAD_EXTRA_SHARE * 2**64)
    kept = in_tree | is_extra
    return from_edges(edges.vertex_count, edges.sources[kept], edges.destinations[kept])


def _edges(sides: Sequence[int], *, torus: bool) -> EdgeList:
    """Lists the edges of a lattice once each, all those along the last side first."""
    name = " x ".join(map(str, sides))
    if not sides or min(sides) < 1:
        raise ValueError(f"a grid has at least 1 vertex a side, not {name}")
    if prod(sides) > MAX_COUNT:
        raise ValueError(f"a grid of {name} has too many vertices for 32-bit numbers")
    vertex = np.arange(prod(sides), dtype=np.int32).reshape(sides)
    sources, destinations = [], []
    for axis in reversed(range(len(sides))):
        nearer = vertex if torus else np.delete(vertex, -1, axis)
        farther = np.roll(vertex, -1, axis) if torus else np.delete(vertex, 0, axis)
        sources.append(nearer.ravel())
        destinations.append(farther.ravel())
    return EdgeList(prod(sides), np.concatenate(sources), np.concatenate(destinations))


def _spanning_tree(edges: EdgeList, lengths: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Marks the edges of the minimum spanning tree of a connected graph without duplicate edges."""
    from scipy.sparse import coo_array  # here, because it takes a while
    from scipy.sparse.csgraph import minimum_spanning_tree

    # Ranks instead of lengths: no ties, so one tree only; exact as floats; never 0, which scipy takes for no edge.
    ranks = np.empty(len(lengths))
    ranks[np.argsort(lengths, kind="stable")] = np.arange(1, len(lengths) + 1)
    shape = (edges.vertex_count, edges.vertex_count)
    tree = minimum_spanning_tree(coo_array((ranks, (edges.sources, edges.destinations)), shape=shape).tocsr())
    return np.isin(ranks, tree.data, assume_unique=True)
