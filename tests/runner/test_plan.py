from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from generator.algorithms import QueryOption, load_algorithms
from runner.bounds import MOST_THREADS
from runner.errors import RunnerError
from runner.jobs.graphs import Graph
from runner.jobs.plan import Job, Parameters, check_query, check_tuning, plan
from runner.jobs.programs import Program
from runner.machine.machine import Gpu, Machine
from runner.machine.toolchain import Compiler

MACHINE = Machine(cpu="a CPU", cores=2, cpu_threads=4, memory_gib=8, gpus=(), cuda=None)
GPU = Gpu(name="a GPU", memory_mib="1024", driver="1.0", compute_capability="9.0")
TOOLCHAIN = {"cpp": Compiler(version="1", command="g++"), "cuda": Compiler(version="1", command="nvcc")}
GRAPH = Graph(name="g", path=Path("g.egr"), sha256="aa", vertices=1, edges=0)
TWO_THREADS = Parameters(threads=2)


def program(model: str = "cpp", name: str = "a", source_sha256: str = "cc") -> Program:
    return Program(f"bfs-{model}-{name}", model, "bfs", "bfs", Path("source"), Path("binary"), source_sha256)


def jobs(programs: Any = None, graphs: Any = (GRAPH,), parameters: Any = TWO_THREADS, **changes: Any) -> list[Job]:
    given = {"machine": MACHINE, "toolchain": TOOLCHAIN, "runtime_sha256": "bb"}
    return plan(programs or [program()], graphs, parameters, **(given | changes))


def test_every_program_runs_on_every_graph() -> None:
    graphs = [GRAPH, GRAPH.model_copy(update={"name": "h", "sha256": "dd"})]
    planned = jobs([program(name="a"), program(name="b")], iter(graphs))
    assert len(planned) == 4
    assert len({job.key for job in planned}) == 4


@pytest.mark.parametrize(
    "changed",
    [
        {"programs": [program(name="b")]},
        {"programs": [program(source_sha256="c0")]},
        {"graphs": [GRAPH.model_copy(update={"sha256": "dd"})]},
        {"parameters": Parameters(threads=3)},
        {"parameters": Parameters(threads=2, source=0)},
        {"machine": MACHINE.model_copy(update={"cpu_threads": 16})},
        {"toolchain": {"cpp": Compiler(version="2", command="g++")}},
        {"toolchain": {"cpp": Compiler(version="1", command="g++ -g")}},
        {"runtime_sha256": "b0"},
    ],
)
def test_whatever_can_change_a_time_changes_the_key(changed: dict[str, Any]) -> None:
    assert jobs()[0].key == jobs()[0].key
    assert jobs(**changed)[0].key != jobs()[0].key


def test_where_a_graph_lies_does_not_change_the_key() -> None:
    moved = GRAPH.model_copy(update={"path": Path("elsewhere.egr")})
    assert jobs(graphs=[moved])[0].key == jobs()[0].key
    assert replace(jobs()[0], obstacle="x").key == jobs()[0].key


def test_cuda_programs_do_not_depend_on_cpu_threads() -> None:
    (job,) = jobs([program("cuda")])
    assert job.parameters.threads is None
    assert jobs([program("cuda")], parameters=Parameters(threads=7))[0].key == job.key


def test_what_cannot_run_here_says_why() -> None:
    with_gpu = MACHINE.model_copy(update={"gpus": (GPU,)})
    assert jobs()[0].obstacle is None
    real = GRAPH.model_copy(update={"real": True})
    assert "`violet generate real` writes programs" in str(jobs(graphs=[real])[0].obstacle)
    assert jobs([program("cuda")])[0].obstacle == "no GPU"
    assert jobs([program("cuda")], machine=with_gpu)[0].obstacle is None
    assert jobs([program("cuda")], toolchain={})[0].obstacle == "no nvcc"
    assert jobs([program("hip")])[0].obstacle == "no compiler for hip"


def test_nobody_starts_programs_for_more_gpus_than_there_are() -> None:
    two = MACHINE.model_copy(update={"gpus": (GPU, GPU)})
    compilers = {**TOOLCHAIN, "multigpu": TOOLCHAIN["cuda"]}

    def obstacle(model: str, gpus: int | None) -> str | None:
        return jobs([program(model)], machine=two, toolchain=compilers, parameters=Parameters(gpus=gpus))[0].obstacle

    assert [obstacle("multigpu", gpus) for gpus in (None, 2, 3)] == [None, None, "--gpus 3: this machine has 2"]
    assert obstacle("cuda", 3) is None


def test_programs_run_on_graphs_of_their_kind() -> None:
    directed = GRAPH.model_copy(update={"directed": True, "name": "h"})
    assert jobs([replace(program(), directed=True)], [directed])[0].obstacle is None
    assert jobs(graphs=[directed])[0].obstacle == "h is directed"
    assert jobs([replace(program(), directed=True)])[0].obstacle == "g is undirected"


def test_only_cpu_programs_have_threads_to_pin() -> None:
    pinned = Parameters(threads=2, proc_bind="close", places="cores")
    assert pinned.fitting(program("openmp"), MACHINE) == pinned
    assert pinned.fitting(program("cpp"), MACHINE) == pinned
    assert pinned.fitting(program("cuda"), MACHINE) == Parameters()
    assert pinned.arguments() == TWO_THREADS.arguments()


