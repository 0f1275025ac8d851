"""Which programs to try first on a graph: those that were fast on graphs like it.

Each measured graph counts by how much it is like this one. The first program is the one that is expected to be the
fastest. A program alone may be slow on some graphs, so the others are chosen such that on every measured graph one of
all is fast.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

import numpy as np

from runner.best.measured import shape_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from runner.best.measured import Measured, Shape

    Floats = NDArray[np.float64]

CANDIDATES = 5
"""So many programs are suggested for a graph."""

_WEIGHTS = np.array([0.25, 1.0, 0.5, 0.5])
"""What a property counts when graphs are compared, in the order of Shape; at a distance of 1 of the second, the average
degree is e times as large."""

_REACH = 0.5  # distance at which a graph counts 1/e
_NOT_KNOWN = 0.5  # distance by a property that is not known
_LEAST_EDGES = 100  # on smaller graphs only the start of work is timed
_LEAST_PROGRAMS = 3  # with fewer, a place does not say what is fast
_SLOWEST = np.log(30.0)  # beyond that, it does not matter how slow a program is
_UNKNOWN = 0.2  # doubt about a program that was not measured at a place
_FEW = 0.1  # measurements that all other places of a place count for when its effect is estimated
_STEPS = 20  # of the estimation
_ALONE = 1e-3  # among programs that help the others as much, the fastest by itself
_SHOWN = 3  # graphs that are named
_LEAST_PLACES = 5  # with fewer nothing is said about how good suggestions are
_LEAST_TRUTH = 8  # programs measured at a place that tells how good suggestions are


@dataclass(frozen=True)
class Expected:
    """A program, and what is expected of it.

    Attributes:
        name: of the program.
        ratio: its time over that of the best of the suggested ones, alone; at least 1.
        seconds: its time on the machine of the suggestion.
    """

    name: str
    ratio: float
    seconds: float


@dataclass(frozen=True)
class Quality:
    """How good suggestions were for measured graphs, from the others: times over those of the best program there.

    Attributes:
        places: on how many graphs and machines.
        first: geometric mean of the first suggestion's, at least 1.
        first_worst: the largest.
        all: that of the fastest of all that are suggested.
        all_worst: the largest.
    """

    places: int
    first: float
    first_worst: float
    all: float
    all_worst: float


@dataclass(frozen=True)
class Suggestion:
    """Programs to try on a graph.

    Attributes:
        programs: by their expected times.
        machine: whose times they are.
        like: the measured graphs that count most, and how much, from 0 to 1.
        quality: how good such suggestions are; None if too little was measured to tell.
        programs_measured: of how many programs something is known.
    """

    programs: Sequence[Expected]
    machine: str
    like: Sequence[tuple[str, float]]
    quality: Quality | None
    programs_measured: int


@dataclass(frozen=True)
class _Table:
    """Slowness by program and place: the logarithm of time over the shortest there, NaN if unknown, shape (n, m)."""

    programs: Sequence[str]
    places: Sequence[Measured]
    slowness: Floats


def suggest(
    names: Collection[str],
    measured: Sequence[Measured],
    shapes: Mapping[str, Shape],
    shape: Shape,
    machine: str,
    count: int = CANDIDATES,
) -> Suggestion | None:
    """Suggests programs for a graph; None if none of them was measured.

    Args:
        names: of the programs that are possible, of one algorithm.
        measured: times of these and others.
        shapes: of measured graphs, by name.
        shape: of the graph.
        machine: fingerprint of the machine that they are for; its own times count before those of others.
        count: how many to suggest.
    """
    table = _tabulate(names, measured)
    if not table.places:
        return None
    weights = _likeness([shape_of(place, shapes) for place in table.places], shape)
    costs = _complete(table.slowness, weights)
    chosen = _portfolio(costs, weights, count)
    alone = costs @ weights
    seconds, of = _seconds(table, weights, shape, machine)
    programs = [
        Expected(table.programs[row], float(np.exp(alone[row] - alone[chosen[0]])), float(seconds * np.exp(alone[row])))
        for row in sorted(chosen, key=lambda row: alone[row])
    ]
    shares: dict[str, float] = {}
    for place, weight in zip(table.places, weights, strict=True):
        shares[place.graph] = shares.get(place.graph, 0.0) + float(weight)
    like = sorted(shares.items(), key=lambda item: -item[1])[:_SHOWN]
    return Suggestion(programs, of, like, _quality(table, shapes, count), len(table.programs))


def judge(
    names: Collection[str],
    measured: Sequence[Measured],
    shapes: Mapping[str, Shape],
    count: int = CANDIDATES,
    *,
    kinds: bool = False,
) -> Quality | None:
    """Says how good suggestions are, each measured graph left out in turn; None if too little was measured.

    Args:
        names: of the programs that are possible, of one algorithm.
        measured: times of these and others.
        shapes: of measured graphs, by name.
        count: how many are suggested.
        kinds: whether graphs whose names begin alike are left out together.
    """
    return _quality(_tabulate(names, measured), shapes, count, kinds=kinds)


def _tabulate(names: Collection[str], measured: Sequence[Measured]) -> _Table:
    wanted = frozenset(names)
    places = [
        place
        for place in measured
        if place.edges >= _LEAST_EDGES and len(wanted & place.times_s.keys()) >= _LEAST_PROGRAMS
    ]
    programs = sorted(wanted & {name for place in places for name in place.times_s})
    row = {name: index for index, name in enumerate(programs)}
    slowness = np.full((len(programs), len(places)), np.nan)
    for column, place in enumerate(places):
        known = [name for name in place.times_s if name in row]
        logs = np.log([place.times_s[name] for name in known])
        slowness[[row[name] for name in known], column] = np.minimum(logs - logs.min(), _SLOWEST)
        slowness[[row[name] for name in place.stopped if name in row], column] = _SLOWEST
    return _Table(programs, places, slowness)


def _likeness(places: Sequence[Shape], shape: Shape) -> Floats:
    """Returns how much each place counts for a graph; all together, 1."""
    there, here = (np.log1p(np.array([astuple(each) for each in group])) for group in (places, [shape]))
    difference = np.nan_to_num(np.abs(there - here) * _WEIGHTS, nan=_NOT_KNOWN)
    distances = np.linalg.norm(difference, axis=1)
    likeness: Floats = np.exp(-(distances - distances.min()) / _REACH)
    likeness /= likeness.sum()
    return likeness


def _complete(slowness: Floats, weights: Floats) -> Floats:
    """Returns slowness with a number everywhere: what is unknown follows from the program, the place, and doubt.

    Places differ in which programs were measured there: where only fast ones were, all of them look slow.
    """
    known = np.isfinite(slowness)
    values = np.where(known, slowness, 0.0)
    of_place = np.zeros(len(weights))
    counts = known * (weights + 1e-12)
    for _ in range(_STEPS):
        of_program = (counts * (values - of_place)).sum(axis=1) / counts.sum(axis=1)
        of_place = (known * (values - of_program[:, None])).sum(axis=0) / (known.sum(axis=0) + _FEW)
    guessed = np.clip(of_program[:, None] + of_place + _UNKNOWN, 0.0, _SLOWEST)
    return np.where(known, values, guessed)


def _portfolio(costs: Floats, weights: Floats, count: int) -> list[int]:
    """Chooses the program that is fastest alone, then each such that the fastest of all is as fast as can be."""
    alone = costs @ weights
    chosen = [int(alone.argmin())]
    best = costs[chosen[0]]
    while len(chosen) < min(count, len(costs)):
        together = np.minimum(best, costs) @ weights + _ALONE * alone
        together[chosen] = np.inf
        chosen.append(int(together.argmin()))
        best = np.minimum(best, costs[chosen[-1]])
    return chosen


def _seconds(table: _Table, weights: Floats, shape: Shape, machine: str) -> tuple[float, str]:
    """Returns what the best program takes on a machine, this one if it was measured, and which that is."""
    by_machine: dict[str, float] = {}
    for place, weight in zip(table.places, weights, strict=True):
        counted = float(weight) + (1e3 if place.is_of(machine) else 0.0)
        by_machine[place.machine] = by_machine.get(place.machine, 0.0) + counted
    of = max(by_machine, key=by_machine.__getitem__)
    rows = [index for index, place in enumerate(table.places) if place.machine == of]
    per_edge = [
        np.log(min(time for name, time in table.places[row].times_s.items() if name in set(table.programs)))
        - np.log(table.places[row].edges)
        for row in rows
    ]
    shortest = min(min(table.places[row].times_s.values()) for row in rows)  # of which a small graph takes no part
    level = np.average(per_edge, weights=weights[rows] + 1e-12)
    return max(shortest, float(np.exp(level) * shape.vertices * shape.average_degree)), of


def _same(graph: str, *, kinds: bool) -> str:
    """Returns what names of graphs have in common that are left out together: other numbers make no other graph."""
    return graph.split("-")[0] if kinds else graph.removesuffix("-shuffled")


def _quality(table: _Table, shapes: Mapping[str, Shape], count: int, *, kinds: bool = False) -> Quality | None:
    """Suggests programs for each measured graph from all others; only what was measured there can be suggested."""
    graphs = np.array([_same(place.graph, kinds=kinds) for place in table.places])
    described = [shape_of(place, shapes) for place in table.places]
    firsts, alls = [], []
    for column, graph in enumerate(graphs):
        others = np.flatnonzero(graphs != graph)
        there = np.flatnonzero(np.isfinite(table.slowness[:, column]))
        known = np.isfinite(table.slowness[np.ix_(there, others)])
        there, others = there[known.any(axis=1)], others[known.any(axis=0)]
        if len(there) < _LEAST_TRUTH or not len(others):
            continue
        weights = _likeness([described[other] for other in others], described[column])
        chosen = _portfolio(_complete(table.slowness[np.ix_(there, others)], weights), weights, count)
        truth = table.slowness[there[chosen], column]
        firsts.append(truth[0])
        alls.append(truth.min())
    if len(firsts) < _LEAST_PLACES:
        return None
    first, best = np.array(firsts), np.array(alls)
    numbers = (float(np.exp(each)) for each in (first.mean(), first.max(), best.mean(), best.max()))
    return Quality(len(firsts), *numbers)
