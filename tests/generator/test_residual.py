"""PageRank by residuals: where it is, and what of the other programs of PageRank it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.render import render

if TYPE_CHECKING:
    from generator.space import Space, Style

NAME = "pr-openmp-vertex-residual-nodup-push-rmw-det-clausered-dynamic-f32"


def test_no_other_config_selects_it(plain_config: list[Style]) -> None:
    assert not any(style["driver"] == "residual" for style in plain_config)


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (("push", "pull"), "residuals-are-pushed"),
        (("nodup", "dup"), "a-vertex-settles-once"),
        (("det", "nondet"), "sums-are-complete-at-the-end"),
        (("rmw", "rw"), "a-lost-share-stays-lost"),
    ],
)
def test_what_makes_no_sense(space: Space, change: tuple[str, str], rule: str) -> None:
    found = space.forbidden_by(space.parse(NAME.replace(*change)))
    assert found
    assert found.id == rule


@pytest.mark.parametrize("name", [NAME, f"{NAME}-local"])
def test_vertices_put_themselves_on_the_worklist_without_stamps(space: Space, name: str) -> None:
    text = render(space, space.parse(name)).text.partition("#include")[2]
    assert "stamp" not in text
    assert ("flush(s);" in text) == name.endswith("local")


def test_iterations_end_as_those_over_all_vertices_do(space: Space) -> None:
    ends = {
        NAME: [
            "while (!converged && iterations < pr::max_iterations) {",
            "converged = change < pr::tolerance;",
        ],
        NAME.replace("residual-nodup", "topology"): [
            "} while (*s.change >= pr::tolerance && iterations < pr::max_iterations);"
        ],
    }
    for name, lines in ends.items():
        text = render(space, space.parse(name)).text
        assert all(line in text for line in lines)


def test_the_host_of_a_gpu_waits_once_an_iteration(space: Space) -> None:
    name = "pr-cuda-vertex-residual-nodup-push-rmw-det-persistent-warp-atomic-reductionadd-f32"
    assert render(space, space.parse(name)).text.count("fetch(") == 1
