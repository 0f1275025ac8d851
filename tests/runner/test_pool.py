"""What a search may try of all that Violet can write: what can run here, for the graph's kind, in a place apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from runner.best.find import Question
from runner.best.pool import written
from runner.checkout import Checkout
from runner.errors import RunnerError
from runner.jobs.graphs import Graph
from runner.jobs.plan import Parameters
from runner.machine.machine import Gpu, Machine
from runner.machine.toolchain import Compiler

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = Machine(cpu="c", cores=1, cpu_threads=1, memory_gib=1, gpus=(), cuda=None)
CARD = PLAIN.model_copy(update={"gpus": (Gpu(name="g", memory_mib="1", driver="1", compute_capability="9.0"),)})
EVERYTHING = dict.fromkeys(("cpp", "openmp", "cuda", "multigpu"), Compiler(version="1", command="c"))
NAME = "cc-cpp-vertex-topology-push-rmw-nondet-blocked-i32-sampled"


def graph(*, directed: bool) -> Graph:
    return Graph(name="g", path="g.egr", sha256="0", vertices=3, edges=4, directed=directed)


def question(algorithm: str = "cc", model: str | None = None, programs: tuple[str, ...] = ("*",)) -> Question:
    return Question("g.egr", algorithm, model, 1.0, Parameters(), seed=0, programs=programs)


@pytest.mark.parametrize(("machine", "models"), [(PLAIN, {"cpp", "openmp"}), (CARD, {"cpp", "openmp", "cuda"})])
def test_only_what_can_run_here(tmp_path: Path, machine: Machine, models: set[str]) -> None:
    pool = written(Checkout(tmp_path), question(), graph(directed=False), machine, EVERYTHING)
    assert {name.split("-")[1] for name in pool.names} == models
    assert NAME in pool.names


def test_programs_take_the_kind_of_graph(tmp_path: Path) -> None:
    pool = written(Checkout(tmp_path), question("bfs"), graph(directed=True), PLAIN, EVERYTHING)
    assert pool.names
    assert all(name.endswith("-directed") for name in pool.names)
    with pytest.raises(
        RunnerError, match="g is undirected, and Violet has no program of scc for such graphs; `violet graphs convert"
    ):
        written(Checkout(tmp_path), question("scc"), graph(directed=False), PLAIN, EVERYTHING)


def test_what_is_taken_is_there_and_nothing_that_was_generated_goes(tmp_path: Path) -> None:
    mine = tmp_path / "generated" / "programs.csv"
    mine.parent.mkdir()
    mine.write_text("mine")
    pool = written(Checkout(tmp_path), question(programs=("*-sampled",)), graph(directed=False), PLAIN, EVERYTHING)
    (program,) = pool.take([NAME])
    assert program.source.read_text().startswith("// cc-cpp")
    assert program.binary.is_relative_to(pool.checkout.build)
    written(Checkout(tmp_path), question("bfs"), graph(directed=False), PLAIN, EVERYTHING)
    assert program.source.exists()
    assert mine.read_text() == "mine"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (question(model="cuda"), "no program in cuda can run here: no GPU"),
        (question(model="opnemp"), "no model is called 'opnemp'; did you mean 'openmp'?"),
        (question(programs=("*-samplde",)), "matches \\*-samplde"),
    ],
)
def test_what_is_not_there_is_said(tmp_path: Path, asked: Question, said: str) -> None:
    with pytest.raises(RunnerError, match=said):
        written(Checkout(tmp_path), asked, graph(directed=False), PLAIN, EVERYTHING)
