from __future__ import annotations

import errno
import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import psutil
import pytest

from inputs.formats import egr
from inputs.graph import from_edges
from runner.best import find, known, search
from runner.best.measured import Measured
from runner.best.searches import read_searches, remember_search
from runner.jobs.graphs import open_graph
from runner.machine.machine import Gpu, this_machine

if TYPE_CHECKING:
    from tests.runner.conftest import Project


WINNER = "bfs-cpp-vertex-topology-push-rw-nondet-blocked-i32"
ENOUGH = "1000"  # seconds, for any machine: a search ends once all programs are tried


def said_last(err: str) -> str:
    """Returns why a command is refused; before that, a line each may tell what is solved, and on which graph."""
    *told, refusal = err.splitlines()
    assert len(told) <= 2
    return refusal


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """No script is too slow because the machine is busy."""
    monkeypatch.setattr(search, "_SHORTEST_TIMEOUT_S", 100.0)


@pytest.fixture
def programs(project: Project) -> Project:
    """Three programs of BFS: slow, fast and wrong; and one of CC that is the fastest of all."""
    seconds = {"bfs-cpp-push-a": 0.4, "bfs-openmp-pull-b": 0.1, "cc-cpp-push-a": 0.01}
    for name, sample in seconds.items():
        project.add(name, project.printing(name, samples_s=[sample, sample]))
    project.add("bfs-cpp-pull-wrong", project.printing("bfs-cpp-pull-wrong", exit_code=1, samples_s=[0.001]))
    return project


def test_the_fastest_right_program_is_named(programs: Project) -> None:
    code, out, _ = programs.command("best", "bfs", programs.graph, "--budget", ENOUGH)
    assert code == 0
    rows = [line.split() for line in out.splitlines() if "│" in line]
    assert [row[-2] for row in rows] == ["bfs-openmp-pull-b", "bfs-cpp-push-a"]
    assert rows[0][1] == "0.1"
    assert rows[1][7] == "300.0%"
    assert "3 of 3 programs tried in " in out
    assert "which are all" in out
    assert "%" not in out.splitlines()[-1]  # of what nobody has checked


