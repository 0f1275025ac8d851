"""The command line of every program: options, their errors, exit codes."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.runtime.conftest import Run, Write

pytestmark = [pytest.mark.compile, pytest.mark.daily]


def test_help_goes_to_standard_output_and_names_every_option(program: Run) -> None:
    done = program("--help")
    assert done.code == 0
    assert done.stderr == ""
    for option in ["source", "reps", "warmup", "threads", "budget", "reference", "no-verify", "dump", "help"]:
        assert f"--{option}" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "no graph; name at least one .egr file"),
        (["G", "--rep", "3"], "unknown option '--rep'; --help lists all"),
        (["G", "-x"], "unknown option '-x'"),
        (["G", "--reps"], "--reps needs a value"),
        (["G", "--reps", "--warmup", "1"], "--reps needs a value"),
        (["G", "--reps", "0"], "--reps takes a whole number from 1 to 2147483647, not '0'"),
        (["G", "--reps", "3x"], "--reps takes a whole number"),
        (["G", "--reps="], "--reps takes a whole number"),
        (["G", "--reps=99999999999"], "--reps takes a whole number"),
        (["G", "--warmup", "-1"], "--warmup takes a whole number from 0"),
        (["G", "--threads", "0"], "--threads takes a whole number from 1 to 4096"),
        (["G", "--threads", "4097"], "--threads takes a whole number from 1 to 4096"),
        (["G", "--source", "-1"], "--source takes a whole number from 0"),
        (["G", "--source", "4"], "path.egr: --source 4 is not a vertex; the graph has 0 to 3"),
        (["G", "--budget", "soon"], "--budget takes a number of seconds, such as 1.5, not 'soon'"),
        (["G", "--budget", "-1"], "--budget takes a number of seconds"),
        (["G", "--budget", "nan"], "--budget takes a number of seconds"),
        (["G", "--patience", "0"], "--patience takes a positive number, not '0'"),
        (["G", "--patience", "much"], "--patience takes a positive number, not 'much'"),
        (["G", "--no-verify=1"], "unknown option '--no-verify=1'"),
        (["G", "--no-verify", "--reference", "R"], "--reference and --no-verify exclude each other"),
        (["G", "G", "--reference", "R"], "--reference is given 1 times for 2 graphs; give it once for each"),
        (["G", "G", "--dump", "D"], "--dump is for one graph, not 2"),
        (["G", "--source", "1", "--source", "2", "--reference", "R"], "--reference is for one source, not 2"),
        (["G", "--reference", "missing"], "--reference missing cannot open: No such file"),
    ],
)
def test_usage_errors_name_the_option_and_the_fix(
    program: Run, path_graph: Path, arguments: Any, complaint: str
) -> None:
    done = program(*(path_graph if word == "G" else word for word in arguments))
    assert done.code == 2
    assert all(record["verified"] is None for record in done.records)
    assert done.stderr.startswith("test-program: error: ")
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("link", ["same", "symbolic", "hard"])
@pytest.mark.parametrize("what", ["graph", "reference"])
def test_no_dump_is_written_over_what_is_read(
    program: Run, reference: Run, path_graph: Path, tmp_path: Path, what: str, link: str
) -> None:
    read = {"graph": tmp_path / "copy.egr", "reference": tmp_path / "bfs.ref"}
    read["graph"].write_bytes(path_graph.read_bytes())
    assert reference("bfs", read["graph"], read["reference"]).code == 0
    before = {name: path.read_bytes() for name, path in read.items()}
    dump = read[what] if link == "same" else tmp_path / "link"
    if link == "symbolic":
        dump.symlink_to(read[what])
    elif link == "hard":
        dump.hardlink_to(read[what])
    done = program(read["graph"], "--reference", read["reference"], "--dump", dump)
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr == f"test-program: error: --dump {dump} is the {what}; name another file\n"
    assert {name: path.read_bytes() for name, path in read.items()} == before


def test_a_parameter_of_the_method_is_documented_set_and_reported(program: Run, path_graph: Path) -> None:
    assert "  --patience X       nobody asks for it (default: 1.5)\n" in program("--help").stdout
    assert program(path_graph).record["parameters"] == {"patience": 1.5, "agreement": 1.5}
    assert program(path_graph, "--patience=2.25").record["parameters"] == {"patience": 2.25, "agreement": 1.5}


def test_options_may_stand_anywhere_and_take_an_equals_sign(program: Run, path_graph: Path) -> None:
    record = program("--reps=2", path_graph, "--source", "2", "--threads=3").record
    assert len(record["samples_s"]) == 2
    assert record["source"] == 2
    assert record["threads"] == 3


def test_after_two_dashes_everything_is_a_graph(program: Run) -> None:
    done = program("--", "--reps")
    assert done.code == 3
    assert "--reps: cannot open" in done.stderr


def test_defaults(program: Run, path_graph: Path) -> None:
    record = program(path_graph, SECONDS=0.001).record
    assert record["samples_s"] == [0.001] * 9
    assert record["threads"] >= 1
    assert record["peak_memory_bytes"] == 10_000  # 1000 a solve: one warm-up and nine repetitions


def test_no_warmup_and_one_repetition(program: Run, path_graph: Path) -> None:
    record = program(path_graph, "--warmup", "0", "--reps", "1").record
    assert len(record["samples_s"]) == 1
    assert record["peak_memory_bytes"] == 1000


def test_default_source_is_the_first_vertex_with_an_edge(program: Run, egr: Write) -> None:
    assert program(egr([[], [2], [1]])).record["source"] == 1
    assert program(egr([[], []])).record["source"] == 0


def test_budget_ends_the_repetitions(program: Run, path_graph: Path) -> None:
    record = program(path_graph, "--warmup", "0", "--budget", "0.12", SECONDS=0.05).record
    assert record["samples_s"] == [0.05] * 3


def test_budget_leaves_one_timed_repetition(program: Run, path_graph: Path) -> None:
    record = program(path_graph, "--warmup", "5", "--budget", "0.03", SECONDS=0.02).record
    assert record["samples_s"] == [0.02]
    assert record["peak_memory_bytes"] == 3000  # after two warm-ups no other


@pytest.mark.parametrize("warmup", [0, 1])
def test_a_graph_is_solved_once_whatever_the_budget(program: Run, path_graph: Path, warmup: int) -> None:
    record = program(path_graph, "--warmup", str(warmup), "--budget", "0", SECONDS=0.02).record
    assert record["samples_s"] == [0.02]


def test_a_warm_up_that_uses_up_the_budget_is_the_repetition(program: Run, path_graph: Path) -> None:
    record = program(path_graph, "--warmup", "5", "--reps", "5", "--budget", "0.01", SECONDS=0.02).record
    assert record["samples_s"] == [0.02]
    assert record["peak_memory_bytes"] == 1000  # it ran once


@pytest.mark.parametrize("phase", ["PREPARE", "SOLVE"])
@pytest.mark.parametrize(
    ("how", "complaint"),
    [
        ("bad_alloc", "path.egr: not enough memory"),
        ("exception", "path.egr: the device caught fire"),
        ("fail", "test-program: error: no device: it caught fire"),
    ],
)
def test_a_lack_of_resources_is_4(program: Run, path_graph: Path, phase: str, how: str, complaint: str) -> None:
    done = program(path_graph, path_graph, "--reps", "1", **{phase: how})
    assert done.code == 4
    assert [record["exit_code"] for record in done.records] == ([] if how == "fail" else [4, 4])
    assert complaint in done.stderr


def test_a_bad_graph_leaves_the_others_to_be_solved(program: Run, path_graph: Path, egr: Write) -> None:
    bad = egr([[0]])
    done = program(path_graph, bad, "missing.egr", path_graph, "--reps", "1")
    assert done.code == 3
    assert [record["graph"] for record in done.records] == [str(path_graph), str(bad), "missing.egr", str(path_graph)]
    assert [record["verified"] for record in done.records] == [True, None, None, True]
    assert done.records[2] == {
        "program": "test-program",
        "graph": "missing.egr",
        "verified": None,
        "exit_code": 3,
        "error": "cannot open: No such file or directory",
    }
    assert done.stderr.splitlines()[0] == f"test-program: error: {bad}: neighbours[0] of vertex 0 is a self-loop"
    assert done.stderr.splitlines()[1] == "test-program: error: missing.egr: cannot open: No such file or directory"


@pytest.mark.parametrize(("wrong_first", "code"), [(True, 1), (False, 3)])
def test_the_first_problem_decides_the_exit_code(
    program: Run, path_graph: Path, egr: Write, wrong_first: bool, code: int
) -> None:
    graphs = [path_graph, egr(b"")]
    assert program(*(graphs if wrong_first else graphs[::-1]), WRONG_REPETITION=0).code == code


def test_a_full_standard_output_is_4(binaries: Path, path_graph: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([binaries / "test-program", path_graph], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 4
    assert b"cannot write to the standard output" in done.stderr
