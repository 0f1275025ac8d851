import pytest

from runner.errors import RunnerError
from runner.machine.toolchain import read_toolchain


def test_the_build_rules_name_their_compilers(project, monkeypatch):
    monkeypatch.setenv("CXXFLAGS", "-O1 -g")
    toolchain = read_toolchain(project.checkout)
    assert sorted(toolchain) == ["cpp", "openmp"]  # there is no nvcc
    assert toolchain["cpp"].version == "1.2.3"
    assert toolchain["openmp"].command.startswith("./fake-cxx -std=c++20 -O1 -g ")
    assert "-fopenmp" in toolchain["openmp"].command


def test_without_make_nothing_works(project, monkeypatch):
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RunnerError, match="install GNU make"):
        read_toolchain(project.checkout)
