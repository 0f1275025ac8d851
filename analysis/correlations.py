"""How throughput goes with properties of graphs (the paper's Section 5.13)."""

import numpy as np
import pandas as pd

from analysis.choice import classic, merged
from analysis.combinations import styles
from analysis.graphs import PROPERTIES

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
        takes
            ranks within an algorithm, so that fast algorithms and extreme graphs do not decide.

    Returns:
        One row a style (the first: all programs), one column a property that is known for `MINIMUM_GRAPHS` graphs:
        the correlation over the verified jobs of the style, from -1 to 1. No row if there are too few graphs.
    """
    jobs = merged(classic(frame))
    jobs = jobs[(jobs["model"] == model) & jobs["throughput"].notna()]
    usable = [
        name for name in PROPERTIES if graphs.set_index("graph")[name].reindex(jobs["graph"].unique()).nunique() >= 3
    ]
    measured = jobs.drop(columns=["vertices", "edges"]).merge(graphs, on="graph")
    if jobs["graph"].nunique() < MINIMUM_GRAPHS or not usable:
        return pd.DataFrame(columns=usable, dtype=float)
    value = measured["throughput"]
    if method == "spearman":
        value = measured.groupby("algorithm", observed=True)["throughput"].rank(pct=True)
        measured[usable] = measured[usable].rank()
    rows = {"all programs": measured[usable].corrwith(value)}
    for axis, style in styles(measured):
        has = measured[axis] == style
        rows[style] = measured.loc[has, usable].corrwith(value[has])
    return pd.DataFrame(rows).T


def strongest_of(table: pd.DataFrame) -> tuple[str, str, float] | None:
    """Returns the style, the property and the value of the strongest correlation in a table, if it has any."""
    values = table.to_numpy(float)
    if values.size == 0 or np.isnan(values).all():
        return None
    row, column = divmod(int(np.nanargmax(np.abs(values))), values.shape[1])
    return str(table.index[row]), str(table.columns[column]), float(values[row, column])
