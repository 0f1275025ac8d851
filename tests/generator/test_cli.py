from __future__ import annotations

import csv
import io
import resource
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import pytest

from generator.__main__ import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BFS = "bfs-openmp-vertex-topology-{}-nondet-default-i32"


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def generator(*arguments: object) -> Done:
    """Runs a command in this process: to start another takes as long as most commands."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["generator", *map(str, arguments)])
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    return Done(code, out.getvalue(), err.getvalue())


def started(*arguments: object, preexec_fn: Callable[[], None] | None = None) -> Done:
    """Runs a command in a process of its own."""
    command = [sys.executable, "-m", "generator", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=preexec_fn)
    return Done(done.returncode, done.stdout, done.stderr)


def test_list_prints_names_or_the_columns_of_the_space() -> None:
    names = generator("list", "quick").stdout.splitlines()
    rows = list(csv.DictReader(io.StringIO(generator("list", "quick", "--format", "csv").stdout)))
    assert [row["name"] for row in rows] == names
    wanted = (
        "model algorithm iteration driver worklist flow update determinism persistence granularity atomics schedule"
    )
    assert set(wanted.split()) <= set(rows[0])


def test_explain_describes_every_axis_or_names_the_rule() -> None:
    good = generator("explain", BFS.format("push-rmw"))
    assert good.returncode == 0
    assert "push" in good.stdout
    assert "Indigo2, 2.4" in good.stdout
    bad = generator("explain", BFS.format("pull-rmw"))
    assert bad.returncode == 2
    assert "pull-has-one-writer" in bad.stderr


def test_diff_shows_what_a_style_changes() -> None:
    result = generator("diff", BFS.format("push-rmw"), BFS.format("push-rw"))
    assert result.returncode == 0
    changed = [line for line in result.stdout.splitlines() if line[0] in "+-"]
    assert any("atomic_min" in line for line in changed if line.startswith("-"))
    assert any("atomic_store" in line for line in changed if line.startswith("+"))
    code = generator("diff", "--code-only", BFS.format("push-rmw"), BFS.format("push-rw")).stdout.splitlines()
    assert [line for line in changed if not line[1:].startswith("//")] == [line for line in code if line[0] in "+-"]


def test_generate_fills_a_directory(tmp_path: Path) -> None:
    result = generator("generate", "quick", "--out", tmp_path)
    assert result.returncode == 0
    assert len(list(tmp_path.glob("*/*/*-?32.c*"))) == len(generator("list", "quick").stdout.splitlines())
    assert (tmp_path / "runtime" / "violet.hpp").is_file()


def test_generate_refuses_a_folder_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("mine")
    result = generator("generate", "quick", "--out", tmp_path)
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert str(tmp_path) in result.stderr
    assert [path.name for path in tmp_path.rglob("*")] == ["thesis", "chapter.tex"]


@pytest.mark.parametrize(
    "arguments",
    [("list", "nothing"), ("explain", "nonsense"), ("diff", "a", "b"), ("generate", "quick", "--out", f"{__file__}/x")],
)
def test_a_mistake_is_one_line_and_no_traceback(arguments: tuple[str, ...]) -> None:
    result = generator(*arguments)
    assert result.returncode == (4 if arguments[0] == "generate" else 2)
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.turns(4)
@pytest.mark.parametrize(("words", "file"), [("generate quick", ".generated-files"), ("export", "include/{}.h")])
def test_a_file_that_cannot_be_written_is_named(
    words: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")  # Python keeps the first bytes of what it has no room for
    name = BFS.format("push-rmw")
    words += f" {name}" if words == "export" else ""
    no_room = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (1000, 1000))  # bytes of a file
    result = started(*words.split(), "--out", tmp_path / "out", preexec_fn=no_room)
    wanted = tmp_path / "out" / file.format(name.replace("-", "_"))
    assert (result.returncode, result.stderr) == (4, f"error: {wanted}: File too large\n")
    assert generator(*words.split(), "--out", tmp_path / "out").returncode == 0  # when there is room again
