"""Samples and tests that take turns by date miss nobody."""

from __future__ import annotations

import re

import pytest

from tests import costs, reads, selection


@pytest.mark.parametrize("turns", [1, 5, 7])
def test_each_test_has_its_turn_once_in_so_many_days(monkeypatch: pytest.MonkeyPatch, turns: int) -> None:
    due = []
    for day in range(turns):
        monkeypatch.setattr(selection, "today", lambda day=day: 740_000 + day)
        due += [name for name in "abcdefghij" if selection.is_due(name, turns)]
    assert sorted(due) == sorted("abcdefghij")


def test_a_file_has_all_its_turns_on_one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "today", lambda: 740_001)
    assert [selection.is_due("a", 5, day) for day in range(5)] == [day == 740_001 % 5 for day in range(5)]


@pytest.mark.parametrize("days", [2, 3, 4, selection.TURNS])
def test_all_of_a_sample_meets_the_days_of_its_test(monkeypatch: pytest.MonkeyPatch, days: int) -> None:
    for turns in range(1, 17):
        met = set()
        for day in range(20 * days):
            monkeypatch.setattr(selection, "today", lambda day=day: 740_000 + day)
            met |= set(selection.todays(range(days), days)) if selection.is_due("a", turns) else set()
        assert met == set(range(days)), turns


def test_a_file_whose_tests_take_turns_runs_again_on_another_day(monkeypatch: pytest.MonkeyPatch) -> None:
    file = selection.ROOT / "tests" / "runner" / "test_cluster.py"
    assert "mark.turns" in file.read_text(encoding="utf-8")
    today = reads._key_of(file, [])
    monkeypatch.setattr(reads, "today", lambda: selection.today() + 1)
    assert reads._key_of(file, []) != today


def test_what_takes_long_has_turns_so_that_it_takes_a_third_of_a_second_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"tests/test_a.py::test_quick": 0.8, "tests/test_a.py::test_slow": 4.5, "tests/test_b.py::test_huge": 90.0}
    monkeypatch.setattr(costs, "_costs", lambda: known)
    assert costs.turns_of("tests/test_a.py::test_slow[graph-2]") == 14
    assert costs.turns_of("tests/test_a.py::test_quick") == 3
    assert costs.turns_of("tests/test_a.py::test_other") == 1
    assert costs.turns_of("tests/test_b.py::test_huge") == 16
    assert costs.takes_turns("tests/test_a.py")
    assert not costs.takes_turns("tests/test_c.py")


def test_what_takes_turns_is_there() -> None:
    there = {
        f"{file.relative_to(selection.ROOT)}::{name}"
        for file in (selection.ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)\(", file.read_text(encoding="utf-8"))
    }
    assert not costs._costs().keys() - there
