"""Optional axes: fast styles are the paper's programs with one more choice, and change none of those."""

import csv
from pathlib import Path

import pytest

from generator import output
from generator.config import find_config, select_styles
from generator.space import Space, Style, name_of

OPTIONAL = {"fusion", "method", "intersection", "lookahead"}


def plain(style: Style) -> Style:
    return {axis: value for axis, value in style.items() if axis not in OPTIONAL}


def names(space: Space, config: str) -> set[str]:
    return set(map(name_of, select_styles(space, find_config(config))))


def test_fast_styles_are_programs_of_the_paper_with_an_optional_axis(space: Space) -> None:
    paper = names(space, "paper")
    fast = select_styles(space, find_config("fast"))
    assert fast
    for style in fast:
        assert set(style) & OPTIONAL
        assert name_of(plain(style)) in paper


def test_every_meaningful_program_is_listed_with_and_without_optional_axes(space: Space) -> None:
    everything = names(space, "all")
    assert everything >= set(map(name_of, space.styles()))
    assert everything >= names(space, "fast")
    with output.MANIFEST.open() as file:
        assert {row["name"] for row in csv.DictReader(file)} == everything | names(space, "bugs")


def config(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("add", {"graph", "all", "single"}),
        ("extend", {"graph", "all", "single", None}),
    ],
)
def test_add_replaces_and_extend_keeps(space: Space, tmp_path: Path, key: str, expected: set[str | None]) -> None:
    text = f'names = ["*bfs-cuda-vertex-data-nodup-push-rw-nondet-persistent-thread-atomic-i32*"]\n{key} = ["fusion"]\n'
    styles = select_styles(space, config(tmp_path, text))
    assert {style.get("fusion") for style in styles} == expected
    assert len(styles) == len(expected)
