"""What to use for an algorithm and a kind of graph, by the same judge as the page of the report.

A few algorithms are in tables of benchmarks only. Of these, the fastest programs are told, and nothing is judged.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis.compared.study import read_study
from analysis.defaults import EVERYTHING, SMALLEST
from analysis.judged.answers import ANY, Answer, Place, answers
from analysis.measured.graphs import KINDS
from analysis.words import family
from generator.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

BENCHMARKS = ROOT / "benchmarks" / "data"
TABLES = ("directed-and-patterns-h200", "merged-rows-h200", "clustering-h200")
"""Tables of one H200 with algorithms that no other file has."""

BY_TABLES = ("bp", "clique", "hits", "lcc", "match", "product", "salsa", "wtf")
"""The algorithms that are in tables only; all others are judged."""

TITLES = {**{name: title for name, (title, _) in KINDS.items()}, ANY: "any graph"}


@cache
def advice() -> Mapping[tuple[str, str, str], Answer]:
    """Returns the answers of all committed measurements, by algorithm, hardware and kind of graph."""
    found = answers(read_study(EVERYTHING, SMALLEST))
    return {(each.algorithm, each.hardware, each.kind): each for each in found if each.family == ANY}


def largest(answer: Answer) -> Place:
    """Returns the largest graph on which the program was measured, on an H200 if it was."""
    return max(answer.places, key=lambda each: ("H200" in family(each.machine, answer.hardware), each.edges))


def example(answer: Answer) -> str:
    """Returns that graph, and the time there."""
    place = largest(answer)
    return f"`{place.graph}`, {milliseconds(place.seconds * 1e3)} ms, {family(place.machine, answer.hardware)}"


@cache
def tables() -> pd.DataFrame:
    """Returns the verified jobs of `TABLES` of algorithms that nothing else is known of.

    Returns:
        One row per job: `algorithm`, `graph`, `program` and `ms`, the median of its samples.
    """
    frames = []
    for name in TABLES:
        frame = pd.read_csv(BENCHMARKS / f"{name}.csv")
        frame = frame[frame["status"] == "verified"]
        ms = [float(np.median([float(sample) for sample in samples.split()])) for samples in frame["samples_ms"]]
        algorithms = frame["program"].str.split("-").str[0]
        frames.append(frame[["graph", "program"]].assign(ms=ms, algorithm=algorithms))
    found = pd.concat(frames, ignore_index=True)
    return found[found["algorithm"].isin(BY_TABLES)]


def fastest(algorithm: str) -> pd.DataFrame:
    """Returns the fastest program of each graph in the tables, a row per graph: `graph`, `program` and `ms`."""
    frame = tables()
    frame = frame[frame["algorithm"] == algorithm]
    return frame.loc[frame.groupby("graph")["ms"].idxmin()]


def milliseconds(value: float) -> str:
    """Returns a time with three digits."""
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"
