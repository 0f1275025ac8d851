"""Tests of claims that are not about pairs: correlations, best programs, combinations, costs, baselines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from scipy.special import stdtrit

from analysis.compared.baselines import speedup_table
from analysis.compared.best import share_of_best
from analysis.compared.combinations import combination_interval
from analysis.compared.comparisons import COMPARISONS
from analysis.compared.correlations import correlation_interval, strongest_of
from analysis.compared.study import Study
from analysis.judged.evidence import Answer, Evidence, judge, of_part
from analysis.judged.guidelines import guidelines
from analysis.judged.ratio_checks import Median
from analysis.measured.graphs import PROPERTIES
from analysis.statistics import TAIL, mean_interval, share_interval
from analysis.words import MODELS, counted, number, styled
from analysis.words import models as named


@dataclass(frozen=True)
class Other:
    """A statement about something else than ratios, with its own test."""

    test: Callable[[Study], list[Evidence]]

    def evaluate(self, study: Study) -> list[Evidence]:
        """Runs the test."""
        return self.test(study)


Test = Callable[[Study], list[Evidence]]

CORRELATION = 0.5
"""The paper calls what is beyond this a significant correlation."""

WORST = 1e6
"""The paper's worst slowdown: six orders of magnitude."""

NEVER = 1e9
"""A slowdown beyond any that a job could have had that was cut off: a millisecond would become eleven days."""

PAPER_SPEEDUPS = {"cuda": ("Gardenia", 0.70), "openmp": ("Lonestar", 1.54), "cpp": ("Lonestar", 1.80)}
"""Which code the best styles are compared with, and the geometric mean of their speedups (the paper's Table 6)."""


def strongest_correlation(study: Study) -> list[Evidence]:
    """No correlation between a style's throughput and a graph property is beyond 0.5."""
    statement = f"CUDA: no correlation (Pearson) of a style's throughput with a property beyond {CORRELATION}"
    strongest = strongest_of(study.correlations)
    if strongest is None:
        return [Evidence(statement, "no data", 0, remark="too few graphs")]
    style, column, value = strongest
    remark = f"{styled(style)} and {PROPERTIES[column]}"
    low, high = correlation_interval(study.frame, study.graphs, style, column)
    answer = judge(low, high, -CORRELATION, CORRELATION)
    return [Evidence(statement, answer, study.correlations.size, value, low, high, remark)]


def degree_and_warps(study: Study) -> list[Evidence]:
    """Programs with a warp an item are faster on graphs of higher degree."""
    statement = "CUDA: the throughput of warp programs grows with the average degree (correlation above 0)"
    table = study.correlations
    if table.empty or "warp" not in table.index:
        return [Evidence(statement, "no data", 0, remark="too few graphs")]
    value = float(table["average_degree"]["warp"])
    low, high = correlation_interval(study.frame, study.graphs, "warp", "average_degree")
    return [Evidence(statement, judge(low, high, 0.0), len(study.graphs), value, low, high)]


def typical_slowdown(models: Sequence[str]) -> Test:
    """A program taken at random is more than 10 times slower than the best, on average (geometric mean)."""

    def test(study: Study) -> list[Evidence]:
        statement = f"{named(models)}: slowdown, geometric mean of all programs, above 10"
        found = study.slowdowns
        found = found[found["model"].isin(models)]
        if found.empty:
            return [Evidence(statement, "no data", 0)]
        logs = np.log10(found["slowdown"].to_numpy())
        late = np.where(found["bound"], np.log10(NEVER), logs)
        groups = [found[name].astype(str) for name in ("program", "graph", "algorithm")]
        (low, _), (_, high) = mean_interval(logs, *groups), mean_interval(late, *groups)
        bounds = int(found["bound"].sum())
        answer = judge(low, high, 1)
        remark = f"{counted(bounds, 'job')} timed out: taken for up to {number(NEVER)}" if bounds else ""
        return [Evidence(statement, answer, len(found), float(10 ** logs.mean()), 10**low, 10**high, remark)]

    return test


def worst_slowdown(study: Study) -> list[Evidence]:
    """The worst program of some algorithm and graph is a million times slower than the best."""
    statement = f"any model: the worst program at least {number(WORST)} times slower than the best"
    found = study.slowdowns
    if found.empty:
        return [Evidence(statement, "no data", 0)]
    worst = found.iloc[int(found["slowdown"].argmax())]
    value, bounds = float(worst["slowdown"]), int(found["bound"].sum())
    remark = f"{worst['program']} on {worst['graph']}"
    if value >= WORST or not bounds:
        return [Evidence(statement, _yes(value >= WORST), len(found), value, remark=remark)]
    remark += f"; at least, {counted(bounds, 'job')} timed out"
    return [Evidence(statement, "open", len(found), value, remark=remark)]


