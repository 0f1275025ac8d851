"""Scores of two sides: a step needs the sum of the last one, which is where the kernels are."""

from __future__ import annotations

import pytest

from tests.texts import text_of


@pytest.mark.parametrize("style", ["pull-rmw-det-nonpersistent-merge", "push-rmw-det-persistent-warp"])
def test_the_host_waits_for_no_sum(style: str) -> None:
    text = text_of(f"hits-cuda-vertex-topology-{style}-atomic-blockadd-f32")
    host = text[text.index("void take_scores(") :]
    assert "fetch" not in host
    assert "wait" not in host
    assert "set_scale<<<1, 1>>>(s);" in host
    assert "clear(s.total)" not in host.partition("int solve(")[0]  # set_scale begins the next sum
