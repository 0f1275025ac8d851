"""One run: plan, build, time, record; only what is missing, one timed program at a time."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runner.jobs.build import build, is_current
from runner.jobs.graphs import open_graph
from runner.jobs.plan import Job, Parameters, hash_runtime, plan
from runner.jobs.programs import read_programs
from runner.jobs.references import References
from runner.locks import only_timer, only_writer
from runner.machine.machine import this_machine
from runner.machine.toolchain import read_toolchain
from runner.overhead import Overhead
from runner.results.folder import describe_results
from runner.results.records import Record, RecordFile, Status, blank_record, read_records, repair_records
from runner.results.session import save_session, start_session
from runner.timing.device import keep_gpu_open
from runner.timing.measure import Settings
from runner.timing.timing import share_processes, time_together

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
        timeout_s: seconds on one graph after which a program is stopped.
        seed: of the order of jobs.
        build: whether to compile; without, programs that are not built or out of date are left out.
        retry: if any, only jobs whose result has one of these statuses are run.
        memory_bytes: what a CPU program may use, if there is a limit.
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

    def is_due(self, record: Record | None) -> bool:
        """Whether a job that has this record, or none, is to be run."""
        if self.retry:
            return record is not None and record.status in self.retry
        return record is None


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


def run_sweep(checkout: Checkout, request: Request, progress: Progress) -> Sweep:
    """Runs every job of a request that has no result yet.

    Raises:
        RunnerError: the sweep cannot start, or its results cannot be written.
    """
    programs = read_programs(checkout, request.programs)
    graphs = [open_graph(graph, checkout.graphs) for graph in request.graphs]
    machine, toolchain, runtime_sha256 = this_machine(), read_toolchain(checkout), hash_runtime(checkout)
    jobs = plan(
        programs, graphs, request.parameters, machine=machine, toolchain=toolchain, runtime_sha256=runtime_sha256
    )
    overhead, sessions = Overhead(), []
    with only_timer(checkout), only_writer(request.results):
        describe_results(request.results)
        repair_records(request.results)
        records = read_records(request.results)
        due = [job for job in jobs if request.is_due(records.get(job.key))]
        done = sum(job.key in records for job in jobs)
        progress.note(f"{len(jobs)} jobs: {done} have a result, {len(due)} to do")
        if due:
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
            sessions.append(session.id)
            references = References(checkout.reference_program, checkout.references, runtime_sha256)
            with RecordFile(request.results / f"{session.id}.jsonl") as file:
                run = _Run(checkout, request, session.id, file, references, progress, overhead)
                run.do(due)
            records = read_records(request.results)
    return Sweep(sessions, [records[job.key] for job in jobs if job.key in records], overhead)


@dataclass(frozen=True)
class _Run:
    """The jobs of one session on their way to a record each."""

    checkout: Checkout
    request: Request
    session: str
    file: RecordFile
    references: References
    progress: Progress
    overhead: Overhead

    def do(self, jobs: list[Job]) -> None:
        """Gives every job its record; those left out for want of a build get none."""
        possible = self._skip_impossible(jobs)
        with self.overhead.phase("build"):
            built = self._build(possible) if self.request.build else self._only_current(possible)
        with self.overhead.phase("references"):
            self._compute_references(built)
        groups = share_processes(built, self.references)
        # Shuffled, so that a slow phase of the machine falls on programs of every style alike.
        random.Random(self.request.seed).shuffle(groups)  # noqa: S311
        open_gpu = keep_gpu_open(self.checkout.gpu_check, {job.program.model for job in built})
        with self.progress.count(len(built)), self.overhead.phase("programs"), open_gpu:
            for group in groups:
                self._measure(group)
        self.progress.note(self.overhead.render())

    def _skip_impossible(self, jobs: list[Job]) -> list[Job]:
        """Records them, but say so in one line a reason: without a GPU there can be hundreds."""
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
        """Computes them all, in parallel, before anything is timed."""
        needed = dict.fromkeys(job.problem for job in jobs)
        self.references.compute(needed)
        for problem in needed:
            if not self.references.find(problem):
                what = f"{problem.algorithm} on {problem.graph.name}"
                self.progress.note(f"no reference of {what}: every program computes its own")

    def _measure(self, group: list[Job]) -> None:
        settings = Settings(self.session, self.request.timeout_s, self.request.memory_bytes)
        time_together(group, self.references, settings, self.checkout.gpu_check, self._record)

    def _blank(self, job: Job, status: Status, reason: str | None = None) -> Record:
        return blank_record(job, self.session, status, reason)

    def _record(self, record: Record) -> None:
        self.file.append(record)
        self.overhead.samples_s += sum(record.samples_s)
        self.progress.done(record)
