"""Verifies every program of a config on graphs, many programs at a time; nothing is timed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from filelock import FileLock

from generator.errors import UserError
from runner.jobs.graphs import Graph, open_graph
from runner.jobs.references import Problem, References
from runner.progress import Progress
from runner.timing.device import keep_gpu_open
from trust.build import WORK, Built, Suite, compile_all, generate, gpu_check, need_gpu, runtime_folder
from trust.graphs import takes
from trust.observe import STATUSES, observe
from trust.pool import for_each
from trust.records import Table, Tally, count_in
from trust.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path


COLUMNS = ["program", "sha256", "model", "threads", "graph", "graph_sha256", "status", "detail"]

_TOOL = TOOLS[0]
_TIMEOUT_S = 300.0


@dataclass(frozen=True)
class _Task:
    program: Built
    way: tuple[str, ...]
    references: dict[Graph, Path]

    def __str__(self) -> str:
        return f"{self.program.label['program']} ({_TIMEOUT_S:.0f} s at most on each graph)"


def measure(
    config: str,
    models: tuple[str, ...],
    graphs: Sequence[str],
    ways: Sequence[tuple[str, ...]],
    out: Path,
    *,
    jobs: int,
) -> int:
    """Runs every program of a config on graphs and appends how each did; returns how many were not verified.

    Each runs on the graphs that it takes: directed ones or others, of real weights or not.

    Args:
        config: such as "paper64".
        models: whose programs.
        graphs: names of the catalogue, or `.egr` files.
        ways: the options with which programs run, one after the other, such as a number of threads.
        out: CSV file; what it holds already is not run again, but counts.
        jobs: programs that run at a time.

    Raises:
        UserError: a program does not compile, no GPU computes that programs need, a serial algorithm fails, or all
            graphs are of the other kind.
        RunnerError: there is no such graph.
    """
    inputs = [open_graph(graph, WORK / "graphs") for graph in graphs]
    suite = generate(config, models)
    tally = Tally(Table(out, COLUMNS, ("sha256", "threads", "graph", "graph_sha256"), STATUSES), _fault)
    fitting = {program.name: [graph for graph in inputs if takes(program.style, graph)] for program in suite.programs}
    if not any(fitting.values()):
        raise UserError(f"no program of {config} takes graphs of that kind: directed, or not, or with real weights")
    need_gpu(models, _TOOL)
    compile_all(suite, _TOOL, suite.programs, jobs)
    solutions = _solve(suite, fitting)
    tasks = []
    for way in ways:
        count = count_in(way)
        for program in suite.programs:
            identity = suite.identity(program)
            missing = [
                graph for graph in fitting[program.name] if not tally.holds(identity, count, graph.name, graph.sha256)
            ]
            references = {graph: solutions[Problem(program.reference, graph)] for graph in missing}
            if missing:
                tasks.append(_Task(suite.built(program, _TOOL), way, references))
    with keep_gpu_open(gpu_check(_TOOL), models):
        for_each(tasks, _measure, tally.add, jobs=jobs, title="verify")
    return tally.faults


def _fault(row: Mapping[str, object]) -> str | None:
    if row["status"] == "verified":
        return None
    return f"{row['program']} on {row['graph']}: {row['status']}: {row['detail']}"


def _solve(suite: Suite, fitting: dict[str, list[Graph]]) -> dict[Problem, Path]:
    """Solves what programs are held against, once for all of them."""
    program = runtime_folder(_TOOL) / "violet-reference"
    references = References(program, WORK / "references", suite.runtime)
    problems = list(
        dict.fromkeys(
            Problem(program.reference, graph) for program in suite.programs for graph in fitting[program.name]
        )
    )
    with FileLock(WORK / "references.lock"):  # another measurement may need the same
        references.compute(problems, Progress().track_references)
    solutions = {problem: path for problem in problems if (path := references.find(problem))}
    for problem in problems:
        if problem not in solutions:
            why = references.complaint(problem) or "the graph has changed meanwhile"
            raise UserError(f"{program} fails: {problem.algorithm} on {problem.graph.path}: {why}")
    return solutions


def _measure(task: _Task) -> list[dict[str, object]]:
    options = ["--reps", "1", "--warmup", "0", *task.way]
    program, graphs = task.program, list(task.references)
    references = {graph.path: reference for graph, reference in task.references.items()}
    report = observe(
        program.binary, list(references), options, program.tool, timeout_s=_TIMEOUT_S, references=references
    )
    return [
        {
            **program.label,
            "threads": count_in(task.way),
            "graph": each.graph,
            "graph_sha256": graph.sha256,
            "status": each.status,
            "detail": each.detail,
        }
        for graph, each in zip(graphs, report.observations, strict=True)
    ]
