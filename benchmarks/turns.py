r"""Is a change worth it? Times several builds of the same programs in turns, on the same graphs and machine.

    git worktree add ../before HEAD~1
    make -C ../before CONFIG=cpu
    make CONFIG=cpu
    .venv/bin/python -m benchmarks.turns before=../before/build after=build --programs 'bfs-cpp-*' \
        --graphs karate road-16k --out turns.csv -- --threads 8

A build is a folder that `make` compiled programs into, by another compiler or of another commit. In each turn every
build's program runs once, as a process of --reps timed repetitions after one that is not; every second turn goes
backwards. All repetitions are verified by the program itself. A row is written as soon as its turns are done. What the
table has already of the same binaries and graphs is not measured again, so the same command goes on where it was
stopped. What follows `--` is given to all programs.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import statistics
import subprocess
import sys
import time
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rich.console import Console
from rich.table import Table

from benchmarks.errors import told_in_one_line
from generator.errors import UserError
from generator.files import replace_text
from generator.space import load_space
from runner.checkout import Checkout
from runner.hashing import hash_file
from runner.jobs.graphs import Graph, open_graphs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

Samples: TypeAlias = dict[str, list[float]]

KEY = ("graph", "graph_sha256", "program", "code", "binary_sha256", "options", "turns")
"""What tells rows apart; of hashes the first digits."""
COLUMNS = (*KEY, "samples_ms")
SAMPLES = 5
"""Of a build, at least: fewer are no basis for a median."""


class Build(NamedTuple):
    """A folder of compiled programs."""

    code: str
    """What the table calls it."""
    folder: Path


class FailureError(Exception):
    """A program did not come to a verified end; `str()` of it says why."""


def programs_of(builds: Sequence[Build], patterns: Sequence[str]) -> list[Path]:
    """Returns the programs that all builds have, as paths below their folders.

    Args:
        builds: The builds.
        patterns: Names or globs that say which are wanted.

    Raises:
        UserError: There is none.
    """
    models = load_space().axis("model").plain_values
    has = [
        {path.relative_to(build.folder) for model in models for path in build.folder.glob(f"{model}/*/*")}
        for build in builds
    ]
    wanted = [
        path
        for path in sorted(set.intersection(*has))
        if any(fnmatchcase(path.name, pattern) for pattern in patterns)
        and all(os.access(build.folder / path, os.X_OK) and (build.folder / path).is_file() for build in builds)
    ]
    if not wanted:
        folders = " and ".join(str(build.folder) for build in builds)
        raise UserError(f"no program in {folders} matches {' '.join(patterns)}: compile them with make")
    return wanted


def sample(binary: Path, graph: Path, options: Sequence[str], limit_s: float) -> list[float]:
    """Runs a program once; returns the seconds of its repetitions, all of which are verified.

    Raises:
        FailureError: It ends with another code than 0, or not within the limit.
    """
    try:
        done = subprocess.run([binary, graph, *options], capture_output=True, text=True, timeout=limit_s, check=False)
    except subprocess.TimeoutExpired:
        raise FailureError(f"not done after {limit_s:g} s") from None
    if done.returncode:
        said = done.stderr.splitlines() or done.stdout.splitlines() or ["nothing"]
        raise FailureError(f"exit code {done.returncode}, it says: {said[-1]}")
    return [float(each) for each in json.loads(done.stdout)["samples_s"]]


def in_turns(binaries: Mapping[str, Path], graph: Path, turns: int, options: Sequence[str], limit_s: float) -> Samples:
    """Returns the seconds of each build's repetitions, by its name.

    Raises:
        FailureError: One of the programs fails; the message names its build.
    """
    samples: Samples = {code: [] for code in binaries}
    for turn in range(turns):
        for code in list(binaries)[:: -1 if turn % 2 else 1]:
            try:
                samples[code] += sample(binaries[code], graph, options, limit_s)
            except FailureError as failure:
                raise FailureError(f"{code}: {failure}") from None
    return samples


def read(file: Path) -> list[dict[str, str]]:
    """Returns the rows of an earlier table; none if there is none.

    Raises:
        UserError: The file is another table.
    """
    if not file.exists():
        return []
    with file.open(newline="", encoding="utf-8") as rows:
        table = csv.DictReader(rows)
        if tuple(table.fieldnames or ()) != COLUMNS:
            raise UserError(f"{file} is no table of this benchmark: give another --out")
        return list(table)


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
    for heading in (*(f"{code} ms" for code in codes), *(f"{code} over {codes[0]}" for code in codes[1:])):
        table.add_column(heading, justify="right")
    for names, of in medians.items():
        ratios = [f"{of[codes[0]] / of[code]:.2f}" for code in codes[1:]]
        table.add_row(*names, *(f"{of[code]:.4g}" for code in codes), *ratios)
    return table


def run(asked: argparse.Namespace) -> int:
    """Measures what the table lacks and prints what was asked for; returns how many programs failed on a graph."""
    builds: list[Build] = asked.builds
    programs = programs_of(builds, asked.programs)
    graphs = open_graphs(asked.graphs, Checkout(Path.cwd()).graphs)
    options = [*asked.options, "--reps", str(asked.reps), "--warmup", "1"]
    table = {tuple(row[column] for column in KEY): row for row in read(asked.out)}
    failed: set[tuple[Graph, Path]] = set()
    hashes = {
        build.folder / program: hash_file(build.folder / program)[:12] for program in programs for build in builds
    }

    def keys(graph: Graph, program: Path) -> dict[str, tuple[str, ...]]:
        """Returns what tells the rows of builds apart, by their names."""
        job, how = (graph.name, graph.sha256[:12], program.name), (" ".join(options), str(asked.turns))
        return {code: (*job, code, hashes[folder / program], *how) for code, folder in builds}

    jobs = list(product(graphs, programs))
    missing = [job for job in jobs if not table.keys() >= set(keys(*job).values())]
    begin = time.monotonic()
    for position, (graph, program) in enumerate(missing):
        each_s = (time.monotonic() - begin) / max(position, 1)
        left = f", about {each_s * (len(missing) - position):.0f} s left" if position else ""
        print(f"[{position + 1}/{len(missing)}{left}] {graph.name} {program.name}", file=sys.stderr)
        binaries = {code: folder.absolute() / program for code, folder in builds}
        try:
            samples = in_turns(binaries, graph.path, asked.turns, options, asked.limit)
        except FailureError as failure:
            failed.add((graph, program))
            print(f"left out: {program.name} on {graph.name}: {failure}", file=sys.stderr)
            continue
        for code, key in keys(graph, program).items():
            words = " ".join(f"{1e3 * seconds:.4f}" for seconds in samples[code])
            table[key] = dict(zip(COLUMNS, (*key, words), strict=True))
        write(table.values(), asked.out)
    rows = [table[key] for job in jobs if job not in failed for key in keys(*job).values()]
    Console(width=None if sys.stdout.isatty() else 200).print(summary(rows, [build.code for build in builds]))
    print(asked.out)
    return len(failed)


def _build(word: str) -> Build:
    code, equals, folder = word.partition("=")
    if not (code and equals and Path(folder).is_dir()):
        raise argparse.ArgumentTypeError(f"{word!r} is not NAME=FOLDER, with a folder of compiled programs")
    return Build(code, Path(folder))


@told_in_one_line()
def main(arguments: Sequence[str] | None = None) -> int:
    """Measures; returns 0, or 1 if a program failed."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.turns", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("builds", nargs="+", type=_build, metavar="NAME=FOLDER", help="builds to compare, two or more")
    parser.add_argument("--programs", nargs="+", default=["*"], metavar="GLOB", help="default: all they share")
    parser.add_argument("--graphs", nargs="+", required=True, help="names of `python -m inputs list`, or .egr files")
    parser.add_argument("--turns", type=int, default=5, help="processes of each build (default: %(default)s)")
    parser.add_argument("--reps", type=int, default=3, help="timed repetitions of each (default: %(default)s)")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds of a process (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("turns.csv"), help="the table (default: %(default)s)")
    words = list(sys.argv[1:] if arguments is None else arguments)
    end = words.index("--") if "--" in words else len(words)
    asked = parser.parse_args(words[:end], argparse.Namespace(options=words[end + 1 :]))
    if len({build.code for build in asked.builds}) < max(2, len(asked.builds)):
        parser.error("give two builds or more, each with a name of its own")
    if min(asked.turns, asked.reps) < 1 or asked.turns * asked.reps < SAMPLES:
        parser.error(f"--turns times --reps has to be {SAMPLES} at least: fewer samples are no basis for a median")
    return 1 if run(asked) else 0


if __name__ == "__main__":
    sys.exit(main())
