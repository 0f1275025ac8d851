"""Results of the serial algorithms, computed once and shared by all programs that must agree with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runner.execute import execute
from runner.hashing import hash_values

if TYPE_CHECKING:
    from pathlib import Path

    from runner.checkout import Checkout
    from runner.plan import Job


class References:
    """Reference results on disk, by what determines them: algorithm, graph, source and the runtime that computes."""

    def __init__(self, checkout: Checkout, runtime_sha256: str, timeout_s: float) -> None:
        self._program = checkout.build / "violet-reference"
        self._directory = checkout.references
        self._runtime_sha256 = runtime_sha256
        self._timeout_s = timeout_s

    def find(self, job: Job) -> Path | None:
        """Return the file with a job's reference, or None if there is none: the program then computes its own."""
        path = self._path(job)
        return path if path.exists() else None

    def ensure(self, job: Job) -> Path | None:
        """Return the file with a job's reference, computed if need be; None if that fails."""
        path = self._path(job)
        if path.exists():
            return path
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".tmp")
        command = [str(self._program), job.program.algorithm, str(job.graph.path), str(unfinished)]
        if job.parameters.source is not None:
            command += ["--source", str(job.parameters.source)]
        try:
            if execute(command, self._timeout_s).exit_code != 0:
                return None
            unfinished.replace(path)
        except OSError:
            return None
        return path

    def _path(self, job: Job) -> Path:
        identity = [job.program.algorithm, job.graph.sha256, job.parameters.source, self._runtime_sha256]
        return self._directory / f"{hash_values(list(identity))[:32]}.ref"
