"""Numbers from which programs of `match` tell labels: `inputs.labels` gives them, and libraries have a copy of this."""

import numpy as np


def numbers_with(labels: np.ndarray, count: int) -> np.ndarray:
    """Returns the smallest numbers that programs take for vertices with these labels (`label_of` in plan.hpp).

    Args:
        labels: from 0 to count - 1, shape (n,).
        count: of different labels.

    Returns:
        int64, shape (n,), no number twice.
    """
    most = int(np.bincount(labels, minlength=count).max(initial=0))
    known = np.arange(4 * count * most, dtype=np.uint32)  # each label has more than enough of these
    known = (known * np.uint32(2654435769) >> np.uint32(16)) % np.uint32(count)
    numbers = np.empty(len(labels), np.int64)
    for label in range(count):
        places = np.flatnonzero(labels == label)
        numbers[places] = np.flatnonzero(known == label)[: len(places)]
    return numbers
