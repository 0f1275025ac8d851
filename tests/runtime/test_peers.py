"""benchmarks/peers.py: right answers are accepted, wrong ones are named, and the table is what the report reads."""

from __future__ import annotations

import io
import random
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from rich.console import Console

from analysis.compared import baselines
from benchmarks import peers
from benchmarks.__main__ import compare
from benchmarks.answers import find_error, read_reference
from benchmarks.libraries import LIBRARIES, SCIPY, Call, Library, Problem, weighted
from generator.algorithms import load_algorithms
from generator.errors import UserError
from inputs.catalogue import CATALOGUE, path_of
from inputs.formats import egr
from inputs.generators import all_graphs
from inputs.graph import Graph, from_edges
from inputs.interchange import from_networkx
from inputs.published import PUBLISHED
from tests.memory import LONG
from trust.graphs import random_graph

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from tests.runtime.conftest import Run

LARGEST_FILE = 1 << 23  # networkx takes seconds for each algorithm
ENDS = np.array([0, 1, 2, 3]), np.array([1, 2, 0, 4])  # a triangle, an edge, and a vertex by itself
GRAPH = Problem(weighted(from_edges(6, *ENDS)), 0, 1)


@pytest.fixture
def checkout(tmp_path: Path, binaries: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty checkout with violet-reference, to work in."""
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "violet-reference").symlink_to(binaries / "violet-reference")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VIOLET_HOME", str(tmp_path))
    return tmp_path


def known_graphs() -> Iterator[tuple[str, Graph]]:
    """What can be checked by hand, real ones, some of any kind; in the long tier, large real ones that are here."""
    yield from ((name, CATALOGUE[name].make()) for name in CATALOGUE if name.startswith("tiny-") or name == "karate")
    for real in (nx.les_miserables_graph, nx.davis_southern_women_graph, nx.florentine_families_graph):
        yield real.__name__, from_networkx(real())
    draw = random.Random(1)
    yield from (random_graph(draw) for _ in range(30 if LONG else 3))
    if LONG:
        yield from ((f"graph {number} of four vertices", graph) for number, graph in enumerate(all_graphs(4)))
    for path in (path_of(name) for name in PUBLISHED if LONG):
        if path and path.exists() and not egr.is_directed(path) and path.stat().st_size < LARGEST_FILE:
            yield path.stem, egr.read(path)


@pytest.mark.parametrize("package", [each.package for each in LIBRARIES.values() if each.model == "openmp"])
def test_other_libraries_agree_with_our_references(reference: Run, tmp_path: Path, package: str) -> None:
    library, out = LIBRARIES[package], tmp_path / "out"
    for name, graph in known_graphs():
        egr.write(graph, path := tmp_path / "graph.egr")
        for source in {*np.flatnonzero(graph.degrees)[[0, -1]].tolist()} if graph.edge_count else ():
            problem = Problem(weighted(graph), source, 1)
            mine = library.load(problem)
            for algorithm, call in library.calls.items():
                start = ["--source", source] if load_algorithms()[algorithm].has("needs", "source") else []
                assert reference(algorithm, path, out, *start).code == 0
                answer, right = call.read(call.run(mine, problem), problem), read_reference(out, algorithm, problem)
                wrong = find_error(algorithm, answer, right, problem)
                assert wrong is None, f"{name} from {source}, {algorithm}: {wrong}"


def test_a_table_of_times_is_what_the_report_reads(checkout: Path) -> None:
    assert compare(["karate", "--libraries", "scipy", "--out", "peers.csv"]) == 0
    table = pd.read_csv("peers.csv")
    assert set(table["algorithm"]) == {*SCIPY.calls}
    assert (table["verified"] == "yes").all()
    for times, row in zip(table["samples_s"].str.split(), table.itertuples(), strict=True):
        assert len(times) == row.samples == 5
        assert row.median_s == pytest.approx(np.median([float(each) for each in times]))
        assert row.throughput == pytest.approx(156 / row.median_s / 1e9, rel=1e-4)
    machine = table["machine"][0]
    jobs = pd.DataFrame({"model": table["model"].unique(), "machine": f"a box ({machine})"})
    assert len(baselines.load(checkout / "peers.csv", jobs)) == len(table)


def test_a_wrong_answer_is_an_error_and_stays_in_the_table(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    all_alone = Call(lambda _, problem: np.arange(problem.graph.vertex_count))
    monkeypatch.setitem(LIBRARIES, "scipy", replace(SCIPY, calls={"cc": all_alone}))
    assert compare(["karate", "--libraries", "scipy", "--algorithms", "cc", "--out", str(checkout / "p.csv")]) == 1
    assert "WRONG: 33 wrong values, first [1]: 1, not 0" in capsys.readouterr().err
    assert pd.read_csv("p.csv")["verified"].tolist() == ["33 wrong values, first [1]: 1, not 0"]


def codes(library: Library, answer: object) -> list[peers.Code]:
    """All calls of a library, on a small graph."""
    return [peers.LibraryCode(library, library.load(GRAPH), GRAPH, name, answer) for name in library.calls]


def test_what_takes_too_long_is_named_and_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    assert peers.measure(codes(SCIPY, None), "cc", limit_s=0.0) == []
    assert "scipy cc: left out, a call takes" in capsys.readouterr().err


def test_what_fails_is_named_and_the_rest_is_timed(capsys: pytest.CaptureFixture[str]) -> None:
    broken = replace(SCIPY, calls={"bfs": Call(lambda _, __: 1 // 0)})
    sound = replace(SCIPY, package="other", calls={"tc": Call(lambda _, __: 1, lambda one, _: one)})
    (row,) = peers.measure(codes(broken, 1) + codes(sound, 1), "tc")
    assert (row["algorithm"], row["verified"]) == ("tc", "yes")
    assert "scipy tc: left out, it fails: ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.parametrize(("cold_s", "calls"), [(0.0, 1), (60.0, 2)])
def test_a_quick_call_is_warmed_up_and_a_slow_one_is_not_made_twice(
    monkeypatch: pytest.MonkeyPatch, cold_s: float, calls: int
) -> None:
    monkeypatch.setattr(peers, "_COLD_S", cold_s)
    made: list[object] = []
    (code,) = codes(replace(SCIPY, calls={"tc": Call(lambda graph, _: made.append(graph))}), 1)
    assert code.solve() >= 0
    assert len(made) == calls


def test_codes_take_turns_and_keep_their_own_times() -> None:
    class Known:
        model, threads, program = "openmp", 1, ""
        asked: ClassVar[list[str]] = []

        def __init__(self, title: str, seconds: float) -> None:
            self.title, self.seconds = title, seconds

        def solve(self) -> float:
            self.asked.append(self.title)
            return self.seconds

        def wrong(self) -> None:
            return None

    first, second = peers.measure([Known("a 1", 1.0), Known("b 2", 2.0)], "bfs", samples=3)
    assert Known.asked == ["a 1", "b 2", "a 1", "b 2", "b 2", "a 1", "a 1", "b 2"]
    assert (first["samples_s"], second["samples_s"]) == ("1 1 1", "2 2 2")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["karat"], "no input is called 'karat'; did you mean karate?"),
        (["karate", "--algorithms", "bsf"], "no algorithm is called 'bsf'; did you mean bfs?"),
        (["karate", "--libraries", "scypy"], "unknown library 'scypy'; did you mean 'scipy'?"),
        (["tiny-isolated"], "has no edge, so nothing can be timed on it"),
    ],
)
@pytest.mark.usefixtures("checkout")
def test_a_mistake_is_told(arguments: list[str], message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        compare(arguments)


def test_violet_stands_beside_the_others() -> None:
    medians = {("bfs", "scipy 1.2"): 3e-3, ("bfs", peers.VIOLET): 1e-3, ("cc", "scipy 1.2"): 2e-3}
    console = Console(width=80, file=io.StringIO())
    console.print(peers._tabulate("karate", medians))
    rows = [line.replace("│", "").split() for line in console.file.getvalue().splitlines() if "│" in line]
    assert rows == [["bfs", "1", "3", "(3", "x)"], ["cc", "2"]]


def test_a_library_that_is_not_there_is_named(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if LIBRARIES["pylibcugraph"].installed:
        pytest.skip("pylibcugraph is installed")
    arguments = [
        "karate",
        "--libraries",
        "scipy",
        "pylibcugraph",
        "--algorithms",
        "cc",
        "--out",
        str(checkout / "p.csv"),
    ]
    assert compare(arguments) == 0
    assert "left out: pylibcugraph and cupy cannot be imported" in capsys.readouterr().err


RANKS = np.array([0.2, 0.2, 0.2, 0.15, 0.15, 0.1])


@pytest.mark.parametrize(
    ("algorithm", "reference", "right", "wrong"),
    [
        ("bfs", np.array([0, 1, 1, -1, -1, -1]), np.array([0, 1, 1, -1, -1, -1]), np.array([0, 1, 2, -1, -1, -1])),
        ("tc", 1, 1, 2),
        ("cc", np.array([0, 0, 0, 3, 3, 5]), np.array([7, 7, 7, 2, 2, 0]), np.array([7, 7, 7, 2, 2, 2])),
        ("pr", RANKS, RANKS * 1.3, RANKS * np.array([1.02, 1, 1, 1, 1, 1])),
        ("bc", RANKS, RANKS * 1.00001, RANKS * 1.001),
        ("mis", np.zeros(6), np.array([0, 1, 0, 1, 0, 1]), np.array([1, 1, 0, 1, 0, 1])),
        ("mis", np.zeros(6), np.array([0, 1, 0, 1, 0, 1]), np.array([0, 1, 0, 1, 0, 0])),
        ("gc", np.zeros(6), np.array([0, 1, 2, 0, 1, 0]), np.array([0, 1, 1, 0, 1, 0])),
    ],
)
def test_right_answers_differ_from_wrong_ones(algorithm: str, reference: Any, right: Any, wrong: NDArray[Any]) -> None:
    assert find_error(algorithm, right, reference, GRAPH) is None
    assert find_error(algorithm, wrong, reference, GRAPH) is not None


def test_an_answer_of_another_size_is_wrong() -> None:
    assert find_error("bfs", np.zeros(5), np.zeros(6), GRAPH) == "5 values instead of 6"


def test_graphs_without_weights_get_those_of_programs() -> None:
    karate = CATALOGUE["karate"].make()
    weights = weighted(karate).weights
    assert karate.weights is None
    assert weights is not None
    assert (weights.min() >= 1, weights.max() <= 64) == (True, True)


@pytest.mark.parametrize("option", [("--threads", "0"), ("--threads", "4097"), ("--budget", "nan"), ("--limit", "-1")])
def test_a_number_out_of_range_is_told_at_once(option: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        compare(["karate", *option])
    assert f"argument {option[0]}: not from " in capsys.readouterr().err
