"""How many loads does a kernel have under way before it needs the first one?

    python -m benchmarks.loads_under_way [--nvccflags=-maxrregcount=40] generated/cuda/pr/NAME.cu ...

A thread that walks a row waits for memory all the time, unless the compiler has it ask for several values before it
uses the first. That takes registers, and nvcc spares them: it may give loads up for more threads at a time. Printed is,
for each kernel of each program, of the stretch of instructions without a jump that loads most from global memory: how
many loads it has, and how many others a load is followed by, in the mean, before an instruction needs what it loads.
The last column is about the innermost loops that load from addresses that they have loaded, one after the other: how
many such loads a pass has. One is the rest of a loop that nvcc has unrolled, as in "1 16", or a loop that it has not.

Programs are compiled with nvcc and read with nvdisasm, which is in the CUDA toolkit and in the package
nvidia-cuda-nvdisasm. No GPU is needed, and nothing is timed.
"""

import argparse
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from generator.errors import UserError
from generator.terminal import told_in_one_line

_KERNEL = re.compile(r"^\s*\.section\s+\.text\.(\w+),")
_LABEL = re.compile(r"^\s*(\.L_x_\d+):")
_GOES_TO = re.compile(r"^\s*/\*[0-9a-f]+\*/.*\bBRA\b.*`\((\.L_x_\d+)\)")
_INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]+\*/\s+(?:@!?U?P\d+\s+)?([A-Z][A-Z0-9_.]*)\s*(.*?)\s*;")
_REGISTER = re.compile(r"\bR(\d+)(\.64)?\b")
_JUMPS = ("BRA", "EXIT", "RET", "BRX", "JMP", "CALL")
_WRITES_MEMORY = ("ST", "RED", "ATOM")


class Instruction(NamedTuple):
    """An instruction of SASS."""

    operation: str
    """Such as `LDG.E.CONSTANT`."""
    target: int | None
    """The register that it writes first; None if it writes none."""
    sources: frozenset[int]
    """The registers that it reads."""

    @property
    def loads(self) -> bool:
        """Whether it loads from global memory."""
        return self.operation.startswith("LDG")


Block = list[Instruction]


def blocks_of(sass: str) -> dict[str, list[Block]]:
    """Returns the basic blocks of each kernel in what nvdisasm prints, by its mangled name."""
    kernels: dict[str, list[Block]] = {}
    for kernel, lines in _kernels(sass):
        blocks = kernels[kernel] = [[]]
        for line in lines:
            if _LABEL.match(line):
                blocks.append([])
            elif found := _INSTRUCTION.match(line):
                blocks[-1].append(_instruction(found[1], found[2]))
                if found[1].startswith(_JUMPS):
                    blocks.append([])
    return kernels


def loops_of(sass: str) -> dict[str, list[Block]]:
    """Returns the loops without another one inside of each kernel in what nvdisasm prints, by its mangled name."""
    kernels: dict[str, list[Block]] = {}
    for kernel, lines in _kernels(sass):
        instructions, labels, spans = Block(), dict[str, int](), list[tuple[int, int]]()
        for line in lines:
            if label := _LABEL.match(line):
                labels[label[1]] = len(instructions)
            elif found := _INSTRUCTION.match(line):
                instructions.append(_instruction(found[1], found[2]))
                if (jump := _GOES_TO.match(line)) and jump[1] in labels:
                    spans.append((labels[jump[1]], len(instructions)))
        inner = [
            (begin, end)
            for begin, end in spans
            if not any((b, e) != (begin, end) and begin <= b and e <= end for b, e in spans)
        ]
        kernels[kernel] = [instructions[begin:end] for begin, end in sorted(inner)]
    return kernels


def _kernels(sass: str) -> Iterator[tuple[str, list[str]]]:
    for section in re.split(r"^(?=[ \t]*\.section)", sass, flags=re.MULTILINE):
        if kernel := _KERNEL.match(section):
            yield kernel[1], section.splitlines()


