"""How throughput goes with properties of graphs (the paper's Section 5.13)."""

import numpy as np
import pandas as pd

from analysis.compared.best import classic, merged
from analysis.compared.combinations import styles
from analysis.measured.graphs import PROPERTIES
from analysis.statistics import interval_of

EVERY = "all programs"
"""The row of a table of correlations that is about no style."""

MINIMUM_GRAPHS = 3
"""With fewer graphs every correlation is 1, -1 or undefined."""


def correlations(
    frame: pd.DataFrame, graphs: pd.DataFrame, model: str = "cuda", method: str = "pearson"
) -> pd.DataFrame:
    """Correlates throughput with graph properties, style by style.

    Args:
        frame: Jobs, as `records.load` returns them.
        graphs: The properties, as `graphs.graph_table` returns them.
        model: The programming model.
        method: `pearson` takes throughputs as they are, over all algorithms, as the paper seems to; `spearman`
        takes ranks within an algorithm, so that fast algorithms and extreme graphs do not decide.

    Returns:
        One row a style (the first: all programs), one column a property that is known for `MINIMUM_GRAPHS` graphs:
        the correlation over the verified jobs of the style, from -1 to 1. No row if there are too few graphs.
    """
    measured = _measured(frame, graphs, model)
    usable = [name for name in PROPERTIES if measured[name].nunique() >= MINIMUM_GRAPHS]
    if measured["graph"].nunique() < MINIMUM_GRAPHS or not usable:
        return pd.DataFrame(columns=usable, dtype=float)
    value = measured["throughput"]
    if method == "spearman":
        value = measured.groupby("algorithm", observed=True)["throughput"].rank(pct=True)
        measured[usable] = measured[usable].rank()
    rows = {EVERY: measured[usable].corrwith(value)}
    for axis, style in styles(measured):
        has = measured[axis] == style
        rows[style] = measured.loc[has, usable].corrwith(value[has])
    return pd.DataFrame(rows).T


def correlation_interval(frame: pd.DataFrame, graphs: pd.DataFrame, style: str, column: str) -> tuple[float, float]:
    """Returns the 95 % interval of Pearson's correlation on GPUs, under resampling of algorithms and graphs.

    Args:
        frame: Jobs, as `records.load` returns them.
        graphs: The properties, as `graphs.graph_table` returns them.
        style: The style, a row of `correlations`.
        column: The property, a column of `correlations`.
    """
    measured = _measured(frame, graphs, "cuda")
    if style != EVERY:
        axis = next(axis for axis, value in styles(measured) if value == style)
        measured = measured[measured[axis] == style]
    throughput, values = (measured[name].to_numpy(float) for name in ("throughput", column))
    # of standard scores, so that the sums below lose no digits
    x, y = ((series - series.mean()) / series.std() for series in (throughput, values))

    def correlated(weights: np.ndarray) -> np.ndarray:
        mean = [series @ weights / weights.sum(axis=0) for series in (x, y, x * x, y * y, x * y)]
        spread = (mean[2] - mean[0] ** 2) * (mean[3] - mean[1] ** 2)
        known = spread > 1e-12  # a resample with one graph only has no correlation
        found = (mean[4] - mean[0] * mean[1]) / np.sqrt(np.where(known, spread, 1.0))
        # Fisher's transformation: on its axis, errors are about as large either way
        return np.where(known, np.arctanh(np.clip(found, -0.999999, 0.999999)), np.nan)

    low, high = interval_of(correlated, *(measured[name].astype(str) for name in ("program", "graph", "algorithm")))
    return float(np.tanh(low)), float(np.tanh(high))


def _measured(frame: pd.DataFrame, graphs: pd.DataFrame, model: str) -> pd.DataFrame:
    """Returns the verified jobs of a model, with the properties of their graphs."""
    jobs = merged(classic(frame))
    jobs = jobs[(jobs["model"] == model) & jobs["throughput"].notna()]
    return jobs.drop(columns=["vertices", "edges"]).merge(graphs, on="graph")


def strongest_of(table: pd.DataFrame) -> tuple[str, str, float] | None:
    """Returns the style, the property and the value of the strongest correlation in a table, if it has any."""
    values = table.to_numpy(float)
    if values.size == 0 or np.isnan(values).all():
        return None
    row, column = divmod(int(np.nanargmax(np.abs(values))), values.shape[1])
    return str(table.index[row]), str(table.columns[column]), float(values[row, column])
