"""Does many independent measurements in processes, and stores each as soon as it is there."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TYPE_CHECKING, TypeVar

from rich.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Task = TypeVar("Task")
Answer = TypeVar("Answer")

_BATCH = 16  # tasks a process that are prepared at a time: enough to keep all busy, few enough to see answers soon


def for_each(
    tasks: Sequence[Task],
    work: Callable[[Task], Answer],
    store: Callable[[Answer], None],
    *,
    jobs: int,
    title: str,
    prepare: Callable[[Sequence[Task]], None] | None = None,
) -> None:
    """Calls `work` with every task in one of `jobs` processes, and `store` here with each answer.

    Args:
        tasks: begun in this order.
        work: measures one.
        store: keeps an answer.
        jobs: processes.
        title: of the progress bar, which also tells the time left.
        prepare: called here with some tasks at a time, before they begin, such as to compile what they run.

    Raises:
        Exception: whatever the first task that failed has raised; what was stored stays.
    """
    size = _BATCH * jobs if prepare else max(len(tasks), 1)
    with ProcessPoolExecutor(jobs) as pool, Progress() as progress:
        bar = progress.add_task(title, total=len(tasks))
        try:
            for first in range(0, len(tasks), size):
                batch = tasks[first : first + size]
                if prepare:
                    prepare(batch)
                for done in as_completed([pool.submit(work, task) for task in batch]):
                    store(done.result())
                    progress.advance(bar)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
