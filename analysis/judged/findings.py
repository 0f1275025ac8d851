"""What the claims come to: each put to the test."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.compared.study import Study
from analysis.judged.claims import CLAIMS, Claim
from analysis.judged.evidence import AGAINST, Answer, Check, Evidence
from analysis.words import counted

Verdict = Answer | Literal["in part", "depends on the machine"]

VERDICTS: Mapping[Verdict, str] = {
    "yes": "Holds",
    "in part": "Holds in part",
    "no": "Fails",
    "no effect": "Makes no difference beyond 10 %",
    "depends on the machine": "Depends on the machine",
    "it depends": "Depends on the algorithm or on the graph",
    "open": "Open: the data decides neither way",
    "no data": "Not tested",
}
"""What readers are told of claims with each verdict, in this order."""


@dataclass(frozen=True)
class Finding:
    """A claim with what the data says about it.

    Attributes:
        claim: The claim.
        core: For its core checks, one a check and machine.
        others: One or more for each of the other checks.
    """

    claim: Claim
    core: Sequence[Evidence]
    others: Sequence[Evidence]

    @property
    def evidence(self) -> list[Evidence]:
        """All of it, the core first."""
        return [*self.core, *self.others]

    @property
    def counts(self) -> Counter[Answer]:
        """How often the other checks gave each answer."""
        return Counter(evidence.answer for evidence in self.others)

    @property
    def verdict(self) -> Verdict:
        """Whether the claim still holds, which the core decides; a machine with too little data has no say."""
        machines: dict[str, list[Answer]] = {}
        for evidence in self.core:
            machines.setdefault(evidence.machine, []).append(evidence.answer)
        answers = {_together(some) for some in machines.values()} - {"no data"}
        decided = answers - {"open"} or answers
        if len(decided) > 1:
            return "depends on the machine"
        return decided.pop() if decided else "no data"


def _together(answers: Sequence[Answer]) -> Verdict:
    """Returns what the answers to the parts of a claim come to: it says all of them, so one that fails is enough."""
    found = {*answers} - {"no data"}
    if found & AGAINST and "yes" in found:
        return "in part"
    for answer in ("no", "it depends", "open"):
        if answer in found:
            return answer
    return found.pop() if found else "no data"


def findings(study: Study, claims: Sequence[Claim] = CLAIMS) -> list[Finding]:
    """Puts claims to the test: the paper's, unless others are given."""
    return [Finding(claim, _evaluated(claim.core, study), _evaluated(claim.checks, study)) for claim in claims]


def _evaluated(checks: Sequence[Check], study: Study) -> list[Evidence]:
    return [found for check in checks for found in check.evaluate(study)]


def chance(tested: Sequence[Finding]) -> str:
    """Says how many checks there are, and how many of their answers chance alone would give."""
    cores = sum(any(evidence.answer != "no data" for evidence in found.core) for found in tested)
    others = sum(evidence.answer != "no data" for found in tested for evidence in found.others)
    return (
        f"{cores} of {counted(len(tested), 'claim')} have data, and {counted(others, 'other check')}. At a level of "
        f"95 %, chance alone would decide about {_by_chance(cores)} of the claims and {_by_chance(others)} of the "
        f"others wrongly, were every effect just at its threshold: one of the others proves nothing."
    )


def _by_chance(n: int) -> int:
    return max(1, round(0.05 * n))
