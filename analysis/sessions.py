"""The circumstances of the runs behind results: what the runner keeps in ``sessions/*.json`` of a results directory."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

PUBLIC = (
    "id",
    "started",
    "seed",
    "timeout_s",
    "parameters",
    "graphs",
    "machine",
    "toolchain",
    "environment",
    "python",
    "commit",
    "dirty",
)
"""What results need to be understood. The rest, such as the name of the host, is nobody's business but the owner's."""

_ABSOLUTE = re.compile(r"(^|[\s:,=]|(?<!\S)-\w)(/[^\s:,=]+)")  # alone, one of several, or behind an option as in -I/usr


def read(roots: Iterable[Path]) -> list[dict[str, Any]]:
    """Returns the sessions below the given directories, oldest first; what is no session is left out."""
    found = (_parse(file.read_bytes()) for root in roots for file in sorted(root.rglob("sessions/*.json")))
    return sorted((session for session in found if session), key=lambda session: str(session.get("id")))


def export(sessions: Sequence[Mapping[str, Any]], results: Path) -> Path:
    """Writes what is public of sessions beside an exported results file: ``NAME.sessions.json``.

    Args:
        sessions: As ``read`` returns them.
        results: The exported file.

    Returns:
        The file written.
    """
    target = results.with_suffix(".sessions.json")
    target.write_text(json.dumps([public(session) for session in sessions], indent=2) + "\n", encoding="utf-8")
    return target


def public(session: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what may be published of a session: the fields in ``PUBLIC``, of absolute paths the last part."""
    return {field: _without_folders(session[field]) for field in PUBLIC if field in session}


def _without_folders(value: Any) -> Any:
    """Returns a value in whose texts only the last part of every absolute path is left."""
    if isinstance(value, Mapping):
        return {name: _without_folders(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_without_folders(inner) for inner in value]
    if isinstance(value, str):
        return _ABSOLUTE.sub(lambda found: found[1] + PurePosixPath(found[2]).name, value)
    return value


def _parse(content: bytes) -> dict[str, Any] | None:
    try:
        session = json.loads(content)
    except ValueError:
        return None
    return session if isinstance(session, dict) else None
