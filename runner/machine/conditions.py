"""The state of the machine at the end of a job: what may explain that a time is odd."""

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import psutil
from pydantic import BaseModel, ConfigDict

from runner.machine.machine import query_gpus

_POLICY = Path("/sys/devices/system/cpu/cpufreq/policy0")
_CPUINFO_HEAD = 4096  # bytes; the first CPU is in there, and to ask all of them would disturb them


class GpuConditions(BaseModel):
    """What NVML says of the GPU; None where it does not say."""

    model_config = ConfigDict(frozen=True)

    sm_mhz: int | None = None
    memory_mhz: int | None = None
    temperature_c: int | None = None
    power_w: float | None = None
    throttle_reasons: tuple[str, ...] | None = None


class Conditions(BaseModel):
    """The state of the machine just after a job."""

    model_config = ConfigDict(frozen=True)

    load_average: float
    cpu_mhz: float | None = None
    cpu_governor: str | None = None
    gpu: GpuConditions | None = None


def observe(*, gpu: bool) -> Conditions:
    """Looks at the machine now; `gpu` says whether the GPU matters. Takes about a millisecond."""
    return Conditions(
        load_average=psutil.getloadavg()[0],
        cpu_mhz=_cpu_mhz(),
        cpu_governor=cpu_governor(),
        gpu=observe_gpu() if gpu else None,
    )


def cpu_governor() -> str | None:
    """Returns the policy by which the system chooses the frequency of the first CPU."""
    return _read(_POLICY / "scaling_governor")


def observe_gpu() -> GpuConditions | None:
    """Asks NVML about the GPU that programs use; None without NVML or GPU."""
    nvml, handle = _nvml(), _gpu_handle()
    if handle is None:
        return None
    milliwatts = _ask(lambda: nvml.nvmlDeviceGetPowerUsage(handle))
    reasons = _ask(lambda: nvml.nvmlDeviceGetCurrentClocksThrottleReasons(handle))
    return GpuConditions(
        sm_mhz=_ask(lambda: nvml.nvmlDeviceGetClockInfo(handle, nvml.NVML_CLOCK_SM)),
        memory_mhz=_ask(lambda: nvml.nvmlDeviceGetClockInfo(handle, nvml.NVML_CLOCK_MEM)),
        temperature_c=_ask(lambda: nvml.nvmlDeviceGetTemperature(handle, nvml.NVML_TEMPERATURE_GPU)),
        power_w=None if milliwatts is None else milliwatts / 1000,
        throttle_reasons=None if reasons is None else _name_reasons(reasons),
    )


def observe_gpus() -> list[GpuConditions]:
    """Asks nvidia-smi, which is there wherever a driver is, about every GPU; takes a tenth of a second each."""
    names = ("sm_mhz", "memory_mhz", "temperature_c", "power_w")
    rows = query_gpus(("clocks.sm", "clocks.mem", "temperature.gpu", "power.draw"))
    found = [dict(zip(names, row, strict=False)) for row in rows]
    return [GpuConditions.model_validate({name: _number(word) for name, word in row.items()}) for row in found]


def _number(word: str) -> float | None:
    """Returns the number that a word is; None for one such as [N/A]."""
    with suppress(ValueError):
        return float(word)
    return None


def _name_reasons(mask: int) -> tuple[str, ...]:
    """Returns the names of the bits that NVML has set, such as `SwPowerCap`; idling is no reason to worry."""
    prefix = "nvmlClocksThrottleReason"
    names = {
        value: name.removeprefix(prefix)
        for name, value in vars(_nvml()).items()
        if name.startswith(prefix) and isinstance(value, int) and value.bit_count() == 1
    }
    return tuple(sorted(name for bit, name in names.items() if mask & bit and name != "GpuIdle"))


def gpu_neighbours() -> int | None:
    """Returns how many processes hold memory on the GPU; None without NVML or GPU."""
    handle = _gpu_handle()
    if handle is None:
        return None
    processes = _ask(lambda: _nvml().nvmlDeviceGetComputeRunningProcesses(handle))
    return None if processes is None else len(processes)


@cache
def _nvml() -> Any:
    """Returns NVML's module, or None: it is optional, and takes a while to import."""
    try:
        import pynvml
    except ImportError:
        return None
    return pynvml


@cache
def _gpu_handle() -> Any:
    nvml = _nvml()
    if nvml is None:
        return None
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]
    with suppress(nvml.NVMLError):
        nvml.nvmlInit()
        if first.isdigit():
            return nvml.nvmlDeviceGetHandleByIndex(int(first))
        return nvml.nvmlDeviceGetHandleByUUID(first)
    return None


def _ask(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except _nvml().NVMLError:  # this GPU does not tell
        return None


def _cpu_mhz() -> float | None:
    khz = _read(_POLICY / "scaling_cur_freq")
    if khz:
        return int(khz) / 1000
    with suppress(OSError, ValueError, IndexError), Path("/proc/cpuinfo").open("rb", buffering=0) as file:
        return float(file.read(_CPUINFO_HEAD).split(b"cpu MHz")[1].split(b":")[1].split()[0])
    return None


def _read(path: Path) -> str | None:
    try:
        return path.read_text(encoding="ascii").strip()
    except OSError:
        return None
