"""Where the threads of C++ programs run."""

import os

import pytest

pytestmark = pytest.mark.compile
CPUS = sorted(os.sched_getaffinity(0))


def cpus(done):
    assert done.code == 0, done.stderr
    return [[int(word) for word in line.split()] for line in done.stdout.splitlines()]


def test_threads_run_anywhere_unless_they_are_pinned(places):
    assert cpus(places(2)) == [CPUS, CPUS, CPUS]


def test_each_thread_has_its_place_and_the_main_thread_is_free_again(places):
    if len(CPUS) < 2:
        pytest.skip("one CPU only")
    first, second, *_ = CPUS
    done = places(3, VIOLET_PLACES=f"{second};{first},{second}")
    assert cpus(done) == [[second], [first, second], [second], CPUS]


@pytest.mark.parametrize("value", ["", "0;", "x", "0:4", "-1", "1024", "0,,1"])
def test_a_list_that_is_none_is_refused(places, value):
    done = places(2, VIOLET_PLACES=value)
    assert done.code == 2
    assert done.stderr == f"VIOLET_PLACES is no list of CPUs such as 0,4;1,5: '{value}'"
