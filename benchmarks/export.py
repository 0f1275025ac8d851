"""What does a library cost? The time of an export's solve over that of the program that it comes from.

    python -m benchmarks.export GRAPH.egr --build build --exports DIR [--turns 9] [--threads N]

DIR holds exported folders, each with its library, and `build` the programs. The two are timed in turns. A turn of the
program is a process that reports the median of five repetitions; one of the library is the median of as many solves in
this process. Both times run from the first values of the results to convergence. The whole call of the library is shown
beside it. Needs only numpy, so that it runs where Violet is not installed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from generator.errors import UserError
from generator.terminal import told_in_one_line

_REPETITIONS = 5


def load(folder: Path) -> Any:
    """Returns the Python module of an exported folder."""
    (path,) = folder.glob("*.py")
    sys.path.insert(0, str(folder))
    return importlib.import_module(path.stem)


def read_arrays(path: Path) -> tuple[Any, Any, Any]:
    """Returns row_offsets, neighbours and weights, int32, of an `.egr` file of version 1, or no weights."""
    words = np.fromfile(path, dtype="<i4")
    n, m = words[:2].tolist()
    parts = np.split(words[2:], [n + 1, n + 1 + m])
    return parts[0], parts[1], parts[2]


def compare(module: Any, program: Path, graph: Path, turns: int, threads: int) -> tuple[float, float, float, float]:
    """Returns the median seconds of the program, of the library, and of its whole call, and the median ratio."""
    arrays = read_arrays(graph)
    if module._WEIGHTED and not len(arrays[2]):  # programs make up their own
        raise UserError(f"{graph} has no weights: `violet graphs convert` with a format that has some")
    if module.CUDA:  # of a caller who has the graph on the GPU, if there is cupy
        try:
            import cupy

            arrays = tuple(map(cupy.asarray, arrays))
        except ImportError:
            pass
        solver = module.Solver(arrays)
    else:
        solver = module.Solver(arrays, threads=threads)
    degrees = np.diff(read_arrays(graph)[0])
    source = int(np.flatnonzero(degrees)[0])
    asked = dict(getattr(module, "_Query", module._Options)._fields_)
    begin: list[Any] = [[source]] if "source_list" in asked else [source] if "source" in asked else []
    times: list[tuple[float, float, float]] = []
    for _ in range(turns):
        command = [program, graph, "--reps", str(_REPETITIONS), "--no-verify", "--threads", str(threads)]
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise UserError(f"{program} ends with {done.returncode}: {done.stderr.strip()}")
        own = statistics.median(json.loads(done.stdout)["samples_s"])
        solved, called = [], []
        for _ in range(_REPETITIONS + 1):  # the first one warms up
            start = time.perf_counter()
            solver.solve(*begin)
            called.append(time.perf_counter() - start)
            solved.append(solver.seconds)
        times.append((own, statistics.median(solved[1:]), statistics.median(called[1:])))
    medians = [statistics.median(column) for column in zip(*times, strict=True)]
    return medians[0], medians[1], medians[2], statistics.median(found / own for own, found, _ in times)


@told_in_one_line()
def main() -> None:
    """Prints a line for each exported folder, and the median of the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", type=Path)
    parser.add_argument("--build", type=Path, default=Path("build"))
    parser.add_argument("--exports", type=Path, required=True)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    asked = parser.parse_args()
    folders = sorted(path for path in asked.exports.iterdir() if any(path.glob("*.so")))
    if not folders:
        raise UserError(f"{asked.exports} has no folder with a library: export programs there, and `make` each")
    ratios = []
    print("program,program_s,library_s,call_s,ratio")
    for folder in folders:
        (source,) = (path for path in (folder / "src").iterdir() if "-" in path.stem)
        programs = list(asked.build.rglob(source.stem))
        if len(programs) != 1:
            raise UserError(f"{asked.build} has {len(programs)} programs {source.stem}: build it first")
        own, library, call, ratio = compare(load(folder), programs[0], asked.graph, asked.turns, asked.threads)
        ratios.append(ratio)
        print(f"{source.stem},{own:.4g},{library:.4g},{call:.4g},{ratio:.3f}", flush=True)
    print(f"median,,,,{statistics.median(ratios):.3f}")


if __name__ == "__main__":
    main()
