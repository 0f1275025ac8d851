"""Where the time of a sweep goes: what it costs besides the repetitions it reports."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class Overhead:
    """Adds up the wall time of a sweep by phase, and the time of the samples it was all for."""

    def __init__(self) -> None:
        self.samples_s = 0.0
        self.phases_s: dict[str, float] = {}

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Counts the time spent in the context."""
        start = time.monotonic()
        try:
            yield
        finally:
            self.phases_s[name] = self.phases_s.get(name, 0.0) + time.monotonic() - start

    def render(self) -> str:
        """Says it in one line."""
        wall_s = sum(self.phases_s.values())
        parts = " + ".join(f"{name} {seconds:.1f} s" for name, seconds in self.phases_s.items())
        ratio = f", {wall_s / self.samples_s:.3g} times the samples" if self.samples_s else ""
        return f"wall time {wall_s:.1f} s = {parts}; samples {self.samples_s:.3g} s{ratio}"
