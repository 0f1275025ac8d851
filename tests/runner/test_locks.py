from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from runner.checkout import Checkout
from runner.errors import RunnerError
from runner.locks import only_timer, only_writer

if TYPE_CHECKING:
    from pathlib import Path


def test_there_is_one_writer_at_a_time(tmp_path: Path) -> None:
    results = tmp_path / "new" / "results"
    me = f"process {os.getpid()} on .* is writing to"
    with only_writer(results), pytest.raises(RunnerError, match=me), only_writer(results):
        pass
    with only_writer(results):
        pass


def test_results_that_cannot_be_a_folder_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunnerError, match="cannot"), only_writer(tmp_path / "file"):
        pass


def test_there_is_one_timer_at_a_time_in_a_checkout(tmp_path: Path) -> None:
    checkout = Checkout(tmp_path)
    with only_timer(checkout), pytest.raises(RunnerError, match="is building or timing in"), only_timer(checkout):
        pass
