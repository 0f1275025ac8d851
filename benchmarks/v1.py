"""Measures the data set v1: parts of it, each as far as time allows, on graphs whose vertices have random numbers.

    python -m benchmarks.v1 plan                            # the parts, and about how long each takes
    python -m benchmarks.v1 measure best paper --seconds 500
    violet publish results/v1/paper analysis/data/v1/paper.parquet     # likewise best, around and cpu

`measure` makes the graphs, then writes, builds and times the programs of each part. What has a result, there or in the
published table, is not measured again, unless its program has changed since: the same command goes on where time was
over, also on another machine. To publish, give the earlier table beside the results. Records tell the programs and
headers that they are of: `python -m handbook today` says how many are those of today.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.parquet as pq

from analysis.measured.graphs import SUFFIX
from analysis.measured.today import has_text_of_today
from generator.config import covering, find_config, select_styles
from generator.errors import UserError
from generator.output import render_all, write
from generator.paths import CONFIGS
from generator.space import load_space, name_of
from generator.terminal import told_in_one_line
from inputs.catalogue import HALF_BOTH, ONE_WAY, SHUFFLED
from runner.best.choose import possible
from runner.best.measured import read_measured, read_shapes
from runner.best.suggest import suggest
from runner.checkout import MEASUREMENTS, here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from runner.best.measured import Shape

GRAPHS = {
    "road": ("road-16k", "road-264k", "road-1m"),
    "grid": ("grid-1024",),
    "mesh": ("mesh-262k",),
    "chains": ("chains-2m",),
    "R-MAT": ("rmat-16", "rmat-20", "rmat-22"),
    "social": ("social-524k", "social-4m"),
    "web": ("web-131k", "web-1m"),
    "co-authors": ("coauthors-131k", "coauthors-540k"),
    "uniform": ("uniform-1m",),
    "small world": ("small-world-1m",),
}
"""By kind; all are measured with random numbers for their vertices."""

NATURAL = ("road-264k", "grid-1024", "web-1m", "coauthors-131k", "rmat-22")
"""Those that are also measured in the order in which they are made."""

ALL = tuple(f"{name}{SHUFFLED}" for names in GRAPHS.values() for name in names)
FEW = tuple(
    f"{name}{SHUFFLED}" for name in ("road-264k", "grid-1024", "rmat-20", "social-524k", "web-1m", "coauthors-131k")
)
DIRECTED = tuple(
    f"{name}{SHUFFLED}"
    for name in (
        "rmat-16-directed",
        "rmat-22-directed",
        "road-264k-half-both",
        "grid-1024-half-both",
        "grid-1024-one-way",
        "web-1m-half-both",
        "coauthors-131k-one-way",
    )
)

QUICK_DIRECTED = tuple(name for name in DIRECTED if not name.startswith("rmat-22"))
"""Those that are read within a second, as every job reads its graph."""

SMALL = tuple(f"{name}{SHUFFLED}" for name in ("road-16k", "rmat-16", "mesh-262k", "web-131k"))
"""On which most programs take little time, so that claims are about more graphs."""

SMALL_DIRECTED = tuple(f"{name}{SHUFFLED}" for name in ("rmat-16-directed", "road-16k-half-both", "web-131k-half-both"))
"""The same, for programs that take directed graphs."""

SMALLER = tuple(
    f"{name}{SHUFFLED}"
    for name in ("grid-512", "coauthors-16k", "uniform-65k", "social-65k", "small-world-65k", "chains-131k")
)
"""The same, of the kinds that those are not of."""

LARGER = (*(f"{name}{SHUFFLED}" for name in ("road-1m", "small-world-1m", "uniform-1m")), "coauthors-131k", "web-1m")
"""Of the others those on which most programs take the least time."""

SEARCHES = ("bfs-", "sssp-", "bc-")
"""Beginnings of programs that start from a vertex."""

MOST_EDGES = {"tc": 100_000_000, "lcc": 25_000_000, "clique": 25_000_000, "match": 1_000_000}
"""Of a graph, for algorithms whose work grows faster than it: the serial reference has to be there within seconds."""

TIMEOUT_S = 3
"""After which a job is stopped: such a style is no answer."""

BUDGET_S = 0.5
"""Of solving, after which a job gets no further sample."""

BUILD_S = 5.0
"""Seconds of a core that it takes to compile a program."""


@dataclass(frozen=True)
class Part:
    """Some programs on some graphs.

    Attributes:
        programs: returns their names.
        graphs: names of the catalogue; programs get those of their kind, directed or not.
        reps: samples of each job.
        table: of `analysis/data/v1`, which its records become part of.
        turns: in how many the samples are taken; a CPU is not the same from minute to minute.
        sources: how many vertices to start from, one after the other; 0: where programs start by themselves.
        timeout_s: after which a job is stopped, and the graph has to be there by then, too.
        in_order: whether a graph is done before the next one begins: with a part of all programs, it would tell little.
    """

    programs: Callable[[], list[str]]
    graphs: Sequence[str]
    table: str
    reps: int = 5
    turns: int = 1
    sources: int = 0
    timeout_s: float = TIMEOUT_S
    in_order: bool = False


@cache
def best() -> frozenset[str]:
    """Returns the programs that were the fastest on some kind of graph, as `configs/v1.toml` names them."""
    return frozenset(tomllib.loads((CONFIGS / "v1.toml").read_text(encoding="utf-8"))["sample"]["around"])


def _selected(config: str, wanted: Callable[[str], bool] = lambda _: True) -> list[str]:
    """Returns the names of the programs of a config that are wanted."""
    styles = select_styles(load_space(), find_config(config))
    return [name for style in styles if wanted(name := name_of(style))]


def _classic() -> list[str]:
    """Returns the paper's programs that use CUDA's classic atomics."""
    return _selected("cuda", lambda name: "-atomic-" in name)


def _default_atomics() -> list[str]:
    """Returns the paper's programs that use `cuda::atomic` with its default order."""
    return _selected("cuda", lambda name: "-cudaatomic-" in name)


