"""Tests of claims that are not about pairs: correlations, best programs, combinations, costs, baselines."""

from collections.abc import Callable
from math import inf

import numpy as np

from analysis.baselines import speedup_table
from analysis.checks import Answer, Evidence, Median, judge
from analysis.comparisons import COMPARISONS
from analysis.correlations import strongest_of
from analysis.graphs import PROPERTIES
from analysis.guidelines import guidelines
from analysis.statistics import mean_interval
from analysis.study import Study
from analysis.words import MODELS, counted, styled

Test = Callable[[Study], list[Evidence]]

CORRELATION = 0.5
"""The paper calls what is beyond this a significant correlation."""

PAPER_SPEEDUPS = {"cuda": 0.70, "openmp": 1.54, "cpp": 1.80}
"""Geometric means of the speedups of the best styles over Gardenia and Lonestar (the paper's Table 6)."""


def strongest_correlation(study: Study) -> list[Evidence]:
    """No correlation between a style's throughput and a graph property is beyond 0.5."""
    statement = f"CUDA: no correlation (Pearson) of a style's throughput with a property beyond {CORRELATION}"
    strongest = strongest_of(study.correlations)
    if strongest is None:
        return [Evidence(statement, "no data", 0, remark="too few graphs")]
    style, column, value = strongest
    remark = f"{styled(style)} and {PROPERTIES[column]}"
    return [Evidence(statement, _yes(abs(value) <= CORRELATION), study.correlations.size, value, remark=remark)]


def degree_and_warps(study: Study) -> list[Evidence]:
    """Programs with a warp an item are faster on graphs of higher degree."""
    statement = "CUDA: the throughput of warp programs grows with the average degree (correlation above 0)"
    table = study.correlations
    if table.empty or "warp" not in table.index:
        return [Evidence(statement, "no data", 0, remark="too few graphs")]
    value = float(table["average_degree"]["warp"])
    return [Evidence(statement, _yes(value > 0), len(study.graphs), value)]


def typical_slowdown(model: str) -> Test:
    """A program taken at random is more than 10 times slower than the best, on average (geometric mean)."""

    def test(study: Study) -> list[Evidence]:
        statement = f"{MODELS[model]}: geometric mean of all programs' slowdowns against the best above 10"
        found = study.slowdowns
        found = found[found["model"] == model]
        if found.empty:
            return [Evidence(statement, "no data", 0)]
        logs = np.log10(found["slowdown"].to_numpy())
        low, high = mean_interval(logs, found["program"], found["graph"])
        bounds = int(found["bound"].sum())
        answer = judge(low, inf if bounds else high, 1)
        remark = counted(bounds, "bound") if bounds else ""
        return [Evidence(statement, answer, len(found), float(10 ** logs.mean()), 10**low, 10**high, remark)]

    return test


def worst_slowdown(study: Study) -> list[Evidence]:
    """The worst program of some algorithm and graph is a million times slower than the best."""
    statement = "any model: the worst program at least 1e+06 times slower than the best"
    found = study.slowdowns
    if found.empty:
        return [Evidence(statement, "no data", 0)]
    worst = found.iloc[int(found["slowdown"].argmax())]
    remark = f"{worst['program']} on {worst['graph']}" + (", at least: it timed out" if worst["bound"] else "")
    value = float(worst["slowdown"])
    return [Evidence(statement, _yes(value >= 1e6), len(found), value, remark=remark)]


def baseline_speedup(model: str) -> Test:
    """The best styles compare with tuned codes as in the paper, or better."""

    def test(study: Study) -> list[Evidence]:
        statement = f"{MODELS[model]}: best styles over tuned codes, geometric mean at least {PAPER_SPEEDUPS[model]}"
        if study.speedups is None:
            return [Evidence(statement, "no data", 0, remark="no figures of other codes given")]
        found = study.speedups
        found = found[found["model"] == model]
        if found.empty:
            return [Evidence(statement, "no data", 0)]
        mean = float(speedup_table(found)["geomean"].iloc[0])
        return [Evidence(statement, _yes(mean >= PAPER_SPEEDUPS[model]), len(found), mean)]

    return test


def triangles_over_pagerank(model: str) -> Test:
    """Triangle counting reaches more edges a second than PageRank, in the median on every graph.

    The two do different work, so this compares orders and forms no ratio.
    """

    def test(study: Study) -> list[Evidence]:
        statement = f"{MODELS[model]}: TC's median throughput is higher than PR's on every graph"
        jobs = study.classic
        jobs = jobs[(jobs["model"] == model) & jobs["algorithm"].isin(["pr", "tc"])]
        medians = jobs.pivot_table(
            "throughput", ["machine", "graph"], "algorithm", aggfunc="median", observed=True
        ).reindex(columns=["pr", "tc"])
        medians = medians.dropna()
        if medians.empty:
            return [Evidence(statement, "no data", 0)]
        higher = int((medians["tc"] > medians["pr"]).sum())
        remark = f"on {higher} of {len(medians)} graphs"
        return [Evidence(statement, _yes(higher == len(medians)), len(medians), remark=remark)]

    return test


def best_shares(model: str, axis: str, value: str) -> Test:
    """More than half of the best programs have this style."""

    def test(study: Study) -> list[Evidence]:
        statement = f"{MODELS[model]}: more than half of the best programs are {styled(value)}"
        table = study.shares
        row = table[(table["model"] == model) & (table["axis"] == axis) & (table["value"] == value)]
        if row.empty or not int(row["n"].iloc[0]):
            return [Evidence(statement, "no data", 0)]
        share = float(row["share"].iloc[0])
        return [Evidence(statement, _yes(share > 0.5), int(row["n"].iloc[0]), share)]

    return test


def combination(column: str, row: str = "") -> Test:
    """A style combined with another is faster than without it; without a row: for more than half of the styles."""

    def test(study: Study) -> list[Evidence]:
        matrix = study.combinations
        subject = (
            f"{styled(row)} with {styled(column)}" if row else f"more than half of the styles with {styled(column)}"
        )
        statement = f"CUDA: {subject} faster than without (median relative throughput)"
        if column not in matrix.columns or (row and row not in matrix.index):
            return [Evidence(statement, "no data", 0)]
        if row:
            value = float(matrix[column][row])
            return [Evidence(statement, _yes(value > 1), 1, value)]
        values = matrix[column].dropna()
        share = float((values > 1).mean())
        return [Evidence(statement, _yes(share > 0.5), len(values), share)]

    return test


def edge_with_topology(study: Study) -> list[Evidence]:
    """Edge-based programs are faster topology-driven than data-driven."""
    return Median("topology over data without duplicates", {"model": "cuda", "iteration": "edge"}, low=1.0).evaluate(
        study
    )


def depends_on_algorithm(axis: str, model: str) -> Test:
    """Which value of an axis is better depends on the algorithm: each is faster for some."""

    def test(study: Study) -> list[Evidence]:
        statement = f"{MODELS[model]}: which {axis} style is faster depends on the algorithm"
        comparison = next(row for row in COMPARISONS if row.axis == axis and not row.scope)
        derived = [guideline for guideline in guidelines(study, [comparison]) if guideline.model == model]
        if not derived:
            return [Evidence(statement, "no data", 0)]
        answers = [(found, _yes(found.advice == "depends on the algorithm")) for found in derived]
        return [Evidence(statement, answer, found.summary.n, remark=found.advice) for found, answer in answers]

    return test


def _yes(holds: bool) -> Answer:
    return "yes" if holds else "no"