def chains_of(loop: Block) -> int:
    """Returns how many loads a pass has from addresses that follow from what it has loaded."""
    count = 0
    loaded: set[int] = set()  # registers that follow from loads of this pass
    for each in loop:
        follows = not loaded.isdisjoint(each.sources)
        count += each.loads and follows
        if each.target is not None:
            (loaded.add if each.loads or follows else loaded.discard)(each.target)
    return count


def under_way(blocks: list[Block]) -> tuple[int, float]:
    """Returns the loads of the block that has most, and how many others follow one before it is needed, in the mean."""
    block = max(blocks, key=lambda block: sum(each.loads for each in block))
    followers = [_followers(block, place) for place, each in enumerate(block) if each.loads]
    return len(followers), sum(followers) / len(followers) if followers else 0.0


def registers_of(said: str) -> dict[str, int]:
    """Returns the registers that a thread of each kernel has, by its mangled name, from what `nvcc -Xptxas -v` says."""
    found = re.findall(r"Compiling entry function '(\w+)'.*?Used (\d+) registers", said, re.DOTALL)
    return {kernel: int(count) for kernel, count in found}


def _followers(block: Block, place: int) -> int:
    count = 0
    for each in block[place + 1 :]:
        if block[place].target in each.sources:
            break
        count += each.loads
    return count


def _instruction(operation: str, operands: str) -> Instruction:
    first, _, rest = operands.partition(",")
    writes = not operation.startswith(_WRITES_MEMORY)
    target = _REGISTER.search(first) if writes else None
    sources = _registers(rest if writes else operands)
    return Instruction(operation, int(target[1]) if target else None, frozenset(sources))


def _registers(operands: str) -> Iterator[int]:
    for number, wide in _REGISTER.findall(operands):
        yield int(number)
        if wide:
            yield int(number) + 1


def name_of(mangled: str) -> str:
    """Returns the last part of a mangled name, without namespaces and types."""
    name, rest = mangled, mangled.removeprefix("_ZN").removeprefix("_Z")
    while length := re.match(r"\d+", rest):
        rest = rest[length.end() :]
        name, rest = rest[: int(length[0])], rest[int(length[0]) :]
    return name


@told_in_one_line()
def main() -> None:
    """Prints a line for each kernel."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=Path, nargs="+", metavar="PROGRAM.cu")
    parser.add_argument("--nvccflags", default="", help="further flags of nvcc")
    parser.add_argument("--nvdisasm", default="nvdisasm", help="where that is (default: on the PATH)")
    asked = parser.parse_args()
    print("program,kernel,registers,loads,others under way,chains of loops")
    with TemporaryDirectory() as folder:
        cubin = Path(folder, "kernels.cubin")
        for program in asked.programs:
            runtime = program.resolve(strict=True).parents[2] / "runtime"
            command = ["nvcc", "-std=c++20", "-O3", "-arch=sm_90", f"-I{runtime}", "-Xptxas", "-v", "-cubin"]
            compiled = _run([*command, *shlex.split(asked.nvccflags), str(program), "-o", str(cubin)])
            registers = registers_of(compiled.stderr)
            sass = _run([asked.nvdisasm, "-c", str(cubin)]).stdout
            loops = loops_of(sass)
            for kernel, blocks in blocks_of(sass).items():
                loads, others = under_way(blocks)
                chains = " ".join(str(chains) for loop in loops[kernel] if (chains := chains_of(loop)))
                print(f"{program.stem},{name_of(kernel)},{registers[kernel]},{loads},{others:.1f},{chains}", flush=True)


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True)
    except FileNotFoundError:
        raise UserError(f"{command[0]} not found: it is in the CUDA toolkit") from None
    except subprocess.CalledProcessError as error:
        raise UserError(f"{shlex.join(command)} failed:\n{error.stderr}") from None


if __name__ == "__main__":
    main()
