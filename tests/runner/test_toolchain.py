from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from runner.errors import RunnerError
from runner.machine.toolchain import read_toolchain

if TYPE_CHECKING:
    from tests.runner.conftest import Project


def test_the_build_rules_name_their_compilers(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXXFLAGS", "-O1 -g")
    toolchain = read_toolchain(project.checkout)
    assert sorted(toolchain) == ["cpp", "openmp"]  # there is no nvcc
    assert toolchain["cpp"].version == "1.2.3"
    assert toolchain["openmp"].command.startswith("./fake-cxx -std=c++20 -O1 -g ")
    assert "-fopenmp" in toolchain["openmp"].command


@pytest.mark.parametrize("flags", ["-std=c++17 -O2", "-O2 --std=gnu++98", "-ansi -O2"])
def test_programs_are_built_in_their_own_standard(
    project: Project, monkeypatch: pytest.MonkeyPatch, flags: str
) -> None:
    """Conda asks for another one in CXXFLAGS."""
    monkeypatch.setenv("CXXFLAGS", flags)
    for compiler in read_toolchain(project.checkout).values():
        assert compiler.command.startswith("./fake-cxx -std=c++20 -O2 -Wall ")


@pytest.mark.parametrize(
    "variable", ["NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN", "NVCCFLAGS", "CUDA_ARCH", "CXXFLAGS", "CXX"]
)
def test_whatever_changes_what_is_built_is_in_the_command(
    project: Project, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    """And so in the identity of builds and jobs."""
    nvcc = project.root / "nvcc"
    nvcc.write_text('#!/bin/sh\necho "release 13.0, V13.0.1"\n')
    nvcc.chmod(0o755)
    monkeypatch.setenv("NVCC", "./nvcc")
    before = read_toolchain(project.checkout)
    monkeypatch.setenv(variable, "./fake-cxx -G" if variable == "CXX" else "-G")
    after = read_toolchain(project.checkout)
    model = "cpp" if variable.startswith("CXX") else "cuda"
    assert "-G" in after[model].command
    assert after[model].command != before[model].command


def test_without_make_nothing_works(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RunnerError, match="install GNU make"):
        read_toolchain(project.checkout)
