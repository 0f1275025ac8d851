from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from runner.machine import conditions
from runner.machine.conditions import GpuConditions, observe

if TYPE_CHECKING:
    from collections.abc import Iterator


class NoAnswerError(Exception):
    pass


def refuse(_: object) -> int:
    raise NoAnswerError


@pytest.fixture
def nvml(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """NVML in miniature, which does not know the power."""
    fake = SimpleNamespace(
        NVMLError=NoAnswerError,
        NVML_CLOCK_SM=1,
        NVML_CLOCK_MEM=2,
        NVML_TEMPERATURE_GPU=0,
        nvmlInit=lambda: None,
        nvmlDeviceGetHandleByIndex=lambda index: ("index", index),
        nvmlDeviceGetHandleByUUID=lambda identity: ("identity", identity),
        nvmlDeviceGetPowerUsage=refuse,
        nvmlDeviceGetClockInfo=lambda _, which: 1000 * which,
        nvmlDeviceGetTemperature=lambda *_: 40,
        nvmlDeviceGetCurrentClocksThrottleReasons=lambda _: 0b101,
        nvmlClocksThrottleReasonGpuIdle=0b1,
        nvmlClocksThrottleReasonSwPowerCap=0b100,
        nvmlClocksThrottleReasonAll=0b101,
    )
    monkeypatch.setattr(conditions, "_nvml", lambda: fake)
    conditions._gpu_handle.cache_clear()
    yield
    conditions._gpu_handle.cache_clear()


@pytest.mark.usefixtures("nvml")
def test_the_gpu_is_asked_only_where_it_matters() -> None:
    assert observe(gpu=False).gpu is None
    assert observe(gpu=True).gpu == GpuConditions(
        sm_mhz=1000, memory_mhz=2000, temperature_c=40, power_w=None, throttle_reasons=("SwPowerCap",)
    )


def test_nvidia_smi_tells_of_all_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "1980, 2619, 35, 110.25\n345, 2619, [N/A], [N/A]\n"
    monkeypatch.setattr("runner.machine.machine._nvidia_smi", lambda *_: rows)
    assert conditions.observe_gpus() == [
        GpuConditions(sm_mhz=1980, memory_mhz=2619, temperature_c=35, power_w=110.25),
        GpuConditions(sm_mhz=345, memory_mhz=2619),
    ]
    monkeypatch.setattr("runner.machine.machine._nvidia_smi", lambda *_: "")
    assert conditions.observe_gpus() == []


@pytest.mark.usefixtures("nvml")
@pytest.mark.parametrize(
    ("visible", "handle"), [(None, ("index", 0)), ("3,1", ("index", 3)), ("GPU-ab", ("identity", "GPU-ab"))]
)
def test_the_gpu_is_the_one_that_programs_use(
    monkeypatch: pytest.MonkeyPatch, visible: str | None, handle: tuple[str, object]
) -> None:
    if visible is None:
        monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    else:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert conditions._gpu_handle() == handle


@pytest.mark.usefixtures("nvml")
def test_without_nvml_the_rest_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conditions, "_nvml", lambda: None)
    seen = observe(gpu=True)
    assert seen.gpu is None
    assert seen.load_average >= 0
