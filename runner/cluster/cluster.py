"""The same sweep over many machines: hands jobs to Dask workers and appends what they report.

Each kind of machine does the whole sweep, shared by the workers of that kind. A worker does one step at a time: look at
its machine, take graphs, build, then program after program. A step that needs its host for itself, such as building or
timing a CPU program, never runs beside another step on the same host.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from runner.cluster import worker as remote
from runner.cluster.bundle import Bundle, pack
from runner.cluster.queues import Queue
from runner.cluster.scheduler import GPU, HOST, Scheduler, connect, explain
from runner.cluster.sweep import Request, Sweep
from runner.errors import RunnerError
from runner.jobs.graphs import open_graph
from runner.jobs.plan import hash_runtime, plan
from runner.jobs.programs import read_programs
from runner.locks import only_writer
from runner.overhead import Overhead
from runner.results.folder import describe_results
from runner.results.records import Record, RecordFile, Status, blank_record, read_records, repair_records
from runner.results.session import Session, adopt_session, save_session
from runner.timing.measure import Settings

if TYPE_CHECKING:
    from distributed import Future

    from runner.checkout import Checkout
    from runner.cluster.scheduler import Offer
    from runner.jobs.graphs import Graph
    from runner.jobs.plan import Job
    from runner.jobs.programs import Program
    from runner.progress import Progress

_PIECE = 8 << 20  # bytes of a graph that are sent at a time
_PATIENCE_S = 300.0  # for a worker that can do what is left
_GATHER_S = 30.0


class _WorkerError(Exception):
    """A worker cannot be used; `str()` of it is one line for a person."""


@dataclass(frozen=True)
class _Step:
    """What a worker is to do next.

    Attributes:
        function: of `runner.cluster.worker`.
        arguments: of the function.
        alone: whether it needs its host for itself.
        jobs: what it times, if it does.
        queue: where these jobs come from.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    alone: bool = True
    jobs: tuple[Job, ...] = ()
    queue: Queue | None = None


_Life = Generator[_Step | None, Any, None]
"""Yields the steps of a worker and is sent their results; yields None while there is nothing to do."""


@dataclass(eq=False)
class _Worker:
    """A worker and what it is doing.

    Attributes:
        address: of the worker.
        offer: what it can be asked for.
        life: where its steps come from.
        step: what it does or waits to do.
        future: of the step, once it has begun.
        complaint: why it gets no more steps, if so.
    """

    address: str
    offer: Offer
    life: _Life
    step: _Step | None = None
    future: Future[Any] | None = None
    complaint: str | None = None


@dataclass(frozen=True)
class _Sources:
    """What a sweep consists of."""

    programs: list[Program]
    graphs: list[Graph]
    runtime_sha256: str
    bundle: Bundle


def run_on_cluster(checkout: Checkout, request: Request, address: str, progress: Progress) -> Sweep:
    """Run every job of a request that has no result yet, on each kind of machine that a Dask scheduler has workers on.

    Raises:
        RunnerError: the sweep cannot start or go on, or its results cannot be written.
    """
    if not request.build:
        raise RunnerError("--dask and --no-build exclude each other: every worker builds for its own machine")
    programs = read_programs(checkout, request.programs)
    graphs = [open_graph(graph, checkout.graphs) for graph in request.graphs]
    runtime_sha256 = hash_runtime(checkout)
    sources = _Sources(programs, graphs, runtime_sha256, pack(checkout, programs, runtime_sha256))
    with only_writer(request.results), connect(address) as scheduler:
        describe_results(request.results)
        repair_records(request.results)
        run = _Run(checkout, request, sources, scheduler, progress, read_records(request.results))
        with progress.count(0), run.overhead.phase("workers"):
            run.do()
        progress.note(run.overhead.render())
        records = read_records(request.results)
    jobs = [job for queue in run.queues.values() for job in queue.jobs]
    return Sweep(run.sessions, [records[job.key] for job in jobs if job.key in records], run.overhead)


