"""What a second machine says about the claims: the same checks, on the programs and graphs that both have."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from analysis.checks import Evidence
from analysis.claims import findings
from analysis.comparisons import COMPARISONS, Comparison
from analysis.errors import AnalysisError
from analysis.statistics import summarise_pairs
from analysis.study import Study
from analysis.words import MODELS, counted, listed, median_in_words, present

_JOB = ["program", "graph"]


@dataclass(frozen=True)
class Answers:
    """What two machines answer to one check of a claim.

    Attributes:
        claim: The claim's name.
        first: On the one machine.
        second: On the other.
    """

    claim: str
    first: Evidence
    second: Evidence

    @property
    def agree(self) -> bool:
        """Whether both have the same answer."""
        return self.first.answer == self.second.answer

    @property
    def contradict(self) -> bool:
        """Whether each answers, and not the same."""
        return not self.agree and "too little data" not in {self.first.answer, self.second.answer}


@dataclass(frozen=True)
class Beside:
    """Two machines, each with the jobs that both have verified.

    Attributes:
        names: What the machines are called.
        studies: Their jobs; no ratio is formed of two machines.
    """

    names: tuple[str, str]
    studies: tuple[Study, Study]

    def answers(self) -> list[Answers]:
        """Returns the checks of all claims that have data on both machines."""
        return [
            Answers(one.claim.name, *both)
            for one, other in zip(*map(findings, self.studies), strict=True)
            for both in zip(one.evidence, other.evidence, strict=True)
            if "no data" not in {evidence.answer for evidence in both}
        ]

    def medians(self, comparisons: Sequence[Comparison] = COMPARISONS) -> list[tuple[str, str, str, str]]:
        """Returns comparison, model and the median on each machine in words, where both have pairs."""
        rows = []
        for comparison in comparisons:
            one, other = (study.pairs(comparison) for study in self.studies)
            for model in present(one["model"]):
                if (other["model"] == model).any():
                    here, there = (
                        median_in_words(summarise_pairs(pairs[pairs["model"] == model])) for pairs in (one, other)
                    )
                    rows.append((comparison.title, MODELS[model], here, there))
        return rows

    def in_words(self) -> str:
        """Says how many jobs both have, and how many checks they answer alike."""
        frame = self.studies[0].frame
        found = self.answers()
        alike = sum(answers.agree for answers in found)
        return (
            f"{listed(self.names)} have {len(frame):,} jobs in common, of {frame['program'].nunique():,} programs "
            f"({listed([MODELS[model] for model in present(frame['model'])])}). On these alone, they answer {alike} of "
            f"{counted(len(found), 'check')} alike, and contradict each other in "
            f"{sum(answers.contradict for answers in found)}."
        )


def beside(one: Study, other: Study) -> Beside:
    """Puts two machines side by side.

    Args:
        one: Jobs of one machine.
        other: Jobs of another one.

    Raises:
        AnalysisError: A study is of several machines, or they have no job in common.
    """
    shared = _jobs(one).intersection(_jobs(other))
    if shared.empty:
        raise AnalysisError("the two machines have no program on a graph in common")
    studies = _only(one, shared), _only(other, shared)
    names = _machine(studies[0]), _machine(studies[1])
    gpus = names[0].split(",")[0], names[1].split(",")[0]
    return Beside(gpus if gpus[0] != gpus[1] else names, studies)


def _jobs(study: Study) -> pd.MultiIndex:
    """Returns programs and graphs of the jobs that were verified."""
    return pd.MultiIndex.from_frame(study.frame.loc[study.frame["throughput"].notna(), _JOB].astype(str))


def _only(study: Study, jobs: pd.Index) -> Study:
    """Returns the study with these jobs alone."""
    frame = study.frame[study.frame["throughput"].notna()]
    return replace(study, frame=frame[_jobs(study).isin(jobs)].reset_index(drop=True), _pairs={})


def _machine(study: Study) -> str:
    machines = present(study.frame["machine"])
    if len(machines) > 1:
        raise AnalysisError(f"results of one machine, not of {listed(machines)}")
    return machines[0]
