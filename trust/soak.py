"""Runs random programs on random graphs with random numbers of threads, for as long as one likes."""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from generator.terminal import say
from inputs.formats import egr
from runner.timing.device import keep_gpu_open
from trust import graphs
from trust.build import compile_all, generate, gpu_check, need_gpu
from trust.observe import observe
from trust.parameters import draw_options
from trust.tools import TOOLS

if TYPE_CHECKING:
    from generator.render import Program
    from inputs.graph import Graph

_TIMEOUT_S = 120.0
_SAY_EVERY_S = 60.0
_AHEAD = 50  # runs whose programs are compiled at a time: few for who has few seconds
_NOT_DEFAULT = 0.75  # of the runs of a program with parameters


def soak(
    config: str, models: tuple[str, ...], *, seconds: float, seed: int, only: int | None = None
) -> tuple[int, int]:
    """Runs until the time is over; prints each failure with the command that repeats it.

    Run number i depends on the seed and i alone, so every run can be repeated.

    Args:
        config: such as "paper".
        models: whose programs.
        seconds: how long; compiling does not count.
        seed: same seed, same runs.
        only: do this one run, whatever the time.

    Returns:
        How many runs there were, and how many failed.

    Raises:
        UserError: a program does not compile, or no GPU computes that programs need.
    """
    suite = generate(config, models)
    tool = TOOLS[0]
    plans, step = (range(1 << 62), _AHEAD) if only is None else ([only], 1)
    need_gpu(models, tool)
    if only is None:
        say(f"compiling the programs of each {_AHEAD} runs before them; that does not count for the {seconds:g} s")
    start = said = time.monotonic()
    runs = failures = 0
    with tempfile.TemporaryDirectory() as folder, keep_gpu_open(gpu_check(tool), models):
        for run in plans:
            if only is None and time.monotonic() - start >= seconds:
                break
            if run % step == 0:
                before = time.monotonic()
                ahead = {_draw(suite.programs, seed, run + i)[1].name for i in range(step)}
                chosen = [program for program in suite.programs if program.name in ahead]
                compile_all(suite, tool, chosen, os.cpu_count() or 1)
                start += time.monotonic() - before
            program, what, options, graph = draw_run(suite.programs, seed, run)
            file = Path(folder) / "random.egr"
            egr.write(graph, file)
            (seen,) = observe(suite.binary(program, tool), [file], options, tool, timeout_s=_TIMEOUT_S).observations
            runs += 1
            if seen.status != "verified":
                failures += 1
                repeat = f"violet trust soak --config {config} --models {','.join(models)} --seed {seed} --only {run}"
                say(f"FAILED {program.name} on {what} {' '.join(options)}: {seen.status}: {seen.detail}")
                say(f"  repeat: {repeat}")
            if time.monotonic() - said > _SAY_EVERY_S:
                said = time.monotonic()
                say(f"{said - start:.0f} s: {runs} runs, {failures} failures")
    return runs, failures


def _draw(programs: list[Program], seed: int, run: int) -> tuple[random.Random, Program]:
    draw = random.Random(f"{seed}.{run}")  # noqa: S311  (reproducible, no secret)
    return draw, draw.choice(programs)


def draw_run(programs: list[Program], seed: int, run: int) -> tuple[Program, str, tuple[str, ...], Graph]:
    """Returns what a run consists of: the program, the graph in words, the options and the graph."""
    draw, program = _draw(programs, seed, run)
    threads = draw.choice((1, 2, 3, 4, 5, 8, 16))
    what, graph = graphs.random_graph(draw)
    if graphs.takes_directed(program.style):
        what, graph = f"{what} one-way", graphs.one_way(graph)
    source = draw.randrange(graph.vertex_count)
    options = ("--reps", "2", "--warmup", "0", "--threads", str(threads), "--source", str(source))
    parameters = draw_options(program, draw) if draw.random() < _NOT_DEFAULT else ()
    return program, what, (*options, *parameters), graph
