"""What goes first: where near-far and degree-biased priorities exist, and what their programs are made of."""

import re

import pytest

from generator.space import Style, name_of
from tests.configs import selected
from tests.generator.conftest import code, pairs


@pytest.fixture(scope="module")
def fast() -> list[Style]:
    return [style for style in selected("fast") if "priority" in style]


@pytest.fixture(scope="module")
def ordered(everything: list[Style]) -> list[Style]:
    return [style for style in everything if "priority" in style]


def test_near_far_exists_for_data_driven_push_over_vertices(ordered: list[Style]) -> None:
    near_far = [style for style in ordered if style["priority"] == "nearfar"]
    fixed = {(style["algorithm"], style["iteration"], style["driver"], style["flow"]) for style in near_far}
    assert fixed == {("sssp", "vertex", "data", "push")}
    for axis, values in {
        "model": {"cuda", "openmp", "cpp"},
        "worklist": {"dup", "nodup"},
        "update": {"rw", "rmw"},
        "determinism": {"det", "nondet"},
        "granularity": {"thread", "warp", "block", None},
        "fusion": {"all", "single", None},
    }.items():
        assert {style.get(axis) for style in near_far} >= values


def test_every_independent_set_may_go_by_degree(fast: list[Style]) -> None:
    by_degree = [name_of(style) for style in fast if style["priority"] == "degree"]
    sets = [style for config in ("paper", "fast") for style in selected(config)]
    classic = [style for style in sets if style["algorithm"] == "mis" and style.get("atomics") != "cudaatomic"]
    random = [name_of(style) for style in classic if "priority" not in style]
    assert sorted(by_degree) == sorted(re.sub("(-byte)?$", r"-degree\1", name, count=1) for name in random)


def test_near_far_programs_of_the_paper_styles(fast: list[Style]) -> None:
    paper = set(map(name_of, selected("paper")))
    near_far = [style for style in fast if style["priority"] == "nearfar"]
    plain = [{axis: value for axis, value in style.items() if axis not in ("priority", "fusion")} for style in near_far]
    found = {
        (style["model"], style.get("fusion"))
        for style, rest in zip(near_far, plain, strict=True)
        if name_of(rest) in paper
    }
    fusions = (None, "all", "few", "single", "cluster")
    assert found == {("openmp", None), ("cpp", None), *(("cuda", fusion) for fusion in fusions)}


def test_delta_stepping_has_no_shared_worklist(fast: list[Style]) -> None:
    delta = [style for style in fast if style["priority"] == "delta"]
    expected = {("openmp", "rw"), ("openmp", "rmw"), ("openmp", "checked"), ("cpp", "rmw"), ("cpp", "checked")}
    assert {(style["model"], style["update"]) for style in delta} == expected
    for style in pairs(delta):
        text = code(style)
        assert not re.search(r"appended|capacity|next_worklist", text)
        assert "TeamBuckets" in text


def test_a_relaxed_edge_takes_one_atomic_minimum(fast: list[Style]) -> None:
    wanted = {"priority": "nearfar", "update": "rmw", "atomics": "atomic"}
    for style in pairs(style for style in fast if wanted.items() <= style.items()):
        assert code(style).count("atomicMin(") == 1, name_of(style)


def test_only_where_updates_may_be_lost_a_flag_guards_the_far_pile(ordered: list[Style]) -> None:
    for style in pairs(style for style in ordered if style["priority"] == "nearfar"):
        assert ("has_waited" in code(style)) == (style["update"] == "rw"), name_of(style)


def test_what_a_fused_kernel_splits_does_not_come_from_the_read_only_cache(ordered: list[Style]) -> None:
    wanted = {"priority": "nearfar", "model": "cuda"}
    for style in pairs(style for style in ordered if wanted.items() <= style.items()):
        text = code(style)
        (pile,) = re.findall(r"const int v = (.*opened\[i\].*);", text)
        assert pile == ("s.far.opened[i]" if "fusion" in style else "__ldg(&s.far.opened[i])"), name_of(style)
        assert "__ldg(&s.dist[v])" not in text.partition("split")[2].partition("}")[0], name_of(style)


def test_degree_biased_programs_name_their_reference_and_hash_nothing_on_the_way(fast: list[Style]) -> None:
    for style in pairs(fast):
        text = code(style)
        if style["priority"] == "degree":
            assert "violet::Algorithm::mis_degree" in text
            assert not re.search(r"\bpriority\(", text)
            assert not re.search(r"[=(] undecided", text)
        else:
            assert "violet::Algorithm::sssp" in text
