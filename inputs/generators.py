"""Synthetic graphs, the same bytes for the same parameters on every machine."""

from concurrent.futures import ThreadPoolExecutor
from os import cpu_count

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import minimum_spanning_tree

from inputs.graph import I32, EdgeList, Graph, from_edges
from inputs.hashing import random_bits

Quadrants = tuple[float, float, float, float]

GRAPH500: Quadrants = (0.57, 0.19, 0.19, 0.05)
GTGRAPH: Quadrants = (0.45, 0.15, 0.15, 0.25)  # also the Galois and ECL inputs called rmat16 and rmat22

RMAT_CHUNK = 1 << 16  # edges at a time: their levels stay in the cache
_ROAD_EXTRA_SHARE = 0.352  # of the lattice edges outside the spanning tree; makes the average degree about 2.7
_ROAD_TREE, _ROAD_EXTRA = range(2)  # streams of random numbers


def grid(width: int, height: int) -> Graph:
    """Make a two-dimensional grid: each vertex meets its left, right, upper and lower neighbour, if there is one.

    Args:
        width: vertices in a row, at least 1; vertex (x, y) has the number y * width + x.
        height: number of rows, at least 1.

    Returns:
        width * height vertices and 4 * width * height - 2 * (width + height) directed edges.

    Raises:
        ValueError: a side is not positive, or the grid is too large for 32-bit counts.
    """
    return _lattice(width, height).to_graph()


def rmat(
    scale: int,
    edges: int,
    quadrants: Quadrants = GRAPH500,
    *,
    seed: int = 1,
) -> Graph:
    """Make an R-MAT graph: each edge falls through `scale` levels of quadrants of the adjacency matrix.

    Vertices keep their numbers (no shuffle), so that low numbers have high degrees.

    Args:
        scale: the graph has 2^scale vertices; 0 to 30.
        edges: how many edges to draw; loops and duplicates then vanish, so fewer remain.
        quadrants: probabilities of the upper left, upper right, lower left and lower right quadrant.
        seed: same seed, same graph.

    Returns:
        The graph, undirected.

    Raises:
        ValueError: a parameter is out of range or the probabilities do not add up to 1.

    Source:
        D. Chakrabarti, Y. Zhan and C. Faloutsos, "R-MAT: a recursive model for graph mining", SIAM International
        Conference on Data Mining 2004, doi 10.1137/1.9781611972740.43.
    """
    sources, destinations = rmat_edges(scale, edges, quadrants, seed=seed)
    return from_edges(1 << scale, sources, destinations)


def rmat_edges(
    scale: int,
    edges: int,
    quadrants: Quadrants,
    *,
    seed: int,
    chunk: int = RMAT_CHUNK,
) -> tuple[I32, I32]:
    """Draw the raw edges of `rmat`, in parallel; `chunk` changes the speed and never the edges.

    Returns:
        Sources and destinations, int32, shape (edges,) each.

    Raises:
        ValueError: as `rmat`.
    """
    if not 0 <= scale <= 30:
        raise ValueError(f"the scale must be 0 to 30, not {scale}")
    if edges < 0:
        raise ValueError(f"the number of edges must not be negative: {edges}")
    if not (all(share >= 0 for share in quadrants) and abs(sum(quadrants) - 1) <= 1e-9):  # so that NaN fails as well
        raise ValueError(f"the four probabilities must be non-negative and add up to 1, not {quadrants}")
    a, b, c, _ = quadrants
    thresholds = np.array([a, a + b, a + b + c])
    sources, destinations = np.empty(edges, dtype=np.int32), np.empty(edges, dtype=np.int32)

    def draw(first: int) -> None:
        part = slice(first, min(first + chunk, edges))
        index = np.arange(part.start, part.stop, dtype=np.uint64)
        sources[part], destinations[part] = _rmat_chunk(scale, thresholds, seed, index)

    with ThreadPoolExecutor(cpu_count()) as pool:  # numpy releases the interpreter lock
        for done in [pool.submit(draw, first) for first in range(0, edges, chunk)]:
            done.result()
    return sources, destinations


def road(width: int = 514, height: int = 514, *, seed: int = 1) -> Graph:
    """Make a road-like network: planar, connected, average degree about 2.7, large diameter, many dead ends.

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
    lattice = _lattice(width, height)
    index = np.arange(len(lattice.sources), dtype=np.uint64)
    in_tree = _spanning_tree(lattice, lengths=random_bits(seed, _ROAD_TREE, index))
    is_extra = random_bits(seed, _ROAD_EXTRA, index) < np.uint64(_ROAD_EXTRA_SHARE * 2**64)
    kept = in_tree | is_extra
    return from_edges(lattice.vertex_count, lattice.sources[kept], lattice.destinations[kept])


def _lattice(width: int, height: int) -> EdgeList:
    """List the edges of a grid once each: all horizontal ones, then all vertical ones."""
    if width < 1 or height < 1:
        raise ValueError(f"a grid has at least 1 vertex a side, not {width} x {height}")
    if width * height >= 2**31:
        raise ValueError(f"a grid of {width} x {height} has too many vertices for 32-bit numbers")
    vertex = np.arange(width * height, dtype=np.int32).reshape(height, width)
    sources = np.concatenate([vertex[:, :-1].ravel(), vertex[:-1, :].ravel()])
    destinations = np.concatenate([vertex[:, 1:].ravel(), vertex[1:, :].ravel()])
    return EdgeList(width * height, sources, destinations)


def _spanning_tree(edges: EdgeList, lengths: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Mark the edges of the minimum spanning tree of a connected graph without duplicate edges."""
    # Ranks instead of lengths: no ties, so one tree only; exact as floats; never 0, which scipy takes for no edge.
    ranks = np.empty(len(lengths))
    ranks[np.argsort(lengths, kind="stable")] = np.arange(1, len(lengths) + 1)
    shape = (edges.vertex_count, edges.vertex_count)
    tree = minimum_spanning_tree(coo_array((ranks, (edges.sources, edges.destinations)), shape=shape).tocsr())
    return np.isin(ranks, tree.data, assume_unique=True)


def _rmat_chunk(scale: int, thresholds: NDArray[np.float64], seed: int, index: NDArray[np.uint64]) -> tuple[I32, I32]:
    """Drop the edges numbered `index` through the levels; one 64-bit word decides two of them."""
    to_right, to_bottom, to_bottom_right = (thresholds * 2**31).astype(np.uint32)  # 31 bits: 1.0 must fit as well
    source, destination = np.zeros(len(index), dtype=np.int32), np.zeros(len(index), dtype=np.int32)
    for level in range(scale):
        if level % 2 == 0:
            words = random_bits(seed, level // 2, index)
            draw = words.astype(np.uint32) >> np.uint32(1)
        else:
            draw = (words >> np.uint64(33)).astype(np.uint32)
        bottom = draw >= to_bottom
        right = (draw >= to_right) ^ bottom ^ (draw >= to_bottom_right)
        source = (source << 1) | bottom
        destination = (destination << 1) | right
    return source, destination
