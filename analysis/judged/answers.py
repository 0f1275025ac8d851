"""Which program to use for an algorithm, a kind of graph and hardware: the fastest by what was measured, and how sure.

Everybody who has to choose without measuring does so by graphs of the same kind. So the choice is tried out: it is made
again without each graph in turn, or without each machine where there is one graph, and what it costs there says how
sure it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, isnan, log, nan
from statistics import fmean, median
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis import words
from analysis.compared.slowness import LEAST_EDGES, PLACE, UNKNOWN, fitting, slowness_of
from analysis.compared.study import Study
from analysis.errors import AnalysisError
from analysis.measured.graphs import KINDS, kinds
from analysis.styles import axes, options, style_of

Certainty = Literal["sure", "likely", "measure"]

ANY = "any"
"""In place of a kind or of hardware: all that there is of it."""

CLOSE = 1.10
"""A program that takes at most so many times as long as the best one is as good as that."""

BEARABLE = 1.5
"""A choice that costs more than that somewhere is none to rely on."""

NOISY = 0.5
"""Timings that range over more of their median, in the median of places, are of a busy machine: nothing is sure."""

SURE = 3
"""From so many graphs on, a choice that is close on each of them is sure."""

SHOWN = 8
"""So many programs of a ranking are told; of the others, quantiles."""

QUANTILES = 40

MORE = ("predecessors",)
"""Axes that ask for more results: no reason why a program without is fast."""

HARDWARE: Mapping[str, tuple[tuple[str, ...], str]] = {
    "gpu": (("cuda",), "GPU"),
    "cpu": (words.CPU, "CPU"),
    "gpus": (("multigpu",), "several GPUs"),
}
"""Kinds of hardware: the models of their programs, and what they are called."""


@dataclass(frozen=True)
class Place:
    """Where the program was measured, and how it did.

    Attributes:
        graph: On which graph.
        machine: On which machine.
        setting: With which parameters.
        seconds: Its time.
        edges: Directed ones of the graph.
        noise: The range of its samples over their median; NaN of one sample.
        slowdown: That over the time of the fastest program there, or on a machine of the same kind; at least 1.
    """

    graph: str
    machine: str
    setting: str
    seconds: float
    edges: float
    noise: float
    slowdown: float


@dataclass(frozen=True)
class Ranked:
    """A program in a ranking.

    Attributes:
        program: Its name.
        slowdown: Its time over that of the best program of each graph: the geometric mean; an estimate where it was
            not measured everywhere.
        graphs: The same on each graph, in the order of `Answer.graphs`; None where it was not measured.
    """

    program: str
    slowdown: float
    graphs: Sequence[float | None]


@dataclass(frozen=True)
class Choice:
    """What one value of the program's style is worth.

    Attributes:
        axis: On which axis.
        value: The value; "" if the program has none there.
        other: That of the best program with another one; likewise.
        factor: So many times as long that program takes.
    """

    axis: str
    value: str
    other: str
    factor: float


@dataclass(frozen=True)
class Answer:
    """Which program to use.

    Attributes:
        algorithm: What is computed.
        kind: On which kind of graph, a name in `KINDS` or `ANY`.
        hardware: A name in `HARDWARE`.
        family: On which of that hardware, as `words.family` calls it, or `ANY`.
        graphs: The graphs of that kind that were measured.
        ranking: The first programs; the very first is the answer.
        programs: How many there are in all.
        quantiles: Slowdowns of all of them, from the least to the largest, equally far apart in rank.
        places: Where the answer was measured.
        choices: What its style is made of, the most important first.
        left_out: What was left out, graphs or machines, and what the choice made without it costs there.
        certainty: How sure the answer is.
        why: That, in a sentence.
    """

    algorithm: str
    kind: str
    hardware: str
    family: str
    graphs: Sequence[str]
    ranking: Sequence[Ranked]
    programs: int
    quantiles: Sequence[float]
    places: Sequence[Place]
    choices: Sequence[Choice]
    left_out: Sequence[tuple[str, float]]
    certainty: Certainty
    why: str

    @property
    def blind(self) -> float:
        """What it costs to choose like this on a graph that was not measured: the geometric mean; NaN if untried."""
        return exp(fmean(log(cost) for _, cost in self.left_out)) if self.left_out else nan


def answers(study: Study) -> list[Answer]:
    """Answers for every algorithm, kind of graph and hardware of which something is known.

    Args:
        study: The results; programs for directed graphs answer only for algorithms that need them.
    """
    try:
        frame = pd.concat([fitting(study.frame, directed=False), _needing_directions(study.frame)])
    except AnalysisError:  # all that was measured takes directed graphs
        frame = study.frame
    frame = frame[frame["edges"].astype(float) >= LEAST_EDGES]
    kind_of = kinds(study.graphs)
    found: list[Answer] = []
    for hardware, (models, _) in HARDWARE.items():
        of_hardware = frame[frame["model"].isin(models)]
        for algorithm, jobs in of_hardware.groupby("algorithm", observed=True):
            if jobs["throughput"].notna().any():
                found += _of_algorithm(str(algorithm), hardware, jobs, kind_of)
    return found


def _needing_directions(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the jobs of algorithms that are measured on directed graphs only."""
    try:
        directed, undirected = (fitting(frame, directed=answer) for answer in (True, False))
    except AnalysisError:  # there are none, or no others
        return frame.iloc[:0]
    return directed[~directed["algorithm"].isin(undirected["algorithm"].unique())]


