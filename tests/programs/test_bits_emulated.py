"""Runs BFS that keeps what is reached as bits on the CUDA emulator: rounds of every kind, and planted faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.space import load_space, name_of
from inputs.catalogue import ensure
from tests.memory import LONG, WORK
from tests.programs.conftest import noticed, run_on
from tests.programs.planting import replacing
from tests.programs.store import Binaries, emulate
from tests.programs.test_cuda_emulated import is_found
from tests.selection import todays

if TYPE_CHECKING:
    from pathlib import Path

    from generator.space import Style


pytestmark = pytest.mark.turns(6, 5)

BITS = "bfs-cuda-vertex-data-nodup-hybrid-{}-nondet-{}-atomic-i32-{}"
STYLES = [
    load_space().parse(BITS.format(*parts))
    for parts in (
        ("checked", "persistent-teams", "counted-all-marks"),
        ("rmw", "persistent-twc", "estimated-aggregated-few-marks"),
        ("checked", "nonpersistent-merge", "counted-voted-marks"),
        ("rmw", "persistent-teams", "estimated-all-bits"),
        ("checked", "persistent-warp", "share-phase-voted-bits"),
        ("rmw", "nonpersistent-twc", "counted-bits"),
    )
]
FAULTED = STYLES[0]
ALWAYS, NEVER = "1000000", "0.5"  # of parameters that vertices are divided by
FAULTS = {
    "plain-bits": ("(atomicOr(&word, bit) & bit) == 0", "(std::exchange(word, word | bit) & bit) == 0"),
    "one-counter": ("trade(s.appended, s.next_appended);\n    trade(s.base, s.next_base);", ""),
    "old-marks": ("s.marked[w] = 0;", ""),
    "no-last-levels": ("  finish(s);\n}", "}"),
    "bits-beyond": ("s.n - first < word_size ? ~0u << (s.n - first) : 0", "0"),
}


@pytest.fixture(scope="module")
def binary() -> Binaries:
    return emulate(STYLES)


@pytest.mark.compile
@pytest.mark.parametrize("style", STYLES if LONG else STYLES[::2], ids=name_of)
def test_rounds_of_every_kind_may_follow_each_other(style: Style, binary: Binaries, tiny_graphs: list[Path]) -> None:
    graphs = [*tiny_graphs, *(ensure(name, WORK / "graphs") for name in ("karate", "rmat-10"))]
    options: list[dict[str, str]] = [{}]
    if style["switch"] != "share":
        options += [{"beta": ALWAYS}, {"beta": "5"}, {"beta": NEVER}]
    if style["storage"] == "marks":
        options += [{"beta": NEVER, "marks": ALWAYS}, {"beta": "5", "marks": "3"}, {"beta": ALWAYS, "marks": NEVER}]
    for seed, accesses, repetitions in (("1", "100000", "2"), ("2", "50", "1"), ("3", "3", "1")):
        for chosen in options:
            given = [word for name, value in chosen.items() for word in (f"--{name}", value)]
            few = graphs if accesses != "3" else tiny_graphs
            run_on(binary(style), few, "--reps", repetitions, *given, seed=seed, slice=accesses)


@pytest.mark.compile
@pytest.mark.parametrize("fault", todays(FAULTS))
def test_faults_of_bits_are_found(fault: str, small_graphs: list[Path]) -> None:
    program = emulate([FAULTED], replacing(FAULTS[fault]))(FAULTED)
    slices = [{"EMULATOR_SLICE": "20"}]

    def find(_: object) -> bool:
        return any(is_found(program, graph, "--beta", beta) for beta in (ALWAYS, "5", NEVER) for graph in small_graphs)

    assert noticed(program, slices, find, *small_graphs)
