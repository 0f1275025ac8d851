"""Graphs of a shape that needs no random numbers."""

from collections.abc import Iterator

import numpy as np

from inputs.generators.draw import check_vertices
from inputs.graph import Graph, from_arcs, from_edges


def star(vertices: int) -> Graph:
    """Joins vertex 0 to all others: the most uneven degrees there are.

    Raises:
        ValueError: there is no vertex, or too many for 32-bit numbers.
    """
    check_vertices(vertices)
    leaves = np.arange(1, vertices, dtype=np.int32)
    return from_edges(vertices, np.zeros_like(leaves), leaves)


def path(vertices: int) -> Graph:
    """Joins each vertex to the next: the largest diameter there is.

    Raises:
        ValueError: there is no vertex, or too many for 32-bit numbers.
    """
    check_vertices(vertices)
    index = np.arange(vertices, dtype=np.int32)
    return from_edges(vertices, index[:-1], index[1:])


def binary_forest(vertices: int, trees: int = 1) -> Graph:
    """Makes complete binary trees of nearly equal size, filled level by level; vertices 0 to trees - 1 are the roots.

    Raises:
        ValueError: there are no trees, more than vertices, or too many vertices for 32-bit numbers.
    """
    check_vertices(vertices)
    if not 1 <= trees <= vertices:
        raise ValueError(f"a forest of {vertices:,} vertices has 1 to {vertices:,} trees, not {trees:,}")
    children = np.arange(trees, vertices, dtype=np.int32)
    return from_edges(vertices, (children - trees) // 2, children)


def all_graphs(vertices: int, *, directed: bool = False) -> Iterator[Graph]:
    """Yields every graph whose vertices are 0 ... vertices - 1.

    There are 1, 2, 8 or 64 of them, and 1, 4, 64 or 4,096 directed ones.

    Args:
        vertices: 1 to 4.
        directed: edges have directions.

    Raises:
        ValueError: there are too many graphs of so many vertices, or none.
    """
    if not 1 <= vertices <= 4:
        raise ValueError(f"all graphs are made for 1 to 4 vertices, not {vertices}")
    sources, destinations = np.triu_indices(vertices, k=1)
    if directed:
        sources, destinations = np.concatenate([sources, destinations]), np.concatenate([destinations, sources])
    for chosen in range(1 << len(sources)):
        kept = (chosen >> np.arange(len(sources)) & 1).astype(np.bool_)
        yield (from_arcs if directed else from_edges)(vertices, sources[kept], destinations[kept])
