"""Which functions of tests take long, in costs.csv: these take turns.

`python -m pytest -n0 -p tests.costs` measures them anew.
"""

from __future__ import annotations

import csv
import math
import os
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

_TABLE = Path(__file__).with_name("costs.csv")
_COLUMNS = ["function", "cpu_s"]
"""A function of tests, and the CPU seconds of all its tests with their children, where that is more than one day's."""
_A_DAY = 1 / 3
"""CPU seconds that a function may take each day."""
_MOST_TURNS = 16


def turns_of(test: str) -> int:
    """Returns in how many days a test runs once, so that its function takes about a third of a second a day."""
    return min(math.ceil(_costs().get(_function_of(test), 0.0) / _A_DAY) or 1, _MOST_TURNS)


def takes_turns(file: str) -> bool:
    """Tells whether a file, named as from the root, has a function that takes turns."""
    return any(function.startswith(f"{file}::") for function in _costs())


@cache
def _costs() -> dict[str, float]:
    with _TABLE.open(encoding="utf-8", newline="") as rows:
        return {row["function"]: float(row["cpu_s"]) for row in csv.DictReader(rows)}


def _function_of(test: str) -> str:
    return test.partition("[")[0]


_measured: defaultdict[str, float] = defaultdict(float)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    """Adds what a test takes, with the fixtures that it is the first to need."""
    before = sum(os.times()[:4])
    result = yield
    _measured[_function_of(item.nodeid)] += sum(os.times()[:4]) - before
    return result


def pytest_sessionfinish() -> None:
    """Writes the table; functions that did not run keep their rows."""
    kept = {function: cost for function, cost in _costs().items() if function not in _measured}
    costs = kept | {function: cost for function, cost in _measured.items() if cost > _A_DAY}
    with _TABLE.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(_COLUMNS)
        table.writerows((function, f"{cost:.1f}") for function, cost in sorted(costs.items()))
