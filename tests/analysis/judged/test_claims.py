"""Claims are sound, and their tests answer what they are asked."""

from collections.abc import Mapping, Sequence
from math import inf
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest

from analysis import statistics
from analysis.compared.comparisons import comparison_of
from analysis.compared.study import Study, read_study
from analysis.judged.claims import CLAIMS
from analysis.judged.evidence import Answer, Evidence, judge
from analysis.judged.findings import Finding, chance
from analysis.judged.later import LATER
from analysis.judged.ratio_checks import Extreme, Median, Share
from analysis.judged.study_checks import (
    best_shares,
    combination,
    strongest_correlation,
    triangles_over_pagerank,
    typical_slowdown,
    worst_slowdown,
)
from analysis.told.sections import plan
from tests.analysis.conftest import Write


def test_there_are_nineteen() -> None:
    assert [claim.name for claim in CLAIMS] == [f"I{number}" for number in range(1, 20)]
    assert all(claim.checks for claim in CLAIMS)


@pytest.mark.turns(8)
def test_every_figure_of_a_claim_is_one_of_the_report(study: Study) -> None:
    drawn = {drawing.name for part in plan(study, [], []) for drawing in part.drawings}
    named = {name for claim in CLAIMS for name in claim.figures}
    assert named - drawn <= {"relaxed-cuda-atomic-over-atomic", "speedups"}  # of programs and codes that are not there


@pytest.mark.parametrize(
    ("interval", "allowed", "answer"),
    [
        ((1.1, 2.0), (1.0, inf), "yes"),
        ((0.9, 2.0), (1.0, inf), "open"),
        ((0.5, 0.9), (1.0, inf), "no"),
        ((0.95, 1.05), (0.9, 1.1), "yes"),
        ((0.5, 2.0), (0.9, 1.1), "open"),
        ((1.2, 2.0), (0.9, 1.1), "no"),
        ((float("nan"), float("nan")), (1.0, inf), "open"),
    ],
)
def test_intervals_are_held_against_ranges(
    interval: tuple[float, float], allowed: tuple[float, float], answer: str
) -> None:
    assert judge(*interval, *allowed) == answer


def test_shares_and_extremes(study: Study) -> None:
    (evidence,) = Share("push over pull", {"model": "cuda"}, low=1.0, share=0.9).evaluate(study)
    assert (evidence.answer, evidence.value > 0.95) == ("yes", True)
    (evidence,) = Share("push over pull", {"model": "cuda"}, high=1.0, share=0.9).evaluate(study)
    assert evidence.answer == "no"
    (evidence,) = Extreme("push over pull", {"model": "cuda"}, factor=1.9).evaluate(study)
    assert evidence.answer == "yes"
    (evidence,) = Extreme("push over pull", {"model": "openmp"}, factor=0.01).evaluate(study)
    assert evidence.answer == "no"


def test_a_bound_proves_an_extreme_only_on_the_safe_side(study: Study) -> None:
    atomics = "atomic over cuda::atomic"
    (bounded,) = study.pairs(comparison_of(atomics)).query("ratio_low < ratio_high").to_dict("records")
    assert bounded["ratio_low"] == 0.0  # the classic program timed out
    (evidence,) = Extreme(atomics, {"model": "cuda"}, factor=0.01).evaluate(study)
    assert (evidence.answer, evidence.value) == ("yes", pytest.approx(bounded["ratio"]))


@pytest.mark.parametrize(
    ("low", "high", "answer", "remark"),
    [
        (8.95, inf, "open", "at least: 1 bound may be beyond"),  # the fast side's partner timed out
        (8.95, 8.95, "no", ""),
        (0.0, 8.95, "no", ""),  # the fast side timed out: its lead is smaller, if anything
        (1500.0, inf, "yes", ""),
    ],
)
def test_a_bound_leaves_an_extreme_open(low: float, high: float, answer: str, remark: str) -> None:
    pairs = pd.DataFrame({"ratio_low": [2.0, low], "ratio_high": [2.0, high]})
    found = Extreme("push over pull", factor=1000.0).test(pairs)
    assert (found.answer, found.remark) == (answer, remark)
    turned = pd.DataFrame({"ratio_low": [0.5, 1 / high], "ratio_high": [0.5, 1 / low if low else inf]})
    found = Extreme("push over pull", factor=0.001).test(turned)
    assert (found.answer, found.remark) == (answer, remark.replace("least", "most"))


@pytest.mark.parametrize(("cut_off", "answer"), [(0, "no"), (5, "no"), (200, "open")])
def test_few_jobs_that_were_cut_off_do_not_leave_a_mean_open(cut_off: int, answer: str) -> None:
    n = 1000
    jobs = pd.DataFrame(
        {
            "model": "cuda",
            "program": [f"p{i % 50}" for i in range(n)],
            "graph": [f"g{i % 10}" for i in range(n)],
            "algorithm": [f"a{i % 4}" for i in range(n)],
            "slowdown": 3.0,
            "bound": np.arange(n) % 200 < cut_off // 5,
        }
    )
    (evidence,) = typical_slowdown(["cuda"])(cast("Study", SimpleNamespace(slowdowns=jobs)))
    assert evidence.answer == answer


