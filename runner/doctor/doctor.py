"""Checks of the machine: can it build the programs, run them, and time them in peace?"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import psutil
from rich.text import Text

from runner.doctor.check import Check, Level
from runner.doctor.noise import check_noise
from runner.doctor.peers import check_peers
from runner.machine.machine import this_machine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_MIN_GCC, _MIN_CUDA, _MIN_MAKE = (11,), (12,), (4,)
_MIN_MEMORY_GIB, _MIN_DISK_GIB = 4, 2

_OPENMP = """
#include <omp.h>
int main() { return omp_get_max_threads() < 1; }
"""
_ATOMIC_COMPARE = """
void lower(int& value, int candidate) {
#pragma omp atomic compare
  if (candidate < value) { value = candidate; }
}
"""


def diagnose(directory: Path) -> list[Check]:
    """Checks everything; `directory` is where the programs are built."""
    return [
        _make(),
        _compiler(),
        _openmp(),
        _atomic_compare(),
        _nvcc(),
        _gpu(),
        *check_peers(),
        _memory(),
        _disk(directory),
        *check_noise(),
    ]


def render(checks: Sequence[Check]) -> Text:
    """Writes one line a check."""
    styles = {Level.OK: "green", Level.WARN: "yellow", Level.FAIL: "bold red"}
    text = Text()
    for check in checks:
        text.append(f"{check.level:<5}", styles[check.level])
        text.append(f"{check.subject}: {check.finding}" + (f"; {check.advice}" if check.advice else "") + "\n")
    return text


def _make() -> Check:
    return _version_check("make", ["make", "--version"], r"GNU Make ([\d.]+)", _MIN_MAKE, Level.FAIL)


def _compiler() -> Check:
    return _version_check("g++", ["g++", "-dumpfullversion"], r"([\d.]+)", _MIN_GCC, Level.FAIL)


def _nvcc() -> Check:
    return _version_check("nvcc", ["nvcc", "--version"], r"release ([\d.]+)", _MIN_CUDA, Level.WARN)


def _openmp() -> Check:
    if _compiles(_OPENMP):
        return Check(Level.OK, "OpenMP", "works")
    return Check(Level.FAIL, "OpenMP", "a program with -fopenmp does not compile", "install g++ with libgomp")


def _atomic_compare() -> Check:
    if _compiles(_ATOMIC_COMPARE):
        return Check(Level.OK, "OpenMP atomic compare", "works")
    finding = "not understood by g++: atomic minima loop over a compare-and-swap instead"
    return Check(Level.WARN, "OpenMP atomic compare", finding, "g++ 12 and newer have it")


def _gpu() -> Check:
    gpus = this_machine().gpus
    if not gpus:
        return Check(Level.WARN, "GPU", "nvidia-smi shows none", "CUDA programs will be skipped")
    names = ", ".join(f"{gpu.name} (compute capability {gpu.compute_capability})" for gpu in gpus)
    return Check(Level.OK, "GPU", f"{names}, driver {gpus[0].driver}")


def _memory() -> Check:
    free_gib = psutil.virtual_memory().available / 2**30
    enough = free_gib >= _MIN_MEMORY_GIB
    advice = "" if enough else "large graphs may not fit: close other programs"
    return Check(Level.OK if enough else Level.WARN, "memory", f"{free_gib:.1f} GiB free", advice)


def _disk(directory: Path) -> Check:
    free_gib = shutil.disk_usage(directory).free / 2**30
    enough = free_gib >= _MIN_DISK_GIB
    advice = "" if enough else f"builds and graphs need {_MIN_DISK_GIB} GiB: free some"
    return Check(Level.OK if enough else Level.WARN, "disk", f"{free_gib:.1f} GiB free", advice)


def _version_check(name: str, command: Sequence[str], pattern: str, minimum: tuple[int, ...], if_bad: Level) -> Check:
    """Checks that a tool is there and new enough."""
    wanted = ".".join(map(str, minimum))
    found = re.search(pattern, _output(command))
    if not found:
        return Check(if_bad, name, "not found", f"install version {wanted} or newer and put it on PATH")
    if tuple(int(part) for part in found[1].split(".")) < minimum:
        return Check(if_bad, name, f"version {found[1]} is too old", f"install {wanted} or newer")
    return Check(Level.OK, name, found[1])


def _output(command: Sequence[str]) -> str:
    """Returns what a command prints, nothing if it is missing or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError):
        return ""


def _compiles(source: str) -> bool:
    """Whether g++ accepts an OpenMP program and can link it, which takes the OpenMP library as well."""
    output = ["-c", "-o", os.devnull] if "main" not in source else ["-o", os.devnull]
    command = ["g++", "-std=c++20", "-fopenmp", "-x", "c++", "-", *output]
    try:
        return (
            subprocess.run(command, input=source, text=True, capture_output=True, check=False, timeout=60).returncode
            == 0
        )
    except (OSError, subprocess.SubprocessError):
        return False
