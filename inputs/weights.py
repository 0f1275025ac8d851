"""What the numbers that a file gives its edges become: weights, which are whole, or what a user asks for instead.

Real weights have single precision, and are 0 or of a size from `LEAST_REAL` to `LARGEST_REAL`: then they can be told
from whole ones, and no sum of them overflows.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inputs.graph import BATCH, MAX_WEIGHT, Weights

REMEDY = "convert --scale-weights 1000 makes whole numbers of such, --real-weights keeps them, --drop-weights does not"
"""How a user has a graph with other weights taken."""
LEAST_REAL, LARGEST_REAL = 1.1e-19, 1e28

_LEAST_BITS = {4: 1 << 29, 8: 1 << 52}  # of floats from 1.1e-19, or 1e-308, on; by bytes
_ALMOST_2 = MAX_WEIGHT - 1024  # the bits of floats from here on are rather the heaviest of whole weights


@dataclass(frozen=True)
class WeightRule:
    """What becomes of the numbers of edges.

    Attributes:
        scale: is multiplied with each; the nearest whole number to that is the weight. None: they have to be whole.
        dropped: the graph has no weights, whatever the numbers are.
        real: the weights are real numbers, which may be negative; a scale does not round them.
    """

    scale: float | None = None
    dropped: bool = False
    real: bool = False

    def weights_of(self, values: NDArray[Any]) -> Weights | None:
        """Returns the weights, int32 or float32, shape (k,), of finite numbers; None if one cannot be a weight."""
        if self.real:
            scaled = self._scaled(values)  # one that single precision would round to 0 is none, so sizes come first
            return scaled.astype(np.float32) + np.float32(0) if _are_weights(scaled) else None  # which makes 0 of -0
        if self.scale is not None:
            values = np.rint(values * self.scale)
        can_be = (values >= 0) & (values <= MAX_WEIGHT)
        if values.dtype.kind == "f":
            can_be &= np.floor(values) == values
        return values.astype(np.int32, copy=False) if can_be.all() else None

    def _scaled(self, values: NDArray[Any]) -> NDArray[Any]:
        return values if self.scale is None else values * self.scale

    def has_others(self, values: NDArray[np.floating]) -> bool:
        """Whether numbers, of which some cannot be weights, are no lengths at all: negative, or too large."""
        if self.real:
            return False
        scaled = self._scaled(values)
        return bool(((scaled < 0) | (scaled > MAX_WEIGHT)).any())

    def objection(self, value: float, shown: str) -> str | None:
        """Says why a finite number cannot be a weight, or None if it can; `shown` is what the file has."""
        if self.dropped:
            return None
        if self.real:
            if _are_weights(self._scaled(np.array([value]))):
                return None
            return f"weight {shown} is not 0, or from {LEAST_REAL:g} to {LARGEST_REAL:g} in size: scale all"
        scaled = value if self.scale is None else float(np.rint(value * self.scale))
        if not 0 <= scaled <= MAX_WEIGHT:
            times = "" if self.scale is None else f" times {self.scale:g}"
            advice = "; for mst, convert --real-weights keeps it" if scaled < 0 else ""
            return f"weight {shown}{times} is not in [0, {MAX_WEIGHT}]{advice}"
        return None if scaled == int(scaled) else f"weight {shown} is not a whole number: {REMEDY}"


@dataclass(frozen=True)
class WholeSoFar(WeightRule):
    """Whole weights, of who takes real ones instead if some are negative or have fractions; these are noted."""

    others: list[float] = field(default_factory=list)

    def objection(self, value: float, shown: str) -> str | None:
        """Says why a finite number cannot be a whole weight, or None if it can."""
        if value < 0 or value % 1:
            self.others.append(value)
        return super().objection(value, shown)


WHOLE = WeightRule()
DROPPED = WeightRule(dropped=True)
REAL = WeightRule(real=True)


def _are_weights(values: NDArray[Any]) -> bool:
    """Tells whether all numbers are 0, or of a size that real weights have."""
    sizes = np.abs(values)
    return bool(((sizes == 0) | ((sizes >= LEAST_REAL) & (sizes <= LARGEST_REAL))).all())


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
    if seem_whole(stored):
        return None
    values: NDArray[np.floating] = stored.view(f"<f{stored.itemsize}")
    return values if np.isfinite(values).all() else None


def seem_whole(stored: NDArray[np.integer]) -> bool:
    """Tells whether all numbers are 0 or, as floats, from 1.99988 to 2: these are rather the heaviest whole weights."""
    return bool(((stored == 0) | ((stored >= _ALMOST_2) & (stored <= MAX_WEIGHT))).all())
