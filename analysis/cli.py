"""The command line of the analysis: `python -m analysis {report,findings,figure,best,graphs,export}`.

Commands import what they need themselves: all of it takes seconds to load, for which nobody who asks for help waits.
"""

from __future__ import annotations

import math
import os
import warnings
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from analysis.defaults import DOCUMENT, EVERYTHING, LATER, MEASUREMENTS, SMALLEST, Suffix
from analysis.errors import AnalysisError, RecordWarning, check_word
from generator.files import replace_text
from generator.terminal import say, told_in_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd
    from rich.table import Table

    from analysis.compared.comparisons import Comparison
    from analysis.compared.study import Study
    from analysis.statistics import Summary
    from generator.console import Console

_NOISY = 0.5  # a range of samples, over their median, that leaves open which program is the fastest

app = typer.Typer(help="Compare the styles of verified programs.", no_args_is_help=True, add_completion=False)

Results = Annotated[list[Path], typer.Argument(help="Results: directories, *.jsonl or *.parquet files.")]
MinEdges = Annotated[
    int, typer.Option(help="Leave out graphs with fewer directed edges: on small ones only the start of work is timed.")
]

Baselines = Annotated[
    Path | None,
    typer.Option(help="CSV of other codes: code, model, algorithm, graph, machine, throughput in giga-edges/s."),
]
Jobs = Annotated[int, typer.Option(min=1, help="Processes that draw figures at the same time.")]


@app.command("report")
def write_report(
    results: Annotated[list[Path] | None, typer.Argument(help="Results; all committed measurements if none.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Where the page and the tables go.", show_default="report, in the first folder of results, or in build"
        ),
    ] = None,
    min_edges: Annotated[
        int | None,
        typer.Option(
            help="Leave out graphs with fewer directed edges: on small ones only the start of work is timed.",
            show_default=f"{SMALLEST}, unless all are smaller",
        ),
    ] = None,
    baselines: Baselines = None,
    figures: Annotated[bool, typer.Option("--figures", help="Draw every figure as files, too: minutes.")] = False,
    jobs: Jobs = 2,
) -> None:
    """Writes a page to explore whatever the results hold, with every table of the study beside it."""
    _say_first()
    study = _study(results or list(EVERYTHING), min_edges, baselines)
    from analysis.told.report import report

    folder = next((path for path in results if path.is_dir()), Path("results")) if results else Path("build")
    judged = None if results else _study(list(MEASUREMENTS), SMALLEST)  # as findings do
    say(report(study, out or folder / "report", jobs, judged=judged, figures=figures, tell=_notes().print))


@app.command("findings")
def write_findings(
    results: Annotated[list[Path] | None, typer.Argument(help="Results; the committed measurements if none.")] = None,
    document: Annotated[
        Path | None,
        typer.Option(
            help="Page whose blocks are written anew, with details and a folder of figures beside it.",
            show_default="shown here",
        ),
    ] = None,
    min_edges: MinEdges = SMALLEST,
    baselines: Baselines = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail if anything would change.")] = False,
    jobs: Jobs = 2,
) -> None:
    """Puts the claims of the paper to the test."""
    _say_first()
    study = _study(results or list(MEASUREMENTS), min_edges, baselines)
    from analysis.drawn.studio import Studio
    from analysis.told import document as pages
    from analysis.told.sections import plan

    if document is None and not check:
        say(pages.in_words(study))
        return
    document = document or DOCUMENT
    pages.pairs_of(study)  # before figures are drawn, which takes a while
    command = _command(results or (), document, min_edges, baselines)
    folder, wanted = document.parent / "figures", pages.figures_of_claims()
    if check:
        there = [name for name in wanted if (folder / f"{name}.png").exists()]
    else:
        drawings = [drawing for part in plan(study, [], []) for drawing in part.drawings if drawing.name in wanted]
        there = Studio(drawings, folder, [Suffix.PNG]).draw(jobs)
        for name in set(wanted) - set(there):
            (folder / f"{name}.png").unlink(missing_ok=True)  # of other results
    fast = None if results else _study(list(LATER), min_edges, None)
    for path, blocks in pages.blocks(study, command, there, document, fast).items():
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        after = pages.write(before, blocks)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_text(path, after)
        elif after != before:
            raise AnalysisError(f"{path} is out of date; write it with: {command}")
        say(path)


