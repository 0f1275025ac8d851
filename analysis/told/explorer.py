"""What the page of the report is made of: all jobs and pairs as columns of numbers, and what they stand for.

The page draws whatever is selected from these columns itself. What takes a bootstrap (intervals, verdicts, guidelines)
is computed here, over everything.
"""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain
from math import isnan
from typing import Any

import numpy as np
import pandas as pd

from analysis import words
from analysis.compared.comparisons import COMPARISONS, Comparison, comparison_of
from analysis.compared.pairs import PLAIN
from analysis.compared.study import Study
from analysis.judged.answers import ANY, HARDWARE, Answer
from analysis.judged.findings import VERDICTS, Finding
from analysis.judged.guidelines import Guideline
from analysis.judged.ratio_checks import RatioCheck
from analysis.measured.graphs import HUBS, KINDS, LONG_WAYS, ROADS, high_degree, kinds
from analysis.statistics import DISTRIBUTION
from analysis.style_words import in_words
from analysis.styles import axes, meanings, options, style_of, titles
from analysis.told.page.encoding import smallest, steps
from generator.algorithms import load_algorithms

NAMED = ("graph", "machine", "setting", "status", "session", "reason")
"""Columns of words, of which the page gets each once, and numbers in their place."""


_ROUNDING = 1e-5
"""Ratios of seconds differ by no more from those of throughputs, if they are of the same samples."""


def programs(study: Study) -> list[str]:
    """Returns the programs of a study in order: on the page, a program is its place among them."""
    return sorted(study.frame["program"].unique())


def facts(study: Study, derived: Sequence[Guideline]) -> dict[str, Any]:
    """Returns what the numbers in the columns stand for, and what is known of each comparison, fit for JSON."""
    high = study.graphs["graph"][high_degree(study.graphs)]
    machines = _names(study.frame, "machine")
    short = words.short_machines(machines)
    kind = kinds(study.graphs)
    return {
        "axes": [
            {
                "name": axis,
                "title": titles()[axis],
                "values": list(values),
                "words": [value_in_words(axis, value) for value in values],
                "means": [meanings()[axis][value] for value in values],
                "optional": axis in options(),
                "plain": value_in_words(axis, PLAIN),
            }
            for axis, values in axes().items()
            if study.frame[axis].notna().any()
        ],
        "models": words.MODELS,
        "titles": {name: algorithm.title for name, algorithm in load_algorithms().items()},
        "names": {column: _names(study.frame, column) for column in NAMED},
        "short": [short[machine] for machine in machines],
        "usual": str(study.frame["machine"].value_counts().idxmax()),
        "kinds": {**KINDS, ANY: ("graph of any kind", "nothing is known of it")},
        "kind": {str(graph): str(name) for graph, name in kind.items()},
        "bounds": {"long": LONG_WAYS, "hubs": HUBS, "roads": ROADS},
        "hardware": {name: title for name, (_, title) in HARDWARE.items()},
        "high": sorted(high),
        "comparisons": [_described(study, comparison, derived) for comparison in compared(study)],
        "verdicts": list(VERDICTS.values()),
        "few": DISTRIBUTION,
    }


def value_in_words(axis: str, value: str) -> str:
    """Returns what the value of an axis is called, or what it is to have none: as in figures, or in comparisons."""
    if axis == "algorithm" and value:
        return load_algorithms()[value].title
    if axis == "model" and value:
        return words.MODELS[value]
    sides = [(row.first, row.labels[0]) for row in COMPARISONS if row.axis == axis]
    sides += [(row.second, row.labels[1]) for row in COMPARISONS if row.axis == axis]
    called = next((label for values, label in sides if values == (value,)), value)
    return words.VALUES.get(value, called)


def answered(study: Study, found: Sequence[Answer]) -> list[dict[str, Any]]:
    """Returns answers fit for JSON, with styles in words: a program is its place among `programs`, four digits do."""
    places = {name: place for place, name in enumerate(programs(study))}
    short = words.short_machines(_names(study.frame, "machine"))

    def fit(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: fit(each) for name, each in value.items()}
        if isinstance(value, list | tuple):
            return [fit(each) for each in value]
        if isinstance(value, float):
            return None if isnan(value) else float(f"{value:.4g}")
        return value

    rows = [fit(asdict(answer)) for answer in found]
    for row in rows:
        row["style"] = in_words(style_of(row["ranking"][0]["program"]))
        for ranked in row["ranking"]:
            ranked["program"] = places[ranked["program"]]
        for place in row["places"]:
            place["machine"] = short[place["machine"]]
    return rows


