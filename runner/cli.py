"""The command line: `python -m runner run|status|best|solve|trace|export|doctor`.

Commands import what they need themselves, so that nobody who asks for help waits for it.
"""

from __future__ import annotations

import json
import math
import os
import re
import secrets
import signal
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperCommand

from generator.errors import UserError
from generator.terminal import say, told_in_one_line
from inputs.cli import Kept, complete_name
from runner.bounds import MOST_COUNT, MOST_REPS, MOST_SECONDS, MOST_THREADS
from runner.checkout import here
from runner.errors import RunnerError, warn
from runner.machine.pinning import Places, ProcBind

if TYPE_CHECKING:
    from runner.jobs.graphs import Graph, Reading
    from runner.results.records import Status
    from runner.sweeps.request import Request, Sweep

_LISTS = ("--graphs", "--programs", "--query", "--tune")  # options that take several words
_NO_LIMIT = 10_000  # columns: names of programs stay whole, to be copied
_ALL = "all"
_DEFAULT_GRAPHS = ["road-16k", "grid-64", "rmat-16"]


class _Command(TyperCommand):
    """A command whose words are what records can hold, and whose lists are as a shell's glob gives them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # whose type typer hides
        """Does what typer's own does."""
        check_words([*args, str(Path.cwd())])
        return super().parse_args(ctx, repeat_options(args))


