from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from inputs.formats import galois
from inputs.formats.errors import GraphFormatError
from inputs.graph import concatenate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write the arcs 0 -> 1, 0 -> 2, 2 -> 1 in version 2, whose neighbours have 64 bits."""

    def write_version_2(neighbours: tuple[int, ...] = (1, 2, 1), weights: tuple[int, ...] = (7, 8, 9)) -> Path:
        path = tmp_path / "a.gr"
        header = np.array([2, 4 if weights else 0, 3, 3, 2, 2, 3, *neighbours], dtype="<i8")
        path.write_bytes(header.tobytes() + np.array(weights, dtype="<i4").tobytes())
        return path

    return write_version_2


def test_version_2_has_neighbours_of_64_bits(write: Callable[..., Path]) -> None:
    graph = galois.read(write())
    assert graph.neighbours.dtype == np.int32
    assert graph.row_offsets.tolist() == [0, 2, 2, 3]
    assert graph.neighbours.tolist() == [1, 2, 1]
    assert graph.weights.tolist() == [7, 8, 9]
    assert galois.read(write(weights=())).weights is None


def test_pieces_are_the_whole(write: Callable[..., Path]) -> None:
    edges = concatenate(list(galois.stream(write())))
    assert (edges.sources.tolist(), edges.destinations.tolist()) == ([0, 0, 2], [1, 2, 1])


def test_a_neighbour_of_more_than_32_bits_is_out_of_range(write: Callable[..., Path]) -> None:
    with pytest.raises(GraphFormatError, match=r"byte 64: neighbour 4294967297 of edge 1 is not in \[0, 3\)"):
        galois.read(write((1, 2**32 + 1, 1)))
