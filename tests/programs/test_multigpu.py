"""Compiles all programs of multigpu.toml for GPUs; the emulator runs a sample of them (test_multigpu_emulated.py)."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from generator.config import covering
from generator.output import render_all
from generator.paths import ROOT, TEMPLATES
from generator.runtime import write_runtime
from generator.space import load_space, name_of
from tests.configs import chosen, selected
from tests.memory import LONG, WORK
from tests.programs.device_code import NVCC, compile_device_code
from tests.selection import todays, with_changed

if TYPE_CHECKING:
    from pathlib import Path

    from generator.render import Program
    from generator.space import Style


pytestmark = pytest.mark.turns(4, 0)

SPACE = load_space()
OPTIMISED = chosen("optimised", lambda: covering(selected("multigpu"), 1))
STYLES = with_changed(
    selected("multigpu") if LONG else todays(OPTIMISED),
    lambda styles: [style for style in styles if style["model"] == "multigpu"],
)
OPTIMISED = OPTIMISED if LONG else todays(OPTIMISED)


@pytest.fixture(scope="module")
def programs() -> list[Program]:
    return render_all(SPACE, STYLES, jobs=2)


@pytest.fixture(scope="module")
def device_code(programs: list[Program]) -> dict[str, tuple[int, str]]:
    if not NVCC:
        pytest.skip("needs nvcc to compile programs for several GPUs")
    optimised = [program for program in programs if program.style in OPTIMISED]
    others = [program for program in programs if program.style not in OPTIMISED]
    return compile_device_code(SPACE, others, WORK / "multigpu-device") | compile_device_code(
        SPACE, optimised, WORK / "multigpu-optimised", optimised=True
    )


def test_all_launches_name_a_stream(programs: list[Program]) -> None:
    """What is in the default stream follows nothing that is in the stream of its part."""
    texts = {program.name: program.text for program in programs}
    texts |= {header.name: header.read_text() for header in (TEMPLATES / "runtime").glob("*.cuh")}
    launches = [
        (name, each) for name, text in texts.items() for each in re.findall(r"<<<.*?>>>", text, flags=re.DOTALL)
    ]
    assert len(launches) > len(programs)
    assert [(name, each) for name, each in launches if not each.endswith(", stream>>>")] == []


@pytest.mark.compile
@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_device_code_for_several_gpus_compiles_without_a_warning(
    style: Style, device_code: dict[str, tuple[int, str]]
) -> None:
    assert device_code[name_of(style)] == (0, "")


@pytest.mark.compile
@pytest.mark.skipif(not NVCC, reason="needs nvcc")
def test_the_benchmark_of_rounds_compiles(tmp_path: Path) -> None:
    source, runtime = ROOT / "benchmarks" / "rounds_by_flags.cu", write_runtime(tmp_path)
    command = [NVCC, "-std=c++20", "-arch=sm_90", "-cubin", f"-I{runtime}", source, "-o", "/dev/null"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")
