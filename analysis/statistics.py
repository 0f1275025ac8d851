"""A number for a box of ratios: its median, how sure that is, and what it says.

Pairs are not independent draws: a program appears on every graph and may have several partners, and a graph appears
with every program. The bootstrap therefore draws both: *clusters*, sets of pairs connected by shared programs
(`compared.pairs`), and graphs; a pair counts as often as its cluster was drawn times as often as its graph was (the
pigeonhole bootstrap: A. B. Owen, Annals of Applied Statistics 1(2), 2007). Drawing programs only would call a pooled
median clear where one graph says 10 and another 0.1. On a single graph only programs are drawn, and the tables show
each graph by itself.

Where several algorithms are pooled, they are drawn, each with all its programs: a style that is worth 10 for one
algorithm and nothing for three is worth nothing certain for a fifth, however many programs the first has. An interval
of one algorithm is about its programs.

Five graphs drawn from five vary less than graphs do, and that little is known of how they vary asks for Student's t
where a percentile takes the normal distribution. So intervals are widened about the median, as errors are where
clusters are few (A. C. Cameron and D. L. Miller, Journal of Human Resources 50(2), 2015, Section VI): by
sqrt(G / (G - 1)) and t / z. Where graphs and programs or algorithms vary, the degrees of freedom are Satterthwaite's
(Biometrics Bulletin 2(6), 1946). Intervals of several parts of a claim hold together (Bonferroni's t). Tests simulate
studies without an effect; `benchmarks.null_studies` does so at length, and with other intervals.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from hashlib import blake2b
from math import inf, nan
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtri, stdtrit

Verdict = Literal["first", "second", "unclear"]

MINIMUM_CLUSTERS = 6
"""Fewer have no 95 % interval for their median: all of n lie on one side of it with probability 2 / 2^n."""

MINIMUM_ALGORITHMS = 3
"""Two say next to nothing of a third: their interval, with one degree of freedom, would exclude nothing."""

RESAMPLES = 2000
"""Enough for the ends of a 95 % interval: 50 resamples lie beyond either."""

VARIANCES = 400
"""Enough resamples for a variance."""

SHUFFLED = "-shuffled"
"""What the name of a graph ends in whose vertices have random numbers (`inputs/catalogue.py`)."""

TAIL = 0.025
"""What a 95 % interval leaves out at either end."""

DISTRIBUTION = 32
"""From this many ratios on, seaborn's letter values have more than one box; below, a box would pretend to a shape."""


@dataclass(frozen=True)
class Summary:
    """Ratios in short.

    Attributes:
        n: The number of ratios.
        clusters: The number of sets of programs that they form.
        bounds: How many of them are bounds, because one side timed out.
        median: Their median, bounds taken at face value; NaN if there are none.
        low: The lower end of the 95 % interval of the median, were each bound as low as it can be; NaN below
            `MINIMUM_CLUSTERS`, and where several algorithms are fewer than `MINIMUM_ALGORITHMS`.
        high: The upper end, were each bound as high as it can be; likewise.
        above_one: The share of ratios surely above 1, from 0 to 1.
    """

    n: int
    clusters: int
    bounds: int
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

    @property
    def depth(self) -> int:
        """How many letter values a boxen plot shows below and above the median (Tukey's rule); 0 if points."""
        return int(np.log2(self.n)) - 3 if self.n >= DISTRIBUTION else 0


def summarise(
    ratios: ArrayLike,
    clusters: ArrayLike | None = None,
    graphs: ArrayLike | None = None,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    *,
    algorithms: ArrayLike | None = None,
    parts: int = 1,
) -> Summary:
    """Summarises ratios by their median and a bootstrap interval of it.

    Args:
        ratios: Shape (n,), positive and dimensionless, in any order; where a side timed out, the bound.
        clusters: Shape (n,), the set of programs that each ratio depends on; None if they are independent.
        graphs: Shape (n,), the graph of each ratio; None if that is one and the same.
        low: Shape (n,), the smallest that each ratio can be: 0 for an upper bound; None if all are exact.
        high: Shape (n,), the largest that each ratio can be: infinite for a lower bound; likewise.
        algorithms: Shape (n,), the algorithm of each ratio; None if that is one and the same.
        parts: Of so many intervals that hold together, this is one.
    """
    values = np.asarray(ratios, dtype=float)
    lows = values if low is None else np.asarray(low, dtype=float)
    highs = values if high is None else np.asarray(high, dtype=float)
    programs = _numbered(np.arange(values.size) if clusters is None else clusters)
    return _remembered((values, lows, highs), (programs, *_numbers(values.size, graphs, algorithms)), parts)


