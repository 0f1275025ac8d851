from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from inputs.conversion import convert
from inputs.formats import egr, metis
from inputs.formats.errors import GraphFormatError
from inputs.graph import Graph, concatenate, from_edges

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inputs.defaults import Duplicates

TEXT = b"% a comment\n4 3 001\n2 5\n% another\n1 5 3 6\n2 6 4 1\n3 1\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.graph"
    path.write_bytes(TEXT)
    return path


@pytest.mark.parametrize("block", [1, 9, 1000])
def test_pieces_are_the_whole(file: Path, block: int) -> None:
    parts = list(metis.stream(file, block))
    assert len(parts) >= (4 if block == 1 else 1)
    whole = concatenate(parts)
    assert whole.vertex_count == 4
    assert whole.sources.tolist() == [0, 1, 1, 2, 2, 3]
    assert whole.destinations.tolist() == [1, 0, 2, 1, 3, 2]
    assert whole.weights.tolist() == [5, 5, 6, 6, 1, 1]


def test_an_error_in_a_later_piece_has_its_line(file: Path) -> None:
    file.write_bytes(TEXT.replace(b"4 1\n", b"4 x\n"))
    with pytest.raises(GraphFormatError, match=r"a.graph:6: 'x' is not a number"):
        list(metis.stream(file, 1))


@pytest.mark.parametrize(
    ("content", "vertices"),
    [(b"3 0\n\n\n\n", 3), (b"2 0\n\n\n% no line", 2), (b"2 0 011 2\n1 2\n3 4", 2), (b"0 0\n", 0)],
)
def test_a_graph_without_edges(file: Path, content: bytes, vertices: int) -> None:
    file.write_bytes(content)
    graph = metis.read(file).to_graph()
    assert (graph.vertex_count, graph.edge_count) == (vertices, 0)


@pytest.mark.parametrize("end", ["", "\n", " \n", "\n\n"])
@pytest.mark.parametrize("piece", [18, 19, 20, 21, 22, 23, 50])
@pytest.mark.parametrize(("numbers", "front"), [("", ""), (" 001", ""), (" 011 2", "7 8 ")])
def test_long_lines_are_read_in_pieces(
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    assert_same: Callable[[Graph, Graph], None],
    numbers: str,
    front: str,
    piece: int,
    end: str,
) -> None:
    ends = np.random.default_rng(piece).integers(0, 30, (100, 2))
    graph = from_edges(30, ends[:, 0], ends[:, 1], np.arange(100) if numbers else None)
    metis.write(graph, file)
    _, *lines = file.read_text().splitlines()
    header = f"30 {graph.edge_count // 2}{numbers}"
    file.write_text("\n".join([f"% {'long ' * 9}", header, *(f"{front}{line}" for line in lines)]) + end)
    monkeypatch.setattr(metis, "_PIECE", piece)
    for block in (1, 30):
        assert_same(concatenate(list(metis.stream(file, block))).to_graph(), graph)


@pytest.mark.parametrize("line", [b"1" * 50, b" " * 50])
def test_a_number_longer_than_a_piece(file: Path, monkeypatch: pytest.MonkeyPatch, line: bytes) -> None:
    file.write_bytes(b"1 0\n" + line)
    monkeypatch.setattr(metis, "_PIECE", 20)
    with pytest.raises(GraphFormatError, match=r"a\.graph:2: no number ends within 20 bytes"):
        list(metis.stream(file, 1))


def test_what_looks_like_a_comment_within_a_long_line_is_none(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_bytes(b"2 20\n" + b"2 " * 10 + b"% " + b"2 " * 10 + b"\n" + b"1 " * 20 + b"\n")
    monkeypatch.setattr(metis, "_PIECE", 19)
    for block in (1, 2):
        with pytest.raises(GraphFormatError, match=r"a\.graph:2: '%' is not a vertex number"):
            list(metis.stream(file, block))


@pytest.mark.parametrize(
    ("content", "wrong"),
    [
        (b"2 1 001\n2 3e0\n1 3.0\n", None),
        (b"2 1 011\n4 2 3.\n5 1 3\n", None),
        (b"2 1 001\n2. 3.0\n1 3\n", "2: '2.' is not a vertex number"),
        (b"2 1 011\n4 2 3\n5. 1 3.0\n", "3: '5.' is no size or weight of a vertex"),
        (b"2 1\n2\n1\xc2\xa0\n", "3: '1\u00a0' is not a vertex number"),
        (b"2 1 001\n2 3.5\n1 3.5\n", "2: weight 3.5 is not a whole number"),
    ],
)
def test_only_weights_may_be_written_with_a_point(file: Path, content: bytes, wrong: str | None) -> None:
    file.write_bytes(content)
    if wrong is None:
        assert metis.read(file).weights.tolist() == [3, 3]
    else:
        with pytest.raises(GraphFormatError, match=f"a.graph:{wrong}"):
            metis.read(file)


def test_a_line_of_more_neighbours_than_promised_is_refused_early(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_bytes(b"2 1\n" + b"2 " * 1000 + b"x\n")
    monkeypatch.setattr(metis, "_PIECE", 20)
    with pytest.raises(GraphFormatError, match=r"a\.graph:1: 1 edges are promised, hence 2 neighbours, not 10 or more"):
        list(metis.stream(file, 1))


@pytest.mark.parametrize(("duplicates", "weight"), [("smallest", 5), ("sum", 13), ("largest", 8)])
def test_one_direction_of_each_edge_is_converted(file: Path, duplicates: Duplicates, weight: int) -> None:
    file.write_bytes(b"4 4 001\n2 5 1 9 2 8 1 9\n1 8 1 5 3 6\n2 6\n\n")
    convert(file, file.with_suffix(".egr"), duplicates=duplicates)
    graph = egr.read(file.with_suffix(".egr"))
    assert (graph.neighbours.tolist(), graph.weights.tolist()) == ([1, 0, 2, 1], [weight, weight, 6, 6])
    assert graph.vertex_count == 4


def test_rows_are_written_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, assert_same: Callable[[Graph, Graph], None]
) -> None:
    generator = np.random.default_rng(1)
    ends = generator.integers(0, 50, (200, 2))
    graph = from_edges(50, ends[:, 0], ends[:, 1], np.arange(200))
    metis.write(graph, tmp_path / "whole.graph")
    monkeypatch.setattr(metis, "_ROWS", 7)
    metis.write(graph, tmp_path / "pieces.graph")
    assert (tmp_path / "pieces.graph").read_bytes() == (tmp_path / "whole.graph").read_bytes()
    assert_same(metis.read(tmp_path / "pieces.graph").to_graph(), graph)