def _suggested() -> list[str]:
    """Returns the first three programs that `violet choose` suggests for each algorithm on each of some graphs."""
    measured, shapes = read_measured(MEASUREMENTS), read_shapes(MEASUREMENTS)
    found = set()
    for algorithm, graphs in product(load_space().algorithms, ((*FEW, *SMALL), DIRECTED)):
        names = possible(measured, algorithm, ("cuda",), directed=graphs == DIRECTED)
        for graph in graphs:
            if graph in shapes and (suggestion := suggest(names, measured, shapes, shapes[graph], "", 3)):
                found |= {program.name for program in suggestion.programs}
    return sorted(found)


def _relaxed() -> list[str]:
    """Returns programs with relaxed atomics whose partners are the paper's: every three values meet."""
    space = load_space()
    names = [name.replace("-cudaatomic-", "-cudaatomicrelaxed-") for name in _selected("cuda")]
    styles = [space.parse(name) for name in names if "-cudaatomicrelaxed-" in name]
    return [name_of(style) for style in covering(styles, 3)]


def _others() -> list[str]:
    """Returns CPU programs of the algorithms that `cpu` lacks: of each, every two values of its styles meet."""
    styles: dict[str, list[dict[str, str]]] = {}
    for style in select_styles(load_space(), find_config("all")):
        if style["model"] in ("openmp", "cpp") and style["datatype"].endswith("32"):
            styles.setdefault(style["algorithm"], []).append(style)
    paper = {name.split("-")[0] for name in _selected("cpu")}
    return [name_of(style) for name, some in styles.items() if name not in paper for style in covering(some, 2)]


