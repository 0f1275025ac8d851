"""The tables of the report (the paper's Tables 3 to 6 and the numbers behind its figures)."""

from collections.abc import Iterable, Sequence
from typing import get_args

import numpy as np
import pandas as pd

from analysis.compared.best import costs, fastest
from analysis.compared.comparisons import Comparison
from analysis.compared.study import Study
from analysis.errors import AnalysisError
from analysis.judged.evidence import Answer, Evidence
from analysis.judged.findings import Finding
from analysis.judged.guidelines import Guideline
from analysis.measured.graphs import PROPERTIES
from analysis.statistics import Summary, summarise_pairs
from analysis.words import MODELS, listed, median_in_words, present, styled

ALL = "all"

ANSWERS: tuple[Answer, ...] = get_args(Answer)


def counts_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Counts the programs of every model and algorithm (the paper's Table 3).

    Returns:
        One row a model, and one of all; one column an algorithm, and `total`.
    """
    programs = frame.drop_duplicates("program")
    table = pd.crosstab(programs["model"].astype(str), programs["algorithm"].astype(str))
    table = table.reindex([model for model in MODELS if model in table.index])
    table.loc["all models"] = table.sum()
    table["total"] = table.sum(axis=1)
    return table.rename(index=MODELS).rename_axis("model", axis=0).reset_index().rename_axis(None, axis=1)


def status_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Counts the jobs by what became of them: one row a machine, model and status, with the reasons of the others."""
    rows = []
    for (machine, model, status), jobs in frame.groupby(["machine", "model", "status"], observed=True):
        reasons = "; ".join(sorted(set(jobs["reason"]) - {""})[:3])
        rows.append((machine, MODELS[str(model)], status, len(jobs), reasons))
    return pd.DataFrame(rows, columns=["machine", "model", "status", "jobs", "reason"])


def drift_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Tells how the machine's speed changed from turn to turn: every job that was timed in turns is its own control.

    Returns:
        One row a session, graph and turn: of the verified jobs, each one's median time in the turn over that in all
        turns; their `median` and the ends of the middle 80 % of them.
    """
    jobs = frame[(frame["turns"].map(len) > 1) & (frame["status"] == "verified")]
    rows = []
    for machine, session, graph, turns, samples, median in zip(
        *(jobs[name] for name in ("machine", "session", "graph", "turns", "samples_s", "median_s")), strict=True
    ):
        taken = np.split(np.asarray(samples), np.cumsum(turns)[:-1])
        rows += [(machine, session, graph, turn, np.median(some) / median) for turn, some in enumerate(taken, start=1)]
    groups = ["machine", "session", "graph", "turn"]
    times = pd.DataFrame(rows, columns=[*groups, "time"]).astype({"time": float}).groupby(groups, observed=True)["time"]
    names = {0.1: "tenth percentile", 0.5: "median", 0.9: "ninetieth percentile"}
    table = pd.DataFrame({"jobs": times.size(), **{name: times.quantile(share) for share, name in names.items()}})
    return table.reset_index()


def properties_table(graphs: pd.DataFrame) -> pd.DataFrame:
    """Dresses a table of graphs for readers (the paper's Tables 4 and 5): shares in %."""
    table = graphs.copy()
    for share in ("share_degree_32", "share_degree_512"):
        table[share] *= 100
    heads = {**PROPERTIES, "share_degree_32": "degree >= 32, %", "share_degree_512": "degree >= 512, %"}
    return table.rename(columns={**heads, "diameter": "diameter, at least"})


def ratio_table(pairs: pd.DataFrame) -> pd.DataFrame:
    """Summarises the pairs of one comparison by machine, model, algorithm and graph, and pooled over either and both.

    Returns:
        One row a group: its names (`all` where pooled), `pairs`, `sets` of programs, `bounds`, `median`, the
        ends of its 95 % interval, the share `above 1`, the letter-value `depth`, which style is `faster`, and of its
        `memory` the median.
    """
    rows = []
    needed = ["machine", "model", "algorithm", "graph", "cluster", "ratio", "ratio_low", "ratio_high", "memory"]
    for (machine, model), inside in pairs[needed].groupby(["machine", "model"], observed=True):
        for algorithm in (ALL, *present(inside["algorithm"])):
            of_algorithm = inside if algorithm == ALL else inside[inside["algorithm"] == algorithm]
            graphs = present(of_algorithm["graph"])
            for graph in (ALL, *graphs) if len(graphs) > 1 else graphs:
                some = of_algorithm if graph == ALL else of_algorithm[of_algorithm["graph"] == graph]
                found = (*_numbers(summarise_pairs(some)), some["memory"].median())
                rows.append((machine, MODELS[str(model)], algorithm, graph, *found))
    heads = ["pairs", "sets", "bounds", "median", "low", "high", "above 1", "depth", "faster", "memory"]
    return pd.DataFrame(rows, columns=["machine", "model", "algorithm", "graph", *heads])


def best_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Lists the fastest program of every model, algorithm and graph, with time, noise, rounds and memory."""
    best = fastest(frame, ("machine", "model", "algorithm", "graph"))
    kept = ["machine", "model", "algorithm", "graph", "program"]
    kept += ["throughput", "median_s", "n_samples", "noise", "rounds", "peak_memory_bytes"]
    table = best[kept]
    table = table.assign(
        model=best["model"].map(MODELS),
        median_s=best["median_s"] * 1e3,
        noise=best["noise"] * 100,
        rounds=best["rounds"].astype(float),
        peak_memory_bytes=best["peak_memory_bytes"].astype(float) / 2**20,
    )
    heads = {"throughput": "giga-edges/s", "median_s": "ms", "n_samples": "samples", "noise": "range of samples, %"}
    return table.rename(columns={**heads, "peak_memory_bytes": "MiB"})


def cost_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Dresses `best.costs` for readers."""
    table = costs(frame)
    heads = {"typical": "slowdown, geometric mean", "worst": "slowdown, worst", "bounds": "timed out"}
    return table.assign(model=table["model"].map(MODELS)).rename(columns=heads)


def shares_table(shares: pd.DataFrame) -> pd.DataFrame:
    """Dresses `best.shares` for readers: shares in %."""
    table = shares.drop(columns="hits").assign(**{name: shares[name] * 100 for name in ("share", "low", "high")})
    for column, names in (("model", MODELS.get), ("value", styled)):
        table[column] = [names(word) for word in shares[column]]
    return table.rename(
        columns={"value": "style", "n": "best programs", "share": "share, %", "close": "runner-up within the noise"}
    )


def guideline_table(guidelines: Sequence[Guideline]) -> pd.DataFrame:
    """Lists guidelines: one row a comparison, model and machine."""
    rows = [
        (found.comparison.title, MODELS[found.model], found.machine, found.advice, found.sentence.split(": ", 1)[1])
        for found in guidelines
    ]
    return pd.DataFrame(rows, columns=["comparison", "model", "machine", "advice", "because"])


def side_by_side(study: Study, comparisons: Iterable[Comparison]) -> pd.DataFrame:
    """Puts machines beside one another: medians of ratios on the graphs that all have, never a ratio across machines.

    Returns:
        One row a comparison; one column a machine and model, with the median and its 95 % interval in words.

    Raises:
        AnalysisError: There is a model whose machines have no graph in common: medians would compare graphs.
    """
    shared = _shared_graphs(study.frame)
    rows = []
    for comparison in comparisons:
        pairs = study.pairs(comparison)
        for model in present(pairs["model"]):
            inside = pairs[(pairs["model"] == model) & pairs["graph"].isin(shared[model])]
            for machine in present(inside["machine"]):
                median = median_in_words(summarise_pairs(inside[inside["machine"] == machine]))
                rows.append((comparison.title, f"{MODELS[model]} on {machine}", median))
    table = pd.DataFrame(rows, columns=["comparison", "where", "median"])
    order = list(dict.fromkeys(table["comparison"])), list(dict.fromkeys(table["where"]))
    found = table.pivot_table("median", "comparison", "where", aggfunc="first").reindex(
        index=order[0], columns=order[1]
    )
    return found.rename_axis(None, axis=1).fillna("")


def _shared_graphs(frame: pd.DataFrame) -> dict[str, set[str]]:
    """Returns by model the graphs that were measured on each of its machines."""
    shared = {}
    for model in present(frame["model"]):
        jobs = frame[(frame["model"] == model) & frame["throughput"].notna()]
        graphs = {machine: set(jobs.loc[jobs["machine"] == machine, "graph"]) for machine in present(jobs["machine"])}
        shared[model] = set.intersection(*graphs.values()) if graphs else set()
        if graphs and not shared[model]:
            raise AnalysisError(f"{MODELS[model]}: no graph was measured on each of {listed(list(graphs))}")
    return shared


def findings_table(findings: Sequence[Finding]) -> pd.DataFrame:
    """Lists claims, their verdicts with the core evidence, and how the other checks were answered: one row a claim."""
    rows = [
        (
            found.claim.name, found.claim.title, found.claim.paper, found.verdict,
            "; ".join(f"{core.statement}: {core.found}" for core in found.core),
            *(found.counts[answer] for answer in ANSWERS),
        )
        for found in findings
    ]  # fmt: skip
    heads = [f"other checks: {answer}" for answer in ANSWERS]
    return pd.DataFrame(rows, columns=["claim", "about", "the paper", "still holds", "core check", *heads])


def evidence_table(findings: Sequence[Finding]) -> pd.DataFrame:
    """Lists the evidence for all claims: one row a check."""
    rows = [
        (found.claim.name, "core" if place < len(found.core) else "", *_told(evidence))
        for found in findings
        for place, evidence in enumerate(found.evidence)
    ]
    return pd.DataFrame(rows, columns=["claim", "check", "statement", "holds", "n", "found"])


def _told(evidence: Evidence) -> tuple[str, str, int, str]:
    return evidence.statement, evidence.answer, evidence.n, evidence.found


def _numbers(summary: Summary) -> tuple[float | int | str, ...]:
    faster = {"first": "first-named", "second": "second-named", "unclear": "unclear"}[summary.verdict]
    return (
        summary.n, summary.clusters, summary.bounds, summary.median, summary.low, summary.high, summary.above_one,
        summary.depth, faster,
    )  # fmt: skip
