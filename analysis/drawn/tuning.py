"""Figures of what numbers by which a style is tuned are worth: `run --tune` makes them (Gunrock, Figure 21)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.colors import LogNorm
from matplotlib.style import context

from analysis import words
from analysis.drawn import canvas
from analysis.drawn.matrices import paint
from analysis.errors import AnalysisError
from analysis.measured.records import settings_but_for

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SLOWEST = 3.0
"""The ratio from which on all have the same colour."""

_GRAPHS = 6
"""So many panels fit into a figure."""


def tuned(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Returns the verified jobs of each program that was tuned in several ways on one graph.

    Args:
        frame: Jobs, as `records.load` returns them.

    Returns:
        By program: `graph`, `machine`, `slowness` (median time over that of the fastest tuning of the same graph and
        otherwise same setting, at least 1), and a column for each number that varies.
    """
    tuning = {text: json.loads(text).get("tuning") or {} for text in frame["setting"].unique()}
    jobs = frame[frame["throughput"].notna() & frame["setting"].map(tuning).map(bool)]
    jobs = jobs.assign(same=settings_but_for(jobs, "tuning"))
    place = ["program", "graph", "machine", "same"]
    jobs = jobs[jobs.groupby(place, observed=True)["setting"].transform("nunique") > 1]
    found = {}
    for program, some in jobs.groupby("program", observed=True):
        numbers = pd.DataFrame([*some["setting"].map(tuning)], index=some.index)
        numbers = numbers.loc[:, [len({*numbers[name]}) > 1 for name in numbers]]
        fastest = some.groupby(place, observed=True)["median_s"].transform("min")
        found[str(program)] = some[["graph", "machine"]].assign(slowness=some["median_s"] / fastest).join(numbers)
    return found


def tuning_figure(program: str, jobs: pd.DataFrame) -> Figure:
    """Draws how slow a program is with each number, or pair of numbers, beside the best: a panel a graph.

    Args:
        program: Its name.
        jobs: As `tuned` returns them.

    Raises:
        AnalysisError: More than two numbers vary, or there are more graphs than fit.
    """
    names = [str(name) for name in jobs if name not in ("graph", "machine", "slowness")]
    panels = [(str(graph), some) for (graph, _), some in jobs.groupby(["graph", "machine"], observed=True)]
    if len(names) > 2:
        raise AnalysisError(f"{program}: {', '.join(names)} vary, and a figure has room for two")
    if len(panels) > _GRAPHS:
        raise AnalysisError(f"{program}: tuned on {len(panels)} graphs, and a figure has room for {_GRAPHS}")
    said = [f"{program}: median time over that of the fastest of the graph. What has no number was not measured."]
    numbers = [pd.Index(sorted(jobs[name].unique()), name=name) for name in names]
    with context(canvas.STYLE):
        figure = canvas.new_figure(canvas.PAGE, 2.2, f"What {' and '.join(names)} are worth", said)
        for ax, (graph, some) in zip(np.ravel(figure.subplots(1, len(panels), sharey=True)), panels, strict=True):
            ax.set_title(words.label(graph), size=7)
            _line(ax, names[0], some) if len(names) == 1 else _table(ax, some, *numbers)
    return figure


def _line(ax: Axes, name: str, jobs: pd.DataFrame) -> None:
    of = jobs.groupby(name)["slowness"].median()
    ax.plot(of.index, of, "o-", color=canvas.VALUES[0], markersize=3)
    ax.set(xlabel=name, ylabel="slower than the best")
    if (of.index > 0).all():
        ax.set_xscale("log")


def _table(ax: Axes, jobs: pd.DataFrame, rows: pd.Index, columns: pd.Index) -> None:
    table = jobs.pivot_table("slowness", rows.name, columns.name, aggfunc="median").reindex(rows, columns=columns)
    paint(
        ax,
        table.rename("{:g}".format, axis=0).rename("{:g}".format, axis=1),
        LogNorm(1 / _SLOWEST, _SLOWEST, clip=True),
        "{:.3g}".format,
    )
    ax.set(xlabel=columns.name, ylabel=rows.name)
