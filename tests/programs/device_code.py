"""Compiles the device code of many CUDA programs: nvcc takes most of its time for headers, so those share a call that
include the same."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from generator.output import write
from tests.memory import keep, key_of, recall, version_of
from tests.programs.store import runtime_identity

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from generator.render import Program
    from generator.space import Space

NVCC = shutil.which("nvcc") or ""

_AT_ONCE = 32  # programs a call, so that all cores are busy


def compile_device_code(
    space: Space, programs: list[Program], folder: Path, optimised: bool = False
) -> dict[str, tuple[int, str]]:
    """Returns the exit code and the words of the compiler for each program, by name; groups without any are remembered.

    What it warns of, such as what is unused or has no value, it says before it optimises, which takes half of the time.
    """
    write(space, programs, folder)
    flags = [] if optimised else _without_optimisation()

    def compile_one(source: Path) -> tuple[int, str]:
        command = [NVCC, "-std=c++20", "-arch=sm_90", "-cubin", *flags, f"-I{folder}/runtime", source]
        said = subprocess.run([*command, "-o", "/dev/null"], capture_output=True, text=True, check=False)
        return said.returncode, said.stderr

    def compile_group(number: int, group: list[Program]) -> dict[str, tuple[int, str]]:
        text = _all_in_one(group)
        key = key_of("device code", text, flags, runtime_identity(("*.hpp", "*.cuh")), version_of(NVCC))
        source = folder / f"group-{number}.cu"
        source.write_text(text)
        if recall(key) or compile_one(source) == (0, ""):
            keep(key, True)
            return {program.name: (0, "") for program in group}
        return {program.name: compile_one(folder / program.path) for program in group}  # of which is it said?

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = pool.map(compile_group, itertools.count(), _with_the_same_headers(programs))
        return {name: said for group in found for name, said in group.items()}


def _without_optimisation() -> list[str]:
    known = subprocess.run([NVCC, "--help"], capture_output=True, text=True, check=True).stdout
    return ["--Ofast-compile=max"] if "--Ofast-compile" in known else []


def _with_the_same_headers(programs: Iterable[Program]) -> list[list[Program]]:
    """Returns programs in groups that include the same headers, so that none lacks what another one includes."""
    groups: dict[str, list[Program]] = {}
    for program in programs:
        groups.setdefault(_headers(program), []).append(program)
    return [group[first : first + _AT_ONCE] for group in groups.values() for first in range(0, len(group), _AT_ONCE)]


def _headers(program: Program) -> str:
    return "".join(re.findall(r"^#include .*\n", program.text, re.MULTILINE))


def _all_in_one(group: list[Program]) -> str:
    """Returns programs that include the same headers, each in a namespace.

    They are not included: of functions that nobody calls, the compiler tells in the main file only.
    """
    each = (f"namespace program_{number} {{\n{program.text}}}\n" for number, program in enumerate(group))
    return _headers(group[0]) + "".join(each)
