"""tiers.csv says of each fault that tests know whether `make test` notices it, or why only `make test-all` does."""

from __future__ import annotations

import pytest

from generator.space import load_space
from tests.programs.tiers import faults, rows


def test_every_fault_has_its_row_and_no_row_is_left_over() -> None:
    names = [fault.name for fault in faults()]
    assert [row["fault"] for row in rows()] == names, "run python -m tests.programs.tiers"


@pytest.mark.parametrize("row", rows(), ids=lambda row: row["fault"])
def test_a_fault_is_noticed_by_a_program_or_there_is_a_reason(row: dict[str, str]) -> None:
    if row["program"]:
        load_space().parse(row["program"])
    assert (row["program"] == "") == (len(row["why"]) > 20)
