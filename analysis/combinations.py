"""Which styles go well together (the paper's Section 5.15, Figure 15)."""

import numpy as np
import pandas as pd

from analysis.choice import SAME_WORK, classic, merged
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
    jobs = merged(classic(frame))
    jobs = jobs[(jobs["model"] == model) & jobs["throughput"].notna()]
    relative = jobs["throughput"] / jobs.groupby(list(SAME_WORK), observed=True)["throughput"].transform("median")
    found = {value: (jobs[axis] == value, jobs[axis].notna(), axis) for axis, value in styles(jobs)}
    matrix = pd.DataFrame(np.nan, index=list(found), columns=list(found))
    for row, (has_row, _, row_axis) in found.items():
        for column, (has_column, exists, axis) in found.items():
            with_it, without = relative[has_row & has_column], relative[has_row & exists & ~has_column]
            if axis != row_axis and len(with_it) and len(without):
                matrix.loc[row, column] = with_it.median() / without.median()
    return matrix


def styles(jobs: pd.DataFrame) -> list[tuple[str, str]]:
    """Returns axis and value of every style that some jobs have and others lack, in name order."""
    values = {axis: present(jobs[axis].dropna()) for axis in MATRIX_AXES}
    return [(axis, value) for axis, found in values.items() if len(found) > 1 for value in found]
