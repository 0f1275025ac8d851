from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from runner.results.records import Status
from runner.summary import has_failures, list_failures, tabulate_results, tell_timeouts

if TYPE_CHECKING:
    from tests.runner.conftest import MakeRecord


def test_a_timeout_or_a_skip_is_no_failure(record: MakeRecord) -> None:
    assert not has_failures([record(status=status) for status in (Status.TIMEOUT, Status.REFUSED, Status.SKIPPED)])
    assert has_failures([record(status=Status.VERIFIED), record(status=Status.COMPILE_ERROR)])


def test_the_worst_group_is_first(record: MakeRecord) -> None:
    records = [
        record(model="cpp", status=Status.VERIFIED),
        record(model="cuda", status=Status.SKIPPED),
        record(model="openmp", status=Status.CRASHED),
        record(model="openmp", algorithm="cc", status=Status.WRONG),
    ]
    console = Console(file=StringIO(), width=100)
    console.print(tabulate_results(records))
    rows = [line.split()[1:4:2] for line in console.file.getvalue().splitlines() if line.startswith("│")]
    assert rows == [["openmp", "cc"], ["openmp", "bfs"], ["cuda", "bfs"], ["cpp", "bfs"]]


def test_many_timeouts_are_told_of(record: MakeRecord) -> None:
    records = [record(status=Status.VERIFIED) for _ in range(18)] + [record(status=Status.TIMEOUT)]
    assert tell_timeouts([]) == tell_timeouts([*records, record(status=Status.VERIFIED)]) == ""
    assert tell_timeouts(records).startswith("1 of 19 jobs (5%) were cut off by the timeout: ")


def test_only_the_first_failures_are_listed(record: MakeRecord) -> None:
    records = [record(status=Status.CRASHED, reason="r") for _ in range(25)]
    assert list_failures(records).plain.splitlines()[-1] == "and 5 more"
    assert len(list_failures(records).plain.splitlines()) == 21


@pytest.mark.parametrize(
    ("reason", "error", "shown"),
    [
        ("exit code 77", None, ""),
        ("it does not accept its command line", "bfs-cpp-a: error: --k takes K\nmore", ": --k takes K"),
        ("it does not accept the graph", "bfs-cpp-a: error: g.egr: too short", ": g.egr: too short"),
        ("it does not accept the graph: too short: 3", "bfs-cpp-a: error: g.egr: too short: 3", ""),
        ("it does not compile", "a.cpp: In function 'f':\na.cpp:3:1: error: no type", ": a.cpp:3:1: error: no type"),
        ("killed by SIGABRT", "terminate called\nwhat(): x", ": terminate called"),
        ("exit code 9", "x" * 201, ": " + "x" * 197 + "..."),
        ("vertex 1 is 2, not 3", "bfs-cpp-a: error: g.egr: wrong result: vertex 1 is 2, not 3", ""),
    ],
)
def test_a_failure_has_its_cause(record: MakeRecord, reason: str, error: str | None, shown: str) -> None:
    (line,) = list_failures([record(reason=reason, error=error)]).plain.splitlines()
    assert line == f"crashed       bfs-cpp-a on g: {reason}{shown}"
