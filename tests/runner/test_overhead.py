from __future__ import annotations

from typing import TYPE_CHECKING

from runner.overhead import Overhead

if TYPE_CHECKING:
    import pytest


def test_phases_add_up_and_are_held_against_the_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 2.0, 10.0, 13.0, 20.0, 21.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    overhead = Overhead()
    for name in ("build", "programs", "programs"):
        with overhead.phase(name):
            overhead.samples_s += 1
    assert overhead.render() == "wall time 6.0 s = build 2.0 s + programs 4.0 s; samples 3 s, 2 times the samples"


def test_without_samples_there_is_no_ratio() -> None:
    overhead = Overhead()
    with overhead.phase("build"):
        pass
    assert overhead.render().endswith("; samples 0 s")
