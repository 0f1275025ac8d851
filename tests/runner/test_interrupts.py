"""Ctrl-C and SIGTERM that come where Python loses them."""

from __future__ import annotations

import os
import signal

import pytest

from runner.process.interrupts import interrupts_noted


class _Interrupted:
    """Something that is interrupted while it is collected."""

    def __init__(self, number: signal.Signals) -> None:
        self.number = number

    def __del__(self) -> None:
        os.kill(os.getpid(), self.number)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_a_finaliser_loses_comes_again(number: signal.Signals) -> None:
    handler = signal.getsignal(number)
    with interrupts_noted() as check:
        _Interrupted(number)  # what it raises is ignored
        with pytest.raises(KeyboardInterrupt):
            check()
    assert signal.getsignal(number) is handler


def test_nothing_is_raised_without_one() -> None:
    with interrupts_noted() as check:
        check()
