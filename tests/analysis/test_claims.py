"""Claims are sound, and their tests answer what they are asked."""

from math import inf

import pytest

from analysis.checks import Evidence, Extreme, Median, Share, judge
from analysis.claims import CLAIMS, Claim, Finding, findings
from analysis.comparisons import comparison_of
from analysis.report import plan
from analysis.study import Study


def test_there_are_nineteen() -> None:
    assert [claim.name for claim in CLAIMS] == [f"I{number}" for number in range(1, 20)]
    assert all(claim.checks for claim in CLAIMS)


def test_every_figure_of_a_claim_is_one_of_the_report(study: Study) -> None:
    drawn = {drawing.name for part in plan(study) for drawing in part.drawings}
    named = {name for claim in CLAIMS for name in claim.figures}
    assert named - drawn <= {"relaxed-cuda-atomic-over-atomic"}  # of programs that these results lack


@pytest.mark.parametrize(
    ("interval", "allowed", "answer"),
    [
        ((1.1, 2.0), (1.0, inf), "yes"),
        ((0.9, 2.0), (1.0, inf), "unclear"),
        ((0.5, 0.9), (1.0, inf), "no"),
        ((0.95, 1.05), (0.9, 1.1), "yes"),
        ((0.5, 2.0), (0.9, 1.1), "unclear"),
        ((1.2, 2.0), (0.9, 1.1), "no"),
        ((float("nan"), float("nan")), (1.0, inf), "unclear"),
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


def test_without_pairs_there_is_no_answer(study: Study) -> None:
    (evidence,) = Median("push over pull", {"model": "cuda", "algorithm": "pr"}, low=1.0).evaluate(study)
    assert (evidence.answer, evidence.n, evidence.found) == ("no data", 0, "-")


def test_machines_answer_for_themselves(study: Study) -> None:
    frame = study.frame
    both = Study(frame.assign(machine=frame["machine"].where(frame["graph"] != "grid", "other")), study.graphs)
    found = Median("push over pull", {"model": "cuda"}, low=1.0).evaluate(both)
    assert [evidence.statement.rsplit(" ", 1)[1] for evidence in found] == ["(box)", "(other)"]


@pytest.mark.parametrize(
    ("answers", "verdict"),
    [
        (["yes", "yes", "no data"], "yes"),
        (["no"], "no"),
        (["yes", "no"], "in part"),
        (["yes", "unclear"], "in part"),
        (["no", "unclear"], "unclear"),
        (["unclear"], "unclear"),
        (["no data"], "no data"),
    ],
)
def test_verdicts_sum_up(answers: list[str], verdict: str) -> None:
    claim = Claim("I0", "", "", "", ())
    assert Finding(claim, [Evidence("", answer, 1) for answer in answers]).verdict == verdict


def test_what_was_planted_is_found(study: Study) -> None:
    answers = {
        (found.claim.name, evidence.statement): evidence for found in findings(study) for evidence in found.evidence
    }
    assert answers["I5", "push over pull, CUDA, BFS: median above 1"].answer == "yes"
    assert answers["I1", "atomic over cuda::atomic, CUDA, BFS: median above 10"].answer == "yes"
    assert answers["I17", "CUDA: more than half of the best programs are push"].answer == "yes"
    assert answers["I18", "CUDA: vertex-based with push faster than without (median relative throughput)"].value > 1.5
    worst = answers["I15", "any model: the worst program at least 1e+06 times slower than the best"]
    assert (worst.answer, "at least: it timed out" in worst.remark) == ("no", True)
