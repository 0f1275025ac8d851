"""Where the threads of C++ programs run, and how many those of OpenMP are."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from generator.runtime import write_runtime
from tests.runtime.conftest import COMPILER, HERE, Run, start

if TYPE_CHECKING:
    from tests.runtime.conftest import Finished

pytestmark = pytest.mark.compile
CPUS = sorted(os.sched_getaffinity(0))


def cpus(done: Finished) -> list[list[int]]:
    assert done.code == 0, done.stderr
    return [[int(word) for word in line.split()] for line in done.stdout.splitlines()]


def test_threads_run_anywhere_unless_they_are_pinned(places: Run) -> None:
    assert cpus(places(2)) == [CPUS, CPUS, CPUS]


def test_each_thread_has_its_place_and_the_main_thread_is_free_again(places: Run) -> None:
    if len(CPUS) < 2:
        pytest.skip("one CPU only")
    first, second, *_ = CPUS
    done = places(3, VIOLET_PLACES=f"{second};{first},{second}")
    assert cpus(done) == [[second], [first, second], [second], CPUS]


@pytest.mark.parametrize("value", ["", "0;", "x", "0:4", "-1", "1024", "0,,1"])
def test_a_list_that_is_none_is_refused(places: Run, value: str) -> None:
    done = places(2, VIOLET_PLACES=value)
    assert done.code == 2
    assert f"VIOLET_PLACES is no list of CPUs such as 0,4;1,5: '{value}'" in done.stderr


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs team.cpp."""
    folder = tmp_path_factory.mktemp("team")
    runtime = write_runtime(folder / "runtime")
    command = [COMPILER, "-std=c++20", "-fopenmp", "-I", runtime, HERE / "team.cpp", runtime / "host.cpp"]
    subprocess.run([*command, "-o", folder / "team"], check=True)
    return lambda *arguments, **environment: start([folder / "team", *arguments], **environment)


@pytest.mark.parametrize(
    ("variable", "value", "threads"),
    [
        ("OMP_NUM_THREADS", "1", 4),
        ("OMP_DYNAMIC", "true", 4),
        ("OMP_MAX_ACTIVE_LEVELS", "0", 4),
        ("OMP_THREAD_LIMIT", "1", 1),
        ("OMP_THREAD_LIMIT", "3", 3),
        ("OMP_STACKSIZE", "1 M", 4),
        ("OMP_STACKSIZE", "no size", 4),
    ],
)
def test_a_team_has_the_threads_that_run(team: Run, variable: str, value: str, threads: int) -> None:
    done = team(4, **{variable: value})
    assert (done.code, done.stdout.split()) == (0, [str(threads)] * 2)


@pytest.mark.parametrize("value", ["100000G", "107374182400M", " 100000 g"])
def test_threads_that_cannot_be_had_are_said(team: Run, value: str) -> None:
    """OpenMP's runtime itself would end with exit code 1, that of a wrong result."""
    done = team(4, OMP_STACKSIZE=value)
    assert (done.code, done.stdout) == (4, "")
    assert f"cannot start 4 threads, of OMP_STACKSIZE={value}: use fewer with --threads, or a smaller" in done.stderr
