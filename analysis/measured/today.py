"""Whether what was measured is what the templates say today: records tell the hash of a program's text and headers."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.errors import UserError
from generator.manifest import DIGITS, MANIFEST, listed
from generator.render import render
from generator.runtime import included, runtime_files
from generator.space import load_space

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_NUMBERING = frozenset({"algorithms.hpp"})
"""What numbers algorithms: another one changes no program."""


def has_text_of_today(record: Mapping[str, Any]) -> bool | None:
    """Tells whether the text of a record's program is what would be written today; None if the record does not tell.

    Args:
        record: With `program` and `source_sha256`, as `records` reads them.
    """
    known = record.get("source_sha256")
    return None if known is None else known == _text_of_today(record["program"])


def has_headers_of_today(record: Mapping[str, Any], session: Mapping[str, Any]) -> bool | None:
    """Tells whether all headers that a program includes, and those that these include, are as they were.

    But for what only numbers algorithms.

    Args:
        record: With `includes`, as `records` reads them.
        session: Of the record, with `headers`.
    """
    includes, then = record.get("includes"), session.get("headers")
    if includes is None or not then:
        return None
    now = _headers_of_today()
    return all(name in now and then.get(name) == now[name] for name in _closure(includes) - _NUMBERING)


def count(records: Iterable[Mapping[str, Any]], sessions: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """Counts records: `all`, `known`, which tell the text of their program, `text` of today, and `headers`, too."""
    by_id, found = {session.get("id"): session for session in sessions}, Counter[str]()
    for record in records:
        same = has_text_of_today(record)
        found.update({"all": 1, "known": same is not None, "text": bool(same)})
        found["headers"] += bool(same and has_headers_of_today(record, by_id.get(record["session"], {})))
    return found


@cache
def _text_of_today(name: str) -> str | None:
    """Returns the hash of a program, None if there is none of this name; the few of no config are not listed."""
    if name in (known := _listed()):
        return known[name]
    space = load_space()
    try:
        style = space.parse(name)
    except UserError:
        return None
    return None if space.forbidden_by(style) else render(space, style).sha256[:DIGITS]


@cache
def _listed() -> Mapping[str, str]:
    return listed(MANIFEST)


@cache
def _texts() -> Mapping[str, str]:
    return {path.as_posix(): text for path, text in runtime_files().items()}


@cache
def _headers_of_today() -> Mapping[str, str]:
    return {name: hashlib.sha256(text.encode()).hexdigest()[:DIGITS] for name, text in _texts().items()}


@cache
def _closure(includes: str) -> frozenset[str]:
    """Returns the headers that are named, separated by blanks, and all that they include."""
    found: set[str] = set()
    left = includes.split()
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            beside = Path(name).parent
            for other in included(_texts().get(name, "")):
                left.append(other if other in _texts() else (beside / other).as_posix())
    return frozenset(found)
