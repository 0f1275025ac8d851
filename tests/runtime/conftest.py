"""Builds the runtime and test programs once, in `make test-all` with sanitizers, and runs them on small graphs."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import struct
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import Phase, settings

from generator.paths import ROOT
from tests.memory import LONG
from tests.programs.store import shared_runtime
from trust.build import compile_runtime
from trust.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).parent
COMPILER = os.environ.get("CXX", "g++")
BUILT = os.environ.get("VIOLET_TEST_BINARIES")  # built already, with a mistake that the tests have to find
if BUILT is not None:  # that it is there matters, not how small the example is
    settings.register_profile("mutants", phases=[Phase.explicit, Phase.generate], database=None)
    settings.load_profile("mutants")
FLAGS = ["-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-pthread"]
SANITIZED = ["-fsanitize=address,undefined"] if LONG else []
"""With sanitizers, all of the runtime has to be compiled once more, and takes ten times as long."""


@dataclass(frozen=True)
class Finished:
    """What a process left behind."""

    code: int
    stdout: str
    stderr: str

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stdout.splitlines()]

    @property
    def record(self) -> dict[str, Any]:
        (record,) = self.records
        return record


Run = Callable[..., Finished]
Write = Callable[..., Path]


def start(command: Iterable[object], **environment: object) -> Finished:
    words = [os.fspath(word) if isinstance(word, Path) else str(word) for word in command]
    settings = {**os.environ, **{name: str(value) for name, value in environment.items()}}
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300, env=settings)
    assert "Sanitizer" not in done.stderr, done.stderr
    assert "runtime error" not in done.stderr, done.stderr
    return Finished(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="session")
def library() -> Path:
    """The runtime; with sanitizers as trust compiles it, whose tests need it, too."""
    if shutil.which(COMPILER) is None:
        pytest.skip("no C++ compiler")
    if not SANITIZED:
        return shared_runtime()
    (tool,) = (tool for tool in TOOLS if tool.name == "AddressSanitizer")
    archive = compile_runtime(tool, os.cpu_count() or 1)
    for log in archive.parents[1].rglob("*.log"):
        assert not log.read_text(), "the compiler has something to say"
    return archive


@pytest.fixture(scope="session")
def binaries(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if BUILT is not None:
        return Path(BUILT)
    library: Path = request.getfixturevalue("library")
    folder = tmp_path_factory.mktemp("binaries")
    _, *compile_it = shlex.split((library.parents[1] / "runtime.command").read_text())
    compile_it += ["-Werror"] if LONG else ["-Werror", "-O0"]  # none of them runs for as long as that would save

    def compile_one(name: str, program: str) -> None:
        subprocess.run([*compile_it, HERE / f"{name}.cpp", library, "-o", folder / program], cwd=ROOT, check=True)

    programs = ["triangles", "places", "oracle", "oracle_directed", "forge"]
    with ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(compile_one, ["solver", *programs], ["test-program", *programs]))
    shutil.copy(library.parents[1] / "violet-reference", folder)
    return folder


@pytest.fixture(scope="session")
def program(binaries: Path) -> Run:
    """Runs the test program: positional arguments are its own, keywords its environment (see solver.cpp)."""
    return lambda *arguments, **environment: start([binaries / "test-program", *arguments], **environment)


@pytest.fixture(scope="session")
def places(binaries: Path) -> Run:
    """Runs places.cpp."""
    return lambda *arguments, **environment: start([binaries / "places", *arguments], **environment)


@pytest.fixture(scope="session")
def triangles(binaries: Path) -> Run:
    """Runs triangles.cpp."""
    return lambda *arguments: start([binaries / "triangles", *arguments])


@pytest.fixture(scope="session")
def reference(binaries: Path) -> Run:
    return lambda *arguments: start([binaries / "violet-reference", *arguments])


def encode(rows: list[list[int]], weights: list[int] | None = None) -> bytes:
    """The .egr file of the graph with these rows, which need not be a legal one."""
    offsets = [0]
    for row in rows:
        offsets.append(offsets[-1] + len(row))
    numbers = [len(rows), offsets[-1], *offsets, *(v for row in rows for v in row), *(weights or [])]
    return struct.pack(f"<{len(numbers)}i", *numbers)


@pytest.fixture(scope="session")
def egr(tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Writes a graph given by its rows (and weights, one an edge of a row) or by its bytes; returns the new file."""
    folder = tmp_path_factory.mktemp("graphs")
    count = 0

    def write(graph: bytes | list[list[int]], weights: list[int] | None = None, name: str = "") -> Path:
        nonlocal count
        count += 1
        path = folder / (name or f"{count}.egr")
        path.write_bytes(graph if isinstance(graph, bytes) else encode(graph, weights))
        return path

    return write


@pytest.fixture(scope="session")
def path_graph(egr: Write) -> Path:
    """0 - 1 - 2, and 3 alone."""
    return egr([[1], [0, 2], [1], []], name="path.egr")
