"""Where an effect comes from: from fewer rounds, or from shorter ones; and whether degrees tell threads from warps."""

import numpy as np
import pandas as pd

from analysis.statistics import SHUFFLED

LEAST_PAIRS = 24
"""Of fewer pairs nothing is told."""


def by_rounds(pairs: pd.DataFrame) -> tuple[float, float, int] | None:
    """Divides an effect into that of the number of rounds and that of the time of one; their product is the effect.

    Args:
        pairs: Pairs, as `compared.pairs.pairs` returns them.

    Returns:
        By which factor the first style needs fewer rounds, by which its rounds are shorter, both as geometric means,
        and of how many pairs, those of which both programs were verified and tell their rounds; None if these are few.
    """
    known = pairs[
        (pairs["rounds_first"] > 0) & (pairs["rounds_second"] > 0) & (pairs["ratio_low"] == pairs["ratio_high"])
    ]
    if len(known) < LEAST_PAIRS:
        return None
    rounds = float(np.log(known["rounds_second"].astype(float) / known["rounds_first"].astype(float)).mean())
    return float(np.exp(rounds)), float(np.exp(np.log(known["ratio"]).mean() - rounds)), len(known)


def by_degree(pairs: pd.DataFrame, graphs: pd.DataFrame) -> tuple[float, float, int] | None:
    """Tells a thread from a warp by the average degree: a warp above some degree, which is learnt from other graphs.

    Args:
        pairs: Of threads over warps.
        graphs: As `graphs.graph_table` returns them.

    Returns:
        For which share of algorithms and graphs the rule names the style with the better median if the graph is left
        out, which degree all of them suggest, and of how many graphs; None if these are fewer than three.
    """
    degree = graphs.set_index("graph")["average_degree"]
    medians = pairs.groupby(["graph", "algorithm"], observed=True)["ratio"].median().reset_index()
    medians = medians.assign(degree=medians["graph"].astype(str).map(degree).astype(float)).dropna(subset="degree")
    graph = medians["graph"].astype(str).str.removesuffix(SHUFFLED)
    names = sorted(graph.unique())
    if len(names) < 3:
        return None
    right = []
    for name in names:
        out = graph == name
        warps = medians.loc[out, "degree"] > _threshold(medians[~out])
        right += list(warps == (medians.loc[out, "ratio"] < 1))
    return float(np.mean(right)), _threshold(medians), len(names)


def _threshold(medians: pd.DataFrame) -> float:
    """Returns the degree, half-way between two, that is on the right side most often; the middle of such degrees."""
    degrees = np.unique(medians["degree"])
    between = np.sqrt(degrees[1:] * degrees[:-1])
    candidates = np.array([0.0, *between, np.inf])
    warps = medians["degree"].to_numpy()[:, None] > candidates
    right = (warps == (medians["ratio"].to_numpy() < 1)[:, None]).sum(axis=0)
    best = candidates[right == right.max()]
    return float(best[(len(best) - 1) // 2])
