"""New numbers for the vertices of files whose ids have gaps, in memory that follows the edges, not the largest id."""

from collections.abc import Iterable, Iterator

import numpy as np

from inputs.graph import BATCH, EdgeList, Integers, distinct


def used_ids(batches: Iterable[EdgeList]) -> Integers:
    """Finds the vertices that occur in an edge, loops included.

    Args:
        batches: the edges, in any order.

    Returns:
        Their numbers, ascending, shape (k,).
    """
    used: Integers = np.empty(0, dtype=np.int32)
    pending: list[Integers] = []
    for batch in batches:
        pending.append(distinct(np.concatenate([batch.sources, batch.destinations])))
        if sum(map(len, pending)) > max(len(used), BATCH):  # seldom, as all are sorted each time
            used, pending = distinct(np.concatenate([used, *pending])), []
    return distinct(np.concatenate([used, *pending]))


def renumbered(batches: Iterable[EdgeList], ids: Integers) -> Iterator[EdgeList]:
    """Calls vertex `ids[v]` v.

    Args:
        batches: edges between these vertices only.
        ids: ascending, shape (k,).

    Yields:
        The same edges, of k vertices.
    """
    for batch in batches:
        sources, destinations = (np.searchsorted(ids, ends) for ends in (batch.sources, batch.destinations))
        yield EdgeList(len(ids), sources.astype(np.int32), destinations.astype(np.int32), batch.weights)
