from __future__ import annotations

import errno
import json
import os
import shutil
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest

from generator.algorithms import QueryOption, load_algorithms
from runner.bounds import MOST_REPS, MOST_SECONDS
from runner.cli import parse_query, parse_tuning, repeat_options
from runner.errors import RunnerError
from runner.machine.machine import this_machine
from runner.process.execute import MAX_STDOUT
from runner.results.folder import export_table
from tests.runner.conftest import VERTICES

if TYPE_CHECKING:
    from pathlib import Path

    from tests.runner.conftest import Project


@pytest.mark.parametrize(
    ("words", "repeated"),
    [
        ("run --graphs a b c", "run --graphs a --graphs b --graphs c"),
        ("run --graphs a --graphs b", "run --graphs a --graphs b"),
        ("run --graphs a b --reps 3 --programs x y", "run --graphs a --graphs b --reps 3 --programs x --programs y"),
        ("run --reps 3", "run --reps 3"),
        ("status", "status"),
    ],
)
def test_lists_of_words(words: str, repeated: str) -> None:
    assert repeat_options(words.split()) == repeated.split()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["size=3"], "--query size=3: no algorithm is asked for 'size'; known are rounds"),
        (["rounds=few"], "--query rounds=few: write NAME=NUMBER, such as rounds=5"),
        (["rounds=" + "9" * 5000], "--query rounds=9+: write NAME=NUMBER, such as rounds=5"),
        (["rounds"], "--query rounds: write NAME=NUMBER"),
        (["rounds=3", "rounds=4"], "--query rounds=4: rounds is asked twice"),
    ],
)
def test_a_query_is_a_name_and_a_number(monkeypatch: pytest.MonkeyPatch, words: list[str], complaint: str) -> None:
    asked = load_algorithms()["bfs"].model_copy(update={"query": {"rounds": QueryOption(default=10, meaning="rounds")}})
    monkeypatch.setattr("generator.algorithms.load_algorithms", lambda: {"bfs": asked})
    assert parse_query(["rounds=3"]) == {"rounds": 3}
    with pytest.raises(RunnerError, match=f"^{complaint}"):
        parse_query(words)


def test_a_query_may_be_a_pattern() -> None:
    assert parse_query(["pattern=0a-1,1-2b", "labels=3"]) == {"pattern": "0a-1,1-2b", "labels": 3}
    for word in ("pattern=7", "pattern=0-1,", "pattern=0-9"):
        with pytest.raises(RunnerError, match=f"^--query {word}: write edges, such as pattern=0-1,1-2,2-0"):
            parse_query([word])


def test_tuning_is_names_and_numbers() -> None:
    assert parse_tuning(["delta=0.5", "share=20", "do-a=.1", "do-b=2e-05"]) == {
        "delta": 0.5,
        "share": 20,
        "do-a": 0.1,
        "do-b": 0.00002,
    }
    for words, complaint in (
        (["delta"], "delta: write NAME=NUMBER, such as delta=0.5"),
        (["delta=-1"], "delta=-1: write NAME=NUMBER"),
        (["delta=inf"], "delta=inf: write NAME=NUMBER"),
        (["delta=1e999"], "delta=1e999: write NAME=NUMBER"),
        (["delta=1", "delta=2"], "delta=2: delta comes twice"),
    ):
        with pytest.raises(RunnerError, match=f"^--tune {complaint}"):
            parse_tuning(words)


def test_a_tuned_run_is_another_job_and_recorded(project: Project) -> None:
    project.add("bfs-cpp-a", script='# Parameter share("share", 30, "...")\n' + project.printing("bfs-cpp-a"))
    for words in ((), ("--tune", "share=20"), ("--tune", "share=20")):
        assert project.command("run", "--graphs", project.graph, *words)[0] == 0
    assert [line["parameters"]["tuning"] for line in project.lines()] == [None, {"share": 20}]


