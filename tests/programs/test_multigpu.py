"""Compiles all programs of multigpu.toml for GPUs; the emulator runs a sample of them (test_multigpu_emulated.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.output import render_all
from generator.space import load_space, name_of
from tests.programs.conftest import WORK
from tests.programs.device_code import NVCC, compile_device_code
from tests.selection import selected

if TYPE_CHECKING:
    from generator.space import Style

SPACE = load_space()
STYLES = selected("multigpu")


@pytest.fixture(scope="module")
def device_code() -> dict[str, tuple[int, str]]:
    if not NVCC:
        pytest.skip("needs nvcc to compile programs for several GPUs")
    return compile_device_code(SPACE, render_all(SPACE, STYLES, jobs=2), WORK / "multigpu-device")


@pytest.mark.compile
@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_device_code_for_several_gpus_compiles_without_a_warning(
    style: Style, device_code: dict[str, tuple[int, str]]
) -> None:
    assert device_code[name_of(style)] == (0, "")
