"""A figure of what `violet trace` wrote: how fast rounds are, over what they have to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.style import context

from analysis.drawn import canvas
from analysis.errors import AnalysisError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from matplotlib.figure import Figure

_COLUMNS = ("round", "direction", "frontier", "edges", "seconds")
_MARKS = {"push": "o", "pull": "s"}

_MANY = 100
"""So many rounds are told apart on a plain axis."""


def load_rounds(path: Path) -> pd.DataFrame:
    """Returns the rounds of a trace.

    Raises:
        AnalysisError: It is no such table, or has no round.
    """
    try:
        rounds = pd.read_csv(path)
    except (ValueError, OSError) as error:
        raise AnalysisError(f"{path}: {error}") from None
    if missing := [column for column in _COLUMNS if column not in rounds]:
        raise AnalysisError(f"{path}: no trace of rounds: no column {missing[0]}")
    if rounds.empty:
        raise AnalysisError(f"{path}: has no round")
    return rounds


def rounds_figure(traces: Mapping[str, pd.DataFrame]) -> Figure:
    """Draws edges per second by round, and over the frontier of a round; a colour a trace.

    Args:
        traces: Tables as `load_rounds` returns them, by their labels.

    Raises:
        AnalysisError: There are more than can be told apart.
    """
    if len(traces) > len(canvas.VALUES):
        raise AnalysisError(f"{len(traces)} traces in one figure: at most {len(canvas.VALUES)} can be told apart")
    said = ["Circles push, squares pull. Rounds without edges are left out. Times include the counting of edges."]
    with context(canvas.STYLE):
        figure = canvas.new_figure(canvas.PAGE, 2.4, "Edges that rounds look at, in a second", said)
        by_round, by_frontier = figure.subplots(1, 2, sharey=True)
        for colour, (label, every) in zip(canvas.VALUES, traces.items(), strict=False):
            rounds = every[every["edges"] > 0]
            rate = rounds["edges"] / rounds["seconds"]
            by_round.plot(rounds["round"], rate, color=colour, linewidth=0.8, label=label)
            for direction, mark in _MARKS.items():
                some = rounds["direction"] == direction
                for ax, x in ((by_round, "round"), (by_frontier, "frontier")):
                    ax.plot(rounds[x][some], rate[some], mark, color=colour, markersize=2.5)
        by_round.set(xlabel="round", ylabel="edges per second", yscale="log")
        by_frontier.set(xlabel="items of the round", xscale="log")
        canvas.log_axis(by_round)
        if max(rounds["round"].max() for rounds in traces.values()) > _MANY:
            by_round.set_xscale("log")
            canvas.log_axis(by_round, horizontal=True)
        canvas.log_axis(by_frontier, horizontal=True)
        by_round.legend(fontsize=6)
    return figure
