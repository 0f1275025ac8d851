"""Core numbers by peeling: rounds in one block or cluster, while the host raises k."""

from __future__ import annotations

import pytest

from tests.texts import text_of


@pytest.mark.parametrize("fusion", ["single", "cluster"])
def test_rounds_of_few_vertices_leave_passes_over_all_to_the_whole_gpu(fusion: str) -> None:
    name = f"kcore-cuda-vertex-data-nodup-push-checked-det-persistent-thread-atomic-i32-{fusion}"
    text = text_of(name)
    area = {"single": "block", "cluster": "cluster"}[fusion]
    rounds = text[text.index(f"peel_in_one_{area}(const __grid_constant__") : text.index("int solve(")]
    assert "peel(s);" in rounds
    assert "s.remaining -= s.size;" in rounds  # else the host would raise k for nobody
    assert "collect" not in rounds
    host = text[text.index("int solve(") :]
    assert "if (s.size > 0 && s.size <= short_worklist) {" in host  # an empty one is for the host, which raises k
    assert "collect_kernel<<<" in host


@pytest.mark.parametrize(
    "name",
    [
        "kcore-cuda-vertex-data-nodup-push-rmw-det-persistent-warp-atomic-i32",
        "kcore-cuda-vertex-data-nodup-push-rmw-det-persistent-warp-atomic-i32-all",
        "kcore-openmp-vertex-topology-push-rmw-det-default-i32",
        "kcore-cpp-vertex-data-nodup-push-rmw-det-blocked-i32",
    ],
)
def test_k_is_raised_by_one_pass_over_the_vertices(name: str) -> None:
    text = text_of(name)
    raised = text[text.index("s.k++;") :]
    passes = raised[: raised.index("s.round" if "topology" in name else "appended")]
    assert passes.count("(s)") + passes.count(", s)") == 1


@pytest.mark.parametrize(
    "style",
    ["cuda-vertex-data-nodup-pull-rmw-nondet-persistent-warp-atomic", "cpp-vertex-data-nodup-pull-rmw-det-blocked"],
)
def test_only_neighbours_with_larger_bounds_are_visited_again(style: str) -> None:
    text = text_of(f"kcore-{style}-i32")
    round_ = text[text.index("best < own") : text.index("int solve(")]
    assert round_.count("> best) {") == 1
    assert round_.index("> best) {") < round_.index("push(s, u);")
