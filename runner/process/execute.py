"""Runs one program so that it can harm nothing but its own job: own process group, time limit, bounded output."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from runner.process.interrupts import interrupts_held, let_interrupts_through
from runner.process.job import die_with_parent, job
from runner.process.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

MAX_STDOUT = 1 << 20  # a report is a few kilobytes
MAX_STDERR = 8 << 10  # only its end is of interest

_GRACE_S = 2.0  # between asking a program to stop and killing it
_POLL_S = 0.5  # how soon the end of a program is noticed if a child of it still holds its pipes
_PIPE_CAPACITY = 1 << 16  # one read of this size takes all that a pipe holds
_POLL_ALL_S = 0.005  # the same, of many that are not timed


class Stop(Enum):
    """Why the runner ended a program."""

    TIMEOUT = "timeout"
    FLOOD = "flood"
    REFUSED = "refused"  # by whoever reads its lines


@dataclass(frozen=True)
class Line:
    """One line that a program printed.

    Attributes:
        text: the line, without its end.
        stderr: the end of what it wrote to stderr since the previous line.
        wall_s: seconds since the previous line, or since its start.
    """

    text: bytes
    stderr: bytes
    wall_s: float


@dataclass(frozen=True)
class Outcome:
    """How a program ended.

    Attributes:
        exit_code: of the program; negative: the signal that killed it.
        stopped: why the runner ended it, or None if it ended by itself.
        stdout: what it printed and nobody took as a line, little more than MAX_STDOUT bytes at most.
        stderr: the end of what it wrote to stderr since its last line, MAX_STDERR bytes at most.
        wall_s: seconds from its last line, or its start, to its end.
    """

    exit_code: int | None
    stopped: Stop | None
    stdout: bytes
    stderr: bytes
    wall_s: float


def execute(
    command: Sequence[str],
    timeout_s: float,
    on_line: Callable[[Line], bool] | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008  # frozen
    environment: Mapping[str, str] | None = None,
) -> Outcome:
    """Runs a command to its end, or until its time or our patience with its output is over.

    Whatever happens, an interrupt included, nothing that it has started is left running.

    Args:
        command: program and arguments.
        timeout_s: longest time from its start to its end or, with `on_line`, from one line to the next.
        on_line: is given each line as soon as it is there; the command is stopped if it returns False.
        limits: what it may use.
        environment: of the command, instead of our own.

    Raises:
        OSError: the command cannot be started.
    """
    started = _process_group(command, limits, os.environ if environment is None else environment)
    with started as process, _Output(process, on_line) as output:
        stopped = _follow(process, output, timeout_s)
        wall_s = output.wall_s
    return Outcome(process.returncode, stopped, bytes(output.stdout), bytes(output.stderr), wall_s)


@dataclass(frozen=True)
class Ended:
    """How one of several commands ended.

    Attributes:
        index: its place among them.
        complaint: what went wrong in one line, the first that it wrote to stderr if any; None if it ended well and in
            time.
    """

    index: int
    complaint: str | None


def execute_all(commands: Sequence[Sequence[str]], timeout_s: float, *, parallel: int) -> Iterator[Ended]:
    """Runs commands for the files they write, several at a time; yields how each ended as soon as it has."""
    waiting = list(enumerate(commands))[::-1]
    running: dict[int, tuple[ExitStack, subprocess.Popen[bytes], IO[bytes], float]] = {}
    with ExitStack() as everything:
        while waiting or running:
            while waiting and len(running) < parallel:
                index, command = waiting.pop()
                stack = everything.enter_context(ExitStack())
                try:
                    said: IO[bytes] = stack.enter_context(TemporaryFile())
                    started = _process_group(
                        command, Limits(file_bytes=None), os.environ, stdout=subprocess.DEVNULL, stderr=said
                    )
                    running[index] = (stack, stack.enter_context(started), said, time.monotonic() + timeout_s)
                except OSError as error:
                    yield Ended(index, f"it cannot be started: {error.strerror}")
            for index, (stack, process, said, deadline) in list(running.items()):
                late = process.poll() is None
                if not late or time.monotonic() > deadline:
                    said.seek(0)
                    line = said.readline(MAX_STDERR).decode(errors="replace").strip()
                    stack.close()
                    del running[index]
                    why = f"not done after {timeout_s:g} s" if late else line or f"exit code {process.returncode}"
                    yield Ended(index, None if process.returncode == 0 else why)
            time.sleep(_POLL_ALL_S)


class _Output:
    """What a process writes, read as it comes: the beginning of stdout and the end of stderr are kept."""

    def __init__(self, process: subprocess.Popen[bytes], on_line: Callable[[Line], bool] | None) -> None:
        self.stdout = bytearray()
        self.stderr = bytearray()
        self.refused = False
        self._on_line = on_line
        self._line_start = time.monotonic()
        self._selector = selectors.DefaultSelector()
        for pipe, kept in ((process.stdout, self.stdout), (process.stderr, self.stderr)):
            if pipe is not None:
                self._selector.register(pipe, selectors.EVENT_READ, kept)

    @property
    def is_open(self) -> bool:
        """Whether anyone may still write."""
        return bool(self._selector.get_map())

    @property
    def wall_s(self) -> float:
        """Seconds since the last line, or since the start."""
        return time.monotonic() - self._line_start

    @property
    def objection(self) -> Stop | None:
        """Why the process must not go on, if it must not."""
        if self.refused:
            return Stop.REFUSED
        return Stop.FLOOD if len(self.stdout) > MAX_STDOUT else None

    def read(self, timeout_s: float) -> None:
        """Takes what is in the pipes, after waiting for it if need be."""
        for ready, _ in self._selector.select(timeout_s):
            chunk = os.read(ready.fd, _PIPE_CAPACITY)
            if not chunk:
                self._selector.unregister(ready.fileobj)
            ready.data.extend(chunk)
        del self.stderr[:-MAX_STDERR]
        if self._on_line:
            self._hand_over_lines(self._on_line)

    def _hand_over_lines(self, on_line: Callable[[Line], bool]) -> None:
        while not self.refused and (end := self.stdout.find(b"\n")) >= 0:
            line = Line(bytes(self.stdout[:end]), bytes(self.stderr), self.wall_s)
            del self.stdout[: end + 1]
            self.stderr.clear()
            self._line_start = time.monotonic()
            self.refused = not on_line(line)

    def __enter__(self) -> _Output:
        return self

    def __exit__(self, *_: object) -> None:
        self._selector.close()


def _follow(process: subprocess.Popen[bytes], output: _Output, timeout_s: float) -> Stop | None:
    """Reads a process's output until it ends; says why it must be stopped, if it must."""
    while output.is_open and process.poll() is None:
        remaining_s = timeout_s - output.wall_s
        if remaining_s <= 0:
            return Stop.TIMEOUT
        output.read(min(remaining_s, _POLL_S))
        if output.objection:
            return output.objection
    try:
        process.wait(max(0.0, timeout_s - output.wall_s))  # it may close its pipes and go on
    except subprocess.TimeoutExpired:
        return Stop.TIMEOUT
    output.read(0)  # what it wrote between the last read and its end
    return output.objection


