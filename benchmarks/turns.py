r"""Is a change worth it? Times several builds of the same programs in turns, on the same graphs and machine.

    git worktree add ../before HEAD~1
    make -C ../before CONFIG=cpu
    make CONFIG=cpu
    .venv/bin/python -m benchmarks.turns before=../before/build after=build --programs 'bfs-cpp-*' \
        --graphs rmat-16 road-16k --threads 8 --out turns.csv

A build is a folder of compiled programs: of another commit, as here, or of other flags, which

    make -f runner/build.mk BUILD=build-O2 CXXFLAGS=-O2

makes. In each turn every build's program runs once, as a process of --reps timed repetitions after one that is not;
every second turn goes backwards. Threads are pinned and results verified as `violet run` does. What is said last are
medians, and how many times as fast as the first build the others are.

The table has a row for each build of a comparison. Where it has all rows of one already, of the same binaries, graph,
machine and options, that is not measured again: the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import statistics
import sys
import time
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rich.table import Table

from generator.console import Console
from generator.errors import UserError
from generator.files import replace_text
from generator.space import load_space
from generator.terminal import say, told_in_one_line
from runner.checkout import Checkout
from runner.hashing import has_content, hash_file
from runner.jobs.graphs import open_graphs
from runner.jobs.plan import Job, Parameters
from runner.jobs.programs import Program
from runner.locks import only_timer
from runner.machine.machine import this_machine
from runner.machine.pinning import Places, ProcBind
from runner.results.records import Status
from runner.timing.measure import Settings, measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from runner.results.records import Record

Rows: TypeAlias = dict[tuple[str, ...], dict[str, str]]

KEY = ("graph", "graph_sha256", "program", "builds", "machine", "parameters", "places", "turns", "code")
"""What tells rows apart. `builds` has all that were compared, with the first digits of their binaries' hashes."""
COLUMNS = (*KEY, "samples_ms")
SAMPLES = 5
"""Of a build, at least: fewer are no basis for a median."""


class Build(NamedTuple):
    """A folder of compiled programs."""

    code: str
    """What the table calls it."""
    folder: Path


class Comparison(NamedTuple):
    """A program on a graph, by build: what to run, and the keys of its rows."""

    jobs: dict[str, Job]
    keys: Mapping[str, tuple[str, ...]]


class FailureError(Exception):
    """A program did not come to a verified end; `str()` of it says why."""


def programs_of(builds: Sequence[Build], patterns: Sequence[str]) -> tuple[list[Path], list[Path]]:
    """Returns the programs that all builds have, and those that only some have, as paths below their folders.

    Args:
        builds: The builds.
        patterns: Names or globs that say which are wanted.

    Raises:
        UserError: No build has any, or not all have the same one.
    """
    models = load_space().axis("model").values
    has = [
        {
            path.relative_to(folder)
            for model in models
            for path in folder.glob(f"{model}/*/*")
            if any(fnmatchcase(path.name, pattern) for pattern in patterns)
            and path.is_file()
            and os.access(path, os.X_OK)
        }
        for _, folder in builds
    ]
    common = set.intersection(*has)
    if not common:
        folders = " and ".join(str(build.folder) for build in builds)
        raise UserError(f"no program that {folders} have matches {' '.join(patterns)}: compile them with make")
    return sorted(common), sorted(set.union(*has) - common)


def in_turns(jobs: Mapping[str, Job], turns: int, limit_s: float) -> dict[str, list[float]]:
    """Returns the seconds of each build's repetitions, by its name.

    Args:
        jobs: The same program on the same graph, by the build.
        turns: Processes of each.
        limit_s: Seconds that a process may take.

    Raises:
        FailureError: One of the programs fails, or its binary or the graph changes meanwhile.
    """
    samples: dict[str, list[float]] = {code: [] for code in jobs}
    for turn in range(turns):
        for code in list(jobs)[:: -1 if turn % 2 else 1]:
            records: list[Record] = []
            measure([jobs[code]], [], Settings("", limit_s), records.append)
            record = records[-1]
            if record.status is not Status.VERIFIED:
                said = f": {record.error.splitlines()[-1]}" if record.error else ""
                raise FailureError(f"{code}: {record.status}: {record.reason}{said}")
            samples[code] += record.samples_s
    for code, job in jobs.items():
        job.check_files()
        if not has_content(job.program.binary, job.build_sha256):
            raise FailureError(f"{code}: {job.program.binary} changed meanwhile")
    return samples


