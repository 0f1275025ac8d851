"""The page about papers: what it is written from holds, and credits what the style space credits."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

import pytest

from generator import coverage
from generator.errors import FileError
from generator.paths import ROOT
from generator.space import load_space

if TYPE_CHECKING:
    from pathlib import Path

    from generator.coverage import Coverage
    from generator.space import Axis, Space

OURS = ("measured", "directed graphs", "for testing verifiers and tools")
"""What values say that are nobody else's."""
BFS = "bfs-openmp-vertex-topology-push-rmw-nondet-default-i32"


@pytest.fixture(scope="module")
def known(space: Space) -> Coverage:
    return coverage.load(space)


def test_the_page_is_what_its_data_say(known: Coverage) -> None:
    assert coverage.PAGE.read_text(encoding="utf-8") == coverage.shown(known), "run python -m generator coverage"


def credits_of(axis: Axis) -> list[tuple[str, str]]:
    return [(value, axis.source(value)) for value in axis.values]


@pytest.mark.parametrize(
    "axis", [axis for axis in load_space().axes if axis.name != "algorithm"], ids=lambda axis: axis.name
)
def test_a_value_names_a_publication_that_is_cited(axis: Axis, known: Coverage) -> None:
    names = tuple(source.name for source in (*known.paper, *known.source)) + OURS
    assert [(value, source) for value, source in credits_of(axis) if not source.startswith(names)] == []


@pytest.mark.parametrize("axis", load_space().axes, ids=lambda axis: axis.name)
def test_what_a_value_takes_from_a_paper_is_an_item_of_that_section(axis: Axis, known: Coverage) -> None:
    sections = {  # by paper, axis and value
        (paper.name, value): [
            section
            for item in paper.items
            if value in item.values.get(axis.name, ())
            for section in item.section.split(", ")
        ]
        for paper in known.paper
        for value in axis.values
    }
    papers = "|".join(paper.name for paper in known.paper)
    wrong = []
    for value, source in credits_of(axis):
        for paper, cited in re.findall(rf"\b({papers}), ([\w.-]+(?: and [\dIVX][\w.-]*)?)", source):
            if not any(section.startswith(tuple(cited.split(" and "))) for section in sections[paper, value]):
                wrong.append(f"{axis.name}={value}: {source}")
    assert wrong == [], "add the item to docs/coverage.toml, or mend the section in configs/space.toml"


def test_what_is_cited_is_in_the_file_for_citing(known: Coverage) -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    titles = re.findall(r'^    title: "(.*)"', text, re.MULTILINE)
    sources = (*known.paper, *known.source)
    assert [[title for title in titles if f": {title}. " in source.citation] for source in sources] == [
        [each] for each in titles
    ]
    assert [source.name for source in sources if source.at.removeprefix("doi:") not in text] == []


@pytest.mark.parametrize(
    ("item", "message"),
    [
        ('has = "flow=push", why = "b"', "say where it is (has) or why it is not here (why), and not both"),
        ('program = "a"', "say where it is (has) or why"),
        ('form = "b", why = "c"', "form is how it differs"),
        ('has = "flou=push"', "there is no axis 'flou'; did you mean 'flow'?"),
        ('has = "flow=push,pul"', "there is no flow 'pul'; did you mean 'pull'?"),
        ('has = "--do-c"', "no program has the option --do-c"),
        ('has = "docs/nothing.md"', "there is no file docs/nothing.md"),
        (f'has = "flow=pull", program = "{BFS}"', "has none of these values of flow"),
        (f'has = "flow=pull", program = "{BFS.replace("push", "pull")}"', "forbidden by rule 'pull-has-one-writer'"),
    ],
)
def test_an_item_that_does_not_hold_is_told_with_its_line(
    space: Space, tmp_path: Path, item: str, message: str
) -> None:
    path = tmp_path / "coverage.toml"
    path.write_text(
        f'[[paper]]\nname = "P"\ncitation = "P"\nitems = [\n  {{ section = "1", item = "A thing", {item} }},\n]\n'
    )
    assert tomllib.loads(path.read_text())
    with pytest.raises(FileError, match=re.escape(f"{path}:5: A thing: ") + ".*" + re.escape(message)):
        coverage.load(space, path)
