"""Random graphs of kinds that have no file of their own, by counter-based random numbers: the same on CPU and GPU."""

from math import isqrt
from types import ModuleType
from typing import Any

import numpy as np

from inputs.generators.draw import below, chance, check_probability, check_vertices, draw_graph, sort_both_ways
from inputs.graph import BATCH, Graph, from_edges
from inputs.hashing import U64, random_bits

_COORDINATE_BITS = 30  # so that the square of a distance fits in 63 bits
_SIZES = np.array([2] * 28 + [3] * 26 + [4] * 16 + [5] * 9 + [6] * 5 + [8] * 5 + [12] * 5 + [24] * 3 + [48] * 2 + [96])
_TEAM, _REACH = 64, 1024  # co-authors are mostly within a team, and often the leaders of their field


def uniform(vertices: int, edges: int, *, seed: int = 1, xp: ModuleType = np) -> Graph:
    """Makes a uniformly random graph: both ends of every edge are any vertex with equal probability.

    Args:
        vertices: number of vertices.
        edges: how many edges to draw; loops and duplicates then vanish, so slightly fewer remain.
        seed: same seed, same graph.
        xp: numpy, or cupy to do the work on a GPU; the graph is the same.

    Raises:
        ValueError: a number is out of range.
    """

    def ends(index: U64) -> tuple[Any, Any]:
        words = random_bits(seed, 0, index)
        return below(words, vertices), below(words >> np.uint64(32), vertices)

    return draw_graph(vertices, edges, ends, xp)


