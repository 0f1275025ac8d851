"""What a Dask worker does for a sweep: look at its machine, stage graphs, build, time. It needs Violet's environment.

Everything lies in the worker's own scratch folder and goes with it.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from distributed import get_worker
from distributed.core import Status

from runner.checkout import BUILD_RULES, Checkout
from runner.errors import RunnerError
from runner.hashing import has_content, hash_file, hash_values
from runner.jobs.build import build, build_shared
from runner.jobs.check import find_bad_graph
from runner.jobs.plan import Job, Parameters, hash_runtime
from runner.jobs.references import References
from runner.machine.machine import this_machine
from runner.machine.toolchain import read_toolchain
from runner.process.job import kill_jobs
from runner.process.limits import default_memory_bytes
from runner.results.session import Session, start_session
from runner.sweeps.bundle import Bundle, unpack
from runner.timing.together import share_processes, time_together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from runner.jobs.graphs import Graph
    from runner.process.execute import Ended
    from runner.results.records import Record
    from runner.timing.measure import Settings

_POLL_S = 0.2  # how soon it is noticed that nobody waits for a step any more


@dataclass(frozen=True)
class Survey:
    """What a worker is and has.

    Attributes:
        session: its circumstances; the number of threads is its own if none was asked for.
        lacking: the graphs that it does not have, by hash.
    """

    session: Session
    lacking: frozenset[str]


@dataclass(frozen=True)
class Prepared:
    """What has become of what some jobs need.

    Attributes:
        complaints: what the compiler said of each program that does not compile, by name.
        bad_graph: hash of a graph that no program accepts, and what is wrong with it; nothing is timed then.
    """

    complaints: dict[str, str]
    bad_graph: tuple[str, str] | None = None


@dataclass(frozen=True)
class Timed:
    """What has become of some jobs.

    Attributes:
        records: of those that are done.
        complaint: why this worker can do no more, if so.
    """

    records: list[Record]
    complaint: str | None = None


def hash_runner() -> str:
    """Returns the hash of the runner's own sources: both ends must be the same."""
    files = [BUILD_RULES, *BUILD_RULES.parent.rglob("*.py")]
    return hash_values({str(path.relative_to(BUILD_RULES.parent)): hash_file(path) for path in files})


def do(function: Callable[..., Any], arguments: Sequence[Any], alone: bool) -> Any:
    """Does a step while its host allows, for as long as somebody waits for it.

    A client that was interrupted and a scheduler that died cannot say so, but both end the task here.

    Args:
        function: one of the following.
        arguments: of the function.
        alone: whether it needs its host for itself.

    Raises:
        RunnerError: nobody waits for it any more.
    """
    with _hold_host(alone=alone), _watched():
        return function(*arguments)


def survey(bundle: Bundle, graphs: Sequence[Graph], parameters: Parameters, seed: int, timeout_s: float) -> Survey:
    """Unpacks the programs and sees what the machine is like.

    Args:
        bundle: the programs.
        graphs: of the sweep, where the client has them.
        parameters: of the sweep.
        seed: of the sweep.
        timeout_s: of a job.

    Raises:
        RunnerError: the machine has no `make`.
        OSError: the scratch folder cannot be written.
    """
    checkout = _checkout(bundle.name)
    unpack(bundle, checkout.root)
    session = start_session(
        checkout,
        seed=seed,
        timeout_s=timeout_s,
        parameters=parameters.model_copy(update={"threads": parameters.threads or len(os.sched_getaffinity(0))}),
        graphs=list(graphs),
        machine=this_machine(),
        toolchain=read_toolchain(checkout),
    )
    lacking = frozenset(graph.sha256 for graph in graphs if _find_graph(graph) is None)
    return Survey(session, lacking)