PARTS = {
    "best": Part(lambda: sorted(best()), (*ALL, *NATURAL, *DIRECTED), "best", timeout_s=6),
    "suggested": Part(_suggested, (*FEW, *DIRECTED), "best", timeout_s=6),
    "paper": Part(_classic, FEW, "paper"),
    "small": Part(_classic, SMALL, "paper"),
    "atomics": Part(_default_atomics, (*SMALL, *SMALLER), "paper", in_order=True),
    "relaxed": Part(_relaxed, SMALL, "paper"),
    "smaller": Part(_classic, SMALLER, "paper"),
    "best-smaller": Part(lambda: sorted({*best(), *_suggested()}), SMALLER, "best"),
    "cpu": Part(lambda: _selected("cpu"), SMALL, "cpu", reps=3, turns=2),
    "cpu-smaller": Part(lambda: _selected("cpu"), SMALLER, "cpu", reps=3, turns=2),
    "cpu-best": Part(lambda: _selected("v1-cpu"), (*SMALL, *SMALLER), "cpu-best"),
    "cpu-large": Part(lambda: _selected("v1-cpu"), FEW, "cpu-best"),
    "cpu-others": Part(_others, (*SMALL, *SMALL_DIRECTED), "cpu-others", reps=3, turns=2),
    "around": Part(lambda: _selected("v1"), (*FEW, *QUICK_DIRECTED), "around"),
    "components": Part(
        lambda: [name for name in sorted(best()) if name.startswith("scc-")], DIRECTED, "best", timeout_s=20
    ),
    "directed": Part(lambda: _selected("directed", lambda name: "-cuda-" in name), QUICK_DIRECTED, "around"),
    "larger": Part(_classic, LARGER, "paper", in_order=True),
    "rest": Part(_classic, (*ALL, *NATURAL), "paper", in_order=True),
    "sources": Part(lambda: [name for name in sorted(best()) if name.startswith(SEARCHES)], FEW, "around", sources=8),
}
"""In the order in which they are worth their time."""


def plan() -> None:
    """Prints what is left of each part."""
    table, shapes = _walls(), read_shapes(MEASUREMENTS)
    print("part,programs,graphs,jobs,build s,run s")
    for name, part in PARTS.items():
        jobs = [
            (program, graph)
            for graphs, programs in _left(part, part.programs()).items()
            for program, graph in product(programs, graphs)
            if _takes(program, graph, shapes)
        ]
        reps = part.reps * part.turns
        seconds = sum(_expected_s(program, graph, reps, table, shapes) for program, graph in jobs)
        count, times = len({program for program, _ in jobs}), max(part.sources, 1)
        build_s = BUILD_S * count / 16
        graphs = len({graph for _, graph in jobs})
        print(f"{name},{count},{graphs},{len(jobs) * times},{build_s:.0f},{seconds * times:.0f}")


def measure(asked: Sequence[str], seconds: float, results: Path) -> None:
    """Measures parts until time is over."""
    end = time.monotonic() + seconds
    checkout, space = here(), load_space()
    for name in asked:
        if time.monotonic() >= end:
            return
        part = PARTS[name]
        left = _left(part, part.programs())
        make_graphs(
            [graph for graph in part.graphs if any(graph in some for some in left)],
            checkout.graphs,
            results / part.table,
        )
        for graphs, programs in left.items():
            styles = [space.parse(each) for each in programs]
            write(space, render_all(space, styles, os.cpu_count() or 1), checkout.generated)
            print(f"{name}: {len(programs)} programs, {end - time.monotonic():.0f} s left", flush=True)
            for globs, fitting, options in _runs(part, programs, graphs, checkout.graphs):
                command = [sys.executable, "-m", "runner", "run", "--graphs", *fitting, "--programs", *globs]
                command += ["--results", str(results / part.table), "--reps", str(part.reps)]
                command += ["--turns", str(part.turns), *options]
                command += ["--budget", str(BUDGET_S), "--timeout", str(part.timeout_s), "--seed", "1"]
                if not _run(command, end):
                    return


