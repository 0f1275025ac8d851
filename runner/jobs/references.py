"""Results of the serial algorithms, computed once and shared by all programs that must agree with them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from runner.hashing import has_content, hash_file, hash_values
from runner.process.execute import execute_all

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pydantic import JsonValue

    from runner.jobs.graphs import Graph

_TIMEOUT_S = 3600.0
"""For one reference, which may take longer than a job: without it, every program would compute its own in its time."""


_LARGE = 2**27
"""Directed edges from which on a certificate is sooner there than a reference, unless very many programs share that."""


if TYPE_CHECKING:
    from runner.process.execute import Ended

    Track = Callable[[Iterator[Ended], int], Iterator[Ended]]


def _unseen(ended: Iterator[Ended], _: int) -> Iterator[Ended]:
    return ended


@dataclass(frozen=True)
class Problem:
    """What a serial algorithm is asked to solve.

    Attributes:
        algorithm: the name of the serial algorithm.
        graph: its input.
        source: the vertex that searches begin at; None leaves the choice to the program.
        query: what else is asked, as names and values of options.
        certified: whether programs can verify a result by the graph alone.
    """

    algorithm: str
    graph: Graph
    source: int | None = None
    query: tuple[tuple[str, int | str], ...] = ()
    certified: bool = False

    @property
    def needs_reference(self) -> bool:
        """Whether a reference is worth the time that it takes."""
        return not (self.certified and self.graph.edges >= _LARGE)


class References:
    """Results of serial algorithms on disk, by what determines them: the problem and the runtime that solves it.

    Args:
        program: violet-reference.
        directory: where the results are kept.
        runtime_sha256: identity of what the program is made of.
    """

    def __init__(self, program: Path, directory: Path, runtime_sha256: str) -> None:
        self._program = program
        self._directory = directory
        self._runtime_sha256 = runtime_sha256
        self._complaints: dict[Problem, str] = {}

    def find(self, problem: Problem) -> Path | None:
        """Returns the file with the solution, or None if there is none: programs then computes their own."""
        path = self._path(problem)
        return path if path.exists() else None

    def complaint(self, problem: Problem) -> str | None:
        """Returns why a problem was not solved, in one line, if that was tried."""
        return self._complaints.get(problem)

    def compute(self, problems: Iterable[Problem], track: Track = _unseen) -> None:
        """Solves the problems that need it and have no sound solution yet, in parallel; one that fails is left out.

        Each solution is kept as soon as it is there, so an interrupt costs those that are under way. `track` shows how
        many there are: it is given what ends one by one and their number, and returns the same.
        """
        wanted = {self._path(problem): problem for problem in problems}  # each read once, however often it is wanted
        self._directory.mkdir(parents=True, exist_ok=True)
        missing = {}
        for path, problem in wanted.items():
            if not _is_sound(path):
                if problem.needs_reference:
                    missing[path] = problem
                else:
                    _keep(path, success=False)
        paths = list(missing)
        commands = [self._command(path, problem) for path, problem in missing.items()]
        ended = execute_all(commands, _TIMEOUT_S, parallel=len(os.sched_getaffinity(0)))
        for each in track(ended, len(commands)) if commands else ():
            path = paths[each.index]
            graph = missing[path].graph
            if each.complaint is not None:
                self._complaints[missing[path]] = each.complaint
            _keep(path, each.complaint is None and has_content(graph.path, graph.sha256))

    def _command(self, path: Path, problem: Problem) -> list[str]:
        command = [str(self._program), problem.algorithm, str(problem.graph.path), str(_unfinished(path))]
        if problem.source is not None:
            command += ["--source", str(problem.source)]
        return command + [word for name, value in problem.query for word in (f"--{name}", str(value))]

    def _path(self, problem: Problem) -> Path:
        asked: dict[str, JsonValue] = {"source": problem.source, **dict(problem.query)}
        identity = hash_values([problem.algorithm, problem.graph.sha256, asked, self._runtime_sha256])
        return self._directory / f"{identity[:32]}.ref"


def _keep(path: Path, success: bool) -> None:
    """Gives a result its name once it is complete."""
    if success:
        _checksum(path).write_text(hash_file(_unfinished(path)), encoding="ascii")
        _unfinished(path).replace(path)
    else:
        _unfinished(path).unlink(missing_ok=True)
        path.unlink(missing_ok=True)  # damaged: programs are to compute their own


def _is_sound(path: Path) -> bool:
    """Whether a reference is there and is what was written."""
    try:
        return hash_file(path) == _checksum(path).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return False


def _checksum(path: Path) -> Path:
    """Returns where the hash of a reference is kept."""
    return path.with_suffix(".sha256")


def _unfinished(path: Path) -> Path:
    """Returns where a reference is written until it is complete."""
    return path.with_suffix(".tmp")
