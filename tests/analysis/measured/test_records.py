"""Loading, newest records, derived columns, and the compact file."""

import json
import math
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.compared.best import fastest
from analysis.errors import AnalysisError, RecordWarning
from analysis.measured.records import export, graph_name, load
from tests.analysis.conftest import Record, Write
from tests.memory import LONG

PROGRAM = "bfs-openmp-vertex-topology-push-rmw-nondet-default-i32"


def test_a_job_has_its_style_and_throughput(record: Record, write: Write) -> None:
    samples = [3e-3, 1e-3, 2e-3]
    frame = load(write([record(PROGRAM, samples_s=samples, edges=4_000_000)]))
    (job,) = frame.to_dict("records")
    assert job["throughput"] == pytest.approx(2.0)  # 4e6 edges in 2e-3 s
    assert (job["median_s"], job["n_samples"], job["flow"], job["graph"]) == (2e-3, 3, "push", "grid")
    assert pd.isna(job["worklist"])


@pytest.mark.parametrize("compact", [False, True])
def test_what_parts_came_to_has_columns(record: Record, write: Write, tmp_path: Path, compact: bool) -> None:
    parts = {
        "gpu": [0, 1, 0],
        "imbalance": 1.5,
        "memory_bytes": [10, 35, 20],
        "items_sent": [1, 2, 3],
        "bytes_sent": [8, 16, 24],
        "computing_s": [0.25, 0.75, 0.5],
        "communicating_s": None,
        "waiting_s": [0, 0, 0],
    }
    given = [
        record(PROGRAM, parts=parts),
        record(PROGRAM, graph="other"),
        record(PROGRAM, graph="odd", parts={"gpu": 1}),
    ]
    frame = load(export(write(given), tmp_path / "compact" / "all.parquet") if compact else write(given))
    job = frame.set_index("graph").loc["grid"]
    assert (job["gpu_memory_bytes"], job["items_sent"], job["bytes_sent"], job["imbalance"]) == (35, 6, 48, 1.5)
    assert (job["computing_s"], job["waiting_s"]) == (0.5, 0)
    assert pd.isna(job["communicating_s"])
    assert (
        frame.set_index("graph").loc[["other", "odd"], ["items_sent", "imbalance", "waiting_s"]].isna().all(axis=None)
    )


def test_what_ties_a_record_to_code_and_its_conditions_come_back(record: Record, write: Write, tmp_path: Path) -> None:
    told = {
        "source_sha256": "a" * 64,
        "build_sha256": "b" * 64,
        "includes": ["openmp.hpp", "rows.cuh"],
        "phases_s": {"load": 0.5, "solve": 0.25},
        "conditions": {"load_average": 1.0, "gpu": {"sm_mhz": 1980, "power_w": 120.5, "temperature_c": None}},
    }
    first = export(write([record(PROGRAM, **told), record(PROGRAM, graph="plain")]), tmp_path / "first.parquet")
    again = export(first, tmp_path / "again.parquet")
    for file in (first, again):
        job, plain = pq.read_table(file).to_pylist()
        assert (job["source_sha256"], job["build_sha256"]) == ("a" * 16, "b" * 16)
        assert job["includes"] == "openmp.hpp rows.cuh"
        assert job["phases_s"] == [("load", 0.5), ("solve", 0.25)]
        assert (job["sm_mhz"], job["power_w"]) == (1980, 120.5)
        assert math.isnan(job["temperature_c"])
        assert (plain["includes"], plain["build_sha256"], plain["phases_s"]) == (None, None, [])


