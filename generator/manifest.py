"""The golden list `generated/MANIFEST.csv`: what every program of every config is, by a hash of its text.

It is in the repository, so that a change of templates shows which programs it changes.
"""

import csv
import io
import json
import os
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from generator import algorithms, config, errors, paths, tables
from generator import space as space_module
from generator.config import every_style
from generator.errors import FileError, UserError
from generator.files import replace_text
from generator.hooks import digest
from generator.output import of_rendered
from generator.paths import ALGORITHMS, CONFIGS, SHARE, workspace
from generator.render import Program, decided_by
from generator.space import Space, Style, name_of

MANIFEST = SHARE / "generated" / "MANIFEST.csv"
KEPT = workspace() / "build" / "manifest.json"
"""What was rendered: the hash of a program by that of what decides it, and which programs there are."""
DIGITS = 16
"""Of a hash: when 100,000 programs change, that one of them goes unnoticed has odds of 1 : 10^14."""

_HEAD = ["name", "sha256"]
_COMMAND = "python -m generator manifest"


def hashes(
    space: Space, styles: list[Style], jobs: int = os.cpu_count() or 1, known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Returns the first digits of the hash of each style's program, by name and sorted; of those known, unrendered."""
    return {name: known_as for name, _, known_as in _hashes(space, styles, jobs, known or {})}


def _hashes(space: Space, styles: list[Style], jobs: int, known: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Returns name, hash of what decides it, and hash of each style's program, sorted."""
    decided = [decided_by(space, style) for style in styles]  # processes that render find the templates read
    unknown = [style for style, what in zip(styles, decided, strict=True) if what not in known]
    rendered = dict(of_rendered(space, unknown, jobs, _name_and_hash))
    names = map(name_of, styles)
    return sorted((name, what, known.get(what) or rendered[name]) for name, what in zip(names, decided, strict=True))


def _name_and_hash(program: Program) -> tuple[str, str]:
    return program.name, program.sha256[:DIGITS]


def current(space: Space, jobs: int = os.cpu_count() or 1) -> dict[str, str]:
    """Returns what the manifest should hold: name and hash of every program of every config in configs/.

    Programs that nothing has changed for since the last time are not rendered again.
    """
    kept = _kept()
    selection = what_selects()
    known = kept.get("selection") == selection
    styles = [*map(space.spelled, kept["names"])] if known else every_style(space)
    found = _hashes(space, styles, jobs, kept.get("programs", {}))
    names = [name_of(style) for style in styles]
    programs = {decided: hash_of_text for _, decided, hash_of_text in found}
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    replace_text(KEPT, json.dumps({"selection": selection, "names": names, "programs": programs}))
    return {name: hash_of_text for name, _, hash_of_text in found}


@cache
def what_selects() -> str:
    """Returns a hash of all that decides what configs select: they, the manifests of algorithms, and who reads them."""
    code = [Path(module.__file__ or "") for module in (algorithms, config, errors, paths, space_module, tables)]
    files = [*CONFIGS.glob("*.toml"), *ALGORITHMS.glob("*/algorithm.toml"), *code]
    return digest(f"{path}\0{path.read_text(encoding='utf-8')}" for path in sorted(files))


def _kept() -> dict[str, Any]:
    with suppress(OSError, ValueError):
        kept = json.loads(KEPT.read_text(encoding="utf-8"))
        if isinstance(kept, dict):
            return kept
    return {}


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