def test_only_programs_for_several_gpus_have_a_number_of_them() -> None:
    two = MACHINE.model_copy(update={"gpus": (GPU, GPU)})
    assert Parameters().fitting(program("multigpu"), two).gpus == 2
    assert Parameters(gpus=1).fitting(program("multigpu"), two).arguments()[-2:] == ["--gpus", "1"]
    assert Parameters(gpus=1).fitting(program("cuda"), two) == Parameters()


def test_a_latency_makes_another_job_of_programs_for_several_gpus_alone() -> None:
    two = MACHINE.model_copy(update={"gpus": (GPU, GPU)})
    keys = {
        name: {jobs([program(name)], machine=two, parameters=Parameters(latency=us))[0].key for us in (None, 0, 5, 50)}
        for name in ("multigpu", "cuda", "cpp")
    }
    assert {name: len(some) for name, some in keys.items()} == {"multigpu": 3, "cuda": 1, "cpp": 1}
    fitting = Parameters(latency=50).fitting(program("multigpu"), two)
    assert fitting.arguments()[-4:] == ["--gpus", "2", "--latency", "50.0"]
    assert "latency" not in Parameters(gpus=2).identity()  # jobs from before there was one are the same


def test_a_program_is_asked_what_its_algorithm_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = QueryOption(default=10, meaning="rounds")
    asked = load_algorithms()["bfs"].model_copy(update={"query": {"rounds": rounds}})
    monkeypatch.setattr("runner.jobs.plan.load_algorithms", lambda: {"bfs": asked})
    (job,) = jobs(parameters=Parameters(threads=2, query={"rounds": 3, "k": 5}))
    assert job.parameters.arguments()[-2:] == ["--rounds", "3"]
    assert job.problem.query == (("rounds", 3),)
    assert job.key != jobs()[0].key


def test_a_program_is_tuned_by_what_its_style_has() -> None:
    tuned = replace(program(), tunable=("delta", "share"))
    (job,) = jobs([tuned], parameters=Parameters(threads=2, tuning={"share": 20, "delta": 0.5, "alpha": 3}))
    assert job.parameters.arguments()[-4:] == ["--share", "20", "--delta", "0.5"]
    (other,) = jobs([tuned], parameters=Parameters(threads=2, tuning={"share": 30}))
    (plain,) = jobs([tuned], parameters=Parameters(threads=2, tuning={"alpha": 3}))
    assert len({job.key, other.key, plain.key}) == 3
    assert plain.key == jobs([tuned], parameters=Parameters(threads=2))[0].key
    assert "tuning" not in plain.parameters.identity()  # jobs from before there was any are the same


def test_what_no_program_has_is_not_tuned() -> None:
    some = [replace(program(), tunable=("delta",)), replace(program(), tunable=("alpha", "beta"))]
    check_tuning({"delta": 0.5, "beta": 2}, some)
    with pytest.raises(RunnerError, match=r"^--tune gamma: no program has it; they have alpha, beta, delta$"):
        check_tuning({"gamma": 1}, some)


@pytest.mark.parametrize(
    ("algorithms", "query", "message"),
    [
        (["match"], {"pattern": "0a-1c"}, "pattern=0a-1c: has label c, which no vertex has with labels=2, by match"),
        (["match"], {"pattern": "0-1,1c-2a", "labels": 2}, "pattern=0-1,1c-2a: has label c"),
        (["match"], {"pattern": "0-0"}, "pattern=0-0: has an edge from a vertex to itself, by match"),
        (["match"], {"pattern": "0-1,2-3"}, "pattern=0-1,2-3: is not connected"),
        (["match"], {"labels": 1}, "pattern=0a-1a,0-2b,1-2,2-3b: has label b"),
        (["match"], {"labels": 8}, "labels=8: not from 1 to 7"),
        (["kcore", "clique"], {"k": 7}, "k=7: not from 3 to 6, by clique"),
        (["hits"], {"rounds": 0}, "rounds=0: not from 1 to"),
        (["clique"], {"rounds": 5, "k": 4}, "rounds: clique is asked k"),
        (["bfs", "cc"], {"k": 5}, "k: bfs, cc are asked nothing"),
    ],
)
def test_what_a_program_would_refuse_is_not_asked(
    algorithms: list[str], query: dict[str, int | str], message: str
) -> None:
    with pytest.raises(RunnerError, match=f"^--query {message}"):
        check_query(query, [replace(program(), algorithm=algorithm) for algorithm in algorithms])


def test_what_programs_take_is_asked() -> None:
    some = [replace(program(), algorithm=algorithm) for algorithm in ("match", "kcore", "bfs")]
    check_query({"pattern": "0a-1c", "labels": 3, "k": 7}, some)
    check_query({"pattern": "0-1", "labels": 1}, some)


def test_a_graph_with_two_names_counts_once() -> None:
    same = GRAPH.model_copy(update={"name": "h"})
    assert [job.graph.name for job in jobs(graphs=[GRAPH, same])] == ["g"]


def test_programs_take_as_many_threads() -> None:
    runtime = (Path(__file__).parents[2] / "templates" / "runtime" / "violet.hpp").read_text()
    assert f"constexpr int most_threads = {MOST_THREADS};" in runtime


def test_parameters_become_options() -> None:
    assert Parameters(threads=2, reps=9, warmup=0).arguments() == ["--threads", "2", "--reps", "9", "--warmup", "0"]
    assert Parameters(source=0).arguments() == ["--reps", "9", "--warmup", "1", "--source", "0"]
