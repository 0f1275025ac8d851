"""Figures of throughput ratios (the paper's Figures 1 to 8, 12 and 13), on a log axis with the line at 1."""

from collections.abc import Mapping, Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.style import context

from analysis import styles, words
from analysis.compared.comparisons import Comparison
from analysis.compared.pairs import NO_PAIRS
from analysis.drawn import canvas
from analysis.errors import AnalysisError
from analysis.statistics import DISTRIBUTION, Summary, summarise_pairs

LETTERS = (
    f"Boxes are letter values to Tukey's depth (the last holds 5 to 8 ratios at either end); fewer than {DISTRIBUTION} "
    "ratios are drawn as points. Black line: median. Colour: the 95 % interval of the median (bootstrap over programs "
    "and graphs) lies above 1, below it, or holds it (unclear)."
)
INTERVALS = (
    "Medians with their 95 % interval (bootstrap over programs and graphs); none drawn below 6 independent programs."
)
BOUNDS = "Bounds (triangles among boxes and points): one side timed out, so the ratio is at least or at most that."
POOL = "all graphs"
BOXES = (*styles.axes(), "graph", "machine", "setting")
"""Columns of pairs that a box may stand for."""


def ratio_figure(
    frame: pd.DataFrame, comparison: Comparison, by: str = "algorithm", notes: Sequence[str] = ()
) -> Figure:
    """Draws one comparison: a panel a model and machine, a box a group.

    Args:
        frame: Jobs, as `records.load` returns them.
        comparison: What to compare.
        by: The column of the pairs that names a group: an axis that the pairs share, or `graph`.
        notes: What else to say below, such as what was left out.

    Raises:
        AnalysisError: The results hold no pair of this comparison, or pairs have no such column.
    """
    everything = _pairs(frame, comparison)
    matched = everything.dropna(subset=[by]) if by in BOXES and by in everything.columns else everything[:0]
    if matched.empty:
        raise AnalysisError(f"the pairs of {comparison.title} have no {by!r} in common")
    panels = _panels(matched)
    with context(canvas.STYLE):
        said = [*_origin(frame, comparison, matched), LETTERS, *notes]
        if lacking := len(everything) - len(matched):
            said.append(f"Left out: {words.counted(lacking, 'pair')} of programs without a {by}.")
        height = sum(1.85 for _ in panels) + 0.1
        figure = canvas.new_figure(canvas.COLUMN, height, _title(comparison), said, _legend(comparison))
        for ax, (name, inside) in zip(_axes(figure, len(panels)), panels.items(), strict=True):
            groups = {group: inside[inside[by] == group] for group in words.present(inside[by])}
            summaries = _boxes(ax, groups, horizontal=False)
            labels = [f"{words.label(group, 11)}\nn={summary.n}" for group, summary in summaries.items()]
            ax.set_xticks(range(len(groups)), labels, size=7 if len(groups) < 6 else 6.5)
            ax.set(xlabel="", ylabel="throughput ratio")
            ax.set_title(name, loc="left")
    return figure


def graph_figure(frame: pd.DataFrame, comparison: Comparison, notes: Sequence[str] = ()) -> Figure:
    """Draws the medians of one comparison graph by graph and pooled, all algorithms together, with their intervals.

    Args:
        frame: Jobs, as `records.load` returns them.
        comparison: What to compare.
        notes: What else to say below.

    Raises:
        AnalysisError: The results hold no pair of this comparison.
    """
    matched = _pairs(frame, comparison)
    panels = _panels(matched)
    rows = sum(inside["graph"].nunique() + 1 for inside in panels.values())
    with context(canvas.STYLE):
        said = [*_origin(frame, comparison, matched), INTERVALS, *notes]
        lines = max(words.label(graph).count("\n") + 1 for graph in words.present(matched["graph"]))
        height = (0.1 + 0.11 * lines) * rows + 0.5 * len(panels)
        figure = canvas.new_figure(canvas.COLUMN, height, _title(comparison), said, _legend(comparison))
        ratios = [inside["graph"].nunique() + 2.2 for inside in panels.values()]
        for ax, (name, inside) in zip(_axes(figure, len(panels), ratios), panels.items(), strict=True):
            groups = {graph: inside[inside["graph"] == graph] for graph in words.present(inside["graph"])}
            _forest(ax, {**groups, POOL: inside})
            ax.set_title(name, loc="left")
        figure.axes[-1].set_xlabel("throughput ratio, median")
    return figure


