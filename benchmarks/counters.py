"""How many threads of a warp have work, what comes from memory, what power a GPU draws: of programs on graphs.

    python -m benchmarks.counters rmat-20-shuffled road-16k-shuffled --out results/counters.csv

The programs are those of benchmarks/counters.toml, or of another config. Nsight Compute (`ncu`) counts over all kernels
of one run. The power is what NVML's counter of energy rose by while a program was run again and again for more than a
second, as it moves ten times a second; what happens between two runs draws power as well. Energy is that, times the
median of the runs. Rows are appended as they are measured, and pairs of program and graph that have one are left out.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import selectors
import shutil
import statistics
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Any, cast

from generator.config import select_styles
from generator.errors import UserError
from generator.output import render_all, write
from generator.space import load_space, name_of
from generator.terminal import say, told_in_one_line
from inputs.catalogue import ensure
from runner.checkout import here
from runner.jobs.build import build
from runner.jobs.programs import read_programs

if TYPE_CHECKING:
    from collections.abc import Sequence

NS, THREADS, WARPS = "gpu__time_duration.sum", "smsp__thread_inst_executed.sum", "smsp__inst_executed.sum"
DRAM, L2, ACTIVE = "dram__bytes.sum", "lts__t_sectors.sum", "sm__warps_active.avg.pct_of_peak_sustained_active"
METRICS = (NS, THREADS, WARPS, DRAM, L2, ACTIVE)
COUNTERS = ("launches", "warp_efficiency", "dram_bytes", "l2_sectors", "occupancy")
COLUMNS = ("program", "graph", "device", "runs", "median_s", "watts", "joules", *COUNTERS)
REPEATED_S = 1.5
"""Of solving, for which a program is run again and again."""
TIMEOUT_S = 60
"""After which a program is given up: a profiler runs each kernel several times."""


def counted(text: str) -> dict[str, float]:
    """Returns what ncu has counted over all kernels, from its raw page as CSV, in which units come before the first."""
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), len(lines))
    rows = [row for row in csv.DictReader(lines[start:]) if row["ID"].isdigit()]
    if not rows:
        last = next((line for line in reversed(lines) if "==ERROR==" in line), "it has counted nothing")
        raise UserError(f"ncu: {last.removeprefix('==ERROR== ')}")

    def each(metric: str) -> list[float]:
        try:
            return [float(row[metric].replace(",", "")) for row in rows]
        except ValueError as error:
            raise UserError(f"ncu: {metric}: {error}") from None

    ns = each(NS)
    values = (
        len(rows),
        sum(each(THREADS)) / (32 * sum(each(WARPS))),
        sum(each(DRAM)),
        sum(each(L2)),
        sum(active * t for active, t in zip(each(ACTIVE), ns, strict=True)) / sum(ns) / 100,
    )
    return dict(zip(COUNTERS, values, strict=True))


def profile(binary: Path, graph: Path) -> dict[str, float]:
    """Runs a program once under ncu."""
    with TemporaryDirectory() as folder:
        log = Path(folder, "log")
        command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--metrics", ",".join(METRICS)]
        command += ["--log-file", str(log), str(binary), str(graph), "--reps", "1", "--warmup", "0"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired:
            raise UserError(f"ncu: {binary.name} on {graph.stem} takes more than {TIMEOUT_S} s") from None
        if '"verified": false' in done.stdout:
            raise UserError(f"{binary.name} on {graph.stem} is wrong")
        return counted((log.read_text(encoding="utf-8") if log.exists() else "") + done.stdout + done.stderr)


def mean_power(seen: Sequence[tuple[float, float]], begin: float, end: float) -> float | None:
    """Returns the watts between the first and the last time that a counter of millijoules moved within a stretch."""
    inside = [(when, energy) for when, energy in seen if begin <= when <= end]
    if len(inside) < 2:
        return None
    (first, before), (last, after) = inside[0], inside[-1]
    return (after - before) / 1000 / (last - first)


def repeat(binary: Path, graph: Path) -> dict[str, Any]:
    """Runs a program again and again, and watches the counter of energy."""
    import pynvml

    pynvml.nvmlInit()
    gpu = pynvml.nvmlDeviceGetHandleByIndex(0)
    options = ["--reps", "1000000", "--budget", str(REPEATED_S), "--no-verify"]
    seen: list[tuple[float, float]] = []
    with subprocess.Popen([binary, graph, *options], stdout=subprocess.PIPE, text=True) as process:
        stdout = cast("IO[str]", process.stdout)
        said = selectors.DefaultSelector()
        said.register(stdout, selectors.EVENT_READ)
        while not said.select(0.005):
            energy = pynvml.nvmlDeviceGetTotalEnergyConsumption(gpu)
            if not seen or energy != seen[-1][1]:
                seen.append((time.monotonic(), energy))
        end = time.monotonic()
        line = stdout.readline()
    if process.returncode:
        raise UserError(f"{binary.name} on {graph.stem} ends with {process.returncode}")
    report = json.loads(line)
    median, watts = statistics.median(report["samples_s"]), mean_power(seen, end - report["phases_s"]["solve"], end)
    about = {"device": report["device"], "runs": len(report["samples_s"]), "median_s": median, "watts": watts}
    return about | {"joules": watts and watts * median}


@told_in_one_line()
def main() -> None:
    """Reads the command line and appends rows until time is over."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="+", help="names of `violet graphs list`, or .egr files")
    parser.add_argument("--config", type=Path, default=Path(__file__).with_suffix(".toml"), help="which programs")
    parser.add_argument("--out", type=Path, default=Path("results/counters.csv"))
    parser.add_argument("--seconds", type=float, default=500.0, help="after which nothing more is measured")
    asked = parser.parse_args()
    end, checkout, space = time.monotonic() + asked.seconds, here(), load_space()
    styles = select_styles(space, asked.config)
    write(space, render_all(space, styles, os.cpu_count() or 1), checkout.generated)
    programs = {program.name: program for program in read_programs(checkout, [name_of(style) for style in styles])}
    failed = build(checkout, programs.values())
    asked.out.parent.mkdir(parents=True, exist_ok=True)
    known = list(csv.DictReader(asked.out.open(encoding="utf-8"))) if asked.out.exists() else []
    done = {(row["program"], row["graph"]) for row in known}
    graphs = [Path(name) if name.endswith(".egr") else ensure(name, checkout.graphs) for name in asked.graphs]
    pairs = [(programs[name_of(style)], graph) for style in styles for graph in graphs]
    without = "" if shutil.which("ncu") else "ncu is not on the PATH"
    with asked.out.open("a", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, COLUMNS)
        if not known:
            table.writeheader()
        for program, graph in pairs:
            if (program.name, graph.stem) in done or program.name in failed or time.monotonic() > end:
                continue
            row = {"program": program.name, "graph": graph.stem, **repeat(program.binary, graph)}
            try:
                table.writerow(row | ({} if without else profile(program.binary, graph)))
            except UserError as error:
                table.writerow(row)
                say(error, error=True)
                without = str(error) if "ERR_NVGPUCTRPERM" in str(error) else ""
            file.flush()
    rows = len(list(csv.DictReader(asked.out.open(encoding="utf-8"))))
    say(f"{asked.out}: {rows} rows, {len(pairs)} pairs; {without or 'counted by ncu'}")


if __name__ == "__main__":
    main()
