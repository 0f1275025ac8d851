"""Which programs to try first on a graph that has not been measured: those that were fast on graphs like it.

Each measured graph counts by how much it is like this one. A program alone may be slow on some of them; so the programs
to try are chosen together, such that on every measured graph one of them is fast.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.defaults import CANDIDATES
from analysis.errors import AnalysisError, check_word
from analysis.measured.graphs import PROPERTIES
from generator.algorithms import load_algorithms

LIKENESS = {"average_degree": 1.0, "maximum_degree": 0.5, "diameter": 0.5, "vertices": 0.25}
"""What a property counts when graphs are compared; at a distance of 1, the average degree is e times as large."""

_REACH = 0.5  # distance at which a graph counts 1/e
LEAST_EDGES = 100
"""On smaller graphs only the start of work is timed."""

_SLOWEST = np.log(30.0)  # beyond that, it does not matter how slow a program is
UNKNOWN = 0.2
"""A program that was not measured on a graph is as fast as on the others, but for this doubt."""

_ALONE = 1e-3  # among programs that help the others as much, the fastest by itself
_SHOWN = 0.05  # graphs that count less are not named
PLACE = ("graph", "machine", "setting")


@dataclass(frozen=True)
class Suggestion:
    """Programs of an algorithm and a model to try on a graph.

    Attributes:
        algorithm: what they compute.
        model: in which they are written.
        programs: their names; each helps most beside those before it.
        slowdown: what is expected of the fastest of them: its time over that of the best program, at least 1.
        like: measured graphs and what each counted, from 0 to 1, which add up to 1; the most alike first.
    """

    algorithm: str
    model: str
    programs: Sequence[str]
    slowdown: float
    like: Sequence[tuple[str, float]]


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


def suggest(
    frame: pd.DataFrame, graphs: pd.DataFrame, wanted: Mapping[str, float], candidates: int = CANDIDATES
) -> list[Suggestion]:
    """Suggests programs for a graph, for each algorithm and model that was measured.

    Args:
        frame: Jobs, as `records.load` returns them.
        graphs: Their graphs, as `graphs.graph_table` returns them.
        wanted: What is known of the graph: any of vertices, average_degree, maximum_degree and diameter.
        candidates: How many programs to suggest.

    Raises:
        AnalysisError: No such property, or nothing was measured on a graph whose properties are known.
    """
    for name in wanted:
        check_word(name, LIKENESS, "property")
    jobs = frame[frame["edges"].astype(float) >= LEAST_EDGES]
    found = []
    for (algorithm, model), group in jobs.groupby(["algorithm", "model"], observed=True):
        slowness = slowness_of(group)
        weights = _likeness(graphs, wanted, slowness.columns.get_level_values("graph"))
        if weights.sum() > 0:
            found.append(_portfolio(str(algorithm), str(model), slowness, weights / weights.sum(), candidates))
    if not found:
        raise AnalysisError(
            "no program was verified on a graph whose properties are known: describe your graphs beside the results "
            "with 'python -m analysis graphs'"
        )
    return found


def explain(suggestion: Suggestion, graphs: pd.DataFrame, wanted: Mapping[str, float]) -> str:
    """Says which programs to try, what to expect of them, and which graphs and properties are behind that.

    Args:
        suggestion: Of `suggest`.
        graphs: The measured graphs, as for `suggest`.
        wanted: The properties of the graph, as for `suggest`.
    """

    def properties(values: Mapping[Any, Any]) -> str:
        return ", ".join(f"{PROPERTIES[name]} {float(values[name]):.4g}" for name in LIKENESS if name in wanted)

    lines = [f"{suggestion.algorithm} in {suggestion.model}, on {properties(wanted)}:"]
    lines += [f"  {place}. {name}" for place, name in enumerate(suggestion.programs, 1)]
    lines.append(
        f"  The fastest of these should take {suggestion.slowdown:.2f} times as long as the best there is, since"
    )
    described = graphs.set_index("graph")
    lines += [
        f"  {share:4.0%} of what is known comes from {name}: {properties(described.loc[name].to_dict())}"
        for name, share in suggestion.like
        if share >= _SHOWN
    ]
    return "\n".join(lines)


def only(found: Sequence[Suggestion], algorithm: str | None, model: str | None) -> list[Suggestion]:
    """Returns the suggestions of an algorithm, of a model, or of both.

    Raises:
        AnalysisError: There are none.
    """
    if algorithm is not None:
        check_word(algorithm, sorted({each.algorithm for each in found}), "algorithm")
        found = [each for each in found if each.algorithm == algorithm]
    if model is not None:
        check_word(model, sorted({each.model for each in found}), "model")
        found = [each for each in found if each.model == model]
    return list(found)


def slowness_of(jobs: pd.DataFrame) -> pd.DataFrame:
    """Returns the logarithms of times over the shortest: a row per program, a column per graph, machine, setting."""
    either = jobs.assign(speed=jobs["throughput"].fillna(jobs["throughput_bound"])).dropna(subset="speed")
    either = either.astype(dict.fromkeys(["program", *PLACE], str))
    table = either.pivot_table("speed", "program", list(PLACE), "max")
    return (table.max() / table).map(np.log).clip(upper=_SLOWEST)


def _likeness(graphs: pd.DataFrame, wanted: Mapping[str, float], names: pd.Index) -> NDArray[np.float64]:
    """Returns how much graphs count for another, from 0, where nothing is known of them, to 1."""
    columns = [column for column in LIKENESS if column in wanted]
    scale = np.array([LIKENESS[column] for column in columns])
    known = np.log1p(graphs.set_index("graph")[columns].astype(float).reindex(names.astype(str)).to_numpy())
    here = np.log1p(np.array([float(wanted[column]) for column in columns]))
    distances = np.linalg.norm((known - here) * scale, axis=1)
    likeness: NDArray[np.float64] = np.nan_to_num(np.exp(-distances / _REACH))
    return likeness


def _portfolio(
    algorithm: str, model: str, slowness: pd.DataFrame, weights: NDArray[np.float64], candidates: int
) -> Suggestion:
    """Chooses programs one after the other, each such that the best of them is as fast as can be."""
    doubtful = slowness.mean(axis=1) + UNKNOWN
    costs = slowness.apply(lambda column: column.fillna(doubtful)).to_numpy(float)
    alone = costs @ weights
    best = np.full(costs.shape[1], _SLOWEST)
    chosen: list[int] = []
    for _ in range(min(candidates, len(costs))):
        together = np.minimum(best, costs) @ weights + _ALONE * alone
        together[chosen] = np.inf
        chosen.append(int(together.argmin()))
        best = np.minimum(best, costs[chosen[-1]])
    shares = pd.Series(weights, index=slowness.columns.get_level_values("graph")).groupby(level=0).sum()
    like = [(str(name), float(share)) for name, share in shares.sort_values(ascending=False).items()]
    programs = [str(slowness.index[place]) for place in chosen]
    return Suggestion(algorithm, model, programs, float(np.exp(best @ weights)), like)
