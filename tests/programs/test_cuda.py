"""Compiles a pairwise-covering sample of the CUDA programs and, where there is a GPU, verifies it on tiny graphs."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.config import covering_pairs
from generator.space import Style, load_space, name_of
from tests.programs.conftest import build, run_on

STYLES = covering_pairs(style for style in load_space().styles() if style["model"] == "cuda")
NVIDIA_SMI = shutil.which("nvidia-smi")
GPU = NVIDIA_SMI is not None and subprocess.run([NVIDIA_SMI], capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module")
def binary() -> Callable[[Style], Path]:
    if not shutil.which("nvcc"):
        pytest.skip("needs nvcc to compile CUDA programs")
    return build(STYLES, "cuda")


@pytest.mark.compile
@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_a_cuda_program_compiles_without_a_warning(style: Style, binary: Callable[[Style], Path]) -> None:
    assert binary(style)


@pytest.mark.gpu
@pytest.mark.skipif(not GPU, reason="needs an NVIDIA GPU")
@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_a_cuda_program_is_right(style: Style, binary: Callable[[Style], Path], tiny_graphs: list[Path]) -> None:
    assert all(report["verified"] is True for report in run_on(binary(style), tiny_graphs))
