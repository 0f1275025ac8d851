"""Programs that are called deterministic do the same in every run; the others get it right in every run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runner.timing.device import keep_gpu_open
from trust import graphs
from trust.build import Built, compile_all, generate, gpu_check, need_gpu
from trust.observe import observe
from trust.pool import for_each
from trust.records import Table
from trust.tools import CUDA, TOOLS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

COLUMNS = ["program", "sha256", "model", "algorithm", "determinism", "graph", "runs", "wrong", "rounds", "results"]

_RUNS = 20  # of a deterministic program, with every number of threads
_THREADS = ("1", "2", "3", "8")
_REPETITIONS = 200  # of a nondeterministic program
_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class _Task:
    program: Built
    graphs: tuple[Path, ...]

    def __str__(self) -> str:
        return str(self.program.label["program"])


def measure(config: str, models: tuple[str, ...], out: Path, *, jobs: int) -> None:
    """Runs every program of a config often, and appends how many different things it did to a table.

    A deterministic program runs 20 times with 1, 2, 3 and 8 threads (on a GPU 20 times); `rounds` and `results` count
    the different numbers of rounds and checksums of the result's bytes. The others repeat 200 times with 8 threads.

    Args:
        config: such as "paper".
        models: whose programs.
        out: CSV file; what it holds already is not measured again.
        jobs: programs that run at a time.

    Raises:
        UserError: a program does not compile, or no GPU computes that programs need.
    """
    suite = generate(config, models)
    table = Table(out, COLUMNS, ("sha256", "graph"))
    tool = TOOLS[0]
    inputs = graphs.contended()
    tasks, programs = [], []
    for program in suite.programs:
        identity, fitting = suite.identity(program), graphs.fitting(program.style, inputs)
        if missing := tuple(graph for graph in fitting if (identity, graph.stem) not in table):
            tasks.append(_Task(suite.built(program, tool), missing))
            programs.append(program)
    need_gpu(models, tool)
    compile_all(suite, tool, programs, jobs)
    with keep_gpu_open(gpu_check(tool), models):
        for_each(tasks, _measure, table.add, jobs=jobs, title="determinism")


def _measure(task: _Task) -> list[dict[str, object]]:
    program = task.program
    deterministic = program.style["determinism"] != "nondet"
    graphs = task.graphs
    commands: Sequence[tuple[str, ...]]
    if not deterministic:
        commands = [("--reps", str(_REPETITIONS), "--warmup", "0", "--threads", "8")]
    elif (program.style["model"],) == CUDA:
        commands = [("--reps", "1", "--warmup", "0")]
        graphs *= _RUNS  # in one process: to get hold of the GPU takes far longer than a run
    else:
        commands = [("--reps", "1", "--warmup", "0", "--threads", threads) for threads in _THREADS] * _RUNS
    seen = [
        each
        for options in commands
        for each in observe(program.binary, graphs, options, program.tool, timeout_s=_TIMEOUT_S).observations
    ]
    rows: list[dict[str, object]] = []
    for graph in task.graphs:
        here = [each for each in seen if each.graph == graph.stem]
        done = [each for each in here if each.rounds is not None]
        row = {**program.label, "graph": graph.stem}
        row |= {axis: program.style[axis] for axis in ("algorithm", "determinism")}
        counts: dict[str, object] = {
            "runs": len(here) if deterministic else _REPETITIONS,
            "wrong": sum(each.status != "verified" for each in here),
            "rounds": len({each.rounds for each in done}) if deterministic else "",
            "results": len({each.checksum for each in done}) if deterministic else "",
        }
        rows.append(row | counts)
    return rows