def _of_algorithm(algorithm: str, hardware: str, jobs: pd.DataFrame, kind_of: pd.Series) -> Iterator[Answer]:
    slowness = slowness_of(jobs, lambda machine: words.family(machine, hardware))
    graphs, machines, _ = (slowness.columns.get_level_values(level) for level in range(3))
    families = np.array([words.family(machine, hardware) for machine in machines])
    kind = kind_of.reindex(graphs).fillna("").to_numpy()
    names = sorted(set(families))
    measured = jobs[["median_s", "edges", "noise"]].astype(float).itertuples(index=False, name=None)
    known = dict(zip(jobs[["program", *PLACE]].itertuples(index=False, name=None), measured, strict=True))
    for family in (ANY, *names) if len(names) > 1 else (ANY,):
        for wanted in (ANY, *KINDS):
            here = ((families == family) | (family == ANY)) & ((kind == wanted) | (wanted == ANY))
            some = slowness.loc[:, here].dropna(how="all")
            if not some.empty:
                yield _answer(algorithm, wanted, hardware, family, some, known)


def _answer(
    algorithm: str,
    kind: str,
    hardware: str,
    family: str,
    slowness: pd.DataFrame,
    known: Mapping[Any, tuple[float, float, float]],
) -> Answer:
    programs = [str(name) for name in slowness.index]
    graphs = slowness.columns.get_level_values("graph").astype(str).to_numpy()
    machines = slowness.columns.get_level_values("machine").astype(str).to_numpy()
    settings = slowness.columns.get_level_values("setting").astype(str).to_numpy()
    values = slowness.to_numpy(float)
    costs = _expected(values, graphs)
    order = np.argsort(costs, kind="stable")
    best = int(order[0])
    names = list(dict.fromkeys(graphs))
    by_graph = np.column_stack([_mean(values[:, graphs == name]) for name in names])
    over = graphs if len(names) > 1 else machines
    short = words.short_machines(list(dict.fromkeys(machines)))
    left_out = [(short.get(name, name), cost) for name, cost in _left_out(values, graphs, over)]
    places = [
        Place(graph, machine, setting, *known[programs[best], graph, machine, setting], exp(log))
        for graph, machine, setting, log in zip(graphs, machines, settings, values[best], strict=True)
        if not np.isnan(log)
    ]
    certainty, why = _certainty(left_out, "graph" if len(names) > 1 else "machine")
    noises = [place.noise for place in places if not isnan(place.noise)]
    if noises and median(noises) > NOISY:
        why = f"Its timings range over {100 * median(noises):.0f} % of their median: the machine was busy."
        certainty = "measure"
    return Answer(
        algorithm,
        kind,
        hardware,
        family,
        names,
        [
            Ranked(programs[row], exp(costs[row]), [None if np.isnan(log) else exp(log) for log in by_graph[row]])
            for row in order[:SHOWN]
        ],
        len(programs),
        [exp(cost) for cost in np.quantile(costs, np.linspace(0, 1, QUANTILES))],
        places,
        _choices(programs, costs, best),
        left_out,
        certainty,
        why,
    )


