"""What the page of the report is made of: all jobs and pairs as columns of numbers, and what they stand for.

The page draws whatever is selected from these columns itself. What takes a bootstrap (intervals, verdicts, guidelines)
is computed here, over everything.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis import words
from analysis.compared.choose import rules
from analysis.compared.comparisons import COMPARISONS, Comparison, comparison_of
from analysis.compared.study import Study
from analysis.judged.findings import Finding
from analysis.judged.guidelines import Guideline
from analysis.judged.ratio_checks import RatioCheck
from analysis.measured.graphs import high_degree
from analysis.statistics import DISTRIBUTION
from analysis.styles import axes
from analysis.told.page.encoding import smallest, steps

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
    return {
        "axes": [
            {"name": axis, "values": list(values), "words": [words.styled(value) for value in values]}
            for axis, values in axes().items()
            if study.frame[axis].notna().any()
        ],
        "models": words.MODELS,
        "names": {column: _names(study.frame, column) for column in NAMED},
        "high": sorted(high),
        "choose": rules(study.graphs),
        "comparisons": [_described(study, comparison, derived) for comparison in compared(study)],
        "few": DISTRIBUTION,
    }


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


def claims(tested: Sequence[Finding]) -> list[dict[str, Any]]:
    """Returns claims with their verdicts and all checks, and of those about ratios which pairs they look at."""
    return [
        {
            "name": found.claim.name,
            "title": found.claim.title,
            "where": found.claim.where,
            "paper": found.claim.paper,
            "verdict": found.verdict,
            "core": len(found.core),
            "pairs": _asked(found),
            "evidence": [[each.statement, each.answer, each.n, each.found] for each in found.evidence],
        }
        for found in tested
    ]


def compared(study: Study) -> list[Comparison]:
    """Returns the comparisons that have pairs, in order."""
    return [comparison for comparison in COMPARISONS if not study.pairs(comparison).empty]


def _names(frame: pd.DataFrame, column: str) -> list[str]:
    return sorted(frame[column].unique())


def _described(study: Study, comparison: Comparison, derived: Sequence[Guideline]) -> dict[str, Any]:
    sentences = [found.sentence for found in derived if found.comparison is comparison]
    return {
        "slug": comparison.slug,
        "title": comparison.title,
        "axis": comparison.axis,
        "figure": comparison.figure,
        "said": sentences + comparison.caveats(study.pairs(comparison)),
    }


def _asked(found: Finding) -> list[Any] | None:
    """Returns the comparison and the pairs that decide a claim, if ratios do: a slug, and values by column."""
    core = found.claim.core
    if not isinstance(core, RatioCheck):
        return None
    where = {column: [values] if isinstance(values, str) else list(values) for column, values in core.where.items()}
    return [comparison_of(core.comparison).slug, where]
