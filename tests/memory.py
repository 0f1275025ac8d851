"""What tests remember from one run to the next, below build/tests: results, by the content that decides them.

A key is a hash of all that a result follows from, so what changed is never found. TESTS_FRESH=1, which `make test
FRESH=1` sets, has no verdict remembered; what is compiled or chosen is kept, as the same comes of the same text.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import time
from functools import cache
from typing import TYPE_CHECKING, Any

from filelock import FileLock

from generator.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORK = ROOT / "build" / "tests"
FRESH = os.environ.get("TESTS_FRESH", "") not in ("", "0")
LONG = os.environ.get("TESTS_LONG", "") not in ("", "0")
"""Whether this is `make test-all`, where samples are larger."""
_RESULTS = WORK / "results"
_KEPT_S = 14 * 86400.0


def key_of(*parts: object) -> str:
    """Returns a hash of values that JSON can hold."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:32]


def content_of(path: Path) -> str:
    """Returns a hash of a file's content."""
    status = path.stat()
    return _content_of(path, status.st_mtime_ns, status.st_size)


@cache
def _content_of(path: Path, _changed: int, _size: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def version_of(command: str) -> str:
    """Returns what a compiler says of its version; nothing if there is none."""
    if shutil.which(command) is None:
        return ""
    return subprocess.run([command, "--version"], capture_output=True, text=True, check=False).stdout


def recall(key: str) -> Any:
    """Returns what was kept under a key, or None."""
    return None if FRESH else _read(key)


def _read(key: str) -> Any:
    path = _RESULTS / key[:2] / key
    if not path.is_file():
        return None
    os.utime(path.parent)  # it is in use
    return json.loads(path.read_text(encoding="utf-8"))


def keep(key: str, value: object) -> None:
    """Keeps a value that JSON can hold."""
    path = _RESULTS / key[:2] / key
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(f".{os.getpid()}")
    temporary.write_text(json.dumps(value), encoding="utf-8")
    temporary.replace(path)


def worked_out_once(key: str, work_out: Callable[[], Any]) -> Any:
    """Returns what was kept under a key, or works it out while other processes wait for that; it is no verdict."""
    _RESULTS.mkdir(parents=True, exist_ok=True)
    with FileLock(_RESULTS / f"{key}.lock"):
        value = _read(key)
        if value is None:
            value = work_out()
            keep(key, value)
    return value


def forget_old(folder: Path) -> None:
    """Removes entries of a folder that nobody has used for two weeks."""
    if folder.is_dir():
        for entry in folder.iterdir():
            if time.time() - entry.stat().st_mtime > _KEPT_S:
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink(missing_ok=True)