def read(file: Path) -> Rows:
    """Returns the rows of an earlier table by `KEY`; none if there is none.

    Raises:
        UserError: The file is another table, or damaged.
    """
    if not file.parent.is_dir():
        raise UserError(f"{file.parent} is no folder: make it, or give another --out")
    if not file.exists():
        return {}
    try:
        with file.open(newline="", encoding="utf-8") as text:
            table = csv.DictReader(text, strict=True)
            rows = list(table)
        sound = tuple(table.fieldnames or ()) == COLUMNS and all(
            None not in row and all(float(word) > 0 for word in row["samples_ms"].split()) and row["samples_ms"]
            for row in rows
        )
    except (ValueError, csv.Error, AttributeError):  # no number, no UTF-8, or a row that ends too early
        sound = False
    if not sound:
        raise UserError(f"{file} is no table of this benchmark, or damaged: give another --out")
    return {tuple(row[column] for column in KEY): row for row in rows}


def write(rows: Iterable[Mapping[str, str]], file: Path) -> None:
    """Writes a table, all of it or nothing."""
    text = io.StringIO()
    table = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    replace_text(file, text.getvalue())


def summary(rows: Iterable[Mapping[str, str]], codes: Sequence[str]) -> Table:
    """Returns the medians, and how many times as fast as the first build the others are."""
    medians: dict[tuple[str, str], dict[str, float]] = {}
    for row in rows:
        samples = [float(word) for word in row["samples_ms"].split()]
        medians.setdefault((row["graph"], row["program"]), {})[row["code"]] = statistics.median(samples)
    table = Table("graph", "program")
    for heading in (*(f"{code} ms" for code in codes), *(f"{code}: times as fast" for code in codes[1:])):
        table.add_column(heading, justify="right")
    for names, of in medians.items():
        ratios = [f"{of[codes[0]] / of[code]:.2f}" for code in codes[1:]]
        table.add_row(*names, *(f"{of[code]:.4g}" for code in codes), *ratios)
    return table


def comparisons_of(asked: argparse.Namespace, programs: Sequence[Path]) -> dict[tuple[str, str], Comparison]:
    """Returns what to measure, by the names of graph and program."""
    machine = this_machine()
    parameters = Parameters(
        threads=asked.threads,
        reps=asked.reps,
        source=asked.source,
        gpus=asked.gpus,
        proc_bind=ProcBind.SPREAD,
        places=Places.THREADS,
    )
    graphs = open_graphs(asked.graphs, Checkout(Path.cwd()).graphs)
    found = {}
    for path in programs:
        model, algorithm, name = path.parts
        built = {}
        for code, folder in asked.builds:
            binary = (folder / path).absolute()
            built[code] = Program(name, model, algorithm, "", binary, binary, source_sha256=""), hash_file(binary)
            given = parameters.fitting(built[code][0], machine)
        together = " ".join(f"{code}={sha256[:8]}" for code, (_, sha256) in built.items())
        options = json.dumps(given.model_dump(mode="json", exclude_none=True), sort_keys=True)
        where = (machine.fingerprint[:6], options, given.environment().get("VIOLET_PLACES", ""), str(asked.turns))
        for graph in graphs:
            jobs = {
                code: Job(program, graph, given, build_sha256=sha256, machine=machine.fingerprint, obstacle=None)
                for code, (program, sha256) in built.items()
            }
            keys = {code: (graph.name, graph.sha256[:8], name, together, *where, code) for code in jobs}
            found[graph.name, name] = Comparison(jobs, keys)
    return found


