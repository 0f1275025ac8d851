"""Tables say what is behind their numbers, and refuse what cannot be compared."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.compared.comparisons import comparison_of
from analysis.compared.study import Study
from analysis.errors import AnalysisError
from analysis.measured.records import load
from analysis.statistics import summarise_pairs
from analysis.told.tables import best_table, drift_table, ratio_table, side_by_side
from analysis.words import median_in_words
from tests.analysis.conftest import Record

FLOW = comparison_of("push over pull")


def test_the_best_programs_have_their_samples_and_noise(record: Record, write: Callable[..., Any]) -> None:
    program = "bfs-openmp-vertex-topology-push-rw-nondet-default-i32"
    frame = load(
        write(
            [
                record(program, samples_s=[1.0, 1.1, 1.5], peak_memory_bytes=3 << 20),
                record(program, graph="b.egr", samples_s=[2.0]),
            ]
        )
    )
    table = best_table(frame).set_index("graph")
    assert table["samples"].to_dict() == {"b": 1, "grid": 3}
    assert table["range of samples, %"]["grid"] == pytest.approx(50 / 1.1, rel=1e-5)
    assert np.isnan(table["range of samples, %"]["b"])
    assert table["MiB"]["grid"] == 3
    assert np.isnan(table["MiB"]["b"])


def test_styles_are_told_what_memory_they_take(record: Record, write: Callable[..., Any]) -> None:
    """The middle of what pairs take; a job that does not tell is in none."""
    push, pull = (
        "bfs-cuda-vertex-topology-push-rw-nondet-nonpersistent-thread-atomic-i32",
        "bfs-cuda-vertex-topology-pull-rw-nondet-nonpersistent-thread-atomic-i32",
    )
    jobs = [record(push, graph=f"{held}.egr", peak_memory_bytes=held) for held in (100, 300, 400)]
    jobs += [record(pull, graph=f"{held}.egr", peak_memory_bytes=200) for held in (100, 300)] + [
        record(pull, graph="400.egr")
    ]
    table = ratio_table(FLOW.pairs(load(write(jobs)))).query("algorithm == 'bfs'").set_index("graph")
    assert table["memory"][["all", "100", "300"]].tolist() == [1.0, 0.5, 1.5]
    assert np.isnan(table["memory"]["400"])


def test_machines_are_put_side_by_side_on_the_graphs_that_both_have(study: Study) -> None:
    frame = study.frame
    here = frame.assign(machine=frame["machine"].where(frame["graph"] != "grid", "other"))
    with pytest.raises(AnalysisError, match="CUDA: no graph was measured on each of box and other"):
        side_by_side(Study(here, study.graphs), [FLOW])
    other = frame[frame["graph"] != "grid"].assign(machine="other")
    table = side_by_side(Study(pd.concat([frame, other], ignore_index=True), study.graphs), [FLOW])
    both = table.loc[FLOW.title, ["CUDA on box", "CUDA on other"]]
    pairs = study.pairs(FLOW).query("model == 'cuda' and graph != 'grid'")
    assert set(both) == {median_in_words(summarise_pairs(pairs))}


def test_drift_is_what_all_jobs_have_in_common(record: Record, write: Callable[..., Any]) -> None:
    """The machine takes twice as long in the second of three turns; programs differ by more than that."""
    names = [f"bfs-openmp-vertex-topology-push-{update}-nondet-default-i32" for update in ("rw", "rmw")]
    shares = [1.0, 1.0, 2.0, 2.0, 1.0]
    jobs = [
        record(name, samples_s=[seconds * share for share in shares], turns=[2, 2, 1])
        for name, seconds in zip(names, (1.0, 7.0), strict=True)
    ]
    alone = record(names[0], graph="b.egr", samples_s=[5.0, 5.0])
    table = drift_table(load(write([*jobs, alone])))
    assert table[["graph", "turn", "jobs", "median"]].to_numpy().tolist() == [
        ["grid", 1, 2, 1.0],
        ["grid", 2, 2, 2.0],
        ["grid", 3, 2, 1.0],
    ]