def test_a_good_run_prints_a_table(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.add("cc-openmp-a")
    code, out, err = project.command("run", "--graphs", project.graph, project.add_graph("other"))
    assert code == 0
    assert [line.split() for line in out.splitlines() if "│" in line] == [
        ["│", "cpp", "│", "bfs", "│", "2", "│"],
        ["│", "openmp", "│", "cc", "│", "2", "│"],
    ]
    assert "4 jobs: 0 have a result, 4 to do" in err
    assert "4 of 4 jobs done" in err


def test_a_timeout_that_is_too_short_is_told_of(project: Project) -> None:
    project.add("bfs-cpp-a", "exec sleep 60")
    code, _, err = project.command("run", "--graphs", project.graph, "--timeout", 0.2)
    told = "1 of 1 jobs (100%) were cut off by the timeout: --retry timeout with a longer --timeout times them"
    assert (code, err.splitlines()[-1]) == (0, f"runner: warning: {told}")


def test_failures_come_first_and_fail_the_run(project: Project) -> None:
    project.add("bfs-cpp-good")
    project.add("cc-cpp-crash", "exit 77")
    project.add("sssp-cpp-wrong", project.printing("sssp-cpp-wrong", exit_code=1, error="vertex 1 is 2, not 3"))
    for _ in range(2):  # an old failure is still one
        code, out, _ = project.command("run", "--graphs", project.graph, "--threads", "1")
        assert code == 1
        assert [line.split()[3] for line in out.splitlines() if "│" in line] == ["sssp", "cc", "bfs"]
        assert out.splitlines()[-3:-1] == [
            "wrong         sssp-cpp-wrong on path: vertex 1 is 2, not 3",
            "crashed       cc-cpp-crash on path: exit code 77",
        ]


def test_a_failure_is_one_line_with_its_cause(project: Project) -> None:
    project.add("bfs-cpp-a", "echo bfs-cpp-a: error: --source 9 is not a vertex, and this goes on and on >&2; exit 2")
    code, out, _ = project.command("run", "--graphs", project.graph)
    assert code == 1
    assert out.splitlines()[-1] == (
        "crashed       bfs-cpp-a on path: it does not accept its command line: --source 9 is not a vertex, "
        "and this goes on and on"
    )


def test_scripts_get_json(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.add("cc-cpp-b", "exit 77")
    code, out, _ = project.command("run", "--graphs", project.graph, "--json")
    assert code == 1
    summary = json.loads(out)
    assert (summary["jobs"], summary["statuses"]) == (2, {"crashed": 1, "verified": 1})
    assert summary["failures"][0]["reason"] == "exit code 77"
    assert summary["samples_s"] == 0.375
    assert set(summary["phases_s"]) == {"build", "references", "programs"}
    code, out, _ = project.command("status", "--json")
    row = {"machine": this_machine().fingerprint, "model": "cpp", "algorithm": "bfs", "state": "done", "jobs": 1}
    assert row in json.loads(out)
    code, out, _ = project.command("doctor", "--json")
    assert {"level", "subject", "finding", "advice"} == set(json.loads(out)[0])


def test_export_writes_one_table(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.sweep()
    assert project.command("export", "results", "new/t.parquet")[:2] == (0, "new/t.parquet: 1 jobs\n")
    table = pd.read_parquet(project.root / "new" / "t.parquet")
    assert table.loc[0, "program"] == "bfs-cpp-a"
    assert list(table.loc[0, "samples_s"]) == [0.25, 0.125]
    assert table.loc[0, "parameters.reps"] == 3
    export_table(project.results, project.root / "t.csv")
    assert (project.root / "t.csv").read_text().startswith("key,program,")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--graphs", "missing.egr"], "cannot read graph missing.egr: No such file or directory"),
        (["run", "--programs", "x-*"], "matches x-*"),
        (["run", "--programs", "bfs-cpp-a", "bfs-ccp-*"], "matches bfs-ccp-*"),
        (["run", "--retry", "wrong,crashd"], "--retry: there is no status 'crashd'; known are wrong, crashed,"),
        (["export", "results", "t.txt"], "t.txt: a table ends in .parquet or .csv"),
        (["export", "results", "t.csv"], "results holds no results"),
        (["status"], "results holds no results yet"),
        (["status", "--results", "."], ". holds no results yet"),
        (["run", "--results", ""], "the name of the results is empty: give a folder, such as results"),
        (["run", "--results="], "the name of the results is empty: give a folder, such as results"),
        (["export", "", "table.csv"], "the name of the results is empty: give a folder, such as results"),
        (["export", __file__, "table.csv"], f"{__file__} is a file: give the folder that `violet run` writes"),
    ],
)
def test_mistakes_are_one_line(project: Project, arguments: Any, message: str) -> None:
    project.add("bfs-cpp-a")
    code, out, err = project.command(*arguments)
    assert (code, out) == (2, "")
    error = err.removeprefix("reading results\n")
    assert error.startswith("error: ")
    assert message in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (None, ["--gpus", 2], "cannot be read: No such file or directory"),
        ("0\n1\n", ["--gpus", 2], "has 2 lines, but path has 3 vertices"),
        ("0\n1\n1\n\n", ["--gpus", 2], "line 4: '' is not a part from 0 to 1; --gpus says how many there are"),
        ("", ["--gpus", 2], "has 0 lines, but path has 3 vertices"),
        ("0\n2\n1\n", ["--gpus", 2], "line 2: '2' is not a part from 0 to 1; --gpus says how many there are"),
        ("0\n1\n-1\n", ["--gpus", 2], "line 3: '-1' is not a part"),
        ("0\n1\r\n1\n", ["--gpus", 2], "line 2: '1\\r' is not a part"),
        ("0\n1\n1\n", [], "say by --gpus how many parts it is for"),
        ("0\n1\n1\n", ["--gpus", 2, "--graphs", "other.egr"], "a partition is of one graph, not of 2"),
        ("0\n1\n1\n", ["--gpus", 2, "--programs", "*-cpp-*"], "no program is for several GPUs"),
        ("0\n1\n1\n", ["--gpus", 2, "--dask", "tcp://x"], "is for one machine: leave it out with --dask"),
    ],
)
def test_a_partition_that_does_not_fit_is_one_line(
    project: Project, content: str | None, options: list[Any], message: str
) -> None:
    project.add("bfs-cpp-a")
    project.add("bfs-multigpu-a")
    project.add_graph("other")
    if content is not None:
        (project.root / "owners").write_bytes(content.encode())
    code, out, err = project.command("run", "--graphs", project.graph, "--partition", "owners", *options)
    assert (code, out) == (2, "")
    assert err.startswith("error: --partition ")
    assert message in err
    assert len(err.splitlines()) == 1
    assert project.started() == []
    assert not project.results.exists()


