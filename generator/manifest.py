"""The golden list `generated/MANIFEST.csv`: what every program of every config is, by a hash of its text.

It is in the repository, so that a change of templates shows which programs it changes.
"""

import csv
import io
import os
from collections import defaultdict
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from generator.config import every_style
from generator.errors import FileError, UserError
from generator.paths import GENERATED
from generator.render import render
from generator.space import Space, Style, name_of

MANIFEST = GENERATED / "MANIFEST.csv"
DIGITS = 16
"""Of a hash: when 100,000 programs change, that one of them goes unnoticed has odds of 1 : 10^14."""

_HEAD = ["name", "sha256"]
_COMMAND = "python -m generator manifest"


def hashes(space: Space, styles: list[Style], jobs: int = os.cpu_count() or 1) -> dict[str, str]:
    """Returns the first digits of the hash of each style's program, by name and sorted."""
    share = len(styles) // (4 * jobs) + 1
    parts = [styles[first : first + share] for first in range(0, len(styles), share)]
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(space,)) as pool:
        return dict(sorted(pair for part in pool.map(_hashes, parts) for pair in part))


_space: Space
"""Of a process that renders; large, so it is sent once."""


def _begin(space: Space) -> None:
    global _space
    _space = space


def _hashes(styles: list[Style]) -> list[tuple[str, str]]:
    return [(name_of(style), render(_space, style).sha256[:DIGITS]) for style in styles]


def current(space: Space) -> dict[str, str]:
    """Returns what the manifest should hold: name and hash of every program of every config in configs/."""
    return hashes(space, every_style(space))


def listed(path: Path) -> dict[str, str]:
    """Returns what a manifest holds.

    Raises:
        UserError: it is not there, or not a manifest.
    """
    if not path.is_file():
        raise UserError(f"{path}: is missing; run {_COMMAND}")
    text = path.read_text(encoding="utf-8")
    head, *rows = list(csv.reader(io.StringIO(text))) or [[]]
    if head != _HEAD:
        raise FileError(path, text, f"is no list of {' and '.join(_HEAD)}; run {_COMMAND}", line=1)
    for number, row in enumerate(rows, start=2):
        if len(row) != len(_HEAD):
            raise FileError(path, text, f"holds no {' and '.join(_HEAD)}; run {_COMMAND}", line=number)
    return dict(rows)


def shown(programs: Mapping[str, str]) -> str:
    """Returns the text of a manifest."""
    return "".join(f"{','.join(row)}\n" for row in (_HEAD, *programs.items()))


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Returns a line for each kind of programs that are new, gone or changed: how many there are, and one of them.

    A kind is an algorithm and a model.
    """
    changes = {
        "new": sorted(after.keys() - before.keys()),
        "gone": sorted(before.keys() - after.keys()),
        "changed": sorted(name for name in before.keys() & after.keys() if before[name] != after[name]),
    }
    lines = []
    for change, names in changes.items():
        kinds: defaultdict[str, list[str]] = defaultdict(list)
        for name in names:
            kinds[" ".join(name.split("-", 2)[:2])].append(name)
        lines += [f"{change:<7} {kind:<17} {len(some):>5}, such as {some[0]}" for kind, some in kinds.items()]
    return lines
