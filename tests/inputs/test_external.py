from __future__ import annotations

import errno
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inputs import external
from inputs.formats import egr
from inputs.formats.errors import GraphFormatError
from inputs.graph import EdgeList, Graph, from_edges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from inputs.defaults import Duplicates


def batches_of(n: int, ends: np.ndarray, weights: np.ndarray | None, size: int) -> Iterator[EdgeList]:
    for first in range(0, max(len(ends), 1), size):
        part = slice(first, first + size)
        yield EdgeList(n, ends[part, 0], ends[part, 1], None if weights is None else weights[part])


@given(
    data=st.data(),
    n=st.integers(1, 5000),
    size=st.integers(1, 50),
    weighted=st.sampled_from([None, np.int64, np.float32]),
    duplicates=st.sampled_from(["smallest", "sum", "largest"]),
)
def test_the_same_graph_as_in_memory(
    tmp_path_factory: pytest.TempPathFactory,
    assert_same: Callable[[Graph, Graph], None],
    data: st.DataObject,
    n: int,
    size: int,
    weighted: type[np.number] | None,
    duplicates: Duplicates,
) -> None:
    vertex = st.integers(0, n - 1)
    ends = np.array(data.draw(st.lists(st.tuples(vertex, vertex), max_size=100)), dtype=np.int32).reshape(-1, 2)
    weights = np.arange(len(ends))[::-1].astype(weighted) if weighted and len(ends) else None
    if weighted is np.float32 and weights is not None:
        weights -= np.float32(9.75)
    path = tmp_path_factory.mktemp("external") / "graph.egr"
    external.write_graph(batches_of(n, ends, weights, size), path, budget=3, duplicates=duplicates)
    expected = from_edges(n, ends[:, 0], ends[:, 1], weights, duplicates)
    if expected.edge_count == 0:  # then the bytes do not tell whether there are weights
        expected = replace(expected, weights=None)
    assert_same(egr.read_any(path), expected)
    assert list(path.parent.iterdir()) == [path]


def test_real_weights_on_disk_are_no_whole_ones(tmp_path: Path) -> None:
    ends = np.arange(20, dtype=np.int32).reshape(-1, 2)
    batches = list(batches_of(20, ends, np.full(10, 1.9999, dtype=np.float32), 4))
    with pytest.raises(GraphFormatError, match="seem whole"):
        external.write_graph(batches, tmp_path / "graph.egr", budget=3)
    assert not any(tmp_path.iterdir())


def test_rows_may_exceed_the_budget(tmp_path: Path, assert_same: Callable[[Graph, Graph], None]) -> None:
    leaves = np.arange(1, 3000, dtype=np.int32)
    ends = np.stack([np.zeros_like(leaves), leaves], axis=1)
    external.write_graph(batches_of(3000, ends, None, 100), tmp_path / "star.egr", budget=10)
    assert_same(egr.read(tmp_path / "star.egr"), from_edges(3000, ends[:, 0], ends[:, 1]))


@pytest.mark.parametrize("batch", [1 << 22, 2, 1])
def test_ids_far_apart(
    tmp_path: Path, assert_same: Callable[[Graph, Graph], None], monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    """With ids much larger than the number of edges, in memory, in pieces, and, if there are many edges, on disk."""
    ends = np.array([[0, 77], [5000, 77], [4999, 1], [1, 77]], dtype=np.int32)
    weights = np.arange(4)
    monkeypatch.setattr(external, "BATCH", batch)
    external.write_graph(batches_of(5003, ends, weights, 2), tmp_path / "graph.egr")
    assert_same(egr.read(tmp_path / "graph.egr"), from_edges(5003, ends[:, 0], ends[:, 1], weights))


def test_weights_vanish_if_one_batch_has_none(tmp_path: Path) -> None:
    ends = np.array([[0, 1], [1, 2]], dtype=np.int32)
    batches = [EdgeList(3, ends[:, 0], ends[:, 1], ends[:, 0]), EdgeList(3, ends[:, 1], ends[:, 0])]
    external.write_graph(batches, tmp_path / "graph.egr", budget=1)
    assert egr.read(tmp_path / "graph.egr").weights is None


def test_more_edges_than_32_bits_count_get_64_bit_offsets(
    tmp_path: Path, assert_same: Callable[[Graph, Graph], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external, "MAX_COUNT", 3)
    ends = np.array([[0, 1], [1, 2]], dtype=np.int32)
    external.write_graph(batches_of(3, ends, None, 1), tmp_path / "graph.egr", budget=1)
    graph = egr.read(tmp_path / "graph.egr")
    assert graph.row_offsets.dtype == np.int64
    assert_same(graph, from_edges(3, ends[:, 0], ends[:, 1]))


def test_a_full_disk_is_told_with_the_file_that_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(external, "write_array", fill)
    ends = np.arange(40, dtype=np.int32).reshape(-1, 2)
    with pytest.raises(OSError, match="No space left on device") as caught:
        external.write_graph(batches_of(40, ends, None, 10), tmp_path / "graph.egr", budget=3)
    assert caught.value.filename == str(tmp_path / "graph.egr")
    assert list(tmp_path.iterdir()) == []


def test_an_error_leaves_nothing_behind(tmp_path: Path) -> None:
    def broken() -> Iterator[EdgeList]:
        yield EdgeList(3, np.array([0, 1]), np.array([1, 2]))
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        external.write_graph(broken(), tmp_path / "graph.egr", budget=1)
    assert list(tmp_path.iterdir()) == []


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20), st.integers(1, 7))
def test_batches_of_a_graph_are_its_edges(degrees: list[int], size: int) -> None:
    offsets = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32)
    neighbours = np.arange(offsets[-1], dtype=np.int32) % len(degrees)
    graph = egr.Graph(offsets, neighbours.astype(np.int32), neighbours * 2)
    parts = list(graph.batches(size))
    whole = graph.to_edges()
    assert all(len(part.sources) <= size for part in parts)
    for name in ("sources", "destinations", "weights"):
        joined = np.concatenate([getattr(part, name) for part in parts])
        np.testing.assert_array_equal(joined, getattr(whole, name))
