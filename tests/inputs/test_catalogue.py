from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import pytest

from inputs import catalogue
from inputs.errors import UnknownInputError
from inputs.formats import egr
from inputs.published import PUBLISHED

if TYPE_CHECKING:
    from pathlib import Path


def test_karate_is_zacharys_club(tmp_path: Path) -> None:
    edges = egr.read(catalogue.ensure("karate", tmp_path)).to_edges()
    assert (edges.vertex_count, len(edges.sources)) == (34, 2 * 78)
    expected = set(nx.karate_club_graph().to_directed().edges)
    assert set(zip(edges.sources.tolist(), edges.destinations.tolist(), strict=True)) == expected


@pytest.mark.parametrize("name", [name for name in catalogue.CATALOGUE if name.startswith("tiny-")])
def test_tiny_graphs_are_written(tmp_path: Path, name: str) -> None:
    path = catalogue.ensure(name, tmp_path / "data")
    assert path == tmp_path / "data" / f"{name}.egr"
    assert egr.read(path).vertex_count >= 1


@pytest.mark.parametrize(("name", "vertices"), [("grid-64", 4096), ("rmat-10", 1024), ("road-16k", 16_384)])
def test_generated_inputs_have_the_size_of_their_name(tmp_path: Path, name: str, vertices: int) -> None:
    assert egr.read(catalogue.ensure(name, tmp_path)).vertex_count == vertices


def test_directed_inputs_are_directed(tmp_path: Path) -> None:
    names = [name for name in catalogue.CATALOGUE if name.endswith("-directed")]
    assert {"rmat-22-directed", "soc-LiveJournal1-directed", "soc-Pokec-directed"} <= set(names)
    assert all(PUBLISHED[name].directed for name in names if name in PUBLISHED)
    graph = egr.read(catalogue.ensure("rmat-10-directed", tmp_path))
    assert graph.directed
    assert graph.vertex_count == 1024


def test_an_input_is_made_once(tmp_path: Path) -> None:
    path = catalogue.ensure("karate", tmp_path)
    made = path.stat().st_mtime_ns
    assert catalogue.ensure("karate", tmp_path).stat().st_mtime_ns == made


def test_every_description_is_one_line() -> None:
    assert all(entry.description and "\n" not in entry.description for entry in catalogue.CATALOGUE.values())


def test_a_wrong_name_gets_the_nearest_right_one(tmp_path: Path) -> None:
    with pytest.raises(UnknownInputError) as caught:
        catalogue.ensure("karatee", tmp_path)
    assert str(caught.value) == "no input is called 'karatee'; did you mean karate?"
    assert list(tmp_path.iterdir()) == []
