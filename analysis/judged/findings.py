"""What the claims come to: each put to the test."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.compared.study import Study
from analysis.judged.claims import CLAIMS, Claim
from analysis.judged.evidence import Answer, Evidence

Verdict = Answer | Literal["depends on the machine"]

VERDICTS: Mapping[Verdict, str] = {
    "yes": "Holds",
    "no": "Fails",
    "no effect": "Makes no difference beyond 10 %",
    "depends on the machine": "Depends on the machine",
    "too little data": "Open: these graphs and programs are too few, or disagree",
    "no data": "Not tested",
}
"""What readers are told of claims with each verdict, in this order."""


@dataclass(frozen=True)
class Finding:
    """A claim with what the data says about it.

    Attributes:
        claim: The claim.
        core: For its core check, one a machine.
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
        """Whether the claim still holds, which the core check decides; a machine with too little data has no say."""
        answers = {evidence.answer for evidence in self.core} - {"no data"}
        decided = answers - {"too little data"} or answers
        if len(decided) > 1:
            return "depends on the machine"
        return decided.pop() if decided else "no data"


def findings(study: Study, claims: Sequence[Claim] = CLAIMS) -> list[Finding]:
    """Puts claims to the test: the paper's, unless others are given."""
    return [
        Finding(claim, claim.core.evaluate(study), [found for check in claim.checks for found in check.evaluate(study)])
        for claim in claims
    ]


def chance(tested: Sequence[Finding]) -> str:
    """Says how many checks there are, and how many of their answers chance alone would give."""
    cores = sum(evidence.answer != "no data" for found in tested for evidence in found.core)
    everything = sum(evidence.answer != "no data" for found in tested for evidence in found.evidence)
    return (
        f"{len(tested)} claims have {cores} core checks with data, and {everything} checks in all. At a level of 95 %, "
        f"chance alone would decide about {max(1, round(0.05 * cores))} of the core checks and "
        f"{max(1, round(0.05 * everything))} of all wrongly, were every effect just at its threshold. So one of "
        f"the other checks proves nothing; those of the same pairs also err together."
    )