def test_figures_and_long_names_are_whole_where_80_columns_are(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    long = "bfs-cpp-" + "-".join(["push"] * 30)
    project.add(long, project.printing(long, samples_s=[0.25]))
    _, out, _ = project.command("best", "bfs", project.graph, "--budget", ENOUGH)
    (row,) = (line.split() for line in out.splitlines() if long in line)
    assert row[1] == "0.25"
    assert "samples" in out
    assert "giga-edges/s" in out


def test_the_winner_is_exported_with_how_it_was_found(project: Project) -> None:
    for name, sample in ((WINNER, 0.01), ("bfs-cpp-push-a", 0.4)):
        project.add(name, project.printing(name, samples_s=[sample, sample]))
    folder = project.root / "mine"
    code, _, err = project.command("best", "bfs", project.graph, "--budget", ENOUGH, "--export", folder)
    assert code == 0, err
    readme = (folder / "README.md").read_text()
    assert readme.startswith("# Breadth-first search")
    assert f"| 1 | 0.01 | 2 | `{WINNER}` |" in readme
    assert "| 2 | 0.4 | 2 | `bfs-cpp-push-a` |" in readme
    assert "2 of 2 programs tried" in readme
    assert this_machine().cpu in readme
    assert "busy" not in readme
    assert (folder / "Makefile").is_file()
    code, _, err = project.command("best", "bfs", project.graph, "--budget", ENOUGH, "--export", folder)
    assert code == 2
    assert "is not an empty folder" in err


def test_a_library_is_measured_as_it_runs(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its threads are bound to no CPUs, it takes as many as the winner had, and it says how busy the machine was."""
    monkeypatch.setattr(psutil, "getloadavg", lambda: (1000.0, 0.0, 0.0))
    unbound = 'test "$OMP_PROC_BIND$VIOLET_PLACES" = false || exit 4; '
    project.add(WINNER, unbound + project.printing(WINNER, samples_s=[0.01]))
    words = ("best", "bfs", project.graph, "--budget", ENOUGH, "--threads", "3")
    assert project.command(*words)[0] == 2
    code, _, err = project.command(*words, "--export", "mine")
    assert code == 0, err
    (module,) = (project.root / "mine").glob("*.py")
    assert "threads=3" in module.read_text()
    assert "(load 1000.00 on " in (project.root / "mine/README.md").read_text()


def test_weights_that_are_made_are_said(project: Project) -> None:
    """A program is told which, and the winner's README, too; of no other graph and algorithm can they be chosen."""
    name = "sssp-cpp-vertex-data-dup-push-rw-nondet-blocked-i32"
    asked = 'case "$*" in *"--weights one"*) echo one >>asked.txt;; esac; '
    project.add(name, asked + project.printing(name, samples_s=[0.01]))
    project.add(WINNER, project.printing(WINNER, samples_s=[0.01]))
    plain = project.add_plain_graph("plain")
    for command in (["best", "sssp", plain], ["solve", "sssp", plain, "--out", "x.npy"]):
        code, out, err = project.command(*command, "--budget", ENOUGH)
        assert code == 0, err
        assert (
            "plain has no weights: each is made by a hash of both ends, from 1 to 64 (--weights one: all are 1)"
            in out + err
        )
        assert not (project.root / "asked.txt").exists()
        code, out, err = project.command(*command, "--budget", ENOUGH, "--weights", "one")
        assert code == 0, err
        assert "plain has no weights: all are 1" in out + err
        (project.root / "asked.txt").unlink()
    assert "--weights one" in (project.root / "references.txt").read_text()
    words = ("best", "sssp", plain, "--budget", ENOUGH, "--weights", "one", "--export", "mine")
    assert project.command(*words)[0] == 0
    assert "plain has no weights: all are 1" in (project.root / "mine" / "README.md").read_text()
    code, _, err = project.command("solve", "bfs", plain, "--out", "x.npy", "--weights", "one")
    assert (code, said_last(err)) == (2, "error: --weights one: bfs looks at none; leave it out")
    for wanted in (["solve", "cc", plain, "--out", "x.npy"], ["best", "cc", plain]):
        code, _, err = project.command(*wanted, "--source", "1")
        assert (code, said_last(err)) == (2, "error: --source 1: cc starts from no vertex; leave it out")
    weighted = project.root / "weighted.egr"
    egr.write(from_edges(3, np.array([0, 1]), np.array([1, 2]), np.array([5, 6])), weighted)
    code, _, err = project.command("best", "sssp", weighted, "--weights", "one")
    assert (code, said_last(err)) == (2, "error: --weights one: weighted has weights; leave it out")


def test_how_many_gpus_is_part_of_the_answer(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    card = Gpu(name="card", memory_mib="1", driver="1", compute_capability="9.0")
    machine = this_machine().model_copy(update={"gpus": (card, card)})
    monkeypatch.setattr(find, "this_machine", lambda: machine)
    monkeypatch.setenv("NVCC", "./fake-cxx")
    name = "bfs-multigpu-push-a"
    slow, fast = (project.printing(name, samples_s=[sample, sample]) for sample in (0.4, 0.1))
    project.add(name, f'case "$*" in *"--gpus 2"*) {fast.split("; exit")[0]};; *) {slow.split("; exit")[0]};; esac')
    project.add("bfs-cuda-push-a", project.printing("bfs-cuda-push-a", samples_s=[0.2, 0.2]))
    words = ("best", "bfs", project.graph, "--budget", ENOUGH, "--gpus")
    code, out, err = project.command(*words, "2")
    assert code == 0, err
    rows = [line.split("│")[5].strip() for line in out.splitlines() if "│" in line]
    assert rows == [f"{name} --gpus 2", "bfs-cuda-push-a", f"{name} --gpus 1"]
    code, _, err = project.command(*words, "3")
    assert (code, said_last(err)) == (2, "error: --gpus 3: this machine has 2")


def test_a_graph_is_solved_by_what_is_known_to_be_fastest(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """At first nothing is known, and a search decides; then the records of the graph do."""
    monkeypatch.setattr(known, "LEAST_EDGES", 0)
    write = 'while [ "$1" != --dump ] && [ $# -gt 0 ]; do shift; done; [ $# -gt 0 ] && echo levels > "$2"; true'
    for name, sample in (("bfs-cpp-push-a", 0.4), ("bfs-openmp-pull-b", 0.1)):
        script = project.printing(name, samples_s=[sample, sample]).removesuffix("exit 0") + write
        project.add(name, script)
    words = ("solve", "bfs", project.graph, "--out", "levels.npy", "--budget", ENOUGH)
    code, out, err = project.command(*words)
    assert code == 0, err
    assert "bfs-openmp-pull-b: no graph like this one was measured on this machine; the fastest" in err
    assert "2 of 2 programs tried" in err
    assert (out, err.splitlines()[-1]) == ("", "levels.npy: verified, solved in 0.1 s")
    assert (project.root / "levels.npy").read_text() == "levels\n"
    ran = project.started()
    code, _, err = project.command(*words)  # the search is remembered
    assert "bfs-openmp-pull-b: the fastest of 2 measured on this machine on path" in err
    assert "0.1 s there, which are all\n" in err
    assert project.started() == [*ran, "bfs-openmp-pull-b"]
    project.checkout.searches.unlink()
    project.sweep()
    code, _, err = project.command(*words)
    assert "bfs-openmp-pull-b: the fastest of 2 measured on this machine on path" in err


def test_a_tiny_graph_is_solved_without_a_search(programs: Project) -> None:
    code, _, err = programs.command("solve", "bfs", programs.add_plain_graph("plain"), "--out", "levels.npy")
    assert code == 0, err
    assert "fewer than 100 edges: any program will do\n" in err
    assert len(programs.started()) == 1


def test_a_graph_like_those_measured_is_solved_by_what_is_suggested(project: Project) -> None:
    """The nearest graph has a fastest program of its own; on all others, and so as expected, another one is faster."""
    write = 'while [ "$1" != --dump ] && [ $# -gt 0 ]; do shift; done; [ $# -gt 0 ] && echo levels > "$2"; true'
    names = [f"bfs-cpp-{letter}" for letter in "abc"]
    for name in names:
        project.add(name, project.printing(name, samples_s=[0.1]).removesuffix("exit 0") + write)
    egr.write(from_edges(3, np.array([0, 1]), np.array([1, 2])), project.root / "real.egr")
    for vertices, times in ((75, (1.0, 1.05, 9.0)), (76, (9.0, 1.0, 9.0)), (77, (9.0, 1.0, 9.0))):
        found = dict(zip(names, times, strict=True))
        remember_search(
            project.checkout.searches, Measured(f"like-{vertices}", vertices, 100, this_machine().fingerprint, found)
        )
    code, _, err = project.command("solve", "bfs", project.root / "real.egr", "--out", "levels.npy")
    assert code == 0, err
    assert "bfs-cpp-b: first of 3 programs measured on this machine, for what they do on graphs such as" in err
    assert "; how near it is to the best of all is not known\n" in err


KEPT = '{"graph": "path", "vertices": 3, "edges": 4, "machine": "MACHINE", "times_s": {"bfs-cpp-push-a": 0.4}}'


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (KEPT[:40].encode(), "Invalid JSON: "),
        (b"\xff\xfe", "Invalid JSON: "),
        (b"null", "Input should be "),
        (KEPT.replace("{", "[", 1).encode(), "Invalid JSON: "),
        (re.sub("{[^{]*}}", "5}", KEPT).encode(), "times_s Input should be "),
        (KEPT.replace("0.4", "-0.4").encode(), "times_s bfs-cpp-push-a Input should be greater than 0"),
        (KEPT.replace("0.4", "NaN").encode(), "times_s bfs-cpp-push-a Input should be "),
        (KEPT.replace("3", "-1").encode(), "vertices Input should be greater than or equal to 0"),
    ],
)
def test_a_damaged_search_is_named_and_the_others_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: bytes, reason: str
) -> None:
    kept = tmp_path / "searches.jsonl"
    kept.write_bytes(KEPT.encode() + b"\n" + line)
    (found,) = read_searches(kept)
    assert capsys.readouterr().err.startswith(f"runner: warning: {kept}:2: left out, not a search: {reason}")
    remember_search(kept, replace(found, graph="after"))
    assert [each.graph for each in read_searches(kept)] == ["path", "after"]


def test_searches_that_cannot_be_kept_or_read_stop_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    search = Measured("path", 3, 4, "machine", {})
    remember_search(tmp_path / "new" / "searches.jsonl", search)
    assert read_searches(tmp_path / "new" / "searches.jsonl") == [search]
    assert capsys.readouterr().err == ""
    remember_search(tmp_path, search)
    assert read_searches(tmp_path) == []
    said = capsys.readouterr().err.splitlines()
    assert said == [
        f"runner: warning: {tmp_path}: the search is not remembered: Is a directory",
        f"runner: warning: {tmp_path}: left out, cannot be read: Is a directory",
    ]


LIST = "generated/programs.csv"  # which is there


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["bsf", "--out", "x.npy"], "no algorithm is called 'bsf'; did you mean bfs?"),
        (["bfs"], "bfs finds a value for each of many: give --out level.csv, or --out - to print them"),
        (["bfs", "--path-to", "2", "--out", "x.npy"], "--path-to 2: needs a table"),
        (["pr", "--path-to", "2"], "--path-to 2: pr finds no paths; bfs and sssp do"),
        (["bfs", "--out", "no/x.npy"], "--out no/x.npy: there is no folder no"),
        (["bfs", "--out", "."], "--out .: is no file; name another"),
        (["bfs", "--out", "GRAPH"], "is the graph; name another file"),
        (["bp", "--out", LIST, "--priors", LIST], f"--out {LIST}: has the priors; name another file"),
        (["bp", "--out", "x.npy", "--priors", LIST], f"{LIST}:1: a line is a vertex and its prior, not"),
        (["bfs", "--out", "x.npy", "--couplings", LIST], "--couplings: bfs takes none; leave it out"),
        (["bp", "--out", "x.npy", "--couplings", LIST], f"{LIST}:1: a line is two vertices and their agreement, not"),
        (["bfs", "--out", "x.npy", "--labels", LIST], "--labels: bfs takes none; leave it out"),
        (["match", "--out", "x.npy", "--labels", LIST], f"{LIST}:1: a line is a vertex and its label, not"),
        (["bfs", "--out", "x.npy", "--query", "k=3"], "--query k: bfs is asked nothing"),
        (["bfs", "--out", "x.npy", "--model", "cuda"], "no program of bfs in cuda has been generated"),
    ],
)
def test_what_cannot_be_solved_is_said_before_anything_runs(programs: Project, words: list[str], message: str) -> None:
    words = [str(programs.graph) if word == "GRAPH" else word for word in words]
    code, _, err = programs.command("solve", words[0], programs.graph, *words[1:])
    assert code == (3 if message.startswith("generated/") else 2)  # the file that is taken is none
    assert message in err.splitlines()[-1]
    assert programs.started() == []


