"""Whether a file that promises undirected edges has each in the rows of both of its ends."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from inputs.formats.errors import GraphFormatError
from inputs.graph import EdgeList
from inputs.hashing import U64, mix64

Position = Callable[[int], int | str | None]
"""Where the row of a vertex is in a file."""


def check_mirror(path: Path, batches: Callable[[], Iterable[EdgeList]]) -> None:
    """Each edge has its reverse, as often and of the same weight; sees `mirrored`.

    Raises:
        GraphFormatError: one has not.
    """
    for _ in mirrored(path, batches):
        pass


def mirrored(
    path: Path, batches: Callable[[], Iterable[EdgeList]], *, first_id: int = 0, position: Position = lambda _: None
) -> Iterator[EdgeList]:
    """Passes edges on, and then tells if one lacks its reverse; in bounded memory, as hashes of both add up to nothing.

    Args:
        path: the file.
        batches: lists its edges, each time that it is called.
        first_id: what the file calls vertex 0.
        position: where the row of a vertex is.

    Raises:
        GraphFormatError: an edge is not as often, and of the same weights, in both rows. Loops do not count.
    """
    balance = 0
    for edges in batches():
        hashes, ascending = _hashes(edges), edges.sources < edges.destinations
        balance += int(hashes[ascending].sum()) - int(hashes[edges.sources > edges.destinations].sum())
        yield edges
    if balance % 2**64:
        raise _unpaired(path, batches, first_id, position)


def _hashes(edges: EdgeList) -> U64:
    """Gives each edge a number that its reverse has, too."""
    pairs = np.minimum(edges.sources, edges.destinations).astype(np.uint64) << np.uint64(32)
    hashes = mix64(pairs | np.maximum(edges.sources, edges.destinations).astype(np.uint64))
    if edges.weights is not None:
        weights = edges.weights.view(np.uint32) if edges.weights.dtype == np.float32 else edges.weights
        hashes = mix64(hashes + weights.astype(np.uint64))
    return hashes


def _unpaired(
    path: Path, batches: Callable[[], Iterable[EdgeList]], first_id: int, position: Position
) -> GraphFormatError:
    """Finds a vertex whose row is not what the rows of others say of it, and an edge that makes the difference."""
    balances = np.zeros(1, dtype=np.uint64)
    for edges in batches():
        balances = np.concatenate([balances, np.zeros(edges.vertex_count - len(balances) + 1, dtype=np.uint64)])
        hashes = _hashes(edges)
        np.add.at(balances, edges.sources, hashes)
        np.subtract.at(balances, edges.destinations, hashes)
    u = int(np.flatnonzero(balances)[0])
    leaving, entering = (
        Counter(edge for edges in batches() for edge in _row(edges, u, there)) for there in (True, False)
    )
    is_left = bool(surplus := leaving - entering)
    v, weight = next(iter(surplus or entering - leaving))
    row, other = (u, v) if is_left else (v, u)
    of_weight = "" if weight is None else f" of weight {weight}"
    reason = (
        f"vertex {row + first_id} has an edge to {other + first_id}{of_weight}, which has none back; in the rows of an "
        "undirected graph each edge is twice, so write arcs as an edge list instead"
    )
    return GraphFormatError(path, position(row), reason)


def _row(edges: EdgeList, u: int, leaving: bool) -> list[tuple[int, float | None]]:
    """Lists the other ends, and the weights, of the edges that leave a vertex, or come in."""
    here, there = (edges.sources, edges.destinations) if leaving else (edges.destinations, edges.sources)
    chosen = here == u
    weights = [None] * int(chosen.sum()) if edges.weights is None else edges.weights[chosen].tolist()
    return list(zip(there[chosen].tolist(), weights, strict=True))
