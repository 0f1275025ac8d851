"""How to be rid of everything that a process has started, whatever that has made of itself since."""

from __future__ import annotations

import ctypes
import itertools
import os
import resource
import signal
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PATIENCE_S = 10.0
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_LIBC = ctypes.CDLL(None)

# A limit that binds nobody: microseconds that a process of real-time priority may compute. Children inherit it, and not
# even another program, session or environment changes it. Jobs have values of their own below that of this process.
_MARK = resource.RLIMIT_RTTIME
_UNMARKED = 1 << 62
_JOBS = 1 << 14  # at a time
_numbers = itertools.count()


def die_with_parent(signal_number: signal.Signals) -> None:
    """Has the system signal this process when its parent dies, even by kill -9.

    An orphan would otherwise go on and disturb the timing of whatever runs next.
    """
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal_number)


@contextmanager
def job() -> Iterator[Callable[[], None]]:
    """Gives what makes a process part of a job, in a child before it becomes another program.

    In the end nothing is left of the job: all that it starts in turn is part of it, and we become the parent of
    whatever loses its own. Only a process that changes this very limit, or becomes another user's, escapes. Where the
    limit cannot be set, such as by the fifth of jobs within jobs, there are still process groups and `die_with_parent`.
    """
    _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    marks = _new_marks()

    def join() -> None:
        for mark in marks[-1:]:
            with suppress(OSError, ValueError):
                resource.setrlimit(_MARK, (mark, mark))

    try:
        yield join
    finally:
        try:
            _kill_marked(marks)
        except BaseException:  # whoever is in a hurry presses Ctrl-C again
            _kill_marked(marks)
            raise


def kill_jobs() -> None:
    """Kills all jobs of this process; who started them waits for them."""
    own = _mark(os.getpid())
    for pid in children():
        if _mark(pid) in range(own - _width(own) + 1, own):
            _kill(pid)


def children() -> list[int]:
    """Returns the processes that threads of this one have started and that nobody has waited for."""
    tasks = Path("/proc/self/task")
    if not (tasks / str(os.getpid()) / "children").exists():
        return []  # the system does not tell
    while True:
        try:
            lists = [(thread / "children").read_text(encoding="ascii") for thread in list(tasks.iterdir())]
        except (FileNotFoundError, ProcessLookupError):  # a thread has just ended, and another one has its children now
            continue
        return [int(pid) for text in lists for pid in text.split()]


def _kill_marked(marks: range) -> None:
    """Kills our children that have one of some marks, and then those that they leave to us, until there are none.

    A child leaves us its own children only when it has ended, so nothing is over while a list has one that had not
    ended before. We wait for _PATIENCE_S: not even SIGKILL ends what is stuck in a driver.
    """
    give_up = time.monotonic() + _PATIENCE_S
    ended: set[int] = set()
    while left := [pid for pid in children() if pid not in ended and _mark(pid) in marks]:
        for pid in left:
            _kill(pid)
            if _has_ended(pid):
                ended.add(pid)
        if time.monotonic() > give_up:
            break
        time.sleep(0.001)
    for pid in ended:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def _new_marks() -> range:
    """Returns the marks of a new job: its own is the last, and the others are for jobs that it has itself."""
    own = _mark(os.getpid())
    width = _width(own) // (2 * _JOBS)
    last = own - (2 * (next(_numbers) % _JOBS) + 1) * width
    return range(last - width + 1, last + 1)


def _width(mark: int) -> int:
    """Returns how many marks, from this one down, are for who has it and for its jobs."""
    return mark & -mark


def _mark(pid: int) -> int:
    """Returns the mark of a process, be it one that has ended; _UNMARKED if it has none that one can see."""
    try:
        _, mark = resource.prlimit(pid, _MARK)
    except (ProcessLookupError, PermissionError):
        return _UNMARKED
    return _UNMARKED if mark == resource.RLIM_INFINITY else mark


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _has_ended(pid: int) -> bool:
    """Whether a child has ended with all of its threads, be it without being waited for."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True
