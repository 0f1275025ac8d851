from inspect import signature

import pytest

from inputs import generators
from inputs.published import PUBLISHED

INPUTS = {  # in the papers' tables, less the generated ones, which the catalogue makes itself
    "I": 3,
    "G": 6,
    "S": 8,
    "M": 12,
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_stand_in_can_be_called(name: str) -> None:
    stand_in = PUBLISHED[name].stand_in
    signature(getattr(generators, stand_in.kind)).bind(**stand_in.model_extra)


@pytest.mark.parametrize("name", [name for name, it in PUBLISHED.items() if it.url])
def test_every_download_has_a_licence_and_a_size(name: str) -> None:
    entry = PUBLISHED[name]
    assert entry.licence
    assert entry.vertices > 0
    assert entry.arcs > entry.vertices
    assert entry.url.startswith("http")


@pytest.mark.parametrize("paper", INPUTS)
def test_every_input_of_the_papers_is_listed(paper: str) -> None:
    assert sum(paper in (entry.papers or "").split() for entry in PUBLISHED.values()) >= INPUTS[paper]


def test_stand_ins_have_about_the_size_of_the_graph() -> None:
    for name, entry in PUBLISHED.items():
        arguments = entry.stand_in.model_extra
        if entry.directed:
            assert arguments["directed"]
            assert arguments["edges"] == entry.arcs
            assert 0.7 < 2 ** arguments["scale"] / entry.vertices < 1.4, name  # the nearest power of two
            continue
        vertices = arguments.get("vertices") or arguments["width"] * arguments["height"]
        assert not entry.vertices or abs(vertices / entry.vertices - 1) < 0.01, name
