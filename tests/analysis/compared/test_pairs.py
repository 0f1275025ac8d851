"""Pairs differ in one axis, and only where they may."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.compared.comparisons import COMPARISONS, comparisons_of
from analysis.compared.pairs import PLAIN, left_out, pairs
from analysis.errors import AnalysisError
from analysis.measured.records import load
from analysis.styles import axes, style_of
from tests.analysis.conftest import Record, Write, beyond

PUSH = "bfs-openmp-vertex-topology-push-rw-nondet-default-i32"
PULL = "bfs-openmp-vertex-topology-pull-rw-nondet-default-i32"
Load = Callable[..., Any]


@pytest.fixture
def frame_of(record: Record, write: Write) -> Load:
    """Loads jobs given as (program, seconds, other fields)."""
    return lambda *jobs: load(write([record(name, seconds, **fields) for name, seconds, fields in jobs]))


_OF_BETWEENNESS = "bc-cuda-vertex-data-nodup-{}-rmw-det-persistent-warp-atomic-f32{}"
BETWEENNESS = [
    _OF_BETWEENNESS.format(flow, more)
    for flow, more in (("pull", ""), ("pull", "-multisource"), ("push", ""), ("hybridsum", "-weighed"))
]
"""What only betweenness has."""


@pytest.fixture(scope="module")
def everything(record: Record, programs: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """All programs on two graphs, all equally fast."""
    file = tmp_path_factory.mktemp("all") / "r.jsonl"
    names = list(
        dict.fromkeys([*programs(("bfs", "cc", "sssp", "tc"), ("cuda", "openmp", "cpp")), *beyond(), *BETWEENNESS])
    )
    file.write_text("\n".join(json.dumps(record(name, graph=f"g{number}")) for number in range(2) for name in names))
    return load(file)


def test_how_often_jobs_were_measured_keeps_no_pair_apart(frame_of: Load) -> None:
    few, many = ({"parameters": {"reps": reps, "budget": 1.0, "threads": 2}} for reps in (1, 9))
    assert len(pairs(frame_of((PUSH, 1e-3, few), (PULL, 1e-3, many)), "flow", "push", "pull")) == 1


@pytest.mark.parametrize(
    ("first", "second", "ratio"),
    [
        ({"s1": 1.0, "s2": 5.0}, {"s1": 2.0}, 2.0),  # the machine was slow in s2
        ({"s1": 1.0, "s2": 5.0}, {"s1": 2.0, "s2": 15.0}, 3.0),
        ({"s1": 1.0, "s3": 5.0}, {"s2": 2.0}, 0.4),
        ({"s1": 1.0, "s2": None}, {"s1": 2.0}, None),  # it failed when it was last measured
    ],
)
def test_a_pair_is_of_one_session_if_there_is_one(
    frame_of: Load, first: dict[str, float | None], second: dict[str, float | None], ratio: float | None
) -> None:
    jobs = [
        (program, seconds or 1.0, {"session": session, "status": "verified" if seconds else "wrong"})
        for program, sessions in ((PUSH, first), (PULL, second))
        for session, seconds in sessions.items()
    ]
    found = pairs(frame_of(*jobs), "flow", "push", "pull")
    assert found["ratio"].tolist() == ([] if ratio is None else [pytest.approx(ratio)])
    assert found["one_session"].tolist() == ([] if ratio is None else [bool(first.keys() & second.keys())])


def test_programs_with_an_optional_axis_are_compared_with_those_that_lack_it(frame_of: Load) -> None:
    plain = "cc-cuda-vertex-topology-push-rmw-nondet-persistent-thread-atomic-i32"
    frame = frame_of((f"{plain}-hook", 1e-3, {}), (plain, 5e-3, {}), (f"{plain}-sampled", 2e-3, {}))
    assert pairs(frame, "method", "hook", PLAIN)["ratio"].tolist() == pytest.approx([5.0])


def test_the_ratio_is_above_one_where_the_first_style_is_faster(frame_of: Load) -> None:
    (pair,) = pairs(frame_of((PUSH, 1e-3, {}), (PULL, 4e-3, {})), "flow", "push", "pull").to_dict("records")
    assert pair["ratio"] == pytest.approx(4.0)
    assert (pair["program_first"], pair["program_second"]) == (PUSH, PULL)


@pytest.mark.filterwarnings("ignore:different graphs are called grid")
@pytest.mark.parametrize(
    "difference",
    [
        {"graph": "road"},
        {"machine": "other"},
        {"parameters": {"threads": 8}},
        {"threads": 8},
        {"status": "wrong"},
        {"samples_s": []},
        {"edges": 5},
    ],
)
def test_pairs_share_graph_machine_and_parameters_and_are_verified(frame_of: Load, difference: dict[str, Any]) -> None:
    assert pairs(frame_of((PUSH, 1e-3, {}), (PULL, 1e-3, difference)), "flow", "push", "pull").empty


@pytest.mark.parametrize(("old", "new"), [("i32", "i64"), ("bfs", "cc"), ("nondet", "det"), ("default", "dynamic")])
def test_pairs_share_every_other_axis(frame_of: Load, old: str, new: str) -> None:
    assert pairs(frame_of((PUSH, 1e-3, {}), (PULL.replace(old, new), 1e-3, {})), "flow", "push", "pull").empty


def test_topology_pairs_with_each_kind_of_worklist(frame_of: Load) -> None:
    dup, nodup = (PUSH.replace("topology", f"data-{kind}") for kind in ("dup", "nodup"))
    matched = pairs(frame_of((PUSH, 1e-3, {}), (dup, 2e-3, {}), (nodup, 3e-3, {})), "driver", "topology", "data")
    assert dict(zip(matched["worklist_second"], matched["ratio"].round(6), strict=True)) == {"dup": 2.0, "nodup": 3.0}
    with_dup, without, *_ = comparisons_of(["driver"])
    frame = frame_of()
    assert with_dup.pairs(frame)["program_second"].tolist() == [dup]
    assert without.pairs(frame)["program_second"].tolist() == [nodup]


def test_pull_has_no_update_to_choose(frame_of: Load) -> None:
    rmw = PUSH.replace("-rw-", "-rmw-")
    frame = frame_of((PUSH, 1e-3, {}), (rmw, 1e-3, {}), (PULL, 1e-3, {}))
    assert pairs(frame, "flow", "push", "pull")["program_first"].tolist() == [PUSH]
    free = pairs(frame, "flow", "push", "pull", forced=["update"])
    assert sorted(free["program_first"]) == sorted([PUSH, rmw])


def test_where_both_sides_have_the_choice_it_must_agree(frame_of: Load) -> None:
    names = [name.replace("-rw-", f"-{update}-") for name in (PUSH, PULL) for update in ("rw", "rmw")]
    matched = pairs(frame_of(*((name, 1e-3, {}) for name in names)), "flow", "push", "pull", forced=["update"])
    assert len(matched) == 2
    assert (matched["update_first"] == matched["update_second"]).all()


def test_several_values_may_count_as_one_style(frame_of: Load) -> None:
    frame = frame_of((PUSH, 1e-3, {}), (PUSH.replace("nondet", "det"), 2e-3, {}))
    assert pairs(frame, "determinism", ("det", "no such value yet"), "nondet")["ratio"].tolist() == pytest.approx([0.5])


ELSEWHERE = {"light", "intersection", "vote", "eight", "chebyshev"}
ELSEWHERE |= {"partition", "duplication", "communication", "message", "exchange", "synchronisation", "overlap", "ids"}
"""Axes, or values of others, of which `everything` has no two: it has the paper's algorithms on one GPU and on CPUs,
and every optional value once, so `eight` never meets `four`, nor `chebyshev` `bydegree`."""

APART = {
    "bins-or-ballot-over-ballot",
    "one-kernel-per-direction-over-one-kernel-for-all-rounds",
    "pointer-jumping-over-labels-alone",
    "a-search-from-a-hub-first-over-labels-alone",
    "worklists-sorted-by-degree-over-worklists-by-degree",
    "levels-in-one-kernel-lists-of-blocks-over-one-kernel-for-all-rounds",
}
"""Comparisons whose sides are both there, but never meet, for the same reason."""


@pytest.mark.turns(8, 3)  # on one day, as what all need takes most of the time
@pytest.mark.parametrize("comparison", COMPARISONS, ids=lambda comparison: comparison.slug)
def test_each_pair_differs_in_its_axis_and_in_no_other_choice(everything: Any, comparison: Any) -> None:
    matched = comparison.pairs(everything)
    assert matched.empty == bool(ELSEWHERE & {comparison.axis, *comparison.first} or comparison.slug in APART)
    assert not matched.duplicated(["program_first", "program_second", "graph"]).any()
    dependent = {"driver": {"worklist"}, "flow": {"switch"}, "method": {"intersection"}}.get(comparison.axis, set())
    may_differ = {comparison.axis, *comparison.forced, *dependent}
    names = matched[["program_first", "program_second"]].drop_duplicates().itertuples(index=False)
    for first, second in names:
        one, other = style_of(first), style_of(second)
        assert {axis for axis in axes() if one.get(axis) != other.get(axis)} <= may_differ
        assert one[comparison.axis] in comparison.first
        assert other.get(comparison.axis, PLAIN) in comparison.second
        assert comparison.axis == "atomics" or one.get("atomics") != "cudaatomic"


@pytest.mark.turns(8, 3)
@settings(max_examples=10, deadline=None)
@given(st.sampled_from(COMPARISONS), st.randoms(use_true_random=False))
def test_swapping_the_styles_inverts_every_ratio(everything: Any, comparison: Any, random: Any) -> None:
    some = everything.loc[random.sample(range(len(everything)), 600)]
    there = pairs(some, comparison.axis, comparison.first, comparison.second, comparison.forced)
    back = pairs(some, comparison.axis, comparison.second, comparison.first, comparison.forced)
    one = set(there[["program_first", "program_second", "graph"]].itertuples(index=False, name=None))
    two = set(back[["program_second", "program_first", "graph"]].itertuples(index=False, name=None))
    assert one == two


def test_wrong_words_are_users_errors(frame_of: Load) -> None:
    frame = frame_of((PUSH, 1e-3, {}))
    with pytest.raises(AnalysisError, match="unknown axis 'flwo'; did you mean 'flow'"):
        pairs(frame, "flwo", "push", "pull")
    with pytest.raises(AnalysisError, match="unknown value of flow 'pus'; did you mean 'push'"):
        pairs(frame, "flow", "pus", "pull")
    with pytest.raises(AnalysisError, match="not results"):
        pairs(frame[["program", "throughput"]], "flow", "push", "pull")


BUDGET = {"reps": 9, "warmup": 1, "budget": 2}
STOPPED = {"status": "timeout", "samples_s": [], "wall_s": 60.0, "parameters": BUDGET}


def test_a_timeout_bounds_the_ratio(frame_of: Load) -> None:
    frame = frame_of((PUSH, 1e-3, {"parameters": BUDGET}), (PULL, 1.0, STOPPED))
    (pair,) = pairs(frame, "flow", "push", "pull").to_dict("records")
    assert pair["ratio"] == pytest.approx(60 / 1e-3)
    assert (pair["ratio_low"], pair["ratio_high"]) == (pair["ratio"], float("inf"))
    (pair,) = pairs(frame, "flow", "pull", "push").to_dict("records")
    assert pair["ratio"] == pytest.approx(1e-3 / 60)
    assert (pair["ratio_low"], pair["ratio_high"]) == (0.0, pair["ratio"])
    assert left_out(frame, "flow", "push", "pull") == {}


def test_what_is_not_known_is_counted(frame_of: Load) -> None:
    frame = frame_of((PUSH, 1.0, STOPPED), (PULL, 1.0, STOPPED))
    assert pairs(frame, "flow", "push", "pull").empty
    assert left_out(frame, "flow", "push", "pull") == {"both timed out": 1}
    frame = frame_of(
        (PUSH, 1.0, {"status": "wrong", "graph": "other", "parameters": BUDGET}),
        (PULL, 1.0, {**STOPPED, "graph": "other"}),
    )
    assert left_out(frame, "flow", "push", "pull") == {"both timed out": 1, "wrong": 1}
    frame = frame_of((PUSH, 1.0, {"graph": "third"}), (PULL, 1.0, {"graph": "third", "samples_s": [0.0]}))
    assert left_out(frame[frame["graph"] == "third"], "flow", "push", "pull") == {"no time": 1}


def test_pairs_that_share_a_program_are_one_cluster(frame_of: Load) -> None:
    rmw = PUSH.replace("-rw-", "-rmw-")
    other = [name.replace("default", "dynamic") for name in (PUSH, PULL)]
    frame = frame_of(*((name, 1e-3, {"graph": graph}) for name in (PUSH, rmw, PULL, *other) for graph in ("a", "b")))
    matched = pairs(frame, "flow", "push", "pull", forced=["update"])
    assert len(matched) == 6
    assert matched.groupby("schedule", observed=True)["cluster"].nunique().tolist() == [1, 1]
    assert matched["cluster"].nunique() == 2


def test_no_pairs_have_the_columns_of_pairs(frame_of: Load) -> None:
    matched = pairs(frame_of((PUSH, 1e-3, {})), "flow", "push", "pull")
    assert matched.empty
    assert {"model", "algorithm", "graph", "machine", "ratio", "ratio_low", "ratio_high", "cluster"} <= set(
        matched.columns
    )