OTHER = PROGRAM.replace("push", "pull")


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"graph_sha256": "abcdef01"}, "grid (abcdef)"),
        ({"edges": 7, "vertices": 5}, "grid (5 vertices, 7 edges)"),
        ({"edges": 7}, "grid (7 edges)"),
    ],
)
def test_another_graph_of_the_same_name_is_not_taken_for_it(
    record: Record, write: Write, change: dict[str, Any], name: str
) -> None:
    new = {"graph_sha256": "123456"} if "graph_sha256" in change else {}
    before = [record(each, session="1", **change) for each in (PROGRAM, OTHER)]
    again = record(PROGRAM, session="2", samples_s=[1e-3], **new)
    elsewhere = record(PROGRAM, session="1", machine="other", **change)
    failed = record(
        OTHER.replace("bfs", "sssp"), session="1", status="crashed", samples_s=[], vertices=None, edges=None
    )
    with pytest.warns(RecordWarning, match="graphs are called grid; the 2 jobs of earlier ones are now of ") as told:
        frame = load(write([*before, elsewhere, failed, again]))
    assert str(told[0].message).endswith(name)
    found = frame.sort_values("graph").set_index(["program", "machine"])["graph"].to_dict()
    assert found.pop((failed["program"], failed["machine"])) == "grid"
    machine = again["machine"]
    assert found == {(PROGRAM, machine): "grid", (OTHER, machine): name, (PROGRAM, "other"): name}
    (renewed,) = frame[frame["program"].eq(PROGRAM) & frame["machine"].eq(machine)].to_dict("records")
    assert list(renewed["by_session"]) == ["2"]


@pytest.mark.filterwarnings("error")
def test_a_graph_that_changed_between_two_whole_sweeps_is_the_new_one(record: Record, write: Write) -> None:
    old, new = (record(PROGRAM, session=each, graph_sha256=each * 8) for each in ("1", "2"))
    (job,) = load(write([old, new])).to_dict("records")
    assert (job["graph"], list(job["by_session"])) == ("grid", ["2"])


@pytest.mark.parametrize("status", ["wrong", "timeout", "crashed", "skipped", "compile_error"])
def test_only_verified_results_have_a_throughput(record: Record, write: Write, status: str) -> None:
    assert load(write([record(PROGRAM, status=status)]))["throughput"].isna().all()


@pytest.mark.parametrize("samples", [[], [0.0], [1e-3, -1.0], ["fast"], None])
def test_without_sound_samples_there_is_no_throughput(record: Record, write: Write, samples: object) -> None:
    assert load(write([record(PROGRAM, samples_s=samples)]))["throughput"].isna().all()


@pytest.mark.parametrize(
    ("parameters", "seconds"),
    [
        ({"reps": 9, "warmup": 1, "budget": 10}, 60.0),  # the warm-up would have been the last
        ({"reps": 9, "warmup": 1, "budget": 40}, 20.0),  # the second solution would have been
        ({"reps": 9, "warmup": 1, "budget": 50}, 10.0),  # less than the budget was left for it
        ({"reps": 9, "warmup": 0, "budget": 10}, 50.0),
        ({"reps": 5, "warmup": 1}, 10.0),  # ten solutions without a budget, six here
        ({"reps": 9, "warmup": 1, "budget": 100}, 6.0),
        ({}, 6.0),
    ],
)
def test_a_timeout_bounds_the_throughput(record: Record, write: Write, parameters: Any, seconds: float) -> None:
    stopped = record(PROGRAM, status="timeout", samples_s=[], wall_s=60.0, parameters=parameters)
    (job,) = load(write([stopped])).to_dict("records")
    assert job["throughput_bound"] == pytest.approx(1e6 / seconds / 1e9)
    assert pd.isna(job["throughput"])


def test_only_timeouts_have_bounds(record: Record, write: Write) -> None:
    jobs = [record(PROGRAM, graph=status, status=status, wall_s=60.0) for status in ("verified", "timeout", "crashed")]
    assert load(write(jobs))["throughput_bound"].isna().all()  # the timeout came after its samples


def test_the_newest_record_of_a_job_counts(record: Record, write: Write) -> None:
    newest = record(PROGRAM, seconds=4e-3, session="20260102")
    frame = load(write([newest, record(PROGRAM, seconds=2e-3, session="20260101")]))
    assert frame["median_s"].tolist() == [4e-3]
    write([record(PROGRAM, seconds=8e-3, session="20260102")])
    assert load(write([]))["median_s"].tolist() == [8e-3]


