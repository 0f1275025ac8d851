"""Times on several GPUs against one, and the model of what they are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from analysis.compared.scaling import (
    best_scaling,
    by_latency,
    by_partition,
    fit,
    meetings,
    predict,
    strong_scaling,
    weak_scaling,
)
from analysis.compared.study import read_study
from analysis.drawn.scaling import latency_figure, scaling_figure
from analysis.errors import AnalysisError
from analysis.measured import records
from tests.analysis.conftest import SEVERAL_GPUS as SEVERAL
from tests.analysis.conftest import Record

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pandas as pd

SLOW = "bfs-cuda-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32"
FAST = "bfs-cuda-vertex-data-nodup-push-rmw-nondet-persistent-warp-atomic-i32"
DENSE = SEVERAL.replace("-list-", "-dense-")


@pytest.fixture
def load(record: Record, write: Callable[..., Any]) -> Callable[..., pd.DataFrame]:
    """Loads jobs, each a program, its seconds, its GPUs (0: of no such program), and fields of its record."""

    def load(*jobs: tuple[str, float, int, dict[str, Any]]) -> pd.DataFrame:
        made = [
            record(program, seconds, **{"parameters": {"source": 0, **({"gpus": gpus} if gpus else {})}, **fields})
            for program, seconds, gpus, fields in jobs
        ]
        return records.load(write(made))

    return load


def test_speedups_are_over_the_same_program_and_over_the_best_for_one_gpu(load: Any) -> None:
    frame = load(
        (SLOW, 3.0, 0, {}), (FAST, 1.5, 0, {}), (SEVERAL, 2.0, 1, {}), (SEVERAL, 1.0, 2, {}), (DENSE, 4.0, 2, {})
    )
    slower, faster = strong_scaling(frame).sort_values("median_s", ascending=False).to_dict("records")
    assert (faster["program"], faster["gpus"], faster["single"]) == (SEVERAL, 2, FAST)
    assert (faster["speedup_alone"], faster["speedup_single"]) == pytest.approx((2.0, 1.5))
    assert slower["speedup_single"] == pytest.approx(0.375)
    assert np.isnan(slower["speedup_alone"])
    assert list(best_scaling(frame)["program"]) == [SEVERAL]
    assert scaling_figure(frame).axes[0].get_title(loc="left") == "bfs"


def test_what_was_asked_otherwise_or_is_wrong_or_of_another_machine_counts_for_nothing(load: Any) -> None:
    frame = load(
        (FAST, 1.0, 0, {"parameters": {"source": 7}}),
        (SEVERAL, 1.0, 1, {"status": "wrong"}),
        (SEVERAL, 1.0, 1, {"machine": "another"}),
        (SEVERAL, 1.0, 2, {}),
    )
    (row,) = strong_scaling(frame).to_dict("records")
    assert np.isnan(row["speedup_alone"])
    assert np.isnan(row["speedup_single"])
    with pytest.raises(AnalysisError, match="programs for several GPUs and for one"):
        scaling_figure(frame)


def test_weak_scaling_is_of_graphs_with_as_many_edges_a_gpu(load: Any) -> None:
    frame = load(
        (SEVERAL, 1.0, 1, {"graph": "a", "edges": 1_000_000}),
        (SEVERAL, 1.25, 2, {"graph": "b", "edges": 2_050_000}),
        (SEVERAL, 1.0, 2, {"graph": "c", "edges": 3_000_000}),
    )
    (row,) = weak_scaling(frame).to_dict("records")
    assert (row["graph"], row["smaller"], row["gpus"]) == ("b", "a", 2)
    assert row["efficiency"] == pytest.approx(2.05 / 1.25 / 2)


def _modelled(alone: float, rounds: int, items: int, size: int, gpus: int) -> float:
    """Seconds of a job whose largest part has 1.1 times its share, and whose first GPU alone sends."""
    return alone * 1.1 / gpus + items * size / gpus / 300e9 + items / gpus * 1e-9 + rounds * 12e-6


@pytest.fixture
def modelled(load: Any) -> pd.DataFrame:
    """Twelve graphs on one and two GPUs, whose times are as the model has them."""
    draw = np.random.default_rng(1)
    jobs = []
    for number in range(12):
        alone, rounds, items = draw.uniform(0.01, 0.1), int(draw.integers(5, 2000)), int(draw.integers(10**5, 10**7))
        size = (4, 8)[number % 2]
        fields: dict[str, Any] = {"graph": f"g{number}", "rounds": rounds}
        parts = {"gpu": [0, 1], "imbalance": 1.1, "memory_bytes": [1, 1], "items_sent": [items, 0]}
        parts |= {
            "bytes_sent": [items * size, 0],
            "computing_s": [0, 0],
            "communicating_s": [0, 0],
            "waiting_s": [0, 0],
        }
        seconds = _modelled(alone, rounds, items, size, 2)
        jobs += [(SEVERAL, alone, 1, fields), (SEVERAL, seconds, 2, {**fields, "parts": parts})]
    frame: pd.DataFrame = load(*jobs)
    return frame


def test_the_model_finds_what_times_were_made_of(modelled: pd.DataFrame) -> None:
    (model,) = fit(modelled).values()
    assert model.bandwidth == pytest.approx(300e9, rel=0.05)
    assert (model.item_s, model.latency_s) == pytest.approx((1e-9, 12e-6), rel=0.05)
    assert model.error < 0.01
    assert model.jobs == 12
    assert "300 GB/s" in model.sentence


def test_the_model_predicts_more_gpus(modelled: pd.DataFrame) -> None:
    found = predict(modelled, (2, 4))
    assert list(found["gpus"]) == [4] * 12  # two were measured
    for row in found.to_dict("records"):
        one, two = (
            modelled[(modelled["graph"] == row["graph"]) & (modelled["gpus"] == gpus)].iloc[0] for gpus in (1, 2)
        )
        items, size = int(two["items_sent"]), int(two["bytes_sent"] / two["items_sent"])
        expected = _modelled(one["median_s"], int(two["rounds"]), 3 * items, size, 4)
        assert row["predicted_s"] == pytest.approx(expected, rel=0.02)
        assert row["speedup_alone"] == pytest.approx(one["median_s"] / expected, rel=0.02)


def test_without_a_model_nothing_is_predicted(load: Any) -> None:
    found = predict(load((SEVERAL, 1.0, 1, {}), (SEVERAL, 0.6, 2, {})))
    assert found.empty
    assert "predicted_s" in found


def _delayed(
    program: str, seconds: float, microseconds: float, **fields: Any
) -> tuple[str, float, int, dict[str, Any]]:
    parameters = {"source": 0, "gpus": 2, "latency": microseconds or None}
    return program, seconds, 2, {"parameters": parameters, "rounds": 100, **fields}


def test_times_grow_with_a_latency_as_often_as_parts_meet(load: Any) -> None:
    frame = load(
        *(_delayed(SEVERAL, 1.0 + 200 * microseconds * 1e-6, microseconds) for microseconds in (0, 50, 1000)),
        *(_delayed(DENSE, 0.5 + 300 * microseconds * 1e-6, microseconds) for microseconds in (0, 1000)),
        _delayed(SEVERAL, 1.0, 50, graph="never without"),
        _delayed(SEVERAL, 1.0, 50, status="wrong", graph="wrong"),
        _delayed(SEVERAL, 2.0, 0, graph="wrong"),
    )
    assert list(by_latency(frame)["latency_us"]) == [0, 1000, 0, 50, 1000]
    dense, listed = meetings(frame).to_dict("records")
    assert (dense["program"], dense["latencies"], dense["rounds"]) == (DENSE, 2, 100)
    assert (dense["without_s"], dense["meetings"], dense["meetings_a_round"]) == pytest.approx((0.5, 300, 3))
    assert (listed["latencies"], listed["without_s"], listed["meetings_a_round"]) == pytest.approx((3, 1, 2))
    (line,) = latency_figure(frame).axes[0].lines
    assert (list(line.get_xdata()), list(line.get_ydata())) == ([0, 1000], pytest.approx([500, 800]))
    with pytest.raises(AnalysisError, match="no job was measured with several latencies"):
        latency_figure(load(_delayed(SEVERAL, 1.0, 0)).head(0))


def test_jobs_with_a_latency_are_held_against_no_others(record: Any, write: Any) -> None:
    def measure(*latencies: float) -> Path:
        jobs = [_delayed(SEVERAL, 1.0 + microseconds, microseconds) for microseconds in latencies]
        made = [record(name, seconds, **fields) for name, seconds, _, fields in jobs]
        results: Path = write(made, f"results-{latencies}")
        return results

    study = read_study([measure(0, 50, 100)], min_edges=0)
    assert list(study.frame["latency_us"]) == [0]
    assert list(study.delayed["latency_us"]) == [50, 100]
    with pytest.raises(AnalysisError, match="all results are of jobs with --latency"):
        read_study([measure(50)], min_edges=0)


def _divided(
    program: str, seconds: float, content: str | None, name: str = "owners", **fields: Any
) -> tuple[str, float, int, dict[str, Any]]:
    partition = content and {"name": name, "sha256": content, "graph_sha256": "of the graph"}
    parameters = {"source": 0, "gpus": 2, "partition": partition}
    return program, seconds, 2, {"parameters": parameters, **fields}


def test_times_by_partition_are_held_against_those_of_the_programs_own(load: Any) -> None:
    frame = load(
        _divided(SEVERAL, 2.0, None),
        _divided(SEVERAL, 1.0, "aa"),
        _divided(SEVERAL, 4.0, "bb"),
        _divided(SEVERAL, 3.0, "bb", name="renamed"),
        _divided(DENSE, 1.0, "aa"),
        _divided(DENSE, 2.0, "bb"),
        _divided(SEVERAL, 1.0, "aa", graph="never by itself"),
    )
    found = by_partition(frame)
    assert list(found["program"]) == [DENSE] * 2 + [SEVERAL] * 3
    assert list(found["partition_file"]) == ["owners (aa)", "owners (bb)", "", "owners (aa)", "renamed (bb)"]
    assert list(found["speedup_own"])[2:] == pytest.approx([1.0, 2.0, 2 / 3])
    assert found["speedup_own"].isna().sum() == 2


def test_jobs_divided_by_a_file_are_held_against_no_others(record: Any, write: Any) -> None:
    def measure(*contents: str | None) -> Path:
        jobs = [_divided(SEVERAL, 1.0, content) for content in contents]
        made = [record(name, seconds, **fields) for name, seconds, _, fields in jobs]
        results: Path = write(made, f"results-{contents}")
        return results

    study = read_study([measure(None, "aa", "bb")], min_edges=0)
    assert list(study.frame["partition_file"]) == [""]
    assert list(study.divided["partition_file"]) == ["owners (aa)", "owners (bb)"]
    with pytest.raises(AnalysisError, match="all results are of jobs with --latency or --partition"):
        read_study([measure("aa")], min_edges=0)
