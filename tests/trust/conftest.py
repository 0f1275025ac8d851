"""Compiles a slice of the programs, clean and with a planted bug, for every CPU tool that this machine has."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from generator.render import Program
from trust import build
from trust.build import compile_all, generate
from trust.tools import TOOLS, Tool

Prepared = Callable[[str, Tool], tuple[Program, Path]]

TOOL = {tool.name: tool for tool in TOOLS}
CLEAN = (  # one program a family and model
    "sssp-openmp-vertex-data-nodup-push-rw-nondet-default-i32",
    "sssp-cpp-edge-data-nodup-push-rmw-det-blocked-i32",
    "mis-openmp-edge-topology-push-rmw-mergedet-dynamic-i32",
    "mis-cpp-vertex-data-nodup-push-rmw-nondet-cyclic-i32",
    "pr-openmp-vertex-topology-pull-rmw-nondet-clausered-default-f32",
    "pr-cpp-vertex-topology-push-rmw-det-atomicred-blocked-f32",
    "tc-openmp-edge-topology-push-rmw-det-criticalred-default-i32",
    "tc-cpp-vertex-topology-push-rmw-det-clausered-cyclic-i32",
)
BUGS = {  # one program a kind of bug, and who has to find it
    "tc-cpp-edge-topology-push-rmw-det-atomicred-blocked-i32-race": "ThreadSanitizer",
    "bfs-cpp-vertex-topology-push-rw-det-blocked-i32-vertexbounds": "AddressSanitizer",
    "bfs-cpp-vertex-topology-push-rw-det-blocked-i32-neighbourbounds": "AddressSanitizer",
    "tc-cpp-vertex-topology-push-rmw-det-clausered-blocked-i32-barrier": "ThreadSanitizer",
    "cc-cpp-vertex-topology-push-rw-nondet-blocked-i32-guard": "verifier",
    "mis-openmp-edge-data-nodup-push-rmw-copydet-default-i32-lostupdate": "verifier",
    "pr-openmp-vertex-topology-push-rmw-det-atomicred-default-f32-lastitem": "verifier",
    "sssp-openmp-vertex-topology-pull-rw-det-default-i32-overflow": "UBSan",
    "tc-openmp-vertex-topology-push-rmw-det-atomicred-default-i32-livelock": "verifier",
    "mis-cpp-vertex-topology-push-rmw-copydet-blocked-i32-stalebuffer": "verifier",
    "tc-cpp-vertex-topology-push-rmw-det-atomicred-blocked-i32-uninitialised": "verifier",
}


def usable(tool: Tool, program: str) -> Tool:
    """A tool as this machine has it: for C++ threads g++'s ThreadSanitizer serves as well as clang's."""
    if tool.obstacle() is None:
        return tool
    if tool.name == "ThreadSanitizer" and "-cpp-" in program:
        return replace(tool, build="tsan-gcc", flags={"CXXFLAGS": tool.flags["CXXFLAGS"]})
    pytest.skip(f"{tool.name}: {tool.obstacle()}")


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """Returns a function that compiles a program for a tool, if need be, and returns it and its binary."""
    if not shutil.which("g++"):
        pytest.skip("needs g++")
    folder = tmp_path_factory.mktemp("configs")
    suites = {}
    for config, text, names in (("slice", "", list(CLEAN)), ("slice-bugs", 'add = ["bug"]\n', list(BUGS))):
        (folder / f"{config}.toml").write_text(f"{text}names = {names!r}\n")
        suites[config] = generate(str(folder / f"{config}.toml"), ("openmp", "cpp"))

    def prepare(name: str, tool: Tool) -> tuple[Program, Path]:
        suite = suites["slice-bugs" if name in BUGS else "slice"]
        (program,) = (each for each in suite.programs if each.name == name)
        # All for this tool at once: what they share is compiled first, and then in parallel.
        users = [each for each in suite.programs if name not in BUGS or TOOL[BUGS[each.name]].build == tool.build]
        users = [each for each in users if tool.build != "tsan-gcc" or each.style["model"] == "cpp"]
        compile_all(suite, tool, [*users, program], os.cpu_count() or 1)
        return program, suite.binary(program, tool)

    return prepare


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of its own for what is built, where the build rules can reach it."""
    build.WORK.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=build.WORK) as folder:
        monkeypatch.setattr(build, "WORK", Path(folder))
        yield Path(folder)
