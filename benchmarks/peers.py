"""Times what a Python user would pick instead of Violet, on the same graphs and machine.

    .venv/bin/python -m benchmarks.peers karate road-16k my.egr --out peers.csv

Libraries: scipy.sparse.csgraph, networkx, igraph, NetworKit, and pylibcugraph on a GPU. Each is optional: what is not
installed is named and left out. `.venv/bin/uv sync --inexact --extra peers` installs all that are for CPUs.

Every algorithm is called once to warm up, then at least five times, and the last answer is held against Violet's
serial reference (violet-reference; `make build` makes it). A graph is loaded into a library once and not timed. As in
Violet, searches start at the first vertex that has an edge, and a graph without weights gets those that programs make.

The columns of the CSV are those that `--baselines` of `python -m analysis report` reads, and more: so

    .venv/bin/python -m runner run --graphs karate road-16k --results results
    .venv/bin/python -m analysis report results --baselines peers.csv

shows Violet's best styles beside these libraries, on this machine. `throughput` is edges, both directions counted,
divided by the median time, in giga-edges/s, as Violet's.
"""

from __future__ import annotations

import argparse
import csv
import gc
import os
import statistics
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.answers import find_error, read_reference
from benchmarks.libraries import LIBRARIES, Call, Library, Problem, weighted
from generator.errors import UserError, did_you_mean
from inputs.formats import egr
from inputs.formats.errors import GraphFormatError
from runner.checkout import Checkout
from runner.errors import RunnerError
from runner.hashing import hash_file
from runner.jobs.graphs import Graph as GraphFile
from runner.jobs.graphs import open_graph
from runner.jobs.references import Problem as Question
from runner.jobs.references import References
from runner.machine.machine import this_machine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SAMPLES = 5
COLUMNS = (
    *("code", "model", "algorithm", "graph", "machine", "throughput"),
    *("median_s", "samples_s", "samples", "threads", "vertices", "edges", "verified", "cpu", "cores", "date"),
)
_ALGORITHMS = tuple(dict.fromkeys(name for library in LIBRARIES.values() for name in library.calls))

Row = dict[str, object]


def measure(
    library: Library,
    problem: Problem,
    algorithms: Iterable[str],
    answers: Callable[[str], object],
    samples: int = SAMPLES,
    limit_s: float = 60.0,
    note: Callable[[str], None] = print,
) -> list[Row]:
    """Times a library on a graph, one algorithm after the other.

    Args:
        library: which is installed.
        problem: the graph.
        algorithms: those of which the library has none are passed over.
        answers: the right answer of an algorithm, as `answers.read_reference` returns it.
        samples: how often each is timed.
        limit_s: what takes longer than this when warming up is left out.
        note: is told what is left out or wrong, a line each.

    Returns:
        A row for each algorithm that was timed: `code`, `model`, `algorithm`, `threads`, `median_s`, `samples_s` (the
        times in s, in order, with blanks between), `samples` and `verified` ("yes", or what is wrong).
    """
    rows: list[Row] = []
    mine = library.load(problem)
    gc.collect()
    for algorithm in algorithms:
        call = library.calls.get(algorithm)
        if call is None:
            continue
        words = f"{library.package} {algorithm}"
        try:
            first_s, found = _time(call, mine, problem)
        except Exception as error:  # whatever another library raises
            note(f"  {words}: left out, it fails: {type(error).__name__}: {error}")
            continue
        if first_s > limit_s:
            note(f"  {words}: left out, a call takes {first_s:.3g} s (--limit {limit_s:g})")
            continue
        times: list[float] = []
        for _ in range(samples):
            elapsed, found = _time(call, mine, problem)
            times.append(elapsed)
        wrong = find_error(algorithm, call.read(found, problem), answers(algorithm), problem)
        median = statistics.median(times)
        note(f"  {words}: {median * 1e3:.4g} ms" + (f"; WRONG: {wrong}" if wrong else ""))
        rows.append(
            {
                "code": library.title,
                "model": library.model,
                "algorithm": algorithm,
                "threads": library.threads(problem),
                "median_s": f"{median:.6g}",
                "samples_s": " ".join(f"{each:.6g}" for each in times),
                "samples": samples,
                "verified": wrong or "yes",
            }
        )
    return rows


def _time(call: Call, graph: object, problem: Problem) -> tuple[float, object]:
    """Returns the seconds of a call and what it returned; Python's collector waits until it is over."""
    gc.disable()
    try:
        start = time.perf_counter()
        found = call.run(graph, problem)
        return time.perf_counter() - start, found
    finally:
        gc.enable()