def _remembered(ratios: Sequence[np.ndarray], numbers: Sequence[np.ndarray], parts: int = 1) -> Summary:
    """Summarises ratios.

    Args:
        ratios: They, the smallest and the largest that each can be.
        numbers: Of the program, the algorithm and the graph of each, from 0 on without gaps.
        parts: Of so many intervals that hold together, this is one.
    """
    values, lows, highs = ratios
    programs, *others = numbers
    if values.size == 0:
        return Summary(0, 0, 0, nan, nan, nan, nan)
    ways = _ways(programs, *others)
    arrays = (values, lows, highs, programs, *ways, np.array(parts))
    content = blake2b(b"".join(array.tobytes() for array in arrays)).digest()
    if content not in _known:
        _known[content] = _summarise(values, lows, highs, int(programs.max()) + 1, ways, parts)
    return _known[content]


_known: dict[bytes, Summary] = {}
"""Summaries by the hash of what they are of: tables, figures, guidelines and claims ask for the same ones."""


def _summarise(
    values: np.ndarray, lows: np.ndarray, highs: np.ndarray, count: int, ways: Sequence[np.ndarray], parts: int
) -> Summary:
    """Summarises ratios of `count` clusters, each of which hangs together with others in ways (`median_interval`)."""
    ends = (nan, nan)
    if count >= MINIMUM_CLUSTERS and ways:
        wider = _widening(lambda weights: np.log(weighted_medians(values, weights)), ways, parts)
        ends = median_interval(lows, ways, wider)
        if (lows < highs).any():
            ends = ends[0], median_interval(highs, ways, wider)[1]
    return Summary(
        n=values.size,
        clusters=count,
        bounds=int((lows < highs).sum()),
        median=float(weighted_medians(values, np.ones((values.size, 1), dtype=int))[0]),
        low=ends[0],
        high=ends[1],
        above_one=float(np.mean(lows > 1)),
    )


def median_interval(values: np.ndarray, ways: Sequence[np.ndarray], wider: float) -> tuple[float, float]:
    """Returns the 95 % percentile interval of a median under resampling, widened.

    The resamples are the same for the same numbers of clusters, and medians are taken on the log axis: equal data gives
    equal intervals, and the interval of the inverse ratios is the inverse interval.

    Args:
        values: Shape (n,), from 0 to infinity, but not both.
        ways: The ways in which values hang together, each of shape (n,), integers from 0 on without gaps.
        wider: By which factor, on the log axis.
    """
    medians = np.concatenate([weighted_medians(values, weights) for weights in _resamples(ways)])
    median = float(weighted_medians(values, np.ones((values.size, 1), dtype=int))[0])
    # whole resamples, the outer of two: nothing to interpolate where a median is infinite
    first = float(np.quantile(medians, TAIL, method="lower"))
    last = float(np.quantile(medians, 1 - TAIL, method="higher"))
    if 0 < median < inf:
        first, last = (median * (end / median) ** wider for end in (first, last))
    return first, last


def mean_interval(
    values: np.ndarray, clusters: ArrayLike, graphs: ArrayLike, algorithms: ArrayLike | None = None, *, parts: int = 1
) -> tuple[float, float]:
    """Returns the 95 % interval of a mean, or of a share, likewise; NaN where a median has none.

    Args:
        values: Shape (n,), finite; of a share, 0 and 1.
        clusters: Shape (n,), the set of programs that each value depends on.
        graphs: Shape (n,), the graph of each value.
        algorithms: Shape (n,), the algorithm of each value; None if that is one and the same.
        parts: Of so many intervals that hold together, this is one.
    """
    return interval_of(
        lambda weights: values @ weights / weights.sum(axis=0), clusters, graphs, algorithms, parts=parts
    )


def share_interval(hits: int, n: int, parts: int = 1) -> tuple[float, float]:
    """Returns Wilson's 95 % interval of a share: `hits` of `n` independent things; NaN if there is none.

    Args:
        hits: How many have a property.
        n: Of how many.
        parts: Of so many intervals that hold together, this is one.
    """
    if not n:
        return nan, nan
    from scipy.stats import binomtest  # here, because it takes a second to load, and few need it

    found = binomtest(hits, n).proportion_ci(1 - 2 * TAIL / parts, method="wilson")
    return float(found.low), float(found.high)


