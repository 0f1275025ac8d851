"""What kernels take of a multiprocessor, from made-up answers of nvcc."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.errors import UserError
from runner.checkout import Checkout
from runner.errors import RunnerError
from runner.kernels import MULTIPROCESSORS, Kernel, kernels_of

if TYPE_CHECKING:
    from pathlib import Path

BFS = "bfs-cuda-vertex-topology-push-rmw-nondet-persistent-thread-atomic-i32"
NVCC = r"""#!/bin/sh
if [ "$1" = --version ]; then echo "release 13.0, V13.0.1"; exit; fi
while [ "$1" != --keep-dir ]; do shift; done
cat >"$2/program.ptx" <<END
.visible .entry _ZN12_GLOBAL__N_15relaxE5State(
	.param .b8 _ZN12_GLOBAL__N_15relaxE5State_param_0[64]
)
{
.visible .entry _Z4scanIiEvT_(
	.param .u32 _Z4scanIiEvT__param_0
)
.maxntid 1024, 1, 1
END
cat >&2 <<END
ptxas info    : Compiling entry function '_ZN12_GLOBAL__N_15relaxE5State' for 'sm_90a'
ptxas info    : Function properties for _ZN12_GLOBAL__N_15relaxE5State
    0 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers
ptxas info    : Compiling entry function '_Z4scanIiEvT_' for 'sm_90a'
ptxas info    : Function properties for _Z4scanIiEvT_
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 32 bytes smem
END
"""


def test_kernels_are_told_by_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nvcc = tmp_path / "nvcc"
    nvcc.write_text(NVCC, encoding="utf-8")
    nvcc.chmod(0o755)
    monkeypatch.setenv("NVCC", str(nvcc))
    assert kernels_of(Checkout(tmp_path), BFS) == [
        Kernel("relax", threads=256, registers=40, shared=0, spilled=8, occupancy=0.75),
        Kernel("scan", threads=1024, registers=32, shared=32, spilled=0, occupancy=1),
    ]
    nvcc.write_text(NVCC.replace("while", "echo no room >&2; exit 1\nwhile"), encoding="utf-8")
    with pytest.raises(RunnerError, match="does not compile: no room"):
        kernels_of(Checkout(tmp_path), BFS)
    monkeypatch.setenv("NVCC", str(tmp_path / "nowhere"))
    with pytest.raises(RunnerError, match="nvcc not found"):
        kernels_of(Checkout(tmp_path), BFS)


def test_only_programs_for_gpus_have_kernels(tmp_path: Path) -> None:
    with pytest.raises(RunnerError, match="has no kernels"):
        kernels_of(Checkout(tmp_path), "bfs-cpp-edge-topology-push-rmw-nondet-cyclic-i32")
    with pytest.raises(UserError, match=r"forbidden by rule 'pull-has-one-writer' \(.*\): a pulled vertex .*Indigo2"):
        kernels_of(Checkout(tmp_path), BFS.replace("push", "pull"))


@pytest.mark.parametrize(
    ("capability", "threads", "registers", "shared", "blocks"),
    [
        (90, 256, 32, 0, 8),  # registers for all threads
        (90, 256, 48, 0, 5),
        (90, 128, 73, 1000, 6),
        (90, 32, 16, 0, 32),  # as many blocks as there may be
        (80, 256, 32, 40_000, 4),  # shared memory, and what the system takes of it
        (75, 1024, 64, 0, 1),
        (86, 256, 40, 0, 6),
    ],
)
def test_blocks_are_as_many_as_nvidia_counts(
    capability: int, threads: int, registers: int, shared: int, blocks: int
) -> None:
    """The numbers are those of cuda_occupancy.h, of CUDA 13.0."""
    assert MULTIPROCESSORS[capability].blocks_of(threads, registers, shared) == blocks
