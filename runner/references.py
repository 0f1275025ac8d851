"""Results of the serial algorithms, computed once and shared by all programs that must agree with them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from runner.execute import execute_all
from runner.hashing import hash_values

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from runner.checkout import Checkout
    from runner.plan import Job


class References:
    """Reference results on disk, by what determines them: their name, graph, source and the runtime that computes."""

    def __init__(self, checkout: Checkout, runtime_sha256: str, timeout_s: float) -> None:
        self._program = checkout.build / "violet-reference"
        self._directory = checkout.references
        self._runtime_sha256 = runtime_sha256
        self._timeout_s = timeout_s

    def find(self, job: Job) -> Path | None:
        """Return the file with a job's reference, or None if there is none: the program then computes its own."""
        path = self._path(job)
        return path if path.exists() else None

    def compute(self, jobs: Iterable[Job]) -> None:
        """Compute the references that jobs lack, in parallel; one that fails is left out."""
        missing = {path: job for job in jobs if not (path := self._path(job)).exists()}
        self._directory.mkdir(parents=True, exist_ok=True)
        commands = [self._command(path, job) for path, job in missing.items()]
        succeeded = execute_all(commands, self._timeout_s, parallel=len(os.sched_getaffinity(0)))
        for path, success in zip(missing, succeeded, strict=True):
            if success:
                _unfinished(path).replace(path)
            else:
                _unfinished(path).unlink(missing_ok=True)

    def _command(self, path: Path, job: Job) -> list[str]:
        command = [str(self._program), job.program.reference, str(job.graph.path), str(_unfinished(path))]
        if job.parameters.source is not None:
            command += ["--source", str(job.parameters.source)]
        return command

    def _path(self, job: Job) -> Path:
        identity = [job.program.reference, job.graph.sha256, job.parameters.source, self._runtime_sha256]
        return self._directory / f"{hash_values(list(identity))[:32]}.ref"


def _unfinished(path: Path) -> Path:
    """Return where a reference is written until it is complete."""
    return path.with_suffix(".tmp")