@pytest.mark.parametrize("option", ["--graphs", "--partition"])
def test_a_pipe_is_one_line(project: Project, option: str) -> None:
    project.add("bfs-multigpu-a")
    pipe = project.root / "pipe.egr"
    os.mkfifo(pipe)
    code, _, err = project.command("run", "--graphs", project.graph, "--gpus", 2, option, pipe)
    assert (code, err.count("\n")) == (2, 1)
    assert "pipe.egr: is a pipe or a device, and every job reads it: write it to a file" in err


@pytest.mark.parametrize("option", ["--graphs", "--partition", "--results", "--programs"])
def test_a_name_that_no_record_can_have_is_one_line(project: Project, option: str) -> None:
    project.add("bfs-multigpu-a")
    name = project.root / "name\udcff.egr"
    name.write_bytes(project.graph.read_bytes())
    code, _, err = project.command("run", "--graphs", project.graph, "--gpus", 2, option, name)
    assert (code, err.count("\n")) == (2, 1)
    assert "name\\udcff.egr': is not UTF-8, as records are: give it another name" in err
    assert not project.results.exists()


@pytest.mark.parametrize("command", ["run --graphs GRAPH", "best bfs GRAPH"])
def test_a_graph_that_all_programs_would_refuse_is_one_line(project: Project, command: str) -> None:
    project.add("bfs-cpp-a")
    bad = project.add_plain_graph("LOOP")
    code, out, err = project.command(*command.replace("GRAPH", str(bad)).split())
    assert (code, out, err.splitlines()[-1]) == (
        3,
        "",
        f"error: graph {bad}: neighbours[0] of vertex 0 is a self-loop; this mends loops, duplicates, order "
        f"and missing reverses: violet graphs convert {bad} {bad.with_name('LOOP-mended.egr')}",
    )
    assert project.started() == []
    assert list(project.results.rglob("*s/*.json")) == []