def test_a_negative_length_is_told_by_the_names_of_its_ends(programs: Project, tmp_path: Path) -> None:
    (tmp_path / "mine.el").write_text("ann bob 2\nbob cy -1.5\n")
    code, _, err = programs.command("solve", "sssp", tmp_path / "mine.el", "--out", "-")
    assert (code, "mine: edge bob, cy has weight -1.5, and sssp takes none below 0" in err) == (2, True)
    assert programs.started() == []


def test_a_file_is_not_converted_for_an_answer_that_goes_nowhere(programs: Project, tmp_path: Path) -> None:
    (tmp_path / "mine.el").write_text("0 1\n")
    code, _, err = programs.command("solve", "bfs", tmp_path / "mine.el")
    assert (code, "give --out level.csv" in err, "is read as" in err) == (2, True, False)


def test_a_file_where_one_may_not_look_is_one_line(programs: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    exists = Path.exists

    def look(path: Path) -> bool:
        if path.parent.name == "secret":  # root may look everywhere
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return exists(path)

    (programs.root / "secret").mkdir()
    monkeypatch.setattr(Path, "exists", look)
    code, out, err = programs.command("solve", "bfs", programs.graph, "--out", "secret/x.npy")
    assert (code, out) == (2, "")
    assert said_last(err) == "error: --out secret/x.npy: Permission denied; name another file"
    assert programs.started() == []


def test_what_is_known_cannot_be_built_where_nobody_may_write(project: Project) -> None:
    project.add(WINNER)
    project.sweep()
    ran = project.started()
    shutil.rmtree(project.checkout.build)
    project.checkout.build.write_text("")  # root may write to every folder, but not where there is none
    code, _, err = project.command("solve", "bfs", project.graph, "--out", "x.npy")
    said = f"error: cannot write to {project.checkout.build}: File exists"
    assert (code, err.splitlines()[-1]) == (2, said)
    assert project.started() == ran


def test_what_is_known_may_not_accept_the_graph(project: Project) -> None:
    said = f"echo '{WINNER}: error: {project.graph}: too short' >&2; exit 3"
    fine = project.printing(WINNER)
    project.add(WINNER, f'case "$*" in *--dump*) {said};; esac; {fine}')
    project.sweep()
    code, _, err = project.command("solve", "bfs", project.graph, "--out", "x.npy")
    assert (code, err.splitlines()[-1].partition(";")[0]) == (3, f"error: graph {project.graph}: too short")


def test_where_32_bits_are_too_few_a_program_of_64_solves(project: Project) -> None:
    write = 'while [ "$1" != --dump ] && [ $# -gt 0 ]; do shift; done; [ $# -gt 0 ] && echo levels > "$2"; true'
    said = f"echo '{WINNER}: error: {project.graph}: a distance is too large; use its i64 variant' >&2; exit 3"
    project.add(WINNER, f'case "$*" in *--dump*) {said};; esac; {project.printing(WINNER)}')
    for name, sample in (
        (WINNER.replace("i32", "i64"), 0.3),
        ("bfs-openmp-edge-topology-push-rw-det-default-i64", 0.2),
    ):
        project.add(name, project.printing(name, samples_s=[sample, sample]).removesuffix("exit 0") + write)
    project.sweep(programs=(WINNER,))
    code, out, err = project.command("solve", "bfs", project.graph, "--out", "x.npy")
    assert code == 0, err
    assert f"use its i64 variant; taking {WINNER.replace('i32', 'i64')}" in err
    assert (out, err.splitlines()[-1]) == ("", "x.npy: verified, solved in 0.3 s")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("best bfs GRAPH --export /proc/mine", "--export /proc/mine: cannot write to /proc: "),
        ("solve bfs GRAPH --out /proc/x.npy", "--out /proc/x.npy: cannot write to /proc: "),
    ],
)
def test_where_nothing_can_be_written_is_said_before_anything_runs(
    programs: Project, command: str, message: str
) -> None:
    code, _, err = programs.command(*command.replace("GRAPH", str(programs.graph)).split())
    assert (code, message in said_last(err)) == (2, True)
    assert programs.started() == []


