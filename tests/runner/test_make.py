"""What make hands on of what it is given: text, whatever make or a shell would see in it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.runner.conftest import Project

REPOSITORY = Path(__file__).parents[2]
MAKE = shutil.which("make") or "make"

STUB = """#!/bin/sh
for word; do printf '%s\\n' "$word" >>{log}; done
"""
COMPILER = """#!/bin/sh
case "$1" in -dumpfullversion) echo 1.2.3; exit;; --version) echo "release 12.0, V12.0.1"; exit;; esac
for word; do
  printf '%s\\n' "$word" >>{log}
  if [ "$previous" = -o ]; then touch "$word"; fi
  previous=$word
done
"""

Way = Literal["argument", "environment"]


def hostile(name: str) -> str:
    """Return text for a variable: if any of it is run, a file tells so, whose name has that of the variable."""
    run = f"touch PWN-{name}"
    return f"$(shell {run}) $({run}) `{run}` \"a' ; {run} ; # ${{PWN}} $x a[$({run})] \\\\ % & | =:"


@pytest.fixture
def make(project: Project) -> Callable[..., list[str]]:
    """Run make in a checkout whose Python, tools and compilers only note the words that they are given; return these.

    Takes arguments, and how variables are given.
    """
    log = project.root / "words.txt"
    tools = project.root / ".venv" / "bin"
    tools.mkdir(parents=True)
    compiler = project.root / "cc"
    stubs = {compiler: COMPILER} | {
        tools / name: STUB for name in ("python", "uv", "ruff", "mypy", "clang-format", "clang++")
    }
    for path, text in stubs.items():
        path.write_text(text.format(log=log))
        path.chmod(0o755)
    for name in ("Makefile", "runner", "uv.lock", "pyproject.toml"):
        (project.root / name).symlink_to(REPOSITORY / name)
    (project.root / ".venv" / ".ready").touch()  # newer than what it depends on
    project.add("bfs-cpp-a")
    project.add("bfs-cuda-a")

    def run(*arguments: str, way: Way = "argument", **variables: str) -> list[str]:
        environment = {"PATH": f"{tools}:{os.environ['PATH']}", "CXX": "./cc", "NVCC": "./cc"}
        if way == "environment":
            environment |= variables
        else:
            arguments = (*arguments, *(f"{name}={value}" for name, value in variables.items()))
        done = subprocess.run(
            [MAKE, "-s", "-k", *arguments],
            cwd=project.root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert not list(project.root.rglob("*PWN*")), done.stderr
        words = log.read_text().splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        project.output.write(done.stdout + done.stderr)
        return words

    return run


WAYS = pytest.mark.parametrize("way", ["argument", "environment"])


@WAYS
def test_what_make_is_given_is_text(make: Callable[..., list[str]], way: Way) -> None:
    names = ["CONFIG", "RESULTS", "FIGURES", "SECONDS", "SEED", "JOBS", "FUZZ_SECONDS", "CLANG", "GRAPHS", "PROGRAMS"]
    names += ["ANYTHING", "BUILD", "CXXFLAGS"]
    targets = [
        "generate",
        "build",
        "figures",
        "report",
        "test",
        "fuzz",
        "sanitize",
        "mutants",
        "soak",
        "check",
        "format",
        "demo",
    ]
    words = make(*targets, way=way, **{name: hostile(name) for name in names})
    for name in ("CONFIG", "RESULTS", "FIGURES", "SECONDS", "SEED", "JOBS"):
        assert hostile(name) in words


@WAYS
def test_programs_and_graphs_are_words(make: Callable[..., list[str]], project: Project, way: Way) -> None:
    given = f"karate {hostile('GRAPHS')}"
    words = make("run", way=way, GRAPHS=given, PROGRAMS="bfs-* cc-*", CONFIG="", RESULTS='my "own', JOBS="1")
    at = words.index("run")
    assert words[at:] == ["run", "--graphs", *given.split(), "--programs", "bfs-*", "cc-*", "--results", 'my "own']
    make("clean", way=way, PROGRAMS="bfs-* cc-*")
    assert not project.checkout.manifest.exists()


@WAYS
def test_the_python_to_begin_with_is_one_path(make: Callable[..., list[str]], project: Project, way: Way) -> None:
    (project.root / ".venv" / ".ready").unlink()
    make("setup", way=way, PYTHON=hostile("PYTHON"))
    assert "not found" in project.output.getvalue()
    (project.root / "my python").symlink_to("/bin/true")
    assert "sync" in make("setup", way=way, PYTHON="./my python")


@WAYS
def test_compilers_and_flags_are_words(make: Callable[..., list[str]], way: Way) -> None:
    flags = {name: hostile(name) for name in ("CXXFLAGS", "NVCCFLAGS", "CUDA_ARCH")}
    others = {name: hostile(name) for name in ("TOTAL", "CUDA_VISIBLE_DEVICES", "V", "ANYTHING")}
    words = make("-f", "runner/build.mk", way=way, **flags, **others)
    for name in ("CXXFLAGS", "NVCCFLAGS"):
        assert "\n".join(flags[name].split()) in "\n".join(words)


@WAYS
@pytest.mark.parametrize("name", ["CXX", "NVCC", "PROGRAMS"])
def test_what_names_nothing_runs_nothing(make: Callable[..., list[str]], name: str, way: Way) -> None:
    make("-f", "runner/build.mk", way=way, **{name: hostile(name)})
    make("-f", "runner/build.mk", "toolchain", way=way, **{name: hostile(name)})


@pytest.mark.parametrize("name", ["GENERATED", "BUILD", "MANIFEST", "LIBRARY"])
@pytest.mark.parametrize("value", [hostile("PATH"), "a b", "x;touch PWN", "$(touch PWN)", "x'", "x:y"])
def test_paths_that_rules_would_read_otherwise_are_refused(
    make: Callable[..., list[str]], project: Project, name: str, value: str
) -> None:
    assert make("-f", "runner/build.mk", **{name: value}) == []
    assert f"*** {name}={value}: make cannot handle this path" in project.output.getvalue()
