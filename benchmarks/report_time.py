"""How long the report takes: `python -m benchmarks.report_time`.

The programs of the paper on five graphs, 5,530 jobs with times drawn at random, from reading them to the finished page;
or as many of all programs on as many graphs as are asked for: `--programs 12000 --graphs 6`.
"""

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import typer

from analysis.compared.study import Study
from analysis.measured.graphs import graph_table
from analysis.measured.records import load
from analysis.told.report import report
from generator.config import find_config, select_styles
from generator.space import load_space, name_of


def main(jobs: int = 2, programs: int = 0, graphs: int = 5) -> None:
    """Times every part of a report over synthetic results.

    Args:
        jobs: Processes that work at the same time.
        programs: How many of all programs, evenly spread; those of the paper if 0.
        graphs: How many graphs.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "results.jsonl"
        file.write_text("\n".join(_records(programs, graphs)), encoding="utf-8")
        start = time.perf_counter()
        frame = load(file)
        loaded = time.perf_counter()
        page = report(Study(frame, graph_table(frame, {})), Path(folder) / "report", jobs)
        done = time.perf_counter()
        typer.echo(
            f"{len(frame)} jobs: read in {loaded - start:.1f} s, reported in {done - loaded:.1f} s; "
            f"page of {page.stat().st_size / 2**20:.1f} MiB"
        )


def _records(programs: int, graphs: int) -> Iterator[str]:
    """Yields a verified job of every program on every graph, as lines of JSON."""
    random = np.random.default_rng(1)
    styles = select_styles(load_space(), find_config("all" if programs else "paper"))
    for place in np.linspace(0, len(styles) - 1, programs or len(styles)).astype(int):
        style = styles[place]
        for graph in range(graphs):
            seconds = random.lognormal(-6, 1.5)
            yield json.dumps(
                {
                    "program": name_of(style),
                    "graph": f"graph-{graph}",
                    "status": "verified",
                    "samples_s": (seconds * random.lognormal(0, 0.02, 9)).tolist(),
                    "vertices": 10 ** (graph + 2),
                    "edges": 10 ** (graph + 2) * (3 + 4 * graph),
                    "machine": "synthetic",
                    "session": "1",
                }
            )


if __name__ == "__main__":
    typer.run(main)
