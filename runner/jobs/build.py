"""Compiles the programs of a sweep with the build rules, before anything is timed."""

from __future__ import annotations

import csv
import errno
import os
import signal
import subprocess
from typing import TYPE_CHECKING

from runner.errors import RunnerError
from runner.machine.toolchain import make_command
from runner.process.interrupts import interrupts_held, let_interrupts_through
from runner.process.limits import adopt_orphans, die_with_parent, kill_marked, mark, number_job

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from runner.checkout import Checkout
    from runner.jobs.programs import Program

_STDERR = 2
_FULL = os.strerror(errno.ENOSPC)
_ERROR_TAIL = 2000  # characters of a compiler's output that are kept


def build(checkout: Checkout, programs: Collection[Program]) -> dict[str, str]:
    """Brings programs, and what they share, up to date; one that does not compile stops no other.

    Returns:
        What the compiler said of each program that does not compile, by name.

    Raises:
        RunnerError: what all programs share does not compile, or nothing can be written where they are built, or
            where a compiler writes.
    """
    selection = checkout.build / "selection.csv"
    try:
        _write_selection(selection, programs)
    except OSError as error:
        raise RunnerError(f"cannot write to {checkout.build}: {error.strerror}") from None
    _make(checkout, f"MANIFEST={selection.relative_to(checkout.root)}")
    complaints = {program.name: _complaint(program) for program in programs if not program.binary.exists()}
    if any(_FULL in complaint for complaint in complaints.values()):
        raise RunnerError(f"programs cannot be compiled: {_FULL}")  # for which no record should blame them
    return complaints


def build_shared(checkout: Checkout) -> None:
    """Brings up to date what all programs share, and violet-reference.

    Raises:
        RunnerError: it does not compile.
    """
    _make(checkout, "runtime")


def _make(checkout: Checkout, what: str) -> None:
    """Runs the build rules.

    Raises:
        RunnerError: what all programs share does not compile.
    """
    command = make_command(
        "--keep-going",
        f"--jobs={len(os.sched_getaffinity(0))}",
        "PROGRAMS=*",  # whatever a `make run PROGRAMS=...` above us says
        what,
    )
    job = number_job()
    adopt_orphans()
    with interrupts_held():
        make = subprocess.Popen(
            command, cwd=checkout.root, stdout=_STDERR, env={**os.environ, **mark(job)}, preexec_fn=_set_up_child
        )
    try:
        with make:
            try:
                make.wait()
            except BaseException:
                make.terminate()
                raise
    finally:
        kill_marked(job)  # compilers: make, when it is ended, ends only the shells that it runs them in
    if os.isatty(_STDERR):
        os.write(_STDERR, b"\033[K")  # the line of the last program
    if not (checkout.build / "runtime" / "libviolet.a").exists():
        raise RunnerError("the runtime that all programs share does not compile; see above")


def _set_up_child() -> None:
    die_with_parent(signal.SIGTERM)
    let_interrupts_through()


def is_current(program: Program, checkout: Checkout) -> bool:
    """Whether a program's binary is newer than all it is made of."""
    try:
        built = program.binary.stat().st_mtime_ns
    except FileNotFoundError:
        return False
    sources = [program.source, *checkout.runtime_files, checkout.build / f"{program.model}.command"]
    return all(source.stat().st_mtime_ns <= built for source in sources)


def _write_selection(path: Path, programs: Collection[Program]) -> None:
    """Writes a manifest of some programs: a command line could not hold the names of all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["name", "model", "algorithm"])
        writer.writerows([program.name, program.model, program.algorithm] for program in programs)


def _complaint(program: Program) -> str:
    try:
        said = program.binary.with_name(f"{program.name}.log").read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return "make did not get as far as compiling it"
    return said.strip()[-_ERROR_TAIL:]
