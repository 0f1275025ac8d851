from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runner.best.expectation import expect
from runner.best.measured import Measured, read_measured

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NAMES = [
    "-".join(("cc", "cpp", *words)) for words in itertools.product(("push", "pull"), ("rw", "rmw"), ("i32", "i64"))
]


def measured(times: Sequence[float], graph: str = "g", vertices: int = 1000, edges: int = 4000) -> Measured:
    return Measured(graph, vertices, edges, "m", dict(zip(NAMES, times, strict=True)))


def test_without_measurements_all_is_open_and_names_alone_tell_programs_apart() -> None:
    expectation = expect(NAMES, 10, 20, [])
    assert expectation.mean.tolist() == [0] * len(NAMES)
    row = expectation.covariance[0]
    assert row[0] > row[1] > row[-1] > 0
    assert np.linalg.eigvalsh(expectation.covariance).min() > -1e-9


def test_what_was_fast_elsewhere_is_expected_to_be_fast() -> None:
    expectation = expect(NAMES, 1000, 4000, [measured([8, 7, 6, 5, 4, 3, 2, 1])])
    assert np.argsort(expectation.mean).tolist() == [7, 6, 5, 4, 3, 2, 1, 0]
    assert expectation.mean[0] == pytest.approx(np.log(8))


def test_like_graphs_count_more() -> None:
    road = measured([1, 1, 1, 1, 9, 9, 9, 9], edges=2700)
    social = measured([9, 9, 9, 9, 1, 1, 1, 1], edges=40_000)
    assert np.argmin(expect(NAMES, 2000, 5000, [road, social]).mean) < 4
    assert np.argmin(expect(NAMES, 2000, 90_000, [road, social]).mean) >= 4


def test_a_program_that_was_not_measured_is_expected_to_be_like_its_likes() -> None:
    table = measured([1, 1, 1, 1, 50, 50, 50, 50])
    del table.times_s["cc-cpp-push-rw-i64"], table.times_s["cc-cpp-pull-rmw-i64"]
    mean = dict(zip(NAMES, expect(NAMES, 1000, 4000, [table]).mean, strict=True))
    assert mean["cc-cpp-push-rw-i64"] < mean["cc-cpp-pull-rmw-i64"] - 1


def test_other_algorithms_models_and_tiny_graphs_say_nothing() -> None:
    others = [
        Measured("g", 1000, 4000, "m", {"bfs-cpp-push-rw-i32": 1.0, "cc-cuda-push-rw-i32": 1.0}),
        measured(range(1, 9), edges=4),
    ]
    assert not expect(NAMES, 1000, 4000, others).mean.any()


def test_models_are_not_compared() -> None:
    names = [*NAMES, *(name.replace("cpp", "cuda") for name in NAMES)]
    covariance = expect(names, 1000, 4000, [measured(range(1, 9))]).covariance
    assert not covariance[: len(NAMES), len(NAMES) :].any()


def test_tables_are_read_and_only_verified_times_count(tmp_path: Path) -> None:
    rows = [
        ("cc-cpp-a", "verified", [3.0, 1.0, 2.0], '{"reps": 3}'),
        ("cc-cpp-b", "wrong", [1.0], '{"reps": 3}'),
        ("cc-cpp-c", "skipped", [], '{"reps": 3}'),
        ("cc-cpp-d", "timeout", [], '{"reps": 3}'),
        ("cc-multigpu-a", "verified", [4.0], '{"gpus": 2}'),
        ("cc-multigpu-a", "verified", [9.0], '{"gpus": 2, "latency": 100.0}'),
        ("cc-multigpu-a", "verified", [9.0], '{"gpus": 2, "partition": {"name": "p"}}'),
    ]
    columns = dict(zip(("program", "status", "samples_s", "parameters"), zip(*rows, strict=True), strict=True))
    of_all = {"graph": "g", "machine": "m", "vertices": 5, "edges": 8, "session": "1"}
    same = {name: [value] * len(rows) for name, value in of_all.items()}
    pq.write_table(pa.table(columns | same), tmp_path / "a.parquet")
    times = {"cc-cpp-a": 2.0, "cc-multigpu-a": 4.0}
    assert read_measured(tmp_path) == [Measured("g", 5, 8, "m", times, frozenset({"cc-cpp-d"}))]
    earlier = {name: [*values] for name, values in (columns | same | {"session": ["0"] * len(rows)}).items()}
    earlier["samples_s"] = [[9.0] if samples else [] for samples in earlier["samples_s"]]
    pq.write_table(pa.table(earlier), tmp_path / "b.parquet")
    assert read_measured(tmp_path)[0].times_s == times  # those of the newest session
    assert read_measured(tmp_path / "nowhere") == []


def test_a_machine_is_one_whether_a_table_has_its_fingerprint_or_words(tmp_path: Path) -> None:
    machine = {"fingerprint": "0123456789ab", "cpu": "Xeon", "cores": 4, "gpus": [{"name": "H200"}]}
    words = "H200, Xeon with 4 cores (012345)"
    for name, machine_of, program in (("a", words, "cc-cpp-a"), ("b", machine["fingerprint"], "cc-cpp-b")):
        row = {"program": program, "graph": "g", "machine": machine_of, "parameters": "{}", "session": "1"}
        row |= {"status": "verified", "samples_s": [1.0], "vertices": 5, "edges": 8}
        (tmp_path / name).mkdir()
        pq.write_table(pa.Table.from_pylist([row]), tmp_path / name / "t.parquet")
    (tmp_path / "b" / "t.sessions.json").write_text(json.dumps([{"id": "1", "machine": machine}]))
    assert read_measured(tmp_path) == [Measured("g", 5, 8, words, {"cc-cpp-a": 1.0, "cc-cpp-b": 1.0})]


def test_a_file_that_is_no_table_of_results_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "damaged.parquet").write_text("no parquet")
    pq.write_table(pa.table({"program": ["cc-cpp-a"]}), tmp_path / "other.parquet")
    assert read_measured(tmp_path) == []
    damaged, other = capsys.readouterr().err.splitlines()
    assert damaged.startswith(f"runner: warning: {tmp_path / 'damaged.parquet'}: left out, no table of results: ")
    assert other.startswith(f"runner: warning: {tmp_path / 'other.parquet'}: left out, no table of results: ")
    assert "graph" in other.partition("results: ")[2]
