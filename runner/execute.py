"""Runs one program so that it can harm nothing but its own job: own process group, time limit, bounded output."""

from __future__ import annotations

import ctypes
import os
import selectors
import signal
import subprocess
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MAX_STDOUT = 1 << 20  # a report is a few kilobytes
MAX_STDERR = 8 << 10  # only its end is of interest

_GRACE_S = 2.0  # between asking a program to stop and killing it
_POLL_S = 0.5  # how soon the end of a program is noticed if a child of it still holds its pipes
_PIPE_CAPACITY = 1 << 16  # one read of this size takes all that a pipe holds
_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None)


class Stop(Enum):
    """Why the runner ended a program."""

    TIMEOUT = "timeout"
    FLOOD = "flood"


@dataclass(frozen=True)
class Outcome:
    """How a program ended.

    Attributes:
        exit_code: of the program; negative: the signal that killed it.
        stopped: why the runner ended it, or None if it ended by itself.
        stdout: what it printed, little more than MAX_STDOUT bytes at most.
        stderr: the end of what it wrote to stderr, MAX_STDERR bytes at most.
        wall_s: seconds from its start to its end.
    """

    exit_code: int | None
    stopped: Stop | None
    stdout: bytes
    stderr: bytes
    wall_s: float


def execute(command: Sequence[str], timeout_s: float) -> Outcome:
    """Run a command to its end, or until its time or our patience with its output is over.

    Whatever happens, an interrupt included, nothing of its process group is left running.

    Raises:
        OSError: the command cannot be started.
    """
    start = time.monotonic()
    with _process_group(command) as process, _Output(process) as output:
        stopped = _follow(process, output, deadline=start + timeout_s)
        wall_s = time.monotonic() - start
    return Outcome(process.returncode, stopped, bytes(output.stdout), bytes(output.stderr), wall_s)


def dies_with_parent(signal_number: signal.Signals) -> Callable[[], None]:
    """Return a `preexec_fn` that has the system signal the child when the runner dies, even by kill -9.

    An orphan would otherwise go on and disturb the timing of whatever runs next.
    """

    def ask() -> None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal_number)

    return ask


class _Output:
    """What a process writes, read as it comes: the beginning of stdout and the end of stderr are kept."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.stdout = bytearray()
        self.stderr = bytearray()
        self._selector = selectors.DefaultSelector()
        for pipe, kept in ((process.stdout, self.stdout), (process.stderr, self.stderr)):
            if pipe is not None:
                self._selector.register(pipe, selectors.EVENT_READ, kept)

    @property
    def is_open(self) -> bool:
        """Whether anyone may still write."""
        return bool(self._selector.get_map())

    @property
    def flooded(self) -> bool:
        """Whether there is more on stdout than any report needs."""
        return len(self.stdout) > MAX_STDOUT

    def read(self, timeout_s: float) -> None:
        """Take what is in the pipes, after waiting for it if need be."""
        for ready, _ in self._selector.select(timeout_s):
            chunk = os.read(ready.fd, _PIPE_CAPACITY)
            if not chunk:
                self._selector.unregister(ready.fileobj)
            ready.data.extend(chunk)
        del self.stderr[:-MAX_STDERR]

    def __enter__(self) -> _Output:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()


def _follow(process: subprocess.Popen[bytes], output: _Output, deadline: float) -> Stop | None:
    """Read a process's output until it ends; say why it must be stopped, if it must."""
    while output.is_open and process.poll() is None:
        remaining_s = deadline - time.monotonic()
        if remaining_s <= 0:
            return Stop.TIMEOUT
        output.read(min(remaining_s, _POLL_S))
        if output.flooded:
            return Stop.FLOOD
    try:
        process.wait(max(0.0, deadline - time.monotonic()))  # it may close its pipes and go on
    except subprocess.TimeoutExpired:
        return Stop.TIMEOUT
    output.read(0)  # what it wrote between the last read and its end
    return Stop.FLOOD if output.flooded else None


@contextmanager
def _process_group(command: Sequence[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command in a session of its own, away from the terminal's Ctrl-C, and end all of it in the end."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=dies_with_parent(signal.SIGKILL),
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            _signal_group(process, signal.SIGTERM)
            _wait_briefly(process)
        _signal_group(process, signal.SIGKILL)  # children that it left behind, too
        _wait_briefly(process)
        _close(process.stdout)
        _close(process.stderr)


def _signal_group(process: subprocess.Popen[bytes], signal_number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal_number)


def _wait_briefly(process: subprocess.Popen[bytes]) -> None:
    """Wait, but not for a process that not even SIGKILL ends, such as one stuck in a driver."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_S)


def _close(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        pipe.close()
