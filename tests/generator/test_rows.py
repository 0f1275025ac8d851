"""A kernel asks for the row that it means, so directed graphs take nothing but another answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from jinja2 import ChoiceLoader, DictLoader, Environment

from generator.paths import TEMPLATES
from generator.render import composed, new_environment

if TYPE_CHECKING:
    from generator.space import Space

DIRECTED = """
{% set vertices = "s.n" %}
{% set prefix = {"in": "s.in_", "out": "s."} %}
{% macro first_edge(v, way="out") %}{{ prefix[way] }}row_offsets[{{ v }}]{% endmacro %}
{% macro end_edge(v, way="out") %}{{ prefix[way] }}row_offsets[{{ v }} + 1]{% endmacro %}
{% macro end_of(edge, way="out") %}{{ prefix[way] }}neighbours[{{ edge }}]{% endmacro %}
{% macro degree(v, way="out") %}{{ end_edge(v, way) }} - {{ first_edge(v, way) }}{% endmacro %}
{% macro degree_out_of(v) %}{{ degree(v) }}{% endmacro %}
{% macro edges_out_of(v) %}
for (int f = {{ first_edge(v) }}; f < {{ end_edge(v) }}; f++) {
const int w = {{ end_of("f") }};
{{ caller("w", "f") }}
}
{% endmacro %}
"""


@pytest.fixture(scope="module")
def directed() -> Environment:
    """Templates in which the rows of edges that come in are arrays of their own."""
    env = new_environment()
    assert env.loader
    env.loader = ChoiceLoader([DictLoader({"graph.jinja": DIRECTED}), env.loader])
    return env


@pytest.mark.parametrize(
    ("name", "walked", "others"),
    [
        ("bfs-openmp-vertex-data-nodup-push-rmw-nondet-default-i32", "out", 0),
        ("sssp-cuda-vertex-topology-pull-rw-nondet-persistent-warp-atomic-i32", "in", 0),
        ("bfs-openmp-vertex-data-nodup-pull-rw-nondet-default-i32", "in", 1),  # and activates where edges lead
        ("bfs-openmp-vertex-data-nodup-hybrid-rmw-nondet-default-i32-estimated", "out", 1),  # one of both directions
        ("sssp-cuda-vertex-data-nodup-hybridmin-rmw-nondet-persistent-warp-atomic-i32-share", "out", 1),
        ("pr-cpp-vertex-topology-pull-rmw-nondet-clausered-blocked-f32", "in", 0),
        ("pr-cpp-vertex-topology-push-rmw-det-clausered-blocked-f32", "out", 0),
    ],
)
def test_a_program_walks_the_rows_of_its_direction(
    space: Space, directed: Environment, name: str, walked: str, others: int
) -> None:
    text, _ = composed(space, space.parse(name), directed)
    walks = {
        "in": text.count("= s.in_neighbours[") + text.count("s.in_neighbours[e])"),
        "out": text.count("= s.neighbours["),
    }
    assert walks[walked] == 1
    assert walks[{"in": "out", "out": "in"}[walked]] >= others
    assert (walks["in"] == 0) == (walked == "out" and not others)


def test_in_rows_are_out_rows_where_graphs_are_undirected(space: Space) -> None:
    name = "bfs-openmp-vertex-topology-pull-rw-nondet-default-i32"
    assert "in_row_offsets" not in composed(space, space.parse(name), new_environment())[0]


def test_flows_do_not_reach_past_the_hooks_of_rows() -> None:
    for file in (TEMPLATES / "axes" / "flow").glob("*.jinja"):
        assert "s.row_offsets" not in file.read_text(), file
        assert "s.neighbours" not in file.read_text(), file
