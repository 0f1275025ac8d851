"""Exports programs as libraries, compiles each by itself and holds it against the serial reference."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.algorithms import load_algorithms
from generator.config import covering, find_config, select_styles
from generator.errors import UserError
from generator.export import export, files, obstacle
from generator.render import render
from generator.space import load_space, name_of
from runner.hashing import hash_values
from trust.build import WORK, need_gpu
from trust.pool import for_each, run_command
from trust.records import Table, Tally
from trust.tools import CUDA, TOOLS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from generator.render import Program

COLUMNS = ["program", "sha256", "model", "status", "detail"]
_STATUSES = ("verified", "does not compile", "wrong", "leaks")

_SANITIZED = "-O1 -g1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=undefined"
# Kernels go unwatched: `trust clean` watches them in programs, and where processes share a GPU the tool stops loops of
# CUDA graphs for accesses that it places inside of an allocation itself.
_LEAKS = (
    *("compute-sanitizer", "--tool", "memcheck", "--leak-check", "full", "--kernel-regex", "kns=none"),
    *("--error-exitcode", "9", "test/check"),
)
_TIMEOUT_S = 600.0


@dataclass(frozen=True)
class _Task:
    program: Program
    label: dict[str, object]
    folder: Path

    def __str__(self) -> str:
        return self.program.name


def measure(config: str, models: tuple[str, ...], out: Path, *, jobs: int) -> int:
    """Checks libraries in which every two values of a config meet, and appends how each did; returns how many failed.

    Each is compiled in a folder that has nothing else, and its `make check` solves several graphs one after the other.
    AddressSanitizer and UBSan watch a CPU library, and compute-sanitizer tells whether a CUDA library leaves memory.

    Args:
        config: such as "all".
        models: whose programs.
        out: CSV file; what it holds already is not checked again, but counts.
        jobs: libraries at a time.

    Raises:
        UserError: there is no such config, it has no program of these models, a tool is missing, or no GPU computes
            that libraries need.
    """
    for command in ("make", *(("nvcc", _LEAKS[0]) if models == CUDA else ("g++",))):
        if not shutil.which(command):
            raise UserError(f"{command} is missing; libraries cannot be checked without it")
    space = load_space()
    algorithms = load_algorithms()
    styles = [
        style for style in select_styles(space, find_config(config)) if style["model"] in models and not obstacle(style)
    ]
    if not styles:
        raise UserError(f"{config} selects no program of {', '.join(models)} that can be a library")
    tally = Tally(Table(out, COLUMNS, ("sha256",), _STATUSES), _fault)
    need_gpu(models, TOOLS[0])
    tasks = []
    for style in sorted(covering(styles, 2), key=name_of):
        program = render(space, style)
        identity = hash_values({**files(program, algorithms[style["algorithm"]])})
        if not tally.holds(identity):
            label: dict[str, object] = {"program": program.name, "sha256": identity, "model": style["model"]}
            tasks.append(_Task(program, label, WORK / "exports" / program.name))
    for_each(tasks, _measure, lambda row: tally.add([row]), jobs=jobs, title="exports")
    return tally.faults


def _fault(row: Mapping[str, object]) -> str | None:
    return f"{row['program']}: {row['status']}: {row['detail']}" if row["status"] != "verified" else None


def _measure(task: _Task) -> dict[str, object]:
    shutil.rmtree(task.folder, ignore_errors=True)
    export(task.program, load_algorithms()[task.program.style["algorithm"]], task.folder)
    is_cuda = task.program.style["model"] in CUDA
    make = ["make", "-s", *([] if is_cuda else [f"CXXFLAGS={_SANITIZED}"])]
    steps = [("does not compile", [*make, "test/check", "example"]), ("wrong", [*make, "check"])]
    if is_cuda:
        steps.append(("leaks", [*_LEAKS]))
    for failure, command in steps:
        said = _failure(command, task.folder)
        if said is not None:
            return {**task.label, "status": failure, "detail": said}
    shutil.rmtree(task.folder)
    return {**task.label, "status": "verified", "detail": ""}


def _failure(command: list[str], folder: Path) -> str | None:
    """Runs a command; returns what it says last if it fails, or None."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
    try:
        done = run_command(command, folder, environment, _TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return f"{command[0]} takes longer than {_TIMEOUT_S:g} s"
    if done.returncode == 0:
        return None
    return " ".join((done.stderr + done.stdout).split())[-500:]
