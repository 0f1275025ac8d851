"""Which styles go well together (the paper's Section 5.15, Figure 15)."""

import numpy as np
import pandas as pd

from analysis.compared.best import SAME_WORK, classic, merged
from analysis.statistics import interval_of, weighted_medians
from analysis.words import present

MATRIX_AXES = (
    "iteration", "driver", "worklist", "flow", "update", "determinism", "persistence", "granularity", "reduction",
    "schedule",
)  # fmt: skip


def combinations(frame: pd.DataFrame, model: str = "cuda") -> pd.DataFrame:
    """Divides the median throughput of style x with y by that of style x without y, that is with another value there.

    The paper takes medians over all programs and graphs. Algorithms do different work, so here every throughput is
    first divided by the median of its algorithm on that graph and machine.

    Args:
        frame: Jobs, as `records.load` returns them.
        model: The programming model.

    Returns:
        One row a style x, one column a style y, both values of axes in name order. NaN where no verified program has
        both, or none has x without y.
    """
    jobs, relative = _relative(frame, model)
    found = {value: (jobs[axis] == value, jobs[axis].notna(), axis) for axis, value in styles(jobs)}
    matrix = pd.DataFrame(np.nan, index=list(found), columns=list(found))
    for row, (has_row, _, row_axis) in found.items():
        for column, (has_column, exists, axis) in found.items():
            with_it, without = relative[has_row & has_column], relative[has_row & exists & ~has_column]
            if axis != row_axis and len(with_it) and len(without):
                matrix.loc[row, column] = with_it.median() / without.median()
    return matrix


def combination_interval(frame: pd.DataFrame, row: str, column: str) -> tuple[float, float]:
    """Returns the 95 % interval of one number of `combinations`, on GPUs, under resampling of algorithms and graphs."""
    jobs, relative = _relative(frame, "cuda")
    axes = {value: axis for axis, value in styles(jobs)}
    inside = (jobs[axes[row]] == row) & jobs[axes[column]].notna()
    having = (jobs.loc[inside, axes[column]] == column).to_numpy()
    values = relative[inside].to_numpy(float)

    def ratio(weights: np.ndarray) -> np.ndarray:
        drawn = weights[having].any(axis=0) & weights[~having].any(axis=0)
        medians = [weighted_medians(values[some], weights[some]) for some in (having, ~having)]
        return np.where(drawn, np.log(medians[0] / medians[1]), np.nan)

    low, high = interval_of(ratio, *(jobs.loc[inside, name].astype(str) for name in ("program", "graph", "algorithm")))
    return float(np.exp(low)), float(np.exp(high))


def _relative(frame: pd.DataFrame, model: str) -> tuple[pd.DataFrame, pd.Series]:
    """Returns the verified jobs of a model, and their throughputs over the median of their kind."""
    jobs = merged(classic(frame))
    jobs = jobs[(jobs["model"] == model) & jobs["throughput"].notna()]
    typical = jobs.groupby(list(SAME_WORK), observed=True)["throughput"].transform("median")
    return jobs, jobs["throughput"] / typical


def styles(jobs: pd.DataFrame) -> list[tuple[str, str]]:
    """Returns axis and value of every style that some jobs have and others lack, in name order."""
    values = {axis: present(jobs[axis].dropna()) for axis in MATRIX_AXES}
    return [(axis, value) for axis, found in values.items() if len(found) > 1 for value in found]
