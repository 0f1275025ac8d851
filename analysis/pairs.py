"""The unit of the analysis: two programs that differ in exactly one axis, on the same graph and machine.

The rule (Indigo2, Section 5: "all other styles fixed"). Two verified jobs are a pair if they agree on graph, machine,
parameters (the thread count among them) and on every axis but the one compared. Two kinds of axis soften it:

- *Dependent.* An axis that all programs of one side lack cannot be matched: topology-driven programs have no worklist
  to have duplicates on. It is left out of the match and reported, so that a figure can show each value by itself (the
  paper's Figures 3 and 4).
- *Forced.* A value may leave no choice on another axis: a pulled vertex has a single writer, so pull is always
  read-write, and matching on ``update`` would compare pull with the read-write half of push only. Such a pair may
  differ in the forced axis, but only if one of the two has no partner that agrees on it: where both choices exist on
  both sides, the match is as strict as anywhere.

Everything is one merge: no loop over programs.
"""

from collections.abc import Collection, Sequence

import pandas as pd

from analysis.errors import AnalysisError, check_word
from analysis.styles import axes

CONTEXT = ("graph", "edges", "machine", "parameters")
"""What two jobs share beside their style; the edges too, in case a name stood for another graph once."""


def pairs(
    frame: pd.DataFrame,
    axis: str,
    first: str | Collection[str],
    second: str | Collection[str],
    forced: Sequence[str] = (),
) -> pd.DataFrame:
    """Matches the programs of two styles and divides their throughputs.

    Args:
        frame: Jobs, as ``records.load`` returns them.
        axis: The axis compared.
        first: The style in the numerator: a value of the axis, or several that count as one style.
        second: The style in the denominator, likewise.
        forced: Axes on which a value of ``axis`` leaves no choice.

    Returns:
        One row a pair: the columns that both share; ``program``, ``throughput`` and the axes that may differ, each with
        the suffixes ``_first`` and ``_second``; and ``ratio``, above 1 where the first style is faster. No pairs, no
        rows.

    Raises:
        AnalysisError: There is no such axis, or it has none of the values.
    """
    left, right = (_side(frame, axis, values) for values in (first, second))
    dependent = [other for other in axes() if left[other].isna().all() != right[other].isna().all()]
    free = list(dict.fromkeys([axis, *dependent, *forced]))
    shared = [other for other in axes() if other not in free] + list(CONTEXT)

    columns = [*shared, *free, "program", "throughput"]
    matched = left[columns].merge(right[columns], on=shared, suffixes=("_first", "_second"))
    matched = matched[_closest(matched, forced)].reset_index(drop=True)
    matched["ratio"] = matched["throughput_first"] / matched["throughput_second"]
    return matched


def _side(frame: pd.DataFrame, axis: str, values: str | Collection[str]) -> pd.DataFrame:
    """Returns the verified jobs that have one of the values on the axis."""
    check_word(axis, axes(), "axis")
    wanted = [values] if isinstance(values, str) else list(values)
    if not set(wanted) & set(axes()[axis]):
        check_word(wanted[0], axes()[axis], f"value of {axis}")
    if missing := {*CONTEXT, "program", "throughput", *axes()} - set(frame.columns):
        raise AnalysisError(f"these are not results: there is no column {min(missing)!r}")
    return frame[frame["throughput"].notna() & frame[axis].isin(wanted)]


def _closest(matched: pd.DataFrame, forced: Sequence[str]) -> pd.Series:
    """Returns which pairs stay: those that agree on the forced axes, and those of a program that has no such pair."""
    agree = pd.Series(True, index=matched.index)
    for axis in forced:
        agree &= matched[f"{axis}_first"].astype(object) == matched[f"{axis}_second"].astype(object)
    context = list(CONTEXT)
    served = [
        agree.groupby([matched[f"program_{side}"], *(matched[name] for name in context)]).transform("any")
        for side in ("first", "second")
    ]
    return agree | ~(served[0] & served[1])
