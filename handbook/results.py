"""A page per algorithm: its fastest styles by kind of graph, how sure that is, and what each choice is worth."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from analysis.compared.comparisons import COMPARISONS
from analysis.measured.records import load
from analysis.statistics import summarise_pairs
from analysis.style_words import in_words
from analysis.told.document import write
from generator.files import replace_text
from generator.paths import ROOT
from generator.space import load_space
from handbook.best import DATA, KINDS, Answer, answers, gpu, style

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from analysis.compared.comparisons import Comparison

FOLDER = ROOT / "docs" / "results"
CHOICES = {
    "GPU": ("h200-large", "h200-fast", "h200-more"),
    "16 cores": ("h200-cpu", "h200-cpu-fast", "h200-cpu-scaled"),
}
"""The files whose pairs tell what a choice is worth."""

LEAST = 1.25
"""A choice that is worth less on every graph is not told."""

MOST = 7
"""So many choices are told, those of the most worth."""

GRAPHS = [kind.graph for kind in KINDS]

FEWEST = 3
"""Fewer pairs of a graph have no median that is worth telling."""


def algorithms() -> list[str]:
    """Returns the algorithms that have a page: those that were timed."""
    return sorted(set(gpu()["algorithm"]))


def page(algorithm: str, text: str, *, choices: bool = True) -> str:
    """Returns the page of an algorithm with its blocks written anew.

    Args:
        algorithm: Its name.
        text: The page as it is; what is outside of blocks stays.
        choices: Whether what each choice is worth is worked out, too, which takes a while.
    """
    blocks = {"fastest": fastest(algorithm)}
    if choices:
        blocks["choices"] = worth(algorithm)
    return write(text, blocks)


def fastest(algorithm: str) -> str:
    """Returns the tables of the fastest programs on a GPU and on CPUs, with their names below."""
    parts = [_table("One H200", answers(algorithm, ["cuda"]))]
    if cpus := answers(algorithm, ["openmp", "cpp"]):
        parts.append(_table("16 cores", cpus))
    return "\n\n".join(parts)


def _table(where: str, found: Sequence[Answer]) -> str:
    paper, elsewhere = (any(getattr(answer, name) for answer in found) for name in ("paper", "elsewhere"))
    heads = ["kind of graph", "fastest style", "ms", *(["ahead of the paper's"] if paper else [])]
    lines = [_row([*heads, *(["how sure"] if elsewhere else [])])]
    lines.append(_row(["---", "---", "---:", *(["---:"] if paper else []), *(["---"] if elsewhere else [])]))
    for answer in found:
        ahead = [f"{answer.paper:.1f}" if answer.paper and answer.paper > 1 else "-"] if paper else []
        graph = f"{answer.kind.title}: `{answer.graph}`"
        sure = [answer.sure] if elsewhere else []
        lines.append(_row([graph, in_words(style(answer.program)), _ms(answer.ms), *ahead, *sure]))
    tried = sorted({answer.tried for answer in found})
    count = f"{tried[0]} to {tried[-1]}" if len(tried) > 1 else str(tried[0])
    names = list(dict.fromkeys(answer.program for answer in found))
    return "\n".join([f"**{where}**, of {count} programs:", "", *lines, "", "```text", *names, "```"])


def worth(algorithm: str) -> str:
    """Returns what each choice is worth for an algorithm, graph by graph and over all of them."""
    parts = []
    for where in CHOICES:
        frame = _jobs(where)
        frame = frame[(frame["algorithm"] == algorithm) & frame["graph"].isin(GRAPHS)]
        found = {choice.labels: choice for choice in map(_choice, COMPARISONS, repeat(frame)) if choice is not None}
        told = sorted(found.values(), key=lambda choice: choice.most, reverse=True)[:MOST]
        if told:
            heads = ["choice", *(kind.title for kind in KINDS), "all", "pairs"]
            table = [_row(heads), _row(["---", *(["---:"] * len(KINDS)), "---", "---:"])]
            parts.append("\n".join([f"**{where}**:", "", *table, *(choice.row() for choice in told)]))
    return "\n\n".join(parts) or "Too few programs were timed to say what one choice is worth."


@dataclass(frozen=True)
class _Choice:
    """What one style is worth over another.

    Attributes:
        labels: What they are called.
        pairs: As `compared.pairs.pairs` returns them.
        medians: Of the logarithms of ratios, by graph.
    """

    labels: tuple[str, str]
    pairs: pd.DataFrame
    medians: Mapping[str, float]

    @property
    def most(self) -> float:
        """How much it is worth on the graph where it is worth most, as a logarithm."""
        return max(map(abs, self.medians.values()))

    def row(self) -> str:
        """Returns the row of the table, what is mostly better first."""
        first, second = map(_plain, self.labels)
        summary = summarise_pairs(self.pairs)
        median, low, high = summary.median, summary.low, summary.high
        sign = -1 if sum(self.medians.values()) < 0 else 1
        if sign < 0:
            first, second = second, first
            median, low, high = (1 / value if value else math.inf for value in (median, high, low))
        cells = [_ratio(math.exp(sign * self.medians[graph])) if graph in self.medians else "-" for graph in GRAPHS]
        every = _ratio(median) + ("" if math.isnan(low) else f" ({_ratio(low)} to {_ratio(high)})")
        return _row([f"{first} over {second}", *cells, every, f"{summary.n}"])


def _choice(comparison: Comparison, frame: pd.DataFrame) -> _Choice | None:
    """Returns what a choice is worth; none if that is too little on every graph, or known of every algorithm."""
    if comparison.axis == "atomics":  # findings tell
        return None
    pairs = comparison.pairs(frame)
    inside = {graph: pairs[pairs["graph"] == graph]["ratio"] for graph in GRAPHS}
    medians = {graph: float(np.log(ratios).median()) for graph, ratios in inside.items() if len(ratios) >= FEWEST}
    choice = _Choice(comparison.labels, pairs, medians)
    return choice if medians and choice.most >= math.log(LEAST) else None


def _plain(label: str) -> str:
    """Returns the name of a style with "per" for what there is one of for each."""
    return re.sub(r"(?<=\w) an? (item|round|direction|status|message|copy|label)\b", r" per \1", label)


@cache
def _jobs(where: str) -> pd.DataFrame:
    return load([DATA / f"{name}.parquet" for name in CHOICES[where]])


def index() -> str:
    """Returns the table of all pages."""
    known = load_space().algorithms
    rows = [_row(["algorithm", "what it computes"]), _row(["---", "---"])]
    rows += [
        _row([f"[{known[name].title}]({name}.md)", known[name].meaning.partition(": ")[2]]) for name in algorithms()
    ]
    return "\n".join(rows)


def _ms(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def _ratio(value: float) -> str:
    if math.isinf(value):
        return "more"
    return f"{value:.2f}" if value < 2 else f"{value:,.1f}" if value < 10 else f"{value:,.0f}"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def write_all() -> None:
    """Writes the blocks of all pages, and of the page that leads to them."""
    for name in algorithms():
        path = FOLDER / f"{name}.md"
        before = path.read_text(encoding="utf-8") if path.exists() else f"# {load_space().algorithms[name].title}\n"
        replace_text(path, page(name, before))
    path = FOLDER / "index.md"
    replace_text(path, write(path.read_text(encoding="utf-8"), {"index": index()}))
