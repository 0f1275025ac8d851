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
    """Draws how slow a program is beside its best: a panel a graph by two numbers, or a row a graph by one.

    Args:
        program: Its name.
        jobs: As `tuned` returns them.

    Raises:
        AnalysisError: More than two numbers vary, or there are more graphs than fit.
    """
    names = [str(name) for name in jobs if name not in ("graph", "machine", "slowness")]
    if len(names) > 2:
        raise AnalysisError(f"{program}: {', '.join(names)} vary, and a figure has room for two")
    several = jobs["machine"].unique().size > 1
    jobs = jobs.assign(place=jobs["graph"].astype(str) + (" " + jobs["machine"].astype(str) if several else ""))
    panels = [("", jobs)] if len(names) == 1 else [*jobs.groupby("place")]
    if len(panels) > _GRAPHS:
        raise AnalysisError(f"{program}: tuned on {len(panels)} graphs, and a figure has room for {_GRAPHS}")
    columns = names.pop()
    rows = names.pop() if names else "place"
    said = [f"{program}: median time over that of the fastest of the graph. What has no number was not measured."]
    labels = [sorted(jobs[name].unique()) for name in (rows, columns)]
    with context(canvas.STYLE):
        title = columns if rows == "place" else f"{rows} and {columns}"
        figure = canvas.new_figure(canvas.PAGE, 0.24 * len(labels[0]) + 1, f"Times by {title}", said)
        for ax, (graph, some) in zip(np.ravel(figure.subplots(1, len(panels), sharey=True)), panels, strict=True):
            ax.set_title(words.label(str(graph)), size=7)
            table = some.pivot_table("slowness", rows, columns, aggfunc="median").reindex(labels[0], columns=labels[1])
            scale = LogNorm(1 / _SLOWEST, _SLOWEST, clip=True)
            paint(ax, table.rename(_text, axis=0).rename(_text, axis=1), scale, "{:.3g}".format)
            ax.tick_params(labelsize=6)
            ax.set(xlabel=columns, ylabel="" if rows == "place" else rows)
    return figure


def _text(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"