@dataclass
class _Run:
    """One sweep over the workers of a scheduler."""

    checkout: Checkout
    request: Request
    sources: _Sources
    scheduler: Scheduler
    progress: Progress
    records: dict[str, Record]
    overhead: Overhead = field(default_factory=Overhead)
    sessions: list[str] = field(default_factory=list)
    queues: dict[tuple[str, ...], Queue] = field(default_factory=dict)
    workers: dict[str, _Worker] = field(default_factory=dict)
    stuck_since: float | None = None

    def do(self) -> None:
        """Keep the workers busy until every job has its record."""
        self.progress.note("waiting for workers")
        try:
            while not self._is_done():
                self._meet()
                for worker in self.workers.values():
                    self._advance(worker)
                self.scheduler.wait([worker.future for worker in self.workers.values() if worker.future])
        finally:
            self._stop()
        self._name_left_out()

    def _is_done(self) -> bool:
        """Whether there is nothing left to do.

        Raises:
            RunnerError: there is, but nobody to do it.
        """
        if any(worker.step for worker in self.workers.values()) or not (self.workers or self.queues):
            self.stuck_since = None
            return False
        left = sum(len(queue.open) for queue in self.queues.values())
        if self.queues and not left:
            return True
        complaints = [f"{worker.address}: {worker.complaint}" for worker in self.workers.values() if worker.complaint]
        if complaints and not self.queues:
            raise RunnerError(f"no worker can be used; {complaints[0]}")
        self.stuck_since = self.stuck_since or time.monotonic()
        if time.monotonic() - self.stuck_since > _PATIENCE_S:
            why = f" ({complaints[-1]})" if complaints else ""
            raise RunnerError(f"no worker is left for {left} jobs{why}: start some and give the same command to go on")
        return False

    def _meet(self) -> None:
        """Take up the workers that have come, and part with those that have gone."""
        offers = self.scheduler.offers()
        for worker in list(self.workers.values()):
            offer = offers.get(worker.address)
            if offer is None or offer.life != worker.offer.life:
                self._bury(worker)
        for address, offer in offers.items():
            if address not in self.workers:
                self.workers[address] = worker = _Worker(address, offer, self._live(address, offer))
                self._go_on(worker)

    def _bury(self, worker: _Worker) -> None:
        """Let others do what a worker that died was doing."""
        del self.workers[worker.address]
        if worker.future and worker.step and worker.step.queue:
            worker.step.queue.blame(worker.step.jobs)
        is_new = worker.step and worker.step.function is remote.survey
        hint = ": if it cannot import the runner, start it in a checkout of Violet, with its .venv" if is_new else ""
        self._end(worker)
        self.progress.note(f"worker {worker.address} is gone{hint}")

    def _advance(self, worker: _Worker) -> None:
        """Take what a worker has done, and start what it is to do next as soon as its host allows."""
        if worker.future:
            if worker.future.done():
                self._finish(worker, worker.future)
        elif not worker.step and not worker.complaint:
            self._go_on(worker)
        if worker.step and not worker.future and self._may_start(worker, worker.step):
            step = worker.step
            worker.future = self.scheduler.start(worker.address, worker.offer, step.function, step.arguments)

    def _may_start(self, worker: _Worker, step: _Step) -> bool:
        """Whether the host is free for a step: what needs it for itself waits for all others, and goes first."""
        others = [other for other in self.workers.values() if other is not worker]
        here = [other for other in others if other.offer.host == worker.offer.host]
        if step.alone:
            return not any(other.future for other in here)
        return not any(other.step and other.step.alone for other in here)

    def _finish(self, worker: _Worker, future: Future[Any]) -> None:
        try:
            result = future.result(timeout=_GATHER_S)
        except TimeoutError:  # it died before it handed over what it has done, and will be missed soon
            return
        except Exception as error:  # whatever went wrong over there costs that worker only
            self._exclude(worker, explain(error))
        else:
            self._go_on(worker, result)

    def _go_on(self, worker: _Worker, result: object = None) -> None:
        """Hand over the result of a worker's step, and learn its next one."""
        worker.step = worker.future = None
        try:
            worker.step = worker.life.send(result)
        except _WorkerError as error:
            self._exclude(worker, str(error))

    def _exclude(self, worker: _Worker, complaint: str) -> None:
        """Give a worker nothing more to do."""
        worker.complaint = complaint
        self._end(worker)
        self.progress.note(f"worker {worker.address} is not used any more: {complaint}")

    def _end(self, worker: _Worker) -> None:
        worker.step = worker.future = None
        worker.life.close()

    def _stop(self) -> None:
        """End what is being timed, of which nobody would take the results."""
        if busy := [worker.address for worker in self.workers.values() if worker.future]:
            self.scheduler.interrupt(busy, remote.stop, frozenset(self.sessions))

    def _name_left_out(self) -> None:
        """Say which programs no worker would time.

        Raises:
            RunnerError: all of them.
        """
        for resource in (GPU, HOST):
            programs = self._programs(resource)
            if programs and not any(queue.alone == (resource == HOST) for queue in self.queues.values() if queue.jobs):
                reason = f"{len(programs)} programs are left out: no worker offers {resource}"
                if not any(queue.jobs for queue in self.queues.values()):
                    raise RunnerError(reason)
                self.progress.note(reason)

    # ---- One worker --------------------------------------------------------------------------------------------------

    def _live(self, address: str, offer: Offer) -> _Life:
        """Yield what a worker is to do, and take the results.

        Raises:
            _WorkerError: it cannot be used, or not any more.
        """
        if not offer.resources:
            raise _WorkerError(f"it offers neither {HOST} nor {GPU}; start workers with --resources '{HOST}=1'")
        request, sources = self.request, self.sources
        found: remote.Survey = yield _Step(
            remote.survey, (sources.bundle, sources.graphs, request.parameters, request.seed, request.timeout_s)
        )
        if found.version != remote.hash_runner():
            raise _WorkerError("its runner is another version; start workers in the same version of Violet as this one")
        session = adopt_session(found.session, self.checkout.root)
        queues = [self._queue(resource, session) for resource in (GPU, HOST) if resource in offer.resources]
        while not any(queue.open for queue in queues):
            yield None
        save_session(session, request.results)
        self.sessions.append(session.id)
        for graph in sources.graphs:
            if graph.sha256 in found.lacking:
                yield from self._send(graph)
        with RecordFile(request.results / f"{session.id}.jsonl") as file:
            desk = _Desk(session.id, file, self.progress, self.overhead)
            yield from self._prepare(queues, desk)
            self.progress.note(f"worker {address} on {session.host} is ready")
            while True:
                yield from self._time(queues, desk)

    def _programs(self, resource: str) -> list[Program]:
        """Return the programs whose timing takes a resource."""
        return [program for program in self.sources.programs if (program.model == "cuda") == (resource == GPU)]

    def _queue(self, resource: str, session: Session) -> Queue:
        """Return the queue that a worker shares with all whose jobs would be the very same."""
        jobs = plan(
            self._programs(resource),
            self.sources.graphs,
            session.parameters,
            machine=session.machine,
            toolchain=session.toolchain,
            runtime_sha256=self.sources.runtime_sha256,
        )
        identity = tuple(job.key for job in jobs)
        if identity not in self.queues:
            due = [job for job in jobs if self.request.is_due(self.records.get(job.key))]
            self.queues[identity] = Queue(jobs, due, seed=self.request.seed, alone=resource == HOST)
            self.progress.expect(len(due))
            self.progress.note(f"{resource} of {session.machine.fingerprint}: {len(jobs)} jobs, {len(due)} to do")
        return self.queues[identity]

    def _send(self, graph: Graph) -> _Life:
        """Send a graph in pieces, so that neither end needs memory for all of it."""
        self.progress.note(f"sending {graph.name}")
        offset = 0
        try:
            with graph.path.open("rb") as file:
                while piece := file.read(_PIECE):
                    yield _Step(remote.receive, (graph.sha256, offset, piece))
                    offset += len(piece)
        except OSError as error:
            raise RunnerError(f"cannot read graph {graph.path}: {error.strerror}") from None
        yield _Step(remote.accept, (graph.sha256,))

    def _prepare(self, queues: list[Queue], desk: _Desk) -> _Life:
        """Build all that may be timed, and record what never will."""
        for queue in queues:
            for job in queue.drop(lambda job: job.obstacle is not None):
                desk.fail(queue, job, Status.SKIPPED, job.obstacle)
        jobs = [job for queue in queues for job in queue.open.values()]
        complaints = yield _Step(remote.prepare, (self.sources.bundle.name, jobs))
        for queue in queues:
            for job in queue.drop(lambda job: job.program.name in complaints):
                desk.fail(queue, job, Status.COMPILE_ERROR, "it does not compile", complaints[job.program.name])

    def _time(self, queues: list[Queue], desk: _Desk) -> _Life:
        """Have the programs of one group timed, if there is one."""
        queue = next((queue for queue in queues if queue.is_waiting), None)
        if not queue:
            yield None
            return
        jobs = queue.take()
        settings = Settings(desk.session, self.request.timeout_s, self.request.memory_bytes)
        arguments = (self.sources.bundle.name, jobs, settings)
        try:
            timed: remote.Timed = yield _Step(remote.time_jobs, arguments, queue.alone, jobs, queue)
            for record in timed.records:
                desk.keep(queue, record)
        finally:
            for job in filter(queue.is_deadly, jobs):
                desk.fail(queue, job, Status.CRASHED, "every worker that ran it died")
            queue.give_back(jobs)
        if timed.complaint:
            raise _WorkerError(timed.complaint)


@dataclass(frozen=True)
class _Desk:
    """Where the records of one worker are written, each once."""

    session: str
    file: RecordFile
    progress: Progress
    overhead: Overhead

    def keep(self, queue: Queue, record: Record) -> None:
        """Append a record, unless its job has one."""
        if queue.close(record.key):
            self.file.append(record)
            self.overhead.samples_s += sum(record.samples_s)
            self.progress.done(record)

    def fail(self, queue: Queue, job: Job, status: Status, reason: str | None, error: str | None = None) -> None:
        """Append the record of a job that was not timed."""
        self.keep(queue, blank_record(job, self.session, status, reason).model_copy(update={"error": error}))
