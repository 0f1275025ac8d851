"""A file of tests is left out only if nothing that decides about it has changed."""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

import generator.render
from generator.paths import ROOT
from generator.render import render
from generator.space import load_space
from tests import reads, texts
from tests.children.sitecustomize import CHILDREN
from tests.memory import key_of
from tests.notes import VARIABLE, heard_by_children
from tests.programs.store import text_of
from tests.selection import today

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


README = ROOT / "README.md"
SPACE = load_space()
PROGRAM = "bfs-openmp-vertex-topology-push-rmw-nondet-default-i32"


@pytest.fixture
def noted(listening: reads.Reads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[str]]]:
    """Notes what is read during a test in a file of its own."""
    notes = tmp_path / "notes"
    notes.touch()
    listening._seen.clear()
    monkeypatch.setenv(VARIABLE, str(notes))
    monkeypatch.setenv("PYTHONPATH", CHILDREN)
    yield lambda: [reads._relative(line) or line for line in notes.read_text().splitlines()]
    monkeypatch.delenv(VARIABLE)


@pytest.fixture(scope="module")
def listening() -> reads.Reads:
    return reads.Reads()


def run(code: str, *, through: str = "") -> None:
    """Runs Python, by another Python if that is asked for."""
    words = [sys.executable, "-c", code]
    if through:
        words = [sys.executable, "-c", f"import subprocess, sys; subprocess.run({words!r}, check=True)"]
    subprocess.run(words, check=True, cwd=ROOT)


@pytest.mark.parametrize("through", ["", "another"])
def test_what_a_child_reads_is_noted(noted: Callable[[], list[str]], through: str) -> None:
    run("open('README.md').close(); import inputs.hashing", through=through)
    assert {"README.md", "inputs/hashing.py", "inputs/__init__.py"} <= {*noted()}


def test_what_a_test_reads_and_lists_is_noted(noted: Callable[[], list[str]]) -> None:
    README.read_text()
    list((ROOT / "docs").iterdir())
    assert {"README.md", "docs"} <= {*noted()}


def test_who_renders_depends_on_the_program_and_where_that_is_another_one_on_templates(
    noted: Callable[[], list[str]],
) -> None:
    style = SPACE.parse(PROGRAM)
    render(SPACE, style)
    assert [each for each in noted() if each.startswith(("program ", "templates"))] == [f"program {PROGRAM}"]
    render(SPACE, style, traced=True)
    assert "templates" in noted()


def test_a_template_that_is_no_program_s_is_noted_whoever_has_read_it_before(noted: Callable[[], list[str]]) -> None:
    generator.render.environment().get_template("export/Makefile.jinja")
    assert "templates/export/Makefile.jinja" in noted()


@pytest.mark.parametrize("changed", ["space", "style", "env", "templates"])
def test_a_program_of_other_templates_or_another_space_is_not_known_by_its_name(
    changed: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    space, env = SPACE, generator.render.environment()
    style = space.parse(PROGRAM)
    assert reads._is_known(space, style, env)
    if changed == "templates":
        monkeypatch.setattr(generator.render, "TEMPLATES", tmp_path)
    space = dataclasses.replace(space) if changed == "space" else space
    env = generator.render.new_environment() if changed == "env" else env
    style = {**style, "flow": "none"} if changed == "style" else style
    assert not reads._is_known(space, style, env)


def test_who_compiles_may_depend_on_the_runtime(noted: Callable[[], list[str]]) -> None:
    subprocess.run([shutil.which("make") or "", "--version"], check=True, capture_output=True)
    assert {"templates/runtime", "templates/algorithms", "runner/build.mk"} <= {*noted()}


def test_who_takes_a_text_depends_on_it_and_not_on_templates(
    noted: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    style = SPACE.parse(PROGRAM)
    text_of(style)
    text_of(style)
    assert noted() == [f"program {PROGRAM}"] * 2
    before = reads._state_of_program(PROGRAM)
    monkeypatch.setattr(texts, "decided_by", lambda *_: "another")
    monkeypatch.setattr(texts, "_rendered", lambda name: dataclasses.replace(render(SPACE, style), text=name))
    monkeypatch.setattr(texts, "keep", lambda *_: None)
    assert reads._state_of_program(PROGRAM) not in (None, before)
    assert reads._state_of_program(f"{PROGRAM}-gone") is None


def test_of_programs_that_changed_a_sample_takes_those_of_its_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads, "changed", lambda: frozenset({"bfs-cuda-edge", "cc-cpp-edge"}))
    assert reads._changed_like([f"program {PROGRAM}"]) == key_of([])
    assert reads._changed_like(["program mst-cpp-vertex", "docs"]) == key_of(["cc-cpp-edge"])
    assert reads._changed_like(["templates"]) == key_of(["bfs-cuda-edge", "cc-cpp-edge"])


def test_git_tells_of_the_repository_where_it_is_asked_there(noted: Callable[[], list[str]], tmp_path: Path) -> None:
    git = shutil.which("git") or ""
    subprocess.run([git, "--version"], check=True, capture_output=True, cwd=tmp_path)
    assert "." not in noted()
    subprocess.run([git, "--version"], check=True, capture_output=True, cwd=ROOT)
    assert "." in noted()


@pytest.mark.parametrize("environment", [{}, {"PYTHONPATH": CHILDREN}])
def test_a_child_that_cannot_tell_may_have_read_all(
    noted: Callable[[], list[str]], environment: dict[str, str]
) -> None:
    subprocess.run([sys.executable, "-c", ""], check=True, env=environment)
    assert "." in noted()


def test_a_child_of_another_environment_can_tell(noted: Callable[[], list[str]]) -> None:
    code = "open('README.md').close(); import inputs.hashing"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, env=heard_by_children(PATH=""))
    assert {"README.md", "inputs/hashing.py"} <= {*noted()}
    assert "." not in noted()


