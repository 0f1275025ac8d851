"""One command for all: what it is made of is loaded when it is called, and mistakes end in a line."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from inputs.formats import egr
from inputs.graph import from_edges
from violet import cli

if TYPE_CHECKING:
    from pathlib import Path

SLOW = {"rich", "pydantic", "numpy", "pandas", "pyarrow", "scipy", "matplotlib", "jinja2", "psutil", "requests"}
"""What takes long to load, and so is for commands that need it, once they do."""


def loaded_by(code: str, *words: str) -> set[str]:
    """Returns which of the slow packages a process loads."""
    code = f"import atexit, sys; atexit.register(lambda: print(*sys.modules)); {code}"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    return SLOW & set(done.stdout.splitlines()[-1].split())


def test_help_loads_nothing_that_takes_long() -> None:
    assert loaded_by("from violet.cli import main; main()", "--help") == set()


def test_commands_load_what_takes_long_when_they_are_called() -> None:
    assert loaded_by(f"import {', '.join({each.module for each in cli._COMMANDS.values()})}") == set()


def test_a_graph_is_told_before_what_takes_longest_is_loaded(tmp_path: Path) -> None:
    graph = tmp_path / "g.egr"
    egr.write(from_edges(2, np.array([0]), np.array([1])), graph)
    code = f"from runner.cli import _open; _open({str(graph)!r})"
    assert loaded_by(code) <= {"pydantic", "numpy"}
    code = "from violet.cli import main; main()"
    assert not loaded_by(code, "choose", "cc", str(graph), "--model", "cpp") & {"pandas", "matplotlib"}


@pytest.mark.parametrize("name", list(cli._COMMANDS))
def test_each_command_is_there_under_its_one_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([name, "--help"])
    assert end.value.code == 0
    assert f"sage: violet {name} " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["solv"], 2, "Did you mean 'solve'?"),
        (["explain", "bsf-openmp"], 2, "did you mean 'bfs'"),
        (["graphs", "get", "karat"], 2, "did you mean karate?"),
        (["graphs", "info", "nope.egr"], 3, "nope.egr: No such file or directory"),
        (["records", "nowhere", "out.csv"], 2, "nowhere"),
    ],
)
def test_a_mistake_is_one_line_and_an_exit_code(
    words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(words)
    assert end.value.code == code
    assert said in capsys.readouterr().err


def test_lists_of_words_are_as_a_shell_gives_them(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["run", "--graphs", "nope.egr", "neither.egr", "--no-build"])
    assert "unexpected" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("violet expl", {"explain"}),
        ("violet solve hi", {"hits"}),
        ("violet best ss", {"sssp"}),
        ("violet choose a", {"all"}),
        ("violet choose bfs rmat-1", {"rmat-10", "rmat-16", "rmat-10-directed", "rmat-16-directed"}),
        ("violet graphs get kara", {"karate"}),
        ("violet list qui", {"quick"}),
        ("violet graphs conv", {"convert"}),
    ],
)
def test_a_shell_completes_commands_and_what_they_take(
    typed: str, offered: set[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_VIOLET_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))
    with pytest.raises(SystemExit):
        cli.main([])
    assert set(capsys.readouterr().out.split()) == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_is_told_how_to_complete(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_VIOLET_COMPLETE", f"source_{shell}")
    with pytest.raises(SystemExit) as end:
        cli.main([])
    assert end.value.code == 0
    assert "_VIOLET_COMPLETE" in capsys.readouterr().out
