"""The fastest program for one graph, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from rich.table import Table

from generator.algorithms import load_algorithms
from generator.export import obstacle
from runner.best.expectation import expect, read_measured
from runner.best.search import Effort, Ranking, Search, Trial
from runner.errors import RunnerError
from runner.jobs.build import build, is_current
from runner.jobs.check import check_graphs
from runner.jobs.graphs import check_source, open_graph
from runner.jobs.plan import Job, Parameters, check_query, hash_runtime, made_weights, plan
from runner.jobs.programs import Program, read_programs
from runner.jobs.references import References
from runner.locks import only_timer
from runner.machine.machine import this_machine
from runner.machine.toolchain import read_toolchain
from runner.process.limits import default_memory_bytes
from runner.results.records import Record, Status, is_told
from runner.timing.device import check_gpu, is_suspicious, keep_gpu_open
from runner.timing.measure import Settings, measure

if TYPE_CHECKING:
    from runner.checkout import Checkout
    from runner.progress import Progress

_SHOWN = 10


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


@dataclass(frozen=True)
class Answer:
    """What was found.

    Attributes:
        winner: the job of the fastest program.
        ranking: that it leads.
        assumed: what programs assumed of the weights of a graph that has none, if they need any.
    """

    winner: Job
    ranking: Ranking
    assumed: str | None = None


def find_best(checkout: Checkout, question: Question, progress: Progress) -> Answer:
    """Searches the programs of an algorithm for the fastest one on a graph.

    Raises:
        RunnerError: there is no program, or none that works, or the algorithm is not asked so.
    """
    runtime_sha256 = hash_runtime(checkout)
    programs = candidates(checkout, question)
    graph, machine, toolchain = open_graph(question.graph, checkout.graphs), this_machine(), read_toolchain(checkout)
    check_source(question.parameters.source, [graph])
    made_weights(question.algorithm, graph, question.parameters.weights)
    if (question.parameters.gpus or 0) > len(machine.gpus):
        raise RunnerError(f"--gpus {question.parameters.gpus}: this machine has {len(machine.gpus)}")
    jobs = [
        job
        for parameters in _by_gpus(question.parameters)
        for job in plan(
            programs, [graph], parameters, machine=machine, toolchain=toolchain, runtime_sha256=runtime_sha256
        )
    ]
    references = References(checkout.reference_program, checkout.references, runtime_sha256)
    with only_timer(checkout):
        return _search(checkout, question, jobs, references, progress)


def _by_gpus(parameters: Parameters) -> list[Parameters]:
    """Returns the parameters with each number of GPUs up to the one given; as they are if none is."""
    if not parameters.gpus:
        return [parameters]
    return [parameters.model_copy(update={"gpus": gpus}) for gpus in range(1, parameters.gpus + 1)]


def _label(job: Job, question: Question) -> str:
    """Returns what tells a job from others of the search, as one would type it."""
    by_gpus = question.parameters.gpus and job.parameters.gpus
    return f"{job.program.name} --gpus {job.parameters.gpus}" if by_gpus else job.program.name


def _search(
    checkout: Checkout, question: Question, jobs: list[Job], references: References, progress: Progress
) -> Answer:
    possible = [job for job in jobs if not job.obstacle]
    usable = _build(checkout, question, possible)
    if possible and not usable and not question.build:
        raise RunnerError(
            f"none of the {len(possible)} programs of {question.algorithm} is built and up to date: "
            "leave out --no-build, or run `make build` first"
        )
    if not possible:
        reasons = ", ".join(sorted({job.obstacle for job in jobs if job.obstacle}))
        raise RunnerError(
            f"none of the {len({job.program for job in jobs})} programs of {question.algorithm} can run: {reasons}"
        )
    if not usable:
        raise RunnerError(f"no program of {question.algorithm} compiles: `make build` says why")
    check_graphs(checkout, usable)
    progress.note(f"{len({job.program for job in usable})} programs; {question.budget_s:g} s to find the fastest")
    references.compute({job.problem for job in usable}, progress.track_references)
    trials = _Trials(checkout, references, {_label(job, question): job for job in usable})
    graph = usable[0].graph
    expectation = expect(list(trials.jobs), graph.vertices, graph.edges, read_measured(checkout.measurements))
    with keep_gpu_open(checkout.gpu_check, {job.program.model for job in usable}):
        ranking = Search(list(trials.jobs), trials.measure, question.budget_s, expectation, question.seed).run()
    if not ranking.candidates[0].samples_s:
        raise RunnerError(f"none of the {len(ranking.candidates)} programs tried works: {trials.complaint}")
    assumed = made_weights(question.algorithm, graph, question.parameters.weights)
    return Answer(trials.jobs[ranking.candidates[0].name], ranking, assumed)


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
    """Says in one line how thorough the search was."""
    ranking = answer.ranking
    assumed = f"; {answer.assumed}" if answer.assumed else ""
    return (
        f"tried {len(ranking.candidates)} of {ranking.programs} programs in {ranking.wall_s:.0f} s; "
        f"confidence that the first is the fastest of those tried: {ranking.confidence:.0%}{assumed}"
    )


def candidates(checkout: Checkout, question: Question) -> list[Program]:
    """Returns the generated programs that a question is about, whichever kind of graph they take.

    Raises:
        RunnerError: there are none, or their algorithm is not asked so.
    """
    algorithm, model = question.algorithm, question.model
    programs = read_programs(checkout, question.programs)
    found = [program for program in programs if program.algorithm == algorithm and model in (None, program.model)]
    if not found:
        known = ", ".join(sorted({f"{program.algorithm} in {program.model}" for program in programs}))
        wanted = algorithm + (f" in {model}" if model else "")
        generated = {program.algorithm for program in programs}
        near = get_close_matches(algorithm, generated, n=1)
        if near and model:
            models = {program.model for program in programs if program.algorithm == near[0]}
            near = [f"{near[0]} in {meant}" for meant in get_close_matches(model, models, n=1)]
        hint = f"did you mean {near[0]}?" if near and near != [wanted] else f"there are {known}"
        if algorithm in load_algorithms().keys() - generated:
            hint = "`python -m generator generate all` generates those that make sense"
        raise RunnerError(f"no program of {wanted} has been generated; {hint}")
    check_query(question.parameters.query, found)
    if not question.library:
        return found
    reasons = {program.name: obstacle({"model": program.model}) for program in found}
    if all(reasons.values()):
        raise RunnerError(
            f"--export: no program of {algorithm} can be a library: {min(filter(None, reasons.values()))}"
        )
    return [program for program in found if not reasons[program.name]]


def _build(checkout: Checkout, question: Question, jobs: list[Job]) -> list[Job]:
    if not question.build:
        return [job for job in jobs if is_current(job.program, checkout)]
    complaints = build(checkout, {job.program for job in jobs}) if jobs else {}
    return [job for job in jobs if job.program.name not in complaints]


@dataclass
class _Trials:
    """Runs programs for the search; their records are not kept, since they follow no plan."""

    checkout: Checkout
    references: References
    jobs: dict[str, Job]
    complaint: str = ""

    def measure(self, name: str, effort: Effort) -> Trial:
        """Runs one program; only verified samples count."""
        job = self.jobs[name]
        job = replace(job, parameters=job.parameters.model_copy(update={"budget": effort.solving_s}))
        records: list[Record] = []
        reference = self.references.find(job.problem)
        measure([job], [reference] if reference else [], self._settings(effort.timeout_s), records.append)
        (record,) = records
        if is_suspicious(record) and record.status is not Status.TIMEOUT:  # slow programs are stopped all the time
            check_gpu(self.checkout.gpu_check, records)
        wall_s = record.wall_s or 0.0
        if record.status is not Status.VERIFIED:
            said = job.program.complaint(record.error or "")
            said = "" if is_told(record.reason, said) else said
            self.complaint = ": ".join(filter(None, (name, record.reason, said)))
            return Trial([], 0.0, wall_s)
        return Trial(record.samples_s, record.phases_s.get("solve", sum(record.samples_s)), wall_s)

    def _settings(self, timeout_s: float) -> Settings:
        return Settings("search", timeout_s, default_memory_bytes())
