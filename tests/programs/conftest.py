"""Builds generated programs once, below build/tests, so that a second run of the tests only builds what changed."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from generator.config import covering, first_of_each
from generator.output import render_all, write
from generator.space import Space, Style, load_space, name_of
from inputs.catalogue import CATALOGUE, ensure
from inputs.formats import egr
from tests.selection import selected
from trust.build import compile_runtime
from trust.tools import TOOLS, VERIFIER

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.render import Program
    from inputs.graph import Graph

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "tests"


def build(styles: list[Style], name: str, alter: Callable[[str], str] = str) -> Callable[[Style], Path]:
    """Generates, alters and compiles programs; returns a function from a style to its binary, which must build cleanly.

    Args:
        styles: of the programs.
        name: of a folder below WORK.
        alter: is given each program's text, and returns what is to be compiled.
    """
    binaries = WORK / name / "build"
    programs = [replace(program, text=alter(program.text)) for program in render_all(load_space(), styles, jobs=2)]
    result = _make(name, programs, f"LIBRARY={shared_runtime()}")

    def binary(style: Style) -> Path:
        path = binaries / style["model"] / style["algorithm"] / name_of(style)
        log = path.with_name(f"{path.name}.log")
        assert path.is_file(), log.read_text() if log.is_file() else result.stderr
        assert not log.read_text(), "the compiler has something to say"
        return path

    return binary


@cache
def shared_runtime() -> Path:
    """Compiles what all programs share, once for all tests and workers of pytest, those of `trust` among them."""
    (plain,) = (tool for tool in TOOLS if tool.name == VERIFIER)
    library = compile_runtime(plain, os.cpu_count() or 1)
    for log in library.parents[1].rglob("*.log"):
        assert not log.read_text(), "the compiler says something to whoever builds"
    return library


def _make(name: str, programs: list[Program], *arguments: str) -> subprocess.CompletedProcess[str]:
    generated, binaries = WORK / name / "generated", WORK / name / "build"
    write(load_space(), programs, generated)
    command = ["make", "-f", "runner/build.mk", "-k", f"-j{os.cpu_count()}", *arguments]
    command += [f"GENERATED={generated.relative_to(ROOT)}", f"BUILD={binaries.relative_to(ROOT)}"]
    return subprocess.run(command + fast_linking(), cwd=ROOT, capture_output=True, text=True, check=False)


def fast_linking() -> list[str]:
    """Returns what make is told so that a program takes a fifth less time to build, where that is possible."""
    return [f"CXX={os.environ.get('CXX', 'g++')} -fuse-ld=gold"] if shutil.which("ld.gold") else []


def takes_undirected(space: Space, style: Style) -> bool:
    """Tells whether a program is for undirected graphs."""
    facts = space.algorithms[style["algorithm"]].facts
    return "direction" not in style and not {"both", "sides"} & {*facts.get("graphs", ())}


def beyond_paper(space: Space, styles: list[Style]) -> list[Style]:
    """Returns a few styles of each algorithm for undirected graphs that is not of the paper: they have every value."""
    of_paper = {style["algorithm"] for style in selected("paper")}
    others = [
        [style for style in styles if style["algorithm"] == name and takes_undirected(space, style)]
        for name in space.algorithms
        if name not in of_paper
    ]
    return [style for each in others if each for style in covering(each, 1)]


def of_several_sources(space: Space, styles: list[Style]) -> list[Style]:
    """Returns a few of the styles whose algorithm may be asked for several sources."""
    asked = [style for style in styles if "sources" in space.algorithms[style["algorithm"]].query]
    return first_of_each(asked, ["algorithm", "model", "driver", "flow", "fusion", "batch"])


def number_of_sources(style: Style) -> str:
    """Returns how many sources a program is asked for: more than it searches from at a time, if it does so."""
    return "10" if "batch" in style else "3"


def few_rounds(style: Style) -> list[str]:
    """Returns options for algorithms that take a number of steps: 4 in place of 20, of the same kernels."""
    return ["--rounds", "4"] if style["algorithm"] in ("hits", "salsa", "wtf") else []


def solves_once(text: str) -> str:
    """Returns a program that returns at once from its second run on: what it has is right, unless it is scrubbed."""
    altered, count = re.subn(
        r"^int solve\(.*\{$",
        r"\g<0>\n  static int solved = 0;\n  if (solved++ > 0) return 1;",
        text,
        flags=re.MULTILINE,
    )
    assert count == 1
    return altered


def initialises_once(text: str) -> str:
    """Returns a program that gives its result first values only in its first run."""
    launch = r"^  (initialise\(s\);|parallel\(initialise, s\);|initialise<<<.*>>>\(s\);)$"
    altered, count = re.subn(launch, r"  static int solved = 0;\n  if (solved++ == 0) \1", text, flags=re.MULTILINE)
    assert count == 1
    return altered


def find_error(binary: Path, graph: Path, samples: int = 2) -> str:
    """Runs a program that is right until the last of so many repetitions; returns what is wrong with that one."""
    command = [binary, graph, "--reps", "9", "--warmup", "0"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 1, result.stderr
    report = json.loads(result.stdout)
    assert report["verified"] is False
    assert len(report["samples_s"]) == samples
    return str(report["error"])


def run_on(binary: Path, graphs: list[Path], *options: str) -> list[dict[str, object]]:
    """Runs a program on graphs and returns its report of each; a failure shows what the program said."""
    command = [binary, *graphs, "--reps", "3", "--warmup", "0", *options]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert result.returncode == 0, result.stderr + result.stdout
    return [json.loads(line) for line in result.stdout.splitlines()]


def made_and_destroyed(binary: Path, graphs: list[Path], trace: Path, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Runs a program on the emulator; returns how many streams and events it made, all of which it must destroy."""
    monkeypatch.setenv("EMULATOR_TRACE", str(trace))
    run_on(binary, graphs, "--reps", "1")
    noted = Counter(trace.read_text().splitlines())
    made, destroyed = ({kind: noted[f"{what} {kind}"] for kind in ("stream", "event")} for what in ("make", "destroy"))
    assert made == destroyed
    return Counter(made)


def run_or_hang(command: list[str | Path], seconds: int) -> subprocess.CompletedProcess[str] | None:
    """Runs a program; returns None if it hangs: it computes for so many seconds, or takes three times as long.

    A program that computes is stopped by its own clock, as it may have to wait for others that run beside it.
    """
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=3 * seconds,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1)),
        )
    except subprocess.TimeoutExpired:
        return None
    return None if done.returncode == -signal.SIGXCPU else done


@pytest.fixture(scope="session")
def tiny_graphs() -> list[Path]:
    """Every hand-checkable graph of the catalogue, and one real one: first with weights, some 0, then without."""
    names = [name for name in CATALOGUE if name.startswith("tiny-")] + ["karate"]
    assert len(names) > 10
    *paths, karate = [ensure(name, WORK / "graphs") for name in names]
    weighted = karate.with_name("karate-weighted.egr")
    egr.write(with_zeros(egr.read(karate)), weighted)
    return [*paths, weighted, karate]


def with_zeros(graph: Graph) -> Graph:
    """Returns a graph with weights from 0 to 3."""
    edges = graph.to_edges()
    return replace(graph, weights=(edges.sources + edges.destinations) * 7 % 11 % 4)