@pytest.mark.parametrize("command", ["run --graphs GRAPH", "best bfs GRAPH", "solve bfs GRAPH --out x.npy"])
def test_a_source_that_is_no_vertex_is_one_line(project: Project, command: str) -> None:
    project.add("bfs-cpp-a")
    words = [*command.replace("GRAPH", str(project.graph)).split(), "--source"]
    code, out, err = project.command(*words, 3)
    said = "error: --source 3: is no vertex of path, which has 0 to 2"
    assert (code, out, err.splitlines()[-1]) == (2, "", said)
    assert project.started() == []


def test_where_nothing_ran_there_is_nothing_to_look_at_next(project: Project) -> None:
    project.add("bfs-multigpu-a")
    code, out, _ = project.command("run", "--graphs", project.graph, "--gpus", 99)
    assert (code, "skipped" in out, "next:" in out) == (0, True, False)


def test_a_graph_without_vertices_is_one_line(project: Project) -> None:
    project.add("bfs-cpp-a")
    (project.root / "empty.egr").write_bytes(bytes(12))
    said = "error: empty.egr: it has no vertex, and programs take graphs with one at least\n"
    assert project.command("run", "--graphs", "empty.egr") == (3, "", said)


def test_a_bad_graph_has_one_exit_code_in_any_format_and_command(project: Project) -> None:
    project.add("bfs-cpp-a")
    (project.root / "bad.el").write_text("0 1\n1 x\n")
    (project.root / "bad.egr").write_bytes(b"\1")
    for graph, reason in (("bad.el", "bad.el:2: 'x' is not a vertex number"), ("bad.egr", "bad.egr:byte 1: ")):
        for command in (["solve", "bfs", graph, "--out", "x.npy"], ["best", "bfs", graph], ["run", "--graphs", graph]):
            code, _, err = project.command(*command)
            assert (code, reason in err) == (3, True), err


def test_without_what_checks_graphs_programs_do(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.sweep()
    project.checkout.reference_program.unlink()
    assert project.command("run", "--graphs", project.add_graph("LOOP"), "--no-build", "--threads", 2)[0] == 0


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--threads", "4097"),
        ("--reps", "20001"),
        ("--warmup", "99999999999999"),
        ("--source", "2147483648"),
        ("--budget", "inf"),
        ("--budget", "nan"),
        ("--timeout", "0"),
        ("--timeout", "inf"),
        ("--memory", "0"),
        ("--memory", "1e-9"),
        ("--memory", "1e300"),
    ],
)
def test_numbers_with_which_every_job_would_fail_are_refused(project: Project, option: str, value: str) -> None:
    project.add("bfs-cpp-a")
    code, out, err = project.command("run", "--graphs", project.graph, option, value)
    assert (code, out) == (2, "")
    assert f"Invalid value for '{option}': Input should be" in err
    assert not project.results.exists()


