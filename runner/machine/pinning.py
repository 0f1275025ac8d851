"""Where the threads of CPU programs may run: what OMP_PROC_BIND and OMP_PLACES mean, for C++ threads.

OpenMP programs get the two variables, C++ programs the CPUs of each thread in VIOLET_PLACES, chosen by the same rules.
"""

from __future__ import annotations

import os
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TOPOLOGY = Path("/sys/devices/system/cpu")


class ProcBind(StrEnum):
    """Values of OMP_PROC_BIND."""

    FALSE = "false"
    TRUE = "true"
    PRIMARY = "primary"
    CLOSE = "close"
    SPREAD = "spread"


class Places(StrEnum):
    """Values of OMP_PLACES."""

    THREADS = "threads"
    CORES = "cores"
    SOCKETS = "sockets"


def pin(proc_bind: ProcBind, places: Places, threads: int) -> Mapping[str, str]:
    """Returns the environment variables that pin so many threads on this machine, for programs of both models."""
    variables = {"OMP_PROC_BIND": str(proc_bind), "OMP_PLACES": str(places)}
    if proc_bind is not ProcBind.FALSE:
        assigned = assign(proc_bind, find_places(places), threads)
        variables["VIOLET_PLACES"] = ";".join(",".join(map(str, place)) for place in assigned)
    return variables


def assign(proc_bind: ProcBind, places: Sequence[Sequence[int]], threads: int) -> list[Sequence[int]]:
    """Returns the place of each thread, the first one being on the first place.

    With more threads than places, neighbours share one. `true`, which leaves the choice open, is taken as `close`.

    Source:
        OpenMP Application Programming Interface, version 5.2, Section 10.1.3.
    """
    if proc_bind is ProcBind.PRIMARY:
        return [places[0]] * threads
    if proc_bind is ProcBind.SPREAD or threads > len(places):
        return [places[thread * len(places) // threads] for thread in range(threads)]
    return list(places[:threads])


def find_places(kind: Places) -> list[list[int]]:
    """Returns the CPUs that this process may use, those of a core next to each other, by places of a kind."""
    located = sorted((*_locate(cpu), cpu) for cpu in os.sched_getaffinity(0))
    depth = {Places.SOCKETS: 1, Places.CORES: 2, Places.THREADS: 3}[kind]
    return [[cpu for *_, cpu in group] for _, group in groupby(located, lambda place: place[:depth])]


def _locate(cpu: int) -> tuple[int, int]:
    """Returns the socket and the core of a CPU; each is a core of its own where the system does not say."""
    topology = _TOPOLOGY / f"cpu{cpu}" / "topology"
    try:
        return int((topology / "physical_package_id").read_text()), int((topology / "core_id").read_text())
    except (OSError, ValueError):
        return 0, cpu
