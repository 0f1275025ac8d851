"""Figures of matrices: styles of the best programs, combinations and correlations, as in the paper; interactions."""

from collections.abc import Callable, Sequence

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm, Normalize
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.style import context

from analysis.compared.interactions import in_words, interactions
from analysis.drawn import canvas
from analysis.errors import AnalysisError
from analysis.measured.graphs import PROPERTIES
from analysis.words import MODELS, styled

DIVERGING = "PuOr_r"
"""Purple below, orange above: told apart with every common kind of colour blindness."""

STRONGEST = 5.0
"""The ratio from which on all have the same colour."""

STRONGEST_PAIR = 15.0
"""The share, in %, likewise."""


def shares_figure(shares: pd.DataFrame, notes: Sequence[str] = ()) -> Figure:
    """Draws how often the best programs have each style (the paper's Figure 14).

    Args:
        shares: As `best.shares` returns them.
        notes: What else to say below.

    Raises:
        AnalysisError: There are none, or none had another style beside it.
    """
    if shares["share"].isna().all():
        raise AnalysisError("no best programs: no two verified jobs differ in style")
    models = [model for model in MODELS if (shares["model"] == model).any()]
    columns = list(dict.fromkeys(shares["value"]))
    table = shares.pivot_table("share", "model", "value", observed=True).reindex(index=models, columns=columns)
    said = [
        "In % of the fastest verified programs, one for every algorithm and graph. A pair of styles counts only "
        "algorithms that have both, and best programs that have the axis at all.",
        *notes,
    ]
    named = (table * 100).rename(index=MODELS, columns=styled)
    scale = Normalize(0, 100)
    return _heat(named, "Styles of the best programs", said, canvas.COLUMN, scale, lambda value: f"{value:.0f}")


def combinations_figure(matrix: pd.DataFrame, notes: Sequence[str] = ()) -> Figure:
    """Draws which styles go well together (the paper's Figure 15).

    Args:
        matrix: As `combinations.combinations` returns it.
        notes: What else to say below.

    Raises:
        AnalysisError: There is nothing to combine.
    """
    if matrix.empty:
        raise AnalysisError("no styles to combine")
    said = [
        "Median throughput of the programs with the row's style and the column's, over that of those with the row's "
        "and another in the column's place; throughputs relative to the median of their algorithm on that graph and "
        "machine.",
        *notes,
    ]
    title = "Styles that go well together: above 1, the column's style makes the row's faster"
    scale = LogNorm(1 / STRONGEST, STRONGEST, clip=True)
    named = matrix.rename(index=styled, columns=styled)
    return _heat(named, title, said, canvas.PAGE, scale, lambda value: f"{value:.2f}"[:4].rstrip("."))


def interactions_figure(found: pd.DataFrame, notes: Sequence[str] = ()) -> Figure:
    """Draws which choices depend on each other.

    Args:
        found: As `interactions.explained` returns it.
        notes: What else to say below.

    Raises:
        AnalysisError: There is nothing: too few programs.
    """
    if found.empty:
        raise AnalysisError("too few programs to say which choices depend on each other")
    table = 100 * interactions(found)
    table = table.mask(np.triu(np.ones(table.shape, dtype=bool), 1))
    said = [
        "What a pair of choices explains of the variance of log throughput beyond each by itself, in %: the median of "
        "algorithms and graphs.",
        in_words(found),
        *notes,
    ]
    title, scale = "Choices that depend on each other", Normalize(-STRONGEST_PAIR, STRONGEST_PAIR, clip=True)
    return _heat(table.iloc[1:, :-1], title, said, canvas.PAGE, scale, lambda value: f"{value:.0f}".replace("-0", "0"))


def correlations_figure(pearson: pd.DataFrame, spearman: pd.DataFrame, notes: Sequence[str] = ()) -> Figure:
    """Draws correlations of throughput with properties of graphs (the paper's Section 5.13), in two ways.

    Args:
        pearson: As `correlations.correlations` returns them, of throughputs as they are.
        spearman: Likewise, of ranks within an algorithm.
        notes: What else to say below.

    Raises:
        AnalysisError: There are none: too few graphs.
    """
    if pearson.empty:
        raise AnalysisError("correlations need more graphs")
    said = [
        "Left: Pearson's r of throughputs, all algorithms together, as in the paper. Right: Spearman's of ranks within "
        "an algorithm. There are few graphs, and their properties go together: this describes them and tests nothing.",
        *notes,
    ]
    both = pd.concat([pearson, spearman], axis=1)
    heads = [PROPERTIES[column] for column in both.columns]
    named, title = both.rename(index=styled).set_axis(heads, axis=1), "Throughput and properties of graphs"
    figure = _heat(named, title, said, canvas.PAGE, Normalize(-1, 1), lambda value: f"{value:.2f}", "correlation")
    ax = figure.axes[0]
    ax.axvline(len(pearson.columns) - 0.5, color="white", linewidth=4)
    below = len(both) - 0.35
    for name, first, columns in (("Pearson", 0, pearson.columns), ("Spearman", len(pearson.columns), spearman.columns)):
        ax.text(first + (len(columns) - 1) / 2, below, name, ha="center", va="top", weight="bold", size=8)
    return figure


def paint(ax: Axes, table: pd.DataFrame, scale: Normalize, write: Callable[[float], str]) -> AxesImage:
    """Draws a table with its numbers on coloured ground; the middle of the scale is white, as a missing number is."""
    values = table.to_numpy(float)
    image = ax.imshow(values, cmap=mpl.colormaps[DIVERGING], norm=scale, aspect="auto", gid="matrix")
    for (row, column), value in np.ndenumerate(values):
        if not np.isnan(value):
            ink = "black" if 0.2 < float(scale(value)) < 0.8 else "white"
            ax.text(column, row, write(value), ha="center", va="center", size=6, color=ink)
    ax.set_xticks(range(len(table.columns)), list(table.columns))
    ax.set_yticks(range(len(table)), list(table.index))
    ax.tick_params(length=0)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    return image


def _heat(
    table: pd.DataFrame,
    title: str,
    notes: Sequence[str],
    width: float,
    scale: Normalize,
    write: Callable[[float], str],
    bar: str = "",
) -> Figure:
    """Draws a table as a figure, with a colour bar if that has a label."""
    with context(canvas.STYLE):
        figure = canvas.new_figure(width, 0.24 * len(table) + 1.15, title, notes)
        ax = figure.subplots()
        image = paint(ax, table, scale, write)
        if bar:
            figure.colorbar(image, ax=ax, label=bar, fraction=0.025, pad=0.01)
        ax.xaxis.tick_top()
        ax.set_xticks(range(len(table.columns)), list(table.columns), rotation=55, ha="left", rotation_mode="anchor")
    return figure
