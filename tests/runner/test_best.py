from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from runner.best.best import copy_winner
from runner.jobs.programs import read_programs

if TYPE_CHECKING:
    from tests.runner.conftest import Project


@pytest.fixture
def programs(project: Project) -> Project:
    """Three programs of BFS: slow, fast and wrong; and one of CC that is the fastest of all."""
    seconds = {"bfs-cpp-push-a": 0.4, "bfs-openmp-pull-b": 0.1, "cc-cpp-push-a": 0.01}
    for name, sample in seconds.items():
        project.add(name, project.printing(name, samples_s=[sample, sample]))
    project.add("bfs-cpp-pull-wrong", project.printing("bfs-cpp-pull-wrong", exit_code=1, samples_s=[0.001]))
    return project


def test_the_fastest_right_program_is_named_and_copied(programs: Project) -> None:
    code, out, err = programs.command("best", programs.graph, "--algorithm", "bfs", "--budget", "2", "--out", "win.cpp")
    assert code == 0
    rows = [line.split() for line in out.splitlines() if "│" in line]
    assert [row[-2] for row in rows] == ["bfs-openmp-pull-b", "bfs-cpp-push-a"]
    assert rows[0][1] == "0.1"
    assert rows[1][7] == "300.0%"
    assert "tried 3 of 3 programs" in out
    assert "confidence that the first is the fastest of those tried: 100%" in out
    assert err.endswith("copied to win.cpp\n")
    source = programs.checkout.generated / "openmp" / "bfs" / "bfs-openmp-pull-b.cpp"
    assert (programs.root / "win.cpp").read_text() == source.read_text()


def test_figures_and_long_names_are_whole_where_80_columns_are(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    long = "bfs-cpp-" + "-".join(["push"] * 30)
    project.add(long, project.printing(long, samples_s=[0.25]))
    _, out, _ = project.command("best", project.graph, "--algorithm", "bfs", "--budget", "1")
    (row,) = (line.split() for line in out.splitlines() if long in line)
    assert row[1] == "0.25"
    assert "samples" in out
    assert "giga-edges/s" in out


def test_a_copied_winner_is_built_where_it_lies_by_the_command_in_its_head(project: Project) -> None:
    source = project.add("bfs-cpp-a")
    source.write_text(
        "// Build:\n//   g++ -I../../runtime bfs-cpp-a.cpp ../../runtime/*.cpp -o bfs-cpp-a\n"
        '#include "answer.hpp"\nint main() { return answer(); }\n'
    )
    (project.checkout.runtime / "answer.hpp").write_text("int answer();\n")
    (project.checkout.runtime / "answer.cpp").write_text("int answer() { return 42; }\n")
    (program,) = read_programs(project.checkout, ["*"])
    away = project.root / "away"
    away.mkdir()
    copy = copy_winner(project.checkout, program, away / "winner.cpp")
    command = copy.read_text().splitlines()[1].removeprefix("//")
    subprocess.run(["/bin/sh", "-c", command], cwd=away, check=True)
    assert subprocess.run([away / "bfs-cpp-a"], check=False).returncode == 42
    assert copy_winner(project.checkout, program, away) == away / "bfs-cpp-a.cpp"
    assert copy_winner(project.checkout, program, away / "winner.cu") == away / "winner.cpp"


def test_a_model_can_be_asked_for(programs: Project) -> None:
    _, out, _ = programs.command("best", programs.graph, "--algorithm", "bfs", "--model", "cpp", "--budget=1", "--json")
    ranking = json.loads(out)
    assert ranking["programs"] == 2
    assert [candidate["name"] for candidate in ranking["candidates"]] == ["bfs-cpp-push-a", "bfs-cpp-pull-wrong"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--algorithm", "sssp"],
            "no program of sssp has been generated; there are bfs in cpp, bfs in openmp, cc",
        ),
        (["--algorithm", "bsf"], "no program of bsf has been generated; did you mean bfs?"),
        (
            ["--algorithm", "bfs", "--model", "opnemp"],
            "no program of bfs in opnemp has been generated; did you mean bfs in openmp?",
        ),
        (
            ["--algorithm", "cc", "--model", "openmp"],
            "no program of cc in openmp has been generated; there are bfs in cpp",
        ),
        (
            ["--algorithm", "bfs", "--no-build"],
            "none of the 3 programs of bfs is built and up to date: leave out --no-build, or run `make build` first",
        ),
    ],
)
def test_what_cannot_be_answered_is_one_line(programs: Project, arguments: Any, message: str) -> None:
    code, _, err = programs.command("best", programs.graph, *arguments)
    assert code == 2
    assert message in err.splitlines()[-1]


def test_programs_that_all_fail_are_an_error(project: Project) -> None:
    project.add("bfs-cpp-a", "exit 77")
    code, _, err = project.command("best", project.graph, "--algorithm", "bfs", "--budget", "1")
    assert code == 2
    assert err.splitlines()[-1] == "runner: error: none of the 1 programs tried works: bfs-cpp-a: exit code 77"