@app.command("graphs")
def describe_graphs(
    files: Annotated[list[Path], typer.Argument(help="Graphs, in any format.")],
    out: Annotated[Path, typer.Option(help="The file to write: beside results, NAME.graphs.json.")],
) -> None:
    """Measures graphs, for the tables of a report and for correlations: degrees and diameter."""
    from analysis.measured.files import measure
    from analysis.measured.graphs import write

    out.parent.mkdir(parents=True, exist_ok=True)
    write(measure(files), out)
    say(out)


@app.command()
def figure(
    results: Annotated[
        list[Path], typer.Argument(help="Results: directories, *.jsonl or *.parquet files; or *.csv of `violet trace`.")
    ],
    out: Annotated[Path, typer.Option(help="Where the figures go.")] = Path("figures"),
    axis: Annotated[list[str] | None, typer.Option(help="Only comparisons along this axis; may be repeated.")] = None,
    by: Annotated[str, typer.Option(help="What a box stands for: an axis, graph, machine or setting.")] = "algorithm",
    min_edges: MinEdges = 0,
    suffix: Annotated[list[Suffix], typer.Option("--format", help="Of the files; may be repeated.")] = list(Suffix),  # noqa: B006  # typer copies it
) -> None:
    """Draws an overview and each comparison that has pairs; of programs that were tuned, what numbers are worth.

    Of tables of `violet trace`, it draws their rounds.
    """
    if all(path.suffix == ".csv" for path in results):
        _draw_rounds(results, out, suffix)
        return
    _say_first()
    from analysis.compared.comparisons import comparisons_of
    from analysis.drawn.canvas import save
    from analysis.drawn.ratios import BOXES, overview_figure, ratio_figure
    from analysis.drawn.tuning import tuned, tuning_figure
    from analysis.statistics import summarise_pairs

    comparisons = comparisons_of(axis or ())
    check_word(by, BOXES, "word for --by")
    frame = _study(results, min_edges).frame
    found = {comparison: pairs for comparison in comparisons if not (pairs := comparison.pairs(frame)).empty}
    pictures = {comparison.slug: partial(ratio_figure, frame, comparison, by) for comparison in found}
    pictures |= {f"tuning-{program}": partial(tuning_figure, program, jobs) for program, jobs in tuned(frame).items()}
    drawn, refused = {}, []
    for name, draw in pictures.items():
        try:
            drawn[name] = draw()
        except AnalysisError as error:  # no program has such an axis, or there is no room
            refused.append(error)
    if refused and not drawn:
        raise refused[0]
    for reason in refused:
        _notes().print(f"left out: {reason}", markup=False, soft_wrap=True)
    if found or not drawn:
        drawn = {"overview": overview_figure(frame, comparisons), **drawn}
    paths = [path for name, picture in drawn.items() for path in save(picture, out, name, suffix)]
    for path in paths:
        say(path)
    if found:
        _print(_ratio_table({comparison: summarise_pairs(pairs) for comparison, pairs in found.items()}))


def _draw_rounds(tables: list[Path], out: Path, suffixes: list[Suffix]) -> None:
    """Draws what `violet trace` wrote: all tables in one figure."""
    from analysis.drawn.canvas import save
    from analysis.drawn.rounds import load_rounds, rounds_figure

    for path in save(rounds_figure({table.stem: load_rounds(table) for table in tables}), out, "rounds", suffixes):
        say(path)


@app.command()
def export(results: Results, out: Annotated[Path, typer.Argument(help="The parquet file to write.")]) -> None:
    """Writes all records to one compact parquet file, and beside it what is known of their sessions and graphs.

    Every command makes the same of it as of the results. It is fit to be published: names of hosts, command lines and
    folders stay behind.
    """
    _say_first()
    with _notes_of_records():
        from analysis.measured import graphs, records, sessions

        described = graphs.known(results)
        path = records.export(results, out)
    files = [path, sessions.beside(path)]
    if described:
        files.append(path.with_suffix(graphs.SUFFIX))
        graphs.write(described.values(), files[-1])
    for file in files:
        say(f"{file}: {file.stat().st_size / 1024:.0f} KiB")


