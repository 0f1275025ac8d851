"""What a Python user would pick instead of Violet, and Violet, timed on the same graphs and machine: `violet peers`."""

from __future__ import annotations

import csv
import gc
import statistics
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
from rich.table import Table

from analysis.errors import check_word
from benchmarks.answers import find_error, read_reference
from benchmarks.libraries import LIBRARIES, Call, Library, Problem, weighted
from generator.algorithms import find_algorithm
from generator.console import Console
from generator.errors import UserError
from generator.output import add
from generator.terminal import say
from inputs.formats import egr
from runner.best.find import Question as Search
from runner.best.find import find_best
from runner.checkout import Checkout, here
from runner.doctor.noise import warn_if_busy
from runner.hashing import hash_file
from runner.jobs.build import build_shared
from runner.jobs.graphs import Graph as GraphFile
from runner.jobs.graphs import open_graph
from runner.jobs.plan import Parameters
from runner.jobs.references import Problem as Question
from runner.jobs.references import References
from runner.machine.machine import this_machine
from runner.machine.pinning import Places, ProcBind
from runner.progress import Progress

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Mapping

COLUMNS = (
    *("code", "model", "algorithm", "graph", "machine", "throughput"),
    *("median_s", "samples_s", "samples", "threads", "vertices", "edges", "verified", "cpu", "cores", "date"),
)
VIOLET = "violet"
_ALGORITHMS = tuple(dict.fromkeys(name for library in LIBRARIES.values() for name in library.calls))

Row = dict[str, object]


def measure(
    library: Library,
    problem: Problem,
    algorithms: Iterable[str],
    answers: Callable[[str], object],
    samples: int = 5,
    limit_s: float = 60.0,
) -> list[Row]:
    """Times a library on a graph, one algorithm after the other; says on stderr what is left out or wrong.

    Args:
        library: which is installed.
        problem: the graph.
        algorithms: those of which the library has none are passed over.
        answers: the right answer of an algorithm, as `answers.read_reference` returns it.
        samples: how often each is timed.
        limit_s: what takes longer than this when warming up is left out.

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
            say(f"  {words}: left out, it fails: {type(error).__name__}: {error}", error=True)
            continue
        if first_s > limit_s:
            say(f"  {words}: left out, a call takes {first_s:.3g} s (--limit {limit_s:g})", error=True)
            continue
        times: list[float] = []
        for _ in range(samples):
            elapsed, found = _time(call, mine, problem)
            times.append(elapsed)
        wrong = find_error(algorithm, call.read(found, problem), answers(algorithm), problem)
        median = statistics.median(times)
        say(f"  {words}: {median * 1e3:.4g} ms" + (f"; WRONG: {wrong}" if wrong else ""), error=True)
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
        UserError: it is no graph, directed, or has no edge.
    """
    graph = egr.read(file.path)
    if graph.directed:
        raise UserError(f"{file.path} is directed; make it undirected: violet graphs convert")
    if not graph.edge_count:
        raise UserError(f"{file.path} has no edge, so nothing can be timed on it")
    return Problem(weighted(graph), int(np.flatnonzero(graph.degrees)[0]), threads)


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


def run(asked: Namespace) -> int:
    """Measures all that is asked for, writes the table and shows it; returns how many answers are wrong."""
    words = map(find_algorithm, asked.algorithms)
    wanted_algorithms = [check_word(word, _ALGORITHMS, "algorithm") for word in words] or [*_ALGORITHMS]
    known = [*LIBRARIES, VIOLET]
    names = [check_word(word, known, "library") for word in asked.libraries] or known
    wanted = [LIBRARIES[name] for name in names if name != VIOLET]
    there = [library for library in wanted if library.installed]
    for library in wanted:
        if library not in there:
            say(f"left out: {' and '.join(library.modules)} cannot be imported", error=True)
    checkout, machine = here(), this_machine()
    files = [open_graph(name, checkout.graphs) for name in asked.graphs]
    problems = [read_problem(file, asked.threads) for file in files]
    judge = _with_reference(checkout)
    warn_if_busy()
    wrong = 0
    with asked.out.open("w", newline="", encoding="utf-8") as out:
        table = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        table.writeheader()
        for position, (file, problem) in enumerate(zip(files, problems, strict=True), start=1):
            answers = _reference_answers(file, problem, judge)
            medians: dict[tuple[str, str], float] = {}
            for library in there:
                say(f"[{position}/{len(files)}] {file.name}: {library.title}", error=True)
                for row in measure(library, problem, wanted_algorithms, answers, asked.samples, asked.limit):
                    wrong += row["verified"] != "yes"
                    median = float(str(row["median_s"]))
                    medians[str(row["algorithm"]), library.title] = median
                    table.writerow(
                        {
                            **row,
                            "graph": file.name,
                            "machine": machine.fingerprint[:6],
                            "throughput": f"{file.edges / median / 1e9:.6g}",
                            "vertices": file.vertices,
                            "edges": file.edges,
                            "cpu": machine.cpu if library.model != "cuda" else machine.gpus[0].name,
                            "cores": machine.cores,
                            "date": datetime.now(UTC).date().isoformat(),
                        }
                    )
                    out.flush()
            programs = {}
            if VIOLET in names:
                solved = {algorithm for algorithm, _ in medians} if there else wanted_algorithms
                for algorithm in (each for each in wanted_algorithms if each in solved):
                    say(f"[{position}/{len(files)}] {file.name}: Violet {algorithm}", error=True)
                    programs[algorithm], medians[algorithm, VIOLET] = _fastest(checkout, file, algorithm, asked)
            Console(width=None if sys.stdout.isatty() else 200).print(_tabulate(file.name, medians))
            for algorithm, program in programs.items():
                say(f"  {algorithm}: {program}")
    say(asked.out)
    return wrong


def _with_reference(checkout: Checkout) -> Checkout:
    """Returns where violet-reference is, which is built if it is nowhere."""
    if checkout.reference_program.exists():
        return checkout
    add([], checkout.written.generated)
    build_shared(checkout.written)
    return checkout.written


def _fastest(checkout: Checkout, file: GraphFile, algorithm: str, asked: Namespace) -> tuple[str, float]:
    """Returns the fastest program that a search finds, and its median time."""
    parameters = Parameters(threads=asked.threads, proc_bind=ProcBind.SPREAD, places=Places.THREADS)
    answer = find_best(checkout, Search(str(file.path), algorithm, None, asked.budget, parameters, seed=0), Progress())
    return answer.winner.program.name, answer.ranking.candidates[0].median_s


def _tabulate(graph: str, medians: Mapping[tuple[str, str], float]) -> Table:
    """Shows times in ms, and in brackets how often Violet would be done in each."""
    codes = sorted({code for _, code in medians}, key=lambda code: (code != VIOLET, code))
    table = Table("algorithm", title=f"{graph}: ms, and times as long as Violet")
    for code in codes:
        table.add_column("Violet" if code == VIOLET else code, justify="right")
    for algorithm in dict.fromkeys(algorithm for algorithm, _ in medians):
        mine, cells = medians.get((algorithm, VIOLET)), []
        for code in codes:
            median = medians.get((algorithm, code))
            ratio = f" ({median / mine:.2g} x)" if median and mine and code != VIOLET else ""
            cells.append(f"{median * 1e3:.3g}{ratio}" if median else "")
        table.add_row(algorithm, *cells)
    return table
