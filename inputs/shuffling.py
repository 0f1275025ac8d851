"""Random numbers for the vertices of a graph: what is near in a file, or comes first, then means nothing any more."""

from collections.abc import Iterable, Iterator

import numpy as np

from inputs.graph import I32, EdgeList
from inputs.hashing import random_bits


def shuffled_numbers(vertices: int, seed: int) -> I32:
    """Draws a permutation; same seed, same numbers.

    Returns:
        The new number of each vertex, int32, shape (vertices,).
    """
    words = random_bits(seed, 0, np.arange(vertices, dtype=np.uint64))  # all differ, as they are of one stream
    return np.argsort(words).astype(np.int32)


def shuffled(batches: Iterable[EdgeList], numbers: I32) -> Iterator[EdgeList]:
    """Calls vertex v `numbers[v]`.

    Args:
        batches: the edges of a graph.
        numbers: as `shuffled_numbers` returns them, of all its vertices.

    Yields:
        The same edges.
    """
    for batch in batches:
        yield EdgeList(len(numbers), numbers[batch.sources], numbers[batch.destinations], batch.weights)
