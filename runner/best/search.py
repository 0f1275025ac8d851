"""Finds the fastest of many programs without running them all: a model says which to try next, then halving decides.

A Gaussian process starts from what is expected of the programs and learns from every trial how fast the others may be;
the most promising is tried next. A trial costs little more than the start of a process: repetitions take a fraction of
that, and a program that is clearly slower than the fastest so far is stopped. When most of the budget is used up, those
that may yet be the fastest are measured again, half of them dropping out each time.
"""

from __future__ import annotations

import math
import random
import statistics
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from runner.best.expectation import Expectation

_EXPLORE_SHARE = 0.9  # of the budget; the rest decides between the best
_FINALISTS = 8
_CLOSE = 1.1  # a finalist is at most this many times slower than the first
_FINAL_WEIGHT = 3  # what finalists may solve longer than in a first trial
_SOLVE_SHARE = 0.2  # of the rest of a trial that repetitions may take
_FIRST_SOLVE_SHARE = 0.005  # of the budget, as long as nothing is known of the rest of a trial
_LEAST_SOLVE_S = 0.1  # or a small graph is judged by its warm-up, which begins with the start of threads
_FIRST_TIMEOUT_SHARE = 0.5  # of the budget, as long as nothing has worked ...
_FIRST_TIMEOUT_S = 10.0  # ... and at least so long: an answer beyond the budget is better than none on a busy machine
_CURIOSITY = 1.0  # standard deviations by which a program may surprise us
_NOISE = 0.01  # variance of the logarithm of a time
_SHORTEST_TIMEOUT_S = 0.2
_PATIENCE = 3.0  # a program that takes this many times as long as the fastest so far is stopped
_RESAMPLES = 2000


@dataclass(frozen=True)
class Trial:
    """One run of a program.

    Attributes:
        samples_s: of its repetitions, none if it failed or took too long.
        solving_s: all that it took to solve, warm-up included.
        wall_s: from its start to its end.
    """

    samples_s: Sequence[float]
    solving_s: float
    wall_s: float


@dataclass(frozen=True)
class Effort:
    """What a trial may take.

    Attributes:
        solving_s: seconds of solving after which no further repetition starts.
        timeout_s: seconds after which the program is stopped.
    """

    solving_s: float
    timeout_s: float


@dataclass
class Candidate:
    """A program that was tried."""

    name: str
    samples_s: list[float] = field(default_factory=list)

    @property
    def median_s(self) -> float:
        """Returns the median of all samples; infinity if there are none."""
        return statistics.median(self.samples_s) if self.samples_s else math.inf


@dataclass(frozen=True)
class Ranking:
    """What a search has found.

    Attributes:
        candidates: the programs tried, the fastest first.
        confidence: how often the first stays the first of those tried if their samples are drawn anew.
        programs: how many there are.
        wall_s: seconds that the search took.
    """

    candidates: list[Candidate]
    confidence: float
    programs: int
    wall_s: float


