"""The command line, from results to what a user sees."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.__main__ import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line; returns exit code, stdout and stderr."""

    def run_main(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["analysis", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        return int(stop.value.code or 0), *capsys.readouterr()

    return run_main


@pytest.fixture
def results(
    record: Callable[..., dict[str, Any]],
    programs: Callable[..., Any],
    planted: Callable[..., Any],
    write: Callable[..., Path],
) -> Path:
    """OpenMP programs in which push is twice as fast."""
    seconds = planted({"push": 2.0})
    return write([record(name, seconds(name.split("-"))) for name in programs(models=("openmp",))])


def test_figures_and_a_table(run: Run, results: Path, tmp_path: Path) -> None:
    code, out, _ = run("figure", results, "--axis", "flow", "--out", tmp_path / "figures")
    assert code == 0
    names = {"overview.png", "overview.svg", "push-over-pull.png", "push-over-pull.svg"}
    assert {path.name for path in (tmp_path / "figures").iterdir()} == names
    assert all(str(tmp_path / "figures" / name) in out for name in names)
    (row,) = (line for line in out.splitlines() if "push over pull" in line)
    cells = [cell.strip() for cell in row.split("│")][1:-1]
    assert cells[:2] == ["push over pull", "Figure 5"]
    assert float(cells[3]) == pytest.approx(2.0, rel=0.1)
    assert cells[-1] == "push"


def test_export_and_best(run: Run, results: Path, tmp_path: Path) -> None:
    parquet = tmp_path / "compact.parquet"
    code, out, _ = run("export", results, parquet)
    assert (code, "jobs" in out) == (0, True)
    assert run("best", results)[1] == run("best", parquet)[1]
    _, out, _ = run("best", parquet, "--algorithm", "cc")
    assert "cc-openmp-" in out
    assert "bfs-openmp-" not in out


def test_only_large_graphs_and_only_one_format(run: Run, results: Path, tmp_path: Path) -> None:
    figures = tmp_path / "figures"
    command = ("figure", results, "--axis", "flow", "--out", figures, "--format", "png", "--min-edges")
    assert run(*command, 1_000_000)[0] == 0
    assert {path.suffix for path in figures.iterdir()} == {".png"}
    code, _, err = run(*command, 1_000_001)
    assert (code, "no graph has 1000001 edges" in err) == (1, True)


def test_export_takes_along_what_is_public_of_the_sessions(run: Run, results: Path, tmp_path: Path) -> None:
    (results / "sessions").mkdir()
    session = {"id": "s1", "host": "secret", "command_line": ["secret"], "python": "3.12.3"}
    (results / "sessions" / "s1.json").write_text(json.dumps(session))
    code, out, _ = run("export", results, tmp_path / "data" / "compact.parquet")
    beside = tmp_path / "data" / "compact.sessions.json"
    assert (code, str(beside) in out) == (0, True)
    assert json.loads(beside.read_text()) == [{"id": "s1", "python": "3.12.3"}]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["figure", "RESULTS", "--axis", "drivr"], "unknown axis 'drivr'; did you mean 'driver'?"),
        (["figure", "RESULTS", "--axis", "granularity"], "no pairs"),
        (["figure", "RESULTS", "--axis", "flow", "--by", "weather"], "no 'weather' in common"),
        (["best", "RESULTS", "--graph", "gird"], "unknown graph 'gird'; did you mean 'grid'?"),
        (["best", "EMPTY"], "no results in"),
        (["export", "ABSENT", "x.parquet"], "no such file or directory"),
    ],
)
def test_users_errors_are_one_line(
    run: Run, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    places = {"RESULTS": results, "EMPTY": tmp_path / "empty", "ABSENT": tmp_path / "absent"}
    code, out, err = run(*(places.get(argument, argument) for argument in arguments))
    assert (code, out) == (1, "")
    assert message in err
    assert err.count("\n") == 1


def test_torn_lines_are_told_and_do_no_harm(run: Run, results: Path) -> None:
    with (results / "results.jsonl").open("a") as file:
        file.write('{"program": "bfs-')
    code, _, err = run("best", results)
    assert code == 0
    assert err.startswith("warning: ")
    assert "left out 1 of" in err
