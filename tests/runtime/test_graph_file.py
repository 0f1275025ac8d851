"""Loading of graph files: what is accepted, and every way in which a file can be bad."""

from __future__ import annotations

import os
import re
import struct
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from tests.runtime.conftest import Run, Write

pytestmark = [pytest.mark.compile, pytest.mark.daily]

CORPUS = Path(__file__).parents[1] / "corpus"
LARGEST = 2**31 - 2**22
HEAVIEST = 2**30 - 2


def ints(*numbers: int) -> bytes:
    return struct.pack(f"<{len(numbers)}i", *numbers)


PATH = [3, 4, 0, 1, 3, 4, 1, 0, 2, 1]  # 0 - 1 - 2


def changed(position: int, value: int) -> bytes:
    numbers = list(PATH)
    numbers[position] = value
    return ints(*numbers)


BAD_BYTES = {
    "empty": (b"", "too short: 0 bytes"),
    "half a header": (ints(3), "too short: 4 bytes"),
    "64-bit offsets": (
        struct.pack("<4sIqqqqi", b"EGR\xff", 2, 1, 0, 0, 0, 0),
        "header: an .egr file with 64-bit offsets",
    ),
    "no vertices": (ints(0, 0, 0), f"header: 0 vertices, must be 1 to {LARGEST}"),
    "negative vertices": (ints(-1, 0), "header: -1 vertices"),
    "too many vertices": (ints(LARGEST + 1, 0), f"header: {LARGEST + 1} vertices"),
    "negative edges": (ints(1, -1, 0, 0), f"header: -1 edges, must be 0 to {LARGEST}"),
    "too many edges": (ints(1, LARGEST + 1), f"header: {LARGEST + 1} edges"),
    "most of both, but no arrays": (ints(LARGEST, LARGEST), "size: 8 bytes"),
    "one byte missing": (ints(*PATH)[:-1], "size: 39 bytes, but 3 vertices and 4 edges take 40, or 56 with weights"),
    "one byte more": (ints(*PATH) + b"\0", "size: 41 bytes"),
    "some weights": (ints(*PATH, 1, 1, 1), "size: 52 bytes"),
    "too many weights": (ints(*PATH, 1, 1, 1, 1, 1), "size: 60 bytes"),
    "first offset": (changed(2, 1), "row_offsets[0] is 1, must be 0"),
    "offsets decrease": (changed(3, 4), "row_offsets[2] is 3, below the 4 before it"),
    "negative offset": (changed(3, -1), "row_offsets[1] is -1, below the 0 before it"),
    "last offset": (changed(5, 3), "row_offsets[3] is 3, must be the number of edges, 4"),
    "last offset too large": (changed(5, 5), "row_offsets[3] is 5, must be the number of edges, 4"),
    "vertex too large": (changed(6, 3), "neighbours[0] of vertex 0 is 3, must be 0 to 2"),
    "vertex negative": (changed(9, -1), "neighbours[3] of vertex 2 is -1, must be 0 to 2"),
    "self-loop": (changed(6, 0), "neighbours[0] of vertex 0 is a self-loop"),
    "duplicate": (changed(8, 0), "neighbours[2] of vertex 1 is 0 again, a duplicate edge"),
    "unsorted": (ints(3, 4, 0, 1, 3, 4, 1, 2, 0, 1), "neighbours[2] of vertex 1 is 0, unsorted after 2"),
    "a single edge": (ints(2, 1, 0, 1, 1, 1), "edge 0 from 0 to 1 has no reverse"),
    "a single edge backwards": (ints(2, 1, 0, 0, 1, 0), "edge 0 from 1 to 0 has no reverse"),
    "a directed cycle": (ints(3, 3, 0, 1, 2, 3, 1, 2, 0), "edge 0 from 0 to 1 has no reverse"),
    "another reverse": (changed(9, 0), "edge 3 from 2 to 0 has no reverse"),
    "negative first weight": (ints(*PATH, -1, -1, 1, 1), f"weights[0] is -1, must be 0 to {HEAVIEST}"),
    "negative weight": (ints(*PATH, 1, 1, -1, -1), f"weights[2] is -1, must be 0 to {HEAVIEST}"),
    "weight too large": (ints(*PATH, 1, 1, 1, HEAVIEST + 1), f"weights[3] is {HEAVIEST + 1}, must be 0"),
    "one-sided weight": (ints(*PATH, 1, 1, 5, 6), "weights[2] is 5 from 1 to 2, but weights[3] is 6 back"),
    "swapped weights": (ints(*PATH, 1, 2, 1, 2), "weights[0] is 1 from 0 to 1, but weights[1] is 2 back"),
}


