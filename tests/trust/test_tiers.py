"""What `make test` notices of mutants and planted bugs, and by name what only `make test-all` does, with the reason."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from generator.paths import ROOT
from generator.space import load_space
from tests.programs import test_cuda_emulated as emulated
from trust.mutants import _ORACLES, _TESTS
from trust.records import read
from trust.report import DATA

QUICK = ("compiler", "verifier", "emulator", "emulator with preemption")
"""Who looks at programs in `make test`; sanitizers have all of the runtime compiled once more."""

_AGAIN = "the next round finds what an update has lost"
_EARLY = "a sum that is too small ends iterations a little early, with ranks that are near enough"
_SELDOM = "threads add to the length of the list once each, seldom at the same time"
_MORE_WORK = "the program is right, and does more work than it needs"
_LOST, _PLAIN_SUM = "plain store for the atomic minimum of labels", "sum of changes of ranks without atomic additions"
LATER = {
    (_LOST, "cc-openmp-vertex-topology-push-rmw-nondet-default-i32"): _AGAIN,
    (_LOST, "cc-cpp-vertex-topology-push-rmw-nondet-blocked-i32"): _AGAIN,
    (_LOST, "cc-cuda-vertex-topology-push-rmw-nondet-nonpersistent-thread-atomic-i32"): _AGAIN,
    (_PLAIN_SUM, "pr-cpp-vertex-topology-pull-rmw-nondet-atomicred-blocked-f32"): _EARLY,
    (_PLAIN_SUM, "pr-openmp-vertex-topology-pull-rmw-nondet-atomicred-default-f32"): _EARLY,
    ("plain", "cc-cpp-vertex-data-nodup-hybridmin-rmw-nondet-dynamic-i32-share"): _SELDOM,
    ("comparison", "cc-cpp-vertex-data-dup-push-checked-nondet-cyclic-i32-local"): _MORE_WORK,
    ("dropped", "bfs-openmp-vertex-data-dup-push-rmw-nondet-dynamic-i32"): _MORE_WORK,
}
"""Mutants of programs that nobody in `make test` notices, and ThreadSanitizer only if at all, with the reason."""


def test_mutants_of_programs_are_noticed_but_for_those_with_a_reason() -> None:
    found: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for row in read(DATA / "mutants.csv"):
        found[row["what"], row["program"]] |= {row["tool"]} if row["finding"] else set()
    assert {mutant for mutant, tools in found.items() if not tools & {*QUICK}} == LATER.keys()


@pytest.mark.parametrize("test", sorted({"test_oracle.py", *(test for tests in _TESTS.values() for test in tests)}))
def test_what_notices_mutants_of_the_runtime_runs_every_day(test: str) -> None:
    text = (ROOT / "tests" / "runtime" / test).read_text(encoding="utf-8")
    assert "pytest.mark.daily" in text
    assert not re.search(r"mark\.(long|turns)", text)


def test_what_notices_most_mutants_of_the_runtime_is_a_test() -> None:
    text = (ROOT / "tests" / "runtime" / "test_oracle.py").read_text(encoding="utf-8")
    assert all(f'binaries / "{oracle}"' in text for oracle in _ORACLES)


def test_every_kind_of_bug_is_found_every_day() -> None:
    """On the emulator; on CPUs, those that only sanitizers see are for `make test-all`."""
    assert sorted(style["bug"] for style in emulated.BUGS) == sorted(load_space().axis("bug").values)
    assert "daily" in [mark.name for mark in emulated.test_a_planted_bug_is_found.pytestmark]
