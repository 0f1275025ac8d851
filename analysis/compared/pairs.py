"""The unit of the analysis: two programs that differ in exactly one axis, on the same graph and machine.

The rule (Indigo2, Section 5: "all other styles fixed"). Two jobs are a pair if they agree on graph, machine, setting
(such as the thread count) and on every axis but the one compared. Three kinds of axis need words:

- *Dependent.* An axis that all programs of one side lack cannot be matched: topology-driven programs have no worklist
  to have duplicates on. It is left out of the match and reported, so that a figure can show each value by itself (the
  paper's Figures 3 and 4).
- *Optional.* Programs may lack an axis that is optional where it exists: `PLAIN` stands for those, and no program with
  a value on such an axis is matched with one without, but for the comparison along that axis.
- *Forced.* A value may leave no choice on another axis: a pulled vertex has a single writer, so pull is always
  read-write, and matching on `update` would compare pull with the read-write half of push only. Such a pair may
  differ in the forced axis, but only if one of the two has no partner that agrees on it: where both choices exist on
  both sides, the match is as strict as anywhere.

A job may have been measured in several sessions, between which machines drift. If both jobs of a pair have a session in
common, the newest of these counts for the pair; else each has its own newest one.

A pair counts if both jobs are verified. If one is and the other timed out, the ratio is a bound: the slow side's
throughput was at most `throughput_bound`. If both timed out, or a job failed, nothing is known of the ratio.

Everything is one merge: no loop over programs.
"""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pandas as pd

from analysis.errors import AnalysisError, check_word
from analysis.styles import axes, options

CONTEXT = ("graph", "edges", "machine", "setting")
"""What two jobs share beside their style; the edges too, in case a name stood for another graph once."""

PLAIN = ""
"""On an axis with optional values: the programs that lack it."""

SIDES = ("first", "second")

NO_PAIRS = "no pairs: no two verified jobs differ in just one style"
"""What a user is told where nothing can be compared."""

MEASURES = (
    "program",
    "status",
    "throughput",
    "throughput_bound",
    "rounds",
    "session",
    "by_session",
    "peak_memory_bytes",
)


def pairs(
    frame: pd.DataFrame,
    axis: str,
    first: str | Collection[str],
    second: str | Collection[str],
    forced: Sequence[str] = (),
) -> pd.DataFrame:
    """Matches the programs of two styles and divides their throughputs.

    Args:
        frame: Jobs, as `records.load` returns them.
        axis: The axis compared.
        first: The style in the numerator: a value of the axis, or several that count as one style.
        second: The style in the denominator, likewise.
        forced: Axes on which a value of `axis` leaves no choice.

    Returns:
        One row a pair: the columns that both share; `program`, `throughput`, `rounds` and the axes that may differ,
        each with the suffixes `_first` and `_second`; `ratio`, above 1 where the first style is faster, with the
        smallest and the largest that it can be, `ratio_low` and `ratio_high` (equal unless a side timed out); `memory`
        of the first over that of the second, NaN where it is not known; whether both are of `one_session`; and
        `cluster`, a number that pairs have in common if a chain of shared programs connects them. No pairs, no rows.

    Raises:
        AnalysisError: There is no such axis, or it has none of the values.
    """
    matched = _match(frame, axis, first, second, forced)
    if not matched.empty:
        matched = matched[_known(matched)].reset_index(drop=True)
    either = [matched[f"throughput_{side}"].fillna(matched[f"throughput_bound_{side}"]) for side in SIDES]
    matched["ratio"] = either[0] / either[1]
    matched["ratio_low"] = matched["ratio"].where(matched["throughput_first"].notna(), 0.0)
    matched["ratio_high"] = matched["ratio"].where(matched["throughput_second"].notna(), np.inf)
    held = [matched[f"peak_memory_bytes_{side}"].astype(float) for side in SIDES]
    matched["memory"] = held[0] / held[1]
    matched["cluster"] = _clusters(matched["program_first"], matched["program_second"])
    used = ("status", "throughput_bound", "session", "by_session", "peak_memory_bytes")
    return matched.drop(columns=[f"{name}_{side}" for name in used for side in SIDES])


def left_out(
    frame: pd.DataFrame,
    axis: str,
    first: str | Collection[str],
    second: str | Collection[str],
    forced: Sequence[str] = (),
) -> Mapping[str, int]:
    """Counts the pairs of which nothing is known, by the reason, with the arguments of `pairs`.

    Returns:
        From `"both timed out"`, `"no time"` of a verified job, or the status that kept a job from having a time, to the
        number of pairs.
    """
    matched = _match(frame, axis, first, second, forced)
    statuses = [matched[f"status_{side}"].astype(object) for side in SIDES]
    reason = statuses[0].where(~statuses[0].isin(["verified", "timeout"]), statuses[1])
    reason[(statuses[0] == "timeout") & (statuses[1] == "timeout")] = "both timed out"
    reason[reason == "verified"] = "no time"
    return {str(name): int(n) for name, n in reason[~_known(matched)].value_counts().items()}


