"""What a person sees while a sweep runs: a bar on a terminal, else one line a job."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from runner.records import Record, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

STYLES = {
    Status.WRONG: "bold red",
    Status.CRASHED: "red",
    Status.COMPILE_ERROR: "magenta",
    Status.TIMEOUT: "yellow",
    Status.SKIPPED: "dim",
    Status.VERIFIED: "green",
}


class Progress:
    """Reports to stderr, and only between jobs: while a program is timed, the runner sleeps."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True, highlight=False)
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self._console,
            auto_refresh=False,
            disable=not self._console.is_terminal,
        )
        self._total = 0
        self._done = 0

    @contextmanager
    def count(self, total: int) -> Iterator[None]:
        """Show how many of `total` jobs are done, for as long as the context lasts."""
        self._total, self._done = total, 0
        task = self._bar.add_task("timing", total=total)
        with self._bar:
            self._bar.refresh()
            yield
        self._bar.remove_task(task)
        self._total = 0

    def note(self, text: str) -> None:
        """Say something that is not about one job."""
        self._console.print(text, markup=False, soft_wrap=True)

    def done(self, record: Record) -> None:
        """Count a job; on a terminal only those that went wrong get a line."""
        self._done += 1
        if not self._console.is_terminal or record.status not in (Status.VERIFIED, Status.SKIPPED):
            self._console.print(self._line(record), soft_wrap=True)
        if self._total:
            self._bar.advance(self._bar.task_ids[0])
            self._bar.refresh()

    def _line(self, record: Record) -> str:
        count = f"[{self._done:>{len(str(self._total))}}/{self._total}] " if self._total else ""
        status = f"[{STYLES[record.status]}]{record.status:<8}[/]"
        result = f"{min(record.samples_s):.3g} s" if record.status is Status.VERIFIED else record.reason or ""
        return f"{escape(count)}{status} {record.program} on {escape(record.graph)}: {escape(result)}"
