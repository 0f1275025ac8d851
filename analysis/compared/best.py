"""Which programs are the best, which styles they have, and what the others cost (the paper's Sections 5.14 and 6)."""

from collections.abc import Sequence
from math import nan

import numpy as np
import pandas as pd

from analysis.errors import AnalysisError
from analysis.statistics import mean_interval, share_interval
from analysis.words import present

SAME_WORK = ("algorithm", "datatype", "model", "graph", "machine", "setting")
"""What jobs share whose throughputs may be compared directly: they do the same work on the same machine."""

WON_BY = ("model", "algorithm", "graph", "machine")

SHARED_AXES = ("iteration", "driver", "worklist", "flow", "update", "determinism")
"""The axes with two values on which programs of all three models differ (the paper's Figure 14)."""

DETERMINISTIC = {"copydet": "det", "mergedet": "det"}
"""Two ways of being deterministic, which count as one style."""


def classic(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the jobs without those that use `cuda::atomic`, which the paper leaves out after its Section 5.1."""
    return frame[frame["atomics"].isna() | (frame["atomics"] == "atomic")]


def fastest(frame: pd.DataFrame, by: Sequence[str] = SAME_WORK) -> pd.DataFrame:
    """Returns the fastest verified job of every group.

    Args:
        frame: Jobs, as `records.load` returns them.
        by: The columns that name a group.

    Returns:
        Rows of the frame, in the order of the groups; none if no job is verified.
    """
    usable = frame.dropna(subset="throughput")
    rows = usable.groupby(list(by), observed=True)["throughput"].idxmax()
    return usable.loc[rows].sort_values(list(by), ignore_index=True)


def slowdowns(frame: pd.DataFrame) -> pd.DataFrame:
    """Compares every program with the best one of its algorithm, model, graph and machine.

    Args:
        frame: Jobs, as `records.load` returns them.

    Returns:
        The jobs that were verified or timed out, with `slowdown`, the best one's throughput over theirs, at least 1;
        and `bound`, true where a job timed out, so that its slowdown is at least that.
    """
    best = frame.groupby(list(SAME_WORK), observed=True)["throughput"].transform("max")
    either = frame["throughput"].fillna(frame["throughput_bound"])
    found = frame.assign(slowdown=best / either, bound=frame["throughput"].isna())
    return found[found["slowdown"].notna()].reset_index(drop=True)


def costs(frame: pd.DataFrame) -> pd.DataFrame:
    """Summarises `slowdowns` by model and algorithm.

    Returns:
        One row a model and algorithm: `jobs`, the number of jobs; `typical`, the geometric mean of their slowdowns;
        `worst`, the largest; and `bounds`, how many timed out.
    """
    found = slowdowns(frame)
    groups = found.groupby(["model", "algorithm"], observed=True)
    return pd.DataFrame(
        {
            "jobs": groups.size(),
            "typical": np.exp(groups["slowdown"].apply(lambda values: np.log(values).mean())),
            "worst": groups["slowdown"].max(),
            "bounds": groups["bound"].sum(),
        }
    ).reset_index()


def winners(frame: pd.DataFrame) -> pd.DataFrame:
    """Tells the styles of the best programs.

    An algorithm counts on an axis if its programs have both values, and a best program if it has the axis at all.

    Args:
        frame: Jobs, as `records.load` returns them.

    Returns:
        One row a best program and axis on which it counts: `model`, `axis` and its `value`; `algorithm`, `graph` and
        `machine`; and `close`, whether a runner-up with another value is within the noise: one of its samples is as
        fast as one of the best program's.
    """
    usable = merged(classic(frame).dropna(subset="throughput"))
    best = fastest(usable)
    found = []
    for model, axis in ((model, axis) for model in _models(best) for axis in SHARED_AXES):
        inside = usable[usable["model"] == model]
        both = inside.groupby("algorithm", observed=True)[axis].nunique() >= 2
        ahead = best[(best["model"] == model) & best["algorithm"].isin(both.index[both])].dropna(subset=axis)
        value, close = ahead[axis].astype(str), _close(ahead, inside, axis)
        found.append(ahead[[*WON_BY]].astype(str).assign(axis=axis, value=value, close=close))
    return pd.concat(found, ignore_index=True)


def shares(frame: pd.DataFrame, found: pd.DataFrame) -> pd.DataFrame:
    """Counts the styles of the best programs (the paper's Figure 14).

    Args:
        frame: Jobs, as `records.load` returns them.
        found: Their `winners`.

    Returns:
        One row a model, axis and value: `n`, the number of best programs, one an algorithm,
        graph and machine; `hits`, how many of them have this value; `share`, which part that is, from 0 to 1, with the
        ends of its 95 % interval, `low` and `high`, as `share_of_best` returns them; and `close`, how many of the best
        programs have a runner-up within the noise.
    """
    usable = merged(classic(frame).dropna(subset="throughput"))
    rows = []
    for model, axis in ((model, axis) for model in _models(usable) for axis in SHARED_AXES):
        won = found[(found["model"] == model) & (found["axis"] == axis)]
        for value in present(usable.loc[usable["model"] == model, axis].dropna()):
            hits = won["value"] == value
            n, count, close = len(won), int(hits.sum()), int(won["close"].sum())
            rows.append((model, axis, value, n, count, count / n if n else nan, *share_of_best(won, hits), close))
    return pd.DataFrame(rows, columns=["model", "axis", "value", "n", "hits", "share", "low", "high", "close"])


def share_of_best(won: pd.DataFrame, hits: pd.Series, parts: int = 1) -> tuple[float, float]:
    """Returns the 95 % interval of a share of best programs, which covers other algorithms and graphs.

    Where all agree, resampling has nothing to vary: it is no narrower than Wilson's of as many independent things.

    Args:
        won: Rows of `winners`.
        hits: Which of them count.
        parts: Of so many intervals that hold together, this is one.
    """
    low, high = share_interval(int(hits.sum()), len(hits), parts)
    drawn = mean_interval(hits.to_numpy(float), np.arange(len(won)), won["graph"], won["algorithm"], parts=parts)
    return float(np.fmax(0, np.fmin(low, drawn[0]))), float(np.fmin(1, np.fmax(high, drawn[1])))


def _close(ahead: pd.DataFrame, jobs: pd.DataFrame, axis: str) -> pd.Series:
    """Returns which best programs one with another value of the axis is as fast as, within the noise."""
    others = jobs.merge(ahead[[*SAME_WORK, axis, "samples_s"]], on=list(SAME_WORK), suffixes=("", "_best"))
    others = others[others[axis].notna() & (others[axis].astype(object) != others[f"{axis}_best"].astype(object))]
    runners_up = fastest(others)
    near = runners_up["samples_s"].map(min) <= runners_up["samples_s_best"].map(max)
    places = [pd.MultiIndex.from_frame(rows[[*SAME_WORK]].astype(str)) for rows in (ahead, runners_up[near])]
    return pd.Series(places[0].isin(places[1]), index=ahead.index)


def best_styles(frame: pd.DataFrame) -> pd.DataFrame:
    """Finds the program with the highest average throughput over all graphs (the paper's Section 5.17).

    Args:
        frame: Jobs, as `records.load` returns them.

    Returns:
        One row a model, algorithm and machine: the `program` and its `throughput`, averaged over graphs, on each that
        of its fastest setting. Programs that are not verified on every graph of the machine are not considered.

    Raises:
        AnalysisError: No program is verified on every graph.
    """
    groups = ["model", "algorithm", "machine"]
    usable = fastest(frame, [*groups, "program", "graph"])
    wanted = usable.groupby(groups, observed=True)["graph"].nunique().rename("graphs").reset_index()
    means = usable.groupby([*groups, "program"], observed=True).agg(
        throughput=("throughput", "mean"), measured=("graph", "nunique")
    )
    complete = means.reset_index().merge(wanted, on=groups)
    complete = complete[complete["graphs"] == complete["measured"]]
    if complete.empty:
        raise AnalysisError("no program is verified on every graph")
    rows = complete.groupby(groups, observed=True)["throughput"].idxmax()
    return complete.loc[rows, [*groups, "program", "throughput"]].reset_index(drop=True)


def merged(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the jobs with both deterministic ways of MIS on CPUs as one style."""
    words = frame["determinism"].astype(object).replace(DETERMINISTIC)
    return frame.assign(determinism=pd.Categorical(words, categories=frame["determinism"].cat.categories))


def _models(frame: pd.DataFrame) -> list[str]:
    return [model for model in frame["model"].cat.categories if (frame["model"] == model).any()]