def run(asked: argparse.Namespace) -> int:
    """Measures what the table lacks and prints what was asked for; returns how many programs failed on a graph."""
    rows = read(asked.out)
    programs, lacking = programs_of(asked.builds, asked.programs)
    if lacking:
        say(f"left out: {len(lacking)} programs that not all builds have, as {lacking[0].name}", error=True)
    comparisons = comparisons_of(asked, programs)
    missing = {names: each for names, each in comparisons.items() if not rows.keys() >= set(each.keys.values())}
    failed, begin = set(), time.monotonic()
    with only_timer(Checkout(Path.cwd())):
        for position, (names, comparison) in enumerate(missing.items()):
            each_s = (time.monotonic() - begin) / max(position, 1)
            left = f", about {each_s * (len(missing) - position):.0f} s left" if position else ""
            say(f"[{position + 1}/{len(missing)}{left}] {' '.join(names)}", error=True)
            try:
                samples = in_turns(comparison.jobs, asked.turns, asked.limit)
            except FailureError as failure:
                failed.add(names)
                say(f"left out: {names[1]} on {names[0]}: {failure}", error=True)
                continue
            for code, key in comparison.keys.items():
                words = " ".join(f"{1e3 * seconds:.7g}" for seconds in samples[code])
                rows[key] = dict(zip(COLUMNS, (*key, words), strict=True))
            write(rows.values(), asked.out)
    found = [rows[key] for names, each in comparisons.items() if names not in failed for key in each.keys.values()]
    if found:
        Console(width=None if sys.stdout.isatty() else 200).print(summary(found, [code for code, _ in asked.builds]))
        say(asked.out)
    return len(failed)


def _build(word: str) -> Build:
    code, equals, folder = word.partition("=")
    if not (code and equals and Path(folder).is_dir()):
        raise argparse.ArgumentTypeError(f"{word!r} is not NAME=FOLDER, with a folder of compiled programs")
    return Build(code, Path(folder))


@told_in_one_line()
def main(arguments: Sequence[str] | None = None) -> int:
    """Measures; returns 0, 1 if a program failed, or 130 if interrupted."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.turns", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    everywhere = len(os.sched_getaffinity(0))
    parser.add_argument("builds", nargs="+", type=_build, metavar="NAME=FOLDER", help="builds to compare, two or more")
    parser.add_argument("--programs", nargs="+", default=["*"], metavar="GLOB", help="default: all they share")
    parser.add_argument("--graphs", nargs="+", required=True, help="names of `violet graphs list`, or .egr files")
    parser.add_argument("--turns", type=int, default=5, help="processes of each build (default: %(default)s)")
    parser.add_argument("--reps", type=int, default=3, help="timed repetitions of each (default: %(default)s)")
    parser.add_argument("--threads", type=int, default=everywhere, help="of CPU programs (default: all)")
    parser.add_argument("--gpus", type=int, help="of programs for several GPUs (default: all)")
    parser.add_argument("--source", type=int, help="where searches start (default: the first vertex with an edge)")
    parser.add_argument("--limit", type=int, default=300, help="seconds of a process (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("turns.csv"), help="the table (default: %(default)s)")
    asked = parser.parse_args(arguments)
    if len({build.code for build in asked.builds}) < max(2, len(asked.builds)):
        parser.error("give two builds or more, each with a name of its own")
    for name in ("turns", "reps", "threads", "limit"):
        if not 1 <= getattr(asked, name) <= 4096:
            parser.error(f"--{name} is from 1 to 4096")
    if asked.turns * asked.reps < SAMPLES:
        parser.error(f"--turns times --reps has to be {SAMPLES} at least: fewer samples are no basis for a median")
    try:
        return 1 if run(asked) else 0
    except KeyboardInterrupt:
        say("interrupted: the same command goes on", error=True)
        return 130


if __name__ == "__main__":
    sys.exit(main())
