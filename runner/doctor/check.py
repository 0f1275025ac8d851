"""One finding of the doctor."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad a finding is: only a failure keeps the CPU programs from being built or run."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class Check:
    """One finding, with what to do about it where it is not good."""

    level: Level
    subject: str
    finding: str
    advice: str = ""


def expect(condition: bool, subject: str, finding: str, advice: str) -> Check:
    """Returns a finding that is good if the condition holds, and else a warning with advice."""
    return Check(Level.OK, subject, finding) if condition else Check(Level.WARN, subject, finding, advice)
