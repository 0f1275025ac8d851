"""Translates CUDA programs, and the runtime's headers for them, to C++ for the emulator, see cuda_runtime.h.

What C++ does not have is little: launches, variables in shared memory, and two statements of PTX. Whatever else there is
of it ends the translation; a function of CUDA that the emulator lacks ends the compilation.
"""

import re
from pathlib import Path

_LAUNCH = re.compile(r"(\w+)<<<(.*?), (\w+)>>>\(")
_SHARED = re.compile(r"__shared__ ([\w:<> ]+?) (\w+)((?:\[\w+(?: \+ \d+)?\])?);")
_LOAD = re.compile(r'asm volatile\("ld\.relaxed\.gpu\.global\.\w+ %0, \[%1\];" : "=\w"\((\w+)\) : "l"\((\w+)\)\);')
_STORE = re.compile(r'asm volatile\("st\.relaxed\.gpu\.global\.\w+ \[%0\], %1;" ::"l"\((\w+)\), "\w"\((\w+)\)\);')
_UNKNOWN = re.compile(r"<<<|>>>|\basm\b|\b__shared__\b|#include <(?:cuda/|cooperative_groups)")


class UnknownError(ValueError):
    """There is something that the emulator does not know."""


def translate(text: str) -> str:
    """Returns C++ that does what a CUDA source does.

    Raises:
        UnknownError: it has something that the emulator does not know.
    """
    text = _LAUNCH.sub(r'emulator::launch("\1", \2, \3, [](auto... arguments) { \1(arguments...); }, ', text)
    text = _SHARED.sub(r"auto& \2 = emulator::shared<\1\3, decltype([] {})>();", text)
    text = _LOAD.sub(r"\1 = emulator::load(\2);", text)
    text = _STORE.sub(r"emulator::store(\1, \2);", text)
    for number, line in enumerate(text.splitlines(), start=1):
        if _UNKNOWN.search(line.partition("//")[0]):
            raise UnknownError(f"line {number}: the emulator does not know this: {line.strip()}")
    return text


def translate_runtime(runtime: Path, out: Path) -> None:
    """Writes the headers of the runtime to a directory, except those that are for what is not emulated."""
    out.mkdir(parents=True, exist_ok=True)
    for path in runtime.glob("*.*"):
        if path.suffix in (".cuh", ".hpp") and path.name not in ("cuda_atomic.cuh", "rounds.cuh"):
            (out / path.name).write_text(translate(path.read_text(encoding="utf-8")), encoding="utf-8")
