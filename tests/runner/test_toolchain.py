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


def test_without_make_nothing_works(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RunnerError, match="install GNU make"):
        read_toolchain(project.checkout)
