"""A page per algorithm: its fastest styles by kind of graph, how sure that is, and what each choice is worth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from analysis.compared.comparisons import COMPARISONS
from analysis.measured.records import load
from analysis.statistics import summarise_pairs
from analysis.style_words import in_words
from analysis.styles import style_of
from analysis.told.document import write
from analysis.words import counted, family
from generator.files import replace_text
from generator.paths import ROOT
from generator.space import load_space
from handbook import ranks
from handbook.advice import TITLES, advice, example, largest, milliseconds
from inputs.catalogue import SHUFFLED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analysis.compared.comparisons import Comparison

FOLDER = ROOT / "docs" / "results"
DATA = ROOT / "analysis" / "data"
CHOICES = {"GPU": ("v1/best", "v1/paper", "v1/around"), "16 cores": ("v1/cpu", "v1/cpu-best")}
"""The files whose pairs tell what a choice is worth."""

LEAST = 1.25
"""A choice that is worth less on every graph is not told."""

MOST = 5
"""So many choices are told, those of the most worth."""

GRAPHS = {
    "road": ("road-16k", "road-264k"),
    "grid": ("grid-512", "grid-1024"),
    "co-authors": ("coauthors-16k", "coauthors-131k"),
    "social": ("social-65k", "social-524k"),
    "web": ("web-131k", "web-1m"),
    "R-MAT": ("rmat-16", "rmat-20", "rmat-22"),
}
"""The graphs on which programs were paired, in any order of their vertices, by what a column calls them."""

_COLUMNS = {f"{name}{order}": column for column, names in GRAPHS.items() for name in names for order in ("", SHUFFLED)}

FEWEST = 3
"""Fewer pairs of a graph have no median that is worth telling."""

FEW = 5
"""Where fewer graphs were measured, kinds have one or two each, of which nothing is told."""


def algorithms() -> list[str]:
    """Returns the algorithms that have a page: all."""
    return sorted(load_space().algorithms)


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
    """Returns what to use on a GPU and on CPUs, by kind of graph."""
    title = load_space().algorithms[algorithm].title
    picture = f"![{title}: how far all programs are from the best, by kind of graph](../images/{algorithm}.png)"
    return "\n\n".join(filter(None, (*(_judged(algorithm, hardware) for hardware in ("gpu", "cpu")), picture)))


def _judged(algorithm: str, hardware: str) -> str:
    known = advice()
    found = [known[key] for kind in TITLES if (key := (algorithm, hardware, kind)) in known]
    if not found:
        return ""
    title = {"gpu": "On a GPU", "cpu": "On CPUs"}[hardware]
    if len(found[-1].graphs) < FEW:  # of any kind
        return f"**{title}**, by few graphs, so measure: `{found[-1].ranking[0].program}`."
    heads = ["kind of graph", "use", "times the best", "blind", "for example", "how sure"]
    lines = [_row(heads), _row(["---", "---", "---:", "---:", "---", "---"])]
    for answer in found:
        first = answer.ranking[0]
        blind = "-" if math.isnan(answer.blind) else _ratio(answer.blind)
        words = [TITLES[answer.kind], in_words(style_of(first.program)), _ratio(first.slowdown), blind]
        lines.append(_row([*words, example(answer), f"{answer.certainty}, {counted(len(answer.graphs), 'graph')}"]))
    names = list(dict.fromkeys(answer.ranking[0].program for answer in found))
    return "\n".join(
        [f"**{title}**, of {max(answer.programs for answer in found)} programs:", "", *lines, *_names(names)]
    )


def table() -> str:
    """Returns all answers as CSV: the table of which the pages, the picture of home and the explorer show a part."""
    rows = []
    for (algorithm, hardware, kind), answer in advice().items():
        first = answer.ranking[0]
        place = largest(answer)
        worst = max((cost for _, cost in answer.left_out), default=math.nan)
        rows.append(
            {
                "algorithm": algorithm,
                "hardware": hardware,
                "kind": kind,
                "style": in_words(style_of(first.program)),
                "program": first.program,
                "graph": place.graph,
                "machine": family(place.machine, hardware),
                "ms": milliseconds(place.seconds * 1e3),
                "of_the_best": f"{first.slowdown:.3f}",
                "blind": f"{answer.blind:.3f}",
                "blind_worst": f"{worst:.3f}",
                "graphs": len(answer.graphs),
                "certainty": answer.certainty,
            }
        )
    return str(pd.DataFrame(rows).to_csv(index=False, lineterminator="\n"))


def _names(names: Sequence[str]) -> list[str]:
    return ["", "```text", *names, "```"]


def worth(algorithm: str) -> str:
    """Returns what each choice is worth for an algorithm, graph by graph and over all of them."""
    parts = []
    for where in CHOICES:
        frame = _jobs(where)
        frame = frame[(frame["algorithm"] == algorithm) & frame["graph"].isin(_COLUMNS)]
        found = {choice.labels: choice for choice in map(_choice, COMPARISONS, repeat(frame)) if choice is not None}
        told = sorted(found.values(), key=lambda choice: choice.most, reverse=True)[:MOST]
        if told:
            columns = [column for column in GRAPHS if any(column in choice.medians for choice in told)]
            heads = ["choice", *columns, "all", "pairs"]
            table = [_row(heads), _row(["---", *(["---:"] * len(columns)), "---", "---:"])]
            parts.append("\n".join([f"**{where}**:", "", *table, *(choice.row(columns) for choice in told)]))
    return "\n\n".join(parts) or "Too few programs were timed to say what one choice is worth."


@dataclass(frozen=True)
class _Choice:
    """What one style is worth over another.

    Attributes:
        labels: What they are called.
        pairs: As `compared.pairs.pairs` returns them.
        medians: Of the logarithms of ratios, by column of graphs.
    """

    labels: tuple[str, str]
    pairs: pd.DataFrame
    medians: Mapping[str, float]

    @property
    def most(self) -> float:
        """How much it is worth on the graph where it is worth most, as a logarithm."""
        return max(map(abs, self.medians.values()))

    def row(self, columns: Sequence[str]) -> str:
        """Returns the row of a table with some columns of graphs, what is mostly better first."""
        first, second = self.labels
        summary = summarise_pairs(self.pairs)
        median, low, high = summary.median, summary.low, summary.high
        sign = -1 if sum(self.medians.values()) < 0 else 1
        if sign < 0:
            first, second = second, first
            median, low, high = (1 / value if value else math.inf for value in (median, high, low))
        known = {column: _ratio(math.exp(sign * median)) for column, median in self.medians.items()}
        cells = [known.get(column, "-") for column in columns]
        every = _ratio(median) + ("" if math.isnan(low) else f" ({_ratio(low)} to {_ratio(high)})")
        return _row([f"{first} over {second}", *cells, every, f"{summary.n}"])


def _choice(comparison: Comparison, frame: pd.DataFrame) -> _Choice | None:
    """Returns what a choice is worth; none if that is too little on every graph, or known of every algorithm."""
    if comparison.axis == "atomics":  # findings tell
        return None
    pairs = comparison.pairs(frame)
    inside = pairs["ratio"].groupby(pairs["graph"].map(_COLUMNS))
    medians = {str(column): float(np.log(ratios).median()) for column, ratios in inside if len(ratios) >= FEWEST}
    choice = _Choice(comparison.labels, pairs, medians)
    return choice if medians and choice.most >= math.log(LEAST) else None


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
        ranks.draw(name)
    replace_text(FOLDER / "answers.csv", table())
    path = FOLDER / "index.md"
    replace_text(path, write(path.read_text(encoding="utf-8"), {"index": index()}))