def interval_of(
    statistic: Callable[[np.ndarray], np.ndarray],
    clusters: ArrayLike,
    graphs: ArrayLike,
    algorithms: ArrayLike | None = None,
    *,
    parts: int = 1,
) -> tuple[float, float]:
    """Returns the 95 % interval of any statistic under resampling, likewise.

    Args:
        statistic: Takes how often each value is drawn, shape (n, resamples), and returns a number for each resample;
            NaN where that has none. On an axis on which its errors are about as large either way.
        clusters: Shape (n,), the set of programs that each value depends on.
        graphs: Shape (n,), the graph of each value.
        algorithms: Shape (n,), the algorithm of each value; None if that is one and the same.
        parts: Of so many intervals that hold together, this is one.
    """
    programs = _numbered(clusters)
    ways = _ways(programs, *_numbers(programs.size, graphs, algorithms))
    if not ways or programs.max() + 1 < MINIMUM_CLUSTERS:
        return nan, nan
    found = np.concatenate([statistic(weights) for weights in _resamples(ways)])
    wider = _widening(statistic, ways, parts)
    value = float(statistic(np.ones((ways[0].size, 1), dtype=int))[0])
    first, last = (value + wider * (np.nanquantile(found, tail) - value) for tail in (TAIL, 1 - TAIL))
    return float(first), float(last)


def summarise_pairs(pairs: pd.DataFrame, parts: int = 1) -> Summary:
    """Summarises pairs, as `compared.pairs.pairs` returns them, with one of so many intervals that hold together."""
    return _remembered(*_arrays(pairs), parts)


def summaries_by(pairs: pd.DataFrame, column: str, parts: int = 1) -> dict[str, Summary]:
    """Summarises pairs, as `summarise_pairs` does, for each value of a column, in the order of `words.present`."""
    ratios, numbers = _arrays(pairs)
    if isinstance(pairs[column].dtype, pd.CategoricalDtype):
        codes, names = pairs[column].cat.codes.to_numpy(), pairs[column].cat.categories
    else:
        codes, names = pd.factorize(pairs[column], sort=True)
    found = {}
    for code in np.unique(codes[codes >= 0]):
        inside = codes == code
        within = [np.unique(each[inside], return_inverse=True)[1] for each in numbers]
        found[str(names[code])] = _remembered([each[inside] for each in ratios], within, parts)
    return found


def _arrays(pairs: pd.DataFrame) -> tuple[Sequence[np.ndarray], Sequence[np.ndarray]]:
    """Returns what `_remembered` takes, of pairs."""
    ratios = [pairs[column].to_numpy(float) for column in ("ratio", "ratio_low", "ratio_high")]
    return ratios, (_numbered(pairs["cluster"]), *_numbers(len(pairs), pairs["graph"], pairs["algorithm"]))


