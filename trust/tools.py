"""The tools that look for bugs, each with how to build for it, how to run under it and what it says on a finding."""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import UserError
from generator.terminal import say

if TYPE_CHECKING:
    from collections.abc import Collection

CPU = ("openmp", "cpp")
CUDA = ("cuda",)
MULTIGPU = ("multigpu",)

_CLANGS = ("clang++", *(f"clang++-{version}" for version in range(22, 15, -1)))


@dataclass(frozen=True)
class Tool:
    """One tool.

    Attributes:
        name: as tables show it.
        build: name of the build that it runs.
        models: whose programs it understands.
        flags: settings of the build rules, such as CXXFLAGS.
        prefix: words before a program's command line; "{log}" becomes a file of its own.
        environment: variables that it is told by.
        finding: what it says, in the log or on stderr; the first group tells what it found.
        slowdown: how many times longer a program may take.
        runtime_flags: settings of the build rules for what all programs share, where they differ.
    """

    name: str
    build: str
    models: tuple[str, ...]
    flags: dict[str, str] = field(default_factory=dict)
    prefix: tuple[str, ...] = ()
    environment: dict[str, str] = field(default_factory=dict)
    finding: re.Pattern[str] | None = None
    slowdown: float = 1
    runtime_flags: dict[str, str] = field(default_factory=dict)

    def obstacle(self) -> str | None:
        """Returns why the tool cannot be used on this machine, or None."""
        if set(self.models) <= {*CUDA, *MULTIGPU} and not shutil.which("nvcc"):
            return "nvcc is missing"
        if self.prefix and not shutil.which(self.prefix[0]):
            return f"{self.prefix[0]} is missing"
        if "CXX" in self.flags and not shutil.which(self.flags["CXX"]):
            return "clang++ is missing; install clang and its libomp (Debian: clang-19 libomp-19-dev)"
        return None


def _thread_sanitizer() -> Tool:
    """ThreadSanitizer with LLVM's OpenMP runtime, whose tool Archer tells it of barriers and joins."""
    clang = next(filter(shutil.which, _CLANGS), _CLANGS[0])
    where = shutil.which(clang)
    archer = Path(where).resolve().parents[1] / "lib" / "libarcher.so" if where else Path("libarcher.so")
    return Tool(
        "ThreadSanitizer",
        "tsan",
        CPU,
        {"CXX": clang, "CXXFLAGS": "-O1 -g1 -fsanitize=thread"},
        environment={
            "OMP_TOOL_LIBRARIES": str(archer),
            # Archer's own reads of libomp, which is not instrumented, are no accesses of the program.
            "TSAN_OPTIONS": "ignore_noninstrumented_modules=1 halt_on_error=1",
        },
        finding=re.compile(r"(?:SUMMARY|WARNING): ThreadSanitizer: ([a-z ]+)"),
        slowdown=8,
    )


def _with_recovery(name: str, finding: str) -> Tool:
    flags = "-g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fsanitize-recover=address"
    environment = {"ASAN_OPTIONS": "halt_on_error=0"}
    return Tool(
        name,
        "asan",
        CPU,
        {"CXXFLAGS": f"-O1 {flags}"},
        environment=environment,
        finding=re.compile(finding),
        slowdown=5,
        runtime_flags={"CXXFLAGS": f"-O0 {flags}"},  # compiles in half of the time, and nothing in it takes long
    )


def _compute_sanitizer(tool: str, finding: str) -> Tool:
    prefix = ("compute-sanitizer", "--tool", tool, "--print-limit", "5", "--log-file", "{log}")
    said = re.compile(rf"={{9}} (?:(?:Error|Warning): )?({finding}|(?:ERROR|RACECHECK) SUMMARY: [1-9][^\n]*)")
    return Tool(tool, "plain", (*CUDA, *MULTIGPU), {"NVCCFLAGS": _NVCCFLAGS}, prefix, {}, said, slowdown=10)


_NVCCFLAGS = "-O3 -lineinfo"
# A race, or what else is an error, such as that the tool lost track of a launch; how the program ended is none.
_RACE = r"(?:Race reported|Potential \w+ hazard|(?<=Error: )(?!process ))[^\n]{,150}"
VERIFIER = "verifier"
TOOLS = (
    Tool(VERIFIER, "plain", (*CPU, *CUDA, *MULTIGPU), {"NVCCFLAGS": _NVCCFLAGS}),
    _thread_sanitizer(),
    _with_recovery("AddressSanitizer", r"AddressSanitizer: ([A-Za-z-]+)"),
    _with_recovery("UBSan", r"runtime error: ([a-z ]+)"),
    _compute_sanitizer("memcheck", r"Invalid \w+ \w+|Program hit [^\n]{,80}"),
    _compute_sanitizer("racecheck", _RACE),
    _compute_sanitizer("initcheck", r"Uninitialized \w+ memory \w+"),
    _compute_sanitizer("synccheck", r"Barrier error[^\n]{,80}"),
)


def tools_for(models: tuple[str, ...], names: Collection[str] = ()) -> list[Tool]:
    """Returns the tools for programs of some models that this machine has, and says which it lacks.

    Args:
        models: of the programs.
        names: of these tools only; none are all.

    Raises:
        UserError: one that is named is missing.
    """
    tools = []
    for tool in (each for each in TOOLS if set(each.models) & set(models) and (not names or each.name in names)):
        reason = tool.obstacle()
        if reason and names:
            raise UserError(f"{tool.name} cannot be used: {reason}")
        if reason:
            say(f"left out: {tool.name}: {reason}", error=True)
        else:
            tools.append(tool)
    return tools


def environment_of(tool: Tool) -> dict[str, str]:
    """Returns the environment of a program under a tool."""
    return {**os.environ, **tool.environment}
