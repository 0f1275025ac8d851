"""A random graph as a function from the number of an edge to the edge.

Such a function needs nothing but its argument (see `inputs.hashing`), so edges can be drawn in any order: in chunks by
all threads with numpy, or all at once on a GPU with cupy. Functions use only what arrays of both libraries offer, and
only integers, whose arithmetic is the same everywhere.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from types import ModuleType
from typing import Any

import numpy as np

from inputs.graph import BATCH, I32, MAX_COUNT, EdgeList, Graph, from_arcs, from_edges
from inputs.hashing import U64
from inputs.progress import tell

CHUNK = 1 << 16  # edges at a time: what is computed on the way stays in the cache
_ON_GPU = 1 << 28  # ... on a GPU: some functions of cupy take no more than 2^31 elements
_SORTED_ON_GPU = 1 << 29  # directed edges, or those of one vertex if it has more: 20 GB with all that sorting needs
EdgeFunction = Callable[[U64], tuple[Any, Any]]
"""Takes numbers of edges, uint64, shape (k,); returns sources and destinations, integers, shape (k,)."""


def draw_graph(
    vertices: int, edges: int, function: EdgeFunction, xp: ModuleType = np, *, directed: bool = False
) -> Graph:
    """Draws edges and cleans them into a graph.

    Args:
        vertices: number of vertices.
        edges: how many edges to draw; loops and duplicates then vanish, so fewer remain.
        function: draws them.
        xp: numpy, or cupy to do the work on a GPU; the graph is the same.
        directed: edges keep the directions in which they are drawn; cleaned without a GPU.

    Raises:
        ValueError: a number is negative, or too large: without a GPU, edges are counted in 32 bits.
    """
    if directed or xp is np:
        _check_counts(vertices, edges, MAX_COUNT)
        sources, destinations = draw_edges(edges, function)
        tell("sorting", 0, 1)
        return (from_arcs if directed else from_edges)(vertices, sources, destinations)
    _check_counts(vertices, edges)
    firsts = range(0, max(edges, 1), _ON_GPU)
    numbers = (xp.arange(first, min(first + _ON_GPU, edges), dtype=xp.uint64) for first in firsts)
    return sort_both_ways(xp, vertices, [function(some) for some in numbers])


def draw_batches(vertices: int, edges: int, function: EdgeFunction, size: int = BATCH) -> Iterator[EdgeList]:
    """Draws the edges of `draw_graph` piece by piece, for graphs larger than memory.

    Args:
        vertices: as for `draw_graph`.
        edges: likewise.
        function: likewise.
        size: how many edges a batch has at most.

    Returns:
        The batches, at least one, drawn when they are asked for; `inputs.external.write_graph` cleans them.

    Raises:
        ValueError: as `draw_graph`.
    """
    _check_counts(vertices, edges)
    firsts = range(0, max(edges, 1), size)
    return (EdgeList(vertices, *_draw(first, min(first + size, edges), edges, function)) for first in firsts)


def draw_edges(edges: int, function: EdgeFunction, chunk: int = CHUNK) -> tuple[I32, I32]:
    """Draws edges with all cores; `chunk` changes the speed and never the edges.

    Returns:
        Sources and destinations, int32, shape (edges,) each.
    """
    return _draw(0, edges, edges, function, chunk)


def _draw(first: int, stop: int, total: int, function: EdgeFunction, chunk: int = CHUNK) -> tuple[I32, I32]:
    """Draws the edges numbered `first` to `stop` - 1 of `total`; the rest as `draw_edges`."""
    sources, destinations = np.empty(stop - first, dtype=np.int32), np.empty(stop - first, dtype=np.int32)

    def fill(start: int) -> None:
        numbers = np.arange(start, min(start + chunk, stop), dtype=np.uint64)
        part = slice(start - first, start - first + len(numbers))
        sources[part], destinations[part] = function(numbers)

    pool = ThreadPoolExecutor(cpu_count())  # numpy releases the interpreter lock
    try:
        starts = range(first, stop, chunk)
        for start, done in zip(starts, [pool.submit(fill, start) for start in starts], strict=True):
            tell("drawing edges", start, total)
            done.result()
    finally:
        pool.shutdown(cancel_futures=True)  # an interrupt need not wait for what has not begun
    tell("drawing edges", stop, total)
    return sources, destinations


def sort_both_ways(xp: ModuleType, vertices: int, edges: Sequence[tuple[Any, Any]]) -> Graph:
    """Does what `from_edges` does for any number of edges, with nothing that a GPU lacks.

    Args:
        xp: numpy or cupy.
        vertices: number of vertices.
        edges: at least one piece of them: sources and destinations, arrays of `xp`, integers in [0, vertices), shape
            (k,) each.

    Returns:
        The graph, in host memory.
    """
    to_host = getattr(xp, "asnumpy", np.asarray)
    ends = (end.astype(xp.int64) for piece in edges for end in piece)
    drawn = sum(xp.bincount(some, minlength=vertices) for some in ends)  # loops and duplicates as well
    stops = np.cumsum(to_host(drawn))
    neighbours = np.empty(int(stops[-1]), dtype=np.int32)
    row_offsets = np.zeros(vertices + 1, dtype=np.int64)
    first = kept = 0
    while first < vertices:
        before = stops[first - 1] if first else 0
        stop = max(first + 1, int(np.searchsorted(stops, before + _SORTED_ON_GPU, side="right")))
        tell("sorting", int(before), len(neighbours))
        tails, heads = _sorted_rows(xp, edges, first, stop)
        row_ends = xp.searchsorted(tails, xp.arange(first, stop, dtype=xp.uint64), side="right")
        row_offsets[first + 1 : stop + 1] = kept + to_host(row_ends)
        neighbours[kept : kept + len(heads)] = to_host(heads)
        first, kept = stop, kept + len(heads)
    narrow = row_offsets.astype(np.int32) if kept <= MAX_COUNT else row_offsets
    return Graph(narrow, neighbours[:kept])


def _sorted_rows(xp: ModuleType, edges: Sequence[tuple[Any, Any]], first: int, stop: int) -> tuple[Any, Any]:
    """Returns the tails, uint64, and heads, int32, of the edges that leave vertices from `first` to `stop` - 1."""
    half = xp.uint64(32)
    keys = []
    for sources, destinations in edges:
        for tails, heads in ((sources, destinations), (destinations, sources)):
            chosen = (tails >= first) & (tails < stop)
            keys.append(tails[chosen].astype(xp.uint64) << half | heads[chosen].astype(xp.uint64))
    ordered = xp.sort(xp.concatenate(keys))
    tails, heads = ordered >> half, ordered & xp.uint64(0xFFFFFFFF)
    kept = tails != heads
    kept[1:] &= ordered[1:] != ordered[:-1]
    return tails[kept], heads[kept].astype(xp.int32)


def below(words: U64, limit: int) -> U64:
    """Scales the low halves of random words to [0, limit), for limits up to 2^31; shape (k,)."""
    return ((words & np.uint64(0xFFFFFFFF)) * np.uint64(limit)) >> np.uint64(32)


def chance(words: U64, probability: float) -> Any:
    """Says for each random word whether an event of this probability happens; looks at the high halves only."""
    return (words >> np.uint64(32)) < np.uint64(round(probability * 2**32))


def _check_counts(vertices: int, edges: int, most: int = 2**40) -> None:
    """Raises ValueError unless so many vertices and edges can be drawn."""
    check_vertices(vertices)
    if not 0 <= edges <= most:
        raise ValueError(f"the number of edges to draw must be 0 to {most:,}, not {edges:,}")


def check_vertices(vertices: int) -> None:
    """Raises ValueError unless there are 1 to 2^31 - 1 vertices."""
    if not 1 <= vertices <= MAX_COUNT:
        raise ValueError(f"a graph has 1 to {MAX_COUNT:,} vertices, not {vertices:,}")


def check_probability(value: float) -> None:
    """Raises ValueError unless a number is a probability."""
    if not 0 <= value <= 1:
        raise ValueError(f"a probability is 0 to 1, not {value}")
