"""What a worker does for a sweep, as a generator of steps: take graphs, build, time program after program."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from runner.errors import RunnerError
from runner.jobs.graphs import RefusedError
from runner.jobs.plan import plan
from runner.jobs.programs import GPU_MODELS
from runner.overhead import Overhead
from runner.results.records import Record, RecordFile, Status, blank_record
from runner.results.session import Session, adopt_session, save_session
from runner.sweeps import worker as remote
from runner.sweeps.queues import Queue
from runner.sweeps.scheduler import GPU, HOST, OTHER_VERSION, require_private
from runner.timing.measure import Settings

if TYPE_CHECKING:
    from runner.checkout import Checkout
    from runner.jobs.graphs import Graph
    from runner.jobs.plan import Job
    from runner.jobs.programs import Program
    from runner.progress import Progress
    from runner.sweeps.bundle import Bundle
    from runner.sweeps.request import Request
    from runner.sweeps.scheduler import Offer

_PIECE = 8 << 20  # bytes of a graph that are sent at a time


class WorkerError(Exception):
    """A worker cannot be used; `str()` of it is one line for a person."""


@dataclass(frozen=True)
class Step:
    """What a worker is to do next.

    Attributes:
        function: of `runner.sweeps.worker`.
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


Life = Generator[Step | None, Any, None]
"""Yields the steps of a worker and is sent their results; yields None while there is nothing to do."""


@dataclass(frozen=True)
class Sources:
    """What a sweep consists of."""

    programs: list[Program]
    graphs: list[Graph]
    runtime_sha256: str
    bundle: Bundle


@dataclass
class Lives:
    """The lives of all workers, and what they share: the sources, the records so far, and the queues of jobs.

    Attributes:
        sessions: of the workers that have got as far as having one.
        queues: of the jobs, by their keys: one for each kind of machine and resource.
        desks: where the records of each session that times are written.
        topic: under which workers send records.
    """

    checkout: Checkout
    request: Request
    sources: Sources
    progress: Progress
    records: dict[str, Record]
    overhead: Overhead = field(default_factory=Overhead)
    sessions: list[str] = field(default_factory=list)
    queues: dict[tuple[str, ...], Queue] = field(default_factory=dict)
    desks: dict[str, _Desk] = field(default_factory=dict)
    topic: str = field(default_factory=lambda: f"violet-{uuid4().hex}")

    def live(self, address: str, offer: Offer) -> Life:
        """Yields what a worker is to do, and take the results.

        Raises:
            WorkerError: it cannot be used, or not any more.
            RunnerError: others may reach it.
        """
        if not offer.resources:
            raise WorkerError(f"it offers neither {HOST} nor {GPU}; start workers with --resources '{HOST}=1'")
        request, sources = self.request, self.sources
        if not request.insecure:
            require_private("worker", address)
        if (yield Step(remote.hash_runner, ())) != remote.hash_runner():  # first, as the rest may differ in anything
            raise WorkerError(OTHER_VERSION)
        found: remote.Survey = yield Step(
            remote.survey, (sources.bundle, sources.graphs, request.parameters, request.seed, request.timeout_s)
        )
        session = adopt_session(found.session, self.checkout.root)
        queues = [self._queue(resource, session) for resource in (GPU, HOST) if resource in offer.resources]
        while not any(queue.open for queue in queues):
            yield None
        save_session(session, request.results)
        self.sessions.append(session.id)
        for graph in sources.graphs:
            if graph.sha256 in found.lacking:
                yield from self._send(session.id, graph)
        with RecordFile(request.results / f"{session.id}.jsonl") as file:
            desk = _Desk(session.id, file, self.progress, self.overhead)
            yield from self._prepare(queues, desk)
            self.progress.note(f"worker {address} on {session.host} is ready")
            self.desks[session.id] = desk
            try:
                while True:
                    yield from self._time(queues, desk)
            finally:
                del self.desks[session.id]

    def keep(self, record: Record) -> None:
        """Appends what a worker has sent before the end of a step, unless its job has a record."""
        if desk := self.desks.get(record.session):
            for queue in self.queues.values():
                desk.keep(queue, record)

    def programs(self, resource: str) -> list[Program]:
        """Returns the programs whose timing takes a resource."""
        return [program for program in self.sources.programs if (program.model in GPU_MODELS) == (resource == GPU)]

    def _queue(self, resource: str, session: Session) -> Queue:
        """Returns the queue that a worker shares with all whose jobs would be the very same."""
        jobs = plan(
            self.programs(resource),
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

    def _send(self, session: str, graph: Graph) -> Life:
        """Sends a graph in pieces, so that neither end needs memory for all of it."""
        self.progress.note(f"sending {graph.name}")
        offset = 0
        try:
            with graph.path.open("rb") as file:
                while piece := file.read(_PIECE):
                    yield Step(remote.receive, (session, graph.sha256, offset, piece))
                    offset += len(piece)
        except OSError as error:
            raise RunnerError(f"cannot read graph {graph.path}: {error.strerror}") from None
        yield Step(remote.accept, (session, graph.sha256))

    def _prepare(self, queues: list[Queue], desk: _Desk) -> Life:
        """Builds all that may be timed, and records what never will."""
        for queue in queues:
            for job in queue.drop(lambda job: job.obstacle is not None):
                desk.fail(queue, job, Status.SKIPPED, job.obstacle)
        jobs = [job for queue in queues for job in queue.open.values()]
        prepared: remote.Prepared = yield Step(remote.prepare, (self.sources.bundle.name, jobs))
        if prepared.bad_graph:
            sha256, said = prepared.bad_graph
            raise RefusedError(next(graph for graph in self.sources.graphs if graph.sha256 == sha256), said)
        complaints = prepared.complaints
        for queue in queues:
            for job in queue.drop(lambda job: job.program.name in complaints):
                desk.fail(queue, job, Status.COMPILE_ERROR, "it does not compile", complaints[job.program.name])

    def _time(self, queues: list[Queue], desk: _Desk) -> Life:
        """Has the programs of one group timed, if there is one."""
        queue = next((queue for queue in queues if queue.is_waiting), None)
        if not queue:
            yield None
            return
        jobs = queue.take()
        settings = Settings(desk.session, self.request.timeout_s, self.request.memory_bytes)
        arguments = (self.sources.bundle.name, jobs, settings, self.topic)
        try:
            timed: remote.Timed = yield Step(remote.time_jobs, arguments, queue.alone, jobs, queue)
            for record in timed.records:
                desk.keep(queue, record)
        finally:
            for job in filter(queue.is_deadly, jobs):
                desk.fail(queue, job, Status.CRASHED, "every worker that ran it died")
            queue.give_back(jobs)
        if timed.complaint:
            raise WorkerError(timed.complaint)


@dataclass(frozen=True)
class _Desk:
    """Where the records of one worker are written, each once."""

    session: str
    file: RecordFile
    progress: Progress
    overhead: Overhead

    def keep(self, queue: Queue, record: Record) -> None:
        """Appends a record, unless its job has one."""
        if queue.close(record.key):
            self.file.append(record)
            self.overhead.samples_s += sum(record.samples_s)
            self.progress.done(record)

    def fail(self, queue: Queue, job: Job, status: Status, reason: str | None, error: str | None = None) -> None:
        """Appends the record of a job that was not timed."""
        self.keep(queue, blank_record(job, self.session, status, reason).model_copy(update={"error": error}))