def test_other_graphs_machines_and_parameters_are_other_jobs(record: Record, write: Write) -> None:
    others: list[dict[str, Any]] = [
        {"graph": "road"},
        {"machine": "other"},
        {"parameters": {"source": 3}},
        {"threads": 2},
    ]
    assert len(load(write([record(PROGRAM, **other) for other in others]))) == 4


def test_a_job_that_was_measured_more_often_is_the_same_job(record: Record, write: Write) -> None:
    rough, thorough = ({"parameters": {"reps": reps, "threads": 2}} for reps in (1, 9))
    jobs = [record(PROGRAM, seconds=4e-3, session="20260102", **thorough), record(PROGRAM, session="20260101", **rough)]
    assert load(write(jobs))["median_s"].tolist() == [4e-3]


def test_an_empty_query_is_no_query(record: Record, write: Write) -> None:
    frame = load(write([record(PROGRAM, parameters=given) for given in ({"threads": 2}, {"threads": 2, "query": {}})]))
    assert len(frame) == 1
    frame = load(write([record(PROGRAM, parameters={"threads": 2, "query": {"sources": 8}})]))
    assert frame["setting"].nunique() == 2


def test_torn_and_foreign_lines_are_counted(record: Record, write: Write) -> None:
    directory = write([record(PROGRAM), record("bfs-openmp-mystery"), {"session": "s1"}])
    with (directory / "results.jsonl").open("ab") as file:
        file.write(b'[1]\n\xff\n\n{"program": "bfs-op')
    with pytest.warns(RecordWarning, match=r"results\.jsonl:2: not a result; 5 of 6 lines are none and left out"):
        assert len(load(directory)) == 1


@pytest.mark.parametrize("depth", [5_000, 100_000])
@pytest.mark.parametrize("field", ["machine", "parameters", "setting"])
def test_lines_that_are_nested_too_deeply_are_left_out(record: Record, write: Write, depth: int, field: str) -> None:
    directory = write([record(PROGRAM)])
    deep = json.dumps(record(PROGRAM, graph="deep", **{field: 0}))
    with (directory / "results.jsonl").open("a") as file:
        file.write("[" * depth + "\n")
        file.write(deep.replace(f'"{field}": 0', f'"{field}": {"[" * depth}{"]" * depth}') + "\n")
    with pytest.warns(RecordWarning, match=r"results\.jsonl:2: not a result; 2 of 3 lines are none and left out"):
        assert len(load(directory)) == 1


@settings(max_examples=25 if LONG else 8, deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=5))
def test_no_bytes_break_loading(tmp_path_factory: pytest.TempPathFactory, junk: list[bytes]) -> None:
    file = tmp_path_factory.mktemp("junk") / "r.jsonl"
    good = {"program": PROGRAM, "graph": "g", "status": "verified", "samples_s": [1.0], "edges": 1}
    file.write_bytes(b"\n".join([*junk, json.dumps(good).encode()]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RecordWarning)
        assert len(load(file)) == 1


@settings(max_examples=25 if LONG else 8, deadline=None)
@given(st.recursive(st.none() | st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=3)))
def test_no_field_breaks_loading(tmp_path_factory: pytest.TempPathFactory, odd: object) -> None:
    fields = ("machine", "parameters", "session", "samples_s", "rounds", "edges", "threads", "wall_s", "reason")
    jobs = [{"program": PROGRAM, "graph": f"of {field}", "status": "verified", field: odd} for field in fields]
    file = tmp_path_factory.mktemp("odd") / "r.jsonl"
    file.write_text("\n".join(map(json.dumps, jobs)))
    assert len(load(file)) == len(fields)


@pytest.mark.parametrize(
    ("graph", "name"),
    [
        ("inputs/data/rmat22.sym.egr", "rmat22.sym"),
        ("rmat22.sym", "rmat22.sym"),
        ("/data/road.mtx.gz", "road"),
        ("road-0.5", "road-0.5"),
    ],
)
def test_graph_names(graph: str, name: str) -> None:
    assert graph_name(graph) == name


