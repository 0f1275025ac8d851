"""Results as tables: under the names of vertices, beyond reach empty, verified values as they are."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from generator.algorithms import load_algorithms
from generator.output import add
from generator.space import load_space
from inputs.conversion import convert
from inputs.formats.errors import GraphFormatError
from inputs.graph import from_arcs, from_edges
from inputs.interchange import to_networkx
from runner.best import answers, known
from runner.best.evidence import read_couplings, read_priors
from runner.best.find import Question
from runner.best.paths import NOBODY, predecessors
from runner.best.pool import Written
from runner.checkout import Checkout
from runner.errors import RunnerError
from runner.jobs.graphs import Graph, find_vertex, find_vertices, open_graph
from runner.jobs.plan import Parameters

if TYPE_CHECKING:
    from pathlib import Path

    from runner.jobs.programs import Program


@pytest.fixture
def friends(tmp_path: Path) -> Graph:
    (tmp_path / "friends.csv").write_text("source,target\nann,bob\nbob,cy\ndan,eve\n")
    convert(tmp_path / "friends.csv", tmp_path / "friends.egr")
    return open_graph(str(tmp_path / "friends.egr"), tmp_path)  # ann bob dan cy eve


def asked(algorithm: str, **parameters: Any) -> Question:
    return Question("", algorithm, None, 1, Parameters(**parameters), seed=0)


def table(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, dtype=str, keep_default_na=False) if path.suffix == ".csv" else pd.read_parquet(path)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_vertices_have_their_names_and_what_is_beyond_reach_is_empty(
    friends: Graph, tmp_path: Path, suffix: str
) -> None:
    (level,) = load_algorithms()["bfs"].results_of("bfs")
    out = tmp_path / f"out{suffix}"
    answers.give({level: np.array([0, 1, -1, 2, -1])}, friends, asked("bfs"), out, None)
    found = table(out)
    assert found["vertex"].tolist() == ["ann", "bob", "dan", "cy", "eve"]
    assert [None if pd.isna(v) or v == "" else int(v) for v in found["level"]] == [0, 1, None, 2, None]


def test_answers_that_are_vertices_come_by_their_names(friends: Graph, tmp_path: Path) -> None:
    (label,) = load_algorithms()["cc"].result
    answers.give({label: np.array([0, 0, 2, 0, 2])}, friends, asked("cc"), tmp_path / "out.csv", None)
    assert table(tmp_path / "out.csv")["label"].tolist() == ["ann", "ann", "dan", "ann", "dan"]


def test_priors_are_of_vertices_by_their_names(friends: Graph, tmp_path: Path) -> None:
    file = tmp_path / "priors.csv"
    file.write_text("vertex,prior\neve,-2.5\nbob,100\n")
    assert read_priors(file, friends) == [0, 100, 0, 0, -2.5]
    for row, wrong in (
        ("zoe,1", "friends has no vertex zoe"),
        ("0,1", "friends has no vertex 0"),
        ("ann,x", "the prior of vertex ann is x, which is no number from -100 to 100"),
        ("ann,nan", "ann is nan, which is no number"),
        ("ann,100.5", "ann is 100.5, which is no number from"),
        ("ann,1_0", "ann is 1_0, which is no number from"),
        ("vertex,prior", "priors.csv: the file has no line of a vertex and its prior"),
    ):
        file.write_text(f"{row}\n")
        with pytest.raises(GraphFormatError, match=wrong):
            read_priors(file, friends)


def test_couplings_are_of_edges_by_the_names_of_their_ends(friends: Graph, tmp_path: Path) -> None:
    file = tmp_path / "couplings.csv"
    file.write_text("from,to,agreement\nbob,ann,0.25\neve,dan,8\ndan,eve,8\n")
    assert read_couplings(file, friends, 3) == [0.25, 0.25, 3, 8, 3, 8]  # rows of ann, bob, dan, cy, eve
    for row, wrong in (
        ("ann,zoe,1", "friends has no vertex zoe"),
        ("ann,cy,1", "friends has no edge ann, cy"),
        ("eve,eve,1", "friends has no edge eve, eve"),
        ("eve,ann,1", "friends has no edge eve, ann"),
        ("ann,bob", "a line is two vertices and their agreement, not 2 fields"),
        ("ann,bob,x", "the agreement of edge ann, bob is x, which is no number from 0.001 to 1000"),
        ("ann,bob,-3", "edge ann, bob is -3, which is no number from"),
        ("ann,bob,\u0663", "edge ann, bob is \u0663, which is no number from"),
        ("", "couplings.csv: the file has no line of two vertices and their agreement"),
        ("ann,bob,2\nann,bob,3", "edge ann, bob has another agreement, 2, already"),
        ("ann,bob,2\nbob,ann,3", "edge bob, ann has another agreement, 2, already"),
    ):
        file.write_text(f"{row}\n")
        with pytest.raises(GraphFormatError, match=wrong):
            read_couplings(file, friends, 1.5)


def test_edges_have_both_ends(friends: Graph, tmp_path: Path) -> None:
    results = load_algorithms()["mst"].results_of("mst")
    values = {each: np.arange(friends.edges if each.length == "edges" else 1) for each in results}
    answers.give(values, friends, asked("bfs"), tmp_path / "out.csv", None)
    found = table(tmp_path / "out.csv")
    ends = [*zip(found["source"], found["target"], strict=True)]
    assert ends[:3] == [("ann", "bob"), ("bob", "ann"), ("bob", "cy")]


def test_a_count_is_a_row(friends: Graph, tmp_path: Path) -> None:
    (count,) = load_algorithms()["tc"].result
    answers.give({count: np.array([7])}, friends, asked("bfs"), tmp_path / "out.csv", None)
    assert (tmp_path / "out.csv").read_text() == "count\n7\n"


def test_a_vertex_is_found_by_its_name(friends: Graph, tmp_path: Path) -> None:
    assert [find_vertex(friends, called) for called in ("dan", None)] == [2, None]
    with pytest.raises(RunnerError, match="no vertex of friends has this name; did you mean 'bob'"):
        find_vertex(friends, "bobb")
    (tmp_path / "plain.el").write_text("0 1\n")
    plain = open_graph(str(tmp_path / "plain.el"), tmp_path)
    assert find_vertex(plain, "1") == 1
    for wrong in ("bob", "2", "-1", "9" * 30):
        with pytest.raises(RunnerError, match=f"--source {wrong}: is no vertex of plain, which has 0 to 1"):
            find_vertex(plain, wrong)


def test_sources_are_vertices_with_commas_between(friends: Graph, tmp_path: Path) -> None:
    assert [find_vertices(friends, called) for called in ("dan", "eve, ann,bob", None)] == [[2], [4, 0, 1], []]
    (tmp_path / "odd.csv").write_text('"a,b",c\nc,a\nc,b\n')
    odd = open_graph(str(tmp_path / "odd.csv"), tmp_path)  # a,b c a b
    assert [find_vertices(odd, called) for called in ("a,b", "a,c", '"a,b",b')] == [[0], [2, 1], [0, 3]]
    for wrong, message in (
        ("ann,bobb", "--source bobb: no vertex of friends has this name"),
        ("ann,", "--source : no vertex of friends has this name"),
        ("ann,bob,ann", "--source ann: is given twice"),
    ):
        with pytest.raises(RunnerError, match=message):
            find_vertices(friends, wrong)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_each_of_several_sources_has_its_answer(friends: Graph, tmp_path: Path, suffix: str) -> None:
    (level,) = load_algorithms()["bfs"].results_of("bfs")
    out = tmp_path / f"out{suffix}"
    levels = np.array([[2, 1, -1, 0, -1], [-1, -1, 1, -1, 0]])
    printed = answers.give({level: levels}, friends, replace(asked("bfs", source=3), sources=(3, 4)), out, 2)
    found = table(out)
    assert [*found.columns] == ["source", "vertex", "level", "predecessor"]
    assert found["source"].tolist() == ["cy"] * 5 + ["eve"] * 5
    assert found["vertex"].tolist() == ["ann", "bob", "dan", "cy", "eve"] * 2
    before = ["" if pd.isna(name) else name for name in found["predecessor"]]
    assert before == ["bob", "cy", "", "", "", "", "", "eve", "", ""]
    assert printed == "dan is beyond reach of cy\neve -> dan  (1)"


def test_of_some_algorithms_several_sources_have_one_answer(friends: Graph, tmp_path: Path) -> None:
    (rank,) = load_algorithms()["ppr"].results_of("ppr")
    answers.give({rank: np.arange(5.0)}, friends, replace(asked("ppr"), sources=(3, 4)), tmp_path / "out.csv", None)
    assert [*table(tmp_path / "out.csv").columns] == ["vertex", "rank"]


@pytest.mark.parametrize(("count", "together"), [(3, False), (40, True)])
def test_many_sources_are_searched_from_together(
    friends: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, together: bool
) -> None:
    space, name = load_space(), "bfs-openmp-vertex-data-nodup-hybrid-rw-nondet-dynamic-i32-estimated-local"
    names = [name, "bfs-openmp-vertex-data-nodup-push-rmw-det-guided-i32"]
    names += [each.replace("guided", other) for each in names[1:] for other in ("default", "dynamic")]
    checkout = Checkout(tmp_path)
    add([], checkout.generated)
    pool = Written(checkout, {each: space.parse(each) for each in names})
    ran = []

    def run_once(_: object, program: Program, *words: object) -> str:
        ran.append((program.name, [*map(str, words[2:])]))
        return '{"samples_s": [0.25]}\n{"samples_s": [0.5]}'

    monkeypatch.setattr(known, "run_once", run_once)
    question = replace(asked("bfs", source=5, reps=3), sources=tuple(range(5, 5 + count)))
    choice = known.Choice(pool, next(iter(pool.take([name]))), "")
    assert known.solve(choice, friends, question, tmp_path / "out.npy").seconds == 0.75
    ((program, words),) = ran
    assert program == ("bfs-openmp-vertex-data-nodup-push-rmw-det-dynamic-i32-bitparallel" if together else name)
    assert words[2:] == [word for source in range(5, 5 + count) for word in ("--source", str(source))]


def test_names_of_another_graph_are_no_names(friends: Graph, tmp_path: Path) -> None:
    with pytest.raises(GraphFormatError, match="5 names"):
        answers.give({}, friends.model_copy(update={"vertices": 6}), asked("bfs"), tmp_path / "out.csv", None)
    assert not (tmp_path / "out.csv").exists()


def test_predecessors_of_a_program_are_taken_as_they_are(friends: Graph, tmp_path: Path) -> None:
    level, predecessor = load_algorithms()["bfs"].results_of("bfs-tree")
    found = {level: np.array([0, 1, -1, 2, -1]), predecessor: np.array([-1, 3, -1, 1, -1])}
    answers.give(found, friends, asked("bfs"), tmp_path / "out.csv", None)
    assert table(tmp_path / "out.csv")["predecessor"].tolist() == ["", "cy", "", "bob", ""]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [None, (0, 3), (1, 9)])
def test_predecessors_are_a_tree_of_shortest_paths(directed: bool, weights: tuple[int, int] | None) -> None:
    rng = np.random.default_rng(7)
    ends = rng.integers(0, 60, (2, 110))
    make = from_arcs if directed else from_edges
    graph = make(64, *ends, None if weights is None else rng.integers(*weights, 110, endpoint=True))
    source = int(ends[0, 0])
    known = to_networkx(graph)
    right = nx.single_source_dijkstra_path_length(known, source, weight="weight" if weights else None)
    distances = np.array([right.get(v, -1) for v in range(64)])
    found = predecessors(graph.to_edges(), distances, source, weighted=weights is not None, made=None)
    for v in range(64):
        path = [v]
        while found[path[-1]] != NOBODY and len(path) < 65:
            path.append(int(found[path[-1]]))
        if v in right:
            assert path[-1] == source
            assert nx.path_weight(known, path[::-1], "weight") == right[v] if weights else len(path) - 1 == right[v]
        else:
            assert path == [v]


def test_predecessors_of_real_distances_are_found_with_their_rounding(tmp_path: Path) -> None:
    """0.1 + 0.2 is not 0.3, and 1e-9 adds nothing to 1."""
    (tmp_path / "path.csv").write_text("a,b,0.1\nb,c,0.2\nd,a,1\nd,e,1e-9\n")
    graph = open_graph(str(tmp_path / "path.csv"), tmp_path)
    assert graph.real
    (dist,) = load_algorithms()["sssp"].results_of("sssp-real")
    first, second = np.array([0.1, 0.2], dtype=np.float32)
    found = {"a": 0, "b": first, "d": 1, "c": first + second, "e": 1}  # in the order of the file
    values = np.array([*found.values()], dtype=np.float32)
    answers.give({dist: values}, graph, asked("sssp"), tmp_path / "out.csv", None)
    rows = table(tmp_path / "out.csv").set_index("vertex")
    assert rows.loc[list("abcde"), "dist"].tolist() == ["0.0", "0.1", "0.3", "1.0", "1.0"]
    assert rows.loc[list("abcde"), "predecessor"].tolist() == ["", "a", "b", "a", "d"]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_numbers_stay_whole(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "path.el").write_text("0 1\n1 2\n3 4\n")
    graph = open_graph(str(tmp_path / "path.el"), tmp_path)
    (level,) = load_algorithms()["bfs"].results_of("bfs")
    out = tmp_path / f"out{suffix}"
    found = {level: np.array([0, 1, 2, -1, -1])}
    assert answers.give(found, graph, asked("bfs"), out, 2) == "0 -> 1 -> 2  (2)"
    if suffix == ".csv":
        assert out.read_text() == "vertex,level,predecessor\n0,0,\n1,1,0\n2,2,1\n3,,\n4,,\n"


def test_no_name_is_taken_for_a_missing_one(tmp_path: Path) -> None:
    called = ["NA", "null", "nan", "None", "True", "1.0", "01", 'a "b", c', "-", "vertex"]
    with (tmp_path / "odd.csv").open("w", newline="") as file:
        csv.writer(file).writerows(pairwise(called))
    graph = open_graph(str(tmp_path / "odd.csv"), tmp_path)
    (level,) = load_algorithms()["bfs"].results_of("bfs")
    found = {level: np.arange(len(called))}
    ends = [find_vertex(graph, name) for name in called]
    assert [answers.give(found, graph, asked("bfs"), None, end) for end in ends] == [
        f"{' -> '.join(called[: length + 1])}  ({length})" for length in range(len(called))
    ]


def test_what_is_wanted_is_printed(friends: Graph) -> None:
    """A path by names, one value alone, or the table; with no file."""
    (level,) = load_algorithms()["bfs"].results_of("bfs")
    found = {level: np.array([0, 1, -1, 2, -1])}
    for end, path in (("cy", "ann -> bob -> cy  (2)"), ("eve", "eve is beyond reach")):
        assert answers.give(found, friends, asked("bfs"), None, find_vertex(friends, end)) == path
    lines = answers.give(found, friends, asked("bfs"), answers.STDOUT, None).splitlines()
    assert lines == ["vertex,level,predecessor", "ann,0,", "bob,1,ann", "dan,,", "cy,2,bob", "eve,,"]
    in_forest, weight = load_algorithms()["mst"].results_of("mst")
    forest = {in_forest: np.ones(friends.edges), weight: np.array([12])}
    assert answers.give(forest, friends, asked("mst"), None, None) == "total_weight: 12"
