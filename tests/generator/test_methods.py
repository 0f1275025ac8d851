"""Other methods than the paper's: where they exist, and that the programs of the paper have none."""

import re

import pytest

from generator.render import render
from generator.space import Space, Style, name_of
from tests.configs import selected
from tests.generator.conftest import code, pairs


@pytest.fixture(scope="module")
def fast() -> list[Style]:
    return [style for style in selected("fast") if "method" in style]


def joining(styles: list[Style]) -> list[Style]:
    return [style for style in styles if style["algorithm"] == "cc"]


def test_joining_trees_exists_in_every_model_and_iteration(fast: list[Style]) -> None:
    found = {(style["model"], style["iteration"], style["method"]) for style in joining(fast)}
    ways = [("vertex", "hook"), ("vertex", "sampled"), ("edge", "hook"), ("edge", "stars")]
    assert found == {(model, *way) for model in ("cuda", "openmp", "cpp") for way in ways}


def test_a_method_replaces_rounds(fast: list[Style]) -> None:
    for style in pairs([style for style in fast if style["method"] != "stars"]):
        text = code(style)
        assert "changed" not in text
        assert style["flow"] == "binned" or not re.search(
            r"s\.round\b", text
        )  # bins count iterations for the scale of messages


def test_a_program_with_a_method_has_its_name_and_its_summary(space: Space, fast: list[Style]) -> None:
    for style in pairs(fast):
        head = render(space, style).text.partition("#include")[0]
        assert re.search(rf"// method +{style['method']} ", head)
        assert "PLANTED" not in head


def test_joining_trees_says_what_it_is(space: Space, fast: list[Style]) -> None:
    for style in pairs(joining(fast)):
        head = render(space, style).text.partition("#include")[0]
        assert "hooking and pointer jumping" in head.replace("\n// ", " ")


def test_every_meaningful_program_may_have_a_method(space: Space, everything: list[Style], fast: list[Style]) -> None:
    plain = list(space.styles())
    assert everything[: len(plain)] == plain
    methods = [style for style in everything if "method" in style]
    assert all(style in methods for style in fast)
    assert {style["datatype"] for style in joining(methods)} == {"i32", "i64"}


def test_ranks_by_degree_exist_wherever_ranks_do(space: Space, fast: list[Style]) -> None:
    ranking = [style for style in fast if style["algorithm"] == "pr" and style.get("method") == "bydegree"]
    styles = [style for config in ("paper", "fast") for style in selected(config)]
    plain = [name_of(style) for style in styles if style["algorithm"] == "pr" and "method" not in style]
    assert sorted(name_of(style).replace("-bydegree", "") for style in ranking) == sorted(plain)
    for style in pairs(ranking):
        text = render(space, style).text
        assert "rank_t{1} / s.n" not in text
        alone = "s.alone" if style["driver"] == "residual" else "s.base"
        assert f"const rank_t rank = {alone} + s.rank_of_edge * degree;" in text
