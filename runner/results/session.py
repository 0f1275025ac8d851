"""The circumstances of one run, kept beside its results."""

import os
import platform
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psutil
from pydantic import BaseModel, ValidationError

from generator.manifest import DIGITS
from generator.runtime import HEADERS
from runner.checkout import Checkout
from runner.errors import RunnerError, warn
from runner.hashing import hash_file
from runner.jobs.graphs import Graph
from runner.jobs.plan import Parameters
from runner.machine.conditions import GpuConditions, observe_gpus
from runner.machine.links import read_links
from runner.machine.machine import Machine
from runner.machine.toolchain import Compiler

_ENVIRONMENT = ("OMP_", "GOMP_", "CUDA_", "VIOLET_")  # variables that change how programs run


class Session(BaseModel):
    """What is the same for all jobs of one run; `results/sessions/ID.json`."""

    id: str
    started: datetime
    command_line: list[str]
    seed: int
    timeout_s: float
    parameters: Parameters
    graphs: list[Graph]
    machine: Machine
    gpu_links: dict[str, str] = {}
    toolchain: dict[str, Compiler]
    headers: dict[str, str] = {}
    """What each header of the runtime held: the first digits of its SHA-256."""
    gpus_before: list[GpuConditions] = []
    gpus_after: list[GpuConditions] = []
    environment: dict[str, str]
    cpus: list[int] = []
    host: str
    system: str
    python: str
    commit: str | None
    dirty: bool | None
    load_average: tuple[float, float, float]
    memory_available_mib: int


def start_session(
    checkout: Checkout,
    *,
    seed: int,
    timeout_s: float,
    parameters: Parameters,
    graphs: list[Graph],
    machine: Machine,
    toolchain: dict[str, Compiler],
) -> Session:
    """Describes a run that starts now."""
    return Session(
        **_origin(checkout.root),
        seed=seed,
        timeout_s=timeout_s,
        parameters=parameters,
        graphs=graphs,
        machine=machine,
        gpu_links=read_links(),
        toolchain=toolchain,
        headers={
            str(path.relative_to(checkout.runtime)): hash_file(path)[:DIGITS]
            for path in checkout.runtime_files
            if path.suffix in HEADERS
        },
        gpus_before=observe_gpus(),
        environment={name: value for name, value in os.environ.items() if name.startswith(_ENVIRONMENT)},
        cpus=sorted(os.sched_getaffinity(0)),
        host=platform.node(),
        system=platform.platform(),
        python=platform.python_version(),
        load_average=psutil.getloadavg(),
        memory_available_mib=psutil.virtual_memory().available >> 20,
    )


def end_session(session: Session) -> Session:
    """Returns a session whose last job is done."""
    return session.model_copy(update={"gpus_after": observe_gpus()})


def adopt_session(session: Session, root: Path) -> Session:
    """Returns the session of another machine as one of ours: by our clock, our command line and our checkout."""
    return session.model_copy(update=_origin(root))


def save_session(session: Session, results: Path) -> None:
    """Writes a session so that its file is either complete or not there.

    Raises:
        RunnerError: it cannot be written.
    """
    directory = results / "sessions"
    unfinished = directory / f".{session.id}.json"
    try:
        directory.mkdir(parents=True, exist_ok=True)
        unfinished.write_text(session.model_dump_json(indent=2) + "\n", encoding="utf-8")
        unfinished.replace(directory / f"{session.id}.json")
    except OSError as error:
        with suppress(OSError):
            unfinished.unlink()
        raise RunnerError(f"cannot write to {directory}: {error.strerror}") from None


def read_sessions(results: Path) -> list[Session]:
    """Returns the sessions of a folder, oldest first; what is none is left out, with a warning that names it."""
    found = [_read_session(path) for path in sorted((results / "sessions").glob("*.json")) if path.is_file()]
    return [session for session in found if session]


def _read_session(path: Path) -> Session | None:
    try:
        return Session.model_validate_json(path.read_bytes())
    except ValidationError as error:
        problem = error.errors()[0]
        where = ".".join(str(part) for part in problem["loc"])
        warn(f"{path}: left out, not a session: {where} {problem['msg']}")
    except OSError as error:
        warn(f"{path}: left out, cannot be read: {error.strerror}")
    return None


def _origin(root: Path) -> dict[str, Any]:
    """Returns the fields that say when and from what a run was started."""
    started = datetime.now(UTC)
    changes = _git(root, "status", "--porcelain")
    return {
        "id": f"{started:%Y%m%dT%H%M%S-%f}",  # sorts by age
        "started": started,
        "command_line": sys.argv,
        "commit": _git(root, "rev-parse", "HEAD"),
        "dirty": None if changes is None else bool(changes),
    }


def _git(root: Path, *arguments: str) -> str | None:
    """Returns what git prints, or None outside a repository."""
    try:
        done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)  # noqa: S607
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
