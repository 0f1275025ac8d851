"""What searches of `solve` found, one a line of a file."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from runner.best.measured import Measured, for_real_weights, read_measured, read_own
from runner.checkout import MEASUREMENTS
from runner.errors import warn

if TYPE_CHECKING:
    from pathlib import Path

    from runner.checkout import Checkout

_SEARCH = TypeAdapter(Measured)


def read_searches(file: Path) -> list[Measured]:
    """Returns what searches found before; a line that is damaged is left out, with a warning that names it."""
    found = []
    try:
        lines = file.read_bytes().split(b"\n") if file.exists() else []
    except OSError as error:
        warn(f"{file}: left out, cannot be read: {error.strerror}")
        return []
    for number, line in enumerate(lines, start=1):
        try:
            found += [_SEARCH.validate_json(line)] if line else []
        except ValidationError as error:
            problem = error.errors()[0]
            where = "".join(f"{part} " for part in problem["loc"])
            warn(f"{file}:{number}: left out, not a search: {where}{problem['msg']}")
    return found


def all_measured(checkout: Checkout, results: Path | None = None, *, real_weights: bool = False) -> list[Measured]:
    """Returns the committed measurements, the records in a folder, and what earlier searches found.

    Args:
        checkout: has the searches.
        results: the folder.
        real_weights: whether they are for a graph with such: few programs were measured with them, so those that are
            the same but for whole weights stand for others.
    """
    mine = [] if results is None else read_own(results)
    found = [*read_measured(MEASUREMENTS), *mine, *read_searches(checkout.searches)]
    return list(map(for_real_weights, found)) if real_weights else found


def remember_search(file: Path, found: Measured) -> None:
    """Appends what a search found, on a line of its own also after one that was cut off; warns if that fails."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("ab+") as lines:
            if lines.tell():
                lines.seek(-1, 2)
            begin = b"" if lines.read(1) in (b"", b"\n") else b"\n"
            lines.write(begin + json.dumps(asdict(found), default=sorted).encode() + b"\n")
    except OSError as error:
        warn(f"{file}: the search is not remembered: {error.strerror}")
