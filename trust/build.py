"""Generates the programs of a config and compiles them for a tool, below build/trust."""

from __future__ import annotations

import os
import re
import shutil
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock

from generator.config import find_config, select_styles
from generator.errors import UserError
from generator.output import render_all, write
from generator.paths import workspace
from generator.runtime import runtime_files
from generator.space import load_space
from generator.terminal import say
from runner.hashing import hash_values
from runner.jobs.build import left_to_make
from runner.jobs.programs import GPU_MODELS
from runner.machine.toolchain import make_command
from runner.process.execute import execute
from trust.pool import run_command

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.render import Program
    from generator.space import Space, Style
    from trust.tools import Tool

HOME = workspace()
WORK = HOME / "build" / "trust"
_LIBRARY = Path("runtime", "libviolet.a")
_CHECK_TIMEOUT_S = 60.0
_MACHINE = re.compile(  # lines of make and compilers: killed, or not even started
    r".*(?:No space left on device|Cannot allocate memory|memory exhausted|cc1plus: out of memory"
    r"|internal compiler error|unable to execute command|\bKilled\b|\bError 12[67]\b).*"
)


@dataclass(frozen=True)
class Built:
    """A program that has been built for a tool.

    Attributes:
        style: of the program.
        label: what tables say of it: name, model, and a hash of all that it is made of, as what was measured of another
            one does not count for it.
        binary: the file to run.
        tool: what it is built for.
    """

    style: Style
    label: dict[str, object]
    binary: Path
    tool: Tool


@dataclass(frozen=True)
class Suite:
    """The programs of a config, generated."""

    name: str
    programs: list[Program]
    runtime: str

    @property
    def generated(self) -> Path:
        """Where the sources are."""
        return WORK / f"{self.name}-generated"

    def identity(self, program: Program) -> str:
        """Returns a hash of all that a program is made of."""
        return hash_values([program.sha256, self.runtime])

    def binary(self, program: Program, tool: Tool) -> Path:
        """Returns where a program's binary for a tool is, once built."""
        style = program.style
        return self.binary_folder(tool) / style["model"] / style["algorithm"] / program.name

    def built(self, program: Program, tool: Tool) -> Built:
        """Returns what a measurement needs to know of a program that has been built."""
        label: dict[str, object] = {"program": program.name, "sha256": self.identity(program)}
        label["model"] = program.style["model"]
        return Built(program.style, label, self.binary(program, tool), tool)

    def binary_folder(self, tool: Tool) -> Path:
        """Returns where all is that is built for a tool."""
        return WORK / f"{self.name}-{tool.build}"


def generate(config: str, models: Sequence[str]) -> Suite:
    """Writes the programs of a config that belong to some models.

    Raises:
        UserError: there is no such config, or it selects nothing of these models.
    """
    say(f"writing the programs of {config}", error=True)
    space = load_space()
    styles = [style for style in select_styles(space, find_config(config)) if style["model"] in models]
    if not styles:
        raise UserError(f"{config} selects no program of {', '.join(models)}")
    programs = render_all(space, styles, os.cpu_count() or 1)
    stem = re.sub(r"[^\w.-]", "_", Path(config).stem)  # what make takes for no syntax
    return write_suite(space, f"{stem}-{'-'.join(models)}", programs)


def write_suite(space: Space, name: str, programs: list[Program]) -> Suite:
    """Writes programs, and the runtime that they need."""
    suite = Suite(name, programs, hash_values({str(path): text for path, text in runtime_files().items()}))
    write(space, programs, suite.generated)
    return suite


def compile_all(suite: Suite, tool: Tool, programs: Iterable[Program], jobs: int) -> None:
    """Compiles programs of a suite for a tool; those that are up to date cost nothing.

    Raises:
        UserError: a program does not compile.
    """
    missing, said = compile_possible(suite, tool, programs, jobs)
    if missing:
        raise UserError(f"{missing[0]} and {len(missing) - 1} more do not compile: {said[-2000:]}")