@app.command()
def best(
    results: Results,
    graph: Annotated[str | None, typer.Option(help="Only this graph.")] = None,
    algorithm: Annotated[str | None, typer.Option(help="Only this algorithm.")] = None,
    model: Annotated[str | None, typer.Option(help="Only programs in this model.")] = None,
    machine: Annotated[str | None, typer.Option(help="Only this machine, as the list calls it.")] = None,
) -> None:
    """Lists the fastest verified program for every algorithm, graph and machine."""
    _say_first()
    frame = _study(results, 0).frame
    from analysis.compared.best import fastest
    from analysis.words import short_machines

    machines = frame["machine"].astype(str)
    frame = frame.assign(machine=machines.map(short_machines(sorted(set(machines)))))
    for column, value in (("graph", graph), ("algorithm", algorithm), ("model", model), ("machine", machine)):
        if value is not None:
            frame = frame[frame[column] == check_word(value, frame[column].unique(), column)]
    found = fastest(frame, ("algorithm", "graph", "machine"))
    if found.empty:
        raise AnalysisError("no verified result")
    from generator.console import Console

    Console(width=10_000).print(_best_table(found))  # a terminal wraps the names, which are last and to be copied


def _say_first() -> None:
    """Says what a command does before it loads what takes seconds."""
    say("reading results", error=True)


@cache
def _notes() -> Console:
    from generator.console import Console  # here, because rich takes a while

    return Console(stderr=True)


def _study(results: list[Path], min_edges: int | None, codes: Path | None = None) -> Study:
    with _notes_of_records():
        from analysis.compared.study import read_study

        return read_study(results, min_edges, codes)


def _command(results: Sequence[Path], document: Path, min_edges: int, codes: Path | None) -> str:
    """Returns the command that writes a document, to stand in it; defaults are left out."""
    given = ["violet findings", *(path.as_posix() for path in results), "--document", document.as_posix()]
    given += ["--min-edges", str(min_edges)] if min_edges != SMALLEST else []
    given += ["--baselines", codes.as_posix()] if codes else []
    return " ".join(given)


@contextmanager
def _notes_of_records() -> Iterator[None]:
    """While results are read, what is no record becomes a line on stderr instead of a Python warning."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RecordWarning)
        try:
            yield
        finally:  # what was left out may be why there is an error
            for warning in caught:
                _notes().print(f"warning: {warning.message}", markup=False, soft_wrap=True)


def _print(table: Table) -> None:
    """Prints a table whole: what is not a terminal has no width to fit."""
    from generator.console import Console

    console = Console()
    console.print(table) if console.is_terminal else Console(width=10_000).print(table)


def _ratio_table(summaries: dict[Comparison, Summary]) -> Table:
    from rich.table import Table

    table = Table("comparison", "paper", title="Throughput ratios: above 1, the first-named style is faster")
    for heading in ("n", "median", "95 % interval", "above 1"):
        table.add_column(heading, justify="right")
    table.add_column("faster")
    for comparison, summary in summaries.items():
        faster = {"first": comparison.labels[0], "second": comparison.labels[1], "unclear": "unclear"}[summary.verdict]
        interval = "too few" if math.isnan(summary.low) else f"{summary.low:.3g} to {summary.high:.3g}"
        median, share = f"{summary.median:.3g}", f"{summary.above_one:.0%}"
        table.add_row(comparison.title, comparison.figure, str(summary.n), median, interval, share, faster)
    return table


def _best_table(fastest: pd.DataFrame) -> Table:
    from rich.markup import escape
    from rich.table import Table

    machines = fastest["machine"].unique()
    kept = ["graph", "machine"] if len(machines) > 1 else ["graph"]  # a program's name begins with its algorithm
    on = "" if len(machines) > 1 else f" on {machines[0]}"
    table = Table(*kept, title=escape(f"Fastest verified programs{on}"), title_justify="left")
    for heading in ("ms", "giga-edges/s", "samples", "range", "MiB"):
        table.add_column(heading, justify="right")
    table.add_column("fastest program")
    words = fastest[[*kept, "program"]].astype(str).to_numpy()
    numbers = fastest[["throughput", "median_s", "n_samples", "noise", "peak_memory_bytes"]].to_numpy(float)
    for row, (throughput, seconds, samples, noise, held) in zip(words, numbers, strict=True):
        spread = "-" if math.isnan(noise) else f"{noise:.0%}{' noisy' if noise > _NOISY else ''}"
        memory = "-" if math.isnan(held) else f"{held / 2**20:,.1f}"
        *where, program = map(escape, row)
        table.add_row(*where, f"{seconds * 1e3:.3g}", f"{throughput:.3g}", f"{samples:.0f}", spread, memory, program)
    return table


def main() -> None:
    """Runs the command line."""
    os.environ["MPLBACKEND"] = "Agg"  # files only: no display is needed, and none is touched
    with told_in_one_line():
        app()