@pytest.mark.parametrize("case", BAD_BYTES)
def test_bad_files_are_refused_with_position_and_reason(program: Run, egr: Write, case: str) -> None:
    content, complaint = BAD_BYTES[case]
    path = egr(content)
    done = program(path, "--reps", "1", ALGORITHM="sssp")
    assert done.code == 3
    assert [record["verified"] for record in done.records] == [None]
    assert done.stderr.startswith(f"test-program: error: {path}: {complaint}")
    assert done.stderr.count("\n") == 1


def directed(*words: int, n: int = 3, m: int = 4, flags: int = 0) -> bytes:
    return struct.pack("<4sIqqII", b"EGR\xff", 3, n, m, flags, 0) + ints(*words)


ROWS, IN_ROWS = [0, 2, 3, 4, 1, 2, 2, 0], [0, 1, 2, 4, 2, 0, 0, 1, 3, 0, 1, 2]  # 0 -> 1, 0 -> 2, 1 -> 2, 2 -> 0


def changed_in_row(position: int, value: int) -> bytes:
    return directed(*ROWS, *(value if i == position else word for i, word in enumerate(IN_ROWS)))


BAD_DIRECTED_BYTES = {
    "half a header": (directed()[:31], "too short: 31 bytes do not hold the header of 32"),
    "flags": (directed(*ROWS, *IN_ROWS, flags=2), "header: flags 2 and 0 are unknown"),
    "vertices": (directed(n=0), "header: 0 vertices"),
    "edges": (directed(m=2**40), f"header: {2**40} edges"),
    "no in-rows": (directed(*ROWS), "size: 64 bytes, but 3 vertices and 4 directed edges take 112"),
    "weights missing": (
        directed(*ROWS, *IN_ROWS, flags=1),
        "size: 112 bytes, but 3 vertices and 4 directed edges take 128",
    ),
    "rows": (directed(0, 2, 3, 4, 2, 1, 2, 0, *IN_ROWS), "neighbours[1] of vertex 0 is 1, unsorted after 2"),
    "first in-offset": (changed_in_row(0, 1), "in_row_offsets[0] is 1, must be 0"),
    "in-offsets decrease": (changed_in_row(1, 3), "in_row_offsets[2] is 2, below the 3 before it"),
    "last in-offset": (changed_in_row(3, 5), "in_row_offsets[3] is 5, must be the number of edges, 4"),
    "in-row too short": (
        changed_in_row(2, 1),
        "in-rows do not transpose rows: in_neighbours[1] is 0 and in_edges[1] is 0, no edge from there to 2",
    ),
    "another in-neighbour": (
        changed_in_row(4, 1),
        "in-rows do not transpose rows: in_neighbours[0] is 1 and in_edges[0] is 3, no edge from there to 0",
    ),
    "in-neighbour that is no vertex": (changed_in_row(4, 3), "in_neighbours[0] is 3 and in_edges[0] is 3, no edge"),
    "negative in-neighbour": (changed_in_row(4, -1), "in_neighbours[0] is -1 and in_edges[0] is 3, no edge"),
    "another number": (changed_in_row(8, 2), "in_neighbours[0] is 2 and in_edges[0] is 2, no edge from there to 0"),
    "an edge twice": (
        directed(*ROWS, 0, 1, 2, 4, 2, 0, 0, 0, 3, 0, 1, 1),
        "in-rows do not transpose rows: in_edges[3] is 1, not above the 1 before it",
    ),
    "unsorted in-row": (
        directed(*ROWS, 0, 1, 2, 4, 2, 0, 1, 0, 3, 0, 2, 1),
        "in-rows do not transpose rows: in_edges[3] is 1, not above the 2 before it",
    ),
}


