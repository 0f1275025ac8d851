"""The picture of home: the fastest style of each algorithm on each kind of graph, on a GPU."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from analysis.style_words import group, in_short
from generator.paths import ROOT
from generator.space import load_space
from handbook.best import KINDS, Answer, answers, style

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes

PICTURE = ROOT / "docs" / "images" / "fastest.png"
COLOURS = {
    "push": "#f6d9b8",
    "push or pull": "#f3ebb5",
    "pull": "#cfe5c9",
    "bins": "#c6dff0",
    "another method": "#ddd0ec",
    "one pass": "#e4e4e4",
}
ROWS = ("bfs", "sssp", "cc", "pr", "ppr", "tc", "mis", "gc", "kcore", "lp", "mst", "bc")
"""The algorithms that were timed on every kind of graph."""


def draw(path: Path = PICTURE) -> None:
    """Draws the picture."""
    titles = {name: algorithm.title for name, algorithm in load_space().algorithms.items()}
    with mpl.rc_context(fname=str(ROOT / "analysis" / "drawn" / "violet.mplstyle")):
        figure = Figure(figsize=(10.4, 0.5 * len(ROWS) + 1.2), layout="constrained")
        axes = figure.subplots()
        for row, algorithm in enumerate(ROWS):
            for answer in answers(algorithm, ["cuda"]):
                _cell(axes, KINDS.index(answer.kind), row, answer)
        axes.set(xlim=(0, len(KINDS)), ylim=(len(ROWS), 0))
        axes.set_xticks([x + 0.5 for x in range(len(KINDS))], [textwrap.fill(kind.title, 18) for kind in KINDS])
        axes.set_yticks([y + 0.5 for y in range(len(ROWS))], [titles[name] for name in ROWS])
        axes.tick_params(length=0, labeltop=True, labelbottom=False, labelsize=9)
        axes.grid(visible=False)
        for spine in axes.spines.values():
            spine.set_visible(False)
        figure.legend(
            [Rectangle((0, 0), 1, 1, color=colour) for colour in COLOURS.values()],
            list(COLOURS),
            loc="outside lower center",
            ncols=len(COLOURS),
            frameon=False,
            fontsize=9,
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=120, metadata={"Software": None})


def _cell(axes: Axes, column: int, row: int, answer: Answer) -> None:
    found = style(answer.program)
    axes.add_patch(Rectangle((column + 0.01, row + 0.03), 0.98, 0.94, color=COLOURS[group(found)], linewidth=0))
    first, second = in_short(found)
    axes.text(column + 0.5, row + 0.34, first, ha="center", va="center", fontsize=8.5, weight="bold")
    axes.text(column + 0.5, row + 0.7, second, ha="center", va="center", fontsize=8)
