from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from runner.doctor import diagnosis, noise
from runner.doctor.check import Check, Level
from runner.doctor.diagnosis import diagnose, render

ROOT = Path(__file__).parents[2]


def checks() -> dict[str, Check]:
    return {check.subject: check for check in diagnose(ROOT)}


def levels() -> dict[str, Level]:
    return {subject: check.level for subject, check in checks().items()}


@pytest.fixture(autouse=True)
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """No compiler of a model that a test is not about, since to start one takes long, and no noise."""
    monkeypatch.setenv("NVCC", "no-nvcc")
    monkeypatch.setattr(diagnosis, "check_noise", list)


@pytest.mark.compile
def test_this_machine_can_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "g++")
    found = levels()
    assert found["g++"] is found["make"] is found["OpenMP"] is Level.OK
    assert found["OpenMP atomic compare"] is not Level.FAIL  # g++ 11 builds all programs without it


def test_without_tools_there_is_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = checks()
    assert {found[name].level for name in ("make", "compilers")} == {Level.FAIL}
    assert found["GPU"].level is Level.WARN
    assert all(check.advice for check in found.values() if check.level is not Level.OK)


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def commands() -> dict[Path, str]:
    return {file: file.read_text() for file in (ROOT / "build").glob("*.command")}


NVCC = "echo 'Cuda compilation tools, release 13.0, V13.0.88'"


@pytest.mark.parametrize(
    ("variable", "value", "subject", "said"),
    [
        ("CXX", "/nonexistent", "/nonexistent", "not found"),
        ("CXX", "./old", "./old", "version 9.4.0 is too old"),
        ("CXXFLAGS", "-march=bogus", "C++", "bogus"),
        ("NVCC", "/nonexistent", "nvcc", "not found"),
        ("CUDA_ARCH", "sm_70", "CUDA", "Unsupported gpu architecture 'sm_70'"),
        ("NVCC_APPEND_FLAGS", "-bogus", "CUDA", "unknown flag -bogus"),
    ],
)
def test_what_the_build_would_use_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, subject: str, said: str
) -> None:
    if variable.startswith(("CUDA", "NVCC_")):
        refusal = (
            'case "$*" in *sm_70*) echo "nvcc fatal   : Unsupported gpu architecture \'sm_70\'" >&2; exit 1;; esac'
        )
        refusal += "\ncase \"$*\" in *-bogus*) echo 'nvcc fatal   : unknown flag -bogus' >&2; exit 1;; esac"
        monkeypatch.setenv("NVCC", script(tmp_path / "nvcc", f"{NVCC}\n{refusal}"))
    monkeypatch.setenv("CXX", "g++")
    monkeypatch.setenv(variable, script(tmp_path / "old", "echo 9.4.0") if value == "./old" else value)
    before = commands()
    found = checks()
    check = found[str(tmp_path / "old") if value == "./old" else subject]
    assert check.level is (Level.FAIL if variable.startswith("CXX") else Level.WARN)
    assert said in check.finding
    assert check.advice
    assert commands() == before  # or all programs would be built again


def test_a_busy_machine_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noise.psutil, "getloadavg", lambda: (1000.0, 0.0, 0.0))
    assert {check.subject: check.level for check in noise.check_noise()}["load"] is Level.WARN


def test_a_process_that_computes_is_named() -> None:
    burner = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        check = noise._neighbours()
    finally:
        burner.kill()
        burner.wait()
    assert check.level is Level.WARN
    assert "of a CPU" in check.finding


def test_one_line_a_check() -> None:
    assert render(Check(Level.OK, "make", "4.3")).plain == "ok   make: 4.3"
    assert render(Check(Level.FAIL, "g++", "not found", "install it")).plain == "fail g++: not found; install it"
