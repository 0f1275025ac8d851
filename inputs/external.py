"""Undirected graphs from edge lists larger than memory: the work of `graph.from_edges` in a bounded part of it.

Edges are spilled to disk and counted by source; then they are dealt, in both directions, to buckets of consecutive
sources, each small enough to be sorted in memory; the sorted buckets, one after the other, are the rows of the graph.
"""

import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generator.errors import naming
from inputs import progress
from inputs.compaction import renumbered, used_ids
from inputs.defaults import Duplicates
from inputs.formats import egr
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import write_array
from inputs.graph import BATCH, MAX_COUNT, EdgeList, Weights, concatenate, sort_unique

BUDGET = 1 << 25  # edges held at a time, 8 to 40 bytes each while they are sorted
_BLOCK_BITS = 10  # sources are counted in blocks of 2^10: a few megabytes of counters whatever the graph


def write_graph(
    batches: Iterable[EdgeList],
    path: Path,
    budget: int = BUDGET,
    *,
    directed: bool = False,
    duplicates: Duplicates = "smallest",
) -> None:
    """Cleans the edges of all batches into one graph, as `from_edges` does, and write it as `.egr`.

    Up to `budget` edges stay in memory. More go through temporary files beside `path`, which need 24 bytes an edge
    (36 with weights); the memory needed is then that of `budget` edges, or of the longest row if that has more.

    Args:
        batches: the edges, in any order; each batch needs as many vertices as it says, and the graph has the most that
            any needs. It has weights if all batches have.
        path: the file to make or replace.
        budget: how many edges to hold at a time.
        directed: edges keep their directions, as `from_arcs` has them; all of them are held, whatever the budget.
        duplicates: as for `from_edges`; for sums, all edges are held, too.

    Raises:
        GraphFormatError: the graph is held and too large for 32-bit offsets, or a sum is for a weight.
        OSError: a file cannot be written; nothing is left behind.
    """
    if directed or duplicates == "sum":
        held_arcs = concatenate(list(batches))
        progress.tell("sorting", 0, 1)
        try:
            graph = held_arcs.to_graph(directed=directed, duplicates=duplicates)
        except ValueError as error:
            raise GraphFormatError(path, None, str(error)) from error
        egr.write(graph, path)
        return
    remaining = iter(batches)
    held: deque[EdgeList] = deque()
    for batch in remaining:
        held.append(batch)
        if sum(len(part.sources) for part in held) > budget:
            _write_from_disk(chain(_drained(held), remaining), path, budget, duplicates)
            return
    progress.tell("sorting", 0, 1)
    edge_count = sum(len(part.sources) for part in held)
    is_sparse = max(part.vertex_count for part in held) > BATCH + 4 * edge_count
    if is_sparse and edge_count > 2 * BATCH:  # many edges and new numbers do not fit together
        _write_from_disk(_drained(held), path, budget, duplicates)
        return
    edges = concatenate(held)
    held.clear()
    if is_sparse:
        _write_sparse(edges, path, duplicates)
    else:
        egr.write(edges.to_graph(duplicates=duplicates), path)


def _drained(held: deque[EdgeList]) -> Iterator[EdgeList]:
    """Yields batches without holding them any longer."""
    while held:
        yield held.popleft()


def _write_sparse(edges: EdgeList, path: Path, duplicates: Duplicates) -> None:
    """Writes a graph most of whose vertices have no edge, without an array of all vertices."""
    ids = used_ids([edges])
    [used] = renumbered([edges], ids)
    graph = used.to_graph(duplicates=duplicates)
    layout = egr.Layout(edges.vertex_count, graph.edge_count, wide=False)
    rows = (np.arange(first, min(first + BATCH, layout.n + 1)) for first in range(0, layout.n + 1, BATCH))
    offsets = (graph.row_offsets[np.searchsorted(ids, row)] for row in rows)  # a gap begins where the next vertex does
    weights: list[NDArray[Any]] = [] if graph.weights is None else [graph.weights]
    egr.write_parts(path, layout, offsets, [ids[graph.neighbours], *weights])