def small_world(
    vertices: int, neighbours: int = 10, rewired: float = 0.1, *, seed: int = 1, xp: ModuleType = np
) -> Graph:
    """Makes a small world: a ring in which everybody knows the nearest, with some edges rewired to anybody.

    Args:
        vertices: number of vertices.
        neighbours: degree before rewiring, even.
        rewired: probability that the far end of an edge is drawn at random.
        seed: same seed, same graph.
        xp: numpy, or cupy to do the work on a GPU; the graph is the same.

    Raises:
        ValueError: a parameter is out of range.

    Source:
        D. J. Watts and S. H. Strogatz, "Collective dynamics of 'small-world' networks", Nature 393, 1998,
        doi 10.1038/30918.
    """
    check_probability(rewired)
    if neighbours < 0 or neighbours % 2 or neighbours >= max(vertices, 1):
        raise ValueError(f"the degree on the ring must be even and below {vertices:,}, not {neighbours:,}")
    half = np.uint64(max(neighbours // 2, 1))

    def ends(index: U64) -> tuple[Any, Any]:
        source, step = index // half, index % half + np.uint64(1)
        words = random_bits(seed, 0, index)
        is_rewired = chance(words, rewired).astype(np.uint64)
        near, far = (source + step) % np.uint64(vertices), below(words, vertices)
        return source, near + is_rewired * (far - near)  # unsigned numbers wrap, and back

    return draw_graph(vertices, vertices * (neighbours // 2), ends, xp)


def preferential(
    vertices: int, edges_each: int = 8, *, seed: int = 1, xp: ModuleType = np, directed: bool = False
) -> Graph:
    """Makes a scale-free graph: vertices arrive one by one and prefer to join those that have many neighbours.

    The edges' ends are one long list, and the far end of a new edge is a random earlier entry of it. If that entry is
    itself a far end, the same rule says which entry it copied, so that no list is needed.

    Args:
        vertices: number of vertices.
        edges_each: how many edges each new vertex draws; duplicates then vanish.
        seed: same seed, same graph.
        xp: numpy, or cupy to do the work on a GPU; the graph is the same.
        directed: edges lead from new vertices to those before; cleaned without a GPU. Such a graph has no cycle.

    Raises:
        ValueError: a number is out of range.

    Source:
        P. Sanders and C. Schulz, "Scalable generation of scale-free graphs", Information Processing Letters 116(7),
        2016, doi 10.1016/j.ipl.2016.02.004.
    """
    one, each = np.uint64(1), np.uint64(max(edges_each, 1))

    def ends(index: U64) -> tuple[Any, Any]:
        entry = 2 * index + one  # of the far end; even entries are the new vertices themselves
        while (open_ends := entry & one).any():
            drawn = random_bits(seed, 0, entry) % xp.maximum(entry, one)
            entry = entry + open_ends * (drawn - entry)  # only the open ones move; unsigned numbers wrap, and back
        return index // each, (entry >> one) // each

    return draw_graph(vertices, vertices * edges_each, ends, xp, directed=directed)


def coauthors(vertices: int, papers: float = 0.62, *, seed: int = 1, xp: ModuleType = np) -> Graph:
    """Makes a graph of co-authorship: the authors of a paper all know each other, so that it is made of cliques.

    Papers have 2 to 96 authors, mostly few. They come from a team of 64 vertices with consecutive numbers, from the
    few best-known of the 1,024 around it, and seldom from anywhere. With the default the average degree is about 56,
    as that of coPapersDBLP.

    Args:
        vertices: number of vertices.
        papers: how many papers there are for each vertex.
        seed: same seed, same graph.
        xp: numpy, or cupy to do the work on a GPU; the graph is the same.

    Raises:
        ValueError: a number is out of range.
    """
    if not 0 <= papers <= 1000:
        raise ValueError(f"the papers for each vertex must be 0 to 1000, not {papers}")
    # Papers come in rounds of one for each entry of _SIZES; within a round, a table tells paper and authors of an edge.
    pairs = [np.triu_indices(size, k=1) for size in _SIZES]
    paper_of = np.repeat(np.arange(len(_SIZES)), [len(first) for first, _ in pairs])
    tables = [paper_of, *(np.concatenate(columns) for columns in zip(*pairs, strict=True))]
    in_round = np.uint64(len(paper_of))

    def author(paper: U64, place: U64) -> Any:
        home = below(random_bits(seed, 0, paper), vertices)
        words = random_bits(seed, 1, paper * np.uint64(128) + place)
        kind, low = words >> np.uint64(61), words & np.uint64(0xFFFFFFFF)
        square = low * low >> np.uint64(32)
        known = home // np.uint64(_REACH) * np.uint64(_REACH) + (square * square >> np.uint64(54))
        team = home + below(words, _TEAM)
        anyone = below(words, vertices)
        is_known, is_anyone = (kind == 7).astype(np.uint64), (kind == 6).astype(np.uint64)
        return (team + is_known * (known - team) + is_anyone * (anyone - team)) % np.uint64(vertices)

    def ends(index: U64) -> tuple[Any, Any]:
        place = (index % in_round).astype(np.int64)
        paper_in_round, one, other = (xp.asarray(table)[place].astype(np.uint64) for table in tables)
        paper = index // in_round * np.uint64(len(_SIZES)) + paper_in_round
        return author(paper, one), author(paper, other)

    check_vertices(vertices)
    return draw_graph(vertices, round(papers * vertices / len(_SIZES) * len(paper_of)), ends, xp)


def k_max_degree(vertices: int, k: int, *, seed: int = 1, xp: ModuleType = np) -> Graph:
    """Makes a random graph in which nobody has more than k neighbours: k times, everybody is paired with somebody.

    Args:
        vertices: number of vertices.
        k: the largest degree.
        seed: same seed, same graph.
        xp: numpy, or cupy to do the work on a GPU; the graph is the same.

    Raises:
        ValueError: a number is out of range.
    """
    check_vertices(vertices)
    if not 0 <= k < 2**16:
        raise ValueError(f"the largest degree must be 0 to 65,535, not {k:,}")
    index = xp.arange(vertices, dtype=xp.uint64)
    low = np.uint64(0xFFFFFFFF)
    edges = [(index[:0], index[:0])]
    for matching in range(k):
        shuffled = xp.sort(random_bits(seed, matching, index) & ~low | index) & low  # by random upper halves
        pairs = shuffled[: vertices // 2 * 2].reshape(-1, 2)
        edges.append((pairs[:, 0], pairs[:, 1]))
    return sort_both_ways(xp, vertices, edges)


def geometric(vertices: int, radius: float, *, seed: int = 1, xp: ModuleType = np) -> Graph:
    """Makes a random geometric graph: points in the unit square, joined where closer than `radius`.

    Points are numbered cell by cell, as files of such graphs usually are, so that near points have near numbers. The
    average degree is about pi * radius^2 * vertices.

    Args:
        vertices: number of points.
        radius: largest distance of neighbours; above 0, at most 1.
        seed: same seed, same graph.
        xp: numpy, or cupy to do the work on a GPU; the graph is the same.

    Raises:
        ValueError: a number is out of range.
    """
    check_vertices(vertices)
    if not 0 < radius <= 1:
        raise ValueError(f"the radius must be above 0 and at most 1, not {radius}")
    cells = min(int(1 / radius), isqrt(vertices))  # along a side; a cell is at least as wide as the radius
    words = random_bits(seed, 0, xp.arange(vertices, dtype=xp.uint64))
    order = xp.argsort(_cell(words, cells) << np.uint64(32) | xp.arange(vertices, dtype=xp.uint64))
    words = words[order]
    x, y, cell = _coordinate(words, 0), _coordinate(words, 1), _cell(words, cells).astype(xp.int64)
    first_of_cell = xp.searchsorted(cell, xp.arange(cells * (cells + 2) + 1))
    limit = int((radius * 2**_COORDINATE_BITS) ** 2)
    edges = [(cell[:0], cell[:0])]
    for first in range(0, vertices, BATCH // 8):
        point = xp.arange(first, min(first + BATCH // 8, vertices))
        column = cell[point] % cells
        right_end = cell[point] + xp.minimum(column + 2, cells) - column
        below_end, below_begin = right_end + cells, cell[point] + cells - (column > 0)
        # Partners come later in the order: up to the cell to the right, then in the three cells of the next row.
        for begin, end in (
            (point + 1, first_of_cell[right_end]),
            (first_of_cell[below_begin], first_of_cell[below_end]),
        ):
            count = end - begin
            u = xp.repeat(point, count)
            v = xp.arange(len(u)) + xp.repeat(begin - (xp.cumsum(count) - count), count)
            near = (x[u] - x[v]) ** 2 + (y[u] - y[v]) ** 2 < limit
            edges.append((u[near], v[near]))
    return sort_both_ways(xp, vertices, edges)


def chains(vertices: int, *, seed: int = 1, xp: ModuleType = np) -> Graph:
    """Makes long paths that seldom branch, as graphs of the k-mers of a genome are; average degree 2.

    A path has 64 consecutive vertices in the mean. One vertex of 32 is joined to another one, which may be any.

    Args:
        vertices: number of vertices.
        seed: same seed, same graph.
        xp: numpy, or cupy to do the work on a GPU; the graph is the same.

    Raises:
        ValueError: a number is out of range.
    """
    check_vertices(vertices)
    count = np.uint64(vertices)

    def ends(index: U64) -> tuple[Any, Any]:
        """Offers everybody the next vertex, then anyone; a loop is no edge."""
        source, is_branch = index % count, (index >= count).astype(np.uint64)
        words = random_bits(seed, 0, index)
        following, anyone = (source + np.uint64(1)) % count, below(words, vertices)
        ends_path, branches = chance(words, 1 / 64).astype(np.uint64), chance(words, 1 / 32).astype(np.uint64)
        is_edge = is_branch * branches + (np.uint64(1) - is_branch) * (np.uint64(1) - ends_path)
        target = following + is_branch * (anyone - following)  # unsigned numbers wrap, and back
        return source, source + is_edge * (target - source)

    return draw_graph(vertices, 2 * vertices, ends, xp)


def mesh(vertices: int, *, seed: int = 1) -> Graph:
    """Makes a mesh of triangles: Delaunay's triangulation of random points in the unit square; average degree 6.

    Points are numbered cell by cell, as those of `geometric`.

    Args:
        vertices: number of points, at least 4.
        seed: same seed, same graph.

    Raises:
        ValueError: a number is out of range.
    """
    from scipy.spatial import Delaunay  # here, because it takes a while

    check_vertices(vertices)
    if vertices < 4:
        raise ValueError(f"a mesh has at least 4 points, not {vertices}")
    words = random_bits(seed, 0, np.arange(vertices, dtype=np.uint64))
    words = words[np.argsort(_cell(words, isqrt(vertices)), kind="stable")]
    corners = Delaunay(np.stack([_coordinate(words, 0), _coordinate(words, 1)], axis=1)).simplices
    sides = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    return from_edges(vertices, sides[:, 0], sides[:, 1])


def _coordinate(words: U64, axis: int) -> Any:
    """Takes one of the two coordinates of a point, int64 in [0, 2^30), from its random word."""
    return (words >> np.uint64(2 + 32 * axis) & np.uint64(2**_COORDINATE_BITS - 1)).astype(np.int64)


def _cell(words: U64, cells: int) -> Any:
    """Says in which of cells x cells squares a point lies, row by row."""
    column, row = (_coordinate(words, axis) * cells >> _COORDINATE_BITS for axis in (0, 1))
    return (row * cells + column).astype(np.uint64)
