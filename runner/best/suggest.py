"""Which programs to try first on a graph: those that were fast on graphs like it.

How slow a program is next to others is taken for a function of a graph's properties: alike on graphs that are alike,
and with a trend where many graphs were measured (kriging: `_forecast`). What a graph adds for all programs alike is
left out, since places differ in which programs were measured there. The first program is the one that is expected to be
the fastest. A program alone may be slow on some graphs, so the others are chosen such that on every measured graph one
of all is fast.
"""

from __future__ import annotations

import math
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

LEAST_EDGES = 100
"""On smaller graphs only the start of work is timed."""

NOT_KNOWN = "how near it is to the best of all is not known"
"""What is said where too little was measured."""

WHOLE_WEIGHTS = "as measured with whole weights"
"""What is said of programs that take real weights, if only others were measured."""

_MIDDLE = np.array([12.7, 2.0, 1.5, 3.0, 0.2])  # a middling graph's `_properties`: logarithms, but for the last
_WEIGHTS = np.array([0.25, 0.5, 0.25, 0.25, 1.0])  # what a property counts when graphs are compared, in the same order
_NOT_KNOWN = 0.5  # distance by a property that is not known

# Variances of a program's slowness, in squared logarithms: `python -m benchmarks.choose` says what they are good for.
# With kinds left out, the first is no nearer to the best by more than chance if programs whose times vary count as
# slower, if programs of like names are alike, or if graphs are compared by their share of high degrees or their order.
_HABIT = 0.5  # on all graphs
_NEAR = 1.0  # on graphs that are alike
_TREND = 1.0  # by properties
_BEND = 0.05  # by their products
_GRAPH = 0.1  # on this graph alone, on all machines
_NOISE = 0.01  # in this place alone
_PLACE = 30.0  # of what a place adds for all programs
_NOTHING = 1e4  # with which what was not measured counts as measured
_TREND_GRAPHS = 12  # with fewer graphs, what looks like a trend is chance

_UNKNOWN = 0.4  # doubt about a program that was not measured at a place
_CONSIDERED = 60  # programs that came nearest to the fastest somewhere
_REACH = 0.12  # distance at which a graph counts 1/e beside the one most alike
_LEAST_PROGRAMS = 3  # with fewer, a place does not say what is fast
_SLOWEST = np.log(30.0)  # beyond that, it does not matter how slow a program is
_ALONE = 1e-3  # among programs that help the others as much, the fastest by itself
_SHOWN = 3  # graphs that are named
_LEAST_SHARE = 0.005  # of those
_LEAST_PLACES = 5  # with fewer nothing is said about how good suggestions are
_LEAST_TRUTH = 8  # programs measured at a place that tells how good suggestions are
_USUALLY = 0.8  # of the places, when what is usual is told


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
    """How good suggestions were for measured graphs, from graphs of other kinds.

    Attributes:
        first: the time of the first suggestion over that of the best program measured there, by graph and machine.
        all: that of the fastest of all that are suggested.
        kinds: of what kind the graph is.
    """

    first: Sequence[float]
    all: Sequence[float]
    kinds: Sequence[str]

    def in_numbers(self) -> dict[str, float]:
        """Returns how many cases there are, and of both the geometric mean, what is usual, and the worst."""
        numbers: dict[str, float] = {"places": len(self.first)}
        for name, ratios in (("first", self.first), ("all", self.all)):
            numbers |= {name: mean(ratios), f"{name}_usual": usual(ratios), f"{name}_worst": max(ratios)}
        return numbers

    def in_words(self, programs: int) -> str:
        """Says what to expect of the first suggestion, or of the fastest of several."""
        found = self.all if programs > 1 else self.first
        return (
            f"expected to take at most {at_most(usual(found))} times as long as the best that was measured, as in "
            f"{_USUALLY * 100:.0f} % of {len(found)} cases on graphs of other kinds "
            f"({mean(found):.2f} times in the geometric mean, {max(found):.3g} at worst)"
        )