@contextmanager
def _process_group(
    command: Sequence[str],
    limits: Limits,
    environment: Mapping[str, str],
    *,
    stdout: int = subprocess.PIPE,
    stderr: int | IO[bytes] = subprocess.PIPE,
) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a command in a session of its own, away from the terminal's Ctrl-C, and end all of it in the end."""

    def set_up_child() -> None:
        join()
        die_with_parent(signal.SIGKILL)
        limits.apply()
        let_interrupts_through()

    with job() as join:  # of a child, too, that runs already when an interrupt comes before Popen is done with it
        with interrupts_held():
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                env=environment,
                start_new_session=True,
                preexec_fn=set_up_child,
            )
        try:
            yield process
        finally:
            _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Asks a process group to end, then makes it."""
    try:
        if process.poll() is None:
            _signal_group(process, signal.SIGTERM)
            _wait_briefly(process)
    finally:  # even if whoever is in a hurry presses Ctrl-C again
        _signal_group(process, signal.SIGKILL)  # children that it left behind, too
        _wait_briefly(process)
        _close(process.stdout)
        _close(process.stderr)


def _signal_group(process: subprocess.Popen[bytes], signal_number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal_number)


def _wait_briefly(process: subprocess.Popen[bytes]) -> None:
    """Waits, but not for a process that not even SIGKILL ends, such as one stuck in a driver."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE_S)


def _close(pipe: IO[bytes] | None) -> None:
    if pipe is not None:
        pipe.close()
