"""Checks of the machine: can it build the programs, run them, and time them in peace?"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import psutil
from rich.text import Text

from runner.checkout import Checkout
from runner.doctor.check import Check, Level
from runner.doctor.noise import check_noise
from runner.doctor.peers import check_peers
from runner.errors import RunnerError
from runner.machine.machine import this_machine
from runner.machine.toolchain import read_toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from runner.machine.toolchain import Toolchain

_MIN_GCC, _MIN_CUDA, _MIN_MAKE = (11,), (12,), (4,)
_MIN_MEMORY_GIB, _MIN_DISK_GIB = 4, 2

_CPP = "int main() {}\n"
_CUDA = "__global__ void nothing() {}\nint main() {}\n"
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


def diagnose(directory: Path) -> Iterator[Check]:
    """Checks everything, one after the other.

    Args:
        directory: the checkout, whose build rules say which compilers and flags they use.
    """
    yield _make()
    with TemporaryDirectory() as scratch:
        try:
            toolchain = read_toolchain(Checkout(directory), f"BUILD={scratch}")
        except RunnerError as error:
            yield Check(Level.FAIL, "compilers", str(error), "without them nothing can be built")
            toolchain = {}
        else:
            builder = _Builder(directory, toolchain, Path(scratch))
            yield from _cpu_compilers(builder)
            yield from _gpu_compiler(builder)
    cuda = toolchain.get("cuda")
    yield _gpu()
    yield from check_peers(cuda.command.split() if cuda else ["nvcc"])
    yield _memory()
    yield _disk(directory)
    yield from check_noise()


@dataclass(frozen=True)
class _Builder:
    """The compilers of the build rules.

    Attributes:
        root: of the checkout.
        toolchain: compilers and their flags.
        scratch: a folder for what they write.
    """

    root: Path
    toolchain: Toolchain
    scratch: Path

    def complaint(self, model: str, source: str) -> str | None:
        """Compiles a program, and links it if it has a main function; returns what the compiler says, or None."""
        is_cuda = model == "cuda"
        file = self.scratch / f"trial.{'cu' if is_cuda else 'cpp'}"
        file.write_text(source, encoding="utf-8")
        only_compile = [] if "main" in source else ["-c"]
        command = [*self.toolchain[model].command.split(), str(file), *only_compile, "-o", str(self.scratch / "trial")]
        try:
            done = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False, timeout=120)
        except (OSError, subprocess.SubprocessError) as error:
            return str(error)
        said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        blamed = next((line for line in said if "error" in line or "fatal" in line), said[0] if said else "no reason")
        return blamed if done.returncode else None


def render(check: Check) -> Text:
    """Writes a line."""
    styles = {Level.OK: "green", Level.WARN: "yellow", Level.FAIL: "bold red"}
    finding = "; ".join(filter(None, (f"{check.subject}: {check.finding}", check.advice)))
    return Text.assemble((f"{check.level:<5}", styles[check.level]), finding)


def _make() -> Check:
    found = re.search(r"GNU Make ([\d.]+)", _output(["make", "--version"]))
    return _judge_version("make", found[1] if found else "", _MIN_MAKE, Level.FAIL)


def _cpu_compilers(builder: _Builder) -> list[Check]:
    compiler = builder.toolchain["cpp"]
    name = compiler.command.split()[0]
    version = _judge_version(name, compiler.version, _MIN_GCC, Level.FAIL)
    if version.level is not Level.OK:
        return [version, Check(Level.FAIL, "OpenMP", "there is no compiler for it", version.advice)]
    if complaint := builder.complaint("cpp", _CPP):
        mend = "mend CXXFLAGS" if os.environ.get("CXXFLAGS") else f"install {name} anew"
        return [version, Check(Level.FAIL, "C++", f"a program does not compile: {complaint}", mend)]
    if complaint := builder.complaint("openmp", _OPENMP):
        finding = f"a program with -fopenmp does not compile: {complaint}"
        return [version, Check(Level.FAIL, "OpenMP", finding, "install g++ with libgomp")]
    if builder.complaint("openmp", _ATOMIC_COMPARE):
        finding = f"not understood by {name}: atomic minima loop over a compare-and-swap instead"
        compare = Check(Level.WARN, "OpenMP atomic compare", finding, "g++ 12 and newer have it")
    else:
        compare = Check(Level.OK, "OpenMP atomic compare", "works")
    return [version, Check(Level.OK, "OpenMP", "works"), compare]


def _gpu_compiler(builder: _Builder) -> list[Check]:
    compiler = builder.toolchain.get("cuda")
    if compiler is None:
        return [_judge_version("nvcc", "", _MIN_CUDA, Level.WARN)]
    version = _judge_version(compiler.command.split()[0], compiler.version, _MIN_CUDA, Level.WARN)
    if complaint := builder.complaint("cuda", _CUDA):
        advice = "mend CUDA_ARCH, NVCCFLAGS or NVCC_APPEND_FLAGS; CUDA programs cannot be built"
        return [version, Check(Level.WARN, "CUDA", f"a program does not compile: {complaint}", advice)]
    return [version]


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


def _judge_version(name: str, version: str, minimum: tuple[int, ...], if_bad: Level) -> Check:
    """Says whether a tool is there, which has a version then, and new enough."""
    wanted = ".".join(map(str, minimum))
    found = re.match(r"[\d.]*\d", version)
    if not found:
        return Check(if_bad, name, "not found", f"install version {wanted} or newer and put it on PATH")
    if tuple(int(part) for part in found[0].split(".")) < minimum:
        return Check(if_bad, name, f"version {version} is too old", f"install {wanted} or newer")
    return Check(Level.OK, name, version)


def _output(command: Sequence[str]) -> str:
    """Returns what a command prints, nothing if it is missing or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
