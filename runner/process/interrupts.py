"""Ctrl-C and SIGTERM where Python would lose them: it ignores what handlers raise at a fork, and in a finaliser."""

import signal
from collections.abc import Callable, Iterator
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


@contextmanager
def interrupts_noted() -> Iterator[Callable[[], None]]:
    """Has both raise KeyboardInterrupt, and yields what does so again if one has come and that was lost."""
    has_come = False

    def note(*_: object) -> None:
        nonlocal has_come
        has_come = True
        raise KeyboardInterrupt

    def check() -> None:
        if has_come:
            raise KeyboardInterrupt

    before = {number: signal.signal(number, note) for number in _INTERRUPTS}
    try:
        yield check
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def let_interrupts_through() -> None:
    """Has this process hear of both again, in a child before it becomes another program."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _INTERRUPTS)
