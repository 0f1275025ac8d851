from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

    from tests.runner.conftest import Project


def move_sessions_to(project: Project, host: str, fingerprint_of: str) -> None:
    """Pretend that what has been measured so far was measured on another host, with another CPU."""
    for path in (project.results / "sessions").iterdir():
        session = json.loads(path.read_text())
        session["host"] = host
        session["machine"]["cpu"] = fingerprint_of
        path.write_text(json.dumps(session))


def states(project: Project) -> dict[str, int]:
    _, out, _ = project.command("status", "--json")
    return {f"{row['machine'][:4]} {row['state']}": row["jobs"] for row in json.loads(out)}


def test_other_hosts_are_shown_as_they_were_and_this_one_only_if_it_was_used(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.add("bfs-cpp-a")
    monkeypatch.setattr("runner.machine.machine._cpu_name", lambda: "another CPU")
    project.sweep()
    (other,) = {line["machine"][:4] for line in project.lines()}
    move_sessions_to(project, "elsewhere", "another CPU")
    monkeypatch.undo()
    monkeypatch.chdir(project.root)
    monkeypatch.setenv("CXX", "./fake-cxx")
    assert states(project) == {f"{other} done": 1}
    project.add("bfs-cpp-b")
    assert states(project) == {f"{other} done": 1, f"{other} missing": 1}
    project.sweep(programs=("bfs-cpp-b",))
    (here,) = {line["machine"][:4] for line in project.lines()} - {other}
    assert states(project) == {f"{other} done": 1, f"{other} missing": 1, f"{here} done": 1, f"{here} missing": 1}
    _, out, _ = project.command("status")
    assert "machine" in out


def test_this_host_counts_as_it_is_now(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.add("bfs-cpp-a")
    project.sweep()
    monkeypatch.setattr("runner.machine.machine._cpu_name", lambda: "a new CPU")
    assert list(states(project).values()) == [1]
    assert next(iter(states(project))).endswith("missing")