def test_what_is_no_file_holds_no_results(record: Record, write: Write) -> None:
    directory = write([record(PROGRAM)])
    (directory / "folder.jsonl").mkdir()
    os.mkfifo(directory / "pipe.jsonl")  # to open it would wait for ever
    assert len(load(directory)) == 1


def test_equal_gpus_of_a_machine_are_counted(record: Record, write: Write) -> None:
    one, other = "NVIDIA H200, Fast CPU with 16 cores (012345)", "Slow CPU with 2 cores (abcdef)"
    machines = [one, f"NVIDIA H200, NVIDIA H200, {one}", f"NVIDIA H100, {one}", other]
    frame = load(write([record(PROGRAM, machine=machine) for machine in machines]))
    assert set(frame["machine"]) == {one, f"3 x {one}", f"NVIDIA H100, {one}", other}


def test_sessions_put_machines_into_words(record: Record, write: Write) -> None:
    directory = write([record(PROGRAM, machine="0123456789ab"), record(PROGRAM, machine="ffff")])
    machine = {"fingerprint": "0123456789ab", "cpu": "Fast CPU", "cores": 16, "gpus": [{"name": "NVIDIA H200"}]}
    (directory / "sessions").mkdir()
    (directory / "sessions" / "s1.json").write_text(json.dumps({"id": "s1", "machine": machine}))
    (directory / "sessions" / "s2.json").write_text("{torn")
    with pytest.warns(RecordWarning, match=r"s2\.json: left out, not JSON"):
        frame = load(directory)
    assert set(frame["machine"]) == {"NVIDIA H200, Fast CPU with 16 cores (012345)", "ffff"}


def test_sessions_that_see_some_of_the_same_gpus_are_of_one_machine(record: Record, write: Write) -> None:
    """As where jobs on two GPUs of eight run side by side."""
    card, driver = {"name": "NVIDIA H200", "driver": "580"}, {"name": "NVIDIA H200", "driver": "575"}
    seen = {"aaaaaa1": [card] * 2, "bbbbbb1": [card] * 8, "cccccc1": [card], "dddddd1": [driver] * 8}
    directory = write([record(PROGRAM, machine=machine) for machine in seen])
    (directory / "sessions").mkdir()
    for fingerprint, gpus in seen.items():
        machine = {"fingerprint": fingerprint, "cpu": "CPU", "cores": 128, "memory_gib": len(gpus), "gpus": gpus}
        (directory / "sessions" / f"{fingerprint}.json").write_text(json.dumps({"id": fingerprint, "machine": machine}))
    assert load(directory)["machine"].tolist() == [
        f"8 x NVIDIA H200, CPU with 128 cores ({of})" for of in ("bbbbbb", "dddddd")
    ]


def test_the_compact_file_reads_back(record: Record, write: Write, tmp_path: Path) -> None:
    jobs = [record(PROGRAM), record(PROGRAM, graph="road", status="timeout", samples_s=[], rounds=None, reason="60 s")]
    frame = load(write(jobs))
    again = load(export(tmp_path, tmp_path / "data" / "compact.parquet"))
    exact = ["samples_s", "median_s", "throughput"]
    pd.testing.assert_frame_equal(again.drop(columns=exact), frame.drop(columns=exact))
    np.testing.assert_allclose(again["median_s"], frame["median_s"], rtol=1e-6)
    assert again["samples_s"].map(len).tolist() == frame["samples_s"].map(len).tolist()


_RECORDS = st.fixed_dictionaries(
    {
        "program": st.sampled_from([PROGRAM, OTHER]),
        "graph": st.sampled_from(["grid.egr", "inputs/data/grid.egr", "road"]),
        "session": st.sampled_from(["1", "2", "3", "4"]),
        "machine": st.sampled_from(["box", "den"]),
        "status": st.sampled_from(["verified", "verified", "wrong"]),
        "samples_s": st.lists(st.sampled_from([0.25, 0.5, 1.0]), min_size=1, max_size=3),  # float32 holds these
        "edges": st.sampled_from([1000, 1000, 2000]),
        "parameters": st.sampled_from([{}, {"threads": 2}, {"threads": 2, "reps": 3}]),
    },
    optional={
        "source_sha256": st.sampled_from(["a" * 64, "b" * 64, "c" * 64]),
        "graph_sha256": st.sampled_from(["d" * 64, "e" * 64]),
        "turns": st.just([1]),
    },
)
_HISTORY = st.lists(_RECORDS, min_size=1, max_size=6)


