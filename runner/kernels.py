"""What the kernels of a program take of a multiprocessor, as the compiler says, and how full they leave it."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from generator.output import add
from generator.render import render
from generator.space import load_space
from runner.errors import RunnerError
from runner.jobs.programs import GPU_MODELS
from runner.machine.toolchain import read_toolchain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

    from runner.checkout import Checkout

_BLOCK = 256
"""Threads of a block whose kernel does not say: `block_size` of the runtime."""

_KERNEL = re.compile(
    r"Compiling entry function '(\S+)' for 'sm_(\d+)\w*'.*?(\d+) bytes spill stores.*?Used (\d+) registers([^\n]*)",
    re.S,
)
_SHARED = re.compile(r"(\d+) bytes smem")
_BOUND = re.compile(r"\.entry ([\w$]+)\(.*?\)\s*(?:\.maxntid (\d+))?", re.S)


@dataclass(frozen=True)
class Multiprocessor:
    """What one has room for, as the CUDA C++ Programming Guide tells by compute capability.

    Attributes:
        warps: at once.
        blocks: at once.
        shared: bytes of shared memory for all blocks.
        reserved: bytes that the system takes of it for each block.
    """

    warps: int
    blocks: int
    shared: int
    reserved: int = 1024

    def blocks_of(self, threads: int, registers: int, shared: int) -> int:
        """Returns how many blocks it holds: each of its four parts has 16,384 registers, handed out to warps by 256."""
        warps = -(-threads // 32)
        fitting = 4 * (16_384 // _rounded(32 * registers, 256))
        bytes_each = _rounded(shared + self.reserved, 128)
        by_shared = self.shared // bytes_each if bytes_each else self.blocks
        return min(self.blocks, self.warps // warps, fitting // warps, by_shared)


_KIB = 1024
MULTIPROCESSORS = {
    70: Multiprocessor(64, 32, 96 * _KIB, reserved=0),
    75: Multiprocessor(32, 16, 64 * _KIB, reserved=0),
    80: Multiprocessor(64, 32, 164 * _KIB),
    86: Multiprocessor(48, 16, 100 * _KIB),
    89: Multiprocessor(48, 24, 100 * _KIB),
    90: Multiprocessor(64, 32, 228 * _KIB),
    100: Multiprocessor(64, 32, 228 * _KIB),
    120: Multiprocessor(48, 24, 100 * _KIB),
}


@dataclass(frozen=True)
class Kernel:
    """What a kernel takes, of which shared memory that a launch asks for is no part.

    Attributes:
        name: without namespaces and arguments.
        threads: of a block.
        registers: of a thread.
        shared: bytes of a block.
        spilled: bytes of registers that a thread stores in memory.
        occupancy: the warps that a multiprocessor then holds, of those that it could; None if it is not known.
    """

    name: str
    threads: int
    registers: int
    shared: int
    spilled: int
    occupancy: float | None


def kernels_of(checkout: Checkout, name: str) -> list[Kernel]:
    """Compiles what a program has for GPUs, and returns its kernels by name.

    Raises:
        UserError: no program has this name, or a rule forbids it.
        RunnerError: it has no kernels, there is no nvcc, or it does not compile.
    """
    space = load_space()
    style = space.legal(name)
    if style["model"] not in GPU_MODELS:
        raise RunnerError(f"{name}: has no kernels: it runs on CPUs")
    place, program = checkout.written, render(space, style)
    add([program], place.generated)
    compiler = read_toolchain(place).get(style["model"])
    if compiler is None:
        raise RunnerError("nvcc not found: it compiles kernels")
    with TemporaryDirectory() as folder:
        command = [*compiler.command.split(), "-cubin", "-Xptxas", "-v", "--keep", "--keep-dir", folder]
        command += ["-o", str(Path(folder, "kernels.cubin")), str(Path("generated", program.path))]
        done = subprocess.run(command, cwd=place.root, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RunnerError(f"{name} does not compile: {done.stderr.strip()}")
        assembly = "".join(path.read_text(encoding="utf-8") for path in Path(folder).glob("*.ptx"))
    return sorted(_read(done.stderr + done.stdout, assembly), key=lambda kernel: kernel.name)


def _read(said: str, assembly: str) -> Iterator[Kernel]:
    """Yields the kernels of which ptxas says what they take, and PTX how many threads a block has at most."""
    threads = {name: int(bound or _BLOCK) for name, bound in _BOUND.findall(assembly)}
    found = _KERNEL.findall(said)
    names = _plain([name for name, *_ in found])
    for name, (mangled, capability, spilled, registers, rest) in zip(names, found, strict=True):
        shared = sum(map(int, _SHARED.findall(rest)))
        taken = threads[mangled], int(registers), shared
        here = MULTIPROCESSORS.get(int(capability))
        occupancy = here.blocks_of(*taken) * -(-taken[0] // 32) / here.warps if here else None
        yield Kernel(name, *taken, int(spilled), occupancy)


def _plain(mangled: list[str]) -> list[str]:
    """Returns the names of functions as sources have them: c++filt comes with every compiler."""
    command = ["c++filt", "--no-params", *mangled]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [re.sub(r"<.*>", "", name).split("::")[-1].split(" ")[-1] for name in shown.splitlines()]


def _rounded(number: int, unit: int) -> int:
    return -(-number // unit) * unit


def tabulate(kernels: list[Kernel]) -> Table:
    """Returns kernels as a table for a terminal."""
    from rich.table import Table

    table = Table("kernel")
    for heading in ("threads of a block", "registers", "shared bytes", "spilled bytes", "occupancy"):
        table.add_column(heading, justify="right")
    for kernel in kernels:
        numbers = (kernel.threads, kernel.registers, kernel.shared, kernel.spilled)
        full = "unknown" if kernel.occupancy is None else f"{kernel.occupancy:.0%}"
        table.add_row(kernel.name, *map(str, numbers), full)
    return table
