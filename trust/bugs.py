"""The detection matrix: who finds which planted bug, on which graphs and how often."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.errors import UserError
from runner.timing.device import keep_gpu_open
from trust import graphs
from trust.build import Built, compile_all, generate, gpu_check, need_gpu
from trust.observe import Observation, Report, observe
from trust.pool import for_each
from trust.records import Table
from trust.tools import CUDA, VERIFIER, Tool, tools_for

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

COLUMNS = ["program", "sha256", "bug", "algorithm", "model", "tool", "runs", "caught", "graphs", "finding"]

_TIMEOUT_S = 3.0  # a graph takes milliseconds
_PATIENCE = 3  # graphs on which a program hangs before nobody waits for it any more
_VERIFIED = ("--reps", "10", "--warmup", "0", "--threads", "8")  # what a repetition leaves behind, the next one finds
_WATCHED = ("--reps", "2", "--warmup", "0", "--threads", "4")


@dataclass(frozen=True)
class _Task:
    program: Built
    runs: int
    graphs: tuple[Path, ...]

    def __str__(self) -> str:
        return str(self.program.label["program"])


def measure(models: tuple[str, ...], algorithms: Collection[str], out: Path, *, runs: int, jobs: int) -> None:
    """Runs every program with a planted bug under every tool, and appends what came of it to a table.

    Args:
        models: whose programs.
        algorithms: of these programs.
        out: CSV file; what it holds already is not measured again.
        runs: of each program, without a tool.
        jobs: programs that run at a time.

    Raises:
        UserError: a tool is missing, a program does not compile or gives up, or no GPU computes that programs need.
    """
    suite = generate("bugs", models)
    table = Table(out, COLUMNS, ("sha256", "tool"))
    for tool in tools_for(models):
        need_gpu(models, tool)
        programs = [
            program
            for program in suite.programs
            if program.style["algorithm"] in algorithms
            and program.style["model"] in tool.models
            and (suite.identity(program), tool.name) not in table
        ]
        compile_all(suite, tool, programs, jobs)
        inputs = _graphs(tool)
        tasks = [_Task(suite.built(program, tool), runs, graphs.fitting(program.style, inputs)) for program in programs]
        with keep_gpu_open(gpu_check(tool), models):
            for_each(tasks, _measure, lambda row: table.add([row]), jobs=jobs, title=tool.name)


def _graphs(tool: Tool) -> list[Path]:
    if tool.name != VERIFIER:
        return graphs.few()
    return list(dict.fromkeys([*graphs.tiny(), *graphs.small(), *graphs.contended()]))


def _measure(task: _Task) -> dict[str, object]:
    program = task.program
    row = {**program.label, "tool": program.tool.name}
    row |= {axis: program.style[axis] for axis in ("bug", "algorithm")}
    return row | (_verify(task) if program.tool.name == VERIFIER else _watch(task))


def _verify(task: _Task) -> dict[str, object]:
    """Runs a program again and again, and counts on which graphs its result was found wrong."""
    program = task.program
    # To get hold of a GPU takes far longer than a run, so that a process does all of them.
    runs_of_a_process = task.runs if (program.style["model"],) == CUDA else 1
    left = list(task.graphs)
    caught: Counter[str] = Counter()
    details: Counter[str] = Counter()
    runs = runs_caught = hangs = 0
    while runs < task.runs and hangs < _PATIENCE:
        patience = _PATIENCE - hangs
        inputs = left * runs_of_a_process
        report = observe(program.binary, inputs, _VERIFIED, program.tool, timeout_s=_TIMEOUT_S, patience=patience)
        seen = _unless_given_up(program, report)
        for first in range(0, len(seen), len(left)):
            bad = [each for each in seen[first : first + len(left)] if each.status != "verified"]
            runs += 1
            runs_caught += bool(bad)
            caught.update(each.graph for each in bad)
            details.update(each.status for each in bad)
        hung = [each.graph for each in seen if each.status == "timeout"]
        hangs += len(hung)
        left = [graph for graph in left if graph.stem not in hung]
    graphs_caught = " ".join(f"{graph}:{count}" for graph, count in caught.most_common())
    finding = " ".join(f"{status}:{count}" for status, count in details.most_common())
    return {"runs": runs, "caught": runs_caught, "graphs": graphs_caught, "finding": finding}


def _watch(task: _Task) -> dict[str, object]:
    """Runs a program under a tool, once: what these tools look for does not depend on luck."""
    program = task.program
    report = observe(program.binary, task.graphs, _WATCHED, program.tool, timeout_s=_TIMEOUT_S, patience=1)
    found = report.finding(program.tool)
    hangs = found is None and any(each.status == "timeout" for each in _unless_given_up(program, report))
    finding = found or ("(hangs)" if hangs else "")
    return {"runs": 1, "caught": int(found is not None), "graphs": "", "finding": finding}


def _unless_given_up(program: Built, report: Report) -> list[Observation]:
    """Returns the observations; no bug is found by a machine that lacks something."""
    for each in report.observations:
        if each.status == "failed":
            raise UserError(f"{program.binary} gave up on {each.graph}: {each.detail}")
    return report.observations
