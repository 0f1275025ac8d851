"""Rounds as a CUDA graph: what it records, and what the kernel between two rounds does."""

from __future__ import annotations

import re

import pytest

from tests.texts import text_of

RANKS = "pr-cuda-vertex-topology-pull-rmw-det-persistent-warp-atomic-blockadd-f32-graph"
LEVELS = "bfs-cuda-vertex-topology-push-rmw-det-persistent-thread-atomic-i32-graph"
SETS = "mis-cuda-vertex-data-nodup-push-rmw-det-persistent-thread-atomic-i32-graph"


def recorded(text: str) -> list[str]:
    """The kernels of a round, in order."""
    round_ = text.partition("record_rounds(const State& s) {")[2].partition("\n}\n")[0]
    return re.findall(r"(\w+)<<<", round_)


@pytest.mark.parametrize(
    ("name", "kernels"),
    [
        (RANKS, ["pull_kernel", "next_iteration"]),
        (RANKS.replace("pull", "push"), ["push_kernel", "settle_kernel", "next_iteration"]),
        (LEVELS, ["relax_kernel", "publish_kernel", "next_round"]),
        (LEVELS.replace("push-rmw", "pull-rw"), ["relax_kernel", "next_round"]),
        (LEVELS.replace("topology", "data-nodup"), ["relax_kernel", "advance_kernel", "publish_kernel"]),
        (SETS, ["decide_kernel", "publish_kernel", "advance_kernel"]),
        (SETS.replace("data-nodup", "topology"), ["decide_kernel", "publish_kernel", "next_round"]),
        (SETS.replace("vertex", "edge"), ["contest_kernel", "join_kernel", "advance_kernel"]),
    ],
)
def test_a_round_has_these_kernels(name: str, kernels: list[str]) -> None:
    assert recorded(text_of(name)) == kernels


@pytest.mark.parametrize(("name", "array"), [(RANKS, "share"), (LEVELS.replace("push-rmw", "pull-rw"), "level")])
def test_arrays_trade_places_on_the_gpu(name: str, array: str) -> None:
    text = text_of(name)
    assert text.count(f"trade(s.{array}, s.next_{array});") == 1
    assert "std::swap" not in text


@pytest.mark.parametrize(
    ("name", "changing"),
    [
        (RANKS, ["share", "iterations", "next_share"]),
        (RANKS.replace("pull", "push"), ["iterations"]),
        (LEVELS, ["source", "round"]),
        (LEVELS.replace("push-rmw", "pull-rw"), ["level", "source", "next_level", "round"]),
        (SETS, ["round", "size", "worklist", "next_worklist", "base"]),
    ],
)
def test_what_changes_after_it_is_recorded_comes_from_the_gpu(name: str, changing: list[str]) -> None:
    text = text_of(name)
    taken = text.partition("State at_present(State s) {\n")[2].partition("  return s;\n")[0]
    assert taken.splitlines() == [f"  s.{field} = s.live->{field};" for field in changing]


@pytest.mark.parametrize("name", [RANKS, LEVELS, SETS])
def test_the_state_is_recorded_when_it_is_complete(name: str) -> None:
    assert "  s.rounds = memory.own(record_rounds(s));\n  return s;\n" in text_of(name)


@pytest.mark.parametrize("name", [RANKS, LEVELS, SETS])
def test_the_host_launches_it_once_and_waits_once(name: str) -> None:
    solve = text_of(name).partition("\nint solve(")[2].partition("\n}\n")[0]
    assert solve.count("run_loop(") == solve.count("when_reported(") == 1
    assert not any(word in solve for word in ("fetch(", "while (", "goes_on("))
