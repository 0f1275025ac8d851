"""Command line: python -m trust {verify,bugs,clean,exports,determinism,soak,forge,mutants,report}.

Commands import what they need themselves, so that nobody who asks for help waits for it.
"""

import os
import signal
from pathlib import Path
from typing import Annotated

import typer

from generator.errors import UserError, did_you_mean
from generator.paths import ROOT, workspace
from generator.terminal import say, told_in_one_line
from runner.bounds import MOST_THREADS
from trust.tools import CUDA, MULTIGPU, TOOLS, VERIFIER

app = typer.Typer(
    help="Collects evidence that verification can be trusted; docs/trust.md shows it.",
    no_args_is_help=True,
    rich_markup_mode="markdown",  # or [default: ...] is taken for a colour, and left out
    add_completion=False,
    pretty_exceptions_enable=False,
)

Models = Annotated[str, typer.Option(help="cpu, cuda, multigpu, or a list such as openmp,cpp.")]
Config = Annotated[str, typer.Option(help="Whose programs: a config file, or the name of one in configs/.")]
Out = Annotated[Path | None, typer.Option(help="CSV file; goes on with what it holds. [default: in results/trust]")]
Jobs = Annotated[int, typer.Option(min=1, help="Programs that are compiled, or run, at a time.")]

_JOBS = os.cpu_count() or 1
_TABLES = workspace() / "results" / "trust"  # which `make clean` leaves


def _checked(option: str, words: list[str], known: list[str]) -> list[str]:
    for word in words:
        if word not in known:
            raise UserError(f"{option}: no '{word}'; {did_you_mean(word, known)}")
    return words


def _models(words: str) -> tuple[str, ...]:
    known = ("openmp", "cpp", "cuda", "multigpu")
    named = _checked("--models", words.split(","), [*known, "cpu"])
    chosen = tuple(model for word in named for model in (known[:2] if word == "cpu" else (word,)))
    if {"cuda", "multigpu"} & {*chosen} and len(chosen) > 1:
        raise UserError("--models: measure programs for a CPU, a GPU and several GPUs one after the other")
    return chosen


def _tools(words: str | None, models: tuple[str, ...]) -> list[str]:
    """Returns the tools that are named; none, for those that this machine has, if none is."""
    known = [tool.name for tool in TOOLS if tool.name != VERIFIER and set(tool.models) & set(models)]
    return [] if words is None else _checked("--tools of these models", words.split(","), known)


def _algorithms(words: str | None) -> list[str]:
    from generator.algorithms import find_algorithm, load_algorithms

    return [*load_algorithms()] if words is None else [*map(find_algorithm, words.split(","))]


def _numbers(words: str, option: str = "--threads") -> list[int]:
    try:
        numbers = [int(word) for word in words.split(",")]
    except ValueError:
        numbers = []
    if not numbers or min(numbers) < 1:
        raise UserError(f"{option} takes numbers such as 1,2,8, not '{words}'")
    if max(numbers) > MOST_THREADS:
        raise UserError(f"{option} {max(numbers)}: programs take at most {MOST_THREADS}")
    return numbers


def _ways(models: tuple[str, ...], threads: str, parts: str) -> list[tuple[str, ...]]:
    """Returns the options with which programs run, one after the other."""
    if models == CUDA:
        return [()]
    if models == MULTIGPU:
        return [("--parts", str(number)) for number in _numbers(parts, "--parts")]
    return [("--threads", str(number)) for number in _numbers(threads)]


def _need_checkout(command: str) -> None:
    if not (ROOT / "tests").is_dir():
        raise UserError(f"{command} needs a clone of Violet: what is installed has no tests and no pages")


def _file(out: Path | None, name: str, models: tuple[str, ...]) -> Path:
    return out or _TABLES / f"{name}-{models[0] if models[0] in ('cuda', 'multigpu') else 'cpu'}.csv"


@app.command()
def verify(
    graphs: Annotated[list[str], typer.Argument(help="Names of `violet graphs list`, or .egr files.")],
    models: Models = "cpu",
    config: Config = "paper",
    threads: Annotated[str, typer.Option(help="Of CPU programs; one number or several, such as 1,2,8.")] = "1,2,8",
    parts: Annotated[str, typer.Option(help="The same of the graph, for programs for several GPUs.")] = "1,2,3,4,8",
    jobs: Jobs = _JOBS,
    out: Out = None,
) -> None:
    """Runs every program of a config on graphs, many at a time and untimed; exit code 1 if one is not verified."""
    from trust.verify import measure

    chosen = _models(models)
    out = _file(out, f"verify-{Path(config).stem}", chosen)
    failures = measure(config, chosen, graphs, _ways(chosen, threads, parts), out, jobs=jobs)
    say(f"{failures} failures; all is in {out}")
    if failures:
        raise typer.Exit(1)


@app.command()
def bugs(
    models: Models = "cpu",
    algorithms: Annotated[str | None, typer.Option(help="Such as hits,scc. [default: all]")] = None,
    runs: Annotated[int, typer.Option(min=1, help="Runs of each program without a tool.")] = 20,
    jobs: Jobs = _JOBS,
    out: Out = None,
) -> None:
    """Runs every program with a planted bug under every tool: who finds what."""
    from trust.bugs import measure

    chosen = _models(models)
    measure(chosen, _algorithms(algorithms), _file(out, "bugs", chosen), runs=runs, jobs=jobs)


