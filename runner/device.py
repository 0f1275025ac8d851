"""Whether the GPU still works, asked after a program has failed on it: the next program is not to pay for it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from runner.errors import RunnerError
from runner.execute import execute
from runner.records import Record, Status

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_CHECK_TIMEOUT_S = 60.0
_PAUSES_S = (0.0, 5.0, 20.0)  # before each check: a driver may take a while to recover


def is_suspicious(record: Record) -> bool:
    """Whether a program may have left the GPU in a bad state, or found it so."""
    return record.model == "cuda" and record.status in (Status.CRASHED, Status.TIMEOUT, Status.SKIPPED)


def check_gpu(check: Path, suspects: Iterable[Record]) -> None:
    """Have the GPU compute something, again after a pause if it does not.

    Args:
        check: the program that asks; without it nothing is checked.
        suspects: the records that gave rise to doubt.

    Raises:
        RunnerError: it failed three times in a row.
    """
    if not check.exists():
        return
    for pause_s in _PAUSES_S:
        time.sleep(pause_s)
        if execute([str(check)], _CHECK_TIMEOUT_S).exit_code == 0:
            return
    programs = ", ".join(dict.fromkeys(record.program for record in suspects))
    raise RunnerError(
        f"the GPU does not compute any more since {programs}: {len(_PAUSES_S)} checks in a row failed; "
        "reset it (see `nvidia-smi -q`) or restart the machine, then give the same command to go on"
    )