def summaries(pairs: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Summarises pairs group by group.

    Args:
        pairs: Pairs, as `compared.pairs.pairs` returns them.
        by: The columns that name a group.

    Returns:
        One row a group: the columns of `by`, those of `Summary`, and its `verdict`.
    """
    found = [(names, summarise_pairs(group)) for names, group in pairs.groupby(list(by), observed=True)]
    rows = [(*names, *vars(summary).values(), summary.verdict) for names, summary in found]
    return pd.DataFrame(rows, columns=[*by, *(field.name for field in fields(Summary)), "verdict"])


def _widening(statistic: Callable[[np.ndarray], np.ndarray], ways: Sequence[np.ndarray], parts: int = 1) -> float:
    """Returns by which factor a percentile interval is too narrow for so few clusters and graphs.

    Args:
        statistic: As `interval_of` takes it.
        ways: As `median_interval` takes them.
        parts: Of so many intervals that hold together, this is one.
    """
    counts = [int(codes.max()) + 1 for codes in ways]
    # how much the statistic varies if only programs are drawn, and if only graphs are
    drawn = [
        _draws(count, way)[:, :VARIANCES][codes] for way, (count, codes) in enumerate(zip(counts, ways, strict=True))
    ]
    found = [float(np.nanvar(statistic(weights))) if n > 1 else 0.0 for weights, n in zip(drawn, counts, strict=True)]
    true = [part * n / (n - 1) if n > 1 else 0.0 for part, n in zip(found, counts, strict=True)]
    if not sum(true) > 0:
        return 1.0
    freedom = sum(true) ** 2 / sum(part**2 / (n - 1) for part, n in zip(true, counts, strict=True) if n > 1)
    return float(np.sqrt(sum(true) / sum(found)) * stdtrit(freedom, 1 - TAIL / parts) / ndtri(1 - TAIL))


def _ways(programs: np.ndarray, algorithms: np.ndarray, graphs: np.ndarray) -> Sequence[np.ndarray]:
    """Returns what is drawn, two arrays of numbers from 0 on: algorithms or, of a single one, programs; and graphs.

    Nothing if there is nothing, or the algorithms are too few to draw from.
    """
    if not programs.size or 1 <= algorithms.max() < MINIMUM_ALGORITHMS - 1:
        return ()
    return algorithms if algorithms.any() else programs, graphs


def _numbers(size: int, graphs: ArrayLike | None, algorithms: ArrayLike | None) -> tuple[np.ndarray, np.ndarray]:
    """Numbers algorithms and graphs; a graph is one however its vertices are numbered."""
    same = np.zeros(size, dtype=int)
    kinds = same if algorithms is None else _numbered(algorithms)
    return kinds, same if graphs is None else _numbered(graphs, lambda name: str(name).removesuffix(SHUFFLED))


def _numbered(names: ArrayLike, spelt: Callable[[Any], Any] = lambda name: name) -> np.ndarray:
    """Numbers names in their order, as they are spelt; only different ones are looked at, as there are few."""
    codes, found = pd.factorize(names if isinstance(names, pd.Series) else np.asarray(names))
    order = pd.factorize(np.array([spelt(name) for name in found], dtype=object), sort=True)[0]
    numbered: np.ndarray = order[codes]
    return numbered


def _resamples(ways: Sequence[np.ndarray]) -> Iterator[np.ndarray]:
    """Yields how often each value is drawn, shape (n, resamples), in pieces that caches hold; no resample is empty."""
    drawn = [_draws(int(codes.max()) + 1, way) for way, codes in enumerate(ways)]
    step = max(8, 250_000 // ways[0].size)
    for start in range(0, RESAMPLES, step):
        weights = drawn[0][:, start : start + step][ways[0]]
        for counts, codes in zip(drawn[1:], ways[1:], strict=True):
            weights *= counts[:, start : start + step][codes]
        some = weights.any(axis=0)
        yield weights if some.all() else weights[:, some]


@lru_cache(maxsize=256)
def _draws(count: int, way: int) -> np.ndarray:
    """Returns how often each of `count` clusters is drawn: shape (count, RESAMPLES)."""
    drawn = np.random.default_rng([way, count]).integers(count, size=(RESAMPLES, count))
    flat = drawn * RESAMPLES + np.arange(RESAMPLES)[:, None]
    return np.bincount(flat.ravel(), minlength=RESAMPLES * count).reshape(count, RESAMPLES).astype(np.int32)


def weighted_medians(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Returns the weighted medians of values on the log axis: shape (resamples,), of weights of shape (n, resamples).

    With an even number, the median is the geometric mean of the middle two. So the median of the inverse ratios is the
    inverse of the median, whichever style is named first.
    """
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    below = np.cumsum(weights[order], axis=0, dtype=np.int32)
    half, odd = np.divmod(below[-1], 2)
    lower = _first_rows(below, half + odd)
    upper = lower.copy()
    (apart,) = np.nonzero(below[lower, np.arange(half.size)] <= half)
    upper[apart] = _first_rows(below[:, apart], half[apart] + 1)
    first, second = ordered[lower], ordered[upper]
    middle: np.ndarray = np.where(first == second, first, np.sqrt(first) * np.sqrt(second))
    return middle


def _first_rows(rising: np.ndarray, least: np.ndarray) -> np.ndarray:
    """Returns the first row of each column that reaches a number, or the last one, by bisection of all at once."""
    columns = np.arange(least.size)
    row = np.zeros(least.size, dtype=int)
    for step in (1 << bit for bit in reversed(range(len(rising).bit_length()))):
        ahead = row + step
        short = rising[np.minimum(ahead, len(rising)) - 1, columns] < least
        row = np.where(short & (ahead < len(rising)), ahead, row)
    return row
