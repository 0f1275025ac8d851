"""The picture of home: which style to use for each algorithm on each kind of graph, on a GPU, and how sure that is."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis.measured.graphs import KINDS
from analysis.style_words import group, in_short
from analysis.styles import style_of
from generator.paths import ROOT
from generator.space import load_space
from handbook.advice import advice

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

    from analysis.judged.answers import Answer

PICTURE = ROOT / "docs" / "images" / "fastest.png"
COLOURS = {
    "push": "#f6d9b8",
    "push or pull": "#f3ebb5",
    "pull": "#cfe5c9",
    "bins": "#c6dff0",
    "another method": "#ddd0ec",
    "one pass": "#e4e4e4",
}
MARKS = {"sure": "\N{BLACK CIRCLE}", "likely": "\N{WHITE CIRCLE}", "measure": ""}
"""How sure an answer is."""

ROWS = ("bfs", "sssp", "cc", "pr", "ppr", "tc", "mis", "gc", "kcore", "lp", "mst", "bc")
"""The algorithms that were timed on every kind of graph."""


def draw(path: Path = PICTURE) -> None:
    """Draws the picture."""
    titles = {name: algorithm.title for name, algorithm in load_space().algorithms.items()}
    with mpl.rc_context(fname=str(ROOT / "analysis" / "drawn" / "violet.mplstyle")):
        figure = Figure(figsize=(10.4, 0.5 * len(ROWS) + 1.2), layout="constrained")
        axes = figure.subplots()
        used = set()
        for row, algorithm in enumerate(ROWS):
            for column, kind in enumerate(KINDS):
                if answer := advice().get((algorithm, "gpu", kind)):
                    used.add(_cell(axes, column, row, answer))
        axes.set(xlim=(0, len(KINDS)), ylim=(len(ROWS), 0))
        axes.set_xticks([x + 0.5 for x in range(len(KINDS))], [textwrap.fill(title, 18) for title, _ in KINDS.values()])
        axes.set_yticks([y + 0.5 for y in range(len(ROWS))], [titles[name] for name in ROWS])
        axes.tick_params(length=0, labeltop=True, labelbottom=False, labelsize=9)
        axes.grid(visible=False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        figure.legend(
            [Rectangle((0, 0), 1, 1, color=colour) for name, colour in COLOURS.items() if name in used],
            [name for name in COLOURS if name in used],
            loc="outside lower center",
            ncols=len(COLOURS),
            frameon=False,
            fontsize=9,
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=120, metadata={"Software": None})


def _cell(axes: Axes, column: int, row: int, answer: Answer) -> str:
    """Draws a cell; returns the group of its style, which its colour stands for."""
    found = style_of(answer.ranking[0].program)
    axes.add_patch(Rectangle((column + 0.01, row + 0.03), 0.98, 0.94, color=COLOURS[group(found)], linewidth=0))
    first, second = in_short(found)
    axes.text(column + 0.5, row + 0.34, first, ha="center", va="center", fontsize=8.5, weight="bold")
    axes.text(column + 0.5, row + 0.7, second, ha="center", va="center", fontsize=8)
    axes.text(column + 0.97, row + 0.2, MARKS[answer.certainty], ha="right", va="center", fontsize=9)
    return group(found)
