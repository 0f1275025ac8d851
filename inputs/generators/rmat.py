"""R-MAT graphs."""

from collections.abc import Iterator
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np

from inputs.defaults import GRAPH500, Quadrants
from inputs.generators.draw import CHUNK, EdgeFunction, draw_batches, draw_edges, draw_graph
from inputs.graph import BATCH, I32, EdgeList, Graph
from inputs.hashing import U64, random_bits


def rmat(
    scale: int,
    edges: int,
    quadrants: Quadrants = GRAPH500,
    *,
    seed: int = 1,
    xp: ModuleType = np,
    directed: bool = False,
) -> Graph:
    """Makes an R-MAT graph: each edge falls through `scale` levels of quadrants of the adjacency matrix.

    Vertices keep their numbers (no shuffle), so that low numbers have high degrees.

    Args:
        scale: the graph has 2^scale vertices; 0 to 30.
        edges: how many edges to draw; loops and duplicates then vanish, so fewer remain.
        quadrants: probabilities of the upper left, upper right, lower left and lower right quadrant.
        seed: same seed, same graph.
        xp: numpy, or cupy to do the work on a GPU; the graph is the same.
        directed: edges keep their directions; cleaned without a GPU.

    Returns:
        The graph.

    Raises:
        ValueError: a parameter is out of range or the probabilities do not add up to 1.

    Source:
        D. Chakrabarti, Y. Zhan and C. Faloutsos, "R-MAT: a recursive model for graph mining", SIAM International
        Conference on Data Mining 2004, doi 10.1137/1.9781611972740.43.
    """
    return draw_graph(1 << max(scale, 0), edges, _edge_function(scale, quadrants, seed), xp, directed=directed)


def rmat_batches(
    scale: int, edges: int, quadrants: Quadrants = GRAPH500, *, seed: int = 1, size: int = BATCH
) -> Iterator[EdgeList]:
    """Draws the raw edges of `rmat` piece by piece; `inputs.external.write_graph` makes the same graph of them.

    Args:
        scale: as for `rmat`.
        edges: likewise.
        quadrants: likewise.
        seed: likewise.
        size: how many edges a batch has at most; changes the batches and never the edges.

    Returns:
        The batches, at least one, drawn when they are asked for.

    Raises:
        ValueError: as `rmat`.
    """
    return draw_batches(1 << max(scale, 0), edges, _edge_function(scale, quadrants, seed), size)


def rmat_edges(scale: int, edges: int, quadrants: Quadrants, *, seed: int, chunk: int = CHUNK) -> tuple[I32, I32]:
    """Draws the raw edges of `rmat`, in parallel; `chunk` changes the speed and never the edges.

    Returns:
        Sources and destinations, int32, shape (edges,) each.

    Raises:
        ValueError: as `rmat`.
    """
    return draw_edges(edges, _edge_function(scale, quadrants, seed), chunk)


def _edge_function(scale: int, quadrants: Quadrants, seed: int) -> EdgeFunction:
    """Checks the parameters and binds them."""
    if not 0 <= scale <= 30:
        raise ValueError(f"the scale must be 0 to 30, not {scale}")
    if not (all(share >= 0 for share in quadrants) and abs(sum(quadrants) - 1) <= 1e-9):  # so that NaN fails as well
        raise ValueError(f"the four probabilities must be non-negative and add up to 1, not {quadrants}")
    return partial(_fall, scale, quadrants, seed)


def _fall(scale: int, quadrants: Quadrants, seed: int, index: U64) -> tuple[Any, Any]:
    """Drops the edges numbered `index` through the levels; one 64-bit word decides two of them."""
    a, b, c, _ = quadrants
    thresholds = (np.array([a, a + b, a + b + c]) * 2**31).astype(np.uint32)  # 31 bits: 1.0 must fit as well
    to_right, to_bottom, to_bottom_right = thresholds
    source = (index & np.uint64(0)).astype(np.int32)  # zeros of whatever library the index is from
    destination = source.copy()
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