def overview_figure(frame: pd.DataFrame, comparisons: Sequence[Comparison], notes: Sequence[str] = ()) -> Figure:
    """Draws all comparisons that have pairs in one figure: a panel a model and machine, a horizontal box a comparison.

    Raises:
        AnalysisError: The results hold no pair of any of the comparisons.
    """
    found = {comparison.title: comparison.pairs(frame) for comparison in comparisons}
    found = {title: matched for title, matched in found.items() if not matched.empty}
    if not found:
        raise AnalysisError(NO_PAIRS)
    everything = pd.concat([matched.assign(comparison=title) for title, matched in found.items()])
    panels = _panels(everything)
    counts = [inside["comparison"].nunique() for inside in panels.values()]
    title = "What each style is worth: above 1, the first-named style is faster"
    with context(canvas.STYLE):
        figure = canvas.new_figure(
            canvas.PAGE, 0.27 * sum(counts) + 0.45 * len(panels), title, [words.provenance(everything), LETTERS,
            *notes], canvas.verdict_legend("first-named faster", "second-named faster"),
        )  # fmt: skip
        axes = _axes(figure, len(panels), [count + 1.5 for count in counts])
        for ax, (name, inside) in zip(axes, panels.items(), strict=True):
            present = [title for title in found if (inside["comparison"] == title).any()]
            groups = {title: inside[inside["comparison"] == title] for title in present}
            summaries = _boxes(ax, groups, horizontal=True)
            ax.set(xlabel="", ylabel="")
            ax.set_yticks(range(len(groups)), list(groups))
            _beside(ax, summaries)
            ax.set_title(name, loc="left")
        figure.axes[len(panels) - 1].set_xlabel("throughput ratio")
    return figure


def _pairs(frame: pd.DataFrame, comparison: Comparison) -> pd.DataFrame:
    matched = comparison.pairs(frame)
    if matched.empty:
        raise AnalysisError(f"no pairs for {comparison.title}: no two verified jobs differ in just that")
    return matched


