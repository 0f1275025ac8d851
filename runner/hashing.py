"""Content hashes: what makes one job the same as, or another than, a job of an earlier run."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pydantic import JsonValue


def hash_file(path: Path) -> str:
    """Returns the SHA-256 of a file's content, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hash_files(paths: Iterable[Path]) -> str:
    """Returns one SHA-256 for the names and contents of several files, whatever their order."""
    return hash_values({path.name: hash_file(path) for path in paths})


def hash_values(values: JsonValue) -> str:
    """Returns the SHA-256 of a JSON value; the order of keys does not matter."""
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()