def _match(
    frame: pd.DataFrame, axis: str, first: str | Collection[str], second: str | Collection[str], forced: Sequence[str]
) -> pd.DataFrame:
    """Returns all pairs of jobs, whatever became of them."""
    sides = [having(frame, axis, values) for values in (first, second)]
    if not all(side.any() for side in sides):  # of most comparisons, in results of few programs
        return _nothing(frame, axis, forced)
    left, right = (frame[side] for side in sides)
    dependent = [
        other for other in axes() if other not in options() and left[other].isna().all() != right[other].isna().all()
    ]
    free = list(dict.fromkeys([axis, *dependent, *forced]))
    shared = [other for other in axes() if other not in free] + list(CONTEXT)
    columns = [*shared, *free, *MEASURES]
    matched = left[columns].merge(right[columns], on=shared, suffixes=("_first", "_second"))
    return _in_one_session(matched[_closest(matched, forced)].reset_index(drop=True))


def _nothing(frame: pd.DataFrame, axis: str, forced: Sequence[str]) -> pd.DataFrame:
    """Returns no pairs, with the columns of some."""
    free = list(dict.fromkeys([axis, *forced]))
    shared = [other for other in axes() if other not in free] + list(CONTEXT)
    of_a_side = [*free, *MEASURES]
    none = frame.head(0)[[*shared, *of_a_side, *of_a_side]].reset_index(drop=True)
    none.columns = pd.Index([*shared, *(f"{name}_{side}" for side in SIDES for name in of_a_side)])
    return none.assign(one_session=pd.Series(dtype=bool))


def _in_one_session(matched: pd.DataFrame) -> pd.DataFrame:
    """Gives jobs of a pair that are both verified the throughputs of the newest session that verified both."""
    one = matched["session_first"].astype(str) == matched["session_second"].astype(str)
    several = matched[~one].dropna(subset=["throughput_first", "throughput_second"])
    both = zip(several.index, several["by_session_first"], several["by_session_second"], strict=True)
    newest = {
        row: (first[session], second[session])
        for row, first, second in both
        if (session := max(first.keys() & second.keys(), default=None)) is not None
    }
    rows = list(newest)
    matched.loc[rows, ["throughput_first", "throughput_second"]] = np.reshape([*newest.values()], (-1, 2))
    one[rows] = True
    return matched.assign(one_session=one)


def _known(matched: pd.DataFrame) -> pd.Series:
    """Returns which pairs have a ratio: one side measured, the other measured or bounded."""
    first, second = (matched[f"throughput_{side}"].notna() for side in SIDES)
    bounds = [matched[f"throughput_bound_{side}"].notna() for side in SIDES]
    return (first & (second | bounds[1])) | (second & bounds[0])


def having(frame: pd.DataFrame, axis: str, values: str | Collection[str]) -> pd.Series:
    """Returns which jobs have one of the values on the axis.

    Raises:
        AnalysisError: There is no such axis, or it has none of the values, or these are not jobs.
    """
    check_word(axis, axes(), "axis")
    wanted = [values] if isinstance(values, str) else list(values)
    if wanted == [PLAIN]:
        return frame[axis].isna()
    if not set(wanted) & set(axes()[axis]):
        check_word(wanted[0], axes()[axis], f"value of {axis}")
    if missing := {*CONTEXT, *MEASURES, *axes()} - set(frame.columns):
        raise AnalysisError(f"these are not results: there is no column {min(missing)!r}")
    return frame[axis].isin(wanted)


def _closest(matched: pd.DataFrame, forced: Sequence[str]) -> pd.Series:
    """Returns which pairs stay: those that agree on the forced axes, and those of a program that has no such pair."""
    agree = pd.Series(True, index=matched.index)
    for axis in forced:
        agree &= matched[f"{axis}_first"].astype(object) == matched[f"{axis}_second"].astype(object)
    context = list(CONTEXT)
    served = [
        agree.groupby([matched[f"program_{side}"], *(matched[name] for name in context)]).transform("any")
        for side in SIDES
    ]
    return agree | ~(served[0] & served[1])


def _clusters(first: pd.Series, second: pd.Series) -> np.ndarray:
    """Numbers the connected components of the graph whose vertices are programs and whose edges are pairs."""
    from scipy.sparse import coo_array  # here, because it takes a while, and not all commands need it
    from scipy.sparse.csgraph import connected_components

    codes, programs = pd.factorize(pd.concat([first, second], ignore_index=True))
    ends = codes[: len(first)], codes[len(first) :]
    links = coo_array((np.ones(len(first)), ends), shape=(len(programs), len(programs)))
    _, component = connected_components(links, directed=False)
    return component[ends[0]].astype(np.int64)