@pytest.mark.parametrize(("stopped", "answer"), [(True, "open"), (False, "no")])
def test_a_job_that_was_cut_off_leaves_the_worst_slowdown_open(study: Study, stopped: bool, answer: str) -> None:
    frame = study.frame if stopped else study.frame[study.frame["status"] != "timeout"]
    (evidence,) = worst_slowdown(Study(frame, study.graphs))
    assert (evidence.answer, "timed out" in evidence.remark) == (answer, stopped)


def best_of(winners: Sequence[str], samples: Mapping[str, list[float]]) -> list[dict[str, Any]]:
    """Records of pushing and pulling, one pair a graph, of which the given one is faster."""
    rows = []
    for number, winner in enumerate(winners):
        for flow in ("push", "pull"):
            style = ["bfs", "openmp", "vertex", "topology", flow, "rw", "nondet", "default", "i32"]
            took = samples["winner" if flow == winner else "other"]
            fields = {"graph": f"g{number}", "samples_s": took, "vertices": 1000, "edges": 10**6}
            rows.append({"program": "-".join(style), "status": "verified", "machine": "box", **fields})
    return rows


@pytest.mark.parametrize(("pushed", "answer"), [(12, "yes"), (7, "open"), (5, "open"), (0, "no")])
def test_a_share_of_the_best_programs_needs_an_interval(pushed: int, answer: str, write: Write) -> None:
    rows = best_of(["push"] * pushed + ["pull"] * (12 - pushed), {"winner": [1.0, 1.1, 1.2], "other": [1.2, 1.3, 1.4]})
    (evidence,) = best_shares(("openmp",), "flow", "push")(read_study([write(rows)]))
    assert (evidence.answer, evidence.n, evidence.value) == (answer, 12, pytest.approx(pushed / 12))
    assert evidence.low < evidence.value < evidence.high or pushed in (0, 12)
    assert evidence.remark == "runner-up within the noise: 12 of 12"


def test_a_runner_up_beyond_the_noise_is_not_mentioned(write: Write) -> None:
    rows = best_of(["push"] * 12, {"winner": [1.0, 1.1, 1.2], "other": [1.3, 1.3, 1.4]})
    (evidence,) = best_shares(("openmp",), "flow", "push")(read_study([write(rows)]))
    assert evidence.remark == ""


@pytest.mark.parametrize(("graphs", "faster", "answer"), [(6, 5, "open"), (6, 6, "yes"), (9, 0, "no")])
def test_triangles_and_ranks_are_compared_on_most_graphs(graphs: int, faster: int, answer: str, write: Write) -> None:
    names = {
        "tc": "tc-openmp-vertex-topology-push-rmw-det-atomicred-default-i32",
        "pr": "pr-openmp-vertex-topology-pull-rw-det-atomicred-default-f32",
    }
    rows = [
        {
            "program": names[algorithm],
            "graph": f"g{number}",
            "status": "verified",
            "machine": "box",
            "samples_s": [2.0 if algorithm == "pr" else 1.0 if number < faster else 3.0],
            "edges": 10**6,
            "vertices": 1000,
        }
        for number in range(graphs)
        for algorithm in names
    ]
    (evidence,) = triangles_over_pagerank("openmp")(read_study([write(rows)]))
    assert (evidence.answer, evidence.n, evidence.remark) == (answer, graphs, f"{faster} of {graphs} graphs")


def test_correlations_and_combinations_have_intervals(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "MINIMUM_ALGORITHMS", 2)
    for test in (strongest_correlation, combination("push", row="vertex"), combination("push")):
        (evidence,) = test(study)
        assert evidence.low <= evidence.value <= evidence.high
        assert evidence.low < evidence.high


def test_without_pairs_there_is_no_answer(study: Study) -> None:
    (evidence,) = Median("push over pull", {"model": "cuda", "algorithm": "pr"}, low=1.0).evaluate(study)
    assert (evidence.answer, evidence.n, evidence.found) == ("no data", 0, "-")


def test_machines_answer_for_themselves(study: Study) -> None:
    frame = study.frame
    both = Study(frame.assign(machine=frame["machine"].where(frame["graph"] != "grid", "other")), study.graphs)
    found = Median("push over pull", {"model": "cuda"}, low=1.0).evaluate(both)
    assert [evidence.statement.rsplit(" ", 1)[1] for evidence in found] == ["(box)", "(other)"]


def test_the_number_of_checks_and_of_errors_is_stated() -> None:
    tested = [Finding(claim, [Evidence("", "yes", 1)], [Evidence("", "no", 1)] * 5) for claim in CLAIMS]
    said = chance(tested)
    assert "19 of 19 claims have data, and 95 other checks" in said
    assert "about 1 of the claims and 5 of the others" in said


