from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inputs.formats import dimacs
from inputs.formats.errors import GraphFormatError

if TYPE_CHECKING:
    from pathlib import Path

GOOD = "c a comment\n\np sp 3 2\nc more\na 1 2 5\na 3 2 7\n"


def save(folder: Path, content: str) -> Path:
    path = folder / "roads.gr"
    path.write_text(content)
    return path


@pytest.mark.parametrize("content", [GOOD, GOOD.replace("\n", "\r\n"), GOOD.replace(" ", "\t"), GOOD + "c end\n"])
def test_arcs_are_numbered_from_0(tmp_path: Path, content: str) -> None:
    edges = dimacs.read(save(tmp_path, content))
    assert edges.vertex_count == 3
    assert edges.sources.tolist() == [0, 2]
    assert edges.destinations.tolist() == [1, 1]
    assert edges.weights.tolist() == [5, 7]


def test_no_arcs(tmp_path: Path) -> None:
    assert dimacs.read(save(tmp_path, "p sp 4 0\n")).to_graph().vertex_count == 4


def test_no_edges_to_colour(tmp_path: Path) -> None:
    assert dimacs.read(save(tmp_path, "p edge 4 0\n")).to_graph().vertex_count == 4


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("", None, "no line 'p sp VERTICES ARCS' or 'p edge VERTICES EDGES'"),
        ("c nothing\n", None, "no line 'p sp VERTICES ARCS' or 'p edge VERTICES EDGES'"),
        ("p sp 3\n", 1, "must come before"),
        ("p edge 3 1\ne 1 2\ne 1 3\ne 2 3\n", 1, "1 edges are promised, but the file has 3"),
        ("p edge 3 1\ne 1 2 5\n", 2, "an edge is 'e VERTEX VERTEX', not 'e 1 2 5'"),
        ("p sp -3 2\n", 1, "must come before"),
        ("p sp 3 1\na 1 2 5\na 3 2 7\n", 1, "1 arcs are promised, but the file has 2"),
        (GOOD.replace("a 3", "a x"), 6, "'x' is not a vertex number"),
        (GOOD.replace("a 3", "e 3"), 6, "an arc is 'a SOURCE DESTINATION WEIGHT', not 'e 3 2 7'"),
        (GOOD.replace(" 7", ""), 6, "an arc is"),
        (GOOD.replace(" 7", " 7 8"), 6, "an arc is"),
        (GOOD.replace(" 7", " far"), 6, "'far' is not a number"),
    ],
)
def test_malformed(tmp_path: Path, content: str, line: int | None, reason: str) -> None:
    """What `tests/corpus` does not have."""
    path = save(tmp_path, content)
    with pytest.raises(GraphFormatError) as caught:
        dimacs.read(path)
    assert (caught.value.path, caught.value.position) == (path, line)
    assert reason in caught.value.reason


def test_rome_has_its_published_size(shared_graphs: Path) -> None:
    edges = dimacs.read(shared_graphs / "rome99.gr")
    assert (edges.vertex_count, len(edges.sources)) == (3_353, 8_870)
    assert edges.to_graph().weights is not None
