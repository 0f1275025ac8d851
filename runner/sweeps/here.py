"""One run: plan, build, time, record; only what is missing, one timed program at a time."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from runner.errors import RunnerError
from runner.jobs.build import build, build_shared, is_current
from runner.jobs.check import check_graphs
from runner.jobs.partition import open_partition
from runner.jobs.plan import Job, Parameters, hash_runtime, plan
from runner.jobs.references import References
from runner.locks import only_timer, only_writer
from runner.machine.machine import this_machine
from runner.machine.toolchain import read_toolchain
from runner.overhead import Overhead
from runner.results.folder import describe_results
from runner.results.records import Record, RecordFile, Status, add_turn, blank_record, read_records, repair_records
from runner.results.session import end_session, save_session, start_session
from runner.sweeps.request import Request, Sweep
from runner.timing.device import keep_gpu_open
from runner.timing.measure import Settings
from runner.timing.together import share_processes, time_together

if TYPE_CHECKING:
    from runner.checkout import Checkout
    from runner.jobs.graphs import Graph
    from runner.jobs.programs import Program
    from runner.progress import Progress


def run_sweep(checkout: Checkout, request: Request, progress: Progress) -> Sweep:
    """Runs every job of a request that has no result yet.

    Raises:
        RunnerError: the sweep cannot start, or its results cannot be written.
    """
    programs, graphs = request.open(checkout)
    parameters = _with_partition(request, programs, graphs)
    machine, toolchain, runtime_sha256 = this_machine(), read_toolchain(checkout), hash_runtime(checkout)
    jobs = plan(programs, graphs, parameters, machine=machine, toolchain=toolchain, runtime_sha256=runtime_sha256)
    overhead, sessions = Overhead(), []
    with only_timer(checkout), only_writer(request.results):
        describe_results(request.results)
        repair_records(request.results)
        records = read_records(request.results)
        due = [job for job in jobs if request.is_due(records.get(job.key))]
        done = sum(job.key in records for job in jobs)
        progress.note(f"{len(jobs)} jobs: {done} have a result, {len(due)} to do")
        if possible := [job for job in due if not job.obstacle]:
            with overhead.phase("build"):
                if request.build:
                    build_shared(checkout)
                check_graphs(checkout, possible)
        if due:
            session = start_session(
                checkout,
                seed=request.seed,
                timeout_s=request.timeout_s,
                parameters=parameters,
                graphs=graphs,
                machine=machine,
                toolchain=toolchain,
            )
            save_session(session, request.results)
            sessions.append(session.id)
            references = References(checkout.reference_program, checkout.references, runtime_sha256)
            with RecordFile(request.results / f"{session.id}.jsonl") as file:
                run = _Run(checkout, request, session.id, file, references, progress, overhead, records)
                run.do(due)
            save_session(end_session(session), request.results)
            records = read_records(request.results)
    return Sweep(sessions, [records[job.key] for job in jobs if job.key in records], overhead)


def _with_partition(request: Request, programs: list[Program], graphs: list[Graph]) -> Parameters:
    """Returns the parameters with the partition that a request names, if it does.

    Raises:
        RunnerError: it does not fit, or concerns no program.
    """
    if request.partition is None:
        return request.parameters
    if all(program.model != "multigpu" for program in programs):
        raise RunnerError(f"--partition {request.partition}: no program is for several GPUs")
    partition = open_partition(request.partition, graphs, request.parameters.gpus)
    return request.parameters.model_copy(update={"partition": partition})


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
    records: dict[str, Record]

    def do(self, jobs: list[Job]) -> None:
        """Gives every job its record; those left out for want of a build get none."""
        possible = self._skip_impossible(jobs)
        with self.overhead.phase("build"):
            built = self._build(possible) if self.request.build else self._only_current(possible)
        with self.overhead.phase("references"):
            self._compute_references(built)
        if self.request.retry:
            for job in built:
                self.records.pop(job.key, None)
        open_gpu = keep_gpu_open(self.checkout.gpu_check, {job.program.model for job in built})
        left = sum(self.request.turns_left(self.records.get(job.key)) for job in built)
        with self.progress.count(left), self.overhead.phase("programs"), open_gpu:
            for turn in range(self.request.turns):
                self._take_turn(turn, [job for job in built if self._is_due(job)])
        self.progress.note(self.overhead.render())

    def _is_due(self, job: Job) -> bool:
        """Whether a job has a turn left. What is retried has lost its record, so it begins anew."""
        return replace(self.request, retry=frozenset()).is_due(self.records.get(job.key))

    def _take_turn(self, turn: int, jobs: list[Job]) -> None:
        """Runs every job once."""
        groups = share_processes(jobs, self.references)
        # Shuffled, so that a slow phase of the machine falls on programs of every style alike.
        random.Random(self.request.seed + turn).shuffle(groups)  # noqa: S311
        for group in groups:
            self._measure(group)

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
        self.references.compute(needed, self.progress.track_references)
        for problem in needed:
            if problem.needs_reference and not self.references.find(problem):
                what = f"{problem.algorithm} on {problem.graph.name}"
                self.progress.note(f"no reference of {what}: every program computes its own")

    def _measure(self, group: list[Job]) -> None:
        settings = Settings(self.session, self.request.timeout_s, self.request.memory_bytes)
        time_together(group, self.references, settings, self.checkout.gpu_check, self._record)

    def _blank(self, job: Job, status: Status, reason: str | None = None) -> Record:
        return blank_record(job, self.session, status, reason)

    def _record(self, record: Record) -> None:
        earlier = self.records.get(record.key)
        self.overhead.samples_s += sum(record.samples_s)
        self.records[record.key] = record = add_turn(earlier, record) if earlier else record
        self.file.append(record)
        self.progress.done(record)
