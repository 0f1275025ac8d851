"""Optional axes: fast styles are the paper's programs with one more choice, and change none of those."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from generator.config import CONFIGS, config_names, first_of_each, select_styles
from generator.render import render
from generator.space import Space, Style, name_of
from generator.tables import read_toml
from tests.configs import selected
from tests.texts import text_of

if TYPE_CHECKING:
    from pathlib import Path

OPTIONAL = {"append", "batch", "fusion", "intersection", "lookahead", "method", "priority", "storage", "switch"}


def plain(space: Space, style: Style) -> list[Style]:
    """The styles without optional axes, and with each of the other values in the place of an optional one."""
    styles: list[Style] = [{}]
    for axis, value in style.items():
        values = [value]
        if space.axis(axis).is_optional(value):
            values = space.axis(axis).plain_values
        if axis not in OPTIONAL:
            exists = space.axis(axis).choices  # a worklist goes with its driver
            styles = [{**each, axis: other} if exists(each) else each for each in styles for other in values]
    return styles


def said(config: str, *keys: str) -> set[str]:
    """Returns what a config, or one that it is based on, says under some keys."""
    _, table = read_toml(CONFIGS / f"{config}.toml")
    words = {word for key in keys for word in table.get(key, ())}
    return words | said(table["base"], *keys) if "base" in table else words


@pytest.mark.parametrize("config", config_names(CONFIGS))
def test_a_config_has_no_optional_value_that_it_does_not_add(space: Space, config: str) -> None:
    added, named = said(config, "add", "extend"), said(config, "also")
    for style in selected(config):
        has = {axis for axis, value in style.items() if space.axis(axis).is_optional(value)}
        assert has <= added or name_of(style) in named


def names(config: str) -> set[str]:
    return set(map(name_of, selected(config)))


def test_fast_styles_are_programs_of_the_paper_with_an_optional_axis(space: Space) -> None:
    paper = names("paper")
    fast = selected("fast")
    assert fast
    for style in fast:
        assert any(space.axis(axis).is_optional(value) for axis, value in style.items())
        assert paper & set(map(name_of, plain(space, style)))


def test_every_meaningful_program_is_listed_with_and_without_optional_axes(
    space: Space, everything: list[Style]
) -> None:
    meaningful = set(map(name_of, everything))
    assert meaningful >= set(map(name_of, space.styles()))
    assert meaningful >= names("fast")


def config(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("add", {"graph", "all", "few", "single", "cluster"}),
        ("extend", {"graph", "all", "few", "single", "cluster", None}),
    ],
)
def test_add_replaces_and_extend_keeps(space: Space, tmp_path: Path, key: str, expected: set[str | None]) -> None:
    text = f'names = ["*bfs-cuda-vertex-data-nodup-push-rw-nondet-persistent-thread-atomic-i32*"]\n{key} = ["fusion"]\n'
    styles = select_styles(space, config(tmp_path, text))
    assert {style.get("fusion") for style in styles} == expected
    assert len(styles) == len(expected)


@pytest.mark.parametrize("axes", ['"append", "driver"', '"driver", "append"'])
def test_an_axis_that_another_makes_exist_may_come_first(space: Space, tmp_path: Path, axes: str) -> None:
    text = f'add = [{axes}]\nselect = {{ algorithm = "pr", model = "openmp", driver = "residual", datatype = "f32" }}\n'
    found = {(style["driver"], style.get("append")) for style in select_styles(space, config(tmp_path, text))}
    assert found == {("residual", None), ("residual", "local")}


@pytest.mark.parametrize("model", ["openmp", "cpp"])
def test_scaled_chunks_are_all_that_differs_from_dynamic_ones(model: str) -> None:
    dynamic = f"bfs-{model}-vertex-data-dup-push-rmw-nondet-dynamic-i32-local"
    text = text_of(dynamic)
    scaled = text_of(dynamic.replace("dynamic", "scaled"))
    both = (each[each.index("struct State") : each.index("int main")] for each in (text, scaled))
    changed = [pair for pair in zip(*map(str.splitlines, both), strict=True) if len(set(pair)) == 2]
    assert changed
    assert all(before.replace("64)", "chunk_size(s.size))") == after for before, after in changed)


def test_no_int_gets_a_number_of_edges_that_may_have_64_bits(space: Space) -> None:
    wide = [style for style in selected("multigpu") if style.get("ids") == "edges64"]
    styles = first_of_each(wide, ["algorithm", "method", "switch", "granularity"])
    assert len(styles) > 10
    for style in styles:
        text = render(space, style).text
        counts = re.findall(r"s\.(\w+) = graph\.(?:divided->)?m;", text)
        assert not [name for name in counts if re.search(rf"\b(int|unsigned) {name};", text)]
