"""Times the jobs of one program: in one process if all goes well, in as many as it takes if not."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from runner.timing.device import check_gpu, is_suspicious
from runner.timing.measure import Settings, measure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from runner.jobs.plan import Job
    from runner.jobs.references import References
    from runner.results.records import Record


def share_processes(jobs: Iterable[Job], references: References) -> list[list[Job]]:
    """Groups jobs that can share a process: neighbours of one program, and all with a reference or all without."""
    return [list(group) for _, group in groupby(jobs, lambda job: (job.program, references.find(job.problem) is None))]


def time_together(
    jobs: Sequence[Job], references: References, settings: Settings, gpu_check: Path, keep: Callable[[Record], None]
) -> None:
    """Times a group of jobs; what a crash leaves over gets another process, as soon as the GPU is known to work.

    Args:
        jobs: a group from `share_processes`.
        references: of the jobs.
        settings: of the session.
        gpu_check: the program that tells whether the GPU works.
        keep: is given each record as soon as it is certain, in the order of the jobs.

    Raises:
        RunnerError: the GPU does not work any more, or a file is another one than the jobs are about.
    """
    left = list(jobs)
    while left:
        records: list[Record] = []

        def note(record: Record, jobs: Sequence[Job] = left, records: list[Record] = records) -> None:
            jobs[len(records)].check_files()
            keep(record)
            records.append(record)

        left = measure(left, [path for job in left if (path := references.find(job.problem))], settings, note)
        if suspects := [record for record in records if is_suspicious(record)]:
            check_gpu(gpu_check, suspects)
