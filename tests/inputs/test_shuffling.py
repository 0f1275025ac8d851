from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from inputs import catalogue, conversion, names
from inputs.formats import egr
from inputs.formats.errors import GraphFormatError
from inputs.shuffling import shuffled_numbers

if TYPE_CHECKING:
    from pathlib import Path

    from inputs.graph import Graph


def matrix(graph: Graph) -> np.ndarray:
    found = np.zeros((graph.vertex_count, graph.vertex_count), dtype=int)
    edges = graph.to_edges()
    found[edges.sources, edges.destinations] = 1 if graph.weights is None else graph.weights
    return found


def test_numbers_are_a_permutation_of_their_seed() -> None:
    found = shuffled_numbers(1000, 1)
    assert sorted(found.tolist()) == list(range(1000))
    assert (found == np.arange(1000)).sum() < 10
    assert (found != shuffled_numbers(1000, 2)).mean() > 0.9
    assert shuffled_numbers(1000, 1).tolist() == found.tolist()


@pytest.mark.parametrize("name", ["karate", "rmat-10-directed"])
def test_any_name_of_the_catalogue_can_be_shuffled(tmp_path: Path, name: str) -> None:
    path = catalogue.ensure(f"{name}-shuffled", tmp_path)
    assert path == tmp_path / f"{name}-shuffled.egr"
    natural, graph = egr.read(tmp_path / f"{name}.egr"), egr.read(path)
    assert graph.directed == natural.directed
    numbers = shuffled_numbers(natural.vertex_count, 1)
    assert (matrix(graph)[np.ix_(numbers, numbers)] == matrix(natural)).all()


@pytest.mark.parametrize(("suffix", "arcs"), [("-one-way", (78, 78)), ("-half-both", (97, 137))])
def test_edges_of_the_catalogue_get_directions(tmp_path: Path, suffix: str, arcs: tuple[int, int]) -> None:
    """Each of the karate club's 78; four standard deviations around half of them twice."""
    path = catalogue.ensure(f"karate{suffix}-shuffled", tmp_path)
    assert path == tmp_path / f"karate{suffix}-shuffled.egr"
    natural, graph = egr.read(tmp_path / "karate.egr"), egr.read(tmp_path / f"karate{suffix}.egr")
    assert graph.directed
    assert arcs[0] <= graph.edge_count <= arcs[1]
    found = matrix(graph)
    assert (np.maximum(found, found.T) == matrix(natural)).all()
    up = np.triu(found > found.T).sum()
    assert up / np.triu(found != found.T).sum() == pytest.approx(0.5, abs=0.3)
    with pytest.raises(GraphFormatError, match="its edges have directions already"):
        catalogue.ensure(f"rmat-10-directed{suffix}", tmp_path)


@pytest.mark.parametrize("directed", [False, True])
def test_converting_shuffles(tmp_path: Path, directed: bool) -> None:
    """With weights, and a vertex at the end that only its number tells of."""
    (tmp_path / "in.wel").write_text("0 1 5\n1 2 7\n4 0 9\n")
    conversion.convert(tmp_path / "in.wel", tmp_path / "natural.egr", directed=directed)
    conversion.convert(tmp_path / "in.wel", tmp_path / "out.egr", directed=directed, shuffle=3)
    numbers = shuffled_numbers(5, 3)
    found, natural = (matrix(egr.read(tmp_path / f"{name}.egr")) for name in ("out", "natural"))
    assert (found[np.ix_(numbers, numbers)] == natural).all()
    assert (found != natural).any()


def test_names_go_with_their_vertices(tmp_path: Path) -> None:
    (tmp_path / "in.el").write_text("ann bob\nbob cy\ncy dan\n")
    conversion.convert(tmp_path / "in.el", tmp_path / "out.egr", shuffle=3)
    called = names.read(tmp_path / "out.egr", 4).tolist()
    edges = egr.read(tmp_path / "out.egr").to_edges()
    found = {frozenset((called[u], called[v])) for u, v in zip(edges.sources, edges.destinations, strict=True)}
    assert found == {frozenset(pair) for pair in (("ann", "bob"), ("bob", "cy"), ("cy", "dan"))}
    assert called != ["ann", "bob", "cy", "dan"]
