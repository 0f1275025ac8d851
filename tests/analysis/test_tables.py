"""Tables say what is behind their numbers, and refuse what cannot be compared."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.comparisons import comparison_of
from analysis.errors import AnalysisError
from analysis.guidelines import guidelines
from analysis.records import load
from analysis.study import Study
from analysis.tables import best_table, side_by_side

FLOW = comparison_of("push over pull")


def test_the_best_programs_have_their_samples_and_noise(
    record: Callable[..., dict[str, Any]], write: Callable[..., Any]
) -> None:
    program = "bfs-openmp-vertex-topology-push-rw-nondet-default-i32"
    frame = load(write([record(program, samples_s=[1.0, 1.1, 1.5]), record(program, graph="b.egr", samples_s=[2.0])]))
    table = best_table(frame).set_index("graph")
    assert table["samples"].to_dict() == {"b": 1, "grid": 3}
    assert table["range of samples, %"]["grid"] == pytest.approx(50 / 1.1, rel=1e-5)
    assert np.isnan(table["range of samples, %"]["b"])


def test_machines_with_a_graph_in_common_are_put_side_by_side(study: Study) -> None:
    frame = study.frame
    here = frame.assign(machine=frame["machine"].where(frame["graph"] != "grid", "other"))
    with pytest.raises(AnalysisError, match="CUDA: no graph was measured on each of box and other"):
        side_by_side(guidelines(Study(here, study.graphs), [FLOW]))
    both = Study(pd.concat([frame, frame.assign(machine="other")], ignore_index=True), study.graphs)
    table = side_by_side(guidelines(both, [FLOW]))
    assert {"CUDA on box", "CUDA on other"} < set(table)
