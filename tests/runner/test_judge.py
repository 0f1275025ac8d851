from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from pydantic import ValidationError

from runner.jobs.plan import Parameters
from runner.process.execute import Line, Outcome, Stop
from runner.results.records import Record, Status
from runner.timing.judge import confirm, judge_end, judge_line

if TYPE_CHECKING:
    from tests.runner.conftest import MakeRecord

REPORT = {
    "program": "bfs-cpp-a",
    "graph": "g.egr",
    "vertices": 3,
    "edges": 4,
    "rounds": 1,
    "samples_s": [0.5],
    "verified": True,
}


@pytest.fixture
def judged(record: MakeRecord) -> MakeRecord:
    def judge_report(**changes: object) -> Record:
        return judge_line(record(), "g.egr", Line(json.dumps(REPORT | changes).encode(), b"said\n", 1.5))

    return judge_report


def test_a_good_report_is_verified(judged: MakeRecord) -> None:
    record = judged(checksum="ab", device="a CPU", phases_s={"load": 0.1}, something_new=1)
    assert record.status is Status.VERIFIED
    assert (record.samples_s, record.rounds, record.checksum, record.device) == ([0.5], 1, "ab", "a CPU")
    assert (record.wall_s, record.exit_code, record.error, record.reason) == (1.5, 0, "said", None)


@pytest.mark.parametrize("samples", [[], [0.0], [0.5, 0.0]])
def test_a_report_without_times_is_none(judged: MakeRecord, samples: list[float]) -> None:
    record = judged(samples_s=samples)
    reason = "it printed no report: it is verified but has no times, or one of 0 s"
    assert (record.status, record.reason) == (Status.CRASHED, reason)
    assert judged(samples_s=samples, verified=False).status is Status.WRONG


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"samples_s": [0.5] * 10}, "it has 10 samples of 9 repetitions"),
        ({"preprocessing_s": [0.1] * 2}, "it has 2 times of preprocessing in 1 samples"),
    ],
)
def test_more_samples_than_repetitions_are_no_record(
    judged: MakeRecord, record: MakeRecord, changes: dict[str, object], problem: str
) -> None:
    found = judged(**changes)
    assert (found.status, found.reason) == (Status.CRASHED, f"it printed no report: {problem}")
    assert found.samples_s == []
    with pytest.raises(ValidationError, match=problem):
        record(status=Status.VERIFIED, **changes)
    assert record(status=Status.VERIFIED, samples_s=[0.5] * 18, turns=[9, 9]).samples_s


def test_threads_that_a_program_did_not_have_are_no_result(record: MakeRecord) -> None:
    blank = record(parameters=Parameters(threads=4))
    for threads, status in ((4, Status.VERIFIED), (1, Status.SKIPPED)):
        found = judge_line(blank, "g.egr", Line(json.dumps(REPORT | {"threads": threads}).encode(), b"", 1.5))
        assert (found.status, found.exit_code) == (status, 0)
    assert (found.reason, found.samples_s) == ("it had 1 of 4 threads", [])


@pytest.mark.parametrize(
    "said", [b"libgomp: Thread creation failed: Resource temporarily unavailable", b"libgomp: Out of memory allocating"]
)
def test_openmp_without_memory_is_skipped_as_others_are(record: MakeRecord, said: bytes) -> None:
    ended = judge_end(record(), Outcome(1, None, b"", b"\n" + said + b"\n", 0.1), 300)
    assert (ended.status, ended.reason) == (Status.SKIPPED, "too little memory, or no working device")


def test_a_refusal_has_its_reason(judged: MakeRecord) -> None:
    record = judged(verified=None, exit_code=3, error="neighbours[0] of vertex 0 is a self-loop")
    reason = "it does not accept the graph: neighbours[0] of vertex 0 is a self-loop"
    assert (record.status, record.reason, record.exit_code) == (Status.REFUSED, reason, 3)


def test_the_share_of_preprocessing_is_kept(judged: MakeRecord) -> None:
    assert judged().preprocessing_s == []
    assert judged(preprocessing_s=[0.25]).preprocessing_s == [0.25]


PARTS = {
    "gpu": [0, 1],
    "edges": [1, 3],
    "imbalance": 1.5,
    "memory_bytes": [10, 30],
    "items_sent": [1, 2],
    "bytes_sent": [8, 16],
    "computing_s": [0.1, 0.2],
    "communicating_s": None,
    "waiting_s": [0.2, 0.1],
}


def test_what_parts_came_to_is_kept(judged: MakeRecord) -> None:
    assert judged().parts is None
    parts = judged(parts=PARTS).parts
    assert parts is not None
    assert parts.model_dump() == PARTS


def test_a_wrong_result_keeps_its_samples(judged: MakeRecord) -> None:
    record = judged(verified=False, error="vertex 2 is 7, not 1")
    assert (record.status, record.reason, record.exit_code) == (Status.WRONG, "vertex 2 is 7, not 1", 1)
    assert record.samples_s == [0.5]


@pytest.mark.parametrize(("exit_code", "verified"), [(1, True), (0, False)])
def test_any_doubt_is_wrong(judged: MakeRecord, exit_code: int, verified: bool) -> None:
    outcome = Outcome(exit_code, None, b"", b"", 0.1)
    assert confirm(judged(verified=verified), outcome, 1 - exit_code, 300).status is Status.WRONG


@pytest.mark.parametrize(
    "changes",
    [
        {"samples_s": [-1.0]},
        {"samples_s": ["fast"]},
        {"samples_s": [float("inf")]},
        {"rounds": None},
        {"verified": "maybe"},
        {"verified": None},
        {"verified": None, "exit_code": "x"},
        {"program": "bfs-cpp-b"},
        {"graph": "h.egr"},
        {"edges": 5},
    ],
)
def test_a_report_that_cannot_be_is_a_crash(judged: MakeRecord, changes: dict[str, object]) -> None:
    record = judged(**changes)
    assert record.status is Status.CRASHED
    assert record.exit_code is None


@pytest.mark.parametrize(("code", "status"), [(2, Status.CRASHED), (3, Status.REFUSED), (4, Status.SKIPPED)])
def test_a_program_may_refuse_a_graph(judged: MakeRecord, code: int, status: Status) -> None:
    record = judged(verified=None, exit_code=code)
    assert (record.status, record.exit_code, record.samples_s) == (status, code, [])


def test_a_timeout_is_not_blamed_on_the_signal_that_ended_it(record: MakeRecord) -> None:
    judged = judge_end(record(), Outcome(-15, Stop.TIMEOUT, b"", b"said\n", 300.5), 300)
    assert (judged.status, judged.reason, judged.exit_code) == (Status.TIMEOUT, "not done after 300 s", None)
    assert (judged.error, judged.wall_s) == ("said", 300.5)
