"""The fastest measured program of each algorithm on each kind of graph, and how sure that is.

A kind is told by one graph, on which all programs were timed on an H200. Where the same program was timed on other
graphs of the kind, or on another GPU, that says whether it would be a good choice there, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow.compute as pc
import pyarrow.parquet as pq

from analysis.styles import style_of
from generator.config import find_config, select_styles
from generator.paths import ROOT
from generator.space import load_space, name_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

DATA = ROOT / "analysis" / "data"
BENCHMARKS = ROOT / "benchmarks" / "data"

GPU = ("large", "fast", "raised", "chebyshev", "more", "graphs", "fusion", "small")
"""Files of one H200, without `h200-` and `.parquet`."""

ELSEWHERE = ("h100-all", "h100-fast", "h100-graphs", "h100", "h100-fused", "h100-fusion")
"""Files of single H100s."""

CPU = ("cpu", "cpu-fast", "cpu-scaled", "cpu-best", "cpu-delta", "cpu-raised", "chebyshev")
"""Files of 16 cores, likewise; `chebyshev` has programs of either kind."""

TABLES = ("directed-and-patterns-h200", "merged-rows-h200")
"""Tables of one H200 with algorithms that no other file has."""

CLOSE = 1.1
"""A program within a tenth of the fastest counts as good as that."""


@dataclass(frozen=True)
class Kind:
    """A kind of graph.

    Attributes:
        title: What it is called.
        graph: The one on which all programs were timed.
        others: The first word or words of the names of others.
    """

    title: str
    graph: str
    others: tuple[str, ...]

    def has(self, graph: str) -> bool:
        """Says whether a graph is of this kind."""
        return graph == self.graph or graph.startswith(self.others)


KINDS = (
    Kind("road network", "road-264k", ("road-", "rome99")),
    Kind("grid, mesh", "grid-1024", ("grid-", "torus-", "geometric-")),
    Kind("groups that overlap", "coauthors-131k", ("coauthors-", "facebook")),
    Kind("few hubs", "social-524k", ("preferential-", "kmax-")),
    Kind("skewed degrees (R-MAT)", "rmat-22", ("rmat-",)),
)
DIRECTED = (
    Kind("skewed degrees (R-MAT)", "rmat-22-directed", ("rmat-",)),
    Kind("small social network", "soc-Slashdot0902", ("soc-",)),
)
"""Kinds of the graphs on which algorithms for directed graphs were timed."""


@dataclass(frozen=True)
class Answer:
    """The fastest program of an algorithm on a kind of graph.

    Attributes:
        kind: The kind.
        graph: The graph of this kind on which it is the fastest.
        program: Its name.
        ms: Its median time.
        tried: How many programs were timed there.
        close: How many of these, itself among them, are within a tenth.
        paper: The time of the best of the paper's programs over its own; None if the paper has none.
        elsewhere: Its time over that of the best on other graphs of the kind and other GPUs, where it was timed.
    """

    kind: Kind
    graph: str
    program: str
    ms: float
    tried: int
    close: int
    paper: float | None
    elsewhere: tuple[float, ...]

    @property
    def sure(self) -> str:
        """How sure it is that this is a good choice on such a graph: a word, and why."""
        good = sum(ratio <= CLOSE for ratio in self.elsewhere)
        if not self.elsewhere:
            return "measure: timed here alone"
        word = "sure" if good == len(self.elsewhere) else "likely" if 2 * good >= len(self.elsewhere) else "measure"
        return f"{word}: {good} of {len(self.elsewhere)}"


@cache
def times(files: tuple[str, ...]) -> pd.DataFrame:
    """Returns the verified jobs of files of `analysis/data`, the best time of each program and graph.

    Args:
        files: Names without `.parquet`.

    Returns:
        One row per file, program and graph: `file`, `program`, `graph`, `algorithm`, `model` and `ms`, the median.
    """
    frames = [_jobs(name) for name in files]
    return _with_styles(pd.concat(frames, ignore_index=True))


def _jobs(name: str) -> pd.DataFrame:
    table = pq.read_table(DATA / f"{name}.parquet", columns=["program", "graph", "status", "samples_s"])
    frame = table.filter(pc.equal(table["status"], "verified")).to_pandas()
    return pd.DataFrame(
        {
            "file": name,
            "program": frame["program"],
            "graph": frame["graph"].map(lambda graph: Path(graph).name.removesuffix(".egr")),
            "ms": [float(np.median(samples)) * 1e3 for samples in frame["samples_s"]],
        }
    )


@cache
def tables() -> pd.DataFrame:
    """Returns the jobs of `TABLES`, as `times` does."""
    frames = []
    for name in TABLES:
        frame = pd.read_csv(BENCHMARKS / f"{name}.csv")
        frame = frame[frame["status"] == "verified"]
        ms = [float(np.median([float(sample) for sample in samples.split()])) for samples in frame["samples_ms"]]
        frames.append(pd.DataFrame({"file": name, "program": frame["program"], "graph": frame["graph"], "ms": ms}))
    return _with_styles(pd.concat(frames, ignore_index=True))


def _with_styles(frame: pd.DataFrame) -> pd.DataFrame:
    words = frame["program"].str.split("-", n=2, expand=True)
    return frame.assign(algorithm=words[0], model=words[1])


@cache
def paper() -> frozenset[str]:
    """Returns the names of the paper's programs."""
    space = load_space()
    return frozenset(name_of(style) for style in select_styles(space, find_config("paper")))


