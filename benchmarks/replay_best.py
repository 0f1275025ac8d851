"""How good is `violet best`? Replays searches on recorded times: `python -m benchmarks.replay_best`.

A replayed search asks for programs as a real one does and is given samples drawn from the recorded ones, on a clock
that counts what these runs would have cost. It knows nothing that was measured on its graph, and learns from the other
graphs only. The exhaustive sweep that its budget is a share of runs every program with a warm-up and nine repetitions,
each in a process of its own, too, and stops none.
"""

from __future__ import annotations

import argparse
import random
import statistics
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from rich.table import Table

from generator.console import Console
from generator.errors import UserError
from generator.terminal import told_in_one_line
from runner.best.expectation import expect
from runner.best.measured import Measured, read_measured
from runner.best.search import Effort, Search, Trial

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DATA = Path(__file__).parents[1] / "analysis" / "data"
OVERHEAD_S = {"cuda": 0.25, "openmp": 0.03, "cpp": 0.03}  # of a process: start, device, loading and verifying
REPETITIONS = 9
LEAST_EDGES = 100


class Replay:
    """Programs that take as long as they were recorded to, on a clock of their own."""

    def __init__(self, samples_s: Mapping[str, Sequence[float]], overhead_s: float, seed: int) -> None:
        self.samples_s = samples_s
        self.overhead_s = overhead_s
        self.now = 0.0
        self.random = random.Random(seed)  # noqa: S311

    def measure(self, name: str, effort: Effort) -> Trial:
        """Runs a program, as long as it may."""
        samples: list[float] = []
        solving_s = self.random.choice(self.samples_s[name])  # the warm-up
        while not samples or (len(samples) < REPETITIONS and solving_s < effort.solving_s):
            samples.append(self.random.choice(self.samples_s[name]))
            solving_s += samples[-1]
        wall_s = self.overhead_s + solving_s
        self.now += min(wall_s, effort.timeout_s)
        return Trial([] if wall_s > effort.timeout_s else samples, solving_s, wall_s)

    def exhaustive_s(self) -> float:
        """Returns what it costs to run every program."""
        solving_s = sum((1 + REPETITIONS) * statistics.median(samples) for samples in self.samples_s.values())
        return len(self.samples_s) * self.overhead_s + solving_s


def search(
    samples_s: Mapping[str, Sequence[float]], graph: Measured, others: Sequence[Measured], share: float, seed: int
) -> float:
    """Returns the regret of one search: the time of its winner over the best time, less 1."""
    names = sorted(samples_s)
    replay = Replay(samples_s, OVERHEAD_S[names[0].split("-")[1]], seed)
    expectation = expect(names, graph.vertices, graph.edges, others)
    budget_s = share * replay.exhaustive_s()
    ranking = Search(names, replay.measure, budget_s, expectation, seed, clock=lambda: replay.now).run()
    times = {name: statistics.median(samples) for name, samples in samples_s.items()}
    return times[ranking.candidates[0].name] / min(times.values()) - 1


def replay_all(table: Path, shares: Sequence[float], seeds: int, *, blind: bool) -> dict[str, dict[float, list[float]]]:
    """Returns the regrets of all searches on a table's graphs, by graph and share of the budget."""
    try:
        rows = [row for row in pq.read_table(table).to_pylist() if row["status"] == "verified"]
    except pa.ArrowInvalid:
        raise UserError(f"{table} is not a parquet file") from None
    measured = [graph for graph in read_measured(DATA) if graph.edges >= LEAST_EDGES]
    regrets: dict[str, dict[float, list[float]]] = {}
    for graph in {row["graph"]: row for row in rows if row["edges"] >= LEAST_EDGES}:
        here = [row for row in rows if row["graph"] == graph]
        shape = Measured(graph, here[0]["vertices"], here[0]["edges"], "", {})
        others = [] if blind else [other for other in measured if other.graph != graph]
        for kind in sorted({"-".join(row["program"].split("-")[:2]) for row in here}):
            samples = {row["program"]: row["samples_s"] for row in here if row["program"].startswith(f"{kind}-")}
            for share in shares:
                found = [search(samples, shape, others, share, seed) for seed in range(seeds)]
                regrets.setdefault(graph, {}).setdefault(share, []).extend(found)
    return regrets


def tabulate(regrets: Mapping[str, Mapping[float, Sequence[float]]], shares: Sequence[float]) -> Table:
    """Shows the regrets by graph."""
    table = Table("graph")
    for heading in ("budget", "searches", "median", "mean", "within 5%"):
        table.add_column(heading, justify="right")
    everything = {share: [regret for found in regrets.values() for regret in found[share]] for share in shares}
    for graph, by_share in {**regrets, "all": everything}.items():
        for share in shares:
            found = np.array(by_share[share])
            near = np.mean(found <= 0.05)
            table.add_row(
                graph, f"{share:.0%}", str(len(found)), f"{np.median(found):.2%}", f"{found.mean():.2%}", f"{near:.0%}"
            )
    return table


@told_in_one_line()
def main() -> None:
    """Replays and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("table", nargs="?", type=Path, default=DATA / "v1" / "paper.parquet", help="recorded times")
    parser.add_argument("--shares", nargs="+", type=float, default=[0.05, 0.1, 0.2], help="of the exhaustive sweep")
    parser.add_argument("--seeds", type=int, default=5, help="searches for each graph, algorithm and model")
    parser.add_argument("--blind", action="store_true", help="without measurements on other graphs")
    options = parser.parse_args()
    regrets = replay_all(options.table, options.shares, options.seeds, blind=options.blind)
    Console().print(tabulate(regrets, options.shares))


if __name__ == "__main__":
    main()
