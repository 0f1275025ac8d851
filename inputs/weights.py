"""What the numbers that a file gives its edges become: weights, which are whole, or what a user asks for instead."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inputs.graph import BATCH, I32, MAX_WEIGHT

REMEDY = "convert --scale-weights 1000 makes whole numbers of such, --drop-weights leaves them out"
"""How a user has a graph with other weights taken."""

_LEAST_BITS = {4: 1 << 29, 8: 1 << 52}  # of floats from 1e-19, or 1e-308, on; by bytes
_ALMOST_2 = MAX_WEIGHT - 1024  # the bits of floats from here on are rather the heaviest of whole weights


@dataclass(frozen=True)
class WeightRule:
    """What becomes of the numbers of edges.

    Attributes:
        scale: is multiplied with each; the nearest whole number to that is the weight. None: they have to be whole.
        dropped: the graph has no weights, whatever the numbers are.
    """

    scale: float | None = None
    dropped: bool = False

    def weights_of(self, values: NDArray[Any]) -> I32 | None:
        """Returns the weights, int32, shape (k,), of finite numbers; None if one cannot be a weight."""
        if self.scale is not None:
            values = np.rint(values * self.scale)
        can_be = (values >= 0) & (values <= MAX_WEIGHT)
        if values.dtype.kind == "f":
            can_be &= np.floor(values) == values
        return values.astype(np.int32, copy=False) if can_be.all() else None

    def has_others(self, values: NDArray[np.floating]) -> bool:
        """Whether numbers, of which some cannot be weights, are no lengths at all: negative, or too large."""
        scaled = values * (1 if self.scale is None else self.scale)
        return bool(((scaled < 0) | (scaled > MAX_WEIGHT)).any())

    def objection(self, value: float, shown: str) -> str | None:
        """Says why a finite number cannot be a weight, or None if it can; `shown` is what the file has."""
        if self.dropped:
            return None
        scaled = value if self.scale is None else float(np.rint(value * self.scale))
        if not 0 <= scaled <= MAX_WEIGHT:
            times = "" if self.scale is None else f" times {self.scale:g}"
            return f"weight {shown}{times} is not in [0, {MAX_WEIGHT}]"
        return None if scaled == int(scaled) else f"weight {shown} is not a whole number: {REMEDY}"


WHOLE = WeightRule()
DROPPED = WeightRule(dropped=True)


def floats_in(stored: NDArray[np.signedinteger]) -> NDArray[np.floating] | None:
    """Sees what is stored as floating-point numbers of the same size if it cannot be meant as whole weights.

    Formats do not tell what their weights are. Read as integers, floats are all so large as whole weights seldom are:
    those of 32 bits are 2^29 or more.

    Args:
        stored: int32 or int64, shape (k,).

    Returns:
        float32 or float64, shape (k,); None if some are whole weights, all are 0, or some are no finite float.
    """
    least = _LEAST_BITS[stored.itemsize]
    for first in range(0, len(stored), BATCH):  # most often, the first part decides
        part = stored[first : first + BATCH]
        if ((part > 0) & (part < least)).any():
            return None
    if ((stored == 0) | ((stored >= _ALMOST_2) & (stored <= MAX_WEIGHT))).all():
        return None
    values: NDArray[np.floating] = stored.view(f"<f{stored.itemsize}")
    return values if np.isfinite(values).all() else None
