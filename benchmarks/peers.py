"""What a Python user would pick instead of Violet, and Violet, timed on the same graphs and machine: `violet peers`."""

from __future__ import annotations

import csv
import gc
import json
import statistics
import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

import numpy as np
from rich.table import Table

from analysis.compared.baselines import VIOLET
from analysis.errors import check_word
from benchmarks.answers import find_error, read_reference
from benchmarks.libraries import LIBRARIES, Library, Problem, weighted
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
from runner.jobs.once import run_once
from runner.jobs.plan import Parameters
from runner.jobs.programs import GPU_MODELS
from runner.jobs.references import Problem as Question
from runner.jobs.references import References
from runner.machine.machine import this_machine
from runner.machine.pinning import Places, ProcBind
from runner.progress import Progress

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Mapping

COLUMNS = (
    *("code", "model", "algorithm", "graph", "machine", "throughput", "median_s", "samples_s", "samples", "threads"),
    *("vertices", "edges", "verified", "cpu", "cores", "date", "program"),
)
_COLD_S = 1.0
"""From so many seconds on, it does not matter what is in the caches at first."""
_ALGORITHMS = tuple(dict.fromkeys(name for library in LIBRARIES.values() for name in library.calls))

Row = dict[str, object]


class Code(Protocol):
    """What solves a problem of one algorithm, as often as it is asked to."""

    title: str
    model: str
    threads: int
    program: str
    """Of Violet; "" of others."""

    def solve(self) -> float:
        """Solves it once more; returns the seconds that count."""
        ...

    def wrong(self) -> str | None:
        """Returns what is wrong with the last answer."""
        ...


class LibraryCode:
    """A call of a library."""

    program = ""

    def __init__(self, library: Library, graph: object, problem: Problem, algorithm: str, answer: object) -> None:
        """Takes the library's graph, and the right answer as `answers.read_reference` returns it."""
        self.title, self.model, self.threads = library.title, library.model, library.threads(problem)
        self._call, self._graph, self._problem = library.calls[algorithm], graph, problem
        self._algorithm, self._answer = algorithm, answer
        self._found: object = None

    def solve(self) -> float:
        """Calls it once more where that is quick: another code has just had the caches, and programs warm up, too."""
        first_s = self._run()
        return first_s if first_s >= _COLD_S else self._run()

    def _run(self) -> float:
        """Python's collector waits until the call is over."""
        gc.disable()
        try:
            start = time.perf_counter()
            self._found = self._call.run(self._graph, self._problem)
            return time.perf_counter() - start
        finally:
            gc.enable()

    def wrong(self) -> str | None:
        """Returns what differs from the right answer."""
        found = self._call.read(self._found, self._problem)
        return find_error(self._algorithm, found, self._answer, self._problem)


class VioletCode:
    """The fastest program that a search finds; it verifies what it solves, and fails if that is wrong."""

    title = VIOLET

    def __init__(self, checkout: Checkout, file: GraphFile, algorithm: str, asked: Namespace) -> None:
        """Searches.

        Raises:
            UserError: there is no program that works.
        """
        parameters = Parameters(threads=asked.threads, proc_bind=ProcBind.SPREAD, places=Places.THREADS)
        question = Search(str(file.path), algorithm, None, asked.budget, parameters, seed=0)
        self._job = find_best(checkout, question, Progress()).winner
        self._checkout, self._file = checkout.written, file
        self.program, self.threads = self._job.program.name, self._job.parameters.threads or 1
        self.model = self.program.split("-")[1]

    def solve(self) -> float:
        """Runs the program, which reads the graph and warms up outside of what is timed."""
        once = self._job.parameters.model_copy(update={"reps": 1, "budget": None})
        (seconds,) = json.loads(run_once(self._checkout, self._job.program, self._file, once))["samples_s"]
        return float(seconds)

    def wrong(self) -> None:
        """Nothing: the program would have failed."""


def measure(codes: Iterable[Code], algorithm: str, samples: int = 5, limit_s: float = 60.0) -> list[Row]:
    """Times codes in turns; says on stderr what is left out or wrong.

    Args:
        codes: solve the same problem; each is called once to warm up.
        algorithm: of the problem.
        samples: how often each is timed.
        limit_s: what takes longer than this when warming up is left out.

    Returns:
        A row for each code that was timed: `code`, `model`, `algorithm`, `threads`, `median_s`, `samples_s` (the times
        in s, in order, with blanks between), `samples`, `verified` ("yes", or what is wrong) and `program`.
    """
    times: dict[Code, list[float]] = {}
    for code in codes:
        words = f"  {code.title.partition(' ')[0]} {algorithm}: left out,"
        try:
            first_s = code.solve()
        except Exception as error:  # whatever another library raises
            say(f"{words} it fails: {type(error).__name__}: {error}", error=True)
            continue
        if first_s > limit_s:
            say(f"{words} a call takes {first_s:.3g} s (--limit {limit_s:g})", error=True)
            continue
        times[code] = []
    for turn in range(samples):
        for code in reversed(times) if turn % 2 else times:
            times[code].append(code.solve())
    rows: list[Row] = []
    for code, seconds in times.items():
        wrong, median = code.wrong(), statistics.median(seconds)
        said = f"  {code.title.partition(' ')[0]} {algorithm}: {median * 1e3:.4g} ms"
        say(said + (f"; WRONG: {wrong}" if wrong else ""), error=True)
        rows.append(
            {
                "code": code.title,
                "model": code.model,
                "algorithm": algorithm,
                "threads": code.threads,
                "median_s": f"{median:.6g}",
                "samples_s": " ".join(f"{each:.6g}" for each in seconds),
                "samples": samples,
                "verified": wrong or "yes",
                "program": code.program,
            }
        )
    return rows


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
            graphs = {}
            for library in there:
                say(f"[{position}/{len(files)}] {file.name}: {library.title} makes its graph", error=True)
                graphs[library.package] = library.load(problem)
            gc.collect()
            medians: dict[tuple[str, str], float] = {}
            programs: dict[str, object] = {}
            for algorithm in wanted_algorithms:
                solving = [library for library in there if algorithm in library.calls]
                right = answers(algorithm) if solving else None
                codes: list[Code] = [
                    LibraryCode(library, graphs[library.package], problem, algorithm, right) for library in solving
                ]
                if VIOLET in names and (codes or not there):
                    say(f"[{position}/{len(files)}] {file.name}: Violet {algorithm}", error=True)
                    codes.append(VioletCode(checkout, file, algorithm, asked))
                for row in measure(codes, algorithm, asked.samples, asked.limit):
                    wrong += row["verified"] != "yes"
                    median = float(str(row["median_s"]))
                    medians[algorithm, str(row["code"])] = median
                    programs |= {algorithm: row["program"]} if row["program"] else {}
                    table.writerow(
                        {
                            **row,
                            "graph": file.name,
                            "machine": machine.fingerprint[:6],
                            "throughput": f"{file.edges / median / 1e9:.6g}",
                            "vertices": file.vertices,
                            "edges": file.edges,
                            "cpu": machine.gpus[0].name if row["model"] in GPU_MODELS else machine.cpu,
                            "cores": machine.cores,
                            "date": datetime.now(UTC).date().isoformat(),
                        }
                    )
                    out.flush()
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
