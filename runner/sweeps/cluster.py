"""The same sweep over many machines: hands jobs to Dask workers and appends what they report.

Each kind of machine does the whole sweep, shared by the workers of that kind. A worker does one step at a time: look at
its machine, take graphs, build, then program after program. A step that needs its host for itself, such as building or
timing a CPU program, never runs beside another step on the same host.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from runner.errors import RunnerError
from runner.jobs.plan import hash_runtime
from runner.locks import only_writer
from runner.process.interrupts import interrupts_noted
from runner.results.folder import describe_results
from runner.results.records import Record, read_records, repair_records
from runner.sweeps import worker as remote
from runner.sweeps.bundle import pack
from runner.sweeps.life import Life, Lives, Sources, Step, WorkerError
from runner.sweeps.request import Request, Sweep
from runner.sweeps.scheduler import GPU, HOST, OTHER_VERSION, Scheduler, connect, explain

if TYPE_CHECKING:
    from queue import SimpleQueue

    from distributed import Future

    from runner.checkout import Checkout
    from runner.progress import Progress
    from runner.sweeps.scheduler import Offer

_PATIENCE_S = 300.0  # for a worker that can do what is left
_GATHER_S = 30.0


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
    life: Life
    step: Step | None = None
    future: Future[Any] | None = None
    complaint: str | None = None


def run_on_cluster(checkout: Checkout, request: Request, address: str, progress: Progress) -> Sweep:
    """Runs every job of a request that has no result yet, on each kind of machine that a Dask scheduler has workers on.

    Raises:
        RunnerError: the sweep cannot start or go on, or its results cannot be written.
    """
    if not request.build:
        raise RunnerError("--dask and --no-build exclude each other: every worker builds for its own machine")
    programs, graphs = request.open(checkout)
    runtime_sha256 = hash_runtime(checkout)
    sources = Sources(programs, graphs, runtime_sha256, pack(checkout, programs, runtime_sha256))
    with only_writer(request.results), connect(address, insecure=request.insecure) as scheduler:
        describe_results(request.results)
        repair_records(request.results)
        lives = Lives(checkout, request, sources, progress, read_records(request.results))
        with progress.count(0), lives.overhead.phase("workers"):
            _Loop(lives, scheduler, progress).run()
        progress.note(lives.overhead.render())
        records = read_records(request.results)
    jobs = [job for queue in lives.queues.values() for job in queue.jobs]
    return Sweep(lives.sessions, [records[job.key] for job in jobs if job.key in records], lives.overhead)


@dataclass
class _Loop:
    """Decides when each worker may start its next step, until every job has its record."""

    lives: Lives
    scheduler: Scheduler
    progress: Progress
    workers: dict[str, _Worker] = field(default_factory=dict)
    stuck_since: float | None = None
    heard: SimpleQueue[str] = field(init=False)

    def __post_init__(self) -> None:
        self.heard = self.scheduler.listen(self.lives.topic)

    def run(self) -> None:
        """Keeps the workers busy until every job has its record."""
        self.progress.note("waiting for workers")
        try:
            with interrupts_noted() as check_interrupts:  # futures have finalisers, which could lose one
                while not self._is_done():
                    check_interrupts()
                    self._listen()
                    self._meet()
                    for worker in self.workers.values():
                        self._advance(worker)
                    self.scheduler.wait([worker.future for worker in self.workers.values() if worker.future])
        finally:
            self._listen()
        self._name_left_out()

    def _is_done(self) -> bool:
        """Whether there is nothing left to do.

        Raises:
            RunnerError: there is, but nobody to do it.
        """
        if any(worker.step for worker in self.workers.values()) or not (self.workers or self.lives.queues):
            self.stuck_since = None
            return False
        left = sum(len(queue.open) for queue in self.lives.queues.values())
        if self.lives.queues and not left:
            return True
        complaints = [f"{worker.address}: {worker.complaint}" for worker in self.workers.values() if worker.complaint]
        if complaints and not self.lives.queues:
            raise RunnerError(f"no worker can be used; {complaints[0]}")
        self.stuck_since = self.stuck_since or time.monotonic()
        if time.monotonic() - self.stuck_since > _PATIENCE_S:
            why = f" ({complaints[-1]})" if complaints else ""
            raise RunnerError(f"no worker is left for {left} jobs{why}: start some and give the same command to go on")
        return False

    def _listen(self) -> None:
        """Keeps the records that workers have sent from within a step, which they may not live to end."""
        while not self.heard.empty():
            self.lives.keep(Record.model_validate_json(self.heard.get()))

    def _meet(self) -> None:
        """Takes up the workers that have come, and part with those that have gone."""
        offers = self.scheduler.offers()
        for worker in list(self.workers.values()):
            offer = offers.get(worker.address)
            if offer is None or offer.life != worker.offer.life:
                self._bury(worker)
        for address, offer in offers.items():
            if address not in self.workers:
                self.workers[address] = worker = _Worker(address, offer, self.lives.live(address, offer))
                self._go_on(worker)

    def _bury(self, worker: _Worker) -> None:
        """Lets others do what a worker that died was doing."""
        del self.workers[worker.address]
        if worker.future and worker.step and worker.step.queue:
            worker.step.queue.blame(worker.step.jobs)
        is_new = worker.step and worker.step.function is remote.hash_runner
        hint = f"; if it could not import the runner, {OTHER_VERSION}" if is_new else ""
        self._end(worker)
        self.progress.note(f"worker {worker.address} is gone{hint}")

    def _advance(self, worker: _Worker) -> None:
        """Takes what a worker has done, and start what it is to do next as soon as its host allows."""
        if worker.future:
            if worker.future.done():
                self._finish(worker, worker.future)
        elif not worker.step and not worker.complaint:
            self._go_on(worker)
        if worker.step and not worker.future and self._may_start(worker, worker.step):
            step = worker.step
            worker.future = self.scheduler.start(
                worker.address, worker.offer, remote.do, (step.function, step.arguments, step.alone)
            )

    def _may_start(self, worker: _Worker, step: Step) -> bool:
        """Whether the host is free for a step: what needs it for itself waits for all others, and goes first."""
        others = [other for other in self.workers.values() if other is not worker]
        here = [other for other in others if other.offer.host == worker.offer.host]
        if step.alone:
            return not any(other.future for other in here)
        return not any(other.step and other.step.alone for other in here)

    def _finish(self, worker: _Worker, future: Future[Any]) -> None:
        has_failed = future.status == "error"
        try:
            result = future.result(timeout=_GATHER_S)
        except Exception as error:  # whatever went wrong over there costs that worker only
            if isinstance(error, TimeoutError) and not has_failed:
                return  # it died before it handed over what it has done, and will be missed soon
            self._exclude(worker, explain(error))
        else:
            self._go_on(worker, result)

    def _go_on(self, worker: _Worker, result: object = None) -> None:
        """Hands over the result of a worker's step, and learns its next one."""
        worker.step = worker.future = None
        try:
            worker.step = worker.life.send(result)
        except WorkerError as error:
            self._exclude(worker, str(error))

    def _exclude(self, worker: _Worker, complaint: str) -> None:
        """Gives a worker nothing more to do."""
        worker.complaint = complaint
        self._end(worker)
        self.progress.note(f"worker {worker.address} is not used any more: {complaint}")

    def _end(self, worker: _Worker) -> None:
        worker.step = worker.future = None
        worker.life.close()

    def _name_left_out(self) -> None:
        """Says which programs no worker would time.

        Raises:
            RunnerError: all of them.
        """
        for resource in (GPU, HOST):
            programs = self.lives.programs(resource)
            if programs and not any(
                queue.alone == (resource == HOST) for queue in self.lives.queues.values() if queue.jobs
            ):
                reason = f"{len(programs)} programs are left out: no worker offers {resource}"
                if not any(queue.jobs for queue in self.lives.queues.values()):
                    raise RunnerError(reason)
                self.progress.note(reason)