def test_several_results_get_a_file_each(project: Project) -> None:
    project.add("hits-cpp-a", project.printing("hits-cpp-a", samples_s=[0.1]))
    graph = project.add_directed_graph("arcs")
    code, out, err = project.command("solve", "hits", graph, "--out", "x.npy", "--budget", ENOUGH)
    assert code == 0, err
    assert (out, err.splitlines()[-1]) == ("", "x.hub.npy, x.authority.npy: verified, solved in 0.1 s")


def test_no_result_of_several_is_written_over_the_graph(project: Project) -> None:
    project.add("hits-cpp-a", project.printing("hits-cpp-a", samples_s=[0.1]))
    graph = project.add_directed_graph("arcs.hub")
    code, _, err = project.command("solve", "hits", graph, "--out", str(graph).replace(".hub", ""), "--budget", ENOUGH)
    assert (code, said_last(err)) == (2, f"error: --out {graph}: is the graph; name another file")
    assert project.started() == []


def test_only_programs_of_the_graphs_kind_are_tried(project: Project) -> None:
    directed = "bfs-cpp-vertex-topology-push-rw-nondet-blocked-i32-directed"
    for name, sample in ((WINNER, 0.01), (directed, 0.4)):
        project.add(name, project.printing(name, samples_s=[sample, sample]))
    graph = project.add_directed_graph("arcs")
    code, _, err = project.command("best", "bfs", graph, "--budget", ENOUGH, "--export", "mine")
    assert code == 0, err
    assert {*project.started()} == {directed}
    assert (project.root / "mine" / f"{directed.replace('-', '_')}.py").is_file()
    code, _, err = project.command("best", "bfs", project.graph, "--budget", ENOUGH, "--programs", directed)
    assert code == 2
    assert err.splitlines()[-1] == "error: none of the 1 programs of bfs can run: path is undirected"