@pytest.mark.parametrize("command", ["best bfs GRAPH", "solve bfs GRAPH --out levels.npy"])
@pytest.mark.parametrize("option", [("--budget", "inf"), ("--budget", "nan"), ("--threads", "5000")])
def test_so_are_those_of_other_commands(project: Project, command: str, option: tuple[str, str]) -> None:
    code, out, err = project.command(*command.replace("GRAPH", str(project.graph)).split(), *option)
    assert (code, out, f"Invalid value for '{option[0]}': Input should be" in err) == (2, "", True)


def test_the_largest_numbers_are_taken(project: Project) -> None:
    project.add("bfs-cpp-a")
    words = ("--reps", MOST_REPS, "--warmup", 2**31 - 1, "--source", VERTICES - 1, "--budget", 0)
    assert project.command("run", "--graphs", project.graph, *words, "--timeout", MOST_SECONDS)[0] == 0


def test_the_samples_of_the_most_repetitions_fit_a_report() -> None:
    longest = "1.2345678901234567e-05,"
    assert 2 * MOST_REPS * len(longest) < 0.95 * MAX_STDOUT  # preprocessing has as many


def test_status_without_sessions_says_that_they_are_missing(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.sweep()
    shutil.rmtree(project.results / "sessions")
    code, _, err = project.command("status")
    assert (code, "no session is of" in err, "holds no results yet" in err) == (2, True, False)
    assert err.endswith("error: results: no session says what was to be measured; `violet run` writes one\n")


def test_status_leaves_a_damaged_session_out_and_names_it(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.sweep()
    damaged = project.results / "sessions" / "0.json"
    damaged.write_text("{")
    code, out, err = project.command("status", "--json")
    assert (code, json.loads(out)[0]["state"]) == (0, "done")
    assert err.startswith(f"runner: warning: {damaged.relative_to(project.root)}: left out, not a session: ")


def test_status_tells_of_records_whose_session_is_gone(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.sweep()
    (record,) = project.lines()
    (project.results / "z.jsonl").write_text(json.dumps(record | {"key": "other", "machine": "elsewhere"}) + "\n")
    code, _, err = project.command("status")
    assert (code, err) == (
        0,
        "runner: warning: results/sessions: no session is of elsewhere: 1 records are not shown\n",
    )


@pytest.mark.parametrize("name", ["t.csv", "t.parquet"])
def test_an_export_that_fails_leaves_the_earlier_one(
    project: Project, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def fail(_: pd.DataFrame, path: Path, **__: object) -> None:
        path.write_text("half")
        raise OSError(errno.ENOSPC, "No space left on device")

    project.add("bfs-cpp-a")
    project.sweep()
    table = project.root / name
    export_table(project.results, table)
    before = table.read_bytes()
    monkeypatch.setattr(pd.DataFrame, f"to_{table.suffix[1:]}", fail)
    said = f"reading results\nerror: cannot write {name}: No space left on device\n"
    assert project.command("export", "results", name) == (2, "", said)
    assert table.read_bytes() == before
    assert [path for path in project.root.iterdir() if path.name.endswith(".new")] == []


def test_status_counts_done_failed_and_missing(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.add("bfs-cpp-b", "exit 77")
    assert project.command("run", "--graphs", project.graph)[0] == 1
    project.add("cc-cpp-a")
    code, out, _ = project.command("status")
    assert code == 0
    assert [line.split() for line in out.splitlines() if "│" in line] == [
        ["│", "cpp", "│", "bfs", "│", "1", "│", "1", "│", "│", "│"],
        ["│", "cpp", "│", "cc", "│", "│", "│", "│", "1", "│"],
    ]


def test_status_tells_stale_results_from_missing_ones(project: Project) -> None:
    source = project.add("bfs-cpp-a")
    assert project.command("run", "--graphs", project.graph)[0] == 0
    project.write(source, "bfs-cpp-a", project.printing("bfs-cpp-a", rounds=9))
    _, out, _ = project.command("status")
    assert [line.split() for line in out.splitlines() if "│" in line] == [
        ["│", "cpp", "│", "bfs", "│", "│", "│", "1", "│", "│"]
    ]