class Search:
    """One search.

    Args:
        names: the programs.
        measure: runs one of them.
        budget_s: seconds the search may take; a trial under way is finished.
        expectation: of the programs' times, in the order of the names.
        seed: of its choices.
        clock: tells the time in seconds.
        prepare: makes programs ready to be measured, several at once; without, all of them are. It takes of the budget,
            but for the first time.
        first: programs to try before all others.
        batch: how many to make ready at once.
    """

    def __init__(
        self,
        names: Sequence[str],
        measure: Callable[[str, Effort], Trial],
        budget_s: float,
        expectation: Expectation,
        seed: int,
        clock: Callable[[], float] = time.monotonic,
        *,
        prepare: Callable[[Sequence[str]], None] | None = None,
        first: Sequence[str] = (),
        batch: int = 1,
    ) -> None:
        self._names = list(names)
        self._measure = measure
        self._clock = clock
        self._start = clock()
        self._budget_s = budget_s
        self._expectation = expectation
        self._random = random.Random(seed)  # noqa: S311
        self._tried: dict[int, Candidate] = {}
        self._overheads_s: list[float] = []  # of the trials: all that was not solving
        self._prepare = prepare
        self._batch = batch
        self._ready = set(range(len(names))) if prepare is None else set[int]()
        self._preparing_s = 0.0  # the last time, after the first
        places = {name: index for index, name in enumerate(self._names)}
        self._first = [places[name] for name in first]

    def run(self) -> Ranking:
        """Tries programs until the budget is used up."""
        if self._prepare:
            self._make_ready(self._first or self._most_promising(self._batch))
            self._start = self._clock()
        for index in self._first:
            if not self._tried or self._used() < _EXPLORE_SHARE:
                self._try(index)
        while not self._tried or (len(self._tried) < len(self._names) and self._used() < _EXPLORE_SHARE):
            if not self._ready - self._tried.keys():
                if self._tried and self._used() + self._preparing_s / max(self._budget_s, 1e-9) > 1:
                    break  # none of the next ones would be ready in time
                begin = self._clock()
                self._make_ready(self._most_promising(self._batch))
                self._preparing_s = self._clock() - begin
            self._try(self._most_promising(1, self._ready)[0])
        self._decide()
        ranked = sorted(self._tried.values(), key=lambda candidate: candidate.median_s)
        return Ranking(ranked, self._confidence(ranked), len(self._names), self._clock() - self._start)

    def _make_ready(self, indices: Sequence[int]) -> None:
        if self._prepare:
            self._prepare([self._names[index] for index in indices])
        self._ready.update(indices)

    def _decide(self) -> None:
        """Measures those that may be the fastest again, half of them dropping out each time."""
        finalists = _FINALISTS
        while finalists > 1:
            ranked = sorted(self._tried, key=lambda index: self._tried[index].median_s)
            close = [index for index in ranked[:finalists] if self._tried[index].median_s <= _CLOSE * self._fastest_s]
            if len(close) < 2:
                return
            for index in close:
                if self._used() >= 1:
                    return
                self._try(index, _FINAL_WEIGHT)
            finalists = len(close) // 2

    def _try(self, index: int, weight: int = 1) -> None:
        trial = self._measure(self._names[index], self._effort(weight))
        candidate = self._tried.setdefault(index, Candidate(self._names[index]))
        candidate.samples_s.extend(trial.samples_s)
        if trial.samples_s:
            self._overheads_s.append(max(0.0, trial.wall_s - trial.solving_s))

    def _effort(self, weight: int) -> Effort:
        """Returns what a trial is worth: a part of its fixed cost, and what a good program takes."""
        if not self._overheads_s:
            patience_s = _FIRST_TIMEOUT_SHARE * self._budget_s
            return Effort(max(_LEAST_SOLVE_S, _FIRST_SOLVE_SHARE * self._budget_s), max(_FIRST_TIMEOUT_S, patience_s))
        overhead_s = statistics.median(self._overheads_s)
        solving_s = max(_LEAST_SOLVE_S, weight * _SOLVE_SHARE * overhead_s)
        slowest_s = solving_s + 2 * _PATIENCE * self._fastest_s
        return Effort(solving_s, max(_SHORTEST_TIMEOUT_S, 1.5 * overhead_s + slowest_s))

    @property
    def _fastest_s(self) -> float:
        return min((candidate.median_s for candidate in self._tried.values()), default=math.inf)

    def _used(self) -> float:
        return (self._clock() - self._start) / self._budget_s if self._budget_s else 1.0

    def _most_promising(self, count: int, among: Collection[int] | None = None) -> list[int]:
        """Returns untried programs of which the model expects, or cannot rule out, the shortest times."""
        untried = [index for index in among or range(len(self._names)) if index not in self._tried]
        self._random.shuffle(untried)  # of those that promise the same, any may be the first
        mean, variance = self._predict(untried)
        order = np.argsort(mean - _CURIOSITY * np.sqrt(variance), kind="stable")
        return [untried[place] for place in order[:count]]

    def _predict(self, untried: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """Returns mean and variance of the logarithms of times, given those of the trials."""
        prior, covariance = self._expectation.mean, self._expectation.covariance
        tried = list(self._tried)
        if self._fastest_s == math.inf:  # nothing has worked yet
            return prior[untried], np.diag(covariance)[untried]
        medians = [candidate.median_s for candidate in self._tried.values()]
        slow_s = max(_PATIENCE * self._fastest_s, *(median for median in medians if median < math.inf))
        logs = np.log([min(median, slow_s) for median in medians])  # failures count as slow: their like are avoided
        surprise = logs - prior[tried]
        level = surprise.mean()
        across = covariance[np.ix_(untried, tried)]
        weights = np.linalg.solve(covariance[np.ix_(tried, tried)] + _NOISE * np.eye(len(tried)), across.T).T
        mean = prior[untried] + level + weights @ (surprise - level)
        variance = np.diag(covariance)[untried] - np.einsum("ij,ij->i", weights, across)
        return mean, np.clip(variance, 0, None)

    def _confidence(self, ranked: Sequence[Candidate]) -> float:
        """Resamples the finalists' samples; returns how often the first stays the first."""
        finalists = [np.array(candidate.samples_s) for candidate in ranked[:_FINALISTS] if candidate.samples_s]
        if len(finalists) < 2:
            return 1.0
        generator = np.random.default_rng(self._random.randrange(2**32))
        medians = [
            np.median(generator.choice(samples, (_RESAMPLES, len(samples))), axis=1)
            + generator.random(_RESAMPLES) * 1e-15
            for samples in finalists
        ]
        return float(np.mean(np.argmin(medians, axis=0) == 0))
