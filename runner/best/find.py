"""The fastest program for one graph, and how sure that is."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from rich.table import Table

from generator.algorithms import load_algorithms
from runner.best.expectation import expect, promising
from runner.best.measured import measure_shape, read_shapes
from runner.best.pool import generated, written
from runner.best.search import Effort, Ranking, Search, Trial
from runner.best.searches import all_measured
from runner.best.suggest import CANDIDATES, how_good, suggest
from runner.checkout import MEASUREMENTS
from runner.errors import RunnerError
from runner.jobs.build import build, is_current
from runner.jobs.check import check_graphs
from runner.jobs.graphs import open_graph
from runner.jobs.plan import Job, Parameters, check_signs, check_start, hash_runtime, made_weights, plan
from runner.jobs.programs import GPU_MODELS
from runner.jobs.references import References
from runner.locks import only_timer
from runner.machine.machine import this_machine
from runner.machine.toolchain import read_toolchain
from runner.process.limits import default_memory_bytes
from runner.results.records import Record, Status, is_told
from runner.timing.device import check_gpu, is_suspicious, keep_gpu_open
from runner.timing.measure import Settings, measure

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from runner.best.measured import Measured
    from runner.best.pool import Pool
    from runner.best.suggest import Quality, Suggestion
    from runner.checkout import Checkout
    from runner.jobs.graphs import Graph
    from runner.machine.machine import Machine
    from runner.machine.toolchain import Toolchain
    from runner.progress import Progress

_SHOWN = 10
_MOST = 400  # programs of a model that a search considers
_BATCH = 16  # programs that are built at once, at most
_SURE = 0.95  # from which confidence on no doubt is told


@dataclass(frozen=True)
class Question:
    """What to find.

    Attributes:
        graph: a name of the catalogue, or an `.egr` file.
        algorithm: what the program must compute.
        model: programming model it must be written in, if that matters.
        budget_s: seconds of measuring.
        parameters: options of the programs; the number of repetitions is up to the search. With `gpus`, programs for
            several GPUs are tried on each number of them up to this one.
        seed: of the search.
        build: whether to compile first; without, programs that are not built or out of date are left out.
        programs: names to search among; * stands for any text.
        library: whether only programs that can be exported as libraries count.
        generated: whether only programs count that were generated last, as they are now; else, all that can be written.
        sources: where to start from, if at several vertices; `parameters` has the first.
    """

    graph: str
    algorithm: str
    model: str | None
    budget_s: float
    parameters: Parameters
    seed: int
    build: bool = True
    programs: tuple[str, ...] = ("*",)
    library: bool = False
    generated: bool = False
    sources: tuple[int, ...] = ()

    @property
    def is_repeated(self) -> bool:
        """Whether each of several sources has an answer of its own; of some algorithms, they have one together."""
        return len(self.sources) > 1 and "sources" not in load_algorithms()[self.algorithm].query


@dataclass(frozen=True)
class Answer:
    """What was found.

    Attributes:
        winner: the job of the fastest program.
        ranking: that it leads.
        assumed: what programs assumed of the weights of a graph that has none, if they need any.
        quality: how good programs like those that were tried are elsewhere, if that is known.
    """

    winner: Job
    ranking: Ranking
    assumed: str | None = None
    quality: Quality | None = None


def find_best(checkout: Checkout, question: Question, progress: Progress, results: Path | None = None) -> Answer:
    """Searches the programs of an algorithm for the fastest one on a graph.

    Args:
        checkout: what Violet works in.
        question: what to find.
        progress: is told of the search.
        results: records of the user's own, to learn from.

    Raises:
        RunnerError: there is no program, or none that works, or the algorithm is not asked so.
    """
    graph, machine = open_question(checkout, question), this_machine()
    if (question.parameters.gpus or 0) > len(machine.gpus):
        raise RunnerError(f"--gpus {question.parameters.gpus}: this machine has {len(machine.gpus)}")
    pool = open_pool(checkout, question, graph, machine)
    with only_timer(checkout), ExitStack() as until_the_end:
        trials = _Trials(pool, question, graph, machine, progress, until_the_end)
        return _search(checkout, trials, results)


def open_question(checkout: Checkout, question: Question) -> Graph:
    """Finds or makes the graph of a question.

    Raises:
        RunnerError: the algorithm is not asked so, or does not take the graph's weights.
    """
    graph = open_graph(question.graph, checkout.graphs)
    check_start(question.algorithm, question.parameters.source, graph)
    check_signs(question.algorithm, graph)
    made_weights(question.algorithm, graph, question.parameters.weights)
    return graph


def open_pool(checkout: Checkout, question: Question, graph: Graph, machine: Machine) -> Pool:
    """Returns the programs that a question is about.

    Raises:
        RunnerError: there are none, or their algorithm is not asked so.
    """
    if question.generated:
        return generated(checkout, question, graph)
    if not question.build:
        raise RunnerError("--no-build is for programs that were generated: give --generated, too")
    return written(checkout, question, graph, machine, read_toolchain(checkout))


def _by_gpus(parameters: Parameters) -> list[Parameters]:
    """Returns the parameters with each number of GPUs up to the one given; as they are if none is."""
    if not parameters.gpus:
        return [parameters]
    return [parameters.model_copy(update={"gpus": gpus}) for gpus in range(1, parameters.gpus + 1)]


def _search(checkout: Checkout, trials: _Trials, results: Path | None) -> Answer:
    question, graph = trials.question, trials.graph
    known = all_measured(checkout, results, real_weights=graph.real)
    names = trials.begin()
    if len(names) > _MOST:
        names = promising(names, graph.vertices, graph.edges, known, _MOST)
    expectation = expect(names, graph.vertices, graph.edges, known)
    suggested = _suggested(checkout, trials, names, known) if trials.pool.lazy else []
    first = [each.name for suggestion in suggested[:1] for each in suggestion.programs]
    first += [suggestion.programs[0].name for suggestion in suggested[1:]]
    trials.progress.note(f"{trials.programs} programs; {question.budget_s:g} s to find the fastest")
    ranking = Search(
        names,
        trials.measure,
        question.budget_s,
        expectation,
        question.seed,
        prepare=trials.prepare if trials.pool.lazy else None,
        first=first,
        batch=max(2, min(_BATCH, len(os.sched_getaffinity(0)))),
    ).run()
    ranking = replace(ranking, programs=trials.programs)
    if not ranking.candidates[0].samples_s:
        raise RunnerError(f"none of the {len(ranking.candidates)} programs tried works: {trials.complaint}")
    assumed = made_weights(question.algorithm, graph, question.parameters.weights)
    tried = {each.name for each in ranking.candidates}
    quality = suggested[0].quality if suggested and tried >= {*first} else None
    return Answer(trials.jobs[ranking.candidates[0].name], ranking, assumed, quality)


def _suggested(
    checkout: Checkout, trials: _Trials, names: Sequence[str], known: Sequence[Measured]
) -> list[Suggestion]:
    """Returns what is suggested for a GPU, if there is one, and for CPUs: few measurements compare these."""
    shape, shapes = measure_shape(checkout, trials.graph), read_shapes(MEASUREMENTS)
    found = []
    for on_gpu in (True, False):
        group = [name for name in names if (name.split("-")[1] in GPU_MODELS) == on_gpu]
        if suggestion := suggest(group, known, shapes, shape, trials.machine.fingerprint):
            found.append(suggestion)
    return found


def tabulate_ranking(answer: Answer) -> Table:
    """Shows the fastest programs, with throughput as the paper defines it.

    Names come last and are never cut, so that they can be copied: a narrow terminal wraps them, after the figures.
    """
    table = Table()
    for column in ("median s", "samples", "giga-edges/s", "slower than best"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_column("program", no_wrap=True)
    best_s = answer.ranking.candidates[0].median_s
    for candidate in answer.ranking.candidates[:_SHOWN]:
        if candidate.samples_s:
            table.add_row(
                f"{candidate.median_s:.4g}",
                str(len(candidate.samples_s)),
                f"{answer.winner.graph.edges / candidate.median_s / 1e9:.4g}",
                f"{candidate.median_s / best_s - 1:.1%}",
                candidate.name,
            )
    return table


def explain(answer: Answer) -> str:
    """Says in one line how thorough the search was, and how good what it found should be."""
    ranking, quality = answer.ranking, answer.quality
    said = f"{len(ranking.candidates)} of {ranking.programs} programs tried in {ranking.wall_s:.0f} s"
    said += how_good(len(ranking.candidates), ranking.programs, quality, CANDIDATES)
    if ranking.confidence < _SURE:
        said += f"; the first is the fastest in {ranking.confidence:.0%} of resampled measurements, so others may be"
    return said + (f"; {answer.assumed}" if answer.assumed else "")


@dataclass
class _Trials:
    """Builds and runs programs for the search; their records are not kept, since they follow no plan."""

    pool: Pool
    question: Question
    graph: Graph
    machine: Machine
    progress: Progress
    until_the_end: ExitStack
    jobs: dict[str, Job] = field(default_factory=dict)
    complaint: str = ""
    _complaints: dict[str, str] = field(default_factory=dict)
    _labels: dict[str, tuple[str, Parameters]] = field(default_factory=dict)

    @property
    def programs(self) -> int:
        """How many there are, each with each number of GPUs."""
        return len(self._labels)

    @cached_property
    def _toolchain(self) -> Toolchain:
        return read_toolchain(self.pool.checkout)

    @cached_property
    def _runtime_sha256(self) -> str:
        return hash_runtime(self.pool.checkout)

    @cached_property
    def _references(self) -> References:
        checkout = self.pool.checkout
        return References(checkout.reference_program, checkout.references, self._runtime_sha256)

    def begin(self) -> list[str]:
        """Returns what tells the jobs of the search apart, as one would type it.

        Raises:
            RunnerError: no program can run.
        """
        parameters = _by_gpus(self.question.parameters)
        several = self.question.parameters.gpus
        for name in self.pool.names:
            if several and name.split("-")[1] == "multigpu":
                self._labels |= {f"{name} --gpus {each.gpus}": (name, each) for each in parameters}
            else:
                self._labels[name] = (name, parameters[0])
        if not self.pool.lazy:
            self._labels = self._runnable(self._labels)
        return list(self._labels)

    def _runnable(self, labels: dict[str, tuple[str, Parameters]]) -> dict[str, tuple[str, Parameters]]:
        """Returns those of generated programs that can run and compile."""
        jobs = self._plan(labels)
        possible = {label: job for label, job in jobs.items() if not job.obstacle}
        algorithm = self.question.algorithm
        if not possible:
            reasons = ", ".join(sorted({job.obstacle for job in jobs.values() if job.obstacle}))
            raise RunnerError(f"none of the {len(self.pool.names)} programs of {algorithm} can run: {reasons}")
        if not self.question.build:
            possible = {label: job for label, job in possible.items() if is_current(job.program, self.pool.checkout)}
            if not possible:
                raise RunnerError(
                    f"none of the {len(self.pool.names)} programs of {algorithm} is built and up to date: "
                    "leave out --no-build"
                )
        self.prepare(list(possible))
        usable = {label: labels[label] for label in possible if label not in self._complaints}
        if not usable:
            raise RunnerError(f"no program of {algorithm} compiles: {min(self._complaints.values())}")
        return usable

    def _plan(self, labels: dict[str, tuple[str, Parameters]]) -> dict[str, Job]:
        programs = {each.name: each for each in self.pool.take(dict.fromkeys(name for name, _ in labels.values()))}
        return {
            label: plan(
                [programs[name]],
                [self.graph],
                parameters,
                machine=self.machine,
                toolchain=self._toolchain,
                runtime_sha256=self._runtime_sha256,
            )[0]
            for label, (name, parameters) in labels.items()
        }

    def prepare(self, labels: Sequence[str]) -> None:
        """Writes, builds and checks what is needed to run programs."""
        checkout = self.pool.checkout
        jobs = self._plan({label: self._labels[label] for label in labels})
        programs = {job.program for job in jobs.values()}
        if self.question.build:
            complaints = build(checkout, programs)
            names = {label: self._labels[label][0] for label in jobs}
            self._complaints |= {label: complaints[name] for label, name in names.items() if name in complaints}
        usable = [job for label, job in jobs.items() if label not in self._complaints]
        if usable and not self.jobs:
            check_graphs(checkout, usable)
            self.until_the_end.enter_context(
                keep_gpu_open(checkout.gpu_check, {self._labels[label][0].split("-")[1] for label in self._labels})
            )
        self._references.compute({job.problem for job in usable}, self.progress.track_references)
        self.jobs |= jobs

    def measure(self, name: str, effort: Effort) -> Trial:
        """Runs one program; only verified samples count."""
        if name in self._complaints:
            self.complaint = f"{name}: does not compile: {self._complaints[name]}"
            return Trial([], 0.0, 0.0)
        job = self.jobs[name]
        job = replace(job, parameters=job.parameters.model_copy(update={"budget": effort.solving_s}))
        records: list[Record] = []
        reference = self._references.find(job.problem)
        measure([job], [reference] if reference else [], self._settings(effort.timeout_s), records.append)
        (record,) = records
        if is_suspicious(record) and record.status is not Status.TIMEOUT:  # slow programs are stopped all the time
            check_gpu(self.pool.checkout.gpu_check, records)
        wall_s = record.wall_s or 0.0
        if record.status is not Status.VERIFIED:
            said = job.program.complaint(record.error or "")
            said = "" if is_told(record.reason, said) else said
            self.complaint = ": ".join(filter(None, (name, record.reason, said)))
            return Trial([], 0.0, wall_s)
        return Trial(record.samples_s, record.phases_s.get("solve", sum(record.samples_s)), wall_s)

    def _settings(self, timeout_s: float) -> Settings:
        return Settings("search", timeout_s, default_memory_bytes())
