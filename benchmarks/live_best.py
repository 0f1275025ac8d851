"""How good is `violet best` here? Runs every program, then searches.

The budget of a search is a share of what running every program has cost, both without building. Because times of
minutes ago are no measure on a machine that is not idle, the winner and the three best of the sweep then run again, in
turns. Graphs must not be among the committed measurements, from which a search learns.
"""

from __future__ import annotations

import argparse
import os
import statistics
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from generator.console import Console
from generator.terminal import told_in_one_line
from runner.best.find import Question, find_best
from runner.checkout import Checkout
from runner.errors import RunnerError
from runner.jobs.plan import Parameters
from runner.machine.pinning import Places, ProcBind
from runner.progress import Progress
from runner.results.records import Status
from runner.sweeps.here import run_sweep
from runner.sweeps.request import Request

if TYPE_CHECKING:
    from collections.abc import Iterable

_RIVALS = 3
_TURNS = 5


@told_in_one_line()
def main() -> None:
    """Measures and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("graphs", nargs="+", help="names of `violet graphs list`, or .egr files")
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
    """Returns the cells of a row, by an exhaustive sweep and a search."""
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
    swept = {record.program: statistics.median(record.samples_s) for record in verified}
    winner = answer.winner.program.name
    best = sorted(swept, key=lambda name: swept[name])[:_RIVALS]
    again = run_again(checkout, graph, parameters, results, dict.fromkeys([winner, *best]))
    regret = again[winner] / min(again.values()) - 1
    tried = str(len(answer.ranking.candidates))
    return [str(len(swept)), f"{sweep_s:.1f}", f"{answer.ranking.wall_s:.1f}", tried, f"{regret:.1%}"]


def run_again(
    checkout: Checkout, graph: str, parameters: Parameters, results: Path, names: Iterable[str]
) -> dict[str, float]:
    """Returns the median seconds of programs that run in turns."""
    times: dict[str, list[float]] = {}
    for turn in range(_TURNS):
        request = Request(tuple(names), (graph,), parameters, results / f"turn-{turn}", timeout_s=300.0, seed=turn)
        for record in run_sweep(checkout, request, Progress()).records:
            times.setdefault(record.program, []).extend(record.samples_s)
    return {name: statistics.median(samples) for name, samples in times.items()}


if __name__ == "__main__":
    main()
