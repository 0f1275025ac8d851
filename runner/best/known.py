"""Solving with the best program known: for this machine, and a graph like the one at hand."""

from __future__ import annotations

import json
import math
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from generator.algorithms import load_algorithms
from runner.best.best import candidates, find_best
from runner.best.expectation import Measured, likeness, read_measured
from runner.best.searches import read_searches, remember_search
from runner.best.take import check_writable
from runner.errors import RunnerError
from runner.jobs.build import build
from runner.jobs.graphs import BAD_GRAPH, check_source, open_graph, refusal
from runner.jobs.plan import made_weights
from runner.machine.machine import this_machine
from runner.results.records import Status, read_records

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from runner.best.best import Question
    from runner.checkout import Checkout
    from runner.jobs.graphs import Graph
    from runner.jobs.programs import Program
    from runner.progress import Progress

_LEAST_LIKENESS = math.exp(-1)  # of a graph whose fastest program is taken for another one


@dataclass(frozen=True)
class Choice:
    """A program, and why it was chosen."""

    program: Program
    why: str


def choose(checkout: Checkout, question: Question, results: Path, progress: Progress) -> Choice:
    """Returns the fastest program on the graph most alike that was measured on this kind of machine.

    Where no graph is like this one, a search with the question's budget decides, which is remembered.

    Args:
        checkout: has the programs, the committed measurements, and what earlier searches found.
        question: what to find.
        results: the folder of the user's own records.
        progress: is told of the search.

    Raises:
        RunnerError: there is no program, or none that works, or the algorithm is not asked so.
    """
    graph = open_graph(question.graph, checkout.graphs)
    check_source(question.parameters.source, [graph])
    made_weights(question.algorithm, graph, question.parameters.weights)
    programs = {each.name: each for each in candidates(checkout, question) if each.directed == graph.directed}
    machine = this_machine().fingerprint
    measured = [*read_measured(checkout.measurements), *_own(results), *read_searches(checkout.searches)]
    here = [table for table in measured if table.machine == machine and table.times_s.keys() & programs.keys()]
    best = max(here, key=lambda table: likeness(table, graph.vertices, graph.edges), default=None)
    if best is not None and likeness(best, graph.vertices, graph.edges) >= _LEAST_LIKENESS:
        return _fastest(programs, best)
    answer = find_best(checkout, question, progress)
    times_s = {each.name: each.median_s for each in answer.ranking.candidates if each.samples_s}
    remember_search(checkout.searches, Measured(graph.name, graph.vertices, graph.edges, machine, times_s))
    return Choice(
        answer.winner.program,
        f"no graph like this one was measured on this machine; the fastest of {len(answer.ranking.candidates)} "
        f"programs tried in {answer.ranking.wall_s:.0f} s",
    )


def check_out(out: Path, graph: Graph) -> None:
    """Raises RunnerError unless a file other than the graph can be written there."""
    try:
        if out.exists() and out.samefile(graph.path):
            raise RunnerError(f"--out {out}: is the graph; name another file")
        if out.is_dir() or (out.exists() and not out.is_file()):
            raise RunnerError(f"--out {out}: is no file; name another")
        if not out.parent.is_dir():
            raise RunnerError(f"--out {out}: there is no folder {out.parent}")
    except OSError as error:  # such as a folder that one may not look into
        raise RunnerError(f"--out {out}: {error.strerror}; name another file") from None
    check_writable(out.parent, f"--out {out}")


def written(algorithm: str, out: Path) -> list[Path]:
    """Returns the files that a program writes the results of an algorithm to: of several, each has its name."""
    known = load_algorithms()
    results = known[algorithm].result if algorithm in known else ()  # of no algorithm there is no program, either
    return [out.with_name(f"{out.stem}.{each.name}{out.suffix}") for each in results] if len(results) > 1 else [out]


def solve(checkout: Checkout, choice: Choice, graph: Graph, question: Question, out: Path) -> float:
    """Builds and runs a program, which writes its verified result; returns the seconds that it took.

    Raises:
        RunnerError: it does not compile, or does not solve the graph.
    """
    program = choice.program
    complaints = build(checkout, {program})
    if program.name in complaints:
        raise RunnerError(f"{program.name} does not compile: {complaints[program.name]}")
    options = question.parameters.fitting(program, this_machine()).model_copy(update={"reps": 1, "budget": None})
    command = [str(program.binary), str(graph.path), "--dump", str(out), *options.arguments()]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=options.environment())
    if done.returncode != 0:
        said = program.complaint(done.stderr) or f"exit code {done.returncode}"
        if done.returncode == BAD_GRAPH:
            raise refusal(graph, said.removeprefix(f"{graph.path}: "))
        raise RunnerError(f"{program.name}: {said}")
    return float(json.loads(done.stdout)["samples_s"][0])


def _fastest(programs: dict[str, Program], table: Measured) -> Choice:
    times = {name: seconds for name, seconds in table.times_s.items() if name in programs}
    name = min(times, key=times.__getitem__)
    return Choice(
        programs[name],
        f"the fastest of {len(times)} measured on this machine on {table.graph}, the graph most like this one "
        f"({table.vertices} vertices, {table.edges} directed edges): {times[name]:.3g} s there",
    )


def _own(results: Path) -> Sequence[Measured]:
    """Returns the verified times in a folder of records; none with a latency injected, or divided by a file."""
    found: dict[tuple[str, int, int, str], dict[str, float]] = {}
    for record in read_records(results).values() if results.is_dir() else ():
        asked = record.parameters
        if record.status is Status.VERIFIED and record.samples_s and not (asked.latency or asked.partition):
            key = (record.graph, record.vertices, record.edges, record.machine)
            found.setdefault(key, {})[record.program] = float(np.median(record.samples_s))
    return [Measured(*key, times) for key, times in found.items()]
