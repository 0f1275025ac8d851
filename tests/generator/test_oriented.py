"""Triangle counting in oriented edges: where its programs exist, and what they are made of."""

from collections import Counter

import pytest

from generator.config import find_config, select_styles
from generator.errors import UserError
from generator.render import render
from generator.space import Axis, Rule, Space, Style, name_of


@pytest.fixture(scope="module")
def oriented(space: Space) -> list[Style]:
    return [style for style in select_styles(space, find_config("fast")) if style.get("method") == "oriented"]


def test_every_orientation_has_an_intersection_and_nothing_else_has(space: Space, oriented: list[Style]) -> None:
    assert all("intersection" in style for style in oriented)
    everything = select_styles(space, find_config("all"))
    assert all(("intersection" in style) == (style.get("method") == "oriented") for style in everything)


def test_an_intersection_exists_where_it_makes_sense(oriented: list[Style]) -> None:
    counts = Counter(
        (style["model"], style["iteration"], style.get("granularity"), style["intersection"]) for style in oriented
    )
    # a CUDA program has 2 persistences x 2 flavours of atomics x 3 reductions, a CPU program 2 schedules x 3 reductions
    cuda, cpu = 12, 6
    expected = {
        ("cuda", "vertex", "thread", "rowmerge"): cuda, ("cuda", "vertex", "thread", "rowsearch"): cuda,
        ("cuda", "edge", "thread", "rowmerge"): cuda, ("cuda", "edge", "thread", "rowsearch"): cuda,
    }  # fmt: skip
    for shared in ("warp", "block"):
        for intersection in ("rowmerge", "rowsearch", "rowbitmap"):
            expected["cuda", "vertex", shared, intersection] = cuda
        expected["cuda", "edge", shared, "rowsearch"] = cuda
    for model in ("openmp", "cpp"):
        for intersection in ("rowmerge", "rowsearch", "rowbitmap"):
            expected[model, "vertex", None, intersection] = cpu
        for intersection in ("rowmerge", "rowsearch"):
            expected[model, "edge", None, intersection] = cpu
    assert counts == expected


def test_names_parse_back_and_need_an_intersection(space: Space, oriented: list[Style]) -> None:
    for style in oriented:
        assert space.parse(name_of(style)) == style
    name = name_of(oriented[0])
    with pytest.raises(UserError, match="no value for intersection; one of rowmerge, rowsearch, rowbitmap"):
        space.parse(name.rpartition("-")[0])
    with pytest.raises(UserError, match="there is no intersection axis here: it needs method oriented"):
        space.parse(name.replace("-oriented", ""))


def test_orientation_is_timed_and_reported_apart(space: Space, oriented: list[Style]) -> None:
    for style in oriented:
        solve = render(space, style).text.partition("int solve(")[2]
        before, _, after = solve.partition("preprocessed();")
        assert "keep_edges" in before
        assert "count_triangles" not in before
        assert "count_triangles" in after


def test_the_marks_of_a_row_are_those_of_its_threads(space: Space, oriented: list[Style]) -> None:
    texts = {style.get("granularity"): render(space, style).text for style in oriented if "rowbitmap" in style.values()}
    assert "__syncwarp();" in texts["warp"]
    assert "__syncthreads();" in texts["block"]
    assert "__syncthreads();" not in texts["warp"]
    assert "__shared__" not in texts[None]


def axis(name: str, *values: str, **more: object) -> Axis:
    return Axis.model_validate(
        {"name": name, "title": name, "section": "none", "values": dict.fromkeys(values, "x")} | more
    )


def test_adding_an_axis_completes_styles_with_those_that_depend_on_it() -> None:
    added = axis("added", "plain", "more", optional=True)
    space = Space(
        axes=(axis("first", "a", "b"), added, axis("second", "c", "d", when={"added": ["more"]}), axis("last", "e")),
        rules=(Rule(id="no", forbid={"first": ("b",), "second": ("d",)}, why="so", source="none"),),
    )
    plain = list(space.styles())
    assert list(map(name_of, plain)) == ["a-e", "b-e"]
    assert list(map(name_of, space.add(added, plain))) == [
        "a-plain-e", "a-more-c-e", "a-more-d-e", "b-plain-e", "b-more-c-e",
    ]  # fmt: skip
