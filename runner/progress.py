"""What a person sees while a sweep runs: a bar on a terminal, else a line now and then; failures always."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from generator.console import Console
from runner.results.records import Record, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")

STYLES = {
    Status.WRONG: "bold red",
    Status.CRASHED: "red",
    Status.COMPILE_ERROR: "magenta",
    Status.TIMEOUT: "yellow",
    Status.REFUSED: "yellow",
    Status.SKIPPED: "dim",
    Status.VERIFIED: "green",
}


_LINE_PERIOD_S = 30.0  # between lines where there is no terminal
_SPEED_PERIOD_S = 600.0  # of the past from which a terminal's bar learns how long jobs take


class Progress:
    """Reports to stderr, and only between jobs: while a program is timed, the runner sleeps."""

    def __init__(self, console: Console | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._console = console or Console(stderr=True, highlight=False)
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=self._console,
            auto_refresh=False,
            speed_estimate_period=_SPEED_PERIOD_S,
            disable=not self._console.is_terminal,
        )
        self._total = 0
        self._done = 0
        self._what = ""
        self._start = self._last_line = 0.0

    @contextmanager
    def count(self, total: int, what: str = "jobs") -> Iterator[None]:
        """Shows how many of `total` jobs, or of what else, are done, for as long as the context lasts."""
        self._total, self._done, self._what = total, 0, what
        self._start = self._last_line = self._clock()
        task = self._bar.add_task(what, total=total)
        with self._bar:
            self._bar.refresh()
            yield
        self._bar.remove_task(task)
        self._total = 0

    def expect(self, more: int) -> None:
        """Shows that there are more jobs than was said; only within `count`."""
        self._total += more
        self._bar.update(self._bar.task_ids[0], total=self._total)

    def note(self, text: str) -> None:
        """Says something that is not about one job."""
        self._console.print(text, markup=False, soft_wrap=True)

    def done(self, record: Record) -> None:
        """Counts a job; those that went wrong get a line."""
        self._done += 1
        if record.status not in (Status.VERIFIED, Status.REFUSED, Status.SKIPPED):
            self._console.print(self._line(record), soft_wrap=True)
        if self._total:
            self._show()

    def track_references(self, items: Iterator[T], total: int) -> Iterator[T]:
        """Returns the items, and shows how many of `total` there have been."""
        with self.count(total, "references"):
            for item in items:
                yield item
                self._done += 1
                self._show()

    def _show(self) -> None:
        self._bar.advance(self._bar.task_ids[0])
        self._bar.refresh()
        now = self._clock()
        if not self._console.is_terminal and (now - self._last_line > _LINE_PERIOD_S or self._done == self._total):
            self._last_line = now
            left_min = (now - self._start) / self._done * (self._total - self._done) / 60
            self.note(f"{self._done} of {self._total} {self._what} done, about {left_min:.0f} min left")

    def _line(self, record: Record) -> str:
        count = f"[{self._done:>{len(str(self._total))}}/{self._total}] " if self._total else ""
        status = f"[{STYLES[record.status]}]{record.status:<8}[/]"
        return f"{escape(count)}{status} {record.program} on {escape(record.graph)}: {escape(record.reason or '')}"
