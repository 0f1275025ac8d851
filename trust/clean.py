"""Programs without a planted bug give the tools nothing to report."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from generator.config import covering
from generator.space import name_of
from runner.timing.device import keep_gpu_open
from trust import graphs
from trust.build import Built, Suite, compile_all, generate, gpu_check, need_gpu
from trust.observe import Observation, observe
from trust.parameters import several
from trust.pool import for_each
from trust.records import Table, Tally, count_in
from trust.tools import CUDA, MULTIGPU, Tool, tools_for

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from generator.render import Program

COLUMNS = ["program", "sha256", "model", "tool", "threads", "graphs", "parameters", "finding"]

_TIMEOUT_S = 6.0
_OPTIONS = ("--reps", "2", "--warmup", "0")
_STOPPED = "stopped:"  # what a tool says of a program whose time was up, if nothing else


@dataclass(frozen=True)
class _Task:
    program: Program
    built: Built
    tools: tuple[Tool, ...]
    graphs: tuple[Path, ...]
    way: tuple[str, ...]

    def __str__(self) -> str:
        return self.program.name


def measure(
    config: str, models: tuple[str, ...], out: Path, *, way: tuple[str, ...], tools: Collection[str], jobs: int
) -> tuple[int, int]:
    """Runs every program of a config under tools.

    A program with parameters runs with the defaults and with some that are drawn. The programs that come first are a
    cover of every three values that meet, so that a run that is stopped has seen as much as it could.

    Args:
        config: such as "paper".
        models: whose programs.
        out: CSV file; what it holds already is not measured again, but counts, unless time was up.
        way: the option with which programs run, such as a number of threads.
        tools: their names; none are all that this machine has.
        jobs: programs that run at a time.

    Returns:
        How many of these measurements found something, and how many of the others were stopped, as time was up.

    Raises:
        UserError: a tool is missing, a program does not compile, or no GPU computes that programs need.
    """
    count = count_in(way)
    present = tools_for(models, tools)
    suite = generate(config, models)
    tally = Tally(Table(out, COLUMNS, ("sha256", "tool", "threads")), _fault, _is_stopped)
    inputs = (*(graphs.few() if models in (CUDA, MULTIGPU) else [*graphs.tiny(), *graphs.small()]), graphs.long_piles())
    programs = _cover_first(suite.programs)
    for together in _run_together(present):
        tool = together[0]
        need_gpu(models, tool)
        tasks = []
        for program in programs:
            identity = suite.identity(program)
            missing = tuple(each for each in together if not tally.holds(identity, each.name, count))
            if missing and program.style["model"] in tool.models:
                fitting = graphs.fitting(program.style, inputs)
                tasks.append(_Task(program, suite.built(program, tool), missing, fitting, way))
        with keep_gpu_open(gpu_check(tool), models):
            for_each(
                tasks,
                _measure,
                tally.add,
                jobs=jobs,
                title=" and ".join(each.name for each in together),
                prepare=partial(_compile, suite, tool, jobs),
            )
    return tally.faults, tally.unfinished


def _fault(row: Mapping[str, object]) -> str | None:
    return f"{row['program']}: {row['tool']}: {row['finding']}" if row["finding"] else None


def _is_stopped(row: Mapping[str, object]) -> bool:
    return str(row["finding"]).startswith(_STOPPED)


def _cover_first(programs: Sequence[Program]) -> list[Program]:
    """Returns programs in an order in which the first ones have every three values together that meet in any."""
    by_name = {program.name: program for program in programs}
    cover = map(name_of, covering((program.style for program in programs), 3))
    return [by_name[name] for name in dict.fromkeys([*cover, *by_name])]


def _compile(suite: Suite, tool: Tool, jobs: int, tasks: Sequence[_Task]) -> None:
    compile_all(suite, tool, [task.program for task in tasks], jobs)


def _run_together(tools: Sequence[Tool]) -> list[tuple[Tool, ...]]:
    """Returns tools in groups that are parts of the same binary, and so watch the same run."""
    return [tuple(group) for _, group in groupby(tools, lambda tool: (tool.build, tool.prefix))]


def _measure(task: _Task) -> list[dict[str, object]]:
    program = task.built
    runs = several(task.program)
    found = dict.fromkeys((tool.name for tool in task.tools), "")
    stopped = ""
    for parameters in runs:
        options = (*_OPTIONS, *task.way, *parameters)
        report = observe(program.binary, task.graphs, options, program.tool, timeout_s=_TIMEOUT_S, patience=2)
        bad = [each for each in report.observations if each.status != "verified"]
        late = [each for each in bad if each.status == "timeout"]
        if late and not stopped:
            stopped = " ".join([_STOPPED, *parameters, _told(late)])
        for tool in task.tools:
            if finding := report.finding(tool) or _told(each for each in bad if each not in late):
                found[tool.name] = found[tool.name] or " ".join([*parameters, *finding.split()])
    return [
        {
            **program.label,
            "tool": tool.name,
            "threads": count_in(task.way),
            "graphs": len(task.graphs),
            "parameters": "; ".join(map(" ".join, runs[1:])),
            "finding": found[tool.name] or stopped,
        }
        for tool in task.tools
    ]


def _told(observations: Iterable[Observation]) -> str:
    return "; ".join(f"{each.graph} {each.status}: {each.detail}" for each in observations)
