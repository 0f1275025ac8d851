"""How far long work has got, drawn by rich on a terminal; apart from the commands, as rich takes a while to load."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, Progress, SpinnerColumn, Task, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from generator.console import Console
from inputs.progress import listening

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def shown(what: str) -> Iterator[None]:
    """Shows on stderr, if that is a terminal, how far the work in the context is and how long its phase will take."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), _TimeLeft())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)

        def show(phase: str, share: float) -> None:
            description = f"{what}: {phase}"
            if bar.tasks[0].description != description:
                bar.reset(task, description=description, total=1.0)
            bar.update(task, completed=share)

        with listening(show):
            yield


class _TimeLeft(TimeRemainingColumn):
    """The time that a phase still takes, in words."""

    def render(self, task: Task) -> Text:
        """Says nothing as long as nothing is known."""
        left = super().render(task)
        return Text(f"{left} left", style="cyan") if task.time_remaining else Text()
