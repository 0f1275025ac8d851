"""Residuals: where they are, and what of the other programs of PageRank and of beliefs they have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.generator.conftest import code, rule_against
from tests.texts import text_of

if TYPE_CHECKING:
    from generator.space import Space

NAME = "pr-openmp-vertex-residual-nodup-push-rmw-det-clausered-dynamic-f32"
BELIEFS = "bp-openmp-vertex-residual-nodup-pull-rw-det-dynamic-f32"


def test_every_kind_of_atomic_operation_may_tell_who_has_news(space: Space) -> None:
    name = "bp-cuda-vertex-residual-nodup-pull-rw-det-persistent-warp-{}-f32"
    for atomics in ("atomic", "cudaatomic", "cudaatomicrelaxed"):
        assert rule_against(space, name.format(atomics)) is None


@pytest.mark.parametrize("name", [BELIEFS, f"{BELIEFS}-local"])
def test_who_has_news_is_told_once(name: str) -> None:
    text = code(name)
    assert "&s.stamp[v], s.round) != s.round" in text
    assert "next_odds" not in text
    assert text.count("flush(s);") == 2 * name.endswith("local")


@pytest.mark.parametrize("name", [NAME, f"{NAME}-local"])
def test_vertices_put_themselves_on_the_worklist_without_stamps(name: str) -> None:
    text = code(name)
    assert "stamp" not in text
    assert ("flush(s);" in text) == name.endswith("local")


def test_iterations_end_as_those_over_all_vertices_do() -> None:
    ends = {
        NAME: ["while (!converged && iterations < pr::max_iterations) {", "converged = change < pr::tolerance;"],
        NAME.replace("residual-nodup", "topology"): [
            "} while (*s.change >= pr::tolerance && iterations < pr::max_iterations);"
        ],
    }
    for name, lines in ends.items():
        text = text_of(name)
        assert all(line in text for line in lines)


def test_the_host_of_a_gpu_waits_once_an_iteration() -> None:
    name = "pr-cuda-vertex-residual-nodup-push-rmw-det-persistent-warp-atomic-reductionadd-f32"
    assert text_of(name).count("fetch(") == 1
