"""What a program may use of the machine."""

import resource
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

MAX_FILE_BYTES = 64 << 20  # programs write nothing but a dump when asked; a driver may keep small caches

_MEMORY_SHARE = 0.9  # of the machine, for one program


@dataclass(frozen=True)
class Limits:
    """Bounds of one process; core files are never written, since hundreds of crashes would fill the disk.

    Attributes:
        memory_bytes: of data, that is memory it can write to and shares with nobody; files mapped to be read are free.
        file_bytes: of any file it writes.
    """

    memory_bytes: int | None = None
    file_bytes: int | None = MAX_FILE_BYTES

    def apply(self) -> None:
        """Binds this process and its children to the limits."""
        _lower(resource.RLIMIT_CORE, 0)
        if self.file_bytes is not None:
            _lower(resource.RLIMIT_FSIZE, self.file_bytes)
        if self.memory_bytes is not None:
            _lower(resource.RLIMIT_DATA, self.memory_bytes)


def default_memory_bytes() -> int:
    """Returns most of the memory that this machine, or the container this runs in, has."""
    total = psutil.virtual_memory().total
    with suppress(OSError, ValueError):  # no control group, or "max"
        total = min(total, int(Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii")))
    return int(total * _MEMORY_SHARE)


def _lower(which: int, value: int) -> None:
    """Sets a limit, unless there is a lower one already: without privileges no limit can be raised."""
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(which, (value, value))