app = typer.Typer(
    help="Build, run, verify and time the generated programs.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def parse_folder(word: str | Path) -> Path:
    """Returns the folder that holds results.

    Raises:
        RunnerError: the word is empty, as a shell's variable can be, and as a path the current folder; or a file.
    """
    if not str(word):
        raise RunnerError("the name of the results is empty: give a folder, such as results")
    if Path(word).is_file():
        raise RunnerError(f"{word} is a file: give the folder that `violet run` writes, such as results")
    return Path(word)


def complete_algorithm(incomplete: str) -> list[str]:
    """Returns the algorithms whose short name begins so."""
    from generator.algorithms import load_algorithms

    return [name for name in load_algorithms() if name.startswith(incomplete)]


def complete_algorithm_or_all(incomplete: str) -> list[str]:
    """Returns what of the algorithms and the word for all of them begins so."""
    return [*complete_algorithm(incomplete), *([_ALL] if _ALL.startswith(incomplete) else [])]


_seconds = partial(typer.Option, min=0, max=MOST_SECONDS)  # what --budget takes, by any command
Results = Annotated[Path, typer.Option(parser=parse_folder, metavar="PATH", help="Folder of the records.")]
Threads = Annotated[
    int | None,
    typer.Option(min=1, max=MOST_THREADS, help="Threads of CPU programs.", show_default="all of this process"),
]
Gpus = Annotated[
    int | None, typer.Option(min=1, help="GPUs of programs for several.", show_default="all of this machine")
]
Source = Annotated[
    int | None, typer.Option(min=0, max=MOST_COUNT, help="Start vertex.", show_default="the first one with an edge")
]
Query = Annotated[
    list[str],
    typer.Option(metavar="NAME=VALUE...", help="What else an algorithm is asked, such as k=5; a wrong name lists all."),
]
Tune = Annotated[
    list[str],
    typer.Option(
        metavar="NAME=NUMBER ...", help="Options of programs by which styles are tuned, such as delta=0.5 or share=20."
    ),
]
Weights = Annotated[
    Literal["hash", "one"] | None,
    typer.Option(help="Of a graph that has none: from 1 to 64 by a hash of both ends, or all 1.", show_default="hash"),
]
AlgorithmWord = Annotated[
    str, typer.Argument(help="What to compute, such as bfs or pagerank.", autocompletion=complete_algorithm)
]
Model = Annotated[
    str | None, typer.Option(help="Only programs in this model: openmp, cpp, cuda or multigpu.", show_default="any")
]
GraphWord = Annotated[
    str,
    typer.Argument(help="A file in any format, a name of the catalogue, or - for stdin.", autocompletion=complete_name),
]
Generated = Annotated[
    bool, typer.Option("--generated", help="Only the programs that were generated last, as they are there.")
]
Build = Annotated[bool, typer.Option("--build/--no-build", help="Compile what is out of date first.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for scripts instead of a table.")]
Programs = Annotated[list[str], typer.Option(metavar="GLOB...", help="Names of programs; * stands for any text.")]


@app.command(cls=_Command)
def run(
    graphs: Annotated[
        list[str],
        typer.Option(
            metavar="GRAPH...",
            help="Files in any format, or names of `violet graphs list`.",
            autocompletion=complete_name,
        ),
    ] = _DEFAULT_GRAPHS,
    programs: Programs = ["*"],  # noqa: B006  # typer copies it
    results: Results = Path("results"),
    threads: Threads = None,
    gpus: Gpus = None,
    latency: Annotated[
        float | None,
        typer.Option(
            min=0,
            max=1e6,
            help="Microseconds that parts take longer to meet in programs for several GPUs.",
            show_default="0",
        ),
    ] = None,
    partition: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Part of each vertex of one graph, one a line, for programs for several GPUs.",
            show_default="as the programs have it",
        ),
    ] = None,
    reps: Annotated[int, typer.Option(min=1, max=MOST_REPS, help="Timed repetitions, of each turn.")] = 9,
    turns: Annotated[
        int,
        typer.Option(min=1, help="How often all programs get their repetitions, in turns: what is compared is close."),
    ] = 1,
    warmup: Annotated[int, typer.Option(min=0, max=MOST_COUNT, help="Repetitions before them, not timed.")] = 1,
    source: Source = None,
    query: Query = [],  # noqa: B006  # typer copies it
    tune: Tune = [],  # noqa: B006  # typer copies it
    budget: Annotated[
        float, _seconds(help="Seconds of solving a graph after which no further repetition starts.")
    ] = 10.0,
    timeout: Annotated[
        float, typer.Option(min=1e-3, max=MOST_SECONDS, help="Seconds on one graph after which a program is stopped.")
    ] = 300.0,
    memory: Annotated[
        float | None,
        typer.Option(
            min=1e-3,  # with much less no program is even loaded
            max=2**20,
            help="GiB that a CPU program may use.",
            show_default="90% of its machine",
        ),
    ] = None,
    proc_bind: Annotated[
        ProcBind, typer.Option(help="How threads of CPU programs are bound to places, as by OMP_PROC_BIND.")
    ] = ProcBind.SPREAD,
    places: Annotated[Places, typer.Option(help="What they are bound to, as by OMP_PLACES.")] = Places.THREADS,
    retry: Annotated[
        str, typer.Option(metavar="STATUS,...", help="Repeat the jobs that ended so, and no others.")
    ] = "",
    seed: Annotated[int | None, typer.Option(help="Order of the jobs.", show_default="another each time")] = None,
    build: Build = True,
    dask: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Run on the workers of this Dask scheduler.", show_default="here"),
    ] = None,
    insecure: Annotated[
        bool, typer.Option("--insecure", help="Use a Dask cluster that others may reach, without TLS.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Runs every program on every graph, except where there is a result already."""
    from generator.console import Console
    from runner.doctor.noise import warn_if_busy
    from runner.jobs.plan import Parameters
    from runner.process.limits import default_memory_bytes
    from runner.results.records import Status
    from runner.summary import has_failures, list_failures, summarise, tabulate_results, tell_timeouts
    from runner.sweeps.request import Request

    if dask and turns > 1:
        raise RunnerError("--turns is for one machine: leave it out with --dask")
    if dask and partition:
        raise RunnerError("--partition is for one machine: leave it out with --dask")
    request = Request(
        programs=tuple(programs),
        graphs=tuple(graphs),
        parameters=Parameters(
            threads=threads or (None if dask else len(os.sched_getaffinity(0))),
            reps=reps,
            warmup=warmup,
            source=source,
            query=parse_query(query),
            tuning=parse_tuning(tune) or None,
            budget=budget,
            proc_bind=proc_bind,
            places=places,
            gpus=gpus,
            latency=latency,
        ),
        results=results,
        timeout_s=timeout,
        seed=secrets.randbelow(2**32) if seed is None else seed,
        build=build,
        retry=parse_statuses(retry),
        turns=turns,
        partition=partition,
        insecure=insecure,
        memory_bytes=(None if dask else default_memory_bytes()) if memory is None else int(memory * 2**30),
    )
    if not dask:
        warn_if_busy()
    try:
        sweep = _sweep(request, dask)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # one more has nothing left to stop
        say(f"\ninterrupted; {results} keeps what is done: give the same command to go on", error=True)
        raise typer.Exit(130) from None
    console = Console()
    if as_json:
        say(json.dumps(summarise(sweep), indent=2))
    elif sweep.records:
        console.print(tabulate_results(sweep.records))
        console.print(list_failures(sweep.records), end="", soft_wrap=True)
        if any(record.status is Status.VERIFIED for record in sweep.records):
            say(f"next: `violet winners {results}`, `violet report {results}`")
    if cut_off := tell_timeouts(sweep.records):
        warn(cut_off)
    if has_failures(sweep.records):
        raise typer.Exit(1)


def _sweep(request: Request, dask: str | None) -> Sweep:
    from runner.progress import Progress
    from runner.sweeps.here import run_sweep

    checkout = here()
    if dask is None:
        return run_sweep(checkout, request, Progress())
    try:
        from runner.sweeps.cluster import run_on_cluster  # here, because it is optional
    except ImportError:
        raise RunnerError("--dask needs Dask: `.venv/bin/uv sync --inexact --extra dask` installs it") from None
    return run_on_cluster(checkout, request, dask, Progress())


@app.command(cls=_Command)
def status(
    results: Results = Path("results"),
    programs: Programs = ["*"],  # noqa: B006  # typer copies it
    as_json: AsJson = False,
) -> None:
    """Shows what is done, failed, stale and missing, for all graphs and the latest parameters of each machine."""
    from generator.console import Console
    from runner.jobs.programs import read_programs
    from runner.results.records import read_records
    from runner.results.session import read_sessions
    from runner.results.status import plan_again
    from runner.summary import list_plan, tabulate_plan

    checkout = here()
    sessions = read_sessions(results)
    records = read_records(results)
    if not (sessions or records):
        raise RunnerError(f"{results} holds no results yet: `violet run` makes some")
    unknown = {record.machine for record in records.values()} - {session.machine.fingerprint for session in sessions}
    if unknown:
        count = sum(record.machine in unknown for record in records.values())
        warn(f"{results / 'sessions'}: no session is of {', '.join(sorted(unknown))}: {count} records are not shown")
    if not sessions:
        raise RunnerError(f"{results}: no session says what was to be measured; `violet run` writes one")
    jobs = plan_again(checkout, read_programs(checkout, programs), sessions)
    if as_json:
        say(json.dumps(list_plan(jobs, records), indent=2))
    else:
        Console().print(tabulate_plan(jobs, records))


@app.command(cls=_Command)
def export(
    results: Annotated[Path, typer.Argument(parser=parse_folder, metavar="results", help="Folder of the records.")],
    out: Annotated[Path, typer.Argument(help="The file to write: .parquet or .csv.")],
) -> None:
    """Writes the newest record of every job as one table."""
    say(f"reading {results}", error=True)
    from runner.results.folder import export_table

    say(f"{out}: {export_table(results, out)} jobs")


@app.command(cls=_Command)
def best(
    algorithm: AlgorithmWord,
    graph: GraphWord,
    model: Model = None,
    programs: Programs = ["*"],  # noqa: B006  # typer copies it
    budget: Annotated[float, _seconds(help="Seconds to go on for, once the first programs are built.")] = 60.0,
    generated: Generated = False,
    library: Annotated[
        Path | None,
        typer.Option("--export", help="Write the winner as a library to this new folder, and how it was found."),
    ] = None,
    library_name: Annotated[
        str | None, typer.Option("--name", help="Of that library, as in mybfs_solve.", show_default="the program's")
    ] = None,
    threads: Threads = None,
    gpus: Annotated[
        int | None,
        typer.Option(
            min=1, help="Try programs for several GPUs on each number up to this.", show_default="all at once"
        ),
    ] = None,
    weights: Weights = None,
    source: Source = None,
    query: Query = [],  # noqa: B006  # typer copies it
    results: Results = Path("results"),
    seed: Annotated[int, typer.Option(help="Of the search.")] = 0,
    build: Build = True,
    as_json: AsJson = False,
) -> None:
    """Finds the fastest program for a graph on this machine, of all that Violet can write.

    Those that were fast on graphs like it come first; what the search finds out decides what is written, built and
    tried next.
    """
    algorithm = _find_algorithm(algorithm, graph)
    if library_name and not library:
        raise RunnerError(f"--name {library_name}: is of a library: give --export, too")
    opened = _open(graph)  # before the rest, which takes a while to load
    from generator.console import Console
    from generator.export import check_name
    from runner.best.find import Question, explain, find_best, tabulate_ranking
    from runner.best.take import check_folder, export_winner
    from runner.doctor.noise import warn_if_busy
    from runner.jobs.plan import Parameters
    from runner.progress import Progress

    if library:
        check_folder(library)
        if library_name:
            check_name(library_name)
    question = Question(
        graph=str(opened.path),
        algorithm=algorithm,
        model=model,
        budget_s=budget,
        parameters=Parameters(
            threads=threads or len(os.sched_getaffinity(0)),
            source=source,
            query=parse_query(query),
            weights=weights,
            proc_bind=ProcBind.FALSE if library else ProcBind.SPREAD,  # a library runs where its caller may
            places=Places.THREADS,
            gpus=gpus,
        ),
        seed=seed,
        build=build,
        programs=tuple(programs),
        library=library is not None,
        generated=generated,
    )
    checkout = here()
    load = warn_if_busy()
    answer = find_best(checkout, question, Progress(), results)
    if as_json:
        say(json.dumps(asdict(answer.ranking), indent=2))
        if answer.assumed:
            say(answer.assumed, error=True)
    else:
        console = Console(width=_NO_LIMIT)
        console.print(tabulate_ranking(answer))
        console.print(explain(answer), highlight=False, soft_wrap=True)
    if library:
        export_winner(answer, library, library_name, load)
        say(f"{library}: `make` builds the library; README.md says more", error=True)


@app.command(cls=_Command)
def choose(
    algorithm: Annotated[
        str,
        typer.Argument(
            help="What to compute, such as bfs or pagerank, or all.", autocompletion=complete_algorithm_or_all
        ),
    ],
    graph: GraphWord,
    model: Annotated[
        str | None, typer.Option(help="cuda, openmp, cpp or multigpu.", show_default="any but multigpu")
    ] = None,
    candidates: Annotated[
        int | None, typer.Option(min=1, help="Programs to suggest.", show_default="5, or 1 for all algorithms")
    ] = None,
    results: Results = Path("results"),
    as_json: AsJson = False,
) -> None:
    """Suggests programs for a graph without running any: those that were fast on graphs like it."""
    wanted = None if algorithm == _ALL else _find_algorithm(algorithm, graph)
    opened = _open(graph, error=as_json)  # before the rest, which takes a while to load
    from runner.best.choose import as_json as to_json
    from runner.best.choose import choose_programs, tell
    from runner.best.measured import measure_shape
    from runner.best.suggest import CANDIDATES

    checkout = here()
    count = candidates or (CANDIDATES if wanted else 1)
    shape = measure_shape(checkout, opened)
    found = choose_programs(
        checkout, shape, wanted, model, count, directed=opened.directed, real_weights=opened.real, results=results
    )
    say(json.dumps(to_json(shape, found), indent=2) if as_json else tell(graph, shape, found))


@app.command(cls=_Command)
def solve(
    algorithm: AlgorithmWord,
    graph: GraphWord,
    out: Annotated[
        Path | None,
        typer.Option(
            help="File of the result: .csv or .parquet is a table with the vertices' names, .npy for numpy, else text; "
            "- prints the table.",
            show_default="prints a count or a path",
        ),
    ] = None,
    model: Model = None,
    results: Results = Path("results"),
    budget: Annotated[
        float, _seconds(help="Where nothing is known, seconds to try programs for, once the first are built.")
    ] = 10.0,
    generated: Generated = False,
    threads: Threads = None,
    weights: Weights = None,
    duplicates: Kept = "smallest",
    real_weights: Annotated[
        bool, typer.Option("--real-weights", help="Take whole weights as real numbers: distances are, too.")
    ] = False,
    source: Annotated[
        str | None,
        typer.Option(
            help="Start vertex: its name, or number; of several, with commas between, each has its answer.",
            show_default="the first one with an edge",
        ),
    ] = None,
    path_to: Annotated[
        str | None, typer.Option(help="Print a shortest path to this vertex.", show_default=False)
    ] = None,
    query: Query = [],  # noqa: B006  # typer copies it
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Of subgraph matching: lines vertex,label; says its letters.", show_default=False
        ),
    ] = None,
    priors: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Of belief propagation: lines vertex,prior, logarithms of odds; 0 where there is none.",
            show_default=False,
        ),
    ] = None,
    agreement: Annotated[
        float | None,
        typer.Option(
            min=1e-3,
            max=1e3,
            help="Of belief propagation: how much likelier neighbours are to be equal than to differ.",
            show_default="1.5",
        ),
    ] = None,
    couplings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Of belief propagation: lines from,to,agreement, of edges that have one of their own.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Solves a graph with the best program known for this machine and a graph like this one.

    Where none is known, some of those that should be fast are tried; what is found is remembered.
    """
    algorithm = _find_algorithm(algorithm, graph)
    asked = parse_query(query)
    if labels is not None:
        asked |= _labels_of(algorithm, labels)
    say(f"solving {algorithm} on {graph}", error=True)
    from runner.best import answers
    from runner.best.evidence import check_evidence, read_evidence
    from runner.jobs.graphs import Reading, find_vertex, find_vertices

    answers.check(algorithm, out, path_to)  # before a file is converted, which may take minutes
    check_evidence(algorithm, priors=priors, agreement=agreement, couplings=couplings)
    opened = _open(graph, Reading(labels, duplicates, real_weights))  # before the rest, which takes a while to load
    from runner.best.find import Question
    from runner.best.known import check_out, choose, written
    from runner.best.known import solve as run_program
    from runner.doctor.noise import warn_if_busy
    from runner.jobs.plan import Parameters, made_weights
    from runner.progress import Progress

    checkout = here()
    for file in written(algorithm, out):  # before the search, not after it
        check_out(file, opened.path, Path(graph), priors=priors, couplings=couplings, labels=labels)
    end = find_vertex(opened, path_to, "--path-to")
    evidence = read_evidence(algorithm, opened, priors, agreement, couplings)  # before the search, not after it
    sources = find_vertices(opened, source)
    parameters = Parameters(
        threads=threads or len(os.sched_getaffinity(0)),
        source=sources[0] if sources else None,
        query=asked,
        weights=weights,
        proc_bind=ProcBind.SPREAD,
        places=Places.THREADS,
    )
    several = tuple(sources) if len(sources) > 1 else ()
    question = Question(
        str(opened.path), algorithm, model, budget, parameters, seed=0, generated=generated, sources=several
    )
    warn_if_busy()
    choice = choose(checkout, question, results, Progress())
    say(f"{choice.program.name}: {choice.why}", error=True)
    solved = run_program(choice, opened, question, out, evidence)
    answer = answers.give(solved.found, opened, question, out, end) if solved.found else ""
    files = ", ".join(map(str, written(algorithm, out)))
    say(f"{files or opened.name}: verified, solved in {solved.seconds:.3g} s", error=True)
    if assumed := made_weights(algorithm, opened, weights):
        say(assumed, error=True)
    if answer:
        say(answer)


@app.command(cls=_Command)
def trace(
    program: Annotated[str, typer.Argument(help="A program's name; it need not have been generated.")],
    graph: GraphWord,
    out: Annotated[Path, typer.Option(help="Table of the rounds, as CSV.")] = Path("rounds.csv"),
    threads: Threads = None,
    source: Annotated[
        str | None, typer.Option(help="Start vertex: its name, or number.", show_default="the first one with an edge")
    ] = None,
    query: Query = [],  # noqa: B006  # typer copies it
    tune: Tune = [],  # noqa: B006  # typer copies it
) -> None:
    """Writes down what each round of a program does: items, edges looked at, direction and time.

    A build of the program that counts edges does so; its times include the counting.
    """
    opened = _open(graph)  # before the rest, which takes a while to load
    from runner.best.known import check_out
    from runner.jobs.graphs import find_vertex
    from runner.jobs.plan import Parameters
    from runner.trace import trace as trace_program

    check_out(out, Path(graph))
    parameters = Parameters(
        threads=threads or len(os.sched_getaffinity(0)),
        reps=1,
        source=find_vertex(opened, source),
        query=parse_query(query),
        tuning=parse_tuning(tune) or None,
        proc_bind=ProcBind.SPREAD,
        places=Places.THREADS,
    )
    rounds, seconds = trace_program(here(), program, opened, parameters, out)
    say(f"{out}: {rounds} rounds in {seconds:.3g} s; draw them with `violet figure {out}`")


@app.command(cls=_Command)
def kernels(program: Annotated[str, typer.Argument(help="A program's name; it need not have been generated.")]) -> None:
    """Tells registers, shared memory and occupancy of kernels, compiled for the GPU here or else for Hopper."""
    from generator.console import Console
    from runner.kernels import kernels_of, tabulate

    Console(width=_NO_LIMIT).print(tabulate(kernels_of(here(), program)))


@app.command(cls=_Command)
def doctor(as_json: AsJson = False) -> None:
    """Checks that this machine can build and time programs, and says what to fix."""
    from generator.console import Console
    from runner.doctor.check import Level
    from runner.doctor.diagnosis import diagnose, render

    console, checks = Console(), []
    for check in diagnose(here().root):
        checks.append(check)
        if not as_json:
            console.print(render(check), soft_wrap=True)
    if as_json:
        say(json.dumps([asdict(check) for check in checks], indent=2))
    if any(check.level is Level.FAIL for check in checks):
        raise typer.Exit(1)


def _find_algorithm(word: str, graph: str) -> str:
    """Returns the algorithm that a word means.

    Raises:
        UserError: it means none.
    """
    from generator.algorithms import find_algorithm, load_algorithms

    try:
        return find_algorithm(word)
    except UserError:
        if graph in load_algorithms():
            raise RunnerError(f"the algorithm comes first, then the graph: {graph} {word}") from None
        raise


def _labels_of(algorithm: str, labels: Path) -> dict[str, int | str]:
    """Returns what an algorithm is asked by a file of labels, and says which letters of patterns these are.

    Raises:
        RunnerError: it takes none.
        GraphFormatError: the file is none of labels.
    """
    from generator.algorithms import load_algorithms
    from inputs.labels import letters, told

    options = [option.labels for option in load_algorithms()[algorithm].query.values() if option.labels]
    if not options:
        raise RunnerError(f"--labels: {algorithm} takes none; leave it out")
    found = letters(labels)
    say(told(found), error=True)
    return {options[0]: len(found)}


def _open(graph: str, reading: Reading | None = None, *, error: bool = True) -> Graph:
    """Finds or makes the graph of a command, and says what it is."""
    from runner.jobs.graphs import AS_IT_IS, open_graph

    opened = open_graph(graph, here().graphs, reading or AS_IT_IS)
    say(f"{opened.name}: {opened.vertices:,} vertices, {opened.edges:,} directed edges", error=error)
    return opened


def main() -> None:
    """Runs the command line."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with told_in_one_line():
        app(prog_name="python -m runner")


