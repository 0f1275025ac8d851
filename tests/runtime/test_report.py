"""What a program reports: the line of JSON, verification of every repetition, the dump."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.runtime.conftest import Run, Write

pytestmark = [pytest.mark.compile, pytest.mark.daily]


def test_fields_of_a_verified_run(program: Run, path_graph: Path) -> None:
    done = program(path_graph, "--reps", "2", SECONDS=0.0012345678901)
    assert done.code == 0
    assert done.stderr == ""
    record = done.record
    checksum, phases = record.pop("checksum"), record.pop("phases_s")
    threads = record.pop("threads")
    assert record == {
        "program": "test-program",
        "graph": str(path_graph),
        "algorithm": "bfs",
        "model": "cpp",
        "vertices": 4,
        "edges": 4,
        "source": 0,
        "rounds": 2,
        "samples_s": [0.0012345678901, 0.0012345678901],
        "verified": True,
        "parameters": {"patience": 1.5, "agreement": 1.5},
        "device": 'a "quoted" device',
        "peak_memory_bytes": 3000,
    }
    assert threads == len(os.sched_getaffinity(0))
    assert re.fullmatch("[0-9a-f]{16}", checksum)
    assert list(phases) == ["load", "reference", "prepare", "solve", "verify"]
    assert all((seconds > 0) is (phase != "reference") for phase, seconds in phases.items())
    assert phases["solve"] >= 3 * 0.0012


@pytest.mark.parametrize(
    ("algorithm", "result", "needed"),
    [
        ("bfs", "0 1 2 inf", False),
        ("bfs", "0 1 1 inf", True),
        ("mis", "0 1 0 1", False),
        ("mis", "1 0 1 1", True),
        ("cc", "0 0 0 3", True),
    ],
)
def test_what_is_certified_needs_no_reference(
    program: Run, path_graph: Path, algorithm: str, result: str, needed: bool
) -> None:
    values = result.replace("inf", str(2**30))
    done = program(path_graph, "--reps", "1", ALGORITHM=algorithm, ELEMENT="i32", RESULT=values)
    assert done.record["verified"] is (not needed or algorithm == "cc")
    assert (done.record["phases_s"]["reference"] > 0) is needed


@pytest.mark.parametrize("warmup", [0, 1])
def test_a_result_outlives_no_repetition(program: Run, path_graph: Path, warmup: int) -> None:
    done = program(path_graph, "--warmup", warmup, LAZY=1)
    assert done.code == 1
    first = "repetition 1" if warmup else "repetition 2"
    assert done.record["error"] == f"{first}, vertex 0: expected 0, got -1"
    assert len(done.record["samples_s"]) == 2 - warmup


@pytest.mark.parametrize(
    ("model", "options", "seconds", "least"),
    [
        ("cpp", ("--threads", "1"), 3.9e-8, "4e-08"),
        ("cpp", ("--threads", "1"), 4.1e-8, None),
        ("cpp", ("--threads", "2"), 1.9e-8, "2e-08"),
        ("cpp", ("--threads", "2"), 2.1e-8, None),
        ("cpp", ("--threads", "2"), -1.0, "2e-08"),
        ("cpp", ("--threads", "2", "--no-verify"), 1.9e-8, "2e-08"),
        ("cuda", (), 3.9e-10, "4e-10"),
        ("cuda", (), 4.1e-10, None),
    ],
)
def test_no_sample_is_shorter_than_touching_the_graph_takes(
    program: Run, egr: Write, model: str, options: Any, seconds: float, least: str | None
) -> None:
    """Each of 10,000 vertices of a star takes four bytes, and a thread moves 1 TB/s at most."""
    star = egr([[*range(1, 10_000)], *[[0]] * 9_999])
    done = program(star, *options, MODEL=model, REPORTED=seconds)
    if least is None:
        assert done.code == 0
        return
    assert done.code == 1
    complaint = f"warm-up 1, took {seconds:.3g} s, less than the {least} s that it takes to touch the graph"
    assert done.record["error"] == f"{complaint}: nothing was computed"
    assert done.record["verified"] is (None if "--no-verify" in options else False)


def test_a_graph_with_few_edges_may_take_no_time(program: Run, egr: Write) -> None:
    """A program that counts triangles edge by edge has nothing to do for vertices without edges."""
    assert program(egr([[] for _ in range(10_000)]), REPORTED=0).code == 0


def test_preprocessing_is_reported_where_there_is_any(program: Run, path_graph: Path) -> None:
    record = program(path_graph, "--reps", "2", SECONDS=0.003, PREPROCESSING=0.001).record
    assert (record["samples_s"], record["preprocessing_s"]) == ([0.003] * 2, [0.001] * 2)


def test_a_cuda_program_has_no_threads_and_cc_no_source(program: Run, path_graph: Path) -> None:
    record = program(path_graph, ALGORITHM="cc", MODEL="cuda").record
    assert record["model"] == "cuda"
    assert record["algorithm"] == "cc"
    assert "threads" not in record
    assert record["source"] is None


def test_the_checksum_follows_the_result(program: Run, path_graph: Path) -> None:
    checksums = [program(path_graph, "--source", v).record["checksum"] for v in (0, 1, 2, 0)]
    assert len(set(checksums)) == 3
    assert checksums[0] == checksums[3]


@pytest.mark.parametrize("solve", [0, 1, 2, 4])
def test_every_repetition_is_verified(program: Run, path_graph: Path, solve: int) -> None:
    done = program(path_graph, "--warmup", "2", "--reps", "3", WRONG_REPETITION=solve, WRONG_VERTEX=2)
    assert done.code == 1
    record = done.record
    name = f"warm-up {solve + 1}" if solve < 2 else f"repetition {solve - 1}"
    assert record["verified"] is False
    assert record["error"] == f"{name}, vertex 2: expected 2, got 7"
    assert len(record["samples_s"]) == max(0, solve - 1)  # nothing is repeated after a wrong result
    assert done.stderr == f"test-program: error: {path_graph}: wrong result: {record['error']}\n"


def test_the_last_repetition_is_verified(program: Run, path_graph: Path) -> None:
    assert program(path_graph, "--reps", "3", WRONG_REPETITION=3).code == 1


def test_nothing_is_verified_on_request(program: Run, path_graph: Path) -> None:
    done = program(path_graph, "--no-verify", WRONG_REPETITION=0)
    assert done.code == 0
    assert done.record["verified"] is None
    assert "error" not in done.record


@pytest.mark.parametrize("element", ["i32", "i64"])
@pytest.mark.parametrize("offset", [-1, 0, 1, "max"])
def test_unreachable_is_any_value_from_infinity(
    program: Run, path_graph: Path, element: str, offset: int | str
) -> None:
    largest = 2 ** (31 if element == "i32" else 63) - 1
    value = largest if offset == "max" else largest // 2 + offset
    done = program(path_graph, ELEMENT=element, LAST_VALUE=value)
    assert done.code == (1 if offset == -1 else 0)
    if offset == -1:
        assert done.record["error"] == f"warm-up 1, vertex 3: expected inf, got {value}"


@pytest.mark.parametrize(("algorithm", "value"), [("bfs", -1), ("bfs", 3), ("sssp", -(2**31)), ("cc", -1), ("cc", 0)])
def test_a_finite_value_for_an_unreachable_vertex_is_wrong(
    program: Run, path_graph: Path, algorithm: str, value: int
) -> None:
    done = program(path_graph, ALGORITHM=algorithm, LAST_VALUE=value)
    assert done.code == 1
    assert f"got {value}" in done.record["error"]


def test_infinity_for_a_reachable_vertex_is_wrong(program: Run, egr: Write) -> None:
    record = program(egr([[1], [0]]), LAST_VALUE=2**31 - 1).record
    assert record["error"] == "warm-up 1, vertex 1: expected 1, got inf"


@pytest.mark.parametrize(("algorithm", "array"), [("bfs", "level"), ("cc", "label"), ("sssp", "dist")])
def test_a_result_of_the_wrong_size_is_wrong(program: Run, path_graph: Path, algorithm: str, array: str) -> None:
    done = program(path_graph, ALGORITHM=algorithm, SHORT_RESULT=1)
    assert done.code == 1
    assert done.record["error"] == f"warm-up 1, {array}: expected 4 values, got 3"


HEAVY = 2**30 - 2  # the heaviest weight


def test_the_largest_distance_that_fits_32_bits(program: Run, egr: Write) -> None:
    graph = egr([[1], [0]], [HEAVY] * 2)
    for element in ("i32", "i64"):
        assert program(graph, ALGORITHM="sssp", ELEMENT=element).code == 0


def test_a_larger_one_needs_64_bits(program: Run, egr: Write) -> None:
    graph = egr([[1], [0, 2], [1]], [HEAVY, HEAVY, 1, 1])
    done = program(graph, ALGORITHM="sssp", ELEMENT="i32")
    assert done.code == 3
    assert f"a distance of {HEAVY + 1} does not fit a 32-bit program" in done.stderr
    assert "use its i64 variant" in done.stderr
    assert program(graph, "--no-verify", ALGORITHM="sssp", ELEMENT="i32").stderr == done.stderr  # told from its result
    assert program(graph, ALGORITHM="sssp", ELEMENT="i64").code == 0


def test_what_weights_were_is_told(program: Run, egr: Write) -> None:
    none, some = egr([[1], [0]]), egr([[1], [0]], [7, 7])
    told = {
        (graph, *options): program(graph, *options, ALGORITHM="sssp").record["weights"]
        for graph, *options in [(none,), (none, "--weights", "hash"), (none, "--weights=one"), (some,)]
    }
    assert [*told.values()] == ["hash", "hash", "one", "of the graph"]
    assert "weights" not in program(none).record
    done = program(some, "--weights", "one", ALGORITHM="sssp")
    assert (done.code, done.record["error"]) == (
        2,
        "the graph has weights: leave out --weights, which is for graphs that have none",
    )


def test_dump(program: Run, path_graph: Path, tmp_path: Path) -> None:
    path = tmp_path / "dump.txt"
    path.write_text("old")
    assert program(path_graph, "--dump", path).code == 0
    assert path.read_text() == "0\n1\n2\ninf\n"
    assert program(path_graph, "--dump", path, ALGORITHM="cc", ELEMENT="i64").code == 0
    assert path.read_text() == "0\n0\n0\n3\n"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("element", ["i32", "i64"])
def test_a_dump_for_numpy(program: Run, path_graph: Path, tmp_path: Path, element: str) -> None:
    path = tmp_path / "levels.npy"
    assert program(path_graph, "--dump", path, ELEMENT=element).code == 0
    levels = np.load(path)
    assert levels.dtype == np.dtype(element[:1] + str(int(element[1:]) // 8))
    assert levels.tolist() == [0, 1, 2, -1]
    assert program(path_graph, "--dump", path, ALGORITHM="cc", ELEMENT=element).code == 0
    assert np.load(path).tolist() == [0, 0, 0, 3]
    assert list(tmp_path.iterdir()) == [path]


def test_a_wrong_result_is_dumped(program: Run, path_graph: Path, tmp_path: Path) -> None:
    path = tmp_path / "dump.txt"
    assert program(path_graph, "--dump", path, WRONG_REPETITION=1, WRONG_VERTEX=1).code == 1
    assert path.read_text() == "0\n6\n2\ninf\n"


def test_a_dump_that_cannot_be_written(program: Run, path_graph: Path, tmp_path: Path) -> None:
    done = program(path_graph, "--dump", tmp_path / "missing" / "dump.txt")
    assert done.code == 4
    assert "cannot write" in done.stderr
    assert done.record["verified"] is True
    done = program(path_graph, "--dump", "/dev/null")
    assert done.code == 2
    assert "not a regular file" in done.stderr


@pytest.mark.parametrize("name", ['quo"te\\.egr', "new\nline\t\x7f\x01.egr", "grün-図-🟣.egr"])
def test_names_are_escaped(program: Run, egr: Write, name: str) -> None:
    path = egr([[]], name=name)
    assert program(path).record["graph"] == str(path)


def test_names_do_not_command_a_terminal(program: Run, egr: Write) -> None:
    """Neither by escape codes nor by those of one character, from U+0080 on."""
    path = egr(b"", name="a\x1b[2J\x9b1m\x7f.egr")
    done = program(path)
    assert done.code == 3
    assert done.record["graph"] == str(path)
    assert r"a\x1b[2J\x9b1m\x7f.egr: too short" in done.stderr
    assert all(character.isprintable() for line in done.stderr.splitlines() for character in line)
    assert all(character.isprintable() for line in done.stdout.splitlines() for character in line)


NOT_UTF8 = [b"\xff", b"a\xc3", b"\xc0\x80", b"\xe0\x80\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"]


@pytest.mark.parametrize("name", NOT_UTF8)
def test_names_that_are_not_utf8_survive(program: Run, egr: Write, name: str) -> None:
    path = egr([[]], name=os.fsdecode(name + b"x.egr"))
    done = program(path)
    done.stdout.encode("ascii")
    assert done.record["graph"] == str(path)
