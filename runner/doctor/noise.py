"""Checks of what makes timings noisy: other work, moving clocks, a share of a machine instead of all of it."""

import os
import time
from pathlib import Path

import psutil

from runner.doctor.check import Check, Level, expect
from runner.errors import warn
from runner.machine.conditions import cpu_governor, gpu_neighbours, observe_gpu

_MAX_LOAD = 0.5  # of all CPUs
_MAX_NEIGHBOUR = 0.2  # of one CPU
_WATCH_S = 0.3  # how long other processes are watched


def warn_if_busy() -> str | None:
    """Says on stderr if other work will disturb what is to be timed; returns the load, or None if it will not."""
    found = _load()
    if found.level is Level.OK:
        return None
    warn(f"this machine is busy: load {found.finding}; {found.advice}")
    return found.finding


def check_noise() -> list[Check]:
    """Checks everything; what this system does not tell is left out."""
    checks = [_load(), _neighbours(), _quota(), _governor(), _gpu_neighbours(), _gpu_clocks()]
    return [check for check in checks if check is not None]


def _load() -> Check:
    load, cpus = psutil.getloadavg()[0], len(os.sched_getaffinity(0))
    return expect(
        load <= _MAX_LOAD * cpus,
        "load",
        f"{load:.2f} on {cpus} CPUs",
        "timings will be noisy: stop what else is running",
    )


def _neighbours() -> Check:
    """Looks for processes that use a CPU while we do nothing."""
    before = _cpu_seconds()
    time.sleep(_WATCH_S)
    after = _cpu_seconds()
    shares = {key: (after[key] - before[key]) / _WATCH_S for key in before.keys() & after.keys()}
    busy = sorted((share, name) for (pid, name), share in shares.items() if share > _MAX_NEIGHBOUR)
    named = ", ".join(f"{name} uses {share:.0%} of a CPU" for share, name in reversed(busy[-3:]))
    return expect(not busy, "neighbours", named or "no process is busy", "timings will be noisy: stop them")


def _cpu_seconds() -> dict[tuple[int, str], float]:
    processes = psutil.process_iter(["pid", "name", "cpu_times"])
    return {
        (process.info["pid"], process.info["name"]): process.info["cpu_times"].user + process.info["cpu_times"].system
        for process in processes
        if process.info["cpu_times"] and process.info["pid"] != os.getpid()
    }


def _quota() -> Check | None:
    """Holds the CPU time that a container may use against the CPUs that it sees."""
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text(encoding="ascii").split()
    except (OSError, ValueError):
        return None
    visible = len(os.sched_getaffinity(0))
    granted = visible if quota == "max" else int(quota) / int(period)
    return expect(
        granted >= visible,
        "CPU quota",
        f"{granted:g} of {visible} CPUs",
        f"a container is slowed down beyond that: use --threads {max(1, int(granted))} or raise its limit",
    )


def _governor() -> Check | None:
    governor = cpu_governor()
    if governor is None:
        return None
    advice = "CPU clocks will move: `sudo cpupower frequency-set -g performance`"
    return expect(governor == "performance", "CPU governor", governor, advice)


def _gpu_neighbours() -> Check | None:
    count = gpu_neighbours()
    if count is None:
        return None
    finding = f"{count} other processes hold memory on it" if count else "nobody else uses it"
    return expect(count == 0, "GPU neighbours", finding, "timings will be noisy: see `nvidia-smi`")


def _gpu_clocks() -> Check | None:
    gpu = observe_gpu()
    if gpu is None:
        return None
    finding = f"{gpu.sm_mhz} MHz, memory {gpu.memory_mhz} MHz, {gpu.temperature_c} degrees"
    reasons = ", ".join(gpu.throttle_reasons or ())
    return expect(
        not reasons,
        "GPU clocks",
        finding + (f", held down by {reasons}" if reasons else ""),
        "see `nvidia-smi -q -d PERFORMANCE`",
    )
