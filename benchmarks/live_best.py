"""How good is `python -m runner best` here? Runs every program, then searches.

The budget of a search is a share of what running every program has cost, both without building. Graphs must not be
among the committed measurements, from which a search learns.
"""

from __future__ import annotations

import argparse
import os
import statistics
from pathlib import Path

from rich.console import Console
from rich.table import Table

from runner.best import Question, find_best
from runner.checkout import Checkout
from runner.errors import RunnerError
from runner.pinning import Places, ProcBind
from runner.plan import Parameters
from runner.progress import Progress
from runner.records import Status
from runner.sweep import Request, run_sweep


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("graphs", nargs="+", help="names of `python -m inputs list`, or .egr files")
    parser.add_argument("--algorithms", nargs="+", default=["bfs", "sssp", "cc"])
    parser.add_argument("--model", default="openmp", help="cuda, openmp or cpp")
    parser.add_argument("--share", type=float, default=0.1, help="of the time of the exhaustive sweep")
    parser.add_argument("--results", type=Path, default=Path("results/live-best"), help="a folder for the records")
    options = parser.parse_args()
    table = Table("graph", "algorithm")
    for heading in ("programs", "sweep s", "search s", "tried", "regret"):
        table.add_column(heading, justify="right")
    for graph in options.graphs:
        for algorithm in options.algorithms:
            table.add_row(Path(graph).stem, algorithm, *compare(graph, algorithm, options))
    Console().print(table)


def compare(graph: str, algorithm: str, options: argparse.Namespace) -> list[str]:
    """Return the cells of a row, by an exhaustive sweep and a search."""
    checkout, progress = Checkout(Path.cwd()), Progress()
    parameters = Parameters(
        threads=len(os.sched_getaffinity(0)), proc_bind=ProcBind.SPREAD, places=Places.THREADS, budget=10.0
    )
    results = options.results / f"{algorithm}-{options.model}-{Path(graph).stem}"
    programs = (f"{algorithm}-{options.model}-*",)
    sweep = run_sweep(checkout, Request(programs, (graph,), parameters, results, timeout_s=300.0, seed=1), progress)
    if not sweep.sessions:
        raise RunnerError(f"{results} has the results of an earlier sweep: give another --results")
    sweep_s = sweep.overhead.phases_s["programs"]
    question = Question(graph, algorithm, options.model, options.share * sweep_s, parameters, seed=1, build=False)
    answer = find_best(checkout, question, progress)
    verified = [record for record in sweep.records if record.status is Status.VERIFIED]
    times = {record.program: statistics.median(record.samples_s) for record in verified}
    regret = times[answer.winner.program.name] / min(times.values()) - 1
    tried = str(len(answer.ranking.candidates))
    return [str(len(times)), f"{sweep_s:.1f}", f"{answer.ranking.wall_s:.1f}", tried, f"{regret:.1%}"]


if __name__ == "__main__":
    main()
