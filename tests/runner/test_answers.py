"""Results as tables: under the names of vertices, beyond reach empty, verified values as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from generator.algorithms import load_algorithms
from inputs.conversion import convert
from inputs.formats.errors import GraphFormatError
from runner.best import answers
from runner.errors import RunnerError
from runner.jobs.graphs import Graph, find_vertex, open_graph

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def friends(tmp_path: Path) -> Graph:
    (tmp_path / "friends.csv").write_text("source,target\nann,bob\nbob,cy\ndan,eve\n")
    convert(tmp_path / "friends.csv", tmp_path / "friends.egr")
    return open_graph(str(tmp_path / "friends.egr"), tmp_path)  # ann bob dan cy eve


def table(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, dtype=str, keep_default_na=False) if path.suffix == ".csv" else pd.read_parquet(path)


@pytest.mark.parametrize("suffix", answers.SUFFIXES)
def test_vertices_have_their_names_and_what_is_beyond_reach_is_empty(
    friends: Graph, tmp_path: Path, suffix: str
) -> None:
    (level,) = load_algorithms()["bfs"].result
    out = tmp_path / f"out{suffix}"
    answers.write({level: np.array([0, 1, -1, 2, -1])}, friends, out)
    found = table(out)
    assert found["vertex"].tolist() == ["ann", "bob", "dan", "cy", "eve"]
    assert [None if pd.isna(v) or v == "" else int(v) for v in found["level"]] == [0, 1, None, 2, None]


def test_edges_have_both_ends(friends: Graph, tmp_path: Path) -> None:
    results = load_algorithms()["mst"].result
    values = {each: np.arange(friends.edges if each.length == "edges" else 1) for each in results}
    answers.write(values, friends, tmp_path / "out.csv")
    found = table(tmp_path / "out.csv")
    ends = [*zip(found["source"], found["target"], strict=True)]
    assert ends[:3] == [("ann", "bob"), ("bob", "ann"), ("bob", "cy")]


def test_a_count_is_a_row(friends: Graph, tmp_path: Path) -> None:
    (count,) = load_algorithms()["tc"].result
    answers.write({count: np.array([7])}, friends, tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "count\n7\n"


def test_a_vertex_is_found_by_its_name(friends: Graph, tmp_path: Path) -> None:
    assert [find_vertex(friends, called) for called in ("dan", None)] == [2, None]
    with pytest.raises(RunnerError, match="no vertex of friends has this name; did you mean 'bob'"):
        find_vertex(friends, "bobb")
    (tmp_path / "plain.el").write_text("0 1\n")
    plain = open_graph(str(tmp_path / "plain.el"), tmp_path)
    assert find_vertex(plain, "1") == 1
    with pytest.raises(RunnerError, match="is no number, and the vertices of plain have no names"):
        find_vertex(plain, "bob")


def test_names_of_another_graph_are_no_names(friends: Graph, tmp_path: Path) -> None:
    with pytest.raises(GraphFormatError, match="5 names"):
        answers.write({}, friends.model_copy(update={"vertices": 6}), tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
