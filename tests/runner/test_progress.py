from io import StringIO

import pytest
from rich.console import Console

from runner.progress import Progress
from runner.records import Status


@pytest.fixture
def shown(record):
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


def test_a_log_gets_one_line_a_job(shown):
    assert shown(terminal=False).splitlines() == [
        "[1/2] verified bfs-cpp-a on g: 0.25 s",
        "[2/2] crashed  bfs-cpp-a on g: killed by SIGSEGV [core]",
    ]


def test_a_terminal_gets_a_bar_and_the_failures(shown):
    output = shown(terminal=True)
    assert "2/2" in output
    assert "killed by SIGSEGV [core]" in output
    assert "verified" not in output
