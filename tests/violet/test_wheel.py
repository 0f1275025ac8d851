"""Violet as others install it: from a wheel, into an empty environment, used in a folder of one's own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from generator.paths import ROOT

UV = Path(sys.executable).with_name("uv")


@pytest.mark.long
@pytest.mark.compile
def test_an_installed_violet_solves_a_graph_anywhere(tmp_path: Path) -> None:
    away, home = tmp_path / "away", tmp_path / "home"
    away.mkdir()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    environment |= {"XDG_CACHE_HOME": str(home)}

    def run(*words: object) -> str:
        done = subprocess.run(
            [*map(str, words)], cwd=away, env=environment, capture_output=True, text=True, timeout=900, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    run(UV, "build", "--quiet", "--wheel", "--out-dir", tmp_path, ROOT)
    run(UV, "venv", "--quiet", "--python", sys.executable, tmp_path / "empty")
    (wheel,) = tmp_path.glob("*.whl")
    run(UV, "pip", "install", "--quiet", "--python", tmp_path / "empty" / "bin" / "python", wheel)
    violet = tmp_path / "empty" / "bin" / "violet"
    (away / "my.el").write_text("0 1\n1 2\n3 4\n")
    assert "cc-cpp-" in run(violet, "choose", "connected", "my.el", "--model", "cpp")
    assert "verified" in run(violet, "solve", "cc", "my.el", "--model", "cpp", "--budget", "1", "--out", "label.txt")
    assert (away / "label.txt").read_text().split() == ["0", "0", "0", "3", "3"]
    run(
        violet.with_name("python"), "-c", "from generator.manifest import *; assert listed(MANIFEST)"
    )  # findings need it
    assert {path.name for path in away.iterdir()} == {"my.el", "label.txt"}
    assert (home / "violet" / "build").is_dir()
