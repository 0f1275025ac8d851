"""Folders that only one runner at a time may use."""

from __future__ import annotations

import os
import platform
from contextlib import contextmanager
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from runner.errors import RunnerError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from runner.checkout import Checkout


@contextmanager
def only_writer(results: Path) -> Iterator[None]:
    """Holds a results folder, so that each record is written once.

    Raises:
        RunnerError: another runner holds it, or it cannot be made.
    """
    with _held(results, "is writing to", "wait for it or give another --results"):
        yield


@contextmanager
def only_timer(checkout: Checkout) -> Iterator[None]:
    """Holds a checkout's build folder, so that no two builds mix and no two runners disturb each other's times.

    Raises:
        RunnerError: another runner holds it, or it cannot be made.
    """
    with _held(checkout.build, "is building or timing in", "wait for it, since both would be slower"):
        yield


@contextmanager
def _held(folder: Path, what: str, advice: str) -> Iterator[None]:
    """Holds a folder, made if needed.

    The lock is the system's: it goes with the process that holds it, however that ends, so no lock is ever stale.
    """
    lock = FileLock(folder / ".lock")
    holder = folder / ".lock-holder"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock.acquire(timeout=0)
        holder.write_text(f"process {os.getpid()} on {platform.node()}", encoding="utf-8")
    except Timeout:
        who = holder.read_text(encoding="utf-8") if holder.exists() else "another runner"
        raise RunnerError(f"{who} {what} {folder}: {advice}") from None
    except OSError as error:
        raise RunnerError(f"cannot write to {folder}: {error.strerror}") from None
    try:
        yield
    finally:
        holder.unlink(missing_ok=True)
        lock.release()
