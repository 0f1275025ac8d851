from __future__ import annotations

import os
import runpy
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]


class _Interrupts:
    """Finds modules as somebody does who presses Ctrl-C when the command line is loaded."""

    def find_spec(self, name: str, *_: object) -> None:
        if name.endswith(".cli"):
            raise KeyboardInterrupt


@pytest.mark.parametrize("package", ["runner", "analysis", "inputs"])
def test_an_interrupt_while_modules_are_loaded_is_no_traceback(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    handler = signal.getsignal(signal.SIGTERM)
    monkeypatch.delitem(sys.modules, f"{package}.cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Interrupts(), *sys.meta_path])
    try:
        with pytest.raises(SystemExit) as end:
            runpy.run_module(package, run_name="__main__")
    finally:
        signal.signal(signal.SIGTERM, handler)
    assert end.value.code == 130


def test_make_takes_paths_with_blanks_and_quotes(tmp_path: Path) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text('#!/bin/sh\nfor word; do echo "$word"; done\n')
    python.chmod(0o755)
    (tmp_path / ".ready").touch()  # newer than what it depends on
    words = ["generate", "figures", "report", f"VENV={tmp_path}", "CONFIG=my 'own.toml", 'RESULTS=my "own', "JOBS=1"]
    command = [shutil.which("make") or "make", "-s", *words]
    bare = {"PATH": os.environ["PATH"]}  # without what the make above has exported, if there is one
    done = subprocess.run(command, cwd=REPOSITORY, env=bare, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        *("-m", "generator", "generate", "my 'own.toml"),
        *("-m", "analysis", "figure", 'my "own', "--out", 'my "own/figures'),
        *("-m", "analysis", "report", 'my "own', "--out", 'my "own/report', "--jobs", "1"),
    ]


def test_make_is_told_which_programs() -> None:
    """They are the ones that are built and run, not the list that `clean` removes."""
    command = [shutil.which("make") or "make", "-n", "run", "clean", "PROGRAMS=bfs-* cc-*", "GRAPHS=karate"]
    bare = {"PATH": os.environ["PATH"]}
    said = subprocess.run(command, cwd=REPOSITORY, env=bare, capture_output=True, text=True, check=True).stdout
    assert "-m runner run --graphs karate --programs 'bfs-*' 'cc-*' --results" in said
    assert said.splitlines()[-1].startswith("rm -rf ")
    assert said.splitlines()[-1].endswith(" generated/programs.csv")
