from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from runner.doctor import noise
from runner.doctor.check import Check, Level
from runner.doctor.doctor import diagnose, render

if TYPE_CHECKING:
    from pathlib import Path


def levels(directory: Path) -> dict[str, Level]:
    return {check.subject: check.level for check in diagnose(directory)}


@pytest.mark.compile
def test_this_machine_can_build(tmp_path: Path) -> None:
    found = levels(tmp_path)
    assert found["g++"] is found["make"] is found["OpenMP"] is Level.OK
    assert found["OpenMP atomic compare"] is not Level.FAIL  # g++ 11 builds all programs without it


def test_without_tools_there_is_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    checks = {check.subject: check for check in diagnose(tmp_path)}
    assert {checks[name].level for name in ("make", "g++", "OpenMP")} == {Level.FAIL}
    assert {checks[name].level for name in ("OpenMP atomic compare", "nvcc", "GPU")} == {Level.WARN}
    assert all(check.advice for check in checks.values() if check.level is not Level.OK)


def test_an_old_compiler_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = tmp_path / "g++"
    compiler.write_text("#!/bin/sh\necho 9.4.0\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert levels(tmp_path)["g++"] is Level.FAIL


def test_a_busy_machine_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noise.psutil, "getloadavg", lambda: (1000.0, 0.0, 0.0))
    assert levels(tmp_path)["load"] is Level.WARN


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
    text = render([Check(Level.OK, "make", "4.3"), Check(Level.FAIL, "g++", "not found", "install it")])
    assert text.plain == "ok   make: 4.3\nfail g++: not found; install it\n"
