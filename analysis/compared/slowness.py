"""How slow programs are where they were measured, beside the fastest there or on a machine of the same kind."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from analysis.errors import AnalysisError
from generator.algorithms import load_algorithms

LEAST_EDGES = 100
"""On smaller graphs only the start of work is timed."""

_SLOWEST = np.log(30.0)  # beyond that, it does not matter how slow a program is

UNKNOWN = 0.2
"""A program that was not measured on a graph is as fast as on the others, but for this doubt."""

PLACE = ("graph", "machine", "setting")


def fitting(frame: pd.DataFrame, *, directed: bool) -> pd.DataFrame:
    """Returns the jobs of programs that take directed graphs, or of those that take undirected ones.

    Raises:
        AnalysisError: There are none.
    """
    always = [name for name, algorithm in load_algorithms().items() if algorithm.takes_directed({})]
    takes_directed = frame["direction"].notna() | frame["algorithm"].isin(always)
    found = frame[takes_directed == directed]
    if found.empty:
        raise AnalysisError(f"no program for {'directed' if directed else 'undirected'} graphs was measured")
    return found


def slowness_of(jobs: pd.DataFrame, family: Callable[[str], str]) -> pd.DataFrame:
    """Returns the logarithms of times over the shortest: a row per program, a column per graph, machine, setting.

    The shortest is that of all machines of a kind: the best of a few programs on one of them may be far from good. A
    place where all were cut off tells nothing.

    Args:
        jobs: Those of one algorithm and one kind of hardware.
        family: Says of a machine which kind it is of.
    """
    either = jobs.assign(speed=jobs["throughput"].fillna(jobs["throughput_bound"])).dropna(subset="speed")
    either = either.astype(dict.fromkeys(["program", *PLACE], str))
    told = either.groupby(list(PLACE))["throughput"].transform("count") > 0
    table = either[told].pivot_table("speed", "program", list(PLACE), "max")
    graphs, machines, settings = (table.columns.get_level_values(name) for name in PLACE)
    best = table.max().groupby([graphs, machines.map(family), settings]).transform("max")
    return (best / table).map(np.log).clip(upper=_SLOWEST)
