"""What a program may use of the machine, and how to be rid of everything that it has started."""

import ctypes
import itertools
import os
import resource
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

MAX_FILE_BYTES = 64 << 20  # programs write nothing but a dump when asked; a driver may keep small caches

_MEMORY_SHARE = 0.9  # of the machine, for one program
_MARK = "VIOLET_JOB"  # environment variable by which all that a job has started is known
_MAX_ENVIRONMENT = 6 << 20  # bytes; Linux allows no more
_PATIENCE_S = 2.0
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_LIBC = ctypes.CDLL(None)
_numbers = itertools.count()


@dataclass(frozen=True)
class Limits:
    """Bounds of one process; core files are never written, since hundreds of crashes would fill the disk.

    Attributes:
        memory_bytes: of data, that is memory it can write to and shares with nobody; files mapped to be read are free.
        file_bytes: of any file it writes.
    """

    memory_bytes: int | None = None
    file_bytes: int | None = MAX_FILE_BYTES

    def apply(self) -> None:
        """Binds this process and its children to the limits."""
        _lower(resource.RLIMIT_CORE, 0)
        if self.file_bytes is not None:
            _lower(resource.RLIMIT_FSIZE, self.file_bytes)
        if self.memory_bytes is not None:
            _lower(resource.RLIMIT_DATA, self.memory_bytes)


def default_memory_bytes() -> int:
    """Returns most of the memory that this machine, or the container this runs in, has."""
    total = psutil.virtual_memory().total
    with suppress(OSError, ValueError):  # no control group, or "max"
        total = min(total, int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii")))
    return int(total * _MEMORY_SHARE)


def die_with_parent(signal_number: signal.Signals) -> None:
    """Has the system signal this process when its parent dies, even by kill -9.

    An orphan would otherwise go on and disturb the timing of whatever runs next.
    """
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal_number)


@contextmanager
def job() -> Iterator[dict[str, str]]:
    """Gives the environment variables for what is started within, of which nothing is left in the end.

    They mark all that it starts in turn, and we become the parent of whatever loses its own, so that none escapes by a
    fork and a new session.
    """
    _LIBC.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    mark = f"{os.getpid()}.{next(_numbers)}"
    others = {pid for pid in children() if not _environment(pid)}
    try:
        yield {_MARK: mark}
    finally:
        marked = f"{_MARK}={mark}".encode()
        try:
            _kill_marked(marked, others)
        except BaseException:  # whoever is in a hurry presses Ctrl-C again
            _kill_marked(marked, others)
            raise


def _kill_marked(marked: bytes, others: set[int]) -> None:
    """Kills our children that have a variable, and then those that they leave to us, until there are none.

    A child that is ending has lost its variables, and leaves us its own children only when it has ended. One that is
    just becoming another program has none yet. So nothing is over while one without variables has not ended. We wait
    for _PATIENCE_S: not even SIGKILL ends what is stuck in a driver.

    Args:
        marked: the variable.
        others: children without variables that are none of those.
    """
    give_up = time.monotonic() + _PATIENCE_S
    killed: set[int] = set()
    ended = set(others)  # before our children were listed, with what these have left to us
    is_over = False
    while not is_over and time.monotonic() < give_up:
        is_over = True
        for pid in children():
            variables = _environment(pid)
            if marked in variables:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                killed.add(pid)
                is_over = False
            elif not variables and pid not in ended:
                if _has_ended(pid):
                    ended.add(pid)
                is_over = False
        if not is_over:
            time.sleep(0.001)
    for pid in killed:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)


def kill_jobs() -> None:
    """Kills all jobs of this process; who started them waits for them."""
    marked = f"{_MARK}={os.getpid()}.".encode()
    for pid in children():
        if any(variable.startswith(marked) for variable in _environment(pid)):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


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


def _environment(pid: int) -> list[bytes]:
    """Returns the variables that a process was started with; none if it is ending, or just starting another program."""
    try:
        with Path(f"/proc/{pid}/environ").open("rb", buffering=0) as file:
            variables = file.read(_MAX_ENVIRONMENT)  # at once, lest it lack those of a process that ends meanwhile
    except OSError:
        return []
    return [variable for variable in variables.split(b"\0") if variable]


def _has_ended(pid: int) -> bool:
    """Whether a child has ended with all of its threads, be it without being waited for."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def _lower(which: int, value: int) -> None:
    """Sets a limit, unless there is a lower one already: without privileges no limit can be raised."""
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))
