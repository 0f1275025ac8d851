"""What is suggested for a graph: the fastest alone first, the others such that one of all is fast anywhere."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from runner.best.measured import Measured, Shape
from runner.best.suggest import suggest

LONG, WIDE, EVEN = (
    f"bfs-cuda-vertex-topology-push-rmw-nondet-persistent-{each}" for each in ("thread", "warp", "block")
)
SHAPES = {
    "road-1": Shape(1e6, 3.0, 4.0, 900.0),
    "road-2": Shape(1e6, 2.8, 5.0, 700.0),
    "social-1": Shape(1e6, 30.0, 9e3, 9.0),
}
TIMES = {"road-1": (1.0, 8.0, 2.0), "road-2": (1.1, 9.0, 2.0), "social-1": (8.0, 1.0, 2.0)}
NAMES = (LONG, WIDE, EVEN)


def measured(machine: str = "m") -> list[Measured]:
    return [
        Measured(graph, 10**6, int(1e6 * SHAPES[graph].average_degree), machine, dict(zip(NAMES, times, strict=True)))
        for graph, times in TIMES.items()
    ]


@pytest.mark.parametrize(("like", "first"), [("road-1", LONG), ("social-1", WIDE)])
def test_what_was_fast_on_graphs_like_it_comes_first(like: str, first: str) -> None:
    found = suggest(NAMES, measured(), SHAPES, SHAPES[like], "m")
    assert found
    assert found.programs[0].name == first
    assert found.programs[0].ratio == 1
    assert found.programs[0].seconds == pytest.approx(TIMES[like][NAMES.index(first)], rel=0.3)
    assert all(one.ratio <= other.ratio for one, other in pairwise(found.programs))
    assert found.like[0][0] == like


def test_the_second_helps_where_the_first_does_not() -> None:
    """Alone, the one that is never bad comes first; beside it, what is fast on two roads helps most."""
    found = suggest(NAMES, measured(), {}, Shape(math.nan, math.nan), "m", 2)
    assert found
    assert {each.name for each in found.programs} == {EVEN, LONG}


def test_a_place_where_only_fast_programs_were_measured_makes_none_of_them_slow() -> None:
    """On the third road FAST is the fastest of two fast ones; on the others it was not measured."""
    fast, faster = "bfs-cuda-fast", "bfs-cuda-faster"
    slow = [f"bfs-cuda-slow-{number}" for number in range(5)]
    shapes = {f"road-{number}": Shape(1e6, 3.0, 4.0, 900.0) for number in range(3)}
    both = dict.fromkeys(slow, 10.0) | {faster: 1.0}
    tables = [
        Measured("road-0", 10**6, 3 * 10**6, "m", both),
        Measured("road-1", 10**6, 3 * 10**6, "m", {fast: 3.0, faster: 1.0, slow[0]: 10.0}),
        Measured("road-2", 10**6, 3 * 10**6, "m", dict.fromkeys(slow, 10.0) | {slow[0]: 9.0}),
    ]
    found = suggest([fast, faster, *slow], tables, shapes, shapes["road-2"], "m")
    assert found
    assert [each.name for each in found.programs][:2] == [faster, fast]


def test_times_are_of_this_machine_where_it_was_measured() -> None:
    tables = [*measured("other"), *(Measured(**(vars(each) | {"machine": "a box (abcdef)"})) for each in measured())]
    found = suggest(NAMES, tables, SHAPES, SHAPES["road-1"], "abcdef012345")
    assert found
    assert found.machine == "a box (abcdef)"


def test_where_nothing_was_measured_nothing_is_suggested() -> None:
    assert suggest(["bfs-cpp-a"], measured(), SHAPES, SHAPES["road-1"], "m") is None


def test_how_good_suggestions_are_is_learnt_without_the_graph_itself() -> None:
    """On each of six roads a program of its own wins, which no other road tells; another is twice as slow anywhere."""
    own = [f"bfs-cuda-own-{number}" for number in range(9)]
    tables = [
        Measured(f"road-{number}", 10**6, 3 * 10**6, "m", dict.fromkeys(own, 16.0) | {own[number]: 1.0, EVEN: 2.0})
        for number in range(6)
    ]
    shapes = {each.graph: Shape(1e6, 3.0, 4.0, 900.0) for each in tables}
    found = suggest([*own, EVEN], tables, shapes, shapes["road-0"], "m", 1)
    assert found
    assert found.quality
    assert found.quality.places == 6
    assert (found.quality.first, found.quality.first_worst) == pytest.approx((2.0, 2.0))


def test_a_graph_with_other_numbers_does_not_tell_what_is_fast_on_it() -> None:
    """As above, but each road is there twice, once with shuffled numbers, and is like no other."""
    own = [f"bfs-cuda-own-{number}" for number in range(9)]
    tables = [
        Measured(
            f"road-{number}{word}", 10**6, 3 * 10**6, "m", dict.fromkeys(own, 16.0) | {own[number]: 1.0, EVEN: 2.0}
        )
        for number in range(6)
        for word in ("", "-shuffled")
    ]
    shapes = {each.graph: Shape(1e6, 3.0, 4.0, 10.0 ** (2 + number // 2)) for number, each in enumerate(tables)}
    found = suggest([*own, EVEN], tables, shapes, shapes["road-0"], "m", 1)
    assert found
    assert found.quality
    assert found.quality.first > 1.9
