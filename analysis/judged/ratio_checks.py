"""Statements about ratios that data can confirm or refute, with the test stated.

A statement about a median holds if the 95 % interval of the median lies within the stated range, and fails if it lies
outside. If it straddles an end, there is no effect that matters, since the interval is close to 1; or it depends, since
by intervals that hold together some algorithms, or graphs, are on one side of the end and some on the other; or there
is too little data, also if there are too few programs for an interval. Statements about extremes need no interval: one
pair is enough to confirm them. A ratio that is a bound leaves them open.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf, isnan

import numpy as np
import pandas as pd

from analysis.compared.comparisons import comparison_of
from analysis.compared.study import Study
from analysis.judged.evidence import ABOUT, SIDES, Answer, Evidence, Side, judge, of_part, side_of
from analysis.statistics import MINIMUM_CLUSTERS, Summary, mean_interval, summaries_by, summarise_pairs
from analysis.words import counted, listed, models, number, present, styled

Where = Mapping[str, str | tuple[str, ...]]
"""From a column to the value that pairs must have there, or to those of which they must have one."""


@dataclass(frozen=True)
class RatioCheck:
    """What checks of ratios share: which pairs they look at.

    Attributes:
        comparison: The title of the comparison.
        where: Which pairs, by the columns `model`, `algorithm`, `degree` or any axis.
    """

    comparison: str
    where: Where = field(default_factory=dict, hash=False)

    def evaluate(self, study: Study) -> list[Evidence]:
        """Tests the statement machine by machine; those that lack a model which others have are left out."""
        pairs = study.pairs(comparison_of(self.comparison))
        for column in self.where:
            pairs = pairs[pairs[column].isin(self._values(column))]
        wanted = set(pairs["model"])
        models_of = {name: set(pairs["model"][pairs["machine"] == name]) for name in present(pairs["machine"])}
        machines = [name for name, its_models in models_of.items() if its_models == wanted]
        if models_of and not machines:
            return [Evidence(self.statement, "no data", 0, remark="no machine has all of these models")]
        found = [self.test(pairs[pairs["machine"] == machine]) for machine in machines]
        if len(machines) > 1:
            found = [
                replace(evidence, statement=f"{evidence.statement} ({machine})", machine=machine)
                for evidence, machine in zip(found, machines, strict=True)
            ]
        return found or [Evidence(self.statement, "no data", 0)]

    @property
    def statement(self) -> str:
        """The statement in words."""
        raise NotImplementedError

    def test(self, pairs: pd.DataFrame) -> Evidence:
        """Tests the statement on the pairs of one machine."""
        raise NotImplementedError

    @property
    def subject(self) -> str:
        """What the statement is about, in words."""
        words = [models(self._values("model"))] if "model" in self.where else []
        words += [listed([value.upper() for value in self._values("algorithm")])] if "algorithm" in self.where else []
        words += [f"{value}-degree graphs" for value in self._values("degree")]
        words += [styled(value) for value in self._values("iteration")]
        return ", ".join([self.comparison, *words])

    def _values(self, column: str) -> tuple[str, ...]:
        found = self.where.get(column, ())
        return (found,) if isinstance(found, str) else found


@dataclass(frozen=True)
class Median(RatioCheck):
    """The median ratio lies between `low` and `high`; there is no effect if it is within `ABOUT` of 1 and may be 1.

    Attributes:
        low: The least that it may be.
        high: The most.
        parts: Of so many parts of a claim this is one (`evidence.of_part`).
    """

    low: float = 0.0
    high: float = inf
    parts: int = 1

    @property
    def statement(self) -> str:
        """The statement in words."""
        return f"{self.subject}: median {_range(self.low, self.high)}"

    def test(self, pairs: pd.DataFrame) -> Evidence:
        """Compares the interval of the median with the range."""
        summary = summarise_pairs(pairs)
        answer = self._answer(summary)
        if self.parts > 1:
            answer = of_part(answer, self._answer(summarise_pairs(pairs, self.parts)))
        remark = counted(summary.bounds, "bound") if summary.bounds else ""
        if lacking := too_few(summary, pairs):
            remark = lacking
        elif answer == "no effect":
            remark = f"none larger than {number(_beyond(summary))}"
        elif answer == "open" and (depends := self._depends(pairs)):
            answer, remark = "it depends", "; ".join(filter(None, [remark, depends]))
        return Evidence(self.statement, answer, summary.n, summary.median, summary.low, summary.high, remark)

    def _answer(self, summary: Summary) -> Answer:
        answer = judge(summary.low, summary.high, self.low, self.high)
        return "no effect" if answer == "open" and _beyond(summary) <= ABOUT else answer

    def _depends(self, pairs: pd.DataFrame) -> str:
        """Says of which algorithms the statement is surely true and of which not, or else on which graphs; or nothing.

        By intervals that hold together: those of all algorithms, or graphs, and of the claim's other parts.
        """
        for column, word in (("algorithm", "for"), ("graph", "on")):
            found: dict[Side | None, list[str]] = {}
            for name, summary in summaries_by(pairs, column, self.parts * pairs[column].nunique()).items():
                found.setdefault(side_of(summary.low, summary.high, self.low, self.high), []).append(name)
            said = [f"{side} {word} {listed(found[side])}" for side in SIDES if side in found]
            if len(said) > 1:
                return ", ".join(said)
        return ""


@dataclass(frozen=True)
class Share(RatioCheck):
    """At least a `share` of the ratios lies between `low` and `high`."""

    low: float = 0.0
    high: float = inf
    share: float = 0.95

    @property
    def statement(self) -> str:
        """The statement in words."""
        return f"{self.subject}: at least {self.share:.0%} of the ratios {_range(self.low, self.high)}"

    def test(self, pairs: pd.DataFrame) -> Evidence:
        """Compares the interval of the share with what is stated."""
        hits = ((pairs["ratio_low"] > self.low) & (pairs["ratio_high"] < self.high)).to_numpy(float)
        low, high = np.clip(_interval(hits, pairs), 0, 1).tolist()
        return Evidence(self.statement, judge(low, high, self.share - 1e-9), len(pairs), float(hits.mean()), low, high)


@dataclass(frozen=True)
class Extreme(RatioCheck):
    """Some ratio reaches a factor: above 1 in favour of the first-named style, below 1 of the second-named one."""

    factor: float = 10.0

    @property
    def statement(self) -> str:
        """The statement in words."""
        word = "largest ratio at least" if self.factor > 1 else "smallest ratio at most"
        return f"{self.subject}: {word} {number(self.factor)}"

    def test(self, pairs: pd.DataFrame) -> Evidence:
        """Looks for the largest or the smallest ratio; a ratio that is a bound may be beyond, so it rules out no."""
        up = self.factor > 1
        value = float(pairs["ratio_low"].max() if up else pairs["ratio_high"].min())
        if value >= self.factor if up else value <= self.factor:
            return Evidence(self.statement, "yes", len(pairs), value)
        open_ = int((pairs["ratio_high"] >= self.factor if up else pairs["ratio_low"] <= self.factor).sum())
        remark = f"at {'least' if up else 'most'}: {counted(open_, 'bound')} may be beyond" if open_ else ""
        return Evidence(self.statement, "open" if open_ else "no", len(pairs), value, remark=remark)


def too_few(summary: Summary, pairs: pd.DataFrame) -> str:
    """Says of what there is too little for the interval of pairs; nothing if there is one."""
    if summary.clusters < MINIMUM_CLUSTERS:
        return f"only {counted(summary.clusters, 'set')} of programs"
    return f"only {counted(pairs['algorithm'].nunique(), 'algorithm')}" if isnan(summary.low) else ""


def _beyond(summary: Summary) -> float:
    """Returns the largest effect that an interval leaves possible, either way; NaN without one."""
    return inf if summary.low == 0 else max(summary.high, 1 / summary.low)


def _interval(values: np.ndarray, pairs: pd.DataFrame) -> tuple[float, float]:
    return mean_interval(values, *(pairs[column].astype(str) for column in ("cluster", "graph", "algorithm")))


def _range(low: float, high: float) -> str:
    if low > 0 and high < inf:
        return f"between {number(low)} and {number(high)}"
    return f"above {number(low)}" if low > 0 else f"below {number(high)}"
