"""Descriptions of graphs stand beside results, and are used only for the graphs that they describe."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from analysis.errors import AnalysisError
from analysis.measured.files import measure
from analysis.measured.graphs import graph_table, high_degree, known

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.compared.study import Study

STAR = "0 1\n0 2\n0 3\n"


@pytest.fixture
def star(tmp_path: Path) -> Path:
    file = tmp_path / "star.el"
    file.write_text(STAR)
    return file


def test_a_graph_is_measured(star: Path) -> None:
    (found,) = measure([star])
    assert {name: value for name, value in found.items() if name != "sha256"} == {
        "name": "star",
        "vertices": 4,
        "edges": 6,
        "average_degree": 1.5,
        "maximum_degree": 3,
        "share_degree_32": 0.0,
        "share_degree_512": 0.0,
        "diameter": 2,
        "clustering": 0.0,
    }


def test_descriptions_stand_beside_a_file_or_in_a_directory(star: Path, tmp_path: Path) -> None:
    (tmp_path / "some.graphs.json").write_text(json.dumps(measure([star])))
    assert set(known([tmp_path / "some.parquet"])) == set(known([tmp_path])) == {"star"}
    assert known([tmp_path / "other.parquet"]) == {}


@pytest.mark.parametrize("content", ["{", "{}", '[{"vertices": 3}]', "[3]"])
def test_anything_else_is_a_users_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.graphs.json").write_text(content)
    with pytest.raises(AnalysisError, match="does not describe graphs"):
        known([tmp_path])


def test_a_description_of_another_graph_is_not_used(study: Study) -> None:
    given = {
        "grid": {"vertices": 4_000, "edges": 16_000, "diameter": 7},
        "road": {"vertices": 1, "edges": 1, "diameter": 9},
    }
    table = graph_table(study.frame, given).set_index("graph")
    assert table["diameter"]["grid"] == 7
    assert np.isnan(table["diameter"]["road"])
    assert table["average_degree"]["road"] == pytest.approx(3.2)


def test_high_degrees(study: Study) -> None:
    table = study.graphs.assign(edges=study.graphs["vertices"] * [4, 8, 50])
    assert high_degree(table).tolist() == [False, True, True]


def test_of_a_graph_whose_size_is_not_known_nothing_is_known(study: Study) -> None:
    frame = study.frame.assign(vertices=pd.array([None] * len(study.frame), "Int64"))
    table = graph_table(frame, {"grid": {"name": "grid", "vertices": 4_000, "edges": 16_000, "diameter": 3}})
    assert table[["vertices", "average_degree", "diameter"]].isna().all(axis=None)
    assert graph_table(frame.assign(vertices=0), {})["average_degree"].isna().all()


@pytest.mark.parametrize("content", [[{"name": []}], [{"name": "grid", "diameter": "far"}], [{"edges": 1}], {}])
def test_a_file_that_does_not_describe_graphs_is_a_users_error(tmp_path: Path, content: object) -> None:
    (tmp_path / "x.graphs.json").write_text(json.dumps(content))
    with pytest.raises(AnalysisError, match="does not describe graphs"):
        known([tmp_path])
