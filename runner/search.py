"""Finds the fastest of many programs without running them all: a model says which to try next, then halving decides.

Programs whose names share words, that is styles, tend to be alike in speed. A Gaussian process over the words learns
from every trial how fast the untried programs may be; the most promising is tried next, with few repetitions. When most
of the budget is used up, the best of those tried are measured with ever more repetitions, half of them dropping out
each time.
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
    from collections.abc import Callable, Sequence

_FIRST = 5  # programs tried at random before the model is asked
_EXPLORE_SHARE = 0.9  # of the budget; the rest decides between the best
_FINALISTS = 8
_TRIAL_REPS = 2
_RUNG_REPS = (5, 9, 15)  # of 8, 4 and 2 finalists
_CURIOSITY = 1.0  # standard deviations by which a program may surprise us
_NOISE = 0.05  # of the logarithm of a time, relative to its spread over all programs
_SHORTEST_TIMEOUT_S = 2.0
_PATIENCE = 5.0  # a trial may take this many times the shortest one so far
_RESAMPLES = 2000


@dataclass(frozen=True)
class Trial:
    """One run of a program: its samples, none if it failed or took too long, and what it has cost."""

    samples_s: Sequence[float]
    wall_s: float


@dataclass
class Candidate:
    """A program that was tried."""

    name: str
    samples_s: list[float] = field(default_factory=list)

    @property
    def median_s(self) -> float:
        """Return the median of all samples; infinity if there are none."""
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
        measure: runs one of them so many times, within so many seconds.
        budget_s: seconds the search may take; a trial under way is finished.
        seed: of its choices.
        clock: tells the time in seconds.
    """

    def __init__(
        self,
        names: Sequence[str],
        measure: Callable[[str, int, float], Trial],
        budget_s: float,
        seed: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._names = list(names)
        self._measure = measure
        self._clock = clock
        self._start = clock()
        self._budget_s = budget_s
        self._random = random.Random(seed)  # noqa: S311
        self._alike = _similarity(names)
        self._tried: dict[int, Candidate] = {}
        self._shortest_s = math.inf

    def run(self) -> Ranking:
        """Try programs until the budget is used up."""
        while not self._tried or (len(self._tried) < len(self._names) and self._used() < _EXPLORE_SHARE):
            self._try(self._next(), _TRIAL_REPS)
        self._decide()
        ranked = sorted(self._tried.values(), key=lambda candidate: candidate.median_s)
        return Ranking(ranked, self._confidence(ranked), len(self._names), self._clock() - self._start)

    def _decide(self) -> None:
        """Measure the best again, half of them dropping out each time."""
        finalists = _FINALISTS
        for repetitions in _RUNG_REPS:
            ranked = sorted(self._tried, key=lambda index: self._tried[index].median_s)
            for index in ranked[:finalists]:
                if self._used() >= 1:
                    return
                if self._tried[index].samples_s:
                    self._try(index, repetitions)
            finalists //= 2

    def _try(self, index: int, repetitions: int) -> None:
        patience_s = _PATIENCE * self._shortest_s if self._shortest_s < math.inf else self._budget_s
        trial = self._measure(self._names[index], repetitions, max(_SHORTEST_TIMEOUT_S, patience_s))
        candidate = self._tried.setdefault(index, Candidate(self._names[index]))
        candidate.samples_s.extend(trial.samples_s)
        if trial.samples_s:
            self._shortest_s = min(self._shortest_s, trial.wall_s)

    def _used(self) -> float:
        return (self._clock() - self._start) / self._budget_s if self._budget_s else 1.0

    def _next(self) -> int:
        """Return the untried program to try next."""
        tried = list(self._tried)
        untried = [index for index in range(len(self._names)) if index not in self._tried]
        known = [candidate.median_s for candidate in self._tried.values() if candidate.samples_s]
        if len(tried) < _FIRST or len(known) < 2:
            return self._random.choice(untried)
        slowest = 2 * max(known)  # a failure counts as slow, so that its like are avoided
        logs = np.log([min(self._tried[index].median_s, slowest) for index in tried])
        return self._most_promising(tried, untried, logs)

    def _most_promising(self, tried: list[int], untried: list[int], logs: np.ndarray) -> int:
        """Return the program of which the model expects, or cannot rule out, the shortest time."""
        target = (logs - np.mean(logs)) / (np.std(logs) or 1.0)
        covariance = self._alike[np.ix_(tried, tried)] + _NOISE * np.eye(len(tried))
        across = self._alike[np.ix_(untried, tried)]
        weights = np.linalg.solve(covariance, across.T).T
        variance = np.clip(1 - np.einsum("ij,ij->i", weights, across), 0, None)
        return untried[int(np.argmin(weights @ target - _CURIOSITY * np.sqrt(variance)))]

    def _confidence(self, ranked: Sequence[Candidate]) -> float:
        """Resample the finalists' samples; return how often the first stays the first."""
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


def _similarity(names: Sequence[str]) -> np.ndarray:
    """Return how alike programs are, from 1 (the same) to 0, by the words of their names.

    One half is additive, each style having its own effect; the other lets styles depend on each other.
    """
    words = sorted({word for name in names for word in name.split("-")})
    held = np.array([[word in name.split("-") for word in words] for name in names], dtype=float)
    different = (held[:, None, :] != held[None, :, :]).sum(axis=2) / 2
    most = max(1.0, float(different.max()))
    similarity: np.ndarray = 0.5 * (1 - different / most) + 0.5 * np.exp(-different / 4)
    return similarity
