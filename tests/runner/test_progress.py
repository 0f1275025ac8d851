from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from runner.progress import Progress
from runner.results.records import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.runner.conftest import MakeRecord


@pytest.fixture
def shown(record: MakeRecord) -> Callable[..., str]:
    """Show one good and one crashed job, on a terminal or not; return what is seen."""

    def show(*, terminal: bool) -> str:
        console = Console(file=StringIO(), force_terminal=terminal, width=200, color_system=None)
        progress = Progress(console)
        with progress.count(2):
            progress.done(record(status=Status.VERIFIED, samples_s=[0.5, 0.25]))
            progress.done(record(status=Status.CRASHED, reason="killed by SIGSEGV [core]"))
        assert isinstance(console.file, StringIO)
        return console.file.getvalue()

    return show


def test_a_log_gets_the_failures_and_the_end(shown: Callable[..., str]) -> None:
    assert shown(terminal=False).splitlines() == [
        "[2/2] crashed  bfs-cpp-a on g: killed by SIGSEGV [core]",
        "2 of 2 jobs done, about 0 min left",
    ]


def test_a_log_says_now_and_then_how_long_it_will_take(record: MakeRecord) -> None:
    clock = iter([0.0, 20.0, 40.0, 60.0, 80.0])
    console = Console(file=StringIO(), width=200)
    progress = Progress(console, lambda: next(clock))
    with progress.count(10):
        for _ in range(4):
            progress.done(record(status=Status.VERIFIED, samples_s=[0.5]))
    assert console.file.getvalue().splitlines() == [
        "2 of 10 jobs done, about 3 min left",
        "4 of 10 jobs done, about 2 min left",
    ]


def test_a_terminal_gets_a_bar_and_the_failures(shown: Callable[..., str]) -> None:
    output = shown(terminal=True)
    assert "2/2" in output
    assert "killed by SIGSEGV [core]" in output
    assert "verified" not in output
