"""Where the threads of C++ programs run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.runtime.conftest import Finished

pytestmark = pytest.mark.compile
CPUS = sorted(os.sched_getaffinity(0))


def cpus(done: Finished) -> list[list[int]]:
    assert done.code == 0, done.stderr
    return [[int(word) for word in line.split()] for line in done.stdout.splitlines()]


def test_threads_run_anywhere_unless_they_are_pinned(places: Callable[..., Finished]) -> None:
    assert cpus(places(2)) == [CPUS, CPUS, CPUS]


def test_each_thread_has_its_place_and_the_main_thread_is_free_again(places: Callable[..., Finished]) -> None:
    if len(CPUS) < 2:
        pytest.skip("one CPU only")
    first, second, *_ = CPUS
    done = places(3, VIOLET_PLACES=f"{second};{first},{second}")
    assert cpus(done) == [[second], [first, second], [second], CPUS]


@pytest.mark.parametrize("value", ["", "0;", "x", "0:4", "-1", "1024", "0,,1"])
def test_a_list_that_is_none_is_refused(places: Callable[..., Finished], value: str) -> None:
    done = places(2, VIOLET_PLACES=value)
    assert done.code == 2
    assert done.stderr == f"VIOLET_PLACES is no list of CPUs such as 0,4;1,5: '{value}'"
