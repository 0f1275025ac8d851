"""What machines of one kind have to do in a sweep, shared by the workers that run on them."""

from __future__ import annotations

import random
from collections import Counter, deque
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from runner.jobs.plan import Job

_MAX_DEATHS = 3  # of workers that a job may cost


class Queue:
    """Jobs in shuffled groups, each the jobs of one program, which one worker does in one process.

    A job is open until it has its record, so that none gets two, whatever becomes of the workers.

    Args:
        jobs: all of the sweep.
        due: those of them to do.
        seed: of the order.
        alone: whether timing them needs a host for itself.
    """

    def __init__(self, jobs: Sequence[Job], due: Iterable[Job], *, seed: int, alone: bool) -> None:
        self.jobs = jobs
        self.alone = alone
        self.open = {job.key: job for job in due}
        groups = [tuple(group) for _, group in groupby(self.open.values(), lambda job: job.program)]
        random.Random(seed).shuffle(groups)  # noqa: S311
        self._groups = deque(groups)
        self._deaths: Counter[str] = Counter()

    @property
    def is_waiting(self) -> bool:
        """Whether there is a group that nobody has taken."""
        return bool(self._groups)

    def take(self) -> tuple[Job, ...]:
        """Hands out a group."""
        return self._groups.popleft()

    def give_back(self, jobs: Iterable[Job]) -> None:
        """Takes back jobs, of which those that are open go to others: one by one, to see which of them does harm."""
        self._groups.extend((job,) for job in jobs if job.key in self.open)

    def blame(self, jobs: Iterable[Job]) -> None:
        """Counts the death of a worker against the jobs that it was doing."""
        self._deaths.update(job.key for job in jobs)

    def is_deadly(self, job: Job) -> bool:
        """Whether a job has cost too many workers to be tried again."""
        return self._deaths[job.key] >= _MAX_DEATHS

    def close(self, key: str) -> bool:
        """Notes that a job has its record; returns False if it had one before."""
        return self.open.pop(key, None) is not None

    def drop(self, is_hopeless: Callable[[Job], bool]) -> list[Job]:
        """Removes and returns jobs that nobody has taken."""
        hopeless = [job for group in self._groups for job in group if is_hopeless(job)]
        kept = (tuple(job for job in group if not is_hopeless(job)) for group in self._groups)
        self._groups = deque(group for group in kept if group)
        return hopeless