def read_problem(file: GraphFile, threads: int) -> Problem:
    """Reads a graph, with weights, and finds where searches start.

    Raises:
        GraphFormatError: it is no graph.
        UserError: it is directed or has no edge.
    """
    graph = egr.read(file.path)
    if graph.directed:
        raise UserError(f"{file.path} is directed; make it undirected: python -m inputs convert")
    if not graph.edge_count:
        raise UserError(f"{file.path} has no edge, so nothing can be timed on it")
    return Problem(weighted(graph), int(np.flatnonzero(graph.degrees)[0]), threads)


def _chosen(words: Sequence[str], known: Iterable[str], what: str) -> list[str]:
    known = list(known)
    for word in words:
        if word not in known:
            raise UserError(f"unknown {what} '{word}'; {did_you_mean(word, known)}")
    return list(words) or known


def _reference_answers(file: GraphFile, problem: Problem, checkout: Checkout) -> Callable[[str], object]:
    """Returns what computes the answer of an algorithm with violet-reference, or finds the one of earlier."""
    program = checkout.reference_program
    references = References(program, checkout.references, hash_file(program))

    def answer(algorithm: str) -> object:
        question = Question(algorithm, file)
        references.compute([question])
        path = references.find(question)
        if path is None:
            raise UserError(f"{program} cannot solve {algorithm} on {file.path}; run it to see why")
        return read_reference(path, algorithm, problem)

    return answer


def run(asked: argparse.Namespace) -> int:
    """Measures all that is asked for and writes the table; returns how many answers are wrong."""
    algorithms = _chosen(asked.algorithms, _ALGORITHMS, "algorithm")
    wanted = [LIBRARIES[name] for name in _chosen(asked.libraries, LIBRARIES, "library")]
    there = [library for library in wanted if library.installed]
    for library in wanted:
        if library not in there:
            print(f"left out: {' and '.join(library.modules)} cannot be imported", file=sys.stderr)
    checkout, machine = Checkout(Path.cwd()), this_machine()
    if not checkout.reference_program.exists():
        raise UserError(f"{checkout.reference_program} is missing; answers are held against it: make build")
    files = [open_graph(name, checkout.graphs) for name in asked.graphs]
    wrong = 0
    with asked.out.open("w", newline="", encoding="utf-8") as out:
        table = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        table.writeheader()
        for position, file in enumerate(files, start=1):
            problem = read_problem(file, asked.threads)
            answers = _reference_answers(file, problem, checkout)
            for library in there:
                print(f"[{position}/{len(files)}] {file.name}: {library.title}", file=sys.stderr, flush=True)
                note = lambda text: print(text, file=sys.stderr, flush=True)  # noqa: E731
                for row in measure(library, problem, algorithms, answers, asked.samples, asked.limit, note):
                    wrong += row["verified"] != "yes"
                    table.writerow(
                        {
                            **row,
                            "graph": file.name,
                            "machine": machine.fingerprint[:6],
                            "throughput": f"{file.edges / float(str(row['median_s'])) / 1e9:.6g}",
                            "vertices": file.vertices,
                            "edges": file.edges,
                            "cpu": machine.cpu if library.model != "cuda" else machine.gpus[0].name,
                            "cores": machine.cores,
                            "date": datetime.now(UTC).date().isoformat(),
                        }
                    )
                    out.flush()
    print(asked.out)
    return wrong


def _samples(word: str) -> int:
    if (count := int(word)) < SAMPLES:
        raise argparse.ArgumentTypeError(f"fewer than {SAMPLES} samples are no basis for a median")
    return count


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures; returns 0, or 1 after one line on what the user can mend, or if an answer is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graphs", nargs="+", help="names of `python -m inputs list`, or .egr files")
    parser.add_argument(
        "--out", type=Path, default=Path("peers.csv"), help="the CSV file to write (default: %(default)s)"
    )
    parser.add_argument("--algorithms", nargs="+", default=[], metavar="NAME", help=f"default: {' '.join(_ALGORITHMS)}")
    parser.add_argument("--libraries", nargs="+", default=[], metavar="NAME", help=f"default: {' '.join(LIBRARIES)}")
    parser.add_argument("--samples", type=_samples, default=SAMPLES, help=f"times a call, at least {SAMPLES}")
    parser.add_argument(
        "--limit", type=float, default=60.0, help="leave out what takes longer when warming up, in s (default: 60)"
    )
    parser.add_argument(
        "--threads", type=int, default=len(os.sched_getaffinity(0)), help="of parallel libraries (default: all)"
    )
    asked = parser.parse_args(arguments)
    try:
        return 1 if run(asked) else 0
    except (UserError, RunnerError, GraphFormatError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
