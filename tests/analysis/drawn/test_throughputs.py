"""Figures of throughputs and matrices show the data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from matplotlib.collections import PathCollection

from analysis.compared.best import classic
from analysis.compared.correlations import correlations
from analysis.drawn import matrices
from analysis.drawn.throughputs import CONTESTS, slowdown_figure, throughput_figure
from analysis.errors import AnalysisError

if TYPE_CHECKING:
    from analysis.compared.study import Study

GRANULARITY, GPU, CPU = CONTESTS


def points(ax: Any, name: str) -> np.ndarray:
    (found,) = (item for item in ax.collections if item.get_gid() == f"points-{name}")
    return np.sort(found.get_offsets()[:, 1])


def test_every_throughput_is_a_point_of_its_graph_and_style(study: Study) -> None:
    figure = throughput_figure(study.frame, GRANULARITY)
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["grid", "road", "social"]
    jobs = classic(study.frame).query("model == 'cuda'").dropna(subset="throughput")
    for ax, graph in zip(figure.axes, ("grid", "road", "social"), strict=True):
        assert ax.get_yscale() == "log"
        for algorithm in ("bfs", "tc"):
            for value in ("thread", "warp", "block"):
                some = jobs[
                    (jobs["graph"] == graph) & (jobs["algorithm"] == algorithm) & (jobs["granularity"] == value)
                ]
                np.testing.assert_allclose(points(ax, f"{algorithm}-{value}"), np.sort(some["throughput"]))


def test_a_timeout_is_a_triangle_at_its_bound(study: Study) -> None:
    figure = throughput_figure(study.frame, GRANULARITY)
    (bound,) = study.frame["throughput_bound"].dropna()
    heights = [
        offset[1]
        for item in figure.axes[0].collections
        if isinstance(item, PathCollection) and not (item.get_gid() or "").startswith("points")
        for offset in item.get_offsets()
    ]
    assert heights == pytest.approx([bound])
    said = " ".join(text.get_text().replace("\n", " ") for text in figure.texts)
    assert "1 jobs timed out" in said
    assert "1 jobs (wrong)" in said


def test_a_panel_of_one_value_has_an_axis(study: Study) -> None:
    one = classic(study.frame).query("model == 'cuda' and graph == 'grid'").dropna(subset="throughput").iloc[:1]
    value = 30.72483577204828  # margins around it, rounded, leave an axis that spans nothing
    (ax,) = throughput_figure(one.assign(granularity="warp", throughput=value), GRANULARITY).axes
    low, high = ax.get_ylim()
    assert low < 0.95 * value
    assert high > 1.05 * value


def test_reductions_have_a_panel_an_algorithm_and_model(study: Study) -> None:
    assert [ax.get_title(loc="left") for ax in throughput_figure(study.frame, GPU).axes] == ["tc"]
    assert [ax.get_title(loc="left") for ax in throughput_figure(study.frame, CPU).axes] == [
        "tc, OpenMP",
        "tc, C++ threads",
    ]
    with pytest.raises(AnalysisError, match="no programs"):
        throughput_figure(study.frame[study.frame["model"] == "openmp"], GPU)


def test_slowdowns_stand_at_their_medians(study: Study) -> None:
    figure = slowdown_figure(study.slowdowns)
    jobs = study.slowdowns[study.slowdowns["model"] == "cuda"]
    lines = [item for item in figure.axes[0].collections if (item.get_gid() or "").startswith("median")]
    drawn = [line.get_segments()[0][0][1] for line in lines]
    assert drawn == pytest.approx(jobs.groupby("algorithm", observed=True)["slowdown"].median().tolist())


def test_matrices_hold_their_numbers(study: Study) -> None:
    figure = matrices.shares_figure(study.shares)
    shares = study.shares.pivot_table("share", "model", "value", observed=True)
    (image,) = figure.axes[0].images
    columns = list(dict.fromkeys(study.shares["value"]))
    expected = shares.reindex(index=["cuda", "multigpu", "openmp", "cpp"], columns=columns)
    np.testing.assert_allclose(image.get_array().filled(np.nan), expected.to_numpy(float) * 100)

    figure = matrices.combinations_figure(study.combinations)
    (image,) = figure.axes[0].images
    np.testing.assert_allclose(image.get_array().filled(np.nan), study.combinations.to_numpy(float))
    written = {text.get_text() for text in figure.axes[0].texts}
    assert f"{study.combinations['push']['vertex']:.2f}" in written

    ranks = correlations(study.frame, study.graphs, method="spearman")
    figure = matrices.correlations_figure(study.correlations, ranks)
    (image,) = figure.axes[0].images
    both = np.hstack([study.correlations.to_numpy(float), ranks.to_numpy(float)])
    np.testing.assert_allclose(image.get_array().filled(np.nan), both)


def test_figures_say_how_many_jobs_are_in_a_group(study: Study) -> None:
    ax = slowdown_figure(study.slowdowns).axes[0]
    jobs = study.slowdowns[study.slowdowns["model"] == "cuda"]
    labels = [label.get_text() for label in ax.get_xticklabels()]
    assert labels == [f"{name}\nn={(jobs['algorithm'] == name).sum()}" for name in ("bfs", "tc")]
    ax = throughput_figure(study.frame, CONTESTS[0]).axes[0]
    assert all(int(label.get_text().rsplit("n=", 1)[1]) > 0 for label in ax.get_xticklabels())


def test_correlations_name_their_halves_and_colours(study: Study) -> None:
    figure = matrices.correlations_figure(study.correlations, study.correlations)
    heads = {text.get_text(): text.get_position()[0] for text in figure.axes[0].texts}
    assert heads["Pearson"] < len(study.correlations.columns) - 0.5 < heads["Spearman"]
    assert figure.axes[1].get_ylabel() == "correlation"


def test_nothing_to_show_is_a_users_error(study: Study) -> None:
    nothing = study.frame.iloc[:0]
    with pytest.raises(AnalysisError):
        matrices.correlations_figure(*[correlations(nothing, study.graphs)] * 2)
    with pytest.raises(AnalysisError):
        slowdown_figure(study.slowdowns.iloc[:0])
    with pytest.raises(AnalysisError):
        matrices.shares_figure(study.shares.iloc[:0])
    with pytest.raises(AnalysisError):
        matrices.shares_figure(study.shares.assign(share=np.nan))
