import numpy as np
import pytest

from inputs.formats import metis
from inputs.formats.errors import GraphFormatError
from inputs.graph import concatenate, from_edges

TEXT = b"% a comment\n4 3 001\n2 5\n% another\n1 5 3 6\n2 6 4 1\n3 1\n"


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.graph"
    path.write_bytes(TEXT)
    return path


@pytest.mark.parametrize("block", [1, 9, 1000])
def test_pieces_are_the_whole(file, block):
    parts = list(metis.stream(file, block))
    assert len(parts) >= (4 if block == 1 else 1)
    whole = concatenate(parts)
    assert whole.vertex_count == 4
    assert whole.sources.tolist() == [0, 1, 1, 2, 2, 3]
    assert whole.destinations.tolist() == [1, 0, 2, 1, 3, 2]
    assert whole.weights.tolist() == [5, 5, 6, 6, 1, 1]


def test_an_error_in_a_later_piece_has_its_line(file):
    file.write_bytes(TEXT.replace(b"4 1\n", b"4 x\n"))
    with pytest.raises(GraphFormatError, match=r"a.graph:6: 'x' is not a number"):
        list(metis.stream(file, 1))


def test_rows_are_written_in_pieces(tmp_path, monkeypatch, assert_same):
    generator = np.random.default_rng(1)
    ends = generator.integers(0, 50, (200, 2))
    graph = from_edges(50, ends[:, 0], ends[:, 1], np.arange(200))
    metis.write(graph, tmp_path / "whole.graph")
    monkeypatch.setattr(metis, "_ROWS", 7)
    metis.write(graph, tmp_path / "pieces.graph")
    assert (tmp_path / "pieces.graph").read_bytes() == (tmp_path / "whole.graph").read_bytes()
    assert_same(metis.read(tmp_path / "pieces.graph").to_graph(), graph)
