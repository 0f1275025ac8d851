"""Triangle counting in oriented edges: where its programs exist, and what they are made of."""

import pytest

from generator.errors import UserError
from generator.render import render
from generator.space import Space, Style, name_of
from tests.configs import selected
from tests.generator.conftest import pairs


@pytest.fixture(scope="module")
def oriented() -> list[Style]:
    return [style for style in selected("fast") if style.get("method") == "oriented"]


def test_every_orientation_has_an_intersection_and_nothing_else_has(
    everything: list[Style], oriented: list[Style]
) -> None:
    assert all("intersection" in style for style in oriented)
    assert all(("intersection" in style) == (style.get("method") == "oriented") for style in everything)


def test_an_intersection_exists_where_it_makes_sense(oriented: list[Style]) -> None:
    found = {
        (style["model"], style["iteration"], style.get("granularity"), style["intersection"]) for style in oriented
    }
    by_threads = ("rowmerge", "rowsearch", "roweither")
    every = (*by_threads, "rowbitmap")
    expected = {("cuda", "vertex", "thread", intersection) for intersection in by_threads}
    expected |= {("cuda", "edge", "thread", intersection) for intersection in every}
    expected |= {("cuda", "vertex", shared, intersection) for shared in ("warp", "block") for intersection in every}
    expected |= {("cuda", "edge", shared, "rowsearch") for shared in ("warp", "block")}
    for model in ("openmp", "cpp"):
        expected |= {(model, "vertex", None, intersection) for intersection in every}
        expected |= {(model, "edge", None, intersection) for intersection in by_threads}
    assert found == expected


def test_vertices_get_numbers_before_the_count(space: Space, everything: list[Style]) -> None:
    renumbered = [style for style in everything if style.get("method") in ("renumbered", "nonzero")]
    assert {
        (style["method"], style["model"], style["iteration"], style["granularity"], style["persistence"])
        for style in renumbered
    } == {
        (method, "cuda", "vertex", "block", persistence)
        for method in ("renumbered", "nonzero")
        for persistence in ("persistent", "nonpersistent")
    }
    for style in pairs(renumbered):
        before, _, after = render(space, style).text.partition("int solve(")[2].partition("preprocessed();")
        assert all(step in before for step in ("number_by_degree", "keep_edges", "set_bits"))
        assert after.index("count_short_rows") < after.index("count_long_rows")  # which the former lists


def test_names_need_an_intersection(space: Space, oriented: list[Style]) -> None:
    name = name_of(oriented[0])
    with pytest.raises(UserError, match="no value for intersection; one of rowmerge, rowsearch, rowbitmap, roweither"):
        space.parse(name.rpartition("-")[0])
    with pytest.raises(UserError, match="there is no intersection axis here: it needs method oriented"):
        space.parse(name.replace("-oriented", ""))


def test_orientation_is_timed_and_reported_apart(space: Space, oriented: list[Style]) -> None:
    for style in pairs(oriented):
        solve = render(space, style).text.partition("int solve(")[2]
        before, _, after = solve.partition("preprocessed();")
        assert "keep_edges" in before
        assert "count_triangles" not in before
        assert "count_triangles" in after


def test_the_marks_of_rows_are_those_of_the_threads_that_need_them(space: Space, oriented: list[Style]) -> None:
    texts = {
        (style["iteration"], style.get("granularity")): render(space, style).text
        for style in oriented
        if style["intersection"] == "rowbitmap"
    }
    assert "__syncwarp();" in texts["vertex", "warp"]
    assert "__syncthreads();" not in texts["vertex", "warp"]
    assert "__syncthreads();" in texts["vertex", "block"]
    assert "__syncthreads();" in texts["edge", "thread"]
    assert "__shared__" not in texts["vertex", None]
