"""What a Dask worker does for a sweep: look at its machine, stage graphs, build, time. It needs Violet's environment.

Everything lies in the worker's own scratch folder and goes with it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from distributed import get_worker

from runner.checkout import BUILD_RULES, Checkout
from runner.cluster.bundle import Bundle, unpack
from runner.errors import RunnerError
from runner.hashing import has_content, hash_file, hash_values
from runner.jobs.build import build
from runner.jobs.plan import Job, Parameters, hash_runtime
from runner.jobs.references import References
from runner.machine.machine import this_machine
from runner.machine.toolchain import read_toolchain
from runner.process.limits import default_memory_bytes, kill_jobs
from runner.results.session import Session, start_session
from runner.timing.timing import share_processes, time_together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from runner.jobs.graphs import Graph
    from runner.results.records import Record
    from runner.timing.measure import Settings

_timing: set[str] = set()  # session whose jobs are being timed here, if any
_stopped: set[str] = set()  # sessions whose jobs are not to go on


@dataclass(frozen=True)
class Survey:
    """What a worker is and has.

    Attributes:
        version: hash of its runner; see `hash_runner`.
        session: its circumstances; the number of threads is its own if none was asked for.
        lacking: the graphs that it does not have, by hash.
    """

    version: str
    session: Session
    lacking: frozenset[str]


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
        checkout.root,
        seed=seed,
        timeout_s=timeout_s,
        parameters=parameters.model_copy(update={"threads": parameters.threads or len(os.sched_getaffinity(0))}),
        graphs=list(graphs),
        machine=this_machine(),
        toolchain=read_toolchain(checkout),
    )
    lacking = frozenset(graph.sha256 for graph in graphs if _find_graph(graph) is None)
    return Survey(hash_runner(), session, lacking)


def receive(sha256: str, offset: int, content: bytes) -> None:
    """Takes a piece of a graph.

    Raises:
        OSError: it cannot be written.
    """
    path = _unchecked(sha256)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("r+b" if offset else "wb") as file:
        file.seek(offset)
        file.write(content)


def accept(sha256: str) -> None:
    """Checks a graph of which all pieces have come.

    Raises:
        RunnerError: it is not what it should be.
    """
    path = _unchecked(sha256)
    if hash_file(path) != sha256:
        raise RunnerError("a graph changed while it was sent: give the same command again")
    path.replace(_staged(sha256))


def prepare(bundle: str, jobs: Sequence[Job]) -> dict[str, str]:
    """Builds what some jobs need, and computes their references.

    Args:
        bundle: name of the bundle that `survey` unpacked.
        jobs: what is to be timed, here or elsewhere.

    Returns:
        What the compiler said of each program that does not compile, by name.

    Raises:
        RunnerError: what all programs share does not compile.
    """
    checkout = _checkout(bundle)
    here = _here(checkout, jobs)
    complaints = build(checkout, {job.program for job in here})
    _references(checkout).compute(job.problem for job in here)
    return complaints


def time_jobs(bundle: str, jobs: Sequence[Job], settings: Settings) -> Timed:
    """Times jobs of one program that `prepare` has built."""
    checkout = _checkout(bundle)
    references = _references(checkout)
    settings = replace(settings, memory_bytes=settings.memory_bytes or default_memory_bytes())
    records: list[Record] = []

    def keep(record: Record) -> None:
        if settings.session in _stopped:
            raise RunnerError("stopped")
        records.append(record)

    _timing.add(settings.session)
    try:
        for group in share_processes(_here(checkout, jobs), references):
            time_together(group, references, settings, checkout.gpu_check, keep)
    except RunnerError as error:
        return Timed(records, str(error))
    finally:
        _timing.remove(settings.session)
    return Timed(records)


def stop(sessions: frozenset[str]) -> None:
    """Ends what is being timed for some sessions; called beside `time_jobs`, by another thread."""
    _stopped.update(sessions)
    if _timing & sessions:
        kill_jobs()


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


def _unchecked(sha256: str) -> Path:
    return _staged(sha256).with_suffix(".part")
