"""Figures of throughput ratios: boxen plots on a log axis, with the line at 1 where both styles are equally fast.

Functions return a ``matplotlib.figure.Figure`` that belongs to no window and to no global state; ``save`` writes it.
"""

import textwrap
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib import ticker
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.style import context

from analysis.comparisons import Comparison
from analysis.errors import AnalysisError
from analysis.statistics import Summary, Verdict, summarise

STYLE = Path(__file__).with_name("violet.mplstyle")

DISTRIBUTION = 32
"""From this many ratios on, seaborn's letter values have more than one box; below, a box would pretend to a shape."""

COLOURS: Mapping[Verdict, str] = {"first": "#0072B2", "second": "#D55E00", "unclear": "#8C8C8C"}
"""Okabe and Ito's blue and vermilion, and grey: told apart with every common kind of colour blindness."""


class Suffix(StrEnum):
    """A format of figures."""

    PNG = "png"
    SVG = "svg"


MODELS = {"cuda": "CUDA", "openmp": "OpenMP", "cpp": "C++ threads"}


def ratio_figure(frame: pd.DataFrame, comparison: Comparison, by: str = "algorithm") -> Figure:
    """Draws one comparison (the paper's Figures 1 to 8, 12 and 13): a panel a model and machine, a box a group.

    Args:
        frame: Jobs, as ``records.load`` returns them.
        comparison: What to compare.
        by: The column of the pairs that names a group: an axis that the pairs share, or ``graph``.

    Raises:
        AnalysisError: The results hold no pair of this comparison, or pairs have no such column.
    """
    matched = comparison.pairs(frame)
    if matched.empty:
        raise AnalysisError(f"no pairs for {comparison.title}: no two verified jobs differ in just that")
    if by not in matched.columns:
        raise AnalysisError(f"the pairs of {comparison.title} have no {by!r} in common")
    machines = _present(matched["machine"])
    models = _present(matched["model"])
    groups = _present(matched[by])
    first, second = comparison.labels

    with context(STYLE):
        size = (1.0 + max(3.4, 0.75 * len(groups) * len(models)), 0.6 + 2.8 * len(machines))
        figure = _figure(size, f"{comparison.title}: above 1, {first} is faster", _provenance(matched))
        panels = figure.subplots(len(machines), len(models), sharey=True, squeeze=False)
        for row, machine in zip(panels, machines, strict=True):
            for ax, model in zip(row, models, strict=True):
                inside = matched[(matched["machine"] == machine) & (matched["model"] == model)]
                ax.set_visible(not inside.empty)
                names = _present(inside[by])
                _ratio_panel(ax, {name: inside.loc[inside[by] == name, "ratio"].to_numpy() for name in names})
                ax.set_title(MODELS[model] if len(machines) == 1 else f"{MODELS[model]}, {machine}", loc="left")
            row[0].set_ylabel("throughput ratio")
        _legend(figure, f"{first} faster", f"{second} faster")
    return figure


def overview_figure(frame: pd.DataFrame, comparisons: Sequence[Comparison]) -> Figure:
    """Draws all comparisons that have pairs in one figure: one horizontal box each, all models and graphs pooled.

    Raises:
        AnalysisError: The results hold no pair of any of the comparisons.
    """
    found = {comparison.title: comparison.pairs(frame) for comparison in comparisons}
    found = {title: matched for title, matched in found.items() if not matched.empty}
    if not found:
        raise AnalysisError("no pairs: no two verified jobs differ in just one style")
    ratios = {title: matched["ratio"].to_numpy() for title, matched in found.items()}

    with context(STYLE):
        figure = _figure(
            (7.5, 1.0 + 0.36 * len(ratios)),
            "What each style is worth: above 1, the first-named style is faster",
            _provenance(pd.concat(found.values())),
        )
        ax = figure.subplots()
        summaries = _boxes(ax, ratios, horizontal=True)
        ax.set_xlabel("throughput ratio")
        ax.set_ylabel("")
        ax.set_yticks(range(len(ratios)), list(ratios))
        right = ax.secondary_yaxis("right")
        right.set_yticks(range(len(ratios)), [_in_words(summary) for summary in summaries.values()])
        right.tick_params(length=0)
        right.spines["right"].set_visible(False)
        heading = {"transform": ax.transAxes, "va": "bottom", "color": "#555555", "size": "small"}
        ax.text(1.0, 1.0, "  median [95 % interval]", heading)
        _legend(figure, "first-named faster", "second-named faster")
    return figure


def save(figure: Figure, directory: Path, name: str, suffixes: Sequence[Suffix] = tuple(Suffix)) -> list[Path]:
    """Writes a figure as ``name.png`` and ``name.svg``, or only one of them, and returns the paths."""
    directory.mkdir(parents=True, exist_ok=True)
    paths = [directory / f"{name}.{suffix}" for suffix in suffixes]
    with context(STYLE):
        for suffix, path in zip(suffixes, paths, strict=True):
            # without a date or a version of the library, the same figure gives the same bytes
            figure.savefig(path, metadata={"Date": None} if suffix is Suffix.SVG else {"Software": None})
    return paths


def _ratio_panel(ax: Axes, ratios: Mapping[str, np.ndarray]) -> None:
    summaries = _boxes(ax, ratios, horizontal=False)
    ax.set_xticks(range(len(ratios)), [f"{name}\nn = {summary.n}" for name, summary in summaries.items()])
    ax.set_xlabel("")


