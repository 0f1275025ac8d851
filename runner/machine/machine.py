"""What a result was measured on."""

import csv
import os
import platform
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import psutil
from pydantic import BaseModel, ConfigDict, computed_field

from runner.hashing import hash_values

_GPU_FIELDS = ("name", "memory.total", "driver_version", "compute_cap", "index", "uuid")


class Gpu(BaseModel):
    """One NVIDIA GPU."""

    model_config = ConfigDict(frozen=True)

    name: str
    memory_mib: str
    driver: str
    compute_capability: str


class Machine(BaseModel):
    """The parts of a machine that decide how fast programs run on it."""

    model_config = ConfigDict(frozen=True)

    cpu: str
    cores: int
    cpu_threads: int
    memory_gib: int
    gpus: tuple[Gpu, ...]
    cuda: str | None

    @computed_field  # type: ignore[prop-decorator]  # mypy refuses decorated properties; pydantic documents this
    @property
    def fingerprint(self) -> str:
        """Short name of this kind of machine; times are comparable only where it is the same.

        The memory is left out: some virtual machines grow theirs as it is used, and stay the machine they were.
        """
        return hash_values(self.model_dump(mode="json", exclude={"fingerprint", "memory_gib"}))[:12]


def this_machine() -> Machine:
    """Describes the machine this runs on."""
    threads = psutil.cpu_count() or 1
    return Machine(
        cpu=_cpu_name(),
        cores=psutil.cpu_count(logical=False) or threads,
        cpu_threads=threads,
        memory_gib=round(psutil.virtual_memory().total / 2**30),
        gpus=_gpus(),
        cuda=_cuda_version(),
    )


def _cpu_name() -> str:
    try:
        cpuinfo = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        cpuinfo = ""
    found = re.search(r"^model name\s*:\s*(.+)$", cpuinfo, re.MULTILINE)
    return found[1] if found else platform.processor() or platform.machine()


def _gpus() -> tuple[Gpu, ...]:
    """Returns the GPUs that CUDA programs started from here can see."""
    rows = query_gpus(_GPU_FIELDS)
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
    chosen = [row for row in rows if not set(visible).isdisjoint(row[4:])]  # none: it is unset, or names parts of GPUs
    return tuple(
        Gpu(name=name, memory_mib=memory, driver=driver, compute_capability=capability)
        for name, memory, driver, capability, *_ in chosen or rows
    )


def query_gpus(fields: Sequence[str]) -> list[list[str]]:
    """Returns what `nvidia-smi` says of every GPU, a row each, whether programs can see it or not."""
    table = _nvidia_smi(f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits")
    return list(csv.reader(table.splitlines(), skipinitialspace=True))


def _cuda_version() -> str | None:
    """Returns the newest CUDA that the driver supports."""
    found = re.search(r"CUDA Version\s*:\s*([\d.]+)", _nvidia_smi())
    return found[1] if found else None


def _nvidia_smi(*arguments: str) -> str:
    """Returns what nvidia-smi prints, nothing where there is no GPU or no answer."""
    try:
        command = ["nvidia-smi", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout
