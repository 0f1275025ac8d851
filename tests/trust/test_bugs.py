"""What counts as finding a planted bug."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from generator.errors import UserError
from trust import bugs
from trust.build import Built
from trust.observe import Observation, Report
from trust.tools import TOOLS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["verifier", "memcheck"])
def test_a_program_that_gives_up_finds_no_bug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    report = Report([Observation("g", "failed", "out of memory")], "")
    monkeypatch.setattr(bugs, "observe", lambda *_, **__: report)
    (tool,) = (each for each in TOOLS if each.name == name)
    style = {"model": "cuda", "algorithm": "tc", "bug": "race"}
    task = bugs._Task(Built(style, {}, tmp_path / "tc", tool), 1, (tmp_path / "g.egr",))
    with pytest.raises(UserError, match="tc gave up on g: out of memory"):
        bugs._measure(task)
    found = replace(tool, finding=re.compile("(race)"))
    report = replace(report, words="race")
    if name != "verifier":
        assert bugs._measure(replace(task, program=replace(task.program, tool=found)))["finding"] == "race"