def test_imports_lead_on() -> None:
    found = reads._closure("tests/test_reads.py")
    assert {"tests/reads.py", "generator/render.py", "generator/layout.py"} <= found
    assert not {"analysis/__main__.py", "tests/conftest.py"} & found


@pytest.mark.parametrize(
    ("file", "module"),
    [
        ("inputs/test_hashing.py", "generator/space.py"),
        ("runner/test_locks.py", "tests/selection.py"),  # or all of the runner's run anew every day
        ("analysis/compared/test_pairs.py", "tests/selection.py"),
    ],
)
def test_imports_of_the_harness_decide_about_nobody(file: str, module: str) -> None:
    assert module not in reads._closure(f"tests/{file}")


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A repository of one file of tests that has passed, and has read a file and listed a folder."""
    monkeypatch.setattr(reads, "ROOT", tmp_path)
    monkeypatch.setattr(reads, "WORK", tmp_path / "build")
    monkeypatch.setattr(reads, "_PASSED", tmp_path / "build" / "passed")
    _forget()
    for name in ("tests/test_one.py", "docs/read.md", "generator/one.py", "docs/other.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "tests" / "test_one.py").write_text("import generator.one\n")
    notes = reads._notes_of(tmp_path / "tests" / "test_one.py")
    notes.parent.mkdir(parents=True)
    notes.write_text(f"{tmp_path}/docs/read.md\n{tmp_path}/docs/\n")
    reads.remember(tmp_path / "tests" / "test_one.py", 3, took=1.25)
    yield tmp_path
    _forget()


def _forget() -> None:
    for cached in (reads._relative, reads._state_of, reads._closure, reads._imports, reads._is_file):
        cached.cache_clear()


def test_a_file_of_which_nothing_is_due_is_left_out_until_tomorrow(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = elsewhere / "tests" / "test_two.py"
    file.write_text("import pytest\n\npytestmark = pytest.mark.turns(4)\n")
    reads.remember(file, 0, took=0.0)
    assert reads.remembered() == {"tests/test_one.py": 3, "tests/test_two.py": 0}
    assert reads.seconds() == {elsewhere / "tests" / "test_one.py": 1.2, file: 0.0}
    monkeypatch.setattr(reads, "today", lambda: today() + 1)
    assert reads.remembered() == {"tests/test_one.py": 3}


@pytest.mark.parametrize(
    ("changed", "runs"),
    [
        ("docs/other.md", False),
        ("docs/read.md", True),
        ("docs/new.md", True),
        ("generator/one.py", True),
        ("generator/other.py", False),
        ("tests/test_one.py", True),
        ("uv.lock", True),
    ],
)
def test_what_has_changed_runs_again(elsewhere: Path, changed: str, runs: bool) -> None:
    assert reads.remembered() == {"tests/test_one.py": 3}
    (elsewhere / changed).write_text("# changed\n")
    _forget()
    assert (reads.remembered() == {}) == runs
    assert json.loads(next((elsewhere / "build" / "passed").iterdir()).read_text())["tests"] == 3
