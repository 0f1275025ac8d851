"""Whether one program is really faster than another on a graph, from the samples of both: what notebook 06 calls.

Samples vary, so the test is that of ranks (Mann and Whitney, Annals of Mathematical Statistics 18(1), 1947), which
assumes no distribution, and the interval of the ratio is the one that goes with it (Hodges and Lehmann, Annals of
Mathematical Statistics 34(2), 1963). Holm's correction (Scandinavian Journal of Statistics 6(2), 1979) keeps many
graphs from deciding one by chance. Machines drift, so jobs of two sessions have to be further apart than the same jobs
were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from analysis.errors import AnalysisError, check_word
from analysis.judged.evidence import ABOUT
from analysis.words import number

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

Verdict = Literal["first", "second", "equal", "two sessions", "too few samples", "too noisy"]

LEVEL = 0.05
"""How often a difference may be called real where there is none, over all graphs together."""

DRIFT = 1.29
"""So much faster or slower were the same CPU jobs in another session, in the median."""

ENOUGH = 5
"""Samples of either program from which on the test decides: three against three never reach 5 %."""

TURNS = 3
"""How often programs alternate that are measured to be compared."""

_MOST = 300  # samples that anyone takes


def differences(frame: pd.DataFrame, first: str, second: str) -> pd.DataFrame:
    """Says graph by graph whether two programs differ.

    Args:
        frame: Jobs, as `records.load` returns them.
        first: A program.
        second: Another one.

    Returns:
        One row a graph, machine and setting that both were verified on: `ratio`, the median time of the second over
        that of the first, so above 1 where the first is faster, with the ends of its 95 % interval, `low` and `high`;
        numbers of samples; `p`, after Holm; whether both are of `one session`; and the `verdict`: which is faster,
        `equal` (within 10 %), or why that is not known.

    Raises:
        AnalysisError: There is no such program, or nothing that both were verified on.
    """
    sides = []
    for name in (first, second):
        jobs = frame[frame["program"] == check_word(name, frame["program"].unique(), "program")]
        sides.append(jobs.dropna(subset="throughput")[["graph", "machine", "setting", "session", "samples_s"]])
    matched = sides[0].merge(sides[1], on=["graph", "machine", "setting"], suffixes=("_first", "_second"))
    if matched.empty:
        raise AnalysisError(f"{first} and {second} were verified on no graph of one machine and setting together")
    pairs = [
        (np.asarray(mine, dtype=float), np.asarray(other, dtype=float))
        for mine, other in zip(matched["samples_s_first"], matched["samples_s_second"], strict=True)
    ]
    from scipy.stats import mannwhitneyu  # here, because it takes a second to load

    table = matched[["graph", "machine", "setting"]].astype(str)
    table["ratio"] = [float(np.median(other) / np.median(mine)) for mine, other in pairs]
    table[["low", "high"]] = [_interval(mine, other) for mine, other in pairs]
    table[["n first", "n second"]] = [(mine.size, other.size) for mine, other in pairs]
    table["p"] = _holm(np.array([float(mannwhitneyu(mine, other).pvalue) for mine, other in pairs]))
    table["one session"] = matched["session_first"].astype(str) == matched["session_second"].astype(str)
    table["verdict"] = [_verdict(row) for _, row in table.iterrows()]
    table["samples needed"] = [_needed(*pair) for pair in pairs]
    return table


def advice(found: pd.DataFrame, first: str, second: str) -> str:
    """Says what the verdicts of `differences` mean for someone who has to choose, and which command settles the rest.

    Args:
        found: As `differences` returns it.
        first: Its first program.
        second: Its second one.
    """
    told = {verdict: found[found["verdict"] == verdict] for verdict in found["verdict"].unique()}
    lines = []
    for side, name in (("first", first), ("second", second)):
        if side in told:
            gain = float(np.exp(np.abs(np.log(told[side]["ratio"])).mean()))
            lines.append(f"{name} is {number(gain)} times as fast on {_graphs(told[side])} (geometric mean).")
    if {"first", "second"} <= told.keys():
        lines.append("Which one is better depends on the graph: choose by yours, or let `violet best` do so.")
    if "equal" in told:
        lines.append(f"Within 10 % of each other on {_graphs(told['equal'])}: take the simpler one.")
    unknown = ("two sessions", "too few samples", "too noisy")
    lines += [f"Not known on {_graphs(told[why])}: {why}." for why in unknown if why in told]
    if len(left := found[found["verdict"].isin(unknown)]):
        repetitions = -(-min(_MOST, int(left["samples needed"].max())) // TURNS)
        graphs = " ".join(dict.fromkeys(left["graph"]))
        lines.append("Measure both in turns, in one session, on an idle machine:")
        effort = f"--reps {repetitions} --turns {TURNS} --results results/turns"
        lines.append(f"  violet run --programs {first} {second} --graphs {graphs} {effort}")
    return "\n".join(lines)


def samples_needed(noise: float, difference: float) -> int:
    """Returns how many samples of each of two programs show a difference in four of five studies, at a level of 5 %.

    That is the usual rule for two means, 2 (1.96 + 0.84)^2 noise^2 / log(difference)^2, over the efficiency of ranks,
    3 / pi; noise is taken as normal on the logarithmic axis.

    Args:
        noise: Standard deviation of the samples over their mean, such as 0.02.
        difference: Factor that is to be seen, such as 1.05.

    Raises:
        AnalysisError: The noise is negative, or the difference is none.
    """
    if noise < 0 or difference <= 0 or difference == 1:
        raise AnalysisError(f"noise of {noise:g} and a factor of {difference:g}: give at least 0, and not 1")
    both = 2 * (1.96 + 0.84) ** 2 * (noise / np.log(difference)) ** 2 * np.pi / 3
    return max(ENOUGH, int(np.ceil(both)))


def _verdict(row: pd.Series) -> Verdict:
    if min(row["n first"], row["n second"]) < ENOUGH:
        return "too few samples"
    if not row["one session"] and np.abs(np.log(row["ratio"])) <= np.log(DRIFT):
        return "two sessions"
    if row["p"] < LEVEL:
        return "first" if row["ratio"] > 1 else "second"
    return "equal" if row["low"] > 1 / ABOUT and row["high"] < ABOUT else "too noisy"


def _interval(mine: NDArray[np.float64], other: NDArray[np.float64]) -> tuple[float, float]:
    """Returns the ratios that the test of ranks does not reject: all of them, if there are few samples."""
    n = mine.size * other.size
    rank = int(n / 2 - 1.96 * np.sqrt(n * (mine.size + other.size + 1) / 12))
    if rank < 1:
        return 0.0, np.inf
    ratios = np.sort(np.divide.outer(other, mine).ravel())
    return float(ratios[rank - 1]), float(ratios[n - rank])


def _needed(mine: NDArray[np.float64], other: NDArray[np.float64]) -> int:
    """Returns how many samples would show the difference that was found, or one of 10 % if it is less."""
    spread = max((float(np.log(side).std(ddof=1)) for side in (mine, other) if side.size > 1), default=0.0)
    factor = float(np.exp(abs(np.log(np.median(other) / np.median(mine)))))
    return samples_needed(spread, max(factor, ABOUT))


def _holm(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns p values corrected for their number."""
    order = np.argsort(p)
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1)), 1.0)
    return corrected


def _graphs(rows: pd.DataFrame) -> str:
    return ", ".join(dict.fromkeys(rows["graph"]))