def receive(session: str, sha256: str, offset: int, content: bytes) -> None:
    """Takes a piece of a graph; another sweep may send the same one at the same time.

    Raises:
        OSError: it cannot be written.
    """
    path = _unchecked(session, sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("r+b" if offset else "wb") as file:
        file.seek(offset)
        file.write(content)


def accept(session: str, sha256: str) -> None:
    """Checks a graph of which all pieces have come.

    Raises:
        RunnerError: it is not what it should be.
    """
    path = _unchecked(session, sha256)
    if hash_file(path) != sha256:
        raise RunnerError("a graph changed while it was sent: give the same command again")
    path.replace(_staged(sha256))


def prepare(bundle: str, jobs: Sequence[Job]) -> Prepared:
    """Checks the graphs of some jobs, builds what they need, and computes their references.

    Args:
        bundle: name of the bundle that `survey` unpacked.
        jobs: what is to be timed, here or elsewhere.

    Raises:
        RunnerError: what all programs share does not compile, or nobody waits for this any more.
        OSError: the scratch folder cannot be written.
    """
    checkout = _checkout(bundle)
    here = _here(checkout, jobs)
    if not here:
        return Prepared({})
    build_shared(checkout)
    if bad := find_bad_graph(checkout, here):
        graph, said = bad
        sent = next(job.graph for job in jobs if job.graph.sha256 == graph.sha256)
        return Prepared({}, (graph.sha256, said.replace(str(graph.path), str(sent.path))))
    _go_on()
    complaints = build(checkout, {job.program for job in here})
    _go_on()

    def track(ended: Iterator[Ended], _: int) -> Iterator[Ended]:
        for each in ended:
            _go_on()
            yield each

    _references(checkout).compute((job.problem for job in here), track)
    return Prepared(complaints)


def time_jobs(bundle: str, jobs: Sequence[Job], settings: Settings, topic: str) -> Timed:
    """Times jobs of one program that `prepare` has built.

    Each record is also sent under a topic as soon as it is certain, lest it be lost with this worker or its client.
    """
    checkout = _checkout(bundle)
    references = _references(checkout)
    settings = replace(settings, memory_bytes=settings.memory_bytes or default_memory_bytes())
    records: list[Record] = []

    def keep(record: Record) -> None:
        _go_on()
        records.append(record)
        get_worker().log_event(topic, record.model_dump_json())

    try:
        for group in share_processes(_here(checkout, jobs), references):
            time_together(group, references, settings, checkout.gpu_check, keep)
    except RunnerError as error:
        return Timed(records, str(error))
    return Timed(records)


@contextmanager
def _hold_host(*, alone: bool) -> Iterator[None]:
    """Waits until the steps of other workers on this host allow one more, be they of another sweep.

    The client sees to that for its own sweep, as far as the host has one name. The lock is the system's, of the folder
    that the scratch folders of all workers are in, and ends with its process. Some shared file systems have no locks.

    Raises:
        RunnerError: nobody waits for the step any more.
    """
    folder = os.open(Path(get_worker().local_directory).parent, os.O_RDONLY)
    try:
        with suppress(OSError):
            fcntl.flock(folder, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
        _go_on()
        yield
    finally:
        os.close(folder)


@contextmanager
def _watched() -> Iterator[None]:
    """Kills what a step runs once nobody waits for it any more."""
    done, is_wanted = Event(), _task()

    def watch() -> None:
        while not done.wait(_POLL_S):
            if not is_wanted():
                kill_jobs()  # again and again: the step may just have been starting one

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _task() -> Callable[[], bool]:
    """Returns what tells whether somebody waits for the step that this thread does."""
    worker = get_worker()
    task = worker.state.tasks[worker.get_current_task()]
    return lambda: task.state == "executing" and worker.status in (Status.running, Status.paused)


def _go_on() -> None:
    """Raises RunnerError if nobody waits for this step any more."""
    if not _task()():
        raise RunnerError("nobody waits for it any more")


def _checkout(name: str) -> Checkout:
    return Checkout(_folder() / name)


def _folder() -> Path:
    return Path(get_worker().local_directory) / "violet"


def _references(checkout: Checkout) -> References:
    return References(checkout.reference_program, checkout.references, _hash_runtime(checkout))


@lru_cache
def _hash_runtime(checkout: Checkout) -> str:
    return hash_runtime(checkout)


def _here(checkout: Checkout, jobs: Sequence[Job]) -> list[Job]:
    """Returns jobs with the paths that programs and graphs have on this machine.

    Raises:
        RunnerError: a graph is not there any more.
    """
    return [replace(job, program=job.program.in_checkout(checkout), graph=_graph_here(job.graph)) for job in jobs]


def _graph_here(graph: Graph) -> Graph:
    path = _find_graph(graph)
    if path is None:
        raise RunnerError(f"{graph.path} has changed: give the same command again")
    return graph.model_copy(update={"path": path})


def _find_graph(graph: Graph) -> Path | None:
    """Returns where a graph is: at its own path, if the content is the same, or where it was sent to."""
    for path in (graph.path, _staged(graph.sha256)):
        if has_content(path, graph.sha256):
            return path
    return None


def _staged(sha256: str) -> Path:
    return _folder() / "graphs" / f"{sha256}.egr"


def _unchecked(session: str, sha256: str) -> Path:
    return _staged(sha256).with_suffix(f".{session}")
