"""Which choices depend on each other: what pairs of axes explain of the times that axes by themselves do not."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pandas as pd

from analysis.compared.best import SAME_WORK, classic, merged
from analysis.compared.combinations import MATRIX_AXES
from analysis.words import present

LEAST_PROGRAMS = 30
"""Of fewer programs, all pairs of axes would explain nearly everything by their number alone."""


def explained(frame: pd.DataFrame, model: str = "cuda") -> pd.DataFrame:
    """Returns how much of the variance of log throughput choices explain, for each algorithm, graph and machine.

    Args:
        frame: Jobs, as `records.load` returns them.
        model: The programming model.

    Returns:
        One row a group of at least `LEAST_PROGRAMS` programs: `algorithm`, `graph` and `machine`; `alone`, the share
        that axes explain if each has its effect whatever the others; `pairs`, if each pair has one; both adjusted for
        their number; and one column a pair of axes, `A x B`: the share that it adds to `alone` by itself.
    """
    jobs = merged(classic(frame))
    jobs = jobs[(jobs["model"] == model) & jobs["throughput"].notna()]
    rows = []
    for _, group in jobs.groupby(list(SAME_WORK), observed=True):
        logs = np.log(group["throughput"].to_numpy(float))
        if len(group) < LEAST_PROGRAMS or not logs.std() > 0:
            continue
        codes = {axis: pd.factorize(group[axis].astype(object).fillna(""))[0] for axis in MATRIX_AXES}
        varied = [axis for axis, values in codes.items() if values.any()]
        own = np.column_stack([np.ones(len(logs)), *(_indicators([codes[axis]]) for axis in varied)])
        both = {pair: _indicators([codes[axis] for axis in pair]) for pair in combinations(varied, 2)}
        alone, pairs = (_share(logs, each) for each in (own, np.column_stack([own, *both.values()])))
        added = {
            f"{one} x {other}": _share(logs, np.column_stack([own, each])) - alone
            for (one, other), each in both.items()
        }
        names: dict[str, object] = {name: str(group[name].iloc[0]) for name in ("algorithm", "graph", "machine")}
        rows.append(names | {"alone": alone, "pairs": pairs} | added)
    return pd.DataFrame(rows)


def interactions(found: pd.DataFrame) -> pd.DataFrame:
    """Returns a table of axes by axes: what a pair adds, in the median of the rows of `explained` that have it."""
    medians = {column: float(found[column].median()) for column in found.columns if " x " in column}
    axes = [axis for axis in MATRIX_AXES if any(axis in column.split(" x ") for column in medians)]
    table = pd.DataFrame(np.nan, index=axes, columns=axes)
    for column, value in medians.items():
        one, other = column.split(" x ")
        table.loc[one, other] = table.loc[other, one] = value
    return table


def _indicators(codes: Sequence[np.ndarray]) -> np.ndarray:
    """Returns a column for each combination of values that occurs."""
    sizes = [values.max() + 1 for values in codes]
    together = pd.factorize(np.ravel_multi_index(tuple(codes), sizes))[0]
    return np.eye(together.max() + 1)[together]


def _share(values: np.ndarray, columns: np.ndarray) -> float:
    """Returns the share of the variance that columns explain, adjusted for as many degrees of freedom as they take."""
    basis, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    basis = basis[:, sizes > 1e-8 * sizes[0]]
    left = values - basis @ (basis.T @ values)
    free = len(values) - basis.shape[1]
    return float(1 - left @ left / max(free, 1) / values.var(ddof=1))


def in_words(found: pd.DataFrame) -> str:
    """Says how much choices explain alone and in pairs; an empty table has nothing to say."""
    if found.empty:
        return "Too few programs were measured to say which choices depend on each other."
    median, low, high = (found[["alone", "pairs"]].quantile(q) for q in (0.5, 0.1, 0.9))
    shares = [f"{median[name]:.0%} ({low[name]:.0%} to {high[name]:.0%})" for name in ("alone", "pairs")]
    return (
        f"Each choice by itself explains {shares[0]} of the variance of log throughput, choices in pairs {shares[1]}: "
        f"the median, with the middle 80 %, of {len(found)} sets of CUDA programs, those of "
        f"{len(present(found['algorithm']))} algorithms on {len(present(found['graph']))} graphs."
    )
