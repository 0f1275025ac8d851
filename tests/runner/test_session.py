from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from runner.checkout import Checkout
from runner.errors import RunnerError
from runner.jobs.plan import Parameters
from runner.machine.machine import this_machine
from runner.results.session import Session, read_sessions, save_session, start_session

if TYPE_CHECKING:
    from pathlib import Path


def session(root: Path) -> Session:
    return start_session(
        Checkout(root), seed=7, timeout_s=1, parameters=Parameters(), graphs=[], machine=this_machine(), toolchain={}
    )


def test_a_session_comes_back_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_PROC_BIND", "close")
    started = session(tmp_path)
    save_session(started, tmp_path)
    assert read_sessions(tmp_path) == [started]
    assert started.environment["OMP_PROC_BIND"] == "close"
    assert [file.name for file in (tmp_path / "sessions").iterdir()] == [f"{started.id}.json"]


def test_the_commit_is_known_inside_a_repository_only(tmp_path: Path) -> None:
    assert (session(tmp_path).commit, session(tmp_path).dirty) == (None, None)
    git = ["git", "-C", tmp_path, "-c", "user.name=n", "-c", "user.email=e"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-qm", "first", "--allow-empty"], check=True)
    assert len(session(tmp_path).commit or "") == 40
    assert session(tmp_path).dirty is False
    (tmp_path / "new").write_text("")
    assert session(tmp_path).dirty is True


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("in the way")
    with pytest.raises(RunnerError, match=r"cannot write to .*sessions: File exists"):
        save_session(session(tmp_path), tmp_path)
