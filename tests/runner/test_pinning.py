from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from runner.machine import pinning
from runner.machine.pinning import Places, ProcBind, assign, find_places

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def two_sockets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sockets of two cores with two threads each; the second thread of a core is four CPUs away."""
    for cpu in range(8):
        folder = tmp_path / f"cpu{cpu}" / "topology"
        folder.mkdir(parents=True)
        (folder / "physical_package_id").write_text(f"{cpu % 4 // 2}\n")
        (folder / "core_id").write_text(f"{cpu % 2}\n")
    monkeypatch.setattr(pinning, "_TOPOLOGY", tmp_path)
    monkeypatch.setattr(pinning.os, "sched_getaffinity", lambda _: set(range(8)))


@pytest.mark.usefixtures("two_sockets")
def test_places_are_threads_cores_or_sockets() -> None:
    assert find_places(Places.THREADS) == [[0], [4], [1], [5], [2], [6], [3], [7]]
    assert find_places(Places.CORES) == [[0, 4], [1, 5], [2, 6], [3, 7]]
    assert find_places(Places.SOCKETS) == [[0, 4, 1, 5], [2, 6, 3, 7]]


@pytest.mark.usefixtures("two_sockets")
def test_cpus_that_are_not_ours_are_no_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pinning.os, "sched_getaffinity", lambda _: {1, 3, 5})
    assert find_places(Places.CORES) == [[1, 5], [3]]


def test_without_topology_each_cpu_is_a_core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pinning, "_TOPOLOGY", tmp_path)
    monkeypatch.setattr(pinning.os, "sched_getaffinity", lambda _: {0, 3})
    assert find_places(Places.CORES) == [[0], [3]]


@pytest.mark.parametrize(
    ("policy", "threads", "places"),
    [
        (ProcBind.CLOSE, 2, [[0], [1]]),
        (ProcBind.TRUE, 2, [[0], [1]]),
        (ProcBind.SPREAD, 2, [[0], [2]]),
        (ProcBind.SPREAD, 3, [[0], [1], [2]]),
        (ProcBind.PRIMARY, 3, [[0], [0], [0]]),
        (ProcBind.CLOSE, 6, [[0], [0], [1], [2], [2], [3]]),
    ],
)
def test_threads_are_bound_as_openmp_does(policy: ProcBind, threads: int, places: list[list[int]]) -> None:
    assert assign(policy, [[0], [1], [2], [3]], threads) == places
