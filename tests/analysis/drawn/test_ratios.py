"""Figures show the data: positions, counts, scales and words, not pixels."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PatchCollection, PathCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from analysis.compared.comparisons import COMPARISONS, comparison_of
from analysis.defaults import Suffix
from analysis.drawn.canvas import COLOURS, save
from analysis.drawn.ratios import _with_room, graph_figure, overview_figure, ratio_figure
from analysis.errors import AnalysisError
from analysis.measured.records import load
from analysis.statistics import DISTRIBUTION, summarise_pairs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.analysis.conftest import Record


pytestmark = pytest.mark.turns(6, 3)

FLOW = comparison_of("push over pull")


@pytest.fixture(scope="module")
def frame(
    record: Record, programs: Callable[..., Any], planted: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> pd.DataFrame:
    """CUDA and OpenMP programs on one graph, in which push is twice as fast; few OpenMP pairs, many CUDA pairs."""
    file = tmp_path_factory.mktemp("results") / "r.jsonl"
    seconds = planted({"push": 2.0, "pull": 1.0, "cudaatomic": 0.05})
    file.write_text(
        "\n".join(json.dumps(record(name, seconds(name.split("-")))) for name in programs(("bfs", "cc", "sssp")))
    )
    return load(file)


def medians(ax: Any, *, horizontal: bool = False) -> list[float]:
    """The values at which median lines are drawn, in order of position."""
    lines = [
        item
        for item in ax.collections
        if isinstance(item, LineCollection) and (item.get_gid() or "").startswith("median")
    ]
    return [line.get_segments()[0][0][0 if horizontal else 1] for line in lines]


def words(axis: Any) -> list[str]:
    return [label.get_text() for label in axis.get_ticklabels()]


def test_every_box_stands_at_its_median_over_its_count(frame: pd.DataFrame) -> None:
    figure = ratio_figure(frame, FLOW)
    matched = FLOW.pairs(frame)
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["CUDA", "OpenMP"]
    for ax, model in zip(figure.axes, ("cuda", "openmp"), strict=True):
        groups = matched[matched["model"] == model].groupby("algorithm", observed=True)
        np.testing.assert_allclose(medians(ax), [summarise_pairs(group).median for _, group in groups])
        assert words(ax.xaxis) == [f"{name}\nn={len(group)}" for name, group in groups]
        assert ax.get_yscale() == "log"
        (equal,) = (line for line in ax.lines if line.get_gid() == "equal")
        assert (list(equal.get_ydata()), equal.get_linestyle()) == ([1.0, 1.0], "--")


def test_all_ratios_are_in_view(frame: pd.DataFrame) -> None:
    low, high = ratio_figure(frame, FLOW).axes[0].get_ylim()
    assert low < FLOW.pairs(frame)["ratio"].min()
    assert FLOW.pairs(frame)["ratio"].max() < high


def test_the_ends_of_boxes_are_off_the_edge() -> None:
    figure = Figure()
    ax = figure.subplots()
    ax.set_xscale("log")
    _with_room(ax, pd.Series([0.01, 100.0]), horizontal=True)
    first, last = (ax.transAxes.inverted().transform(ax.transData.transform((x, 0)))[0] for x in (0.01, 100.0))
    assert first > 0.02  # a share of the width: an outlier there is whole
    assert last < 0.98


def test_few_ratios_are_points_and_many_are_boxes(frame: pd.DataFrame) -> None:
    matched = FLOW.pairs(frame)
    for ax, model in zip(ratio_figure(frame, FLOW).axes, ("cuda", "openmp"), strict=True):
        sizes = matched[matched["model"] == model].groupby("algorithm", observed=True).size()
        boxes = [item for item in ax.collections if isinstance(item, PatchCollection)]
        assert len(boxes) == (sizes >= DISTRIBUTION).sum()
    few = matched.groupby("algorithm", observed=True).head(5)
    fewer = frame[frame["program"].isin([*few["program_first"], *few["program_second"]])]
    (ax,) = ratio_figure(fewer, FLOW).axes
    assert not any(isinstance(item, PatchCollection) for item in ax.collections)
    drawn = np.concatenate([item.get_offsets()[:, 1] for item in ax.collections if isinstance(item, PathCollection)])
    np.testing.assert_allclose(np.sort(drawn), np.sort(FLOW.pairs(fewer)["ratio"]))


def test_words_say_direction_machine_and_graphs(frame: pd.DataFrame) -> None:
    said = " ".join(text.get_text().replace("\n", " ") for text in ratio_figure(frame, FLOW).texts)
    assert "push over pull: above 1, push is faster" in said
    assert "CUDA, OpenMP: box; grid." in said
    assert f"{len(FLOW.pairs(frame))} pairs" in said
    assert "cuda::atomic are left out, as in the paper" in said
    assert "letter values to Tukey's depth" in said


def test_machines_have_panels_of_their_own(frame: pd.DataFrame) -> None:
    openmp = frame[frame["model"] == "openmp"]
    figure = ratio_figure(pd.concat([frame, openmp.assign(machine="other")]), FLOW)
    shown = [ax.get_title(loc="left") for ax in figure.axes if ax.get_visible()]
    assert shown == ["CUDA", "OpenMP, box", "OpenMP, other"]


def test_groups_may_be_graphs(frame: pd.DataFrame) -> None:
    assert words(ratio_figure(frame, FLOW, by="graph").axes[0].xaxis)[0].startswith("grid\n")
    with pytest.raises(AnalysisError, match="'weather'"):
        ratio_figure(frame, FLOW, by="weather")


def test_graphs_have_their_medians_and_intervals_above_the_pool(frame: pd.DataFrame) -> None:
    two = pd.concat([frame, frame.assign(graph="road")])
    for ax, model in zip(graph_figure(two, FLOW).axes, ("cuda", "openmp"), strict=False):
        matched = FLOW.pairs(two)
        matched = matched[matched["model"] == model]
        expected = [summarise_pairs(matched[matched["graph"] == graph]) for graph in ("grid", "road")]
        expected.append(summarise_pairs(matched))
        drawn = [item.get_offsets()[0, 0] for item in ax.collections if (item.get_gid() or "").startswith("median")]
        np.testing.assert_allclose(drawn, [summary.median for summary in expected])
        bars = [
            item.get_segments()[0][:, 0] for item in ax.collections if (item.get_gid() or "").startswith("interval")
        ]
        np.testing.assert_allclose(bars, [(summary.low, summary.high) for summary in expected])
        assert words(ax.yaxis) == ["grid", "road", "all graphs"]
        assert ax.yaxis_inverted()


def test_the_overview_has_a_row_for_every_comparison_with_pairs(frame: pd.DataFrame) -> None:
    figure = overview_figure(frame, COMPARISONS)
    for ax, model in zip(figure.axes, ("cuda", "openmp"), strict=False):
        found = {row.title: row.pairs(frame) for row in COMPARISONS}
        found = {title: pairs[pairs["model"] == model] for title, pairs in found.items()}
        summaries = {title: summarise_pairs(pairs) for title, pairs in found.items() if len(pairs)}
        assert "blocked schedule over cyclic schedule" not in summaries
        assert words(ax.yaxis) == list(summaries)
        np.testing.assert_allclose(medians(ax, horizontal=True), [summary.median for summary in summaries.values()])
        assert ax.get_xscale() == "log"
        assert ax.yaxis_inverted()
        right = words(ax.child_axes[0].yaxis)
        assert all(f"n = {summary.n}" in text for text, summary in zip(right, summaries.values(), strict=True))


def test_timeouts_are_triangles_and_counted(frame: pd.DataFrame) -> None:
    pull = frame["flow"] == "pull"
    stopped = frame.assign(
        throughput=frame["throughput"].where(~pull),
        throughput_bound=(frame["throughput"] * 1.5).where(pull),
        status=frame["status"].where(~pull, "timeout"),
    )
    figure = ratio_figure(stopped[stopped["model"] == "openmp"], FLOW)
    triangles = [
        item
        for item in figure.axes[0].collections
        if isinstance(item, PathCollection) and len(item.get_paths()[0]) == 4
    ]
    assert sum(len(item.get_offsets()) for item in triangles) == len(FLOW.pairs(stopped).query("model == 'openmp'"))
    assert any("one side timed out" in text.get_text().replace("\n", " ") for text in figure.texts)


def test_what_failed_is_said(frame: pd.DataFrame) -> None:
    wrong = frame.assign(status="wrong", throughput=np.nan)
    some = frame["program"].isin(frame["program"].unique()[:40])
    said = " ".join(text.get_text().replace("\n", " ") for text in ratio_figure(frame.where(~some, wrong), FLOW).texts)
    assert "pairs (wrong)" in said


def test_colours_tell_the_verdict(frame: pd.DataFrame) -> None:
    figure = overview_figure(frame, [FLOW])
    (boxes,) = (item for item in figure.axes[0].collections if isinstance(item, PatchCollection))
    darkest = min(boxes.get_facecolor()[:, :3], key=sum)
    np.testing.assert_allclose(darkest, to_rgb(COLOURS["first"]), atol=0.02)
    assert figure.legends[0].get_texts()[0].get_text() == "first-named faster"


def test_nothing_to_compare_is_a_users_error(frame: pd.DataFrame) -> None:
    with pytest.raises(AnalysisError, match="no pairs for push over pull"):
        ratio_figure(frame[frame["flow"] == "push"], FLOW)
    with pytest.raises(AnalysisError, match="no pairs"):
        overview_figure(frame.head(1), COMPARISONS)


def test_files_are_reproducible(frame: pd.DataFrame, tmp_path: Path) -> None:
    openmp = frame[frame["model"] == "openmp"]
    (png, svg), (_, again) = (save(ratio_figure(openmp, FLOW), tmp_path / name, "flow") for name in ("a", "b"))
    assert png.read_bytes().startswith(b"\x89PNG")
    assert svg.read_bytes() == again.read_bytes()


@pytest.mark.parametrize("by", ["weather", "edges", "ratio", "one_session", "cluster", "batch"])
def test_a_box_stands_for_words_that_pairs_have(frame: pd.DataFrame, by: str) -> None:
    with pytest.raises(AnalysisError, match=f"no '{by}' in common"):
        ratio_figure(frame, FLOW, by)


def test_pairs_that_lack_the_axis_of_the_boxes_are_counted(frame: pd.DataFrame) -> None:
    figure = ratio_figure(frame, FLOW, "granularity")
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["CUDA"]
    pairs = FLOW.pairs(frame)
    notes = " ".join(figure.texts[-1].get_text().split())
    assert f"{pairs['granularity'].notna().sum()} pairs in" in notes
    assert f"Left out: {pairs['granularity'].isna().sum()} pairs of programs without a granularity." in notes


def test_dollars_in_names_are_letters(frame: pd.DataFrame, tmp_path: Path) -> None:
    odd = frame.assign(graph="$\\bad{$", machine="$x$")
    (file,) = save(ratio_figure(odd, FLOW, "graph"), tmp_path, "odd", [Suffix.SVG])
    assert "CUDA, OpenMP: $x$; $\\bad{$." in file.read_text()
