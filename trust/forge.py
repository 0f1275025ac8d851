"""Forges results for the checks of the runtime: zeros, what is nearly right or answers another question is refused."""

from __future__ import annotations

import csv
import os
import subprocess
from collections import Counter
from typing import TYPE_CHECKING

from generator.errors import UserError
from generator.paths import ROOT
from generator.runtime import write_runtime
from trust import graphs
from trust.build import WORK, compile_runtime
from trust.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

SOURCE = ROOT / "tests" / "runtime" / "forge.cpp"
VERDICTS = ("verified", "refused", "near", "fault")
COLUMNS = ["graph", "algorithm", "element", "forgery", "bound", *VERDICTS]


def measure(out: Path, *, jobs: int) -> list[str]:
    """Forges results of every algorithm with real numbers, and counts verdicts; returns those that are faults.

    Args:
        out: CSV file, which is written anew.
        jobs: compilers at a time.

    Raises:
        UserError: what does the forging does not compile, or dies.
    """
    archive = compile_runtime(TOOLS[0], jobs)
    runtime = write_runtime(WORK / "forge" / "runtime")
    program = WORK / "forge" / "forge"
    compiler = [os.environ.get("CXX", "g++"), "-std=c++20", "-O1", "-pthread", f"-I{runtime}"]
    compiled = subprocess.run(
        [*compiler, str(SOURCE), str(archive), "-o", str(program)], capture_output=True, text=True, check=False
    )
    if compiled.returncode:
        raise UserError(f"{SOURCE} does not compile: {compiled.stderr[-2000:]}")
    files = _both([*graphs.tiny(), *graphs.small(), *graphs.extreme()])
    done = subprocess.run([program, *files], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise UserError(f"{program} ends with exit code {done.returncode}: {done.stderr[-2000:]}")
    verdicts = list(csv.DictReader(done.stdout.splitlines()))
    counts: dict[tuple[str, ...], Counter[str]] = {}
    bounds: dict[tuple[str, ...], float] = {}
    for row in verdicts:
        key = tuple(row[column] for column in COLUMNS[:4])
        counts.setdefault(key, Counter())[row["verdict"]] += 1
        bounds[key] = max(bounds.get(key, 0), float(row["bound"]))
    out.parent.mkdir(parents=True, exist_ok=True)
    with out.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows([*key, bounds[key], *(counts[key][verdict] for verdict in VERDICTS)] for key in counts)
    return [",".join(row.values()) for row in verdicts if row["verdict"] == "fault"]


def few() -> list[Path]:
    """Small graphs for a build that is slow: uneven, deep, and with one long row; each with directions, too."""
    return _both([*graphs.named("karate", "tiny-tree", "tiny-components"), graphs.short_star()])


def _both(files: Iterable[Path]) -> list[Path]:
    return [each for file in files for each in (file, graphs.one_way_of(file))]