def _panels(matched: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Returns the pairs of every model on every machine, by the name of the panel."""
    found = {}
    for model in words.present(matched["model"]):
        inside = matched[matched["model"] == model]
        machines = words.present(inside["machine"])
        for machine in machines:
            name = words.MODELS[model] if len(machines) == 1 else f"{words.MODELS[model]}, {machine}"
            found[name] = inside[inside["machine"] == machine]
    return found


def _axes(figure: Figure, count: int, heights: Sequence[float] | None = None) -> list[Axes]:
    """Returns axes one below the other."""
    return list(figure.subplots(count, 1, squeeze=False, height_ratios=heights)[:, 0])


def _title(comparison: Comparison) -> str:
    return f"{comparison.title}: above 1, {comparison.labels[0]} is faster"


def _legend(comparison: Comparison) -> list[Patch]:
    return canvas.verdict_legend(*(f"{label} faster" for label in comparison.labels))


def _origin(frame: pd.DataFrame, comparison: Comparison, matched: pd.DataFrame) -> list[str]:
    """Says where pairs come from, how many there are and how many are missing, and why."""
    programs = matched["cluster"].nunique()
    said = [words.provenance(matched), f"{len(matched)} pairs in {programs} sets that share no program."]
    if comparison.only.get("atomics") and frame["atomics"].isin(["cudaatomic", "cudaatomicrelaxed"]).any():
        said[-1] += " Programs with cuda::atomic are left out, as in the paper."
    if missing := comparison.left_out(frame):
        reasons = (f"{words.counted(n, 'pair')} ({reason})" for reason, n in missing.items())
        said.append(f"No ratio of {', '.join(reasons)}.")
    if (matched["ratio_low"] < matched["ratio_high"]).any():
        said.append(BOUNDS)
    return said


def _boxes(ax: Axes, groups: Mapping[str, pd.DataFrame], *, horizontal: bool) -> dict[str, Summary]:
    """Draws one box a group of pairs, or its points where they are few, coloured by the verdict.

    Returns:
        The summary of each group, in the order drawn.
    """
    import seaborn as sns  # half a second, which only who draws has to wait

    summaries = {name: summarise_pairs(pairs) for name, pairs in groups.items()}
    long = pd.concat([pairs[["ratio", "ratio_low", "ratio_high"]].assign(group=name) for name, pairs in groups.items()])
    exact = long["ratio_low"] == long["ratio_high"]
    many = long["group"].map({name: summary.n >= DISTRIBUTION for name, summary in summaries.items()}).astype(bool)
    shared = {
        "x": "ratio" if horizontal else "group",
        "y": "group" if horizontal else "ratio",
        "hue": "group",  # the position again, since seaborn colours by hue alone
        "order": list(groups),
        "hue_order": list(groups),
        "palette": {name: canvas.COLOURS[summary.verdict] for name, summary in summaries.items()},
        "legend": False,
        "ax": ax,
    }
    (ax.set_xscale if horizontal else ax.set_yscale)("log")  # before drawing: letter values are taken on the log axis
    if many.any():
        # its own median line is hidden: few and many ratios get the same one below
        hidden, faint = {"alpha": 0}, {"s": 3, "linewidth": 0.4}
        sns.boxenplot(long[many], **shared, width=0.7, saturation=1, line_kws=hidden, flier_kws=faint)
    if not many.all():
        # no jitter, for a reproducible picture; equal ratios may overlap where they do not fit side by side
        sns.swarmplot(long[~many & exact], **shared, size=2.5, warn_thresh=1)
    _bounds(ax, long[~exact], list(groups), horizontal=horizontal)
    for position, summary in enumerate(summaries.values()):
        draw = ax.vlines if horizontal else ax.hlines
        ends = position - 0.35, position + 0.35
        draw(summary.median, *ends, color="black", linewidth=1.4, zorder=4, gid=f"median-{position}")
    ax.set(**{"ylim" if horizontal else "xlim": (-0.6, len(groups) - 0.4)})
    if horizontal:
        ax.invert_yaxis()  # the first comparison on top
    _with_room(ax, long["ratio"], horizontal=horizontal)
    canvas.ratio_axis(ax, horizontal=horizontal)
    return summaries


def _bounds(ax: Axes, bounded: pd.DataFrame, order: Sequence[str], *, horizontal: bool) -> None:
    """Draws bounds as triangles that point to where the ratio may be."""
    for lower, marker in ((True, ">" if horizontal else "^"), (False, "<" if horizontal else "v")):
        some = bounded[(bounded["ratio_low"] > 0) == lower]
        at = some["group"].map(order.index).astype(float)
        x, y = (some["ratio"], at) if horizontal else (at, some["ratio"])
        if not some.empty:
            ax.scatter(x, y, marker=marker, s=7, facecolor="white", edgecolor="black", linewidth=0.5, zorder=5)


def _with_room(ax: Axes, ratios: pd.Series, *, horizontal: bool) -> None:
    """Sets the limits of the value axis: all ratios and 1 in view, and at least a factor of 2 in all."""
    low, high = min(ratios.min(), 1 / 1.4) / 1.15, max(ratios.max(), 1.4) * 1.15
    room = (high / low) ** 0.03  # a share of the axis, however long: outliers are points with a size
    low, high = low / room, high * room
    (ax.set_xlim if horizontal else ax.set_ylim)(low, high)


def _forest(ax: Axes, groups: Mapping[str, pd.DataFrame]) -> None:
    """Draws a dot with its interval for every group, top down, the last one apart and with its numbers beside it."""
    summaries = {name: summarise_pairs(pairs) for name, pairs in groups.items()}
    ax.set_xscale("log")
    ends = [1 / 1.4, 1.4]
    for position, (name, summary) in enumerate(summaries.items()):
        colour = canvas.COLOURS[summary.verdict]
        interval = [end for end in (summary.low, summary.high) if 0 < end < float("inf")]
        if len(interval) == 2:
            ax.hlines(position, interval[0], interval[1], color=colour, linewidth=2.2, gid=f"interval-{position}")
        marker = "D" if name == POOL else "o"
        ax.scatter(summary.median, position, s=16, marker=marker, color=colour, zorder=4, gid=f"median-{position}")
        ends += [summary.median, *interval]
    ax.set_yticks(range(len(groups)), [words.label(name) for name in groups])
    ax.set_ylim(len(groups) - 0.4, -0.6)
    ax.axhline(len(groups) - 1.5, color=canvas.QUIET, linewidth=0.5)
    _with_room(ax, pd.Series(ends), horizontal=True)
    canvas.ratio_axis(ax, horizontal=True)
    _beside(ax, summaries, size=6.5)


def _beside(ax: Axes, summaries: Mapping[str, Summary], size: float = 7) -> None:
    """Writes every summary at the right of its row."""
    right = ax.secondary_yaxis("right")
    right.set_yticks(range(len(summaries)), [words.in_words(summary) for summary in summaries.values()], size=size)
    right.tick_params(length=0)
    right.spines["right"].set_visible(False)
