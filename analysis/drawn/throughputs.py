"""Figures of throughputs, where more than two styles compete (the paper's Figures 9, 10, 11 and 16)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.style import context

from analysis import words
from analysis.compared.best import classic
from analysis.drawn import canvas
from analysis.errors import AnalysisError

ORDER = "Every point is a program on a graph, those of a style in order of their throughput; black line: median."


@dataclass(frozen=True)
class Contest:
    """Styles whose throughputs are shown side by side.

    Attributes:
        name: Of the figure's file.
        title: Of the figure.
        figure: Where the paper shows it.
        axis: The axis on which the styles differ.
        models: The programming models that have it.
        panel: The column that names a panel, beside the model.
        group: The column that names a group of columns of points.
    """

    name: str
    title: str
    figure: str
    axis: str
    models: tuple[str, ...]
    panel: str
    group: str


CONTESTS = (
    Contest(
        "granularity",
        "A thread, a warp or a block per item",
        "Figure 9",
        "granularity",
        ("cuda",),
        "graph",
        "algorithm",
    ),
    Contest("gpu-reductions", "Reductions on the GPU", "Figure 10", "reduction", ("cuda",), "algorithm", "graph"),
    Contest("cpu-reductions", "Reductions on the CPU", "Figure 11", "reduction", words.CPU, "algorithm", "graph"),
)


def throughput_figure(frame: pd.DataFrame, contest: Contest, notes: Sequence[str] = ()) -> Figure:
    """Draws the throughputs of competing styles: a panel a model and machine and graph or algorithm.

    Args:
        frame: Jobs, as `records.load` returns them; those with `cuda::atomic` are left out.
        contest: What to show.
        notes: What else to say below.

    Raises:
        AnalysisError: The results hold no such program.
    """
    jobs = classic(frame)
    jobs = jobs[jobs["model"].isin(contest.models) & jobs[contest.axis].notna()]
    measured = jobs[jobs["throughput"].notna() | jobs["throughput_bound"].notna()]
    if measured.empty:
        raise AnalysisError(f"no programs for '{contest.title}'")
    panels = dict(iter(measured.groupby([contest.panel, "model", "machine"], observed=True)))
    machines = measured.groupby("model", observed=True)["machine"].nunique().max()
    values = words.present(measured[contest.axis])
    colours = dict(zip(values, canvas.VALUES, strict=False))
    legend = [Patch(color=colour, label=words.styled(value)) for value, colour in colours.items()]
    with context(canvas.STYLE):
        said = [words.provenance(measured), ORDER, _left_out(jobs), *notes]
        figure = canvas.new_figure(
            canvas.COLUMN, 1.5 * len(panels) + 0.1, f"{contest.title}: throughput", [*filter(None, said)], legend
        )
        axes = figure.subplots(len(panels), 1, squeeze=False)[:, 0]
        for ax, (names, inside) in zip(axes, panels.items(), strict=True):
            panel, model, machine = (str(name) for name in names)
            title = [panel, words.MODELS[model] if len(contest.models) > 1 else "", machine if machines > 1 else ""]
            groups = words.present(inside[contest.group])
            counts = {group: int((inside[contest.group] == group).sum()) for group in groups}
            _columns(ax, inside, contest, groups, colours)
            ax.set_title(", ".join(filter(None, title)), loc="left")
            ax.set_xticks(range(len(groups)), [f"{words.label(group, 11)}\nn={n}" for group, n in counts.items()])
            ax.set_ylabel("giga-edges/s")
    return figure


def speedup_figure(speedups: pd.DataFrame, notes: Sequence[str] = ()) -> Figure:
    """Draws the speedup of the best styles over codes of others (the paper's Figure 16): a panel a model and code.

    Args:
        speedups: As `baselines.speedups` returns them.
        notes: What else to say below.

    Raises:
        AnalysisError: There is none.
    """
    if speedups.empty:
        raise AnalysisError("no baseline is of a model, algorithm, graph and machine that was measured")
    pooled = speedups.groupby(["model", "code"])
    panels = {(model, code): inside for model in words.MODELS for (named, code), inside in pooled if named == model}
    algorithms = sorted(speedups["algorithm"].unique())
    with context(canvas.STYLE):
        said = [
            f"{'; '.join(words.present(speedups['machine']))}.",
            f"{len(speedups)} speedups, one a graph; line: geometric mean. Best style: highest average throughput.",
            *notes,
        ]
        title = "Best style over other codes: above 1, ours is faster"
        figure = canvas.new_figure(canvas.COLUMN, 1.2 * len(panels) + 0.1, title, said)
        axes = figure.subplots(len(panels), 1, squeeze=False, sharex=True)[:, 0]
        for ax, ((model, code), inside) in zip(axes, panels.items(), strict=True):
            ax.set_yscale("log")
            for position, algorithm in enumerate(algorithms):
                ratios = inside.loc[inside["algorithm"] == algorithm, "speedup"].to_numpy()
                if not ratios.size:
                    continue
                mean = float(np.exp(np.log(ratios).mean()))
                ax.scatter(np.full(ratios.size, position), ratios, s=10, color=canvas.VALUES[0], zorder=4)
                ax.hlines(mean, position - 0.3, position + 0.3, color="black", linewidth=1.4, gid=f"median-{position}")
            ax.set_xticks(range(len(algorithms)), algorithms)
            ax.set_xlim(-0.6, len(algorithms) - 0.4)
            ax.set_ylabel("speedup")
            ax.set_title(f"{words.MODELS[model]} over {code}", loc="left")
            canvas.speedup_axis(ax)
    return figure


def _columns(ax: Axes, jobs: pd.DataFrame, contest: Contest, groups: Sequence[str], colours: dict[str, str]) -> None:
    """Draws a rising column of points for every style in every group."""
    ax.set_yscale("log")
    width = 0.84 / len(colours)
    for position, group in enumerate(groups):
        for place, (value, colour) in enumerate(colours.items()):
            some = jobs[(jobs[contest.group] == group) & (jobs[contest.axis] == value)]
            exact = some["throughput"].notna()
            heights = some["throughput"].fillna(some["throughput_bound"])
            if some.empty:
                continue
            centre = position + (place - (len(colours) - 1) / 2) * width
            x = centre + (heights.rank(method="first", pct=True) - 0.5) * width * 0.8
            ax.scatter(x[exact], heights[exact], s=3, color=colour, linewidth=0, gid=f"points-{group}-{value}")
            ax.scatter(x[~exact], heights[~exact], s=5, marker="v", facecolor="white", edgecolor=colour, linewidth=0.5)
            median = float(heights.median())
            ax.hlines(median, centre - width * 0.42, centre + width * 0.42, color="black", linewidth=1.0, zorder=4)
    ax.set_xlim(-0.5, len(groups) - 0.5)
    canvas.log_axis(ax)


def _left_out(jobs: pd.DataFrame) -> str:
    failed = jobs[jobs["throughput"].isna() & jobs["throughput_bound"].isna()]
    said = [f"{count} jobs ({status})" for status, count in failed["status"].value_counts().items()]
    stopped = int((jobs["throughput"].isna() & jobs["throughput_bound"].notna()).sum())
    bounds = f"{stopped} jobs timed out: open triangles at the throughput that they stayed below. " if stopped else ""
    cuda = "Programs with cuda::atomic are left out, as in the paper. " if (jobs["model"] == "cuda").any() else ""
    return (bounds + cuda + (f"Left out: {', '.join(said)}." if said else "")).strip()


def slowdown_figure(slowdowns: pd.DataFrame, notes: Sequence[str] = ()) -> Figure:
    """Draws how much slower programs are than the best of their algorithm, graph and machine: a panel a model.

    Args:
        slowdowns: As `best.slowdowns` returns them.
        notes: What else to say below.

    Raises:
        AnalysisError: There are none.
    """
    import seaborn as sns  # as in ratios.py

    if slowdowns.empty:
        raise AnalysisError("no job is verified")
    models = words.present(slowdowns["model"])
    stopped = int(slowdowns["bound"].sum())
    said = [
        words.provenance(slowdowns),
        f"{len(slowdowns)} jobs. Boxes are letter values; black line: median.",
        *([f"{stopped} jobs timed out and are drawn where they would be had they ended just then."] if stopped else []),
        *notes,
    ]
    with context(canvas.STYLE):
        title = "What a wrong style costs: slowdown against the best program"
        figure = canvas.new_figure(canvas.COLUMN, 1.8 * len(models) + 0.1, title, said)
        axes = figure.subplots(len(models), 1, squeeze=False)[:, 0]
        for ax, model in zip(axes, models, strict=True):
            inside = slowdowns[slowdowns["model"] == model]
            groups = words.present(inside["algorithm"])
            ax.set_yscale("log")
            faint, hidden = {"s": 3, "linewidth": 0.4}, {"alpha": 0}
            shown = inside.assign(algorithm=inside["algorithm"].astype(str))
            sns.boxenplot(
                shown, x="algorithm", y="slowdown", order=groups, color=canvas.VALUES[0], width=0.7, ax=ax,
                line_kws=hidden, flier_kws=faint,
            )  # fmt: skip
            for position, group in enumerate(groups):
                values = inside.loc[inside["algorithm"] == group, "slowdown"]
                ends = position - 0.35, position + 0.35
                ax.hlines(values.median(), *ends, color="black", linewidth=1.4, zorder=4, gid=f"median-{position}")
            counts = {group: int((inside["algorithm"] == group).sum()) for group in groups}
            ax.set_xticks(range(len(groups)), [f"{group}\nn={n}" for group, n in counts.items()])
            ax.set_xlabel("")
            ax.set_ylabel("slowdown")
            ax.set_title(words.MODELS[model], loc="left")
            canvas.log_axis(ax)
    return figure