def compile_possible(suite: Suite, tool: Tool, programs: Iterable[Program], jobs: int) -> tuple[list[str], str]:
    """Compiles programs of a suite for a tool; returns the names of those that fail, and what the compiler says.

    Raises:
        UserError: what they share does not compile.
    """
    programs = list(programs)
    if not programs:
        return [], ""
    compile_runtime(tool, jobs)
    selection = WORK / f"{suite.name}-{tool.build}.csv"
    rows = [f"{program.name},{program.style['model']},{program.style['algorithm']}\n" for program in programs]
    with FileLock(selection.with_suffix(".lock")):  # another measurement may need the same
        selection.write_text("name,model,algorithm\n" + "".join(rows), encoding="utf-8")
        settings = {"MANIFEST": _relative(selection), "PROGRAMS": "*"}
        settings["LIBRARY"] = _relative(runtime_folder(tool) / _LIBRARY)
        left, said = _make(suite.generated, suite.binary_folder(tool), tool, jobs, **settings)
    binaries = {program.name: suite.binary(program, tool) for program in programs}
    if left - {*binaries.values()}:
        raise UserError(f"what all programs share does not compile: {said[-2000:]}")
    return [name for name, binary in binaries.items() if binary in left or not binary.is_file()], said


def blame_machine(said: str) -> None:
    """Ends what goes on if a compiler has failed for no fault of what it compiles.

    Args:
        said: by the compiler.

    Raises:
        UserError: it has.
    """
    if match := _MACHINE.search(said):
        raise UserError(f"the compiler fails, whatever it compiles: {match[0].strip()}")


def runtime_folder(tool: Tool) -> Path:
    """Returns where what all programs share is, built for a tool; `violet-reference`, too."""
    return WORK / f"runtime-{tool.build}"


def compile_runtime(tool: Tool, jobs: int) -> Path:
    """Compiles what all programs share for a tool, whatever suite they belong to; returns the archive.

    Raises:
        UserError: it does not compile.
    """
    _make_shared("runtime", tool, jobs)
    return runtime_folder(tool) / _LIBRARY


def gpu_check(tool: Tool) -> Path:
    """Returns where the program is that keeps the GPU open, built for a tool by `need_gpu`."""
    return runtime_folder(tool) / "violet-gpu-check"


def need_gpu(models: Sequence[str], tool: Tool) -> None:
    """Has the GPU compute something, unless programs of these models need none: with a bad one, all would fail.

    Raises:
        UserError: it does not, there is none, or no compiler for it.
    """
    if not {*GPU_MODELS} & {*models}:
        return
    if not shutil.which("nvcc"):
        raise UserError("nvcc is missing; programs for GPUs cannot be measured without it")
    check = gpu_check(tool)
    _make_shared(_relative(check), tool, 1)
    outcome = execute([str(check)], _CHECK_TIMEOUT_S)
    if outcome.exit_code != 0:
        said = outcome.stderr.decode(errors="replace").strip() or f"{check}: exit code {outcome.exit_code}"
        raise UserError(f"programs for GPUs cannot be measured, as none computes here: {said}")


def _make_shared(target: str, tool: Tool, jobs: int) -> None:
    generated = WORK / "runtime-generated"
    tool = replace(tool, flags={**tool.flags, **tool.runtime_flags})
    with FileLock(WORK / "runtime.lock"):
        write(load_space(), [], generated)
        left, said = _make(generated, runtime_folder(tool), tool, jobs, target)
    if left:
        raise UserError(f"the runtime does not compile: {said[-2000:]}")


def _make(
    generated: Path, folder: Path, tool: Tool, jobs: int, *targets: str, **settings: str
) -> tuple[set[Path], str]:
    """Applies the build rules; returns what they could not bring up to date, and what the compiler says of it.

    Earlier files of these names may be there.
    """
    settings = {"GENERATED": _relative(generated), "BUILD": _relative(folder), **settings, **tool.flags}
    goals = ["-k", *targets, *(f"{key}={value}" for key, value in settings.items())]
    began = time.time_ns()
    command = make_command("-s", f"-j{jobs}", *goals)
    done = run_command(command, HOME, os.environ)
    said = done.stderr.strip()
    if not done.returncode:
        return set(), said
    left = left_to_make(HOME, goals, began)
    if not left:  # not even the rules could be read
        raise UserError(f"make fails: {said[-2000:]}")
    return {HOME / file for file in left}, said


def _relative(path: Path) -> str:
    return str(path.relative_to(HOME))
