"""A figure per algorithm: how far all programs are from the best, by kind of graph, and where the one to use is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure

from analysis.style_words import in_short
from analysis.styles import style_of
from analysis.words import plain
from generator.paths import ROOT
from handbook.advice import TITLES, advice

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from analysis.judged.answers import Answer

FOLDER = ROOT / "docs" / "images"
COLOURS = {"gpu": "#5b3cc4", "cpu": "#de7a22"}
TICKS = (1, 2, 5, 10, 20)


def ranked(algorithm: str) -> list[Answer]:
    """Returns what is known of an algorithm: on a GPU, then on CPUs, by kind of graph."""
    known = advice()
    keys = ((algorithm, hardware, kind) for hardware in COLOURS for kind in TITLES)
    return [known[key] for key in keys if key in known]


def draw(algorithm: str, folder: Path = FOLDER) -> Path | None:
    """Draws the figure; returns its file, or None if nothing is known of the algorithm."""
    found = ranked(algorithm)
    if not found:
        return None
    with mpl.rc_context(fname=str(ROOT / "analysis" / "drawn" / "violet.mplstyle")):
        figure = Figure(figsize=(9, 0.42 * len(found) + 0.8), layout="constrained")
        axes = figure.subplots()
        for row, answer in enumerate(found):
            _row(axes, row, answer)
        names = [f"{TITLES[answer.kind]}, {'GPU' if answer.hardware == 'gpu' else 'CPUs'}" for answer in found]
        axes.set_yticks(range(len(found)), names)
        axes.set(xscale="log", xlim=(0.95, 40), ylim=(len(found) - 0.4, -0.6))
        axes.set_xticks(TICKS, [f"{plain(tick)}x" for tick in TICKS])
        axes.minorticks_off()
        axes.tick_params(length=0, labelsize=9)
        axes.set_xlabel("times as long as the best on each graph: a mark is a fortieth of all programs", fontsize=9)
        for spine in axes.spines.values():
            spine.set_visible(False)
        path = folder / f"{algorithm}.png"
        figure.savefig(path, dpi=110, metadata={"Software": None})
    return path


def _row(axes: Axes, row: int, answer: Answer) -> None:
    colour = COLOURS[answer.hardware]
    axes.vlines(answer.quantiles, row - 0.1, row + 0.32, colors=colour, alpha=0.35, linewidth=1)
    first = answer.ranking[0]
    axes.plot(first.slowdown, row + 0.1, "o", color=colour, markersize=6)
    said = ", ".join(filter(None, in_short(style_of(first.program))))
    axes.annotate(said, (first.slowdown, row - 0.16), fontsize=8, va="bottom", ha="left")