@dataclass(frozen=True)
class Suggestion:
    """Programs to try on a graph.

    Attributes:
        programs: by their expected times.
        machine: whose times they are.
        like: the measured graphs that count most, and how much, from 0 to 1.
        quality: how good such suggestions are; None if too little was measured to tell.
        programs_measured: of how many programs something is known.
        whole_weights: whether what is known of the first is of the program that is the same but for whole weights.
    """

    programs: Sequence[Expected]
    machine: str
    like: Sequence[tuple[str, float]]
    quality: Quality | None
    programs_measured: int
    whole_weights: bool = False


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
    known, table = len(table.programs), _considered(table)
    places, here = _properties([shape_of(place, shapes) for place in table.places]), _properties([shape])
    expected, costs = _forecast(table.slowness, [place.graph for place in table.places], places, here)
    (weights,) = _likeness(here, places)
    alone = expected[:, 0]
    chosen = _portfolio(alone, costs, weights, count)
    seconds, of = _seconds(table, weights, shape, machine)
    seconds *= float(np.exp(costs[chosen[0]] @ weights))
    ratios = {row: float(np.exp(alone[row] - alone[chosen[0]])) for row in sorted(chosen, key=lambda row: alone[row])}
    programs = [Expected(table.programs[row], ratio, seconds * ratio) for row, ratio in ratios.items()]
    shares: dict[str, float] = {}
    for place, weight in zip(table.places, weights, strict=True):
        shares[place.graph] = shares.get(place.graph, 0.0) + float(weight)
    like = [share for share in sorted(shares.items(), key=lambda item: -item[1])[:_SHOWN] if share[1] >= _LEAST_SHARE]
    judged = shape.vertices * shape.average_degree >= LEAST_EDGES  # as graphs are that it is judged by
    quality = judge(names, measured, shapes, count) if judged else None
    whole = any(programs[0].name in place.stand_ins for place in table.places)
    return Suggestion(programs, of, like, quality, known, whole)


def judge(
    names: Collection[str],
    measured: Sequence[Measured],
    shapes: Mapping[str, Shape],
    count: int = CANDIDATES,
    *,
    alone: bool = False,
    least: int = _LEAST_TRUTH,
) -> Quality | None:
    """Says how good suggestions are, measured graphs left out in turn; None if too little was measured.

    Only what was measured in a place can be suggested for it.

    Args:
        names: of the programs that are possible, of one algorithm.
        measured: times of these and others.
        shapes: of measured graphs, by name.
        count: how many are suggested.
        alone: whether graphs are left out one by one, not with all of their kind.
        least: in how few programs a place tells what is the best.
    """
    table = _tabulate(names, measured)
    if not table.places:
        return None
    graphs = np.array([_same(place.graph, alone=alone) for place in table.places])
    shape = _properties([shape_of(place, shapes) for place in table.places])
    enough = np.isfinite(table.slowness).sum(axis=0) >= least
    firsts, alls, kinds = [], [], []
    for graph in dict.fromkeys(graphs):
        left = np.flatnonzero((graphs == graph) & enough)
        others = np.flatnonzero(graphs != graph)
        if not len(left) or not len(others):
            continue
        known = _considered(
            _Table(table.programs, [table.places[int(each)] for each in others], table.slowness[:, others])
        )
        rows = np.array([table.programs.index(name) for name in known.programs])
        names_there = [place.graph for place in known.places]
        expected, costs = _forecast(known.slowness, names_there, shape[others], shape[left])
        for place, alone_there, weights in zip(left, expected.T, _likeness(shape[left], shape[others]), strict=True):
            truth = table.slowness[rows, place]
            there = np.flatnonzero(np.isfinite(truth))
            if not len(there):
                continue
            chosen = truth[there[_portfolio(alone_there[there], costs[there], weights, count)]]
            best = np.nanmin(table.slowness[:, place])
            firsts.append(float(np.exp(chosen[0] - best)))
            alls.append(float(np.exp(chosen.min() - best)))
            kinds.append(str(graph))
    return Quality(firsts, alls, kinds) if len(firsts) >= _LEAST_PLACES else None


def how_good(tried: int, programs: int, quality: Quality | None, suggested: int) -> str:
    """Says, to go on a sentence, how near the best of all the fastest program should be that was tried.

    Args:
        tried: how many programs.
        programs: how many there are.
        quality: of suggestions, if that is known.
        suggested: how many of the programs tried were.
    """
    if tried == programs:
        return ", which are all"
    return f"; {quality.in_words(suggested)}" if quality else f"; {NOT_KNOWN}"


def mean(ratios: Sequence[float]) -> float:
    """Returns the geometric mean."""
    return float(np.exp(np.mean(np.log(ratios))))


def usual(ratios: Sequence[float]) -> float:
    """Returns what another such ratio does not exceed in a share of `_USUALLY`; the largest of few."""
    place = math.ceil(_USUALLY * (len(ratios) + 1)) - 1
    return sorted(ratios)[min(place, len(ratios) - 1)]


def at_most(ratio: float) -> str:
    """Returns a bound of a ratio from 1 on, rounded up, no finer than it is known."""
    return f"{max(1.01, math.ceil(round(ratio * 100, 6)) / 100):.2f}"