def columns(study: Study) -> dict[str, np.ndarray]:
    """Returns all numbers of the page.

    Returns:
        By name, `style.AXIS`: of each program the place of its value on the axis, the first being 1, or 0 for none;
        `job.COLUMN`, of each job, ordered by program and graph: places in `facts()["names"]`, the seconds of its
        median sample (if it timed out, what it took at least; NaN if nothing is known), and others as in
        `records.load`; `pair.N.first` and `.second`, of each pair of the N-th comparison its two jobs, as
        `encoding.steps`; `pair.N.earlier`, the places of pairs whose ratio is of an earlier session that their jobs
        share, and so not of these seconds, and `pair.N.ratio`, those ratios.
    """
    jobs = study.frame.sort_values(["program", "graph", "machine", "setting"], ignore_index=True)
    codes = pd.Categorical(jobs["program"], programs(study)).codes
    styles = jobs.drop_duplicates("program")
    stopped = jobs["edges"].astype(float) / jobs["throughput_bound"] / 1e9
    found = {f"style.{axis}": smallest(styles[axis].cat.codes.to_numpy() + 1) for axis in axes()}
    found["job.program"] = smallest(codes)
    for column in NAMED:
        found[f"job.{column}"] = smallest(pd.Categorical(jobs[column], _names(jobs, column)).codes)
    found["job.seconds"] = jobs["median_s"].where(jobs["throughput"].notna(), stopped).to_numpy(np.float32)
    found["job.noise"] = jobs["noise"].to_numpy(np.float32)
    found["job.edges"] = jobs["edges"].astype(float).to_numpy(np.float32)
    found["job.samples"] = smallest(jobs["n_samples"].to_numpy())
    found["job.rounds"] = jobs["rounds"].fillna(0).to_numpy(np.uint32)
    numbers = pd.MultiIndex.from_frame(jobs[["program", "graph", "machine", "setting"]])
    for place, comparison in enumerate(compared(study)):
        pairs = study.pairs(comparison)
        first, second = (
            numbers.get_indexer(pd.MultiIndex.from_frame(pairs[[f"program_{side}", "graph", "machine", "setting"]]))
            for side in ("first", "second")
        )
        order = np.lexsort((second, first))
        first, second, ratio = first[order], second[order], pairs["ratio"].to_numpy(np.float32)[order]
        of_seconds = found["job.seconds"][second] / found["job.seconds"][first]
        earlier = np.flatnonzero(~np.isclose(of_seconds, ratio, rtol=_ROUNDING, atol=0))
        found |= {
            f"pair.{place}.first": steps(first),
            f"pair.{place}.second": steps(second),
            f"pair.{place}.earlier": smallest(earlier),
            f"pair.{place}.ratio": ratio[earlier],
        }
    return found


def claims(tested: Sequence[Finding], machines: Sequence[str]) -> list[dict[str, Any]]:
    """Returns claims with their verdicts and all checks, and of those about ratios which pairs they look at.

    Args:
        tested: The claims.
        machines: Those that they were tested on, which are called by short names.
    """

    def short(text: str) -> str:
        for machine, name in words.short_machines(machines).items():
            text = text.replace(machine, name)
        return text

    return [
        {
            "name": found.claim.name,
            "title": found.claim.title,
            "where": found.claim.where,
            "paper": found.claim.paper,
            "verdict": VERDICTS[found.verdict],
            "core": len(found.core),
            "pairs": _asked(found),
            "evidence": [[short(each.statement), each.answer, each.n, short(each.found)] for each in found.evidence],
        }
        for found in tested
    ]


def compared(study: Study) -> list[Comparison]:
    """Returns the comparisons that have pairs, in order."""
    return [comparison for comparison in COMPARISONS if not study.pairs(comparison).empty]


def _names(frame: pd.DataFrame, column: str) -> list[str]:
    return sorted(frame[column].unique())


def _described(study: Study, comparison: Comparison, derived: Sequence[Guideline]) -> dict[str, Any]:
    means = meanings()[comparison.axis]
    sides = [values[0] for values in (comparison.first, comparison.second) if len(values) == 1]
    return {
        "slug": comparison.slug,
        "title": comparison.title,
        "axis": comparison.axis,
        "labels": comparison.labels,
        "figure": comparison.figure,
        "means": [means[value] for value in sides if value in means],
        "advice": [
            [found.model, found.machine, found.sentence.split(": ", 1)[1]]
            for found in derived
            if found.comparison is comparison
        ],
        "caveats": comparison.caveats(study.pairs(comparison)),
    }


def _asked(found: Finding) -> list[Any] | None:
    """Returns the comparison and the pairs that decide a claim, if ratios do: a slug, and values by column."""
    core = [check for check in found.claim.core if isinstance(check, RatioCheck)]
    if not core:
        return None
    wheres = [check.where for check in core if check.comparison == core[0].comparison]
    where: dict[str, list[str]] = {}
    for column in (column for column in wheres[0] if all(column in other for other in wheres)):
        values = [[value] if isinstance(value := other[column], str) else value for other in wheres]
        where[column] = list(dict.fromkeys(chain.from_iterable(values)))
    return [comparison_of(core[0].comparison).slug, where]
