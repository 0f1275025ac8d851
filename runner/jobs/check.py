"""Finds graphs that programs would refuse, before one after the other does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.algorithms import load_algorithms
from runner.jobs.graphs import BAD_GRAPH, RefusedError
from runner.process.execute import execute

if TYPE_CHECKING:
    from collections.abc import Iterable

    from runner.checkout import Checkout
    from runner.jobs.graphs import Graph
    from runner.jobs.plan import Job

_TIMEOUT_S = 3600.0


def check_graphs(checkout: Checkout, jobs: Iterable[Job]) -> None:
    """Has violet-reference, if it is there, check the graphs of jobs by the rules of all programs.

    Raises:
        RefusedError: a graph breaks a rule.
    """
    if bad := find_bad_graph(checkout, jobs):
        raise RefusedError(*bad)


def find_bad_graph(checkout: Checkout, jobs: Iterable[Job]) -> tuple[Graph, str] | None:
    """Returns a graph that breaks a rule of all programs, and what violet-reference, if it is there, says of it.

    That takes as long as one more program takes to load each; weights are checked if any of the jobs needs them.
    """
    chosen: dict[str, Job] = {}
    for job in jobs:
        if job.graph.sha256 not in chosen or _needs_weights(job):
            chosen[job.graph.sha256] = job
    for job in chosen.values():
        command = [str(checkout.reference_program), job.program.reference, str(job.graph.path)]
        try:
            outcome = execute(command, _TIMEOUT_S)
        except OSError:  # it was not built: programs will say what is wrong
            return None
        if outcome.exit_code == BAD_GRAPH:
            said = outcome.stderr.decode(errors="replace").strip()
            return job.graph, said.partition(f"{job.graph.path}: ")[2] or said
    return None


def _needs_weights(job: Job) -> bool:
    known = load_algorithms().get(job.program.algorithm)
    return known is not None and known.has("needs", "weights")
