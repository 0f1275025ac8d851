"""References and checks against brute force on all graphs of up to four vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.runtime.conftest import start

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.compile


def test_references_and_checks_follow_from_the_definitions(binaries: Path) -> None:
    done = start([binaries / "oracle"])
    assert (done.code, done.stdout) == (0, "300 graphs\n"), done.stderr


def test_references_of_directed_graphs_follow_from_the_definitions(binaries: Path) -> None:
    """All graphs of up to three vertices, and a sixteenth of those of four; without a step, it takes all of them."""
    done = start([binaries / "oracle_directed", 17])
    assert (done.code, done.stdout) == (0, "310 graphs\n"), done.stderr


def test_checks_of_real_numbers_are_sharp_in_either_precision(binaries: Path) -> None:
    """A bound that grows with rounds or rows would accept anything."""
    done = start([binaries / "bounds"])
    assert (done.code, done.stdout) == (0, "8 algorithms\n"), done.stderr
