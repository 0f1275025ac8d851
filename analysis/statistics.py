"""A number for a box of ratios: its median, how sure that is, and what it says."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import ceil, nan
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import beta

Verdict = Literal["first", "second", "unclear"]

MINIMUM_PAIRS = 6
"""Fewer ratios have no 95 % interval for their median: all of n lie on one side of it with probability 2 / 2^n."""


@dataclass(frozen=True)
class Summary:
    """Ratios in short.

    Attributes:
        n: The number of ratios.
        median: Their median; NaN if there are none.
        low: The lower end of the confidence interval of the median; NaN below ``MINIMUM_PAIRS`` ratios.
        high: The upper end, likewise.
        above_one: The share of ratios above 1, from 0 to 1.
    """

    n: int
    median: float
    low: float
    high: float
    above_one: float

    @property
    def verdict(self) -> Verdict:
        """Which style is faster: unclear unless the whole interval lies on one side of 1."""
        if self.low > 1:
            return "first"
        if self.high < 1:
            return "second"
        return "unclear"  # also without an interval, for no comparison with NaN holds


def summarise(ratios: ArrayLike, confidence: float = 0.95) -> Summary:
    """Summarises ratios by their median and a bootstrap interval of it.

    The bootstrap takes each ratio as an independent draw. Pairs that share a program or a graph are not quite that: the
    interval tells how far the median hangs on the pairs that happen to be there, and no more.

    Args:
        ratios: Shape (n,), positive and dimensionless, in any order.
        confidence: The coverage of the interval.
    """
    values = np.sort(np.asarray(ratios, dtype=float))
    if values.size == 0:
        return Summary(0, nan, nan, nan, nan)
    low, high = median_interval(values, confidence) if values.size >= MINIMUM_PAIRS else (nan, nan)
    return Summary(values.size, _geometric_median(values), low, high, float(np.mean(values > 1)))


def median_interval(ordered: Sequence[float] | np.ndarray, confidence: float = 0.95) -> tuple[float, float]:
    """Returns the percentile bootstrap interval of a median, without resampling and so without a seed.

    A resample draws n ranks uniformly, so its median is the value at rank ceil(n B), where B, the median of n uniform
    numbers, follows a beta distribution. That is what endless resamples converge to. Where n is even, the two middle
    ranks bound the median; the interval takes the outer one on each side. Ranks know no scale: the interval of the
    inverse ratios is the inverse interval.

    Args:
        ordered: Shape (n,), ascending, n > 0.
        confidence: The coverage of the interval.
    """
    n = len(ordered)
    lower, upper = (n + 1) // 2, n // 2 + 1  # the middle ranks, one and the same if n is odd
    tail = (1 - confidence) / 2
    first = ceil(n * float(beta.ppf(tail, lower, n + 1 - lower)))
    last = ceil(n * float(beta.ppf(1 - tail, upper, n + 1 - upper)))
    return float(ordered[first - 1]), float(ordered[last - 1])


def summaries(pairs: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Summarises pairs group by group.

    Args:
        pairs: Pairs, as ``analysis.pairs.pairs`` returns them.
        by: The columns that name a group.

    Returns:
        One row a group: the columns of ``by``, those of ``Summary``, and its ``verdict``.
    """
    groups = pairs.groupby(list(by), observed=True)["ratio"]
    found = [(names, summarise(ratios)) for names, ratios in groups]
    rows = [(*names, *vars(summary).values(), summary.verdict) for names, summary in found]
    return pd.DataFrame(rows, columns=[*by, *(field.name for field in fields(Summary)), "verdict"])


def _geometric_median(ordered: np.ndarray) -> float:
    """Returns the median on the log axis: with an even n, the geometric mean of the middle two.

    So the median of the inverse ratios is the inverse of the median, whichever style is named first.
    """
    n = ordered.size
    return float(np.sqrt(ordered[(n - 1) // 2] * ordered[n // 2]))
