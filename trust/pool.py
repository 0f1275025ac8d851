"""Does many independent measurements in processes, and stores each as soon as it is there."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import TYPE_CHECKING, TypeVar

from rich.progress import track

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Task = TypeVar("Task")
Answer = TypeVar("Answer")


def for_each(
    tasks: Sequence[Task], work: Callable[[Task], Answer], store: Callable[[Answer], None], *, jobs: int, title: str
) -> None:
    """Calls `work` with every task in one of `jobs` processes, and `store` here with each answer.

    Raises:
        Exception: whatever the first task that failed has raised; what was stored stays.
    """
    with ProcessPoolExecutor(jobs) as pool:
        running = [pool.submit(work, task) for task in tasks]
        try:
            for done in track(as_completed(running), title, total=len(running)):
                store(done.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
