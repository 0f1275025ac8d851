from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console

from runner.results.records import Record, Status
from runner.summary import has_failures, list_failures, tabulate_results

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_timeout_or_a_skip_is_no_failure(record: Callable[..., Record]) -> None:
    assert not has_failures([record(status=Status.TIMEOUT), record(status=Status.SKIPPED)])
    assert has_failures([record(status=Status.VERIFIED), record(status=Status.COMPILE_ERROR)])


def test_the_worst_group_is_first(record: Callable[..., Record]) -> None:
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


def test_only_the_first_failures_are_listed(record: Callable[..., Record]) -> None:
    records = [record(status=Status.CRASHED, reason="r") for _ in range(25)]
    assert list_failures(records).plain.splitlines()[-1] == "and 5 more"
    assert len(list_failures(records).plain.splitlines()) == 21
