"""Figures of what several GPUs are worth, and of what a latency between them costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.style import context

from analysis import words
from analysis.compared.scaling import best_scaling, jobs_by_latency
from analysis.drawn import canvas
from analysis.errors import AnalysisError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def scaling_figure(frame: pd.DataFrame, notes: Sequence[str] = ()) -> Figure:
    """Draws the speedup of the fastest program on so many GPUs over the fastest for one: a panel an algorithm.

    Args:
        frame: Jobs, as `records.load` returns them.
        notes: What else to say below.

    Raises:
        AnalysisError: Nothing was measured on several GPUs and, on the same graph and machine, on one.
    """
    found = best_scaling(frame).dropna(subset="speedup_single")
    if found.empty:
        raise AnalysisError("no graph was solved by programs for several GPUs and for one")
    said = ["Fastest program on so many GPUs over the fastest for one GPU; a line a graph. Dashed: as fast.", *notes]
    with context(canvas.STYLE):
        figure, panels = _panels(found, "What more GPUs are worth", said, "GPUs", "speedup")
        for algorithm, ax in panels.items():
            for (graph, _), line in found[found["algorithm"] == algorithm].groupby(["graph", "machine"]):
                label = words.label(str(graph))
                _draw(ax, [1, *line["gpus"]], [1.0, *line["speedup_single"]], label, f"scaling-{algorithm}-{graph}")
            ax.set_xticks(range(1, int(found["gpus"].max()) + 1))
            ax.set_xlim(0.8, float(found["gpus"].max()) + 0.6)
            canvas.speedup_axis(ax)
    return figure


def latency_figure(jobs: pd.DataFrame, notes: Sequence[str] = ()) -> Figure:
    """Draws the time of the program that is fastest at the least latency, over the latency: a panel an algorithm.

    Args:
        jobs: As `records.load` returns them.
        notes: What else to say below.

    Raises:
        AnalysisError: No job was measured with several latencies.
    """
    found = jobs_by_latency(jobs)
    if found.empty:
        raise AnalysisError("no job was measured with several latencies: `violet run --latency` injects one")
    said = ["Of each graph and number of GPUs the program that is fastest at the least latency.", *notes]
    with context(canvas.STYLE):
        figure, panels = _panels(found, "Time over a latency between GPUs", said, "injected latency (µs)", "ms")
        for algorithm, ax in panels.items():
            some = found[found["algorithm"] == algorithm].sort_values(["latency_us", "median_s"])
            for (graph, _, gpus), lines in some.groupby(["graph", "machine", "gpus"], observed=True):
                first = lines.iloc[0]
                line = lines[(lines["program"] == first["program"]) & (lines["asked"] == first["asked"])]
                label = f"{words.label(str(graph))}, {gpus} GPUs"
                _draw(ax, line["latency_us"], line["median_s"] * 1e3, label, f"latency-{algorithm}-{graph}-{gpus}")
            ax.margins(x=0.3)
            ax.set_xlim(left=0)
    return figure


def _panels(
    found: pd.DataFrame, title: str, said: Sequence[str], x_label: str, y_label: str
) -> tuple[Figure, dict[str, Axes]]:
    """Returns a figure with a panel below the other for each algorithm of what was found, logarithmic upwards."""
    algorithms = words.present(found["algorithm"])
    machines = f"{'; '.join(words.present(found['machine']))}."
    figure = canvas.new_figure(canvas.COLUMN, 1.5 * len(algorithms) + 0.1, title, [machines, *said])
    axes = figure.subplots(len(algorithms), 1, squeeze=False, sharex=True)[:, 0]
    for ax, algorithm in zip(axes, algorithms, strict=True):
        ax.set_yscale("log")
        ax.set_ylabel(y_label)
        ax.set_title(algorithm, loc="left")
    axes[-1].set_xlabel(x_label)
    return figure, dict(zip(algorithms, axes, strict=True))


def _draw(ax: Axes, x: Iterable[float], y: Iterable[float], label: str, name: str) -> None:
    """Draws a line of points, with its label at the last one."""
    places = list(zip(x, y, strict=True))
    ax.plot(*zip(*places, strict=True), marker="o", markersize=3, linewidth=1, gid=name)
    ax.annotate(label, places[-1], (3, 0), textcoords="offset points", size=6)
