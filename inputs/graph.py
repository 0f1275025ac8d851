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

    def once(self) -> EdgeList:
        """Returns the edges that lead to a larger vertex: all, where each is there in both directions."""
        return self.where(np.asarray(self.sources < self.destinations))

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

    The work is linear: edges are counted into the rows of the upper triangle, whose transpose is the lower one, and the
    rows of both are joined.

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
        sources, destinations, weights = _added_up(vertex_count, sources, destinations, weights)
    upper = _rows(
        vertex_count, np.minimum(sources, destinations), np.maximum(sources, destinations), weights, duplicates
    )
    if 2 * upper.nnz > MAX_COUNT:
        raise ValueError(f"{2 * upper.nnz:,} directed edges do not fit in 32-bit offsets")
    return _both_triangles(upper, weighted=weights is not None)


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
    rows = _rows(vertex_count, sources, destinations, weights, duplicates)
    if rows.nnz > MAX_COUNT:
        raise ValueError(f"{rows.nnz:,} edges do not fit in 32-bit offsets")
    in_rows = transpose(rows.indptr, rows.indices)
    return Graph(rows.indptr, rows.indices, None if weights is None else rows.data, in_rows)


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
    vertex_count: int, sources: Integers, destinations: Integers, weights: Integers | NDArray[np.float32]
) -> tuple[I32, I32, Weights]:
    """Adds up what goes from one vertex to another; takes one direction if all edges have the same sum in the other."""
    rows = _rows(vertex_count, sources, destinations, weights, "sum")
    reverse = rows.T.tocsr()
    tails, heads = rows.tocoo().coords
    if all(np.array_equal(getattr(rows, part), getattr(reverse, part)) for part in ("indptr", "indices", "data")):
        once = tails < heads
        return tails[once], heads[once], rows.data[once]
    return tails, heads, rows.data


def _rows(
    vertex_count: int,
    sources: Integers,
    destinations: Integers,
    weights: Integers | NDArray[np.float32] | None,
    duplicates: Duplicates,
) -> csr_array:
    """Counts edges into rows, without loops: by their destinations, then by their sources, so that rows ascend.

    Returns:
        A matrix of int32 or float32 weights; of int8 if there are none.
    """
    from scipy.sparse import csr_array

    if not (kept := sources != destinations).all():
        sources, destinations, weights = sources[kept], destinations[kept], None if weights is None else weights[kept]
    del kept  # as all that is no longer needed: each is as large as what is made of it
    if weights is None:
        starts, tails = _counted(destinations, vertex_count, sources.astype(np.int32, copy=False))
        values: NDArray[Any] = np.ones(len(tails), dtype=np.int8)
    else:
        kind = np.float32 if weights.dtype == np.float32 else np.int32
        pairs = np.stack([sources, weights.astype(kind, copy=False).view(np.int32)], axis=1, dtype=np.int32)
        del sources, weights
        starts, joined = _counted(destinations, vertex_count, pairs.view(np.int64).ravel())
        del pairs
        tails, values = np.ascontiguousarray(joined.view(np.int32).reshape(-1, 2).T)
        values = values.view(kind)
        del joined
    del destinations
    by_destination = csr_array((values, tails, starts), shape=(vertex_count, vertex_count))
    del values, tails
    rows = by_destination.T.tocsr()
    del by_destination
    first = _first_of_run(rows.indices)
    first[rows.indptr[:-1][np.diff(rows.indptr) > 0]] = True  # a row may begin with what the one before it ends with
    if duplicates == "sum" or not first.all():
        runs = np.flatnonzero(first)
        offsets = np.searchsorted(runs, rows.indptr).astype(rows.indptr.dtype, copy=False)
        rows = csr_array((_of_runs(rows.data, runs, duplicates), rows.indices[runs], offsets), shape=rows.shape)
    return rows


def _counted(keys: Integers, count: int, values: NDArray[Any]) -> tuple[Integers, NDArray[Any]]:
    """Sorts values by their keys in [0, count), by counting: transposes a matrix with one row and a column for each.

    Returns:
        Where the values of each key begin, shape (count + 1,), and the values.
    """
    from scipy.sparse import csr_array

    row = np.array([0, len(keys)], dtype=np.int32 if len(keys) <= MAX_COUNT else np.int64)  # as wide as results are
    columns = csr_array((values, keys.astype(row.dtype, copy=False), row), shape=(1, count)).tocsc()
    return columns.indptr, columns.data


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
    """Returns the places of keys in ascending order; by counting halves, which is three times as fast as comparing."""
    if (keys[1:] >= keys[:-1]).all():
        return slice(None)
    halves = keys.view(np.int32).reshape(-1, 2)
    count = int(halves.max()) + 1
    if count > _MOST_COUNTERS * len(keys) or len(keys) > MAX_COUNT:
        return np.argsort(keys)
    places = np.arange(len(keys), dtype=np.int32)
    for half in (0, 1) if sys.byteorder == "little" else (1, 0):
        _, places = _counted(halves[places, half], count, places)
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


def _both_triangles(upper: csr_array, *, weighted: bool) -> Graph:
    """Joins each row of the upper triangle to the same row of its transpose, which holds the smaller neighbours."""
    lower = upper.T.tocsr()
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