def baseline_speedup(model: str) -> Test:
    """The best styles compare with the tuned code of the paper as in the paper, or better.

    The interval is of the mean over algorithms, which is what the paper's Table 6 averages, after Student.
    """

    def test(study: Study) -> list[Evidence]:
        code, least = PAPER_SPEEDUPS[model]
        statement = f"{MODELS[model]}: best styles over {code}, geometric mean of algorithms at least {least}"
        if study.speedups is None:
            return [Evidence(statement, "no data", 0, remark="no figures of other codes given")]
        found = study.speedups
        found = found[(found["model"] == model) & (found["code"] == code)]
        if found.empty:
            return [Evidence(statement, "no data", 0, remark=f"no figures of {code} on these graphs")]
        logs = np.log(speedup_table(found).drop(columns="geomean").to_numpy()[0])
        mean, low, high = float(logs.mean()), nan, nan
        if logs.size > 1 and logs.std() > 0:
            half = float(stdtrit(logs.size - 1, 1 - TAIL) * logs.std(ddof=1) / np.sqrt(logs.size))
            low, high = mean - half, mean + half
        graphs = counted(found["graph"].nunique(), "graph")
        remark = f"{counted(logs.size, 'algorithm')} on {graphs}"
        value, low, high = (float(np.exp(number)) for number in (mean, low, high))
        return [Evidence(statement, judge(low, high, least - 1e-9), len(found), value, low, high, remark)]

    return test


def triangles_over_pagerank(model: str) -> Test:
    """Triangle counting reaches more edges a second than PageRank, in the median on most graphs.

    The two do different work, so this compares orders and forms no ratio.
    """

    def test(study: Study) -> list[Evidence]:
        statement = f"{MODELS[model]}: TC's median throughput is higher than PR's on more than half of graphs"
        jobs = study.classic
        jobs = jobs[(jobs["model"] == model) & jobs["algorithm"].isin(["pr", "tc"])]
        medians = jobs.pivot_table(
            "throughput", ["machine", "graph"], "algorithm", aggfunc="median", observed=True
        ).reindex(columns=["pr", "tc"])
        medians = medians.dropna()
        if medians.empty:
            return [Evidence(statement, "no data", 0)]
        higher = int((medians["tc"] > medians["pr"]).sum())
        return [_majority(statement, higher, len(medians), f"{higher} of {counted(len(medians), 'graph')}")]

    return test


def best_shares(models: Sequence[str], axis: str, value: str, parts: int = 1) -> Test:
    """More than half of the best programs have this style; of so many parts of a claim, this is one."""

    def test(study: Study) -> list[Evidence]:
        statement = f"{named(models)}: more than half of the best programs are {styled(value)}"
        won = study.winners
        won = won[won["model"].isin(models) & (won["axis"] == axis)]
        if won.empty:
            return [Evidence(statement, "no data", 0)]
        hits, close = won["value"] == value, int(won["close"].sum())
        low, high = share_of_best(won, hits)
        answer = of_part(judge(low, high, 0.5), judge(*share_of_best(won, hits, parts), 0.5))
        remark = f"runner-up within the noise: {close} of {len(won)}" if close else ""
        return [Evidence(statement, answer, len(won), float(hits.mean()), low, high, remark)]

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
            low, high = combination_interval(study.frame, row, column)
            return [Evidence(statement, judge(low, high, 1.0), 1, value, low, high)]
        values = matrix[column].dropna()
        return [_majority(statement, int((values > 1).sum()), len(values))]

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
        answers: dict[str, Answer] = {"depends on the algorithm": "yes", "unclear": "open"}
        answers["for some algorithms"] = "open"
        return [
            Evidence(statement, answers.get(found.advice, "no"), found.summary.n, remark=found.advice)
            for found in derived
        ]

    return test


def _majority(statement: str, hits: int, n: int, remark: str = "") -> Evidence:
    """Says whether more than half of n things have a property, by Wilson's interval of their share."""
    low, high = share_interval(hits, n)
    return Evidence(statement, judge(low, high, 0.5), n, hits / n, low, high, remark)


def _yes(holds: bool) -> Answer:
    return "yes" if holds else "no"