def test_a_program_that_cannot_be_a_library_is_not_tried_for_one(project: Project) -> None:
    project.add("bfs-multigpu-a")
    code, _, err = project.command("best", "bfs", project.graph, "--export", "mine")
    assert code == 2
    assert err.splitlines()[-1].endswith(
        "--export: no program of bfs can be a library: takes several GPUs, and libraries take one"
    )


def test_a_model_can_be_asked_for(programs: Project) -> None:
    _, out, _ = programs.command("best", "bfs", programs.graph, "--model", "cpp", "--budget", ENOUGH, "--json")
    ranking = json.loads(out)
    assert ranking["programs"] == 2
    assert [candidate["name"] for candidate in ranking["candidates"]] == ["bfs-cpp-push-a", "bfs-cpp-pull-wrong"]


def test_programs_can_be_named(programs: Project) -> None:
    _, out, _ = programs.command(
        "best", "bfs", programs.graph, "--budget", ENOUGH, "--json", "--programs", "*-push-a", "cc-*"
    )
    assert [candidate["name"] for candidate in json.loads(out)["candidates"]] == ["bfs-cpp-push-a"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["sssp"],
            "no program of sssp has been generated; there are bfs in cpp, bfs in openmp, cc in cpp, and all others",
        ),
        (["components"], "no algorithm is called 'components'; did you mean cc or scc?"),
        (["bsf"], "no algorithm is called 'bsf'; did you mean bfs?"),
        (["x"], "no algorithm is called 'x'; "),
        (["path.egr", "bfs"], "the algorithm comes first, then the graph: bfs path.egr"),
        (
            ["bfs", "--model", "opnemp"],
            "no program of bfs in opnemp has been generated; there are bfs in cpp, bfs in openmp",
        ),
        (
            ["bfs", "--model", "cud"],
            "no program of bfs in cud has been generated; there are bfs in cpp, bfs in openmp, cc in cpp",
        ),
        (["cc", "--model", "openmp"], "no program of cc in openmp has been generated; there are bfs in cpp"),
        (["bfs", "--no-build"], "none of the 3 programs of bfs is built and up to date: leave out --no-build"),
    ],
)
def test_what_cannot_be_answered_is_one_line(programs: Project, arguments: Any, message: str) -> None:
    graph = [] if arguments[1:] == ["bfs"] else [programs.graph]
    code, _, err = programs.command("best", arguments[0], *graph, *arguments[1:])
    assert code == 2
    assert message in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("body", "said"),
    [("exit 77", "exit code 77"), ("echo bfs-cpp-a: error: no luck >&2; exit 77", "exit code 77: no luck")],
)
def test_programs_that_all_fail_are_an_error(project: Project, body: str, said: str) -> None:
    project.add("bfs-cpp-a", body)
    code, _, err = project.command("best", "bfs", project.graph, "--budget", ENOUGH)
    assert code == 2
    assert err.splitlines()[-1] == f"error: none of the 1 programs tried works: bfs-cpp-a: {said}"