@given(_HISTORY, _HISTORY, st.lists(st.sampled_from(["12.2.0", "13.3.0"]), min_size=4, max_size=4))
@settings(max_examples=40 if LONG else 8, deadline=None)
def test_an_export_means_what_its_folder_did(
    first: list[dict[str, Any]], second: list[dict[str, Any]], compilers: list[str]
) -> None:
    """Alone and beside others: what changed, where, and by which compiler."""
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings():
        warnings.simplefilter("ignore", RecordWarning)
        folders = [Path(place) / name for name in "ab"]
        for folder, history in zip(folders, (first, second), strict=True):
            folder.mkdir()
            (folder / "results.jsonl").write_text("".join(json.dumps(each) + "\n" for each in history))
            for name in {each["session"] for each in history}:
                _session(folder, name, compilers[int(name) - 1], "-O3")
        compact = export(folders[0], Path(place) / "compact" / "a.parquet")
        pd.testing.assert_frame_equal(load(compact), load(folders[0]))
        pd.testing.assert_frame_equal(load([compact, folders[1]]), load(folders))


def test_a_table_for_other_tools_is_left_out(record: Record, write: Write) -> None:
    records = [record(PROGRAM, parameters={"reps": 5, "threads": threads}) for threads in (1, 2)]
    folder = write(records)
    pd.json_normalize(records).to_parquet(folder / "table.parquet")
    with pytest.warns(RecordWarning, match=r"table\.parquet is left out: `violet records` wrote it for other tools"):
        assert len(load(folder)) == 2


def test_the_fastest_program_wins_only_if_verified(record: Record, write: Write) -> None:
    pull = PROGRAM.replace("push-rmw", "pull-rw")
    jobs = [record(PROGRAM, 2e-3), record(pull, 1e-3), record(PROGRAM, 2e-3, graph="road")]
    jobs.append(record(pull, 1e-3, graph="road", status="wrong"))
    assert fastest(load(write(jobs)), ("algorithm", "graph", "machine"))["program"].tolist() == [pull, PROGRAM]


def test_nothing_to_load_is_a_users_error(tmp_path: Path) -> None:
    with pytest.raises(AnalysisError, match="no results in"):
        load(tmp_path)
    with pytest.raises(AnalysisError, match="no such file"):
        load(tmp_path / "absent")
    (tmp_path / "fake.parquet").write_text("no parquet")
    with pytest.raises(AnalysisError, match="not a parquet file: move it away, or write it again"):
        load(tmp_path)


def _session(folder: Path, name: str, version: str, flags: str) -> None:
    machine = {"fingerprint": "box", "cpu": "CPU", "cores": 2, "gpus": []}
    command = f"/usr/bin/g++ -std=c++20 {flags} -Wall -Wextra -fopenmp -I/{name}/runtime"
    session = {"id": name, "machine": machine, "toolchain": {"openmp": {"version": version, "command": command}}}
    (folder / "sessions").mkdir(exist_ok=True)
    (folder / "sessions" / f"{name}.json").write_text(json.dumps(session))


