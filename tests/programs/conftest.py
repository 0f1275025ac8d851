"""Runs generated programs, and remembers what those did that have not changed since."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import subprocess
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from generator.config import covering, first_of_each
from inputs.catalogue import CATALOGUE, ensure
from inputs.formats import egr
from tests.configs import selected
from tests.memory import WORK, content_of, keep, key_of, recall
from tests.programs.store import Executable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from generator.space import Space, Style
    from inputs.graph import Graph

TIMEOUT_S = 300.0
_ASKED = re.compile(r"(EMULATOR_|OMP_)\w+|EDGES|PLANTED")
"""Variables that change what programs do."""


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


def find_error(binary: Executable, graph: Path, samples: int = 2) -> str:
    """Runs a program that is right until the last of so many repetitions; returns what is wrong with that one."""
    command = (binary, graph, "--reps", "9", "--warmup", "0")
    key = _key_of(command, samples)
    if (error := recall(key)) is None:
        result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert result.returncode == 1, result.stderr
        report = json.loads(result.stdout)
        assert report["verified"] is False
        assert len(report["samples_s"]) == samples
        keep(key, error := report["error"])
    return str(error)


def run_on(binary: Executable, graphs: list[Path], *options: str, **emulator: str) -> list[dict[str, Any]]:
    """Runs a program on graphs and returns its report of each; fails, and shows what it said, unless all are verified.

    What it did is remembered.

    Args:
        binary: the program.
        graphs: files.
        options: of the program, beside repetitions.
        emulator: its variables, such as the `seed` of an order of threads, and how many accesses a `slice` of them has.
    """
    command = (binary, *graphs, "--reps", "3", "--warmup", "0", *options)
    with variables({f"EMULATOR_{name.upper()}": value for name, value in emulator.items()}):
        lasts = "--dump" not in options and "EMULATOR_TRACE" not in os.environ  # it leaves nothing but its reports
        key = _key_of(command)
        if not lasts or (reports := recall(key)) is None:
            result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
            again = " ".join(os.fspath(word) for word in command)
            assert result.returncode == 0, f"{binary.name} is wrong: {again}\n{result.stderr}{result.stdout}"
            reports = [json.loads(line) for line in result.stdout.splitlines()]
            if lasts:
                keep(key, reports)
    assert all(report["verified"] is True for report in reports)
    return [{**report, "graph": str(graph)} for report, graph in zip(reports, graphs, strict=True)]


def ended(*command: str | os.PathLike[str], **emulator: str) -> subprocess.CompletedProcess[str]:
    """Runs a program that may fail, with variables of the emulator as `run_on` takes them."""
    with variables({f"EMULATOR_{name.upper()}": value for name, value in emulator.items()}):
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)


@contextmanager
def variables(values: Mapping[str, str]) -> Iterator[None]:
    """Sets variables of the environment in the context."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in values.items():
            patch.setenv(name, value)
        yield


def noticed(
    binary: Executable, tries: Iterable[Mapping[str, str]], find: Callable[[Mapping[str, str]], bool], *what: object
) -> bool:
    """Tells whether a fault shows in one of some tries, which is remembered.

    Args:
        binary: the program that has it.
        tries: variables that each sets.
        find: tells whether it shows with these, which are set.
        what: decides that besides, such as graphs and options.
    """
    key = _key_of((binary, *what))
    if recall(key):
        return True
    for each in tries:
        with variables(each):
            if find(each):
                keep(key, True)
                return True
    return False


def _key_of(command: Sequence[object], *what: object) -> str:
    """Returns what decides how a command ends."""
    asked = {name: value for name, value in os.environ.items() if _ASKED.fullmatch(name) and name != "EMULATOR_TRACE"}
    return key_of([_known_by(word) for word in command], asked, what)


def _known_by(word: object) -> object:
    if isinstance(word, Executable):
        return word.identity
    path = Path(word) if isinstance(word, str | Path) and "/" in str(word) else None
    return [path.name, content_of(path)] if path and path.is_file() else word


def made_and_destroyed(binary: Executable, graphs: list[Path], trace: Path, devices: str) -> Counter[str]:
    """Runs a program on the emulator; returns how many streams and events it made, all of which it must destroy."""
    run_on(binary, graphs, "--reps", "1", devices=devices, trace=str(trace))
    noted = Counter(trace.read_text().splitlines())
    made, destroyed = ({kind: noted[f"{what} {kind}"] for kind in ("stream", "event")} for what in ("make", "destroy"))
    assert made == destroyed
    return Counter(made)


def run_or_hang(command: Sequence[str | os.PathLike[str]], seconds: int) -> subprocess.CompletedProcess[str] | None:
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
    return find_tiny_graphs()


@pytest.fixture(scope="session")
def small_graphs(tiny_graphs: list[Path]) -> list[Path]:
    """These, and one with hubs."""
    return [*tiny_graphs, ensure("rmat-10", WORK / "graphs")]


def find_tiny_graphs() -> list[Path]:
    """Returns the files of these graphs."""
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