def check_words(words: list[str]) -> None:
    """Raises RunnerError if a word is not UTF-8, as names of files can be: no record could have it."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise RunnerError(f"{word!a}: is not UTF-8, as records are: give it another name") from None


def repeat_options(words: list[str]) -> list[str]:
    """Turns `--graphs a b` into `--graphs a --graphs b`: a shell glob gives many words, typer's options take one."""
    repeated: list[str] = []
    option = None
    for word in words:
        if word.startswith("-"):
            option = word if word in _LISTS else None
        elif option and repeated[-1] != option:
            repeated.append(option)
        repeated.append(word)
    return repeated


def parse_statuses(text: str) -> frozenset[Status]:
    """Returns the statuses that `wrong,crashed` names.

    Raises:
        RunnerError: there is no such status.
    """
    from runner.results.records import Status

    words = [word.strip() for word in text.split(",") if word.strip()]
    for word in words:
        if word not in list(Status):
            raise RunnerError(f"--retry: there is no status {word!r}; known are {', '.join(Status)}")
    return frozenset(map(Status, words))


def parse_query(words: list[str]) -> dict[str, int | str]:
    """Returns what `k=5 pattern=0-1,1-2` asks, by name.

    Raises:
        RunnerError: it is no such word, or no algorithm has an option of that name.
    """
    from generator.algorithms import PATTERN, load_algorithms

    known = {name: option for algorithm in load_algorithms().values() for name, option in algorithm.query.items()}
    query: dict[str, int | str] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name in query:
            raise RunnerError(f"--query {word}: {name} is asked twice")
        if name not in known:
            raise RunnerError(
                f"--query {word}: no algorithm is asked for {name!r}; known are {', '.join(sorted(known))}"
            )
        if known[name].is_pattern:
            if not re.fullmatch(PATTERN, value):
                raise RunnerError(f"--query {word}: write edges, such as {name}=0-1,1-2,2-0")
            query[name] = value
        elif re.fullmatch("[0-9]{1,18}", value):
            query[name] = int(value)
        else:
            raise RunnerError(f"--query {word}: write NAME=NUMBER, such as {name}=5")
    return query


def parse_tuning(words: list[str]) -> dict[str, int | float]:
    """Returns how `delta=0.5 share=20` tunes styles, by name.

    Raises:
        RunnerError: it is no such word, or a name comes twice.
    """
    tuning: dict[str, int | float] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name in tuning:
            raise RunnerError(f"--tune {word}: {name} comes twice")
        if not re.fullmatch(r"([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?", value) or math.isinf(float(value)):
            raise RunnerError(f"--tune {word}: write NAME=NUMBER, such as delta=0.5")
        tuning[name] = int(value) if value.isdecimal() else float(value)
    return tuning
