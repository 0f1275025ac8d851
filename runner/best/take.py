"""The fastest program for a graph as a library, and how it was found."""

from __future__ import annotations

from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from generator.errors import UserError
from generator.export import export
from generator.render import render
from generator.space import load_space
from runner.best.find import explain
from runner.errors import RunnerError
from runner.machine.machine import this_machine

if TYPE_CHECKING:
    from pathlib import Path

    from runner.best.find import Answer

_SHOWN = 10


def check_folder(directory: Path) -> None:
    """Raises RunnerError unless a library can be written there: before the search, not after it."""
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise RunnerError(f"--export {directory}: exists and is not an empty folder; name another")
    there = next(each for each in (directory, *directory.absolute().parents) if each.exists())
    check_writable(there, f"--export {directory}")


def check_writable(folder: Path, option: str) -> None:
    """Raises RunnerError, for an option as it was given, unless a file can be made in a folder."""
    try:
        TemporaryFile(dir=folder).close()
    except OSError as error:
        raise RunnerError(f"{option}: cannot write to {folder}: {error.strerror}; name another") from None


def export_winner(answer: Answer, directory: Path, name: str | None = None, load: str | None = None) -> None:
    """Writes the winner as a library of a name to a new folder; its README ends with how it was found.

    Args:
        answer: has the winner.
        directory: new, or empty.
        name: of the library; none: the program's.
        load: of the machine by other work, before the search, if it was busy.

    Raises:
        RunnerError: the folder has something in it, or cannot be written.
    """
    space = load_space()
    try:
        style = space.parse(answer.winner.program.name)
        threads = answer.winner.parameters.threads or 1
        export(render(space, style), space.algorithms[style["algorithm"]], directory, threads, name)
        with (directory / "README.md").open("a", encoding="utf-8") as readme:
            readme.write(describe(answer, load))
    except (UserError, OSError) as error:
        raise RunnerError(f"--export {directory}: {error}") from None


def describe(answer: Answer, load: str | None) -> str:
    """Says in Markdown what was tried, how it ranked, on which machine, and how busy that was if it was."""
    job, machine = answer.winner, this_machine()
    gpus = "".join(f", {gpu.name} (driver {gpu.driver})" for gpu in machine.gpus)
    busy = [f"**It was busy** before the search (load {load}): when idle, others may be the fastest."] if load else []
    works = [candidate for candidate in answer.ranking.candidates if candidate.samples_s]
    rows = [
        f"| {rank} | {candidate.median_s:.4g} | {len(candidate.samples_s)} | `{candidate.name}` |"
        for rank, candidate in enumerate(works[:_SHOWN], start=1)
    ]
    return "\n".join(
        [
            "",
            "## How it was chosen",
            "",
            f"As the fastest on `{job.graph.name}`, of {job.graph.vertices} vertices and {job.graph.edges} directed "
            f"edges (SHA-256 `{job.graph.sha256[:16]}`): {explain(answer)}.",
            "",
            f"Machine: {machine.cpu}, {machine.cpu_threads} threads{gpus}; CPU programs ran "
            f"{job.parameters.threads} threads, bound to no CPUs, as the library does.",
            *busy,
            "",
            "| rank | median s | samples | program |",
            "|---:|---:|---:|---|",
            *rows,
            "",
        ]
    )
