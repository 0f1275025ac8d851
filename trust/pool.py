"""Does many independent measurements in processes, and stores each as soon as it is there."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, TypeVar

from rich.progress import Progress

from generator.console import Console
from generator.errors import UserError
from runner.process.job import die_with_parent, job

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

Task = TypeVar("Task")
Answer = TypeVar("Answer")

_SILENCE_S = 20.0  # after which what takes long is named
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

    However this ends, even by kill -9, the processes end, and what they have started.

    Args:
        tasks: begun in this order; where nothing has ended for a while, the first is named as `str` does.
        work: measures one.
        store: keeps an answer.
        jobs: processes.
        title: of the progress bar, which also tells the time left.
        prepare: called here with some tasks at a time, before they begin, such as to compile what they run.

    Raises:
        UserError: a process was killed; what was stored stays.
        Exception: whatever the first task that failed has raised; what was stored stays, too.
    """
    size = _BATCH * jobs if prepare else max(len(tasks), 1)
    with ProcessPoolExecutor(jobs, initializer=_set_up_process) as pool, Progress(console=Console()) as progress:
        bar = progress.add_task(title, total=len(tasks))
        left: dict[Future[Answer], Task] = {}
        try:
            for first in range(0, len(tasks), size):
                batch = tasks[first : first + size]
                if prepare:
                    prepare(batch)
                left = {pool.submit(_attempt, work, task): task for task in batch}
                while left:
                    ended, _ = wait(left, _SILENCE_S, FIRST_COMPLETED)
                    for done in ended:
                        del left[done]
                        store(done.result())
                        progress.advance(bar)
                    if not ended:
                        first_left = next(iter(left.values()))  # tasks begin in order
                        progress.console.print(f"{title}: waiting for {first_left}", highlight=False)
        except BrokenProcessPool:
            _end(pool)
            for done in left:
                if not done.cancelled() and not done.exception():
                    store(done.result())
            raise UserError(
                f"{title}: a process was killed, perhaps for want of memory; the same command goes on, and fewer "
                f"--jobs than {jobs} need less"
            ) from None
        except BaseException:
            _end(pool)
            raise


def _end(pool: ProcessPoolExecutor) -> None:
    for process in multiprocessing.active_children():
        process.terminate()
    pool.shutdown(cancel_futures=True)  # waits: a thread that Python ends may print a traceback


def run_command(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], timeout_s: float | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a command in a folder; however it ends, so does all that it has started, such as the compilers of make.

    Raises:
        TimeoutExpired: it takes longer than it may.
    """
    with job() as join:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=timeout_s,
            preexec_fn=join,
        )


def _set_up_process() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    die_with_parent(signal.SIGTERM)


def _attempt(work: Callable[[Task], Answer], task: Task) -> Answer:
    """Does a task; if we are to end meanwhile, what it has started ends first."""
    try:
        signal.signal(signal.SIGTERM, _interrupt)
        return work(task)
    except KeyboardInterrupt:
        os._exit(130)  # the pool would take it for an answer, and go on with the next task
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _interrupt(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # the pool repeats it
    raise KeyboardInterrupt