def _expected(values: NDArray[np.float64], graphs: NDArray[np.str_]) -> NDArray[np.float64]:
    """Returns for each program the mean logarithm of its slowdown: all graphs count the same."""
    doubtful = _mean(values) + UNKNOWN
    filled = np.where(np.isnan(values), doubtful[:, None], values)
    means = [filled[:, graphs == name].mean(axis=1) for name in dict.fromkeys(graphs)]
    total: NDArray[np.float64] = np.mean(means, axis=0)
    return total


def _mean(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the means of rows over what is known; NaN where nothing is."""
    count = (~np.isnan(values)).sum(axis=1)
    means: NDArray[np.float64] = np.nansum(values, axis=1) / np.where(count, count, np.nan)
    return means


def _left_out(values: NDArray[np.float64], graphs: NDArray[np.str_], over: NDArray[np.str_]) -> list[tuple[str, float]]:
    """Chooses without each graph or machine in turn, among programs known there; returns what that costs there."""
    found = []
    for name in dict.fromkeys(over):
        apart = over == name
        there = _mean(values[:, apart])
        known = ~np.isnan(there) & (~np.isnan(values[:, ~apart])).any(axis=1)
        if known.any():
            chosen = int(_expected(values[known][:, ~apart], graphs[~apart]).argmin())
            found.append((str(name), exp(there[known][chosen])))
    return found


def _certainty(left_out: Sequence[tuple[str, float]], what: str) -> tuple[Certainty, str]:
    """Judges a choice by what it costs where it was made without: a graph or a machine."""
    costs = [cost for _, cost in left_out]
    if len(costs) < 2:
        return "measure", f"Only one {what} was measured: try the first few yourself."
    where, worst = max(left_out, key=lambda each: each[1])
    close = sum(cost <= CLOSE for cost in costs)
    within = f"within {100 * (CLOSE - 1):.0f} % of the best known"
    tried = f"Tried on each of {len(costs)} {what}s as if it were new, the choice is {within} on"
    if close == len(costs):
        certainty: Certainty = "sure" if what == "graph" and len(costs) >= SURE else "likely"
        return certainty, f"{tried} every one."
    certainty = "likely" if 2 * close >= len(costs) and worst <= BEARABLE else "measure"
    return certainty, f"{tried} {close or 'none'}, and takes {words.times(worst)} as long on {where}."


def _choices(programs: Sequence[str], costs: NDArray[np.float64], best: int) -> list[Choice]:
    """Asks of every axis on which programs differ how good the best program with another value is."""
    styles = [style_of(name) for name in programs]
    found = []
    for axis in (name for name in axes() if name not in MORE):
        value = styles[best].get(axis, "")
        others = [row for row, style in enumerate(styles) if style.get(axis, "") != value]
        if axis not in options():  # where it has no value, it does not exist, which another axis decided
            others = [row for row in others if value and axis in styles[row]]
        if others:
            other = min(others, key=lambda row: costs[row])
            found.append(Choice(axis, value, styles[other].get(axis, ""), exp(costs[other] - costs[best])))
    return sorted(found, key=lambda choice: -choice.factor)
