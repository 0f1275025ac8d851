from __future__ import annotations

import gzip
import io
from time import sleep
from typing import TYPE_CHECKING

import numpy as np
import pytest
from rich.console import Console

from inputs import bar, external
from inputs.formats import registry
from inputs.generators import rmat_batches
from inputs.generators.draw import draw_batches, draw_edges
from inputs.progress import followed, listening, tell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from inputs.hashing import U64


@pytest.fixture
def heard() -> Iterator[list[tuple[str, float]]]:
    """What a listener hears."""
    said = []
    with listening(lambda phase, share: said.append((phase, share))):
        yield said


def test_nobody_needs_to_listen() -> None:
    tell("anything", 1, 2)


def test_shares_are_of_the_whole(heard: list[tuple[str, float]]) -> None:
    assert list(followed("counting", "ab")) == ["a", "b"]
    tell("nothing", 0, 0)
    tell("too much", 3, 2)
    assert heard == [("counting", 0), ("counting", 0.5), ("counting", 1), ("nothing", 1), ("too much", 1)]


@pytest.mark.parametrize("name", ["a.el", "a.el.gz"])
def test_reading_is_followed_in_bytes_on_disk(tmp_path: Path, heard: list[tuple[str, float]], name: str) -> None:
    text = b"".join(b"%d %d\n" % (i, i * 7919 % 5000) for i in range(5000))
    path = tmp_path / name
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    list(registry.stream(path))
    shares = [share for phase, share in heard if phase == "reading"]
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_conversions_larger_than_memory_go_through_phases(tmp_path: Path, heard: list[tuple[str, float]]) -> None:
    (tmp_path / "a.el").write_text("".join(f"{i} {i + 1}\n" for i in range(50)))
    external.write_graph(registry.stream(tmp_path / "a.el"), tmp_path / "a.egr", budget=5)
    assert list(dict.fromkeys(phase for phase, _ in heard)) == ["reading", "dealing", "sorting"]


def test_drawing_is_followed(heard: list[tuple[str, float]]) -> None:
    draw_edges(100, lambda index: (index, index), chunk=10)
    assert np.allclose([share for _, share in heard], np.arange(11) / 10)


def test_drawing_in_batches_is_followed_as_one(heard: list[tuple[str, float]]) -> None:
    list(draw_batches(1, 100, lambda index: (index, index), size=25))
    assert np.allclose([share for _, share in heard], [0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1])


@pytest.mark.parametrize("phase", ["drawing edges", "dealing", "sorting"])
def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, phase: str) -> None:
    monkeypatch.setattr(external, "BATCH", 1000)  # so that no phase is of one piece

    def interrupt(now: str, share: float) -> None:
        if now == phase and share > 0:
            raise KeyboardInterrupt

    with listening(interrupt), pytest.raises(KeyboardInterrupt):
        external.write_graph(rmat_batches(10, 8192, size=500), tmp_path / "a.egr", budget=1000)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_does_not_wait_for_edges_not_drawn_yet() -> None:
    drawn = 0

    def slow(index: U64) -> tuple[U64, U64]:
        nonlocal drawn
        drawn += 1
        sleep(0.001)
        return index, index

    def interrupt(_phase: str, _share: float) -> None:
        raise KeyboardInterrupt

    with listening(interrupt), pytest.raises(KeyboardInterrupt):
        draw_edges(2000, slow, chunk=1)
    assert drawn < 1000


def test_a_terminal_sees_a_bar_and_the_time_left_and_nothing_else_does(monkeypatch: pytest.MonkeyPatch) -> None:
    for is_terminal in (True, False):
        screen = io.StringIO()
        console = Console(file=screen, force_terminal=is_terminal, width=100)
        monkeypatch.setattr(bar, "Console", lambda console=console, **_: console)
        with bar.shown("making a.egr"):
            tell("sorting", 1, 2)
        assert ("making a.egr: sorting" in screen.getvalue()) is is_terminal
        assert bool(screen.getvalue()) is is_terminal