@pytest.mark.parametrize("case", BAD_DIRECTED_BYTES)
def test_bad_directed_files_are_refused(program: Run, egr: Write, case: str) -> None:
    content, complaint = BAD_DIRECTED_BYTES[case]
    done = program(egr(content), "--reps", "1", DIRECTED=1)
    assert done.code == 3
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("weights", "algorithm", "levels"),
    [([], "bfs", "0 1 1"), ([7, 9, 1, 1], "sssp", "0 7 8"), ([], "cc", "0 0 0")],
    ids=["bfs", "sssp", "cc"],
)
def test_a_directed_graph(
    program: Run, egr: Write, tmp_path: Path, weights: list[int], algorithm: str, levels: str
) -> None:
    path = egr(directed(*ROWS, *weights, *IN_ROWS, flags=len(weights) > 0))
    done = program(path, "--dump", tmp_path / "dump", "--reps", "1", ALGORITHM=algorithm, DIRECTED=1)
    assert done.code == 0, done.stderr
    assert (tmp_path / "dump").read_text().split() == levels.split()


def test_a_program_refuses_graphs_of_the_other_kind(program: Run, reference: Run, egr: Write, tmp_path: Path) -> None:
    with_directions, without = egr(directed(*ROWS, *IN_ROWS)), egr(ints(*PATH))
    for done, reason in (
        (program(with_directions), "the graph is directed, but has to be undirected"),
        (program(without, DIRECTED=1), "the graph is undirected, but has to be directed"),
        (reference("tc", with_directions, tmp_path / "out"), "the graph is directed, but has to be undirected"),
    ):
        assert (done.code, done.stderr.count("\n")) == (3, 1)
        assert reason in done.stderr
    assert reference("bfs", with_directions, tmp_path / "out").code == 0
    assert reference("bfs", without, tmp_path / "out").code == 0


def test_a_large_file_is_checked_to_its_end(program: Run, egr: Write) -> None:
    n = 1_100_000  # edges enough for two threads
    ends = np.arange(n - 1, dtype="<i4")
    offsets = np.concatenate([[0], 2 * ends + 1, [2 * n - 2]])
    neighbours = np.column_stack([ends + 1, ends]).ravel()
    neighbours[-1] = n
    content = ints(n, 2 * n - 2) + offsets.astype("<i4").tobytes() + neighbours.tobytes()
    done = program(egr(content), "--reps", "1")
    assert done.code == 3
    assert f"neighbours[{2 * n - 3}] of vertex {n - 1} is {n}, must be 0 to {n - 1}" in done.stderr


@pytest.mark.parametrize("name", [path.name for path in sorted(CORPUS.glob("*.egr"))])
def test_the_corpus_of_bad_files_is_refused(program: Run, name: str) -> None:
    done = program(CORPUS / name, "--reps", "1", ALGORITHM="sssp")
    assert done.code == 3
    assert done.stderr.startswith(f"test-program: error: {CORPUS / name}: ")
    assert done.stderr.count("\n") == 1


def test_violet_reference_refuses_them_too(reference: Run, egr: Write, tmp_path: Path) -> None:
    done = reference("bfs", egr(BAD_BYTES["self-loop"][0]), tmp_path / "out")
    assert done.code == 3
    assert "is a self-loop" in done.stderr
    assert not list(tmp_path.iterdir())


def test_not_a_file(program: Run, tmp_path: Path) -> None:
    done = program(tmp_path)
    assert done.code == 3
    assert done.stderr == f"test-program: error: {tmp_path}: is not a regular file\n"


