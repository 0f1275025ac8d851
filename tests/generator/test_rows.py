"""A kernel asks for the row that it means, so directed graphs take nothing but another answer."""

from __future__ import annotations

import pytest

from generator.paths import TEMPLATES
from tests.texts import text_of


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
def test_a_program_walks_the_rows_of_its_direction(name: str, walked: str, others: int) -> None:
    text = text_of(f"{name}-directed")
    walks = {"in": text.count("s.in_neighbours["), "out": text.count("s.neighbours[")}
    assert walks[walked] == 1
    assert walks[{"in": "out", "out": "in"}[walked]] >= others
    assert (walks["in"] == 0) == (walked == "out" and not others)


def test_in_rows_are_out_rows_where_graphs_are_undirected() -> None:
    name = "bfs-openmp-vertex-topology-pull-rw-nondet-default-i32"
    assert "in_row_offsets" not in text_of(name)


def test_weights_are_those_of_the_row_that_is_walked() -> None:
    name = "sssp-openmp-vertex-data-nodup-hybridmin-rmw-nondet-default-i32-share-directed"
    text = text_of(name)
    assert text.count("+ s.weights[e]") == text.count("+ s.in_weights[e]") == 1


def test_a_program_has_the_rows_that_it_walks_and_no_others() -> None:
    pulled = text_of("bfs-openmp-vertex-topology-pull-rw-nondet-default-i32-directed")
    assert "memory.place(graph.in_neighbours" in pulled
    assert "memory.place(graph.neighbours" not in pulled
    assert "weights" not in pulled


def test_flows_do_not_reach_past_the_hooks_of_rows() -> None:
    for file in (TEMPLATES / "axes" / "flow").glob("*.jinja"):
        assert "s.row_offsets" not in file.read_text(), file
        assert "s.neighbours" not in file.read_text(), file