def test_programs_of_two_compilers_are_of_two_machines(record: Record, write: Write, tmp_path: Path) -> None:
    folder = write([record(PROGRAM, session="1"), record(OTHER, session="2"), record(PROGRAM, session="2")])
    write([record(PROGRAM.replace("openmp", "cpp").replace("default", "blocked"), session=name) for name in "12"])
    _session(folder, "1", "12.2.0", "-O3")
    _session(folder, "2", "13.3.0", "-O0")
    with pytest.warns(RecordWarning, match=r"^CPU with 2 cores \(box\): no ratio is formed of openmp programs"):
        frame = load(folder)
    old, new, plain = (f"CPU with 2 cores (box){of}" for of in (", g++ 12.2.0 -O3", ", g++ 13.3.0 -O0", ""))
    found = frame[["program", "machine"]].astype(str).to_numpy().tolist()
    assert found[:3] == [[PROGRAM, old], [OTHER, new], [PROGRAM, new]]
    assert frame.loc[frame["model"] == "cpp", "machine"].tolist() == [plain]
    compact = export(folder, tmp_path / "compact.parquet")
    for places in (compact, [folder, compact]):
        with pytest.warns(RecordWarning, match="g\\+\\+ 12.2.0 -O3 and by g\\+\\+ 13.3.0 -O0"):
            assert load(places)["machine"].tolist() == frame["machine"].tolist()


@pytest.mark.filterwarnings("error")
def test_one_compiler_in_another_folder_is_the_same(record: Record, write: Write) -> None:
    folder = write([record(PROGRAM, session="1"), record(OTHER, session="2"), record(OTHER, graph="x", session="3")])
    for name in "12":
        _session(folder, name, "13.3.0", "-O3")
    assert load(folder).groupby("machine").size().to_dict() == {"CPU with 2 cores (box)": 3}


def test_a_program_that_changed_is_the_new_one(record: Record, write: Write) -> None:
    jobs = [record(PROGRAM, session=name, source_sha256=of) for name, of in [("1", "a"), ("2", "b"), ("3", "b")]]
    jobs += [record(OTHER, session=name, **given) for name, given in [("1", {}), ("2", {"source_sha256": "a"})]]
    sessions = load(write(jobs)).set_index("program")["by_session"]
    assert {name: list(known) for name, known in sessions.items()} == {PROGRAM: ["2", "3"], OTHER: ["1", "2"]}


@pytest.mark.parametrize(
    "odd",
    [
        {"samples_s": [10**400]},
        {"samples_s": [1e-320]},
        {"wall_s": 10**400},
        {"parameters": {"latency": 10**400, "budget": 10**400}, "status": "timeout"},
        {"parts": {"gpu": [0], "memory_bytes": [1], "imbalance": 10**400, "computing_s": [10**400]}},
    ],
)
def test_numbers_that_nothing_can_hold_are_unknown(record: Record, write: Write, odd: dict[str, Any]) -> None:
    assert len(load(write([record(PROGRAM, **odd)]))) == 1


@pytest.mark.parametrize("field", ["graph", "machine", "session", "reason", "graph_sha256", "status"])
def test_half_a_letter_is_no_text(record: Record, write: Write, field: str) -> None:
    with pytest.warns(RecordWarning, match="1 of 2 lines are none and left out"):
        assert len(load(write([record(PROGRAM), record(OTHER, **{field: "\ud800"})]))) == 1


def test_a_session_with_half_a_letter_is_left_out(record: Record, write: Write) -> None:
    folder = write([record(PROGRAM)])
    (folder / "sessions").mkdir()
    machine = {"fingerprint": "box", "cpu": "\ud800", "cores": 2, "gpus": []}
    (folder / "sessions" / "s1.json").write_text(json.dumps({"id": "s1", "machine": machine}))
    with pytest.warns(RecordWarning, match=r"s1\.json: left out, not JSON"):
        assert load(folder)["machine"].tolist() == ["box"]


def test_sessions_tell_graphs_of_compact_files_apart(record: Record, write: Write, tmp_path: Path) -> None:
    for name, program in (("1", PROGRAM), ("2", OTHER)):
        folder = write([record(program, session=name)], name)
        (folder / "sessions").mkdir()
        graph = {"name": "grid", "sha256": name * 8}
        (folder / "sessions" / "s.json").write_text(json.dumps({"id": name, "graphs": [graph, {"name": 1}, None]}))
        export(folder, tmp_path / "compact" / f"{name}.parquet")
    with pytest.warns(RecordWarning, match="different graphs are called grid; the 1 jobs"):
        assert load(tmp_path / "compact")["graph"].tolist() == ["grid (111111)", "grid"]