def test_suggestions_come_with_times_doubt_and_a_command_that_runs(project: Project) -> None:
    names = [WINNER.replace("blocked", schedule) for schedule in ("blocked", "cyclic", "dynamic")]
    times = dict(zip(names, (2e-3, 1e-3, 4e-3), strict=True))
    remember_search(project.checkout.searches, Measured("like", 100, 400, this_machine().fingerprint, times))
    graph = project.root / "mine.el"
    graph.write_text("0 1\n1 2\n")
    code, out, err = project.command("choose", "breadth-first", graph, "--candidates", "2")
    assert code == 0, err
    rows = [line.split() for line in out.splitlines() if line.endswith(tuple(names))]
    assert [row[-1] for row in rows] == [names[1], names[0]]
    assert rows[0][-2] == "1.00"
    assert 1 < float(rows[1][-2]) < 2  # as nothing known would say, and as on the graph that is like it
    assert rows[0][:2] == ["1", "ms"]
    assert "Times as on this machine, mostly from like (100%)." in out
    assert "Of the first, how near it is to the best of all is not known." in out
    assert f"violet best bfs {graph}" in out
    code, _, err = project.command("choose", "tc", graph)
    assert (code, "no program of tc was measured on undirected graphs" in err) == (2, True)
    code, _, err = project.command("choose", "scc", graph)
    assert (code, "Violet has no program of scc for undirected graphs; `violet graphs convert" in err) == (2, True)
    code, _, err = project.command("choose", "all", graph, "--model", "cudda")
    assert (code, "no model is called 'cudda'" in err) == (2, True)


