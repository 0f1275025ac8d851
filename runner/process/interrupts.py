"""Ctrl-C and SIGTERM while a program is started: Python ignores what handlers raise at a fork, and would lose them."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

_INTERRUPTS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Keeps both for the end. What is started meanwhile has to call `let_interrupts_through`."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    try:
        signal.pthread_sigmask(signal.SIG_BLOCK, _INTERRUPTS)  # raises, with them blocked, if one has just come
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def let_interrupts_through() -> None:
    """Has this process hear of both again, in a child before it becomes another program."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
