"""One run of one program, for its result and not for its time."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from runner.errors import RunnerError
from runner.jobs.build import build
from runner.jobs.graphs import BAD_GRAPH, RefusedError

if TYPE_CHECKING:
    from runner.checkout import Checkout
    from runner.jobs.graphs import Graph
    from runner.jobs.plan import Parameters
    from runner.jobs.programs import Program


def run_once(checkout: Checkout, program: Program, graph: Graph, parameters: Parameters, *options: str) -> str:
    """Builds a program and has it solve a graph; returns what it printed.

    Args:
        checkout: where the program lies.
        program: to run.
        graph: to solve.
        parameters: which fit the program.
        options: of this run besides.

    Raises:
        RefusedError: it does not accept the graph.
        RunnerError: it does not compile, or fails.
    """
    complaints = build(checkout, {program})
    if program.name in complaints:
        raise RunnerError(f"{program.name} does not compile: {complaints[program.name]}")
    command = [str(program.binary), str(graph.path), *options, *parameters.arguments()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=parameters.environment())
    if done.returncode != 0:
        said = program.complaint(done.stderr) or f"exit code {done.returncode}"
        if done.returncode == BAD_GRAPH:
            raise RefusedError(graph, said.removeprefix(f"{graph.path}: "))
        raise RunnerError(f"{program.name}: {said}")
    return done.stdout