@dataclass
class _Spill:
    """The edges on disk, without loops.

    Attributes:
        folder: where `edges` (pairs of uint32) and `weights` (if weighted) are.
        vertex_count: how many vertices the batches need.
        weighted: every batch has had weights.
        arcs_of_block: how many arcs, in both directions, leave each block of vertices; shape (blocks,).
        dtype: of the weights.
    """

    folder: Path
    vertex_count: int
    weighted: bool
    arcs_of_block: NDArray[np.int64]
    dtype: Any = np.int32

    def batches(self) -> Iterator[tuple[NDArray[np.uint32], Weights | None]]:
        """Yields the edges, shape (k, 2), and their weights."""
        with (self.folder / "edges").open("rb") as edges, (self.folder / "weights").open("rb") as weights:
            while len(ends := np.fromfile(edges, dtype=np.uint32, count=2 * BATCH)):
                yield ends.reshape(-1, 2), np.fromfile(weights, self.dtype, len(ends) // 2) if self.weighted else None


def _write_from_disk(batches: Iterable[EdgeList], path: Path, budget: int, duplicates: Duplicates) -> None:
    """Does the work of `write_graph` for more edges than fit in memory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with naming(path), tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as name:
        spill = _spill(batches, Path(name))
        bounds = _bucket_bounds(spill.arcs_of_block, budget // 2 if spill.weighted else budget)  # weights need an order
        _deal(spill, bounds, duplicates)
        (spill.folder / "edges").unlink()
        edge_count = _sort_buckets(spill, bounds, duplicates)
        layout = egr.Layout(spill.vertex_count, edge_count, wide=edge_count > MAX_COUNT)
        values = {"neighbours": np.int32} | ({"sorted-weights": spill.dtype} if spill.weighted else {})
        egr.write_parts(
            path,
            layout,
            _chunks(spill.folder / "offsets", np.int64),
            chain.from_iterable(_chunks(spill.folder / value, dtype) for value, dtype in values.items()),
        )


def _spill(batches: Iterable[EdgeList], folder: Path) -> _Spill:
    """Writes all edges to disk and counts them by source."""
    spill = _Spill(folder, 0, weighted=True, arcs_of_block=np.zeros(1, dtype=np.int64))
    with (folder / "edges").open("wb") as edges, (folder / "weights").open("wb") as weights:
        for batch in batches:
            spill.vertex_count = max(spill.vertex_count, batch.vertex_count)
            spill.weighted = spill.weighted and batch.weights is not None
            kept = batch.sources != batch.destinations
            ends = np.stack([batch.sources[kept], batch.destinations[kept]], axis=1)
            write_array(edges, ends, np.uint32)
            if spill.weighted and batch.weights is not None:
                if len(batch.weights):
                    spill.dtype = np.float32 if batch.weights.dtype == np.float32 else np.int32
                write_array(weights, batch.weights[kept], spill.dtype)
            blocks = np.bincount(ends.ravel() >> _BLOCK_BITS, minlength=len(spill.arcs_of_block))
            blocks[: len(spill.arcs_of_block)] += spill.arcs_of_block
            spill.arcs_of_block = blocks
    return spill


def _bucket_bounds(arcs_of_block: NDArray[np.int64], budget: int) -> NDArray[np.int64]:
    """Cuts the blocks into buckets of at most `budget` arcs, or of one block.

    Returns:
        The first block of each bucket, then the number of blocks; shape (buckets + 1,).
    """
    bounds, held = [0], 0
    for block, arcs in enumerate(arcs_of_block.tolist()):
        if held and held + arcs > budget:
            bounds.append(block)
            held = 0
        held += arcs
    return np.array([*bounds, len(arcs_of_block)])


def _deal(spill: _Spill, bounds: NDArray[np.int64], duplicates: Duplicates) -> None:
    """Appends every edge, in both directions, to the bucket of its source, sorted within each batch."""
    for number in range(len(bounds) - 1):
        (spill.folder / f"keys-{number}").touch()
        (spill.folder / f"weights-{number}").touch()
    dealt, total = 0, int(spill.arcs_of_block.sum())
    for ends, weights in spill.batches():
        progress.tell("dealing", dealt, total)
        dealt += 2 * len(ends)
        arcs = np.concatenate([ends, ends[:, ::-1]]).astype(np.uint64)
        twice = None if weights is None else np.concatenate([weights, weights])
        keys, values = sort_unique((arcs[:, 0] << np.uint64(32)) | arcs[:, 1], twice, duplicates)
        starts = np.searchsorted(keys, bounds.astype(np.uint64) << np.uint64(32 + _BLOCK_BITS))
        for number, (start, stop) in enumerate(pairwise(starts.tolist())):
            _append(spill.folder / f"keys-{number}", keys[start:stop])
            if values is not None:
                _append(spill.folder / f"weights-{number}", values[start:stop])


def _sort_buckets(spill: _Spill, bounds: NDArray[np.int64], duplicates: Duplicates) -> int:
    """Writes the rows of all buckets: `offsets`, `neighbours` and, if weighted, `sorted-weights`.

    Returns:
        The number of directed edges.
    """
    edge_count = 0
    _append(spill.folder / "offsets", np.zeros(1, dtype=np.int64))
    for number, (first, stop) in progress.followed("sorting", list(enumerate(pairwise(bounds.tolist())))):
        keys, weights = sort_unique(*_take_bucket(spill, number), duplicates)
        _append(spill.folder / "neighbours", keys.astype(np.uint32))  # the cast keeps the low half
        if weights is not None:
            _append(spill.folder / "sorted-weights", weights)
        is_last = stop == len(spill.arcs_of_block)
        first_vertex = first << _BLOCK_BITS
        last_vertex = spill.vertex_count if is_last else stop << _BLOCK_BITS  # those at the end may have no edge
        for vertex in range(first_vertex, last_vertex, BATCH):
            rows = np.arange(vertex + 1, min(vertex + BATCH, last_vertex) + 1, dtype=np.uint64)
            ends = np.searchsorted(keys, rows << np.uint64(32))
            _append(spill.folder / "offsets", ends.astype(np.int64) + edge_count)
        edge_count += len(keys)
    return edge_count


def _take_bucket(spill: _Spill, number: int) -> tuple[NDArray[np.uint64], Weights | None]:
    """Reads a bucket and removes its files."""
    keys_file, weights_file = spill.folder / f"keys-{number}", spill.folder / f"weights-{number}"
    keys = np.fromfile(keys_file, dtype=np.uint64)
    keys_file.unlink()
    if not spill.weighted:
        return keys, None
    weights = np.fromfile(weights_file, dtype=spill.dtype)
    weights_file.unlink()
    return keys, weights


def _append(path: Path, values: NDArray[np.generic]) -> None:
    with path.open("ab") as file:
        write_array(file, values, values.dtype)


def _chunks(path: Path, dtype: Any) -> Iterator[NDArray[Any]]:
    """Reads an array piece by piece."""
    with path.open("rb") as file:
        while len(part := np.fromfile(file, dtype=dtype, count=BATCH)):
            yield part
