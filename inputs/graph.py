"""The graph every program runs on: in compressed sparse rows, with 32-bit indices; undirected unless one asks."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from inputs import progress
from inputs.hashing import mix64

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scipy.sparse import csr_array

    from inputs.defaults import Duplicates

I32 = NDArray[np.int32]
Weights = NDArray[np.int32] | NDArray[np.float32]
Integers = NDArray[np.integer]
Integer = TypeVar("Integer", bound=np.integer)
Offsets = NDArray[np.int32] | NDArray[np.int64]
_ONE_OF: dict[Duplicates, np.ufunc] = {"smallest": np.minimum, "largest": np.maximum, "sum": np.add}

_MOST_COUNTERS = 4  # for each key, where keys are sorted by counting
MAX_COUNT = 2**31 - 1  # vertices and directed edges are counted in int32
BATCH = 1 << 22  # edges handled at a time where a graph may be larger than memory
MAX_WEIGHT = 2**30 - 2  # below the infinity of 32-bit programs, so that a distance and a weight can be added


@dataclass(frozen=True, eq=False)
class EdgeList:
    """Edges as a file lists them: any order, perhaps one direction only, perhaps loops and repetitions.

    Attributes:
        vertex_count: vertices are 0 ... vertex_count - 1.
        sources: integers, shape (k,).
        destinations: integers, shape (k,).
        weights: integers, or float32, shape (k,), or None where the file has none.
    """

    vertex_count: int
    sources: Integers
    destinations: Integers
    weights: Integers | NDArray[np.float32] | None = None

    def where(self, kept: NDArray[np.bool_]) -> EdgeList:
        """Returns some of the edges; `kept` has shape (k,)."""
        weights = None if self.weights is None else self.weights[kept]
        return EdgeList(self.vertex_count, self.sources[kept], self.destinations[kept], weights)

    def to_graph(self, *, directed: bool = False, duplicates: Duplicates = "smallest") -> Graph:
        """Cleans the edges into a `Graph`; sees `from_edges`, or `from_arcs` if it is to be directed."""
        clean = from_arcs if directed else from_edges
        return clean(self.vertex_count, self.sources, self.destinations, self.weights, duplicates)


@dataclass(frozen=True, eq=False)
class InRows:
    """The rows of edges that come in: those into v come from `neighbours[row_offsets[v]:row_offsets[v + 1]]`.

    Attributes:
        row_offsets: int32, shape (n + 1,).
        neighbours: int32, shape (m,), ascending within a row.
        edges: int32, shape (m,): the number that each of these edges has among the out-rows, and so its weight.
    """

    row_offsets: I32
    neighbours: I32
    edges: I32


@dataclass(frozen=True, eq=False)
class Graph:
    """Compressed sparse rows: the neighbours of v are `neighbours[row_offsets[v]:row_offsets[v + 1]]`.

    Attributes:
        row_offsets: int32, or int64 in files of more than 2^31 - 1 edges, shape (n + 1,), from 0 to m without a
            decrease.
        neighbours: int32, shape (m,), each in [0, n).
        weights: int32, or float32 for programs that take real ones, shape (m,), or None: then programs use
            `hash_weights`.
        in_rows: the transpose, if the graph is directed; None if every edge has a reverse of the same weight.
    """

    row_offsets: Offsets
    neighbours: I32
    weights: Weights | None = None
    in_rows: InRows | None = None

    @property
    def directed(self) -> bool:
        """Whether rows are of edges in one direction only."""
        return self.in_rows is not None

    @property
    def in_row_offsets(self) -> Offsets:
        """Row offsets of the edges that come in; those that leave are as good where the graph is undirected."""
        return self.row_offsets if self.in_rows is None else self.in_rows.row_offsets

    @property
    def in_neighbours(self) -> I32:
        """Where the edges that come in come from, row by row."""
        return self.neighbours if self.in_rows is None else self.in_rows.neighbours

    @property
    def vertex_count(self) -> int:
        """Number of vertices, n."""
        return len(self.row_offsets) - 1

    @property
    def edge_count(self) -> int:
        """Number of directed edges, m: twice the undirected ones, if there are these."""
        return len(self.neighbours)

    @property
    def degrees(self) -> I32:
        """Out-degree of each vertex, int32, shape (n,)."""
        return np.diff(self.row_offsets).astype(np.int32, copy=False)

    def reversed(self) -> Graph:
        """Turns every edge round; an undirected graph stays as it is."""
        if self.in_rows is None:
            return self
        weights = None if self.weights is None else self.weights[self.in_rows.edges]
        in_rows = transpose(self.in_rows.row_offsets, self.in_rows.neighbours)
        return Graph(self.in_rows.row_offsets, self.in_rows.neighbours, weights, in_rows)

    def to_edges(self) -> EdgeList:
        """Lists every directed edge, row by row."""
        sources = np.repeat(np.arange(self.vertex_count, dtype=np.int32), self.degrees)
        return EdgeList(self.vertex_count, sources, self.neighbours, self.weights)

    def batches(self, size: int = BATCH) -> Iterator[EdgeList]:
        """Lists every directed edge, row by row, at most `size` at a time: for graphs larger than memory."""
        for first in range(0, max(self.edge_count, 1), size):
            part = slice(first, min(first + size, self.edge_count))
            progress.tell("reading", first, self.edge_count)
            # the vertices of the first and of the last edge
            u, v = np.searchsorted(self.row_offsets, [part.start, part.stop - 1], side="right") - 1
            lengths = np.diff(self.row_offsets[u : v + 2].clip(part.start, part.stop))
            sources = np.repeat(np.arange(u, v + 1, dtype=np.int32), lengths)
            weights = None if self.weights is None else self.weights[part]
            yield EdgeList(self.vertex_count, sources, self.neighbours[part], weights)


def concatenate(batches: Sequence[EdgeList]) -> EdgeList:
    """Joins batches of one edge list; it has weights if all of them have, and as many vertices as any of them needs.

    Args:
        batches: at least one.
    """
    weights = [batch.weights for batch in batches if batch.weights is not None]
    real = any(part.dtype == np.float32 for part in weights)
    return EdgeList(
        max(batch.vertex_count for batch in batches),
        np.concatenate([batch.sources for batch in batches]),
        np.concatenate([batch.destinations for batch in batches]),
        np.concatenate(weights, dtype=np.float32 if real else None) if len(weights) == len(batches) else None,
    )


def from_edges(
    vertex_count: int,
    sources: Integers,
    destinations: Integers,
    weights: Integers | NDArray[np.float32] | None = None,
    duplicates: Duplicates = "smallest",
) -> Graph:
    """Builds the undirected graph of an edge list: both directions, no loops, no duplicates, sorted rows.

    The work is one sort of the k undirected edges as packed 64-bit keys, then linear passes: a row is its smaller
    neighbours (the transpose of the upper triangle, by counting) followed by its larger ones (the sorted keys).

    Args:
        vertex_count: number of vertices, n.
        sources: integers in [0, n), shape (k,).
        destinations: integers in [0, n), shape (k,).
        weights: integers that fit in int32, or float32, shape (k,), or None.
        duplicates: what becomes of the weights of edges between the same two vertices, in either direction. Their sum
            counts edges once that are all there in both directions, with the same weight or the same sum.

    Returns:
        The graph, with int32 or float32 weights if and only if there were weights.

    Raises:
        ValueError: shapes differ, a number is out of range, or the graph needs more than 2^31 - 1 directed edges.
    """
    _check_edges(vertex_count, sources, destinations, weights)
    if weights is not None and duplicates == "sum":
        sources, destinations, weights = _added_up(sources, destinations, weights)
    keys, taken = sort_unique(_pack(sources, destinations), weights, duplicates)
    values: NDArray[Any] = np.ones(len(keys), dtype=np.int8) if taken is None else taken
    without_loops = (keys >> np.uint64(32)) != (keys & np.uint64(0xFFFFFFFF))
    if not without_loops.all():
        keys, values = keys[without_loops], values[without_loops]
    if 2 * len(keys) > MAX_COUNT:
        raise ValueError(f"{2 * len(keys):,} directed edges do not fit in 32-bit offsets")
    return _both_triangles(_upper_triangle(vertex_count, keys, values), weighted=weights is not None)


def from_arcs(
    vertex_count: int,
    sources: Integers,
    destinations: Integers,
    weights: Integers | NDArray[np.float32] | None = None,
    duplicates: Duplicates = "smallest",
) -> Graph:
    """Builds the directed graph of an edge list: no loops, no duplicates, sorted rows, and the rows of its transpose.

    Args:
        vertex_count: number of vertices, n.
        sources: integers in [0, n), shape (k,).
        destinations: integers in [0, n), shape (k,).
        weights: integers that fit in int32, or float32, shape (k,), or None.
        duplicates: what becomes of the weights of edges from one vertex to another.

    Returns:
        The graph, with int32 or float32 weights if and only if there were weights.

    Raises:
        ValueError: shapes differ, a number is out of range, or the graph needs more than 2^31 - 1 edges.
    """
    _check_edges(vertex_count, sources, destinations, weights)
    kept = sources != destinations
    keys = sources[kept].astype(np.uint64) << np.uint64(32)
    keys |= destinations[kept].astype(np.uint64)
    keys, taken = sort_unique(keys, None if weights is None else weights[kept], duplicates)
    if len(keys) > MAX_COUNT:
        raise ValueError(f"{len(keys):,} edges do not fit in 32-bit offsets")
    row_offsets = np.zeros(vertex_count + 1, dtype=np.int32)
    np.cumsum(np.bincount((keys >> np.uint64(32)).astype(np.int64), minlength=vertex_count), out=row_offsets[1:])
    neighbours = keys.astype(np.uint32).view(np.int32)  # the cast keeps the low half
    return Graph(row_offsets, neighbours, taken, transpose(row_offsets, neighbours))


def transpose(row_offsets: Offsets, neighbours: I32) -> InRows:
    """Finds the rows of edges that come in, in linear time.

    Args:
        row_offsets: shape (n + 1,), from 0 to m without a decrease.
        neighbours: int32, shape (m,), each in [0, n).

    Returns:
        They; the edges of a row are in the order of their numbers.
    """
    from scipy.sparse import csr_array  # here, because it takes longer to load than most graphs

    n = len(row_offsets) - 1
    numbers = np.arange(len(neighbours), dtype=np.int32)
    columns = csr_array((numbers, neighbours, row_offsets), shape=(n, n)).tocsc()
    return InRows(
        columns.indptr.astype(np.int32, copy=False), columns.indices.astype(np.int32, copy=False), columns.data
    )


def _added_up(
    sources: Integers, destinations: Integers, weights: Integers | NDArray[np.float32]
) -> tuple[I32, I32, Weights]:
    """Adds up what goes from one vertex to another; takes one direction if all edges have the same sum in the other."""
    kept = sources != destinations
    keys = (sources[kept].astype(np.uint64) << np.uint64(32)) | destinations[kept].astype(np.uint64)
    order = np.argsort(keys)
    keys = keys[order]
    starts = np.flatnonzero(_first_of_run(keys))
    keys, sums = keys[starts], _of_runs(weights[kept][order], starts, "sum")
    reverse = (keys << np.uint64(32)) | (keys >> np.uint64(32))
    order = np.argsort(reverse)
    if np.array_equal(reverse[order], keys) and np.array_equal(sums[order], sums):
        once = keys < reverse
        keys, sums = keys[once], sums[once]
    return (keys >> np.uint64(32)).astype(np.int32), keys.astype(np.uint32).view(np.int32), sums


def sort_unique(
    keys: NDArray[np.uint64], weights: Integers | NDArray[np.float32] | None, duplicates: Duplicates = "smallest"
) -> tuple[NDArray[np.uint64], Weights | None]:
    """Sorts keys and drops repetitions.

    Args:
        keys: uint64, shape (k,); may be overwritten.
        weights: integers that fit in int32, or float32, shape (k,), or None.
        duplicates: what becomes of the weights of equal keys.

    Returns:
        The distinct keys in ascending order, and their weights as int32 or float32, or None.

    Raises:
        ValueError: a sum is too large for a weight.
    """
    if weights is None:
        return distinct(keys), None
    order = _order(keys)
    keys = keys[order]
    starts = np.flatnonzero(_first_of_run(keys))
    return keys[starts], _of_runs(weights[order], starts, duplicates)


def _order(keys: NDArray[np.uint64]) -> NDArray[np.integer] | slice:
    """Returns the places of keys in ascending order; by counting, which takes a third of the time of comparing.

    A matrix of one row whose columns are the lower halves, and then the upper ones, is transposed: the library does it
    in linear time and in order.
    """
    if (keys[1:] >= keys[:-1]).all():
        return slice(None)
    halves = keys.view(np.int32).reshape(-1, 2)
    count = int(halves.max()) + 1
    if count > _MOST_COUNTERS * len(keys) or len(keys) > MAX_COUNT:
        return np.argsort(keys)
    from scipy.sparse import csr_array

    places = np.arange(len(keys), dtype=np.int32)
    row = np.array([0, len(keys)], dtype=np.int32)
    for half in (0, 1) if sys.byteorder == "little" else (1, 0):
        places = csr_array((places, halves[places, half], row), shape=(1, count)).tocsc().data
    return places


def distinct(values: NDArray[Integer]) -> NDArray[Integer]:
    """Sorts integers and drops repetitions; `np.unique`, which hashes, takes 30 times as long.

    Args:
        values: shape (k,); overwritten.
    """
    values.sort()
    return values[_first_of_run(values)]


def hash_weights(sources: Integers, destinations: Integers) -> I32:
    """Returns the weights that programs give to the edges of a graph without weights.

    They depend on the two vertices only, so that both directions agree: 1 + mix64(min << 32 | max) mod 64. The C++
    graph loader computes the same.

    Args:
        sources: vertex numbers in [0, 2^31), shape (k,).
        destinations: vertex numbers in [0, 2^31), shape (k,).

    Returns:
        int32 weights in [1, 64], shape (k,).
    """
    hashed = mix64(_pack(sources, destinations))
    hashed %= np.uint64(64)
    return hashed.astype(np.int32) + np.int32(1)


def _check_edges(
    vertex_count: int, sources: Integers, destinations: Integers, weights: Integers | NDArray[np.float32] | None
) -> None:
    """Raises ValueError where the arguments of `from_edges` do not describe a graph."""
    if not 0 <= vertex_count <= MAX_COUNT:
        raise ValueError(f"a graph has 0 to {MAX_COUNT:,} vertices, not {vertex_count:,}")
    for name, ends in (("sources", sources), ("destinations", destinations)):
        if len(ends) and (ends.min() < 0 or ends.max() >= vertex_count):
            raise ValueError(f"{name} must be in [0, {vertex_count:,}), not {ends.min():,} to {ends.max():,}")
    if len(sources) != len(destinations) or (weights is not None and len(weights) != len(sources)):
        raise ValueError("sources, destinations and weights must have the same length")
    if weights is None or weights.dtype == np.float32 or not len(weights):
        return
    if weights.min() < -(2**31) or weights.max() > MAX_COUNT:
        raise ValueError("weights must fit in 32-bit integers")


def _pack(sources: Integers, destinations: Integers) -> NDArray[np.uint64]:
    """Makes one key of each undirected edge, the smaller vertex in the upper 32 bits: sorting keys sorts edges."""
    keys = np.minimum(sources, destinations).astype(np.uint64)
    keys <<= np.uint64(32)
    keys |= np.maximum(sources, destinations).astype(np.uint64)
    return keys


def _first_of_run(keys: Integers) -> NDArray[np.bool_]:
    """Marks each sorted key that differs from the one before it."""
    first = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return first


def _of_runs(weights: Integers | NDArray[np.float32], starts: NDArray[np.intp], duplicates: Duplicates) -> Weights:
    """Makes one weight of those of each run."""
    if weights.dtype == np.float32:
        reals = weights.astype(np.float64)
        reals = _ONE_OF[duplicates].reduceat(reals, starts) if len(starts) else reals
        return reals.astype(np.float32)
    values = weights.astype(np.int64 if duplicates == "sum" else np.int32, copy=False)
    if len(starts):  # `reduceat` refuses to reduce nothing
        values = _ONE_OF[duplicates].reduceat(values, starts)
    if duplicates == "sum" and values.max(initial=0) > MAX_WEIGHT:
        raise ValueError(f"weights of an edge add up to {values.max():,}, which is more than {MAX_WEIGHT:,}")
    return values.astype(np.int32, copy=False)


def _upper_triangle(
    vertex_count: int, keys: NDArray[np.uint64], values: NDArray[np.signedinteger] | NDArray[np.float32]
) -> csr_array:
    """Turns sorted unique keys, all with smaller < larger, into the rows of an upper triangular matrix."""
    from scipy.sparse import csr_array

    offsets = np.zeros(vertex_count + 1, dtype=np.int32)
    np.cumsum(np.bincount((keys >> np.uint64(32)).astype(np.int64), minlength=vertex_count), out=offsets[1:])
    larger = keys.astype(np.uint32).view(np.int32)  # the cast keeps the low half
    return csr_array((values, larger, offsets), shape=(vertex_count, vertex_count))


def _both_triangles(upper: csr_array, *, weighted: bool) -> Graph:
    """Joins each row of the upper triangle to the same row of its transpose, which holds the smaller neighbours."""
    lower = upper.tocsc()  # column v of the upper triangle is row v of the lower one
    lengths = np.stack([np.diff(lower.indptr), np.diff(upper.indptr)], axis=1).ravel()
    is_lower = np.repeat(np.tile([True, False], len(lengths) // 2), lengths)

    def interleave(lower_values: NDArray[Any], upper_values: NDArray[Any]) -> NDArray[Any]:
        joined = np.empty(len(is_lower), dtype=upper_values.dtype if upper_values.dtype == np.float32 else np.int32)
        joined[is_lower] = lower_values
        joined[~is_lower] = upper_values
        return joined

    row_offsets = (lower.indptr + upper.indptr).astype(np.int32, copy=False)
    neighbours = interleave(lower.indices, upper.indices)
    return Graph(row_offsets, neighbours, interleave(lower.data, upper.data) if weighted else None)