def test_what_was_measured_with_whole_weights_is_suggested_for_real_ones(project: Project) -> None:
    names = [WINNER.replace("bfs", "sssp").replace("blocked", each) for each in ("blocked", "cyclic", "dynamic")]
    times = dict(zip(names, (2e-3, 1e-3, 4e-3), strict=True))
    remember_search(project.checkout.searches, Measured("like", 100, 400, this_machine().fingerprint, times))
    graph = project.root / "mine.el"
    for weight, kind, told in (("1.5", "r32", True), ("2", "i32", False)):
        graph.write_text(f"0 1 {weight}\n1 2 {weight}\n")
        code, out, err = project.command("choose", "sssp", graph, "--model", "cpp")
        assert code == 0, err
        rows = [line.split()[-1] for line in out.splitlines() if "-push-" in line]
        assert rows[0] == names[1].replace("i32", kind)
        assert {name.split("-")[8] for name in rows} == {kind}
        assert (", as measured with whole weights." in out) == told


def test_programs_for_a_gpu_and_for_cpus_are_suggested_apart(project: Project) -> None:
    """Few measurements compare them, so where there is a GPU neither kind is to hide the other."""
    names = [f"bfs-{model}-{number}" for model in ("cuda", "cpp") for number in range(3)]
    times = {name: 1e-3 * (1 + place) for place, name in enumerate(names)}
    egr.write(from_edges(3, np.array([0, 1]), np.array([1, 2])), project.root / "real.egr")
    graph = open_graph(str(project.root / "real.egr"), project.checkout.graphs)
    trials = SimpleNamespace(graph=graph, machine=this_machine())
    found = find._suggested(project.checkout, trials, names[::-1], [Measured("like", 3, 200, "m", times)])
    assert [[each.name for each in suggestion.programs] for suggestion in found] == [names[:3], names[3:]]
