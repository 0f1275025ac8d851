"""Compiles a pairwise-covering sample of the CUDA programs and, where there is a GPU, verifies it on tiny graphs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from generator.config import covering, first_of_each
from generator.output import render_all
from generator.runtime import write_runtime
from generator.space import Style, load_space, name_of
from inputs.catalogue import ensure
from tests.configs import chosen, selected, united
from tests.memory import LONG, WORK
from tests.programs.conftest import run_on
from tests.programs.device_code import NVCC, compile_device_code
from tests.programs.store import Binaries, build
from tests.selection import todays, with_changed

if TYPE_CHECKING:
    from collections.abc import Iterable


pytestmark = pytest.mark.turns(4, 1)

SPACE = load_space()


def of_cuda(styles: Iterable[Style]) -> list[Style]:
    """Returns the styles of programs for one GPU."""
    return [style for style in styles if style["model"] == "cuda"]


NVIDIA_SMI = shutil.which("nvidia-smi")
GPU = NVIDIA_SMI is not None and subprocess.run([NVIDIA_SMI], capture_output=True, check=False).returncode == 0
PAIRS = 2 if GPU or LONG else 1  # the emulator runs others
STYLES = with_changed(
    todays(
        chosen(f"styles {PAIRS}", lambda: covering(of_cuda([*selected("fast"), *SPACE.styles()]), PAIRS)),
        1 if GPU else 3,
    ),
    of_cuda,
)

# Where nothing can run, host code, which takes most of the time, is compiled of a few: the emulator compiles that
# of many others.
FEW = [style for axis in ("algorithm", "fusion") for style in first_of_each(STYLES, [axis])] if LONG else STYLES[:2]
WHOLE = STYLES if GPU else united(FEW)


@pytest.fixture(scope="module")
def binary() -> Binaries:
    if not NVCC:
        pytest.skip("needs nvcc to compile CUDA programs")
    return build(WHOLE)


@pytest.fixture(scope="module")
def device_code() -> dict[str, tuple[int, str]]:
    """What the compiler says of the device code of each program."""
    if not NVCC:
        pytest.skip("needs nvcc to compile CUDA programs")
    programs = render_all(SPACE, [style for style in STYLES if style not in WHOLE], jobs=2)
    return compile_device_code(SPACE, programs, WORK / "cuda-device")


@pytest.mark.compile
@pytest.mark.parametrize("style", WHOLE, ids=name_of)
def test_a_cuda_program_compiles_without_a_warning(style: Style, binary: Binaries) -> None:
    assert Path(binary(style)).is_file()


@pytest.mark.compile
@pytest.mark.parametrize("style", [style for style in STYLES if style not in WHOLE], ids=name_of)
def test_device_code_compiles_without_a_warning(style: Style, device_code: dict[str, tuple[int, str]]) -> None:
    assert device_code[name_of(style)] == (0, "")


@pytest.mark.gpu
@pytest.mark.skipif(not GPU, reason="needs an NVIDIA GPU")
@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_a_cuda_program_is_right(style: Style, binary: Binaries, tiny_graphs: list[Path]) -> None:
    deep = ensure("road-16k", WORK / "graphs")  # its trees and searches are: what comes too late is seen
    run_on(binary(style), [*tiny_graphs, deep])


@pytest.mark.compile
@pytest.mark.skipif(not NVCC, reason="needs nvcc to compile CUDA programs")
def test_the_light_header_of_cuda_atomics_gives_the_code_of_the_full_one(tmp_path: Path) -> None:
    runtime = write_runtime(tmp_path / "runtime")
    light = """
        #include "cuda_atomic.cuh"
        template <typename T> __global__ void kernel(T* x) {
          cuda::atomic_ref<T, cuda::thread_scope_device>(x[0]).fetch_add(x[1], cuda::memory_order_relaxed);
          cuda::atomic_ref<T, cuda::thread_scope_block>(x[2]).fetch_add(x[3]);
          cuda::atomic_ref(x[4]).store(cuda::atomic_ref(x[5]).load());
          cuda::atomic_ref(x[6]).compare_exchange_strong(x[7], x[8], cuda::memory_order_relaxed);
        }
        template __global__ void kernel(int*);
        template __global__ void kernel(double*);
        __global__ void integers(int* x, unsigned* y, long long* z) {
          cuda::atomic_ref(x[0]).fetch_min(x[1]);
          cuda::atomic_ref(y[0]).fetch_add(cuda::atomic_ref(x[2]).exchange(x[3]));
          cuda::atomic_ref(z[0]).fetch_min(z[1]);
        }
    """

    def code(source: Path) -> str:
        path = tmp_path / "kernels.cu"
        path.write_text(source)
        subprocess.run([NVCC, "-std=c++20", "-arch=sm_90", f"-I{runtime}", "-ptx", path], cwd=tmp_path, check=True)
        return re.sub(r"^//.*", "", (tmp_path / "kernels.ptx").read_text(), flags=re.MULTILINE)

    ptx = code(light)
    assert ptx.count("atom.") > 6
    assert ptx == code(light.replace('"cuda_atomic.cuh"', "<cuda/atomic>"))
