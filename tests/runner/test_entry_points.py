from __future__ import annotations

import runpy
import signal
import sys
import tomllib
from pathlib import Path

import pytest


class _Interrupts:
    """Finds modules as somebody does who presses Ctrl-C when the command line is loaded."""

    def find_spec(self, name: str, *_: object) -> None:
        if name.endswith(".cli"):
            raise KeyboardInterrupt


@pytest.mark.parametrize("package", ["runner", "analysis", "inputs", "violet"])
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


def test_the_installed_command_begins_there() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert project["project"]["scripts"] == {"violet": "violet.__main__:main"}
