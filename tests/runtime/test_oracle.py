"""References and checks against brute force on all graphs of up to four vertices."""

import pytest

from tests.runtime.conftest import start

pytestmark = pytest.mark.compile


def test_references_and_checks_follow_from_the_definitions(binaries):
    done = start([binaries / "oracle"])
    assert (done.code, done.stdout) == (0, "300 graphs\n"), done.stderr
