"""What a sweep is asked for, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runner.jobs.graphs import check_source, open_graphs
from runner.jobs.plan import check_query, check_tuning
from runner.jobs.programs import read_programs
from runner.results.records import Record, Status

if TYPE_CHECKING:
    from pathlib import Path

    from runner.checkout import Checkout
    from runner.jobs.graphs import Graph
    from runner.jobs.plan import Parameters
    from runner.jobs.programs import Program
    from runner.overhead import Overhead


@dataclass(frozen=True)
class Request:
    """What to run, and how.

    Attributes:
        programs: globs of program names.
        graphs: names of the catalogue, or `.egr` files.
        parameters: options of the programs.
        results: folder of the records.
        timeout_s: seconds on one graph after which a program is stopped.
        seed: of the order of jobs.
        build: whether to compile; without, programs that are not built or out of date are left out.
        retry: if any, only jobs whose result has one of these statuses are run.
        memory_bytes: what a CPU program may use, if there is a limit.
        turns: how often all programs are run, one after the other, to have what is compared measured side by side.
        partition: a file with the part of each vertex of the one graph, for programs for several GPUs.
        insecure: whether others may reach a cluster that asks nobody for a certificate.
    """

    programs: tuple[str, ...]
    graphs: tuple[str, ...]
    parameters: Parameters
    results: Path
    timeout_s: float
    seed: int
    build: bool = True
    retry: frozenset[Status] = frozenset()
    memory_bytes: int | None = None
    turns: int = 1
    partition: Path | None = None
    insecure: bool = False

    def open(self, checkout: Checkout) -> tuple[list[Program], list[Graph]]:
        """Returns the programs and the graphs, which may be read for that.

        Raises:
            GraphFormatError: a file is no graph.
            RunnerError: there is no such program or graph, or they are not asked so.
        """
        programs = read_programs(checkout, self.programs)
        check_query(self.parameters.query, programs)
        check_tuning(self.parameters.tuning, programs)
        graphs = open_graphs(self.graphs, checkout.graphs)
        check_source(self.parameters.source, graphs)
        return programs, graphs

    def is_due(self, record: Record | None) -> bool:
        """Whether a job that has this record, or none, is to be run."""
        if self.retry:
            return record is not None and record.status in self.retry
        return self.turns_left(record) > 0

    def turns_left(self, record: Record | None) -> int:
        """Returns how often a job that has this record, or none, is still to be run."""
        if record is None or self.retry:
            return self.turns
        return self.turns - max(1, len(record.turns)) if record.status == Status.VERIFIED else 0


@dataclass(frozen=True)
class Sweep:
    """What came of a request.

    Attributes:
        sessions: of the jobs that have been run now: none, one, or one for each worker.
        records: results of the whole request, earlier ones included.
        overhead: where the time has gone.
    """

    sessions: list[str]
    records: list[Record]
    overhead: Overhead
