"""What all figures share: width, title and footnote, colours, log axes, files.

Figures are `matplotlib.figure.Figure` objects that belong to no window and to no global state.
"""

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.style import context

from analysis.defaults import Suffix
from analysis.statistics import Verdict
from analysis.words import plain
from generator.errors import naming

STYLE = Path(__file__).with_name("violet.mplstyle")

COLUMN = 3.5
"""Width of a figure in a column of a two-column page, in inches."""

PAGE = 7.1
"""Width of one across both columns, in inches."""

COLOURS: Mapping[Verdict, str] = {"first": "#0072B2", "second": "#D55E00", "unclear": "#8C8C8C"}
"""Okabe and Ito's blue and vermilion, and grey: told apart with every common kind of colour blindness."""

VALUES = ("#0072B2", "#D55E00", "#009E73")
"""Colours of up to three styles side by side: blue, vermilion and green of the same set."""

QUIET = "#555555"


def new_figure(width: float, height: float, title: str, notes: Sequence[str], legend: Iterable[Patch] = ()) -> Figure:
    """Makes an empty figure: title and legend above, notes below whatever is drawn into it.

    Args:
        width: In inches.
        height: Of what is drawn, in inches; the rest comes on top.
        title: In bold, wrapped at the width.
        notes: In small grey letters, each wrapped at the width.
        legend: Coloured patches with labels.
    """
    titles = textwrap.wrap(title, int(width * 12.5))
    words = [line for note in notes for line in textwrap.wrap(note, int(width * 21.5), break_on_hyphens=False)]
    handles = list(legend)
    columns = 3 if sum(len(str(handle.get_label())) + 5 for handle in handles) < width * 17 else 1
    rows = -(-len(handles) // columns)
    above = 0.1 + 0.16 * len(titles) + (0.05 + 0.15 * rows if rows else 0.05)
    below = 0.1 + 0.115 * len(words)
    total = height + above + below
    figure = Figure(figsize=(width, total))
    left = 0.08 / width
    figure.text(left, 1 - 0.07 / total, "\n".join(titles), va="top", weight="bold", size=9)
    if handles:
        anchor = (left, 1 - (0.1 + 0.16 * len(titles)) / total)
        figure.legend(
            handles=handles, loc="upper left", bbox_to_anchor=anchor, ncols=columns, handlelength=1.1, handleheight=0.8,
            columnspacing=1.0, labelspacing=0.25, borderpad=0.1, borderaxespad=0.0, handletextpad=0.4,
        )  # fmt: skip
    figure.text(left, 0.05 / total, "\n".join(words), va="bottom", color=QUIET, size=6, linespacing=1.25)
    figure.set_layout_engine("constrained", rect=(0, below / total, 1, height / total), w_pad=0.03, h_pad=0.03)
    return figure


def save(figure: Figure, directory: Path, name: str, suffixes: Sequence[Suffix] = tuple(Suffix)) -> list[Path]:
    """Writes a figure as `name.png` and `name.svg`, or only one of them, and returns the paths."""
    directory.mkdir(parents=True, exist_ok=True)
    paths = [directory / f"{name}.{suffix}" for suffix in suffixes]
    with context(STYLE):
        for suffix, path in zip(suffixes, paths, strict=True):
            # without a date or a version of the library, the same figure gives the same bytes
            with naming(path):
                figure.savefig(path, metadata={"Date": None} if suffix is Suffix.SVG else {"Software": None})
            figure.set_layout_engine("none")  # the second format keeps what was laid out for the first
    return paths


def verdict_legend(first: str, second: str) -> list[Patch]:
    """Returns a legend that explains the colours of verdicts."""
    labels: Mapping[Verdict, str] = {"first": first, "second": second, "unclear": "unclear"}
    return [Patch(color=COLOURS[verdict], label=label) for verdict, label in labels.items()]


def ratio_axis(ax: Axes, *, horizontal: bool = False) -> None:
    """Dresses a log axis of ratios: the line at 1, and enough plain numbers to read a ratio off."""
    (ax.axvline if horizontal else ax.axhline)(1.0, color="black", linestyle="--", linewidth=0.9, zorder=3, gid="equal")
    log_axis(ax, horizontal=horizontal)


def speedup_axis(ax: Axes) -> None:
    """Dresses a log axis of speedups, with room on either side of 1."""
    low, high = ax.get_ylim()
    ax.set_ylim(min(low, 1 / 1.4), max(high, 1.4))
    ratio_axis(ax)


_STEPS = {
    True: ((0.6, (1.0, 1.5, 2.0, 3.0, 5.0, 7.0)), (1.4, (1.0, 2.0, 5.0)), (2.5, (1.0, 3.0))),
    False: ((0.6, (1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 7.0)), (2.5, (1.0, 2.0, 5.0))),
}
"""Horizontal or not: below so many decades, an axis has these ticks a decade; above all limits, one."""


_NARROWEST = 1.2
"""A log axis spans no smaller factor; margins around a single value, rounded, may span none at all."""


def log_axis(ax: Axes, *, horizontal: bool = False) -> None:
    """Dresses a log axis with plain numbers, denser where it spans less."""
    axis = ax.xaxis if horizontal else ax.yaxis
    low, high = axis.get_view_interval()
    if high < low * _NARROWEST:
        middle = np.sqrt(low * high)
        low, high = middle / np.sqrt(_NARROWEST), middle * np.sqrt(_NARROWEST)
        (ax.set_xlim if horizontal else ax.set_ylim)(low, high)
    decades = np.log10(high / low)
    steps = next((steps for limit, steps in _STEPS[horizontal] if decades < limit), (1.0,))
    axis.set_major_locator(ticker.LogLocator(subs=steps, numticks=7 if horizontal else 9))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: plain(value)))
    axis.set_minor_locator(ticker.NullLocator())
    (ax.yaxis if horizontal else ax.xaxis).grid(visible=False)
