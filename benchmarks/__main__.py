"""`violet peers`, and a list of what else is measured of Violet itself: `python -m benchmarks`."""

from __future__ import annotations

import argparse
import ast
import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from generator.terminal import say, told_in_one_line
from runner.bounds import MOST_SECONDS, MOST_THREADS

if TYPE_CHECKING:
    from collections.abc import Sequence

_SAMPLES = 5
_PEERS = """Times what a Python user would pick instead of Violet, and Violet, on the same graphs and machine.

    violet peers karate road-16k my.egr --algorithms bfs cc

Libraries: scipy.sparse.csgraph, networkx, igraph, NetworKit, and pylibcugraph on a GPU. Each is optional: what is not
installed is named and left out. `.venv/bin/uv sync --inexact --extra peers` installs all that are for CPUs.

Violet's is the fastest program that `violet best` finds in --budget seconds. All are called once to warm up, then at
least five times in turns, and the last answer is held against Violet's serial reference. A graph is loaded into a
library once and not timed. As in Violet, searches start at the first vertex that has an edge, and a graph without
weights gets those that programs make.

The CSV has what --baselines of `violet report` reads, and more: it shows these libraries beside results of your own.
`throughput` is edges, both directions counted, over the median time, in giga-edges/s, as Violet's.
"""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.callback(invoke_without_command=True)
def list_benchmarks(ctx: typer.Context) -> None:
    """Lists the benchmarks; each has `--help`."""
    if ctx.invoked_subcommand is None:
        for file in sorted(Path(__file__).parent.glob("[a-z]*.py")):
            text = ast.parse(file.read_text(encoding="utf-8"))
            if any(isinstance(part, ast.If) and "__main__" in ast.unparse(part.test) for part in text.body):
                first = (ast.get_docstring(text) or "").partition("\n")[0]
                say(f"python -m benchmarks.{file.stem}: {first}")


@app.command(
    "peers", add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)
def peers(ctx: typer.Context) -> None:
    """Compares Violet with scipy, networkx, igraph, NetworKit and cuGraph."""
    raise typer.Exit(compare(ctx.args))


def compare(arguments: Sequence[str]) -> int:
    """Measures; returns 0, or 1 if an answer is wrong.

    Raises:
        UserError: one line on what the user can mend.
    """
    parser = argparse.ArgumentParser(
        prog="violet peers", description=_PEERS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("graphs", nargs="+", help="files in any format, or names of the catalogue")
    parser.add_argument(
        "--out", type=Path, default=Path("peers.csv"), help="the CSV file to write (default: %(default)s)"
    )
    parser.add_argument("--algorithms", nargs="+", default=[], metavar="NAME", help="default: all that a library has")
    parser.add_argument("--libraries", nargs="+", default=[], metavar="NAME", help="default: all, and violet")
    parser.add_argument("--samples", type=_samples, default=_SAMPLES, help=f"times a call, at least {_SAMPLES}")
    parser.add_argument(
        "--limit", type=_seconds, default=60.0, help="leave out what takes longer when warming up, in s (default: 60)"
    )
    parser.add_argument(
        "--budget", type=_seconds, default=10.0, help="of the search for Violet's program, in s (default: 10)"
    )
    parser.add_argument(
        "--threads", type=_threads, default=len(os.sched_getaffinity(0)), help="of parallel libraries (default: all)"
    )
    asked = parser.parse_args(arguments)
    say(f"comparing on {', '.join(asked.graphs)}", error=True)  # before the libraries, which take a while to load
    from benchmarks.peers import run

    return 1 if run(asked) else 0


def _samples(word: str) -> int:
    if (count := int(word)) < _SAMPLES:
        raise argparse.ArgumentTypeError(f"fewer than {_SAMPLES} samples are no basis for a median")
    return count


def _seconds(word: str) -> float:
    if not 0 <= (seconds := float(word)) <= MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"not from 0 to {MOST_SECONDS:g}")
    return seconds


def _threads(word: str) -> int:
    if not 1 <= (count := int(word)) <= MOST_THREADS:
        raise argparse.ArgumentTypeError(f"not from 1 to {MOST_THREADS}")
    return count


if __name__ == "__main__":
    with told_in_one_line():
        app()
