from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inputs.formats import matrix_market
from inputs.formats.errors import GraphFormatError

if TYPE_CHECKING:
    from pathlib import Path

    from inputs.graph import EdgeList


def save(folder: Path, content: str) -> Path:
    path = folder / "matrix.mtx"
    path.write_text(content)
    return path


def matrix(kind: str, *entries: str, size: str = "3 3 2") -> str:
    return "\n".join([f"%%MatrixMarket matrix coordinate {kind}", "% a comment", size, *entries, ""])


def arcs(edges: EdgeList) -> list[tuple[int, int]]:
    return sorted(zip(edges.sources.tolist(), edges.destinations.tolist(), strict=True))


def test_general_pattern(tmp_path: Path) -> None:
    edges = matrix_market.read(save(tmp_path, matrix("pattern general", "1 2", "3 2")))
    assert (edges.vertex_count, arcs(edges), edges.weights) == (3, [(0, 1), (2, 1)], None)


@pytest.mark.parametrize("symmetry", ["symmetric", "skew-symmetric"])
def test_one_stored_triangle_stands_for_both(tmp_path: Path, symmetry: str) -> None:
    edges = matrix_market.read(save(tmp_path, matrix(f"integer {symmetry}", "2 1 4", "3 2 5")))
    assert arcs(edges) == [(0, 1), (1, 0), (1, 2), (2, 1)]


@pytest.mark.parametrize("field", ["integer", "real"])
def test_positive_integers_are_weights(tmp_path: Path, field: str) -> None:
    graph = matrix_market.read(save(tmp_path, matrix(f"{field} general", "1 2 4", "3 2 5"))).to_graph()
    assert graph.weights.tolist() == [4, 4, 5, 5]


@pytest.mark.parametrize("value", ["-0.5", "-1", "1e12"])
def test_values_that_are_no_weights_are_dropped_aloud(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, value: str
) -> None:
    edges = matrix_market.read(save(tmp_path, matrix("real general", "1 2 4", f"3 2 {value}")))
    assert edges.weights is None
    assert "dropped" in caplog.text


@pytest.mark.parametrize(
    ("kind", "both"), [("real hermitian", True), ("double symmetric", True), ("unsigned-integer general", False)]
)
def test_kinds_that_are_rare(tmp_path: Path, kind: str, both: bool) -> None:
    content = matrix(kind, "2 1 4", "3 2 5").replace("%%", "%", 1)
    edges = matrix_market.read(save(tmp_path, content))
    assert arcs(edges) == ([(0, 1), (1, 0), (1, 2), (2, 1)] if both else [(1, 0), (2, 1)])
    assert sorted(set(edges.weights.tolist())) == [4, 5]


def test_exponents_may_be_those_of_fortran(tmp_path: Path) -> None:
    entries = ["1 2 4.0D2", "3 2 5d+1", "1 3 .5D1", "2 1 7"]
    edges = matrix_market.read(save(tmp_path, matrix("real general", *entries, size="3 3 4")))
    assert edges.weights.tolist() == [400, 50, 5, 7]
    with pytest.raises(GraphFormatError, match="'4D' is not a number") as error:
        matrix_market.read(save(tmp_path, matrix("real general", "1 2 4.0D2", "3 2 4D")))
    assert error.value.position == 5


@pytest.mark.parametrize(("symmetry", "both"), [("general", False), ("hermitian", True), ("skew-symmetric", True)])
def test_complex_values_are_no_weights(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, symmetry: str, *, both: bool
) -> None:
    edges = matrix_market.read(save(tmp_path, matrix(f"complex {symmetry}", "2 1 4 -1", "3 2 5.5 0")))
    assert arcs(edges) == ([(0, 1), (1, 0), (1, 2), (2, 1)] if both else [(1, 0), (2, 1)])
    assert edges.weights is None
    assert "complex values are no weights: all are dropped" in caplog.text


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("%%MatrixMarket matrix coordinate pattern general\n% no sizes\n", None),
        ("%%MatrixMarket matrix coordinate pattern general\n3 3\n", 2),
        (matrix("real general", "1 2 1", "3 2 heavy"), 5),
        (matrix("pattern general", "1 2", "3 2", "3 1"), 3),
        (matrix("complex general", "1 2 1 1", "3 2 1"), 5),
        (matrix("pattern nonsense", "1 2", "3 2"), 1),
    ],
)
def test_malformed(tmp_path: Path, content: str, line: int | None) -> None:
    """What `tests/corpus` does not have."""
    path = save(tmp_path, content)
    with pytest.raises(GraphFormatError) as caught:
        matrix_market.read(path)
    assert (caught.value.path, caught.value.position) == (path, line), caught.value.reason
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (matrix("pattern general", size="2147483648 2147483648 0"), "do not fit in 32-bit"),
        (matrix("integer skew-symmetric", "3 2 1", "1 3 1"), "both triangles are stored"),
        (matrix("real general", "1 2 1", "3 2 nan"), "'nan' is not a finite number"),
    ],
)
def test_malformed_as_a_whole(tmp_path: Path, content: str, reason: str) -> None:
    with pytest.raises(GraphFormatError, match=reason):
        matrix_market.read(save(tmp_path, content))


def test_bcsstk13_has_its_published_size(shared_graphs: Path, caplog: pytest.LogCaptureFixture) -> None:
    edges = matrix_market.read(shared_graphs / "bcsstk13.mtx")
    assert (edges.vertex_count, edges.to_graph().edge_count // 2) == (2_003, 42_943 - 2_003)  # less the diagonal
    assert edges.weights is None
    assert "bcsstk13.mtx" in caplog.text