def test_a_pipe_is_refused_at_once(program: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.egr")
    done = program(tmp_path / "pipe.egr")
    assert (done.code, done.stderr) == (3, f"test-program: error: {tmp_path / 'pipe.egr'}: is not a regular file\n")


@pytest.mark.parametrize("content", [b"0 1\n1 2\n2 3\n", b"0 1\n", b"%%MatrixMarket matrix coordinate"])
def test_text_is_named(program: Run, egr: Write, content: bytes) -> None:
    done = program(egr(content))
    assert done.code == 3
    assert ".egr: not an .egr file but text: violet graphs convert GRAPH.txt GRAPH.egr\n" in done.stderr


GOOD = {
    "one vertex": ([[]], "0"),
    "two isolated vertices": ([[], []], "0 inf"),
    "one edge": ([[1], [0]], "0 1"),
    "star": ([[1, 2, 3, 4], [0], [0], [0], [0]], "0 1 1 1 1"),
    "star from a leaf": ([[4], [4], [4], [4], [0, 1, 2, 3]], "0 2 2 2 1"),
    "path": ([[1], [0, 2], [1, 3], [2]], "0 1 2 3"),
    "two components": ([[1], [0], [3], [2]], "0 1 inf inf"),
    "triangle": ([[1, 2], [0, 2], [0, 1]], "0 1 1"),
    "first vertex isolated": ([[], [2], [1]], "inf 0 1"),
}


@pytest.mark.parametrize("case", GOOD)
@pytest.mark.parametrize("weighted", [False, True])
def test_tiny_graphs(program: Run, egr: Write, tmp_path: Path, case: str, weighted: bool) -> None:
    rows, levels = GOOD[case]
    path = egr(rows, [1] * sum(map(len, rows)) if weighted else None)
    dump = tmp_path / "dump"
    for algorithm in ("bfs", "cc", "sssp"):
        done = program(path, "--dump", dump, "--reps", "1", ALGORITHM=algorithm)
        assert done.code == 0, done.stderr
        if algorithm == "bfs" or (algorithm == "sssp" and weighted):
            assert dump.read_text().split() == levels.split()


def test_the_limits_of_weights(program: Run, egr: Write) -> None:
    assert program(egr([[1], [0]], [0, 0]), ALGORITHM="sssp").code == 0
    assert program(egr([[1], [0]], [HEAVIEST] * 2), ALGORITHM="sssp").code == 0


@pytest.mark.parametrize(
    ("weights", "shown"),
    [
        ([0.0, 0.5], "weights[2] is the 32-bit floating-point number 0.5"),
        ([0.5, 0.0], "weights[0] is the 32-bit floating-point number 0.5"),
        ([2.0, 3.0], "weights[0] is the 32-bit floating-point number 2"),
        ([1e-18, 1e30], "weights[0] is the 32-bit floating-point number 1e-18"),
        ([0, 0], None),
        ([2**29, 1], None),
        ([1, 2**29 + 5], None),
        ([HEAVIEST, HEAVIEST - 1], None),
        ([HEAVIEST, 0], None),
        ([float("inf"), 0.5], "weights[0] is 2139095040, must be 0"),
    ],
)
def test_weights_that_are_floats_are_told_from_whole_ones(
    program: Run, egr: Write, weights: list[float], shown: str | None
) -> None:
    kind = "f" if isinstance(weights[0], float) else "i"
    first, second = struct.unpack("<2i", struct.pack(f"<2{kind}", *weights))
    done = program(egr([[1], [0, 2], [1]], [first, first, second, second]), ALGORITHM="sssp", ELEMENT="i64")
    assert done.code == (3 if shown else 0)
    assert (shown or "") in done.stderr


LIMITS = "must be 0 or from 1.1e-19 to 1e+28"


@pytest.mark.parametrize(
    ("weights", "algorithm", "wrong"),
    [
        ([0.0, 0.5], "sssp-real", None),
        ([2.0, 1e28], "sssp-real", None),
        ([3, 2**24], "sssp-real", None),
        ([0, 0], "sssp-real", None),
        ([-0.5, 3.0], "sssp-real", f"weights[0] is -0.5, {LIMITS}: shortest paths need weights that are not negative"),
        ([-0.5, 3.0], "mst-real", None),
        ([0.5, -0.0], "mst-real", f"weights[2] is -0, {LIMITS}"),
        ([0.5, 1.1e28], "mst-real", f"weights[2] is 1.1e+28, {LIMITS}"),
        ([0.5, 1.1e-19], "mst-real", None),
        ([0.5, -1.05e-19], "mst-real", f"weights[2] is -1.05e-19, {LIMITS}"),
        ([0.5, float("nan")], "mst-real", "must be 0 to"),
        ([0.5, float("inf")], "mst-real", "must be 0 to"),
        ([3, 2**24 + 1], "mst-real", "weights[2] is 16777217, which single precision does not hold: take a program of"),
        ([3, -1], "mst-real", f"weights[2] is -1, must be 0 to {HEAVIEST}"),
    ],
)
def test_real_weights(
    reference: Run, egr: Write, tmp_path: Path, weights: list[float], algorithm: str, wrong: str | None
) -> None:
    kind = "f" if isinstance(weights[0], float) else "i"
    first, second = struct.unpack("<2i", struct.pack(f"<2{kind}", *weights))
    done = reference(algorithm, egr([[1], [0, 2], [1]], [first, first, second, second]), tmp_path / "out")
    assert done.code == (3 if wrong else 0), done.stderr
    assert (wrong or "") in done.stderr


def test_weights_are_left_alone_where_there_is_no_need_for_them(program: Run, egr: Write) -> None:
    path = egr([[1], [0]], [-1, -2])
    assert program(path, ALGORITHM="bfs").code == 0
    assert program(path, ALGORITHM="sssp").code == 3


def test_no_weights_balance_each_other(program: Run, egr: Write) -> None:
    rows: list[list[int]] = [[] for _ in range(1039)]
    for u, v in ((57, 1038), (349, 466)):
        rows[u], rows[v] = [v], [u]
    apart = 63228196  # by so much do the hashes of these edges differ: added to weights, each makes up for the other
    done = program(egr(rows, [1, 1000 + apart, 1 + apart, 1000]), ALGORITHM="sssp")
    assert done.code == 3
    assert "weights[0] is 1 from 57 to 1038, but weights[3] is 1000 back" in done.stderr


@st.composite
def one_sided_graphs(draw: st.DrawFn) -> list[list[int]]:
    """The rows of a graph from which at least one direction of an edge has been taken."""
    n = draw(st.integers(2, 8))
    pairs = [(u, v) for u in range(n) for v in range(u + 1, n)]
    edges = draw(st.lists(st.sampled_from(pairs), min_size=1, unique=True))
    edges = [*edges, *((v, u) for u, v in edges)]
    kept = set(edges) - set(draw(st.lists(st.sampled_from(edges), min_size=1, unique=True)))
    if all((v, u) in kept for u, v in kept):
        kept.add(draw(st.sampled_from(sorted(set(edges) - kept))))
    return [[v for v in range(n) if (u, v) in kept] for u in range(n)]


def test_the_edge_named_has_no_reverse(program: Run, egr: Write) -> None:
    @settings(deadline=None, max_examples=50)
    @given(one_sided_graphs())
    def check(rows: list[list[int]]) -> None:
        done = program(egr(rows, name="one-sided.egr"))
        assert done.code == 3
        edge, u, v = map(int, re.search(r"edge (\d+) from (\d+) to (\d+) has no reverse", done.stderr).groups())
        assert [(a, b) for a, row in enumerate(rows) for b in row][edge] == (u, v)
        assert u not in rows[v]

    check()
