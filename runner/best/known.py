"""Solving with the best program known: for this machine, and a graph like the one at hand."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np

from generator.algorithms import load_algorithms
from generator.space import load_space, name_of
from generator.terminal import say
from runner.best import answers
from runner.best.evidence import Evidence
from runner.best.expectation import likeness
from runner.best.find import explain, find_best, open_pool, open_question
from runner.best.measured import Measured, measure_shape, read_shapes
from runner.best.pool import Written
from runner.best.searches import all_measured, remember_search
from runner.best.suggest import LEAST_EDGES, WHOLE_WEIGHTS, how_good, suggest
from runner.best.take import check_writable
from runner.checkout import MEASUREMENTS
from runner.errors import RunnerError
from runner.jobs.graphs import RefusedError
from runner.jobs.once import run_once
from runner.jobs.programs import GPU_MODELS
from runner.machine.machine import this_machine

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from generator.algorithms import Result
    from runner.best.find import Question
    from runner.best.pool import Pool
    from runner.best.suggest import Suggestion
    from runner.checkout import Checkout
    from runner.jobs.graphs import Graph
    from runner.jobs.programs import Program
    from runner.progress import Progress

_WIDE = {"i64", "f64", "e64"}
_TYPE = re.compile(r"\b[iefr](?:32|64)\b")
NO_EVIDENCE = Evidence()
_MANY = 32
"""From so many sources on, programs that search from 64 at a time and have a worklist were at least as fast as the best
one after the other on each graph of benchmarks/data/searches-h200.csv. Without a worklist they can be faster, or, where
paths are long, slower by any factor."""
_LEAST_LIKENESS = math.exp(-1)  # of a graph whose fastest program is taken for another one


@dataclass(frozen=True)
class Choice:
    """A program, of which others, and why it was chosen."""

    pool: Pool
    program: Program
    why: str

    def wider(self, said: str) -> Choice | None:
        """Returns the program most like this one of the type of data that it says a graph needs; None if none has it.

        Args:
            said: with what it refused a graph.
        """
        if "variant" not in said:
            return None
        types = set(_TYPE.findall(said)) or _WIDE
        own = {*self.program.name.split("-")}
        fitting = [name for name in self.pool.names if types & {*name.split("-")} and name != self.program.name]
        if not fitting:
            return None
        (program,) = self.pool.take([max(fitting, key=lambda name: len(own & {*name.split("-")}))])
        return Choice(self.pool, program, said)


@dataclass(frozen=True)
class Solved:
    """How many seconds a program took, and what it has found, unless it has written that itself."""

    seconds: float
    found: Mapping[Result, NDArray[Any]]


def choose(checkout: Checkout, question: Question, results: Path, progress: Progress) -> Choice:
    """Returns the fastest program that was measured on the graph, on this kind of machine, or the first suggestion.

    Where no graph is like this one, a search with the question's budget decides, which is remembered. Of a tiny one,
    nothing is measured.

    Args:
        checkout: has the programs, the committed measurements, and what earlier searches found.
        question: what to find.
        results: the folder of the user's own records.
        progress: is told of the search.

    Raises:
        RunnerError: there is no program, or none that works, or the algorithm is not asked so.
    """
    graph, machine = open_question(checkout, question), this_machine()
    pool = open_pool(checkout, question, graph, machine)
    names = {*pool.names}
    known = all_measured(checkout, results, real_weights=graph.real)
    here = [table for table in known if table.is_of(machine.fingerprint) and table.times_s.keys() & names]
    best = max(here, key=lambda table: likeness(table, graph.vertices, graph.edges), default=None)
    if best is not None and likeness(best, graph.vertices, graph.edges) >= _LEAST_LIKENESS:
        if best.graph != graph.name:
            tried = names & {name for table in here for name in table.times_s}
            shape, shapes = measure_shape(checkout, graph), read_shapes(MEASUREMENTS)
            if suggestion := suggest(tried, known, shapes, shape, machine.fingerprint):
                return _suggested(pool, suggestion, len(tried))
        return _fastest(pool, best)
    if graph.edges < LEAST_EDGES:
        return _any(checkout, pool, graph, known)
    answer = find_best(checkout, question, progress, results)
    times_s = {each.name: each.median_s for each in answer.ranking.candidates if each.samples_s}
    remember_search(checkout.searches, Measured(graph.name, graph.vertices, graph.edges, machine.fingerprint, times_s))
    return Choice(
        pool,
        answer.winner.program,
        f"no graph like this one was measured on this machine; the fastest found: {explain(answer)}",
    )


def check_out(out: Path, *graphs: Path, **others: Path | None) -> None:
    """Raises RunnerError unless a file that is neither the graph, as given or as read, nor another can be there."""
    read = [(each, "is the graph") for each in graphs]
    read += [(file, f"has the {what}") for what, file in others.items() if file]
    try:
        for file, said in read:
            if out.exists() and file.exists() and out.samefile(file):
                raise RunnerError(f"--out {out}: {said}; name another file")
        if out.is_dir() or (out.exists() and not out.is_file()):
            raise RunnerError(f"--out {out}: is no file; name another")
        if not out.parent.is_dir():
            raise RunnerError(f"--out {out}: there is no folder {out.parent}")
    except OSError as error:  # such as a folder that one may not look into
        raise RunnerError(f"--out {out}: {error.strerror}; name another file") from None
    check_writable(out.parent, f"--out {out}")


def written(algorithm: str, out: Path | None) -> list[Path]:
    """Returns the files that results of an algorithm are written to: of several, each has its name, but for tables."""
    if out is None or out == answers.STDOUT:
        return []
    if answers.is_table(out):
        return [out]
    known = load_algorithms()
    return _files(out, known[algorithm].results_of(algorithm) if algorithm in known else ())  # no other has programs


def _files(out: Path, results: Sequence[Result]) -> list[Path]:
    return [out.with_name(f"{out.stem}.{each.name}{out.suffix}") for each in results] if len(results) > 1 else [out]


def solve(
    choice: Choice, graph: Graph, question: Question, out: Path | None, evidence: Evidence = NO_EVIDENCE
) -> Solved:
    """Builds and runs a program; what it has found is verified.

    Args:
        choice: the program.
        graph: to solve.
        question: what is asked of it.
        out: the file of the answer, which the program writes unless `runner.best.answers` makes it.
        evidence: what is said of its vertices.

    Raises:
        RunnerError: it does not compile, or does not solve the graph.
        OSError: a file cannot be read or written.
    """
    with TemporaryDirectory() as folder:
        options = evidence.options(Path(folder))
        program = _asked(choice, question, evidence, paths=answers.is_table(out))
        if out is not None and not answers.is_table(out):
            return Solved(_dump(program, choice, graph, question, out, *options)[1], {})
        dump = Path(folder) / "found.npy"
        program, seconds = _dump(program, choice, graph, question, dump, *options)
        results = load_algorithms()[question.algorithm].results_of(program.reference)
        return Solved(seconds, {each: np.load(file) for each, file in zip(results, _files(dump, results), strict=True)})


def _asked(choice: Choice, question: Question, evidence: Evidence, *, paths: bool) -> Program:
    """Returns the program most like the one chosen that takes what is asked: evidence, many sources or predecessors."""
    if evidence.style:
        return _with(choice, "evidence", evidence.style)
    return _for_many(choice, question) or (_with_predecessors(choice) if paths else choice.program)


def _for_many(choice: Choice, question: Question) -> Program | None:
    """Returns the program most like the one chosen that searches from many sources at a time; None if none is to."""
    if not question.is_repeated or len(question.sources) < _MANY or not isinstance(choice.pool, Written):
        return None
    space, own = load_space(), {*choice.program.name.split("-")}
    like = {"data", "det", choice.program.model}
    plain = [space.parse(name) for name in choice.pool.names if like <= {*name.split("-")}]
    styles = {name_of(each): each for each in space.add(space.axis("batch"), plain) if each["batch"] == "bitparallel"}
    if not styles:
        return None
    (program,) = replace(choice.pool, styles=styles).take([max(styles, key=lambda name: len(own & {*name.split("-")}))])
    say(f"{program.name}: searches from 64 sources at a time", error=True)
    return program


def _with_predecessors(choice: Choice) -> Program:
    """Returns the program that finds predecessors besides, after all else; as it is if there is none."""
    return _with(choice, "predecessors", "derived")


def _with(choice: Choice, axis: str, value: str) -> Program:
    """Returns the program that has a value of an optional axis besides; as it is if there is none."""
    if not isinstance(choice.pool, Written):
        return choice.program
    space = load_space()
    styles = space.add(space.axis(axis), [space.parse(choice.program.name)])
    found = {name_of(each): each for each in styles if each[axis] == value}
    return next(iter(replace(choice.pool, styles=found).take(found)), choice.program)


def _dump(
    program: Program, choice: Choice, graph: Graph, question: Question, out: Path, *more: str
) -> tuple[Program, float]:
    """Runs a program that was chosen, or one made of it; returns the one that has solved, and the seconds it took."""
    options = question.parameters.fitting(program, this_machine()).model_copy(update={"reps": 1, "budget": None})
    sources = [word for source in question.sources for word in ("--source", str(source))]
    options = options.model_copy(update={"source": None}) if sources else options
    try:
        printed = run_once(choice.pool.checkout, program, graph, options, "--dump", str(out), *sources, *more)
    except RefusedError as refused:
        wider = choice.wider(refused.said)
        if wider is None:
            raise
        other = _with_predecessors(wider) if program.reference != choice.program.reference else wider.program
        say(f"{program.name}: {refused.said}; taking {other.name}", error=True)
        return _dump(other, wider, graph, question, out, *more)
    return program, sum(json.loads(line)["samples_s"][0] for line in printed.splitlines())


def _any(checkout: Checkout, pool: Pool, graph: Graph, known: Sequence[Measured]) -> Choice:
    """Chooses for a graph so small that a search would take longer than all the solving that it could ever save."""
    on_cpus = [name for name in pool.names if name.split("-")[1] not in GPU_MODELS] or pool.names
    shape = measure_shape(checkout, graph)
    suggestion = suggest(on_cpus, known, read_shapes(MEASUREMENTS), shape, this_machine().fingerprint, 1)
    (program,) = pool.take([suggestion.programs[0].name if suggestion else on_cpus[0]])
    return Choice(pool, program, f"fewer than {LEAST_EDGES} edges: any program will do")


def _suggested(pool: Pool, suggestion: Suggestion, tried: int) -> Choice:
    first, like = suggestion.programs[0], ", ".join(name for name, _ in suggestion.like)
    (program,) = pool.take([first.name])
    why = f"first of {tried} programs measured on this machine, for what they do on graphs such as {like}"
    why += f", {WHOLE_WEIGHTS}" if suggestion.whole_weights else ""
    return Choice(pool, program, why + how_good(1, len(pool.names), suggestion.quality, 1))


def _fastest(pool: Pool, table: Measured) -> Choice:
    names = {*pool.names}
    times = {name: seconds for name, seconds in table.times_s.items() if name in names}
    name = min(times, key=times.__getitem__)
    (program,) = pool.take([name])
    return Choice(
        pool,
        program,
        f"the fastest of {len(times)} measured on this machine on {table.graph}, the graph most like this one "
        f"({table.vertices} vertices, {table.edges} directed edges): {times[name]:.3g} s there"
        + (f", {WHOLE_WEIGHTS}" if name in table.stand_ins else "")
        + how_good(len(times), len(names), None, 1),
    )
