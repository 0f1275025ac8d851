"""Compiles the programs of a sweep with the build rules, before anything is timed."""

from __future__ import annotations

import csv
import errno
import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

from runner.errors import RunnerError
from runner.machine.toolchain import make_command
from runner.process.interrupts import interrupts_held, let_interrupts_through
from runner.process.job import die_with_parent, job

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from runner.checkout import Checkout
    from runner.jobs.programs import Program

_STDERR = 2
_FULL = os.strerror(errno.ENOSPC)
_ERROR_TAIL = 2000  # characters of a compiler's output that are kept
_NOT_REACHED = "make did not get as far as compiling it"


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
    began = time.time_ns()
    left = _make(checkout, f"MANIFEST={selection.relative_to(checkout.root)}", began)
    earlier = {program.name: _NOT_REACHED for program in programs if program.binary.relative_to(checkout.root) in left}
    failed = {program.name: _complaint(program, began) for program in programs if not program.binary.exists()}
    if any(_FULL in complaint for complaint in failed.values()):
        raise RunnerError(f"programs cannot be compiled: {_FULL}")  # for which no record should blame them
    return earlier | failed


def build_shared(checkout: Checkout) -> None:
    """Brings up to date what all programs share, and violet-reference.

    Raises:
        RunnerError: it does not compile.
    """
    _make(checkout, "runtime", time.time_ns())


def _make(checkout: Checkout, what: str, began: int) -> set[Path]:
    """Runs the build rules.

    Args:
        checkout: where.
        what: goal or variable.
        began: the time, in ns since the epoch.

    Returns:
        What they could not bring up to date, in the checkout: earlier files of these names may be there.

    Raises:
        RunnerError: what all programs share does not compile.
    """
    goals = ["--keep-going", "PROGRAMS=*", what]  # whatever a `make run PROGRAMS=...` above us says
    command = make_command(f"--jobs={len(os.sched_getaffinity(0))}", *goals)

    def set_up_child() -> None:
        join()
        die_with_parent(signal.SIGTERM)
        let_interrupts_through()

    with job() as join:  # of compilers, too: make, when it is ended, ends only the shells that it runs them in
        with interrupts_held():
            make = subprocess.Popen(command, cwd=checkout.root, stdout=_STDERR, preexec_fn=set_up_child)
        with make:
            try:
                make.wait()
            except BaseException:
                make.terminate()
                raise
    if os.isatty(_STDERR):
        os.write(_STDERR, b"\033[K")  # the line of the last program
    left = left_to_make(checkout.root, goals, began) if make.returncode else set()
    build = checkout.build.relative_to(checkout.root)
    if left & {build / "runtime" / "libviolet.a", build / "violet-reference"}:
        raise RunnerError("the runtime that all programs share does not compile: see above, and `violet doctor`")
    return left


def left_to_make(root: Path, goals: Sequence[str], began: int) -> set[Path]:
    """Returns the files, in the root, that the build rules would still make: a command moves each into place.

    What has just been made is none of them, though a source with a date in the future is newer.

    Args:
        root: of the checkout.
        goals: goals and variables, as they were made.
        began: the time when that began, in ns since the epoch.
    """
    command = make_command("--dry-run", *goals)
    commands = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False).stdout
    files = (Path(file) for file in re.findall(r"^mv (\S+)\.tmp ", commands, re.MULTILINE))
    return {file for file in files if not _is_written_since(root / file, began)}


def _is_written_since(file: Path, began: int) -> bool:
    return file.exists() and file.stat().st_mtime_ns >= began


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


def _complaint(program: Program, began: int) -> str:
    log = program.binary.with_name(f"{program.name}.log")
    if not _is_written_since(log, began):
        return _NOT_REACHED
    return log.read_text(encoding="utf-8", errors="replace").strip()[-_ERROR_TAIL:]
