"""Which programs tests take: samples that cover, those that have changed, and those whose turn it is today."""

from __future__ import annotations

import csv
import datetime
import io
import math
import subprocess
import zlib
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from generator.config import covering
from generator.manifest import DIGITS, MANIFEST
from generator.paths import ROOT
from generator.space import Style, load_space, name_of
from tests.memory import LONG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

T = TypeVar("T")

MOST_OF_CHANGE = 8
"""Programs of a change that a test runs beside those of its sample."""
TURNS = 32
"""In so many days, every pair of a sample that takes turns is met."""


def today() -> int:
    """Returns the number of the day, by which samples take turns."""
    return datetime.datetime.now(datetime.UTC).date().toordinal()


def is_due(name: str, turns: int, day: int | None = None) -> bool:
    """Tells whether it is the turn of what has a name, today of so many days or some more: the one given, or any.

    Samples take turns in numbers of days that 2 or 3 divides. Those of tests are none, or some of a sample would never
    meet the day of its test.
    """
    while math.gcd(turns, 6) > 1:
        turns += 1
    return today() % turns == (zlib.crc32(name.encode()) % turns if day is None else day)


def todays(items: Iterable[T], turns: int = TURNS) -> list[T]:
    """Returns those whose turn it is today; all in `make test-all`."""
    return list(items) if LONG else list(items)[today() % turns :: turns]


def in_turn(styles: Sequence[Style]) -> list[Style]:
    """Returns the part of a sample whose turn it is today and, beside it, a small cover of the values that it lacks."""
    first = todays(styles)
    return first + sample(styles, first)


def sample(styles: Iterable[Style], begun: Iterable[Style] = ()) -> list[Style]:
    """Returns styles in which every value occurs that those lack that are begun with; in `make test-all`, every two."""
    return covering(styles, 2 if LONG else 1, begun)


def covered(styles: Iterable[Style]) -> list[Style]:
    """Returns styles in which every value occurs; in `make test-all`, all of them."""
    return list(styles) if LONG else covering(styles, 1)


@cache
def changed() -> frozenset[str]:
    """Returns the names of programs that are new or differ from upstream's, or the last commit's, or the one's before.

    What generated/MANIFEST.csv says of them tells, so `python -m generator manifest` has to be run first.
    """
    now = _manifest(MANIFEST.read_text(encoding="utf-8"))
    for commit in ("@{upstream}", "HEAD", "HEAD~1"):
        command = ["git", "show", f"{commit}:{MANIFEST.relative_to(ROOT)}"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            continue  # no repository, no upstream, or no earlier commit
        before = _manifest(done.stdout)
        if now != before:
            return frozenset(name for name, text in now.items() if before.get(name) != text)
    return frozenset()


def _manifest(text: str) -> dict[str, str]:
    """Returns the hash of each program, by its name."""
    return {row["name"]: row["sha256"][:DIGITS] for row in csv.DictReader(io.StringIO(text))}


def with_changed(
    styles: Sequence[Style], accepted: Callable[[list[Style]], list[Style]], most: int = MOST_OF_CHANGE
) -> list[Style]:
    """Returns styles and, beside those that a change has touched, a few that it has and a function accepts.

    Each value of what it has touched is in one of them, if so few can.
    """
    touched = [style for style in styles if name_of(style) in changed()]
    return [*styles, *covering(accepted(_changed_styles()), 1, touched)[:most]]


@cache
def _changed_styles() -> list[Style]:
    """Returns what a change has touched, but for programs with a planted bug."""
    return [style for style in map(load_space().spelled, sorted(changed())) if "bug" not in style]
