"""Translates CUDA programs, and the runtime's headers for them, to C++ for the emulator, see cuda_runtime.h.

What C++ does not have is little: launches, variables in shared memory, and four statements of PTX. Whatever else there
is of it ends the translation; a function of CUDA that the emulator lacks ends the compilation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_LAUNCH = re.compile(r"(\w+(?:<\w+>)?)<<<(.*?), (\w+)(?:, \w+, (stream))?>>>\(")
_DYNAMIC = re.compile(r"extern __shared__ (\w+) (\w+)\[\];")
_SHARED = re.compile(r"__shared__ ([\w:<>, ]+?) (\w+)((?:\[[^\]]+\])?);")
_SHARED_BYTES = 232448  # of a block, at most: all of it where a launch says how much
_LOAD = re.compile(
    r'asm volatile\("ld\.(?:relaxed\.gpu|(?P<orders>acquire)\.(?:gpu|sys))(?P<global>\.global)?\.\w+ %0, \[%1\];"'
    r' : "=\w"\((?P<value>\w+)\) : "l"\((?P<variable>\w+)\)(?(orders) : "memory"|)\);'
)
_STORE = re.compile(
    r'asm volatile\("st\.(?:relaxed\.gpu|(?P<orders>release)\.(?:gpu|(?P<system>sys)))\.global\.\w+ \[%0\], %1;"'
    r' ::"l"\((?P<variable>\w+)\), "\w"\((?P<value>\w+)\)(?(orders) : "memory"|)\);'
)
_ADD = re.compile(
    r'asm volatile\("atom\.add\.acq_rel\.gpu\.global\.u32 %0, \[%1\], %2;"\s*'
    r': "=r"\((\w+)\)\s*: "l"\((\w+)\), "r"\((\w+)\)\s*: "memory"\);'
)
_CLOCK = re.compile(r'asm volatile\("mov\.u64 %0, %%globaltimer;" : "=l"\((\w+)\)\);')
_USUAL_DIGITS = 8
_OF_BLOCKS = {
    "device.cuh": {
        f"constexpr int block_digits = {_USUAL_DIGITS};": "constexpr int block_digits = {digits};",
        "constexpr int single_block_size = 1024;": "constexpr int single_block_size = 4 << {digits};",
    },
    "flags.cuh": {
        "    static_assert(block_size / most_parts >= warp_size);  // a group has whole warps\n": "",
        "    return {number / each, groups": "    emulator::require_warps(each);\n    return {{number / each, groups",
    },
}
"""What a header says of the size of blocks, and what it says of others."""
_UNKNOWN = re.compile(r"<<<|>>>|\basm\b|\b__shared__\b|#include <(?:cuda/|cooperative_groups)")
_LIBCUXX = ("#ifdef __CUDA_ARCH__\n#include <cuda/atomic>\n", '#if true\n#include "atomic_ref.h"\n')
"""What a header has of libcu++, and what the emulator has in its place."""


class UnknownError(ValueError):
    """There is something that the emulator does not know."""


def translate(text: str) -> str:
    """Returns C++ that does what a CUDA source does.

    Raises:
        UnknownError: it has something that the emulator does not know.
    """
    text = _LAUNCH.sub(_launch, text)
    text = _DYNAMIC.sub(rf"__shared__ \1 \2[{_SHARED_BYTES} / sizeof(\1)];", text)
    text = _SHARED.sub(r"auto& \2 = emulator::shared<\1\3, decltype([] {})>();", text)
    text = _LOAD.sub(_load, text)
    text = _STORE.sub(_store, text)
    text = _ADD.sub(r"emulator::require_global(\2); \1 = ::atomicAdd(\2, \3);", text)
    text = _CLOCK.sub(r"\1 = emulator::nanoseconds();", text)
    for number, line in enumerate(text.splitlines(), start=1):
        if _UNKNOWN.search(line.partition("//")[0]):
            raise UnknownError(f"line {number}: the emulator does not know this: {line.strip()}")
    return text


def _load(found: re.Match[str]) -> str:
    check = f"emulator::require_global({found['variable']}); " if found["global"] else ""
    return f"{check}{found['value']} = emulator::load({found['variable']});"


def _store(found: re.Match[str]) -> str:
    scope = "all" if found["system"] else "device"
    check = f"emulator::require_global({found['variable']});"
    return f"{check} emulator::store({found['variable']}, {found['value']}, emulator::Scope::{scope});"


def _launch(found: re.Match[str]) -> str:
    kernel, blocks, threads, stream = found.groups(default="nullptr")
    call = f"[](auto... arguments) {{ {kernel}(arguments...); }}"
    return f'emulator::launch({stream}, "{kernel}", {blocks}, {threads}, {call}, '


def translate_all(generated: Path, out: Path, block_digits: int = _USUAL_DIGITS) -> None:
    """Makes `out` hold the CUDA programs of an output directory of the generator, and the runtime's headers, as C++.

    Files that are right already are left alone, so that make does not build them again.

    Args:
        generated: the output directory.
        out: the folder for what is translated.
        block_digits: of the number of threads of a block, in binary: smaller blocks take less time, and graphs more of
            them. Where the kernels of parts meet, a program stops if its blocks have no warp for each part.
    """
    sources = (path for model in ("cuda", "multigpu") for path in generated.glob(f"{model}/*/*.cu"))
    texts = {out / "programs" / f"{path.stem}.cpp": path for path in sources}
    for pattern in ("*.cuh", "*.hpp"):
        texts |= {out / "runtime" / path.name: path for path in (generated / "runtime").glob(pattern)}
    for stale in {*out.glob("programs/*"), *out.glob("runtime/*")} - texts.keys():
        stale.unlink()
    for path, source in texts.items():
        text = source.read_text(encoding="utf-8")
        if block_digits != _USUAL_DIGITS:
            text = _with_blocks(text, source.name, block_digits)
        _write_if_different(path, translate(text.replace(*_LIBCUXX)))


def _with_blocks(text: str, name: str, digits: int) -> str:
    for usual, other in _OF_BLOCKS.get(name, {}).items():
        assert text.count(usual) == 1
        text = text.replace(usual, other.format(digits=digits))
    return text


def _write_if_different(path: Path, text: str) -> None:
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
