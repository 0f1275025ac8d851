"""What a program that records its rounds says of them: the vertices of each, and the edges that it looks at."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import networkx as nx
import pytest
from typer.testing import CliRunner

from generator.errors import UserError
from generator.render import render
from generator.space import load_space
from inputs.catalogue import ensure
from inputs.formats import egr
from inputs.interchange import to_networkx
from runner.checkout import Checkout
from runner.cli import app
from runner.errors import RunnerError
from runner.jobs.graphs import open_graph
from runner.jobs.plan import Parameters
from runner.trace import trace, traced
from tests.memory import WORK
from tests.programs.conftest import run_on
from tests.programs.store import build, emulate

if TYPE_CHECKING:
    from pathlib import Path

SPACE = load_space()
ON_GPU = "bfs-cuda-vertex-data-nodup-push-rmw-nondet-nonpersistent-twc-atomic-i32"
PROGRAMS = {
    "bfs-openmp-vertex-data-nodup-hybrid-rmw-nondet-default-i32-counted": ["--alpha", "5"],
    "pr-cpp-vertex-topology-pull-rmw-nondet-atomicred-blocked-f32": [],
    ON_GPU: [],
    "cc-cuda-edge-topology-push-rmw-nondet-nonpersistent-thread-atomic-i32": [],
}


@pytest.fixture(scope="module")
def karate() -> Path:
    return ensure("karate", WORK / "graphs")


@pytest.mark.parametrize("name", PROGRAMS)
def test_rounds_are_those_of_the_program(name: str, karate: Path, tmp_path: Path) -> None:
    style, out = SPACE.legal(name), tmp_path / "rounds.csv"
    make = emulate if style["model"] == "cuda" else build
    program = make([style], alter=lambda _: render(SPACE, style, traced=True).text)(style)
    threads = [] if style["model"] == "cuda" else ["--threads", "2"]
    dump = ("--dump", str(tmp_path / "found.txt"))  # so that it runs
    (report,) = run_on(program, [karate], *threads, *PROGRAMS[name], "--trace", str(out), *dump)
    with out.open(newline="") as file:
        rounds = list(csv.DictReader(file))
    assert [int(each["round"]) for each in rounds] == [*range(1, report["rounds"] + 1)]
    assert sum(float(each["seconds"]) for each in rounds) > 0
    found = [(each["direction"], int(each["frontier"]), int(each["edges"])) for each in rounds]
    graph = to_networkx(egr.read(karate))
    vertices, edges = graph.number_of_nodes(), 2 * graph.number_of_edges()
    if style["algorithm"] == "bfs":
        assert found == _levels(graph, [direction for direction, _, _ in found])
        assert {direction for direction, _, _ in found} == ({"push"} if name == ON_GPU else {"push", "pull"})
    else:
        expected = ("pull", vertices, edges) if style["algorithm"] == "pr" else ("push", edges, edges)
        assert found == [expected] * report["rounds"]


def test_a_round_tells_whether_bins_were_large_enough(karate: Path, tmp_path: Path) -> None:
    name = "bfs-cuda-vertex-data-nodup-hybrid-rmw-nondet-persistent-thread-atomic-i32-share-jit"
    program = emulate([SPACE.legal(name)], alter=lambda _: render(SPACE, SPACE.legal(name), traced=True).text)
    found = []
    for room in ("1", "64"):
        out = tmp_path / f"{room}.csv"
        options = ("--bin", room, "--share", "40", "--trace", str(out), "--dump", str(tmp_path / "found.txt"))
        run_on(program(SPACE.legal(name)), [karate], *options)
        with out.open(newline="") as file:
            found.append([(each["direction"], each["filter"]) for each in csv.DictReader(file)])
    # Vertex 0 finds 16, some vertex two levels on finds more than one, and the last round finds none.
    assert found[0] == [("push", "votes"), ("pull", ""), ("push", "votes"), ("push", "bins")]
    assert found[1] == [("push", "bins"), ("pull", ""), ("push", "bins"), ("push", "bins")]


def _levels(graph: nx.Graph[int], directions: list[str]) -> list[tuple[str, int, int]]:
    """Returns what rounds of a breadth-first search from vertex 0 do that go in these directions."""
    level = nx.single_source_shortest_path_length(graph, 0)
    rounds = []
    for at, direction in enumerate(directions):
        frontier = [v for v in graph if level[v] == at]
        if direction == "push":
            edges = sum(graph.degree(v) for v in frontier)
        else:  # up to the first neighbour that is reached
            rows = [sorted(graph[v]) for v in graph if level[v] > at]
            edges = sum(next((i + 1 for i, u in enumerate(row) if level[u] <= at), len(row)) for row in rows)
        rounds.append((direction, len(frontier), edges))
    return rounds


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "bfs-cuda-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32-all",
            "trace bfs-cuda-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32$",
        ),
        ("tc-openmp-vertex-topology-push-rmw-det-clausered-default-i32", "has no rounds"),
        ("pr-cuda-vertex-topology-binned-rmw-det-nonpersistent-block-atomic-blockadd-f32", "no edges to count"),
        (
            "pr-multigpu-vertex-topology-pull-rmw-nondet-nonpersistent-thread-atomic-blockadd-f32-random-broadcast-dense-store",
            "one GPU",
        ),
        ("bfs-openmp-vertex-topology-pull-rmw-nondet-default-i32", "forbidden"),
    ],
)
def test_what_cannot_be_traced_is_said(name: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        traced(SPACE, name)


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        (Parameters(tuning={"delta": 5}), "--tune delta: .* has no such option"),
        (Parameters(query={"k": 3}), "--query k: .* has no such option"),
        (Parameters(), "is the graph; name another file"),
    ],
)
def test_what_a_program_does_not_take_is_refused_before_it_is_built(
    karate: Path, tmp_path: Path, parameters: Parameters, said: str
) -> None:
    graph = open_graph(str(karate), tmp_path)
    out = graph.path if parameters == Parameters() else tmp_path / "rounds.csv"
    with pytest.raises(RunnerError, match=said):
        trace(Checkout(tmp_path), next(iter(PROGRAMS)), graph, parameters, out)
    assert not list(tmp_path.rglob("*.o"))


@pytest.mark.parametrize("command", [["trace", next(iter(PROGRAMS))], ["solve", "bfs"]])
def test_a_text_that_is_read_as_a_graph_is_kept(command: list[str], tmp_path: Path) -> None:
    edges = tmp_path / "own.el"
    edges.write_text("0 1\n")
    refused = CliRunner().invoke(app, [*command, str(edges), "--out", str(edges)])
    assert "is the graph; name another file" in str(refused.exception)
    assert edges.read_text() == "0 1\n"