@app.command()
def clean(
    models: Models = "cpu",
    config: Config = "paper",
    tools: Annotated[
        str | None, typer.Option(help="Such as AddressSanitizer,UBSan. [default: all that are here]")
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="Of CPU programs.")] = 16,
    parts: Annotated[int, typer.Option(min=1, help="Of the graph, for programs for several GPUs.")] = 3,
    jobs: Jobs = _JOBS,
    out: Out = None,
) -> None:
    """Runs every program of a config under every tool; exit code 1 if one finds something, or time was up.

    The same command measures again where time was up: with fewer --jobs, each program has more of the machine.
    """
    from trust.clean import measure

    chosen = _models(models)
    out = _file(out, "clean", chosen)
    way = _ways(chosen, str(threads), str(parts))[0]
    findings, stopped = measure(config, chosen, out, way=way, tools=_tools(tools, chosen), jobs=jobs)
    say(f"{findings} findings, {stopped} stopped as time was up; all is in {out}")
    if findings or stopped:
        raise typer.Exit(1)


@app.command()
def exports(models: Models = "cpu", config: Config = "all", jobs: Jobs = _JOBS, out: Out = None) -> None:
    """Compiles libraries in which every two values of a config meet, and checks each; exit code 1 if one fails."""
    chosen = _models(models)
    say(f"choosing programs of {config}", error=True)
    from trust.exports import measure

    out = _file(out, "exports", chosen)
    failures = measure(config, chosen, out, jobs=jobs)
    say(f"{failures} failures; all is in {out}")
    if failures:
        raise typer.Exit(1)


@app.command()
def determinism(models: Models = "cpu", config: Config = "paper", jobs: Jobs = _JOBS, out: Out = None) -> None:
    """Runs every program of a config often: deterministic ones must do the same, the others must be right."""
    from trust.determinism import measure

    chosen = _models(models)
    measure(config, chosen, _file(out, "determinism", chosen), jobs=jobs)


@app.command()
def soak(
    models: Models = "cpu",
    config: Config = "paper",
    seconds: Annotated[float, typer.Option(min=0, help="How long, once all is compiled.")] = 3600,
    seed: Annotated[int, typer.Option(min=0, help="Same seed, same runs.")] = 1,
    only: Annotated[int | None, typer.Option(min=0, help="Repeat this run and no other.")] = None,
) -> None:
    """Runs random programs on random graphs; exit code 1 if one of them fails."""
    from trust.soak import soak as run

    runs, failures = run(config, _models(models), seconds=seconds, seed=seed, only=only)
    say(f"seed {seed}: {runs} runs, {failures} failures")
    if failures:
        raise typer.Exit(1)


@app.command()
def forge(
    jobs: Jobs = _JOBS,
    out: Annotated[Path | None, typer.Option(help="CSV file, written anew. [default: in results/trust]")] = None,
) -> None:
    """Forges results with real numbers on graphs of every kind; exit code 1 if a check takes one for right."""
    _need_checkout("forge")
    say("compiling the checks, then forging results", error=True)
    from trust.forge import measure

    out = out or _TABLES / "forged.csv"
    faults = measure(out, jobs=jobs)
    say("\n".join([*faults, f"{len(faults)} faults; all is in {out}"]))
    if faults:
        raise typer.Exit(1)


@app.command()
def mutants(
    of: Annotated[
        str, typer.Option(help="runtime: references, checks and graph loading; programs: generated ones.")
    ] = "runtime",
    sample: Annotated[
        int | None, typer.Option(min=1, help="So many, drawn at random. [default: all of the runtime, 25 of programs]")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of that draw.")] = 1,
    jobs: Jobs = _JOBS,
    out: Out = None,
) -> None:
    """Plants small mistakes in what decides what is right, or in programs; exit code 1 if nobody notices one."""
    _need_checkout("mutants")
    _checked("--of", [of], ["runtime", "programs"])
    say(f"testing the {of} with one mistake each", error=True)
    if of == "runtime":
        from trust import mutants as mutation

        rows = mutation.measure(out or _TABLES / "mutants.csv", sample=sample, seed=seed, jobs=jobs)
        missed = [f"{row['file']}:{row['line']}: {row['before']}  ->  {row['after']}" for row in rows]
        told = f"survived without a reason in {mutation.EQUIVALENT}"
    else:
        from trust.program_mutants import measure

        out = out or _TABLES / "mutants-programs.csv"
        missed = [str(each.mutant) for each in measure(out, sample=sample or 25, seed=seed, jobs=jobs)]
        told = f"that nobody noticed; all is in {out}"
    say("\n".join([*missed, f"{len(missed)} mutants {told}"]))
    if missed:
        raise typer.Exit(1)


@app.command()
def report() -> None:
    """Writes who finds which bug, mutant and forgery, as trust/data has it, into docs/reference/planted-bugs.md."""
    _need_checkout("report")
    say("writing docs/reference/planted-bugs.md", error=True)
    from trust import report as page

    page.write(page.DATA)


def main() -> None:
    """Runs the command line."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with told_in_one_line():
        app()


if __name__ == "__main__":
    main()
