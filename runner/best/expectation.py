"""What is expected of programs before any of them has run: from measurements on other graphs, and from their names.

Measurements say two things: which programs tend to be fast, and which are fast on the same graphs. Graphs count the
more, the more they are like the one in question. Names say that programs which share styles tend to be alike in speed,
which is all there is where nothing has been measured.
"""

from __future__ import annotations

import re
from collections.abc import Mapping  # noqa: TC003  # pydantic looks it up
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field

from runner.errors import warn

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

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


@dataclass(frozen=True)
class Measured:
    """Times on one graph and one kind of machine.

    Attributes:
        graph: its name.
        vertices: how many it has.
        edges: how many it has, directed.
        machine: fingerprint of the machine.
        times_s: median seconds by program.
    """

    graph: str
    vertices: Annotated[int, Field(ge=0, lt=2**63)]
    edges: Annotated[int, Field(ge=0, lt=2**63)]
    machine: str
    times_s: Mapping[str, Annotated[float, Field(gt=0, allow_inf_nan=False)]]


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
        known = [_select(str(model), table) for table in measured if table.edges >= _LEAST_EDGES]
        tables = [table for table in known if table.times_s]
        block = np.ix_(rows, rows)
        if not tables:
            covariance[block] += _ONLY_NAMES * alike[block]
            continue
        members = [name for name in names if _model(name) == model]
        slowness = np.column_stack([_slowness(members, table.times_s) for table in tables])
        weights = np.array([likeness(table, vertices, edges) * len(table.times_s) for table in tables])
        weights /= weights.sum()
        mean[rows] = slowness @ weights
        habits = (slowness - mean[rows, None]) * np.sqrt(weights)
        habits -= habits.mean(axis=0)
        covariance[block] += _SHARE_OF_GRAPHS * habits @ habits.T + _SHARE_OF_NAMES * alike[block]
    return Expectation(mean, covariance)


def read_measured(directory: Path) -> list[Measured]:
    """Returns the verified times of the tables in a folder; none if it has none.

    Those with an injected latency, or a partition from a file, are left out: they are not the program's own.
    """
    import pyarrow.parquet as pq  # here, because it takes a while
    from pyarrow.lib import ArrowException

    columns = ["program", "graph", "machine", "parameters", "status", "samples_s", "vertices", "edges"]
    found: dict[tuple[object, ...], dict[str, float]] = {}
    for path in sorted(directory.glob("*.parquet")):
        try:
            table = pq.read_table(path, columns=columns)
        except (OSError, ArrowException) as error:
            warn(f"{path}: left out, no table of results: {str(error).splitlines()[0]}")
            continue
        for row in table.to_pylist():
            own = '"latency"' not in row["parameters"] and '"partition"' not in row["parameters"]
            if row["status"] == "verified" and row["samples_s"] and own:
                graph = (row["graph"], row["vertices"], row["edges"], row["machine"])
                found.setdefault(graph, {})[row["program"]] = float(np.median(row["samples_s"]))
    return [Measured(*key, times) for key, times in found.items()]  # type: ignore[call-arg,arg-type]


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
    held_words = {name: set(re.findall(r"\w+", name)) for name in (*names, *others)}
    words = sorted(set().union(*held_words.values()))
    held, held_by_others = (
        np.array([[word in held_words[name] for word in words] for name in group], dtype=float)
        for group in (names, others)
    )
    different = np.abs(held[:, None, :] - held_by_others[None, :, :]).sum(axis=2) / 2
    most = max(1.0, float(different.max()))
    similarity: Floats = 0.5 * (1 - different / most) + 0.5 * np.exp(-different / 4)
    return similarity


def _model(name: str) -> str:
    """Returns the algorithm and the model of a program."""
    return "-".join(name.split("-")[:2])