def _tabulate(names: Collection[str], measured: Sequence[Measured]) -> _Table:
    wanted = frozenset(names)
    places = [
        place
        for place in measured
        if place.edges >= LEAST_EDGES and len(wanted & place.times_s.keys()) >= _LEAST_PROGRAMS
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


def _considered(table: _Table) -> _Table:
    """Returns the table of the programs that came nearest to the fastest somewhere; others would only take time."""
    nearest = np.min(np.nan_to_num(table.slowness, nan=np.inf), axis=1, initial=np.inf)
    rows = [row for row in np.argsort(nearest, kind="stable")[:_CONSIDERED] if np.isfinite(nearest[row])]
    return _Table([table.programs[row] for row in rows], table.places, table.slowness[rows])


def _properties(shapes: Sequence[Shape]) -> Floats:
    """Returns what graphs are compared by, NaN where it is not known, shape (n, 5): a distance of 1 is a long way."""
    *sizes, clustering = np.array([astuple(each) for each in shapes]).T
    vertices, average, largest, diameter = np.maximum(sizes, 0.1)
    logs = np.log([vertices, average, np.maximum(largest / average, 1.0), diameter])
    scaled: Floats = (np.vstack([logs, clustering]).T - _MIDDLE) * _WEIGHTS
    return scaled


def _distances(some: Floats, others: Floats) -> Floats:
    distances: Floats = np.linalg.norm(np.nan_to_num(some[:, None] - others, nan=_NOT_KNOWN), axis=2)
    return distances


def _likeness(some: Floats, others: Floats) -> Floats:
    """Returns how much each of other graphs counts for some; all together, 1."""
    distances = _distances(some, others)
    likeness: Floats = np.exp(-(distances - distances.min(axis=1, keepdims=True)) / _REACH)
    likeness /= likeness.sum(axis=1, keepdims=True)
    return likeness


def _forecast(slowness: Floats, graphs: Sequence[str], places: Floats, wanted: Floats) -> tuple[Floats, Floats]:
    """Says how slow programs should be: on graphs, up to a number for each, and in places where nobody measured them.

    Args:
        slowness: logarithms by program and place, shape (n, m); NaN where it is not known.
        graphs: of the places.
        places: properties of their graphs.
        wanted: properties of k graphs.

    Returns:
        What to expect, shape (n, k), and slowness with a number everywhere.
    """
    trend = len(set(graphs)) >= _TREND_GRAPHS

    def covariance(some: Floats, others: Floats) -> Floats:
        trends = np.nan_to_num(some) @ np.nan_to_num(others).T * trend
        found: Floats = _HABIT + _NEAR * np.exp(-_distances(some, others)) + _TREND * trends + _BEND * trends**2
        return found

    known, one = np.isfinite(slowness), np.eye(len(places))
    between = covariance(places, places) + _GRAPH * np.equal.outer(graphs, graphs)
    masks, mask_of = np.unique(known, axis=0, return_inverse=True)  # many programs were measured in the same places
    inverses = np.linalg.inv(between + np.where(masks, _NOISE, _NOTHING)[:, :, None] * one)
    inverse = (inverses * (masks[:, :, None] & masks[:, None, :]))[mask_of]
    values = np.where(known, slowness, 0.0)
    of_place = np.linalg.solve(inverse.sum(axis=0) + one / _PLACE, np.einsum("pij,pj->i", inverse, values))
    told = np.einsum("pij,pj->pi", inverse, values - of_place)
    guessed = np.clip(told @ between + of_place + _UNKNOWN, 0.0, _SLOWEST)
    return told @ covariance(places, wanted), np.where(known, slowness, guessed)


def _portfolio(alone: Floats, costs: Floats, weights: Floats, count: int) -> list[int]:
    """Chooses the program that is fastest alone, then each such that the fastest of all is as fast as can be."""
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
    programs = set(table.programs)
    per_edge = [
        np.log(min(time for name, time in table.places[row].times_s.items() if name in programs))
        - np.log(table.places[row].edges)
        for row in rows
    ]
    shortest = min(min(table.places[row].times_s.values()) for row in rows)  # of which a small graph takes no part
    level = np.average(per_edge, weights=weights[rows] + 1e-12)
    return max(shortest, float(np.exp(level) * shape.vertices * shape.average_degree)), of


def _same(graph: str, *, alone: bool) -> str:
    """Returns what names of graphs have in common that are left out together: other numbers make no other graph."""
    return graph.removesuffix("-shuffled") if alone else graph.split("-")[0]
