"""Programs without a planted bug give the tools nothing to report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runner.timing.device import keep_gpu_open
from trust import graphs
from trust.build import Built, compile_all, generate
from trust.observe import observe
from trust.pool import for_each
from trust.records import Table
from trust.tools import CUDA, VERIFIER, tools_for

if TYPE_CHECKING:
    from pathlib import Path

COLUMNS = ["program", "sha256", "model", "tool", "graphs", "finding"]

_TIMEOUT_S = 6.0
_OPTIONS = ("--reps", "2", "--warmup", "0", "--threads", "4")


@dataclass(frozen=True)
class _Task:
    program: Built
    graphs: tuple[Path, ...]


def measure(config: str, models: tuple[str, ...], out: Path, *, jobs: int) -> int:
    """Run every program of a config under every tool; return how many measurements of this call found something.

    Args:
        config: such as "paper".
        models: whose programs.
        out: CSV file; what it holds already is not measured again.
        jobs: programs that run at a time.

    Raises:
        UserError: a tool is missing, or a program does not compile.
    """
    suite = generate(config, models)
    table = Table(out, COLUMNS, ("sha256", "tool"))
    inputs = tuple(graphs.few() if models == CUDA else [*graphs.tiny(), *graphs.small()])
    findings: list[dict[str, object]] = []

    def store(row: dict[str, object]) -> None:
        table.add([row])
        if row["finding"]:
            findings.append(row)
            print(f"{row['program']}: {row['tool']}: {row['finding']}", flush=True)

    for tool in tools_for(models):
        if tool.name == VERIFIER:
            continue
        programs = [
            program
            for program in suite.programs
            if program.style["model"] in tool.models and (suite.identity(program), tool.name) not in table
        ]
        compile_all(suite, tool, programs, jobs)
        tasks = [_Task(suite.built(program, tool), inputs) for program in programs]
        with keep_gpu_open(suite.gpu_check(tool), models):
            for_each(tasks, _measure, store, jobs=jobs, title=tool.name)
    return len(findings)


def _measure(task: _Task) -> dict[str, object]:
    program, tool = task.program, task.program.tool
    report = observe(program.binary, task.graphs, _OPTIONS, tool, timeout_s=_TIMEOUT_S, patience=2)
    bad = [f"{each.graph} {each.status}: {each.detail}" for each in report.observations if each.status != "verified"]
    finding = report.finding or "; ".join(bad)
    return {**program.label, "tool": tool.name, "graphs": len(task.graphs), "finding": finding}
