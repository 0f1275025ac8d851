import json

import pytest

from runner.execute import Outcome, Stop
from runner.records import Record, Status
from runner.report import judge

REPORT = {"program": "bfs-cpp-a", "vertices": 3, "edges": 4, "rounds": 1, "samples_s": [0.5], "verified": True}


@pytest.fixture
def judged(record):
    def judge_report(exit_code: int | None = 0, stopped: Stop | None = None, **changes: object) -> Record:
        line = json.dumps(REPORT | changes).encode()
        return judge(record(), Outcome(exit_code, stopped, line, b"said\n", 1.5), 300)

    return judge_report


def test_a_good_report_is_verified(judged):
    record = judged(checksum="ab", device="a CPU", phases_s={"load": 0.1}, something_new=1)
    assert record.status is Status.VERIFIED
    assert (record.samples_s, record.rounds, record.checksum, record.device) == ([0.5], 1, "ab", "a CPU")
    assert (record.wall_s, record.exit_code, record.error, record.reason) == (1.5, 0, "said", None)


@pytest.mark.parametrize(("exit_code", "verified"), [(1, False), (1, True), (0, False)])
def test_any_doubt_is_wrong(judged, exit_code, verified):
    record = judged(exit_code, verified=verified, error="vertex 2 is 7, not 1")
    assert (record.status, record.reason) == (Status.WRONG, "vertex 2 is 7, not 1")


@pytest.mark.parametrize(
    "changes",
    [
        {"verified": None},
        {"samples_s": [-1.0]},
        {"samples_s": ["fast"]},
        {"samples_s": [float("inf")]},
        {"rounds": None},
        {"program": "bfs-cpp-b"},
        {"edges": 5},
    ],
)
def test_a_report_that_cannot_be_is_a_crash(judged, changes):
    assert judged(**changes).status is Status.CRASHED


def test_a_timeout_is_not_blamed_on_the_signal_that_ended_it(judged):
    record = judged(-15, Stop.TIMEOUT)
    assert (record.status, record.reason, record.exit_code) == (Status.TIMEOUT, "not done after 300 s", None)
    assert record.samples_s == []
