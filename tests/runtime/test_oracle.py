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
