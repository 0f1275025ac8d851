"""Two machines are compared by what each says of the programs and graphs that both have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from analysis.compared.comparisons import COMPARISONS
from analysis.errors import AnalysisError
from analysis.judged.claims import CLAIMS
from analysis.judged.machines import beside
from analysis.judged.ratio_checks import Median
from analysis.told.tables import side_by_side

if TYPE_CHECKING:
    from analysis.compared.study import Study


pytestmark = pytest.mark.turns(6, 4)


@pytest.fixture(autouse=True)
def few_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of pairs and of best programs, two of them with checks in common."""
    few = [claim for claim in CLAIMS if claim.name in ("I5", "I11", "I17", "I19")]
    monkeypatch.setattr("analysis.judged.findings.CLAIMS", few)


def elsewhere(study: Study, frame: pd.DataFrame | None = None) -> Study:
    """The same jobs, or other ones, on another machine."""
    frame = study.frame if frame is None else frame
    return replace(study, frame=frame.assign(machine="other GPU, other CPU").reset_index(drop=True), _pairs={})


def test_a_machine_agrees_with_itself(study: Study) -> None:
    both = beside(study, elsewhere(study))
    found = both.answers
    assert found
    assert all(answers.agree for answers in found)
    decided = sum(answers.decided == 2 for answers in found)
    assert 0 < decided < len(found)
    medians = side_by_side(both.together, COMPARISONS)
    names = list(medians.columns)
    assert [name.replace("on box", "on other GPU, other CPU") for name in names[::2]] == names[1::2]
    assert all((medians[one] == medians[other]).all() for one, other in zip(names[::2], names[1::2], strict=True))
    assert f"Of {len(found)} checks on these alone, both decide {decided}, {decided} of them alike" in both.in_words()
    assert both.names == ("box", "other GPU")


def test_a_style_that_pays_on_one_machine_only_is_a_contradiction(study: Study) -> None:
    turned = study.frame.assign(
        throughput=study.frame["throughput"].where(study.frame["flow"] != "push", study.frame["throughput"] / 8)
    )
    found = beside(study, elsewhere(study, turned)).answers
    statements = {answers.first.statement for answers in found if answers.decided == 2 and not answers.agree}
    assert "push over pull, CUDA, BFS: median above 1" in statements
    assert not any("critical" in statement for statement in statements)


def test_only_common_jobs_count(study: Study) -> None:
    """Pushing is slower on the grid of the other machine, which this one does not have."""
    here = replace(study, frame=study.frame[study.frame["graph"] != "grid"].reset_index(drop=True), _pairs={})
    worse = study.frame["throughput"].where(
        (study.frame["flow"] != "push") | (study.frame["graph"] != "grid"), study.frame["throughput"] / 1e3
    )
    both = beside(here, elsewhere(study, study.frame.assign(throughput=worse)))
    assert {*both.studies[0].frame["graph"], *both.studies[1].frame["graph"]} == {"road", "social"}
    assert all(answers.agree for answers in both.answers)


def test_nothing_in_common_is_refused(study: Study) -> None:
    frame = study.frame
    grid, road = (replace(study, frame=frame[frame["graph"] == name], _pairs={}) for name in ("grid", "road"))
    with pytest.raises(AnalysisError, match="no program on a graph in common"):
        beside(grid, elsewhere(road))


def test_several_machines_are_not_one(study: Study) -> None:
    frame = study.frame
    mixed = replace(study, frame=frame.assign(machine=frame["machine"].where(frame["graph"] != "grid", "a")), _pairs={})
    with pytest.raises(AnalysisError, match="results of one machine, not of a and box"):
        beside(mixed, elsewhere(study))


def test_a_machine_without_cpu_programs_says_nothing_of_all_models(study: Study) -> None:
    frame = study.frame
    other = frame[frame["model"] == "cuda"].assign(machine="other")
    both = replace(study, frame=pd.concat([frame, other], ignore_index=True), _pairs={})
    assert len(Median("push over pull", low=1.0).evaluate(both)) == 1
    assert len(Median("push over pull", {"model": "cuda"}, low=1.0).evaluate(both)) == 2


def test_checks_of_models_that_the_common_jobs_lack_are_left_out(study: Study) -> None:
    frame = study.frame
    cuda = replace(study, frame=frame[frame["model"] == "cuda"].reset_index(drop=True), _pairs={})
    found = beside(study, elsewhere(cuda)).answers
    assert found
    assert not any(word in answers.first.statement for answers in found for word in ("all models", "OpenMP", "C++"))


def test_evidence_counts_once(study: Study) -> None:
    found = beside(study, elsewhere(study)).answers
    seen = [(each.first.answer, each.first.n, each.first.found) for each in found]
    assert len(set(seen)) == len(seen)


def test_machines_that_lack_different_models_say_nothing_of_all(study: Study) -> None:
    frame = study.frame
    one = frame[frame["model"].isin(["cuda", "openmp"])]
    other = frame[frame["model"].isin(["cpp", "openmp"])].assign(machine="other")
    both = replace(study, frame=pd.concat([one, other], ignore_index=True), _pairs={})
    (evidence,) = Median("push over pull", low=1.0).evaluate(both)
    assert (evidence.answer, evidence.found) == ("no data", "no machine has all of these models")
