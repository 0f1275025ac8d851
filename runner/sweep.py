"""One run: plan, build, time, record; only what is missing, one timed program at a time."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runner.build import build, is_current
from runner.execute import execute
from runner.graphs import open_graph
from runner.machine import this_machine
from runner.plan import Job, Parameters, hash_runtime, plan
from runner.programs import read_programs
from runner.records import Record, RecordFile, Status, blank_record, only_writer, read_records, repair_records
from runner.references import References
from runner.report import judge
from runner.session import save_session, start_session
from runner.toolchain import read_toolchain

if TYPE_CHECKING:
    from pathlib import Path

    from runner.checkout import Checkout
    from runner.progress import Progress


@dataclass(frozen=True)
class Request:
    """What to run, and how.

    Attributes:
        programs: globs of program names.
        graphs: names of the catalogue, or `.egr` files.
        parameters: options of the programs.
        results: folder of the records.
        timeout_s: seconds after which a program is stopped.
        seed: of the order of jobs.
        build: whether to compile; without, programs that are not built or out of date are left out.
    """

    programs: tuple[str, ...]
    graphs: tuple[str, ...]
    parameters: Parameters
    results: Path
    timeout_s: float
    seed: int
    build: bool = True


def run_sweep(checkout: Checkout, request: Request, progress: Progress) -> list[Record]:
    """Run every job of a request that has no result yet.

    Returns:
        The results of the whole request, earlier ones included.

    Raises:
        RunnerError: the sweep cannot start, or its results cannot be written.
    """
    programs = read_programs(checkout, request.programs)
    graphs = [open_graph(graph, checkout.graphs) for graph in request.graphs]
    machine, toolchain, runtime_sha256 = this_machine(), read_toolchain(checkout), hash_runtime(checkout)
    jobs = plan(
        programs, graphs, request.parameters, machine=machine, toolchain=toolchain, runtime_sha256=runtime_sha256
    )
    with only_writer(request.results):
        repair_records(request.results)
        records = read_records(request.results)
        missing = [job for job in jobs if job.key not in records]
        progress.note(f"{len(jobs)} jobs: {len(jobs) - len(missing)} have a result, {len(missing)} to do")
        if missing:
            session = start_session(
                checkout.root,
                seed=request.seed,
                timeout_s=request.timeout_s,
                parameters=request.parameters,
                graphs=graphs,
                machine=machine,
                toolchain=toolchain,
            )
            save_session(session, request.results)
            references = References(checkout, runtime_sha256, request.timeout_s)
            with RecordFile(request.results / f"{session.id}.jsonl") as file:
                run = _Run(checkout, request, session.id, file, references, progress)
                run.do(missing)
            records = read_records(request.results)
    return [records[job.key] for job in jobs if job.key in records]


@dataclass(frozen=True)
class _Run:
    """The jobs of one session on their way to a record each."""

    checkout: Checkout
    request: Request
    session: str
    file: RecordFile
    references: References
    progress: Progress

    def do(self, jobs: list[Job]) -> None:
        """Give every job its record; those left out for want of a build get none."""
        possible = self._skip_impossible(jobs)
        built = self._build(possible) if self.request.build else self._only_current(possible)
        self._compute_references(built)
        # Shuffled, so that a slow phase of the machine falls on programs of every style alike.
        random.Random(self.request.seed).shuffle(built)  # noqa: S311
        with self.progress.count(len(built)):
            for job in built:
                self._record(self._measure(job))

    def _skip_impossible(self, jobs: list[Job]) -> list[Job]:
        """Record them, but say so in one line a reason: without a GPU there can be hundreds."""
        for job in jobs:
            if job.obstacle:
                self.file.append(self._blank(job, Status.SKIPPED, job.obstacle))
        for reason, count in Counter(job.obstacle for job in jobs if job.obstacle).items():
            self.progress.note(f"{count} jobs skipped: {reason}")
        return [job for job in jobs if not job.obstacle]

    def _build(self, jobs: list[Job]) -> list[Job]:
        programs = {job.program for job in jobs}
        complaints = build(self.checkout, programs) if programs else {}
        for job in jobs:
            if job.program.name in complaints:
                blank = self._blank(job, Status.COMPILE_ERROR, "it does not compile")
                self._record(blank.model_copy(update={"error": complaints[job.program.name]}))
        return [job for job in jobs if job.program.name not in complaints]

    def _only_current(self, jobs: list[Job]) -> list[Job]:
        current = {program for program in {job.program for job in jobs} if is_current(program, self.checkout)}
        left_out = [job for job in jobs if job.program not in current]
        if left_out:
            self.progress.note(f"{len(left_out)} jobs left out: their programs are not built, or out of date")
        return [job for job in jobs if job.program in current]

    def _compute_references(self, jobs: list[Job]) -> None:
        """Compute them all before anything is timed."""
        for (algorithm, graph), job in {(job.program.algorithm, job.graph): job for job in jobs}.items():
            if self.references.ensure(job) is None:
                self.progress.note(f"no reference of {algorithm} on {graph.name}: every program computes its own")

    def _measure(self, job: Job) -> Record:
        command = [str(job.program.binary), str(job.graph.path), *job.parameters.arguments()]
        if reference := self.references.find(job):
            command += ["--reference", str(reference)]
        blank = self._blank(job, Status.CRASHED)
        try:
            outcome = execute(command, self.request.timeout_s)
        except OSError as error:
            return blank.model_copy(update={"reason": f"it cannot be started: {error.strerror}"})
        return judge(blank, outcome, self.request.timeout_s)

    def _blank(self, job: Job, status: Status, reason: str | None = None) -> Record:
        return blank_record(job, self.session, status, reason)

    def _record(self, record: Record) -> None:
        self.file.append(record)
        self.progress.done(record)
