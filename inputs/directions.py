"""Directions for the edges of an undirected graph: arcs of one way, some with their reverse."""

from collections.abc import Iterable, Iterator

import numpy as np

from inputs.graph import EdgeList
from inputs.hashing import random_bits


def directed(batches: Iterable[EdgeList], both: bool) -> Iterator[EdgeList]:
    """Draws for each edge one of its two directions; or, for half of the edges, both.

    Args:
        batches: the edges of an undirected graph, each in both directions.
        both: half of the edges keep both.

    Yields:
        What is left of each batch; the same in each run.
    """
    for batch in batches:
        ends = np.stack((batch.sources, batch.destinations)).astype(np.uint64)
        words = random_bits(1, 0, ends.min(axis=0) << np.uint64(32) | ends.max(axis=0))
        forward = batch.sources < batch.destinations
        kept = (words & np.uint64(1) == 1) == forward
        if both:
            kept |= words & np.uint64(2) == 2
        yield batch.where(kept)