def _boxes(ax: Axes, ratios: Mapping[str, np.ndarray], *, horizontal: bool) -> dict[str, Summary]:
    """Draws one box a group of ratios, or its points where they are few, coloured by the verdict.

    Returns:
        The summary of each group, in the order drawn.
    """
    summaries = {name: summarise(values) for name, values in ratios.items()}
    lists = pd.Series({name: list(values) for name, values in ratios.items()}, name="ratio", dtype=object)
    long = lists.explode().astype(float).rename_axis("group").reset_index()
    many = long["group"].map({name: summary.n >= DISTRIBUTION for name, summary in summaries.items()}).astype(bool)
    shared = {
        "x": "ratio" if horizontal else "group",
        "y": "group" if horizontal else "ratio",
        "hue": "group",  # the position again, since seaborn colours by hue alone
        "order": list(ratios),
        "hue_order": list(ratios),
        "palette": {name: COLOURS[summary.verdict] for name, summary in summaries.items()},
        "legend": False,
        "ax": ax,
    }
    (ax.set_xscale if horizontal else ax.set_yscale)("log")  # before drawing: letter values are taken on the log axis
    if many.any():
        # its own median line is hidden: few and many ratios get the same one below
        hidden, faint = {"alpha": 0}, {"s": 4, "linewidth": 0.5}
        sns.boxenplot(long[many], **shared, width=0.7, saturation=1, line_kws=hidden, flier_kws=faint)
    if not many.all():
        # no jitter, for a reproducible picture; equal ratios may overlap where they do not fit side by side
        sns.swarmplot(long[~many], **shared, size=3, warn_thresh=1)
    for position, summary in enumerate(summaries.values()):
        _median_line(ax, position, summary.median, horizontal=horizontal)
    ax.set(**{"ylim" if horizontal else "xlim": (-0.6, len(ratios) - 0.4)})
    if horizontal:
        ax.invert_yaxis()  # the first comparison on top
    _value_axis(ax, horizontal=horizontal)
    return summaries


def _median_line(ax: Axes, position: int, median: float, *, horizontal: bool) -> None:
    draw = ax.vlines if horizontal else ax.hlines
    draw(median, position - 0.35, position + 0.35, color="black", linewidth=1.5, zorder=4, gid=f"median-{position}")


def _value_axis(ax: Axes, *, horizontal: bool) -> None:
    """Dresses the log axis: the line at 1, and enough plain numbers to read a ratio off."""
    axis = ax.xaxis if horizontal else ax.yaxis
    (ax.axvline if horizontal else ax.axhline)(1.0, color="black", linestyle="--", linewidth=0.9, zorder=3, gid="equal")
    low, high = axis.get_view_interval()
    decades = np.log10(high / low)
    steps = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0) if decades < 1 else (1.0, 2.0, 5.0) if decades < 2.5 else (1.0,)
    axis.set_major_locator(ticker.LogLocator(subs=steps, numticks=12))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(ticker.NullFormatter())
    (ax.yaxis if horizontal else ax.xaxis).grid(visible=False)


def _figure(size: tuple[float, float], title: str, subtitle: str) -> Figure:
    """Makes an empty figure with a title and a subtitle above whatever is drawn into it.

    Args:
        size: Width and height of what is drawn, in inches; the heading comes on top.
        title: In bold, wrapped at the width.
        subtitle: In grey, wrapped at the width.
    """
    width, height = size
    titles, subtitles = (
        textwrap.wrap(title, int(width * 10)),
        textwrap.wrap(subtitle, int(width * 14), break_on_hyphens=False),
    )
    heading = 0.2 + 0.18 * len(titles) + 0.15 * len(subtitles)
    top = height + heading
    figure = Figure(figsize=(width, top))
    figure.text(0.1 / width, 1 - 0.08 / top, "\n".join(titles), va="top", weight="bold", size="large")
    below = 0.14 + 0.18 * len(titles)
    figure.text(0.1 / width, 1 - below / top, "\n".join(subtitles), va="top", color="#555555", size="small")
    figure.set_layout_engine("constrained", rect=(0, 0, 1, 1 - heading / top))
    return figure


def _legend(figure: Figure, first: str, second: str) -> None:
    """Explains the colours, below everything."""
    labels: Mapping[Verdict, str] = {"first": first, "second": second, "unclear": "unclear"}
    handles = [Patch(color=COLOURS[verdict], label=label) for verdict, label in labels.items()]
    figure.legend(handles=handles, loc="outside lower left", ncols=3, columnspacing=1.2, handlelength=1.2)


def _provenance(matched: pd.DataFrame) -> str:
    """Says where the pairs come from."""
    machines, graphs = _present(matched["machine"]), _present(matched["graph"])
    noun = "graph" if len(graphs) == 1 else "graphs"
    return f"{'; '.join(machines)}; {len(graphs)} {noun}: {', '.join(graphs)}"


def _in_words(summary: Summary) -> str:
    interval = "" if np.isnan(summary.low) else f" [{summary.low:.3g}, {summary.high:.3g}]"
    return f"{summary.median:.3g}{interval}, n = {summary.n}"


def _present(column: pd.Series) -> list[str]:
    """Returns the values that occur: in axis order if the column has one, else sorted."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return [value for value in column.cat.categories if (column == value).any()]
    return sorted(column.unique())
