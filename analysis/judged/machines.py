"""What a second machine says about the claims: the same checks, on the programs and graphs that both have."""

from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd

from analysis.compared.study import Study
from analysis.errors import AnalysisError
from analysis.judged.evidence import Evidence
from analysis.judged.findings import findings
from analysis.words import MODELS, STUDIED, counted, listed, models, present

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
        """Whether both have the same answer, be it that there is too little data."""
        return self.first.answer == self.second.answer

    @property
    def decided(self) -> int:
        """On how many of the two machines there is data enough."""
        return sum(evidence.answer != "open" for evidence in (self.first, self.second))


@dataclass(frozen=True)
class Beside:
    """Two machines, each with the jobs that both have verified.

    Attributes:
        names: What the machines are called.
        studies: Their jobs; no ratio is formed of two machines.
    """

    names: tuple[str, str]
    studies: tuple[Study, Study]

    @cached_property
    def together(self) -> Study:
        """The jobs of both as one study, for what keeps machines apart by itself."""
        one, other = self.studies
        return replace(one, frame=pd.concat([one.frame, other.frame], ignore_index=True), _pairs={})

    @cached_property
    def answers(self) -> list[Answers]:
        """The checks of all claims that have data on both machines.

        Those about models that the common jobs lack are left out; of those with the same evidence, the first is there.
        """
        lacking = set(STUDIED) - set(self.studies[0].frame["model"])
        unfit = [MODELS[model] for model in lacking] + ([models(STUDIED)] if lacking else [])
        found = [
            Answers(one.claim.name, *both)
            for one, other in zip(*map(findings, self.studies), strict=True)
            for both in zip(one.evidence, other.evidence, strict=True)
            if "no data" not in {evidence.answer for evidence in both}
            and not any(words in both[0].statement for words in unfit)
        ]
        return list({(_found(each.first), _found(each.second)): each for each in reversed(found)}.values())[::-1]

    def in_words(self) -> str:
        """Says how many jobs both have, and how many checks they answer alike."""
        frame = self.studies[0].frame
        found = self.answers
        both = [answers for answers in found if answers.decided == len(self.names)]
        alike = sum(answers.agree for answers in both)
        return (
            f"{listed(self.names)} have {len(frame):,} jobs in common, of {frame['program'].nunique():,} programs "
            f"({listed([MODELS[model] for model in present(frame['model'])])}). Of {counted(len(found), 'check')} on "
            f"these alone, both decide {len(both)}, {alike} of them alike; "
            f"{sum(answers.decided == 1 for answers in found)} only one decides, and "
            f"{sum(answers.decided == 0 for answers in found)} neither, for too little data."
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


def _found(evidence: Evidence) -> tuple[str, int, str]:
    """Returns what is equal of checks that are the same by other names."""
    return evidence.answer, evidence.n, evidence.found


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