@pytest.mark.parametrize(
    ("core", "others", "verdict"),
    [
        (["yes"], ["no", "no", "open"], "yes"),
        (["no"], ["yes"], "no"),
        (["no effect"], ["yes"], "no effect"),
        (["no data"], ["yes"], "no data"),
        (["yes", "yes", "no data"], [], "yes"),
        (["yes", "no"], [], "depends on the machine"),
        (["no", "open"], [], "no"),
        (["open", "no data"], [], "open"),
    ],
)
def test_the_core_check_decides(core: list[Answer], others: list[Answer], verdict: str) -> None:
    finding = Finding(
        CLAIMS[0],
        [Evidence("", answer, 1, machine=str(number)) for number, answer in enumerate(core)],
        [Evidence("", answer, 1) for answer in others],
    )
    assert finding.verdict == verdict
    assert finding.counts.total() == len(others)


@pytest.mark.parametrize(
    ("parts", "verdict"),
    [
        (["yes", "yes"], "yes"),
        (["yes", "no data"], "yes"),
        (["yes", "no"], "in part"),
        (["yes", "no effect", "open"], "in part"),
        (["yes", "open"], "open"),
        (["no", "open"], "no"),
        (["no", "no effect"], "no"),
        (["no effect", "no effect"], "no effect"),
        (["no effect", "open"], "open"),
        (["no data", "no data"], "no data"),
    ],
)
def test_a_claim_says_all_of_its_parts(parts: list[Answer], verdict: str) -> None:
    assert Finding(CLAIMS[0], [Evidence("", answer, 1) for answer in parts], []).verdict == verdict


def test_a_part_speaks_against_a_claim_by_an_interval_that_holds_together_with_the_others() -> None:
    rng = np.random.default_rng(2)
    ratios = np.exp(rng.normal(0, 0.3, 40) - 0.115)
    pairs = pd.DataFrame({"ratio": ratios, "ratio_low": ratios, "ratio_high": ratios, "cluster": range(40)})
    pairs = pairs.assign(graph="g", algorithm="bfs")
    answers = {
        (low, parts): Median("push over pull", low=low, parts=parts).test(pairs).answer
        for low in (0.0, 1.0)
        for parts in (1, 30)
    }
    assert answers[1.0, 1] == "no"
    assert answers[1.0, 30] == "open"
    assert answers[0.0, 1] == answers[0.0, 30] == "yes"


@pytest.mark.parametrize(
    ("spread", "answer", "remark"), [(1.02, "no effect", "none larger than 1.02"), (3.0, "open", "")]
)
def test_unclear_says_why(spread: float, answer: str, remark: str) -> None:
    ratios = [spread, 1 / spread] * 20
    pairs = pd.DataFrame({"ratio": ratios, "ratio_low": ratios, "ratio_high": ratios, "cluster": range(40)})
    found = Median("push over pull", low=1.0).test(pairs.assign(graph="g", algorithm="bfs"))
    assert (found.answer, found.remark) == (answer, remark)


def test_it_depends_on_the_graph_if_some_are_surely_on_either_side() -> None:
    ratios = [2.0] * 10 + [0.5] * 10
    pairs = pd.DataFrame({"ratio": ratios, "ratio_low": ratios, "ratio_high": ratios, "cluster": [*range(10)] * 2})
    found = Median("push over pull", low=1.0).test(pairs.assign(graph=["a"] * 10 + ["b"] * 10, algorithm="bfs"))
    assert (found.answer, found.remark) == ("it depends", "below on b, holds on a")


def test_what_was_planted_is_found(tested: list[Finding]) -> None:
    answers = {(found.claim.name, evidence.statement): evidence for found in tested for evidence in found.evidence}
    assert answers["I5", "push over pull, CUDA, BFS: median above 1"].answer == "yes"
    assert answers["I1", "atomic over cuda::atomic, CUDA, BFS: median above 10"].answer == "yes"
    pushing = answers["I17", "CUDA: more than half of the best programs are push"]
    assert (pushing.answer, pushing.value) == ("open", 1.0)  # three of three prove nothing yet
    assert answers["I18", "CUDA: vertex-based with push faster than without (median relative throughput)"].value > 1.5
    worst = answers["I15", "any model: the worst program at least 1e+06 times slower than the best"]
    assert (worst.answer, "at least, 1 job timed out" in worst.remark) == ("open", True)
    tc = answers["I10", "CUDA: TC's median throughput is higher than PR's on more than half of graphs"]
    assert tc.answer == "no data"  # there is no PageRank


def test_claims_of_later_papers_are_about_comparisons_that_there_are() -> None:
    names = [f"{paper}{number}" for paper, count in (("G", 3), ("S", 6), ("M", 6)) for number in range(1, count + 1)]
    assert [claim.name for claim in LATER] == names
    checks = [check for claim in LATER for check in (*claim.core, *claim.checks)]
    assert all(comparison_of(check.comparison) for check in checks if isinstance(check, Median))
    assert all(isinstance(check, Median) for check in checks)
