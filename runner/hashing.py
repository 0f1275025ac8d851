"""Content hashes: what makes one job the same as, or another than, a job of an earlier run."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pydantic import JsonValue


def hash_file(path: Path) -> str:
    """Returns the SHA-256 of a file's content, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hash_unless_known(path: Path) -> str:
    """Returns the same; a file that is as it was, by its size and time, is not read again.

    Raises:
        OSError: it cannot be read.
    """
    state = path.stat()
    return _hash_state(path, state.st_size, state.st_mtime_ns)


def has_content(path: Path, sha256: str) -> bool:
    """Whether a file is there and has a content, by its hash."""
    try:
        return hash_unless_known(path) == sha256
    except OSError:
        return False


@cache
def _hash_state(path: Path, size: int, changed_ns: int) -> str:  # noqa: ARG001  # they tell a file from a later one
    return hash_file(path)


def hash_files(paths: Iterable[Path]) -> str:
    """Returns one SHA-256 for the names and contents of several files, whatever their order."""
    return hash_values({path.name: hash_file(path) for path in paths})


def hash_values(values: JsonValue) -> str:
    """Returns the SHA-256 of a JSON value; the order of keys does not matter."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