def gpu() -> pd.DataFrame:
    """Returns all jobs of one H200."""
    return pd.concat([times(tuple(f"h200-{name}" for name in GPU)), tables()], ignore_index=True)


def cpu() -> pd.DataFrame:
    """Returns all jobs of 16 cores."""
    return times(tuple(f"h200-{name}" for name in CPU))


def answers(algorithm: str, models: Sequence[str]) -> list[Answer]:
    """Returns the fastest programs of an algorithm, a kind of graph each; none of kinds on which nothing was timed.

    Args:
        algorithm: Its name.
        models: `cuda`, or those of CPUs.
    """
    frame = gpu() if "cuda" in models else cpu()
    frame = frame[(frame["algorithm"] == algorithm) & frame["model"].isin(models)]
    other = times(ELSEWHERE) if "cuda" in models else frame.iloc[:0]
    other = other[(other["algorithm"] == algorithm) & other["model"].isin(models)]
    kinds = KINDS if frame["graph"].isin([kind.graph for kind in KINDS]).any() else DIRECTED
    found = (_answer(kind, frame, other) for kind in kinds)
    return [answer for answer in found if answer is not None]


def _answer(kind: Kind, frame: pd.DataFrame, other: pd.DataFrame) -> Answer | None:
    graph = _graph(kind, frame)
    here = frame[frame["graph"] == graph].groupby("program")["ms"].min().sort_values()
    if here.empty:
        return None
    program, ms = str(here.index[0]), float(here.iloc[0])
    papers = here[here.index.isin(paper())]
    return Answer(
        kind,
        graph,
        program,
        ms,
        tried=len(here),
        close=int((here <= CLOSE * ms).sum()),
        paper=float(papers.iloc[0]) / ms if len(papers) else None,
        elsewhere=tuple(_ratios(program, kind, frame[frame["graph"] != graph], other)),
    )


def _graph(kind: Kind, frame: pd.DataFrame) -> str:
    """Returns the graph that stands for a kind; if nothing was timed on that, the one with most programs."""
    if (frame["graph"] == kind.graph).any():
        return kind.graph
    others = frame[frame["graph"].map(kind.has)]
    return str(others.groupby("graph")["program"].nunique().idxmax()) if len(others) else ""


def _ratios(program: str, kind: Kind, here: pd.DataFrame, elsewhere: pd.DataFrame) -> list[float]:
    """Returns the time of a program over that of the best, on each graph of a kind and each GPU where it was timed."""
    ratios = []
    for frame in (here, elsewhere):
        for graph in sorted(set(frame["graph"])):
            if kind.has(graph):
                best = frame[frame["graph"] == graph].groupby("program")["ms"].min()
                if program in best.index and len(best) > 1:
                    ratios.append(float(best[program] / best.min()))
    return ratios


def style(program: str) -> Mapping[str, str]:
    """Returns the style of a program, axis to value."""
    return style_of(program)
