from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inputs import compaction, conversion, names
from inputs.formats import egr, registry
from inputs.graph import EdgeList, from_edges

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GAPS = "0 1\n65105 7\n7 1\n9 9\n"  # ids 0 1 7 9 65105


def test_ids_that_no_edge_has_are_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "graph.el").write_text(GAPS)
    conversion.convert(tmp_path / "graph.el", tmp_path / "graph.egr", compact=True)
    graph = egr.read(tmp_path / "graph.egr")
    assert graph.row_offsets.tolist() == [0, 1, 3, 5, 5, 6]
    assert graph.neighbours.tolist() == [1, 0, 2, 1, 4, 2]
    assert names.read(tmp_path / "graph.egr", 5).tolist() == [0, 1, 7, 9, 65105]
    assert caplog.text == ""


def test_ids_that_are_not_used_are_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "graph.el").write_text(GAPS)
    conversion.convert(tmp_path / "graph.el", tmp_path / "graph.egr")
    assert egr.read_counts(tmp_path / "graph.egr") == (65106, 6)
    assert "graph.el: 4 of 65,106 vertices have edges; --compact leaves the others out" in caplog.text


@pytest.mark.parametrize("suffix", [".gr", ".mtx", ".graph", ".sgr", ".sg", ".egr"])
def test_old_ids_are_those_of_the_file(tmp_path: Path, suffix: str) -> None:
    source = tmp_path / f"in{suffix}"
    registry.format_named(source).write(from_edges(6, np.array([1]), np.array([4])), source)
    conversion.convert(source, tmp_path / "out.mtx", compact=True)
    assert registry.load(tmp_path / "out.mtx").vertex_count == 2
    first = registry.format_named(source).first_id
    assert names.read(tmp_path / "out.mtx", 2).tolist() == [1 + first, 4 + first]
    assert sorted(path.name for path in tmp_path.iterdir()) == [source.name, "out.mtx", "out.mtx.names.parquet"]


@given(data=st.data(), size=st.integers(1, 9))
def test_compaction_keeps_the_edges(data: st.DataObject, size: int) -> None:
    vertex = st.integers(0, 2**31 - 2)
    ends = np.array(data.draw(st.lists(st.tuples(vertex, vertex), min_size=1, max_size=30)), dtype=np.int32)
    batches = [EdgeList(2**31 - 1, *ends[first : first + size].T) for first in range(0, len(ends), size)]
    ids = compaction.used_ids(batches)
    assert ids.tolist() == sorted({int(end) for end in ends.ravel()})
    renumbered = list(compaction.renumbered(batches, ids))
    assert {batch.vertex_count for batch in renumbered} == {len(ids)}
    assert (
        np.concatenate([ids[[batch.sources, batch.destinations]].T for batch in renumbered]).tolist() == ends.tolist()
    )


def test_ids_are_merged_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compaction, "BATCH", 3)
    batches = [EdgeList(99, np.array([first]), np.array([99 - first])) for first in range(20)]
    assert compaction.used_ids(batches).tolist() == [*range(20), *range(80, 100)]


def test_memory_follows_the_edges_and_not_the_largest_id(
    tmp_path: Path, convert_apart: Callable[[Path, Path], tuple[str, int]]
) -> None:
    """Row offsets of 30 million vertices take 120 MB; the whole graph in memory takes 900."""
    (tmp_path / "graph.wel").write_text("30000000 1 5\n1 2 6\n")
    warnings, peak = convert_apart(tmp_path / "graph.wel", tmp_path / "o.egr")
    assert "3 of 30,000,001 vertices have edges" in warnings
    assert peak < 400 << 20
    graph = egr.read(tmp_path / "o.egr")
    assert np.flatnonzero(graph.degrees).tolist() == [1, 2, 30_000_000]
    assert (graph.neighbours.tolist(), graph.weights.tolist()) == ([2, 30_000_000, 1, 1], [6, 5, 6, 5])
