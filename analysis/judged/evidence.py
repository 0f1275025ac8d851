"""What data says about a statement, and what tests a statement.

A statement holds if the 95 % interval of what was found lies within the stated range, and fails if it lies outside. If
it straddles an end, it may depend on the algorithm or the graph: if some are surely on one side of that end and some
on the other. Else there is too little data.
"""

from dataclasses import dataclass
from math import inf, isnan, nan
from typing import Literal, Protocol, get_args

from analysis.compared.study import Study
from analysis.words import number

Answer = Literal["yes", "no", "no effect", "it depends", "open", "no data"]

AGAINST: frozenset[Answer] = frozenset({"no", "no effect", "it depends"})
"""What speaks against a statement."""

Side = Literal["below", "holds", "above"]
"""Where an interval lies: within a range, or on which side of it."""

SIDES: tuple[Side, ...] = get_args(Side)

ABOUT = 1.1
"""'About 1' is within 10 %: from 1 / 1.1 to 1.1."""


@dataclass(frozen=True)
class Evidence:
    """What the data says about a statement.

    Attributes:
        statement: The statement, with its threshold.
        answer: Whether it holds.
        n: How many pairs, programs or groups were looked at.
        value: What was found.
        low: The lower end of its 95 % interval; NaN if it has none.
        high: The upper end, likewise.
        remark: Anything else to know.
        machine: Where, if several machines have something to say; the statement ends in it, too.
    """

    statement: str
    answer: Answer
    n: int
    value: float = nan
    low: float = nan
    high: float = nan
    remark: str = ""
    machine: str = ""

    @property
    def found(self) -> str:
        """Value and interval in words, with the remark."""
        return self.in_short + (f" ({self.remark})" if self.remark and not isnan(self.value) else "")

    @property
    def in_short(self) -> str:
        """Value and interval in words; without a value, the remark."""
        if isnan(self.value):
            return self.remark or "-"
        return number(self.value) + ("" if isnan(self.low) else f" [{number(self.low)}, {number(self.high)}]")


class Check(Protocol):
    """A statement that can be tested."""

    def evaluate(self, study: Study) -> list[Evidence]:
        """Tests the statement on every machine that has something to say about it."""
        ...


def judge(low: float, high: float, least: float = 0.0, most: float = inf) -> Answer:
    """Returns whether an interval lies within a range or outside it; there is too little data if it does neither."""
    side = side_of(low, high, least, most)
    return "open" if side is None else "yes" if side == "holds" else "no"


def side_of(low: float, high: float, least: float, most: float) -> Side | None:
    """Returns on which side of a range, or within it, a whole interval lies; None if it straddles an end or is none."""
    if least < low and high < most:
        return "holds"
    if high <= least:
        return "below"
    return "above" if low >= most else None


def of_part(alone: Answer, together: Answer) -> Answer:
    """Returns the answer to one part of a claim.

    A claim holds if each part does, by its own interval. One part is enough against it, so chance has as many goes as
    there are parts: what speaks against the claim has to by an interval that holds together with those of the others.

    Args:
        alone: By the part's own interval.
        together: By that which holds together with the others.
    """
    return alone if alone == together or alone == "yes" else "open"
