"""What is expected of programs before any of them has run: from measurements on other graphs, and from their names.

Measurements say two things: which programs tend to be fast, and which are fast on the same graphs. Graphs count the
more, the more they are like the one in question. Names say that programs which share styles tend to be alike in speed,
which is all there is where nothing has been measured.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from runner.best.measured import Measured

    Floats = NDArray[np.float64]

_SHARE_OF_GRAPHS = 1.0  # of the variance that graphs explain, the part that this graph is expected to show
_SHARE_OF_NAMES = 0.1  # variance that names explain where there are measurements
_ONLY_NAMES = 1.5  # and where there are none
_LEVEL = 4.0  # variance of how fast all programs of a model are
_LIKENESS = 1.5  # difference of two graphs, in logarithms, at which one counts 1/e for the other
_LEAST_EDGES = 100  # times on smaller graphs say little
_INTERPOLATION_NOISE = 0.01


@dataclass(frozen=True)
class Expectation:
    """A normal distribution of the logarithms of the programs' times, up to a constant.

    Attributes:
        mean: float64, shape (n,).
        covariance: float64, shape (n, n).
    """

    mean: Floats
    covariance: Floats


def expect(names: Sequence[str], vertices: int, edges: int, measured: Sequence[Measured]) -> Expectation:
    """Says what to expect of programs on a graph of so many vertices and directed edges.

    Args:
        names: the programs, n of them, all of one algorithm.
        vertices: of the graph.
        edges: of the graph.
        measured: times on other graphs; of other programs, too.
    """
    models = np.array([_model(name) for name in names])
    covariance = _LEVEL * (models[:, None] == models[None, :])
    alike = _similarity(names, names)
    mean = np.zeros(len(names))
    for model in set(models):
        rows = np.flatnonzero(models == model)
        block = np.ix_(rows, rows)
        known = _elsewhere([name for name in names if _model(name) == model], vertices, edges, measured)
        if known is None:
            covariance[block] += _ONLY_NAMES * alike[block]
            continue
        slowness, weights = known
        mean[rows] = slowness @ weights
        habits = (slowness - mean[rows, None]) * np.sqrt(weights)
        habits -= habits.mean(axis=0)
        covariance[block] += _SHARE_OF_GRAPHS * habits @ habits.T + _SHARE_OF_NAMES * alike[block]
    return Expectation(mean, covariance)


def promising(names: Sequence[str], vertices: int, edges: int, measured: Sequence[Measured], most: int) -> list[str]:
    """Returns the programs of each model that are expected to be the fastest, `most` at most, in their order.

    A covariance of thousands of programs would take as long as many trials.
    """
    chosen: set[str] = set()
    for model in dict.fromkeys(map(_model, names)):
        members = [name for name in names if _model(name) == model]
        known = _elsewhere(members, vertices, edges, measured) if len(members) > most else None
        order = np.argsort(known[0] @ known[1], kind="stable") if known else np.arange(len(members))
        chosen.update(members[place] for place in order[:most])
    return [name for name in names if name in chosen]


def _elsewhere(
    members: Sequence[str], vertices: int, edges: int, measured: Sequence[Measured]
) -> tuple[Floats, Floats] | None:
    """Returns how slow programs of a model are on other graphs, and what these count; None if nothing is known."""
    model = _model(members[0])
    tables = [_select(model, table) for table in measured if table.edges >= _LEAST_EDGES]
    tables = [table for table in tables if table.times_s]
    if not tables:
        return None
    weights = np.array([likeness(table, vertices, edges) * len(table.times_s) for table in tables])
    slowness = np.column_stack([_slowness(members, table.times_s) for table in tables])
    return slowness, weights / weights.sum()


def _select(model: str, table: Measured) -> Measured:
    """Returns the times of the programs of one algorithm and model."""
    alike = {name: time for name, time in table.times_s.items() if _model(name) == model}
    return replace(table, times_s=alike)


def _slowness(names: Sequence[str], times_s: Mapping[str, float]) -> Floats:
    """Returns the logarithms of times over the shortest; what was not measured is as fast as what has a like name."""
    known = list(times_s)
    logs = np.log([times_s[name] for name in known])
    logs -= logs.min()
    column = {name: index for index, name in enumerate(known)}
    values = np.array([logs[column[name]] if name in column else np.nan for name in names])
    if unknown := [name for name in names if name not in column]:
        within = _similarity(known, known) + _INTERPOLATION_NOISE * np.eye(len(known))
        weights = np.linalg.solve(within, logs - logs.mean())
        values[np.isnan(values)] = logs.mean() + _similarity(unknown, known) @ weights
    return values


def likeness(table: Measured, vertices: int, edges: int) -> float:
    """Says how much the times on a graph count for another, at most 1, by average degree and, less so, by size."""
    degrees = np.log((edges + 1) / (vertices + 1)) - np.log((table.edges + 1) / (table.vertices + 1))
    sizes = np.log(vertices + 1) - np.log(table.vertices + 1)
    return float(np.exp(-np.hypot(degrees, sizes / 4) / _LIKENESS))


def _similarity(names: Sequence[str], others: Sequence[str]) -> Floats:
    """Returns how alike programs are, from 1 (the same) to 0, by the words of their names.

    One half is additive, each style having its own effect; the other lets styles depend on each other.
    """
    place = {word: index for index, word in enumerate(sorted(set().union(*map(_words, (*names, *others)))))}
    held, held_by_others = (np.zeros((len(group), len(place))) for group in (names, others))
    for matrix, group in ((held, names), (held_by_others, others)):
        for row, name in enumerate(group):
            matrix[row, [place[word] for word in _words(name)]] = 1
    common = held @ held_by_others.T
    different = (held.sum(axis=1)[:, None] + held_by_others.sum(axis=1) - 2 * common) / 2
    most = max(1.0, float(different.max()))
    similarity: Floats = 0.5 * (1 - different / most) + 0.5 * np.exp(-different / 4)
    return similarity


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", name))


def _model(name: str) -> str:
    """Returns the algorithm and the model of a program."""
    return "-".join(name.split("-")[:2])