def make_graphs(names: Sequence[str], folder: Path, results: Path) -> None:
    """Makes graphs, several at a time, first those that others are made from; and describes them beside results."""
    natural = dict.fromkeys(name.removesuffix(SHUFFLED) for name in names)
    undirected = dict.fromkeys(name.removesuffix(ONE_WAY).removesuffix(HALF_BOTH) for name in natural)
    described = {name: results / f"{name}{SUFFIX}" for name in names}
    made: set[str] = set()
    steps = []
    for some in (undirected, natural, names):
        new = [name for name in some if name not in made and not (folder / f"{name}.egr").exists()]
        steps.append([["inputs", "get", name, "--dir", str(folder)] for name in new])
        made.update(new)
    steps.append(
        [
            ["analysis", "graphs", str(folder / f"{name}.egr"), "--out", str(file)]
            for name, file in described.items()
            if not file.exists()
        ]
    )
    with ThreadPoolExecutor(max(2, (os.cpu_count() or 1) * 3 // 4)) as pool:
        for step in steps:
            list(pool.map(_run_quietly, step))


def _run_quietly(words: Sequence[str]) -> None:
    done = subprocess.run([sys.executable, "-m", *words], check=False, stdout=subprocess.DEVNULL)
    if done.returncode:
        raise UserError(f"{shlex.join(words)} ends with {done.returncode}")


def _left(part: Part, chosen: Sequence[str]) -> dict[tuple[str, ...], list[str]]:
    """Returns what the published table lacks of a part: the programs by the graphs that they were not measured on."""
    found: dict[tuple[str, ...], list[str]] = {}
    for name in chosen:
        graphs = tuple(graph for graph in part.graphs if part.sources or (name, graph) not in _published(part.table))
        if graphs:
            found.setdefault(graphs, []).append(name)
    return found


@cache
def _published(table: str) -> frozenset[tuple[str, str]]:
    """Returns programs and graphs of a published table's jobs that are of today and started where programs start."""
    file = MEASUREMENTS / "v1" / f"{table}.parquet"
    rows = pq.read_table(file, columns=["program", "graph", "parameters", "source_sha256"]).to_pylist()
    return frozenset(
        (row["program"], row["graph"])
        for row in rows
        if has_text_of_today(row) and not json.loads(row["parameters"]).get("query")
    )


def _runs(
    part: Part, chosen: Sequence[str], graphs: Sequence[str], folder: Path
) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """Yields what sweeps programs on graphs take: globs of programs, graphs, and options."""
    from inputs.formats import egr

    known = load_space().algorithms
    groups: dict[tuple[bool, float], list[str]] = {}
    for name in chosen:
        style = load_space().parse(name)
        directed = known[style["algorithm"]].takes_directed(style)
        groups.setdefault((directed, MOST_EDGES.get(style["algorithm"], math.inf)), []).append(name)
    for (directed, most_edges), some in groups.items():
        fitting = [name for name in graphs if _fits(folder / f"{name}.egr", most_edges, directed=directed)]
        globs = sorted({f"{name.split('-')[0]}-*" for name in some})
        if fitting and not part.sources:
            for some_graphs in [[name] for name in fitting] if part.in_order else [fitting]:
                yield globs, some_graphs, []
        for name in fitting if part.sources else ():
            degrees = egr.read(folder / f"{name}.egr").degrees
            hub = int(degrees.argmax())
            others = np.setdiff1d(np.flatnonzero(degrees), [hub])
            drawn = np.random.default_rng(1).permutation(others)[: part.sources - 1]
            for source in (hub, *map(int, drawn)):
                yield globs, [name], ["--source", str(source)]


def _fits(graph: Path, most_edges: float, *, directed: bool) -> bool:
    """Tells whether a graph is for programs that take directed ones or not, and is not too large for them."""
    from inputs.formats import egr

    return egr.is_directed(graph) == directed and egr.read_counts(graph)[1] <= most_edges


def _run(command: Sequence[str], end: float) -> bool:
    """Runs a sweep until it is done or time is over, which it is told gently; returns whether it was done."""
    left = end - time.monotonic()
    if left <= 0:  # making graphs may have taken all
        return False
    sweep = subprocess.Popen(command)
    try:
        sweep.wait(left)
    except subprocess.TimeoutExpired:
        sweep.send_signal(signal.SIGINT)
        sweep.wait()
        return False
    return True


def _takes(program: str, graph: str, shapes: dict[str, Shape]) -> bool:
    """Does the same of a graph that need not be there."""
    style = load_space().parse(program)
    directed = load_space().algorithms[style["algorithm"]].takes_directed(style)
    fits = _size(graph, shapes)[1] <= MOST_EDGES.get(style["algorithm"], math.inf)
    return fits and directed == any(mark in graph for mark in ("-directed", ONE_WAY, HALF_BOTH))


def _size(graph: str, shapes: dict[str, Shape]) -> tuple[float, float]:
    """Returns how many vertices and edges a graph has; if nobody has looked yet, those of a large one."""
    known = shapes.get(graph) or shapes.get(graph.removesuffix(SHUFFLED))
    return (known.vertices, known.vertices * known.average_degree) if known else (1e6, 1e7)


def _walls() -> dict[str, dict[str, list[tuple[float, float, float]]]]:
    """Returns what jobs took: by algorithm and model, and program: edges, seconds of wall time, and repetitions."""
    found: dict[str, dict[str, list[tuple[float, float, float]]]] = {}
    columns = ["program", "edges", "wall_s", "samples_s", "status"]
    for name in ("v1/best", "v1/paper", "v1/around", "v1/cpu"):
        for row in pq.read_table(MEASUREMENTS / f"{name}.parquet", columns=columns).to_pylist():
            if row["status"] == "verified" and row["wall_s"] and row["edges"]:
                algorithm = found.setdefault(_kind(row["program"]), {})
                job = (row["edges"], row["wall_s"], len(row["samples_s"]) + 1)
                algorithm.setdefault(row["program"], []).append(job)
    return found


def _kind(program: str) -> str:
    """Returns algorithm and model, with which the name of a program begins."""
    return "-".join(program.split("-")[:2])


def _expected_s(
    program: str,
    graph: str,
    reps: int,
    table: dict[str, dict[str, list[tuple[float, float, float]]]],
    shapes: dict[str, Shape],
) -> float:
    """Returns about how long a job takes: as on the graph of the most similar size, of all programs if this is new."""
    edges = _size(graph, shapes)[1]
    known = table.get(_kind(program), {})
    jobs = known.get(program) or [job for jobs in known.values() for job in jobs] or [(1e7, 0.3, 10.0)]
    least = min(abs(math.log(size / edges)) for size, _, _ in jobs)
    near = [
        min(TIMEOUT_S, wall * min(edges / size, 4.0) * (reps + 1) / count)
        for size, wall, count in jobs
        if abs(math.log(size / edges)) == least
    ]
    return float(np.median(near))


@told_in_one_line()
def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("plan", help="print the parts")
    measuring = commands.add_parser("measure", help="measure parts")
    measuring.add_argument("parts", nargs="+", choices=PARTS)
    measuring.add_argument("--seconds", type=float, default=500.0, help="after which nothing more is measured")
    measuring.add_argument("--results", type=Path, default=Path("results/v1"))
    asked = parser.parse_args()
    if asked.command == "plan":
        plan()
    elif not (math.isfinite(asked.seconds) and asked.seconds > 0):
        parser.error(f"--seconds {asked.seconds:g}: give a positive number of seconds")
    else:
        measure(asked.parts, asked.seconds, asked.results)


if __name__ == "__main__":
    main()
