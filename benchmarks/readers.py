"""How fast files become graphs, and in how much memory: `python -m benchmarks.readers`.

A file of every kind is written from one R-MAT graph, and converted to `.egr` in a process of its own. Formats that
networkx reads get a graph that is 64 times smaller.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import pandas as pd
import typer

from generator.terminal import say
from inputs.formats import registry
from inputs.generators.rmat import rmat
from inputs.graph import from_edges, hash_weights

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inputs.graph import Graph

_FEWER = 6  # of the scale, for networkx
_PACKERS = {".gz": ["gzip"], ".bz2": ["bzip2"], ".xz": ["xz", "-1"], ".zst": ["zstd", "-q"]}

_CONVERT = """
from pathlib import Path
from inputs.cli import main
try:
    main()
finally:
    print(*(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")))
"""


@dataclass(frozen=True)
class _Row:
    """What a file took.

    Attributes:
        file: what its name ends in.
        megabytes: of it.
        edges: millions of them, both directions counted once.
        seconds: median, with the start of the process.
        cpu_seconds: of all cores, median.
        megabytes_per_s: in these.
        edges_per_s: millions in these.
        bytes_per_edge: most memory, less what a graph of one edge takes.
    """

    file: str
    megabytes: float
    edges: float
    seconds: float
    cpu_seconds: float
    megabytes_per_s: float
    edges_per_s: float
    bytes_per_edge: float


def main(
    scale: Annotated[int, typer.Option(help="The graph has 2^scale vertices, and up to 8 times as many edges.")] = 20,
    samples: Annotated[int, typer.Option(help="Conversions of each file, of which the median counts.")] = 3,
    out: Annotated[Path | None, typer.Option(help="CSV file.")] = None,
    only: Annotated[str, typer.Option(help="Files whose names end in something with this in it.")] = "",
) -> None:
    """Converts a file of every kind."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "least.el").write_text("0 1\n")
        _, _, least = _converted(folder / "least.el", [])
        for file, path, count, options in _files(folder, scale, only):
            taken = [_converted(path, options) for _ in range(samples)]
            seconds, cpu = (statistics.median(each[place] for each in taken) for place in (0, 1))
            memory = max(0, max(each[2] for each in taken) - least) / count
            megabytes, edges = path.stat().st_size / 1e6, count / 1e6
            rows.append(_Row(file, megabytes, edges, seconds, cpu, megabytes / seconds, edges / seconds, memory))
            say(", ".join(f"{key} {value:.4g}" if key != "file" else value for key, value in asdict(rows[-1]).items()))
            path.unlink()
    if out:
        pd.DataFrame(map(asdict, rows)).round(3).to_csv(out, index=False)


def _files(folder: Path, scale: int, only: str) -> Iterator[tuple[str, Path, int, list[str]]]:
    """Yields what the name of a file ends in, the file, how many edges it has, and options of `convert`."""
    large, small = _graph(scale), _graph(scale - _FEWER)
    for known in registry.FORMATS:
        for suffix in filter(lambda suffix: only in suffix, known.suffixes):
            graph = small if known is registry.OBJECTS else large
            known.write(graph, folder / f"graph{suffix}")
            yield suffix, folder / f"graph{suffix}", graph.edge_count // 2, []
    for suffix, packer in _PACKERS.items():
        if only in suffix and shutil.which(packer[0]):
            path = folder / "graph.el"
            registry.EDGE_LIST.write(large, path)
            subprocess.run([*packer, path], check=True)
            path.unlink(missing_ok=True)
            yield f".el{suffix}", folder / f"graph.el{suffix}", large.edge_count // 2, []
    edges = large.to_edges()
    once = np.asarray(edges.sources < edges.destinations)
    table = pd.DataFrame({"source": edges.sources, "target": edges.destinations, "weight": edges.weights})[once]
    ends = ["source", "target"]
    for suffix, columns, options in (
        ("gephi.csv", table.assign(type="Undirected")[["type", *ends, "weight"]], []),
        ("words.csv", table.assign(**{end: "v" + table[end].astype(str) for end in ends}), []),
        ("64-bit.csv", table.assign(**{end: table[end].astype(np.int64) + 2**40 for end in ends}), []),
        ("reals.csv", table.assign(weight=table["weight"] / 7), ["--real-weights"]),
    ):
        if only in suffix:
            columns.to_csv(folder / suffix, index=False)
            yield suffix, folder / suffix, len(table), options


def _graph(scale: int) -> Graph:
    edges = rmat(scale, 8 << scale).to_edges()
    weights = hash_weights(edges.sources, edges.destinations)
    return from_edges(edges.vertex_count, edges.sources, edges.destinations, weights)


def _converted(path: Path, options: list[str]) -> tuple[float, float, int]:
    """Converts a file; returns seconds, those of all cores, and bytes of memory at most.

    Raises:
        SystemExit: it is not converted.
    """
    out = path.with_name("out.egr")
    begin, before = time.perf_counter(), os.times()
    command = [sys.executable, "-c", _CONVERT, "convert", *options, str(path), str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds, after = time.perf_counter() - begin, os.times()
    if done.returncode:
        raise SystemExit(f"{path} is not converted: {done.stderr}")
    for made in path.parent.glob("out.egr*"):
        made.unlink()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, cpu, int(done.stdout.split()[-2]) << 10


if __name__ == "__main__":
    typer.run(main)
