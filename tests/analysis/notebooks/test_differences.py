"""Whether a difference between two programs is real: planted ones are found, noise is not, and the rest stays open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from analysis.errors import AnalysisError
from analysis.measured.records import load
from analysis.notebooks.differences import TURNS, advice, differences, samples_needed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd

    from tests.analysis.conftest import Record, Write


PUSH = "bfs-openmp-vertex-topology-push-rmw-nondet-default-i32"
PULL = "bfs-openmp-vertex-topology-pull-rw-nondet-default-i32"


@pytest.fixture
def jobs(record: Record, write: Write) -> Callable[..., pd.DataFrame]:
    """Jobs of both programs; by graph, the samples of each, and the session of the second."""

    def make(samples: dict[str, tuple[Sequence[float], Sequence[float]]], session: str = "s1") -> pd.DataFrame:
        found = []
        for graph, (mine, other) in samples.items():
            found.append(record(PUSH, 1.0, graph=graph, samples_s=list(mine)))
            found.append(record(PULL, 1.0, graph=graph, samples_s=list(other), session=session))
        return load(write(found))

    return make


TIGHT = [1.0, 1.01, 1.02, 0.99, 0.98, 1.005, 0.995]


@pytest.mark.parametrize(
    ("mine", "other", "session", "verdict"),
    [
        (TIGHT, [2 * each for each in TIGHT], "s1", "first"),
        ([2 * each for each in TIGHT], TIGHT, "s1", "second"),
        (TIGHT, [1.001 * each for each in TIGHT], "s1", "equal"),
        ([1, 2, 3, 4, 5], [1.1, 2.2, 3.3, 4.4, 5.5], "s1", "too noisy"),
        ([1, 1, 1], [2, 2, 2], "s1", "too few samples"),
        (TIGHT, [1.2 * each for each in TIGHT], "s2", "two sessions"),
        (TIGHT, [2 * each for each in TIGHT], "s2", "first"),  # further apart than sessions are
    ],
)
def test_what_is_said_of_two_programs(
    jobs: Callable[..., pd.DataFrame], mine: Sequence[float], other: Sequence[float], session: str, verdict: str
) -> None:
    (row,) = differences(jobs({"grid": (mine, other)}, session), PUSH, PULL).to_dict("records")
    assert row["verdict"] == verdict
    assert row["ratio"] == pytest.approx(np.median(other) / np.median(mine))
    assert row["low"] <= row["ratio"] <= row["high"]


def test_programs_that_are_alike_are_seldom_told_apart(jobs: Callable[..., pd.DataFrame]) -> None:
    """Of 40 studies of five graphs without a difference, about two may name one on some graph; without Holm, nine."""
    rng = np.random.default_rng(1)
    frame = jobs({f"g{number}": tuple(rng.lognormal(0, 0.05, (2, 9))) for number in range(200)})
    studies = [frame[frame["graph"].isin([f"g{number}" for number in range(at, at + 5)])] for at in range(0, 200, 5)]
    wrong = [differences(study, PUSH, PULL)["verdict"].isin(["first", "second"]).any() for study in studies]
    assert sum(wrong) <= 5


def test_advice_names_who_is_faster_where_and_what_settles_the_rest(jobs: Callable[..., pd.DataFrame]) -> None:
    twice = [2 * each for each in TIGHT]
    found = differences(jobs({"grid": (TIGHT, twice), "road": (twice, TIGHT), "rmat": ([1.0], [3.0])}), PUSH, PULL)
    said = advice(found, PUSH, PULL)
    assert f"{PUSH} is 2 times as fast on grid" in said
    assert f"{PULL} is 2 times as fast on road" in said
    assert "depends on the graph" in said
    assert "Not known on rmat: too few samples." in said
    assert f"--programs {PUSH} {PULL} --graphs rmat --reps 2 --turns {TURNS}" in said


def test_more_noise_and_smaller_differences_take_more_samples() -> None:
    """Against the textbook's figure: 63 of each for half a standard deviation, over 3 / pi."""
    assert samples_needed(0.02, np.exp(0.01)) == pytest.approx(63 * np.pi / 3, abs=1)
    assert samples_needed(0.0, 1.05) == 5
    assert samples_needed(0.02, 1.05) < samples_needed(0.1, 1.05)
    with pytest.raises(AnalysisError, match="give at least 0, and not 1"):
        samples_needed(0.1, 1.0)


def test_programs_without_a_graph_in_common_are_refused(record: Record, write: Write) -> None:
    frame = load(write([record(PUSH, 1.0, graph="a"), record(PULL, 1.0, graph="b")]))
    with pytest.raises(AnalysisError, match="verified on no graph of one machine and setting together"):
        differences(frame, PUSH, PULL)
    with pytest.raises(AnalysisError, match="unknown program"):
        differences(frame, PUSH, PULL.replace("pull", "pul"))
