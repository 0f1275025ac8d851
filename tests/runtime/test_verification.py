"""What is right and wrong of sets, colours, forests, ranks and counts: planted in small graphs, solved by hand."""

from __future__ import annotations

import struct
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from generator.runtime import write_runtime
from tests.runtime.conftest import COMPILER, FLAGS, Run, Write, start

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Verify = Callable[..., str | None]

pytestmark = [pytest.mark.compile, pytest.mark.daily]


@pytest.fixture(scope="module")
def verify(program: Run) -> Verify:
    """Verifies a planted result; returns what is wrong with it, or None."""

    def find_error(
        graph: Path, algorithm: str, values: list[Any], element: str, *options: Any, rounds: int = 1
    ) -> str | None:
        given = {"ALGORITHM": algorithm, "ELEMENT": element, "RESULT": " ".join(map(str, values)), "ROUNDS": rounds}
        done = program(graph, "--warmup", "0", "--reps", "1", *options, **given)
        assert done.code in (0, 1), done.stderr
        assert done.record["verified"] is (done.code == 0)
        return done.record["error"].removeprefix("repetition 1, ") if done.code else None

    return find_error


@pytest.fixture(scope="module")
def triangle(egr: Write) -> Path:
    return egr([[1, 2], [0, 2], [0, 1]])


@pytest.mark.parametrize("element", ["i32", "i64", "f32", "f64"])
@pytest.mark.parametrize(
    ("values", "error"),
    [
        ([0, 1, 0, 1], None),  # of the path 0 - 1 - 2, vertex 1 has the highest priority
        ([1, 1, 0, 1], "not independent: the neighbours 0 and 1 are both in the set"),
        ([0, 1, 1, 1], "not independent: the neighbours 1 and 2 are both in the set"),
        ([0, 1, 0, 0], "not maximal: neither vertex 3 nor a neighbour of it is in the set"),
        ([1, 0, 0, 1], "not maximal: neither vertex 2 nor a neighbour of it is in the set"),
        ([0, 0, 0, 0], "not maximal: neither vertex 0 nor a neighbour of it is in the set"),
        ([1, 0, 1, 1], "a maximal independent set, but not the greedy one: vertex 0: expected 0, got 1"),
        ([2, 1, 0, 1], "vertex 0: expected 0 or 1, got 2"),
        ([0, 2, 0, 1], "vertex 1: expected 0 or 1, got 2"),
        ([0, 1, 0, -1], "vertex 3: expected 0 or 1, got -1"),
        ([0, 1, 0], "status: expected 4 values, got 3"),
        ([0, 1, 0, 1, 0], "status: expected 4 values, got 5"),
    ],
)
def test_a_set_is_independent_maximal_and_greedy(
    verify: Verify, path_graph: Path, values: list[Any], element: str, error: str | None
) -> None:
    assert verify(path_graph, "mis", values, element) == error


@pytest.mark.parametrize(("value", "element"), [("0.5", "f32"), ("nan", "f64"), (2**32, "i64"), (2**32 + 1, "i64")])
def test_nothing_else_passes_for_0_or_1(verify: Verify, path_graph: Path, value: float | str, element: str) -> None:
    assert verify(path_graph, "mis", [0, 1, 0, value], element) == f"vertex 3: expected 0 or 1, got {value}"


def test_a_set_is_verified_without_trust_in_its_reference(
    verify: Verify, path_graph: Path, reference: Run, tmp_path: Path
) -> None:
    """Not even a reference that says so makes two neighbours independent."""
    out = tmp_path / "out"
    assert reference("mis", path_graph, out).code == 0
    content = out.read_bytes()
    out.write_bytes(content[:-32] + struct.pack("<4q", 1, 1, 0, 1))
    error = verify(path_graph, "mis", [1, 1, 0, 1], "i32", "--reference", out)
    assert error == "not independent: the neighbours 0 and 1 are both in the set"


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ([1, 0, 1, 0, "/", 2], None),  # of the path 0 - 1 - 2, vertex 1 has the largest degree
        ([0, 0, 1, 0, "/", 2], "not a colouring: the neighbours 0 and 1 both have colour 0"),
        ([0, 1, 0, 0, "/", 2], "a proper colouring, but not the greedy one: colour of vertex 0: expected 1, got 0"),
        ([1, 0, 2, 0, "/", 3], "a proper colouring, but not the greedy one: colour of vertex 2: expected 1, got 2"),
        ([1, 0, 1, 0, "/", 3], "a proper colouring, but not the greedy one: colours: expected 2, got 3"),
        ([1, 0, 1, -3, "/", 2], "vertex 3: expected a colour, got -3"),
        ([1, 0, 1, "/", 2], "colour: expected 4 values, got 3"),
    ],
)
def test_a_colouring_is_proper_and_greedy(
    verify: Verify, path_graph: Path, values: list[Any], error: str | None
) -> None:
    assert verify(path_graph, "gc", values, "i64") == error


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ([1, 1, 1, 0, "/", "0.3333333333333333", 1, 1, 0], None),
        ([1, 1, 0, 0, "/", "0.3333333333333333", 1, 1, 0], "triangles of vertex 2: expected 1, got 0"),
        ([1, 1, 1, 1, "/", "0.3333333333333333", 1, 1, 0], "triangles of vertex 3: expected 0, got 1"),
        (
            [1, 1, 1, 0, "/", "0.333333333333", 1, 1, 0],
            "clustering of vertex 0: expected 0.333333333, give or take 1.18e-15, got 0.333333333",
        ),
        (
            [1, 1, 1, 0, "/", "0.3333333333333333", 1, 1, "nan"],
            "clustering of vertex 3: expected 0, give or take 3.5e-46, got nan",
        ),
        ([1, 1, 1, 0, "/", "0.3333333333333333", 1, 1], "clustering: expected 4 values, got 3"),
    ],
)
def test_triangles_of_each_vertex_are_equal_and_clustering_up_to_rounding(
    verify: Verify, egr: Write, values: list[Any], error: str | None
) -> None:
    assert verify(egr([[1, 2, 3], [0, 2], [0, 1], [0]]), "lcc", values, "f64") == error


@pytest.mark.parametrize(
    ("weights", "values", "error"),
    [
        ([5, 3, 5, 3, 3, 3], [0, 1, 0, 1, 0, 0, "/", 6], None),
        ([3, 3, 3, 3, 3, 3], [1, 1, 0, 0, 0, 0, "/", 6], None),  # the first edges of equal weight
        ([3, 3, 3, 3, 3, 3], [0, 1, 0, 1, 0, 0, "/", 6], "in_forest of edge 0: expected 1, got 0"),
        ([5, 3, 5, 3, 3, 3], [0, 1, 0, 1, 1, 0, "/", 6], "in_forest of edge 4: expected 0, got 1"),
        ([5, 3, 5, 3, 3, 3], [0, 1, 0, 1, 0, 0, "/", 8], "total_weight: expected 6, got 8"),
    ],
)
def test_a_forest_is_the_first_of_the_lightest(
    verify: Verify, egr: Write, weights: list[int], values: list[Any], error: str | None
) -> None:
    assert verify(egr([[1, 2], [0, 2], [0, 1]], weights), "mst", values, "i64") == error


def bits(*numbers: float) -> list[int]:
    return list(struct.unpack(f"<{len(numbers)}i", struct.pack(f"<{len(numbers)}f", *numbers)))


@pytest.mark.parametrize(
    ("weights", "element", "values", "error"),
    [
        ((0.1, 0.2), "f32", ["0.1", "0.3", "inf"], None),  # 0.1 + 0.2 is the float next to 0.3, which is written so
        ((0.1, 0.2), "f32", ["0.1", "0.30000004", "inf"], "vertex 2: expected 0.3, got 0.30000004"),
        ((0.1, 0.2), "f32", ["0.1", "0.29999998", "inf"], "vertex 2: expected 0.3, got 0.29999998"),
        ((0.1, 0.2), "f32", ["0.1", "nan", "inf"], "vertex 2: expected 0.3, got nan"),
        ((0.1, 0.2), "f32", ["0.1", "0.3", "nan"], "vertex 3: expected inf, got nan"),
        ((0.1, 0.2), "f32", ["0.1", "0.3", "0.4"], "vertex 3: expected inf, got 0.4"),
        ((0.1, 0.2), "f64", ["0.10000000149011612", "0.30000000447034836", "inf"], None),
        ((0.1, 0.2), "f64", ["0.1", "0.3", "inf"], "vertex 1: expected 0.10000000149011612, got 0.1"),
        ((1.0, 1e-8), "f32", ["1", "1", "inf"], None),  # the second edge adds nothing, so the reference has to tell
        ((1.0, 1e-8), "f32", ["0.5", "0.5", "inf"], "vertex 1: expected 1, got 0.5"),
        ((1.0, 1e-8), "f64", ["1", "1", "inf"], "vertex 2: expected 1.00000001, got 1"),
    ],
)
def test_real_distances_are_equal_to_the_last_bit(
    verify: Verify, egr: Write, weights: tuple[float, float], element: str, values: list[str], error: str | None
) -> None:
    first, second = bits(*weights)
    path = egr([[1], [0, 2], [1], []], [first, first, second, second])
    found = verify(path, "sssp-real", ["0", *values], element)
    assert found == error if error is None else (found or "").startswith(error)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ([1, 1, 0, 0, 0, 0, "/", "-1.75"], None),
        ([1, 1, 0, 0, 0, 0, "/", "-1.7500000000000009"], None),  # rounded twice
        ([1, 1, 0, 0, 0, 0, "/", "-1.750000001"], "total_weight: expected -1.75, got -1.750000001"),
        ([1, 1, 0, 0, 0, 0, "/", "nan"], "total_weight: expected -1.75, got nan"),
        ([1, 0, 0, 1, 0, 0, "/", "-1.75"], "edge 1: expected 1, got 0"),
    ],
)
def test_a_forest_has_negative_weights_and_a_total_up_to_rounding(
    verify: Verify, egr: Write, values: list[Any], error: str | None
) -> None:
    a, b, c = bits(-2, 0.25, 0.5)
    assert verify(egr([[1, 2], [0, 2], [0, 1]], [a, b, a, c, b, c]), "mst-real", values, "f64") == error


def test_a_result_without_elements_is_read_from_a_file_and_copied(
    verify: Verify, reference: Run, egr: Write, tmp_path: Path
) -> None:
    """An array of none may have no address, and what copies it must not ask for one: UBSan says so."""
    graph = egr([[]], [])
    assert reference("mst", graph, tmp_path / "out").code == 0
    assert verify(graph, "mst", ["/", 0], "i64", "--reference", tmp_path / "out") is None
    text = '#include "host.hpp"\nint main() { const int none = 0; violet::copy_values(nullptr, &none, 0); }\n'
    (tmp_path / "copy.cpp").write_text(text)
    flags = [*FLAGS, "-fsanitize=undefined", "-fno-sanitize-recover=all", "-I", write_runtime(tmp_path / "runtime")]
    subprocess.run([COMPILER, *flags, tmp_path / "copy.cpp", "-o", tmp_path / "copy"], check=True)
    assert start([tmp_path / "copy"]).code == 0


END, MIDDLE, ALONE = 57 / 296, 27 / 74, 0.15 / 4  # the ranks in path_graph, which sum to 63 / 80
BOUND = 0.85 * 1e-4  # by which another iteration may change them in total
ONE = BOUND / 1.85  # error of a single rank: it changes back, and 0.85 of it goes to the neighbours


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize(
    ("errors", "right"),
    [
        ([0, 0, 0, 0], True),
        ([0.99 * ONE, 0, 0, 0], True),
        ([1.1 * ONE, 0, 0, 0], False),
        ([0, -0.99 * ONE, 0, 0], True),
        ([0, -1.1 * ONE, 0, 0], False),
        ([0, 0, 0, 0.99 * BOUND], True),
        ([0, 0, 0, 1.1 * BOUND], False),
        ([0.49 * ONE, -0.49 * ONE, 0, 0], True),
        ([0.6 * ONE, -0.6 * ONE, 0, 0], False),
        ([2 * ONE, 4 * ONE, 2 * ONE, 0], True),  # as late iterations leave them: another one changes little
    ],
)
def test_another_iteration_changes_ranks_by_what_the_stop_rule_allows(
    verify: Verify, path_graph: Path, errors: list[float], right: bool, element: str
) -> None:
    ranks = [rank + error for rank, error in zip([END, MIDDLE, END, ALONE], errors, strict=True)]
    assert (verify(path_graph, "pr", ranks, element) is None) == right


def test_wrong_ranks_are_described(verify: Verify, path_graph: Path) -> None:
    error = verify(path_graph, "pr", [END, MIDDLE - 0.002, END, ALONE + 0.01], "f64")
    expected = "another iteration changes ranks by 0.0137, more than 8.5e-05; vertex 3 is off most"
    assert error == f"{expected}: expected 0.0375, got 0.0475"


def test_ranks_that_sum_to_one_are_wrong_where_a_vertex_is_alone(verify: Verify, path_graph: Path) -> None:
    total = 63 / 80
    assert verify(path_graph, "pr", [rank / total for rank in (END, MIDDLE, END, ALONE)], "f64") is not None


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("vertex", range(4))
@pytest.mark.parametrize("value", ["nan", "-nan", "-1e-6", "-inf"])
def test_what_is_no_rank_is_wrong(
    verify: Verify, path_graph: Path, vertex: int, value: float | str, element: str
) -> None:
    ranks: list[float | str] = [END, MIDDLE, END, ALONE]
    ranks[vertex] = value
    error = verify(path_graph, "pr", ranks, element)
    assert error.startswith(f"vertex {vertex}: expected a rank, got {value[:4] if 'n' in value else '-'}")


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_an_infinite_rank_is_wrong(verify: Verify, path_graph: Path, element: str) -> None:
    error = verify(path_graph, "pr", ["inf", MIDDLE, END, ALONE], element)
    assert error.startswith("another iteration changes ranks by inf, more than ")
    assert error.endswith("vertex 0 is off most: expected 0.192567568, got inf")


@pytest.mark.parametrize("size", [3, 5])
def test_a_rank_for_each_vertex(verify: Verify, path_graph: Path, size: int) -> None:
    ranks = [END, MIDDLE, END, ALONE, 0][:size]
    assert verify(path_graph, "pr", ranks, "f64") == f"rank: expected 4 values, got {size}"


@pytest.mark.parametrize(
    ("error", "element", "rounds", "right"),
    [
        (1.2e-4, "f32", 99, True),
        (1.3e-4, "f32", 99, False),
        (5.3e-4, "f32", 100, True),  # ends by the limit: what rounding adds in an iteration, over 1 less the damping,
        (5.5e-4, "f32", 100, None),  # but not more than a thousandth of all ranks: then nobody knows
        (9.4e-4, "f32", 100, None),
        (9.6e-4, "f32", 100, False),
        (4.5e-5, "f64", 100, True),
        (4.7e-5, "f64", 100, False),
    ],
)
def test_a_hub_may_be_off_by_the_rounding_of_its_sum(
    program: Run, egr: Write, error: float, element: str, rounds: int, right: bool | None
) -> None:
    """The centre of a star adds up 5000 terms, each rounded to 24 bits: that allows another 7.7e-5 at rest."""
    leaves = 5000
    star = egr([[*range(1, leaves + 1)], *[[0]] * leaves])
    base = 0.15 / (leaves + 1)
    centre = (base + 0.85 * leaves * base) / (1 - 0.85**2)
    leaf = base + 0.85 * centre / leaves
    ranks = [centre + error, *[f"{leaf:.12g}"] * leaves]
    given = {"ALGORITHM": "pr", "ELEMENT": element, "RESULT": " ".join(map(str, ranks)), "ROUNDS": rounds}
    done = program(star, "--warmup", "0", "--reps", "1", **given)
    assert done.code == {True: 0, False: 1, None: 3}[right]
    assert done.record["verified"] is right
    assert ("rounding may be to blame" in done.stderr) == (right is None)


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        ([[]], 0),
        ([[1], [0]], 0),
        ([[1, 2], [0, 2], [0, 1]], 1),
        ([[1, 2], [0, 2], [0, 1, 3, 4], [2, 4], [2, 3]], 2),  # two triangles share a vertex
        ([[1, 2, 3], [0, 2, 3], [0, 1], [0, 1]], 2),  # two triangles share an edge
        ([[v for v in range(5) if v != u] for u in range(5)], 10),  # K5
        ([[1, 3], [0, 2], [1, 3], [0, 2]], 0),  # a square
    ],
)
def test_each_triangle_counts_once(verify: Verify, egr: Write, rows: list[list[int]], count: int) -> None:
    graph = egr(rows)
    assert verify(graph, "tc", [count], "i64") is None
    for wrong in {count - 1, count + 1, 3 * count, 6 * count, -count} - {count}:
        assert verify(graph, "tc", [wrong], "i64") == f"count: expected {count}, got {wrong}"


def test_all_64_bits_of_a_count_count(verify: Verify, triangle: Path, reference: Run, tmp_path: Path) -> None:
    assert verify(triangle, "tc", [2**32 + 1], "i64") == "count: expected 1, got 4294967297"
    out = tmp_path / "out"
    assert reference("tc", triangle, out).code == 0
    out.write_bytes(out.read_bytes()[:-8] + struct.pack("<q", 2**40 + 1))
    assert verify(triangle, "tc", [2**40 + 1], "i64", "--reference", out) is None
    assert verify(triangle, "tc", [1], "i64", "--reference", out) == "count: expected 1099511627777, got 1"


def test_a_count_is_a_single_one_of_64_bits(verify: Verify, triangle: Path) -> None:
    assert verify(triangle, "tc", [1, 1, 1], "i64") == "count: expected 1 value, got 3"
    assert verify(triangle, "tc", [], "i64") == "count: expected 1 value, got 0"
    assert verify(triangle, "tc", [1], "i32") == "count: expected a total of 64 bits (i64)"


@pytest.mark.parametrize("threads", [1, 3])
def test_a_program_reports_a_single_count(triangles: Run, egr: Write, tmp_path: Path, threads: int) -> None:
    """A fan: vertex 0 and each edge of the path 1 - 2 - 3 - 4 are a triangle."""
    fan = egr([[1, 2, 3, 4], [0, 2], [0, 1, 3], [0, 2, 4], [0, 3]])
    done = triangles(fan, "--threads", threads, "--dump", tmp_path / "dump.txt")
    assert done.code == 0, done.stderr
    assert done.record["verified"] is True
    assert done.record["peak_memory_bytes"] == 8
    assert (tmp_path / "dump.txt").read_text() == "3\n"


@pytest.mark.parametrize(
    ("algorithm", "element", "values", "lines"),
    [
        ("mis", "i32", [0, 1, 0, 1], "0\n1\n0\n1\n"),
        ("tc", "i64", [0], "0\n"),
        ("pr", "f64", [0.1, 1e-9], "0.1\n1e-09\n"),
    ],
)
def test_dump(
    program: Run, path_graph: Path, tmp_path: Path, algorithm: str, element: str, values: list[Any], lines: str
) -> None:
    path = tmp_path / "dump.txt"
    result = " ".join(map(str, values))
    program(path_graph, "--dump", path, ALGORITHM=algorithm, ELEMENT=element, RESULT=result)
    assert path.read_text() == lines


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize(("first", "drift", "wrong"), [(0.0, 0.3, 4), (0.5, 0.3, 2), (0.5, -0.3, 6), (0.95, 0.2, 1)])
def test_ranks_that_come_near_verified_ones_are_held_to_the_same_bound(
    program: Run, path_graph: Path, element: str, first: float, drift: float, wrong: int
) -> None:
    """Each repetition is further from the first one; one rank that is off by more than ONE is too much."""
    values = f"{END + first * ONE} {MIDDLE} {END} {ALONE}"
    given = {"ALGORITHM": "pr", "ELEMENT": element, "RESULT": values, "DRIFT": drift * ONE}
    done = program(path_graph, "--warmup", "1", "--reps", "9", **given)
    assert done.code == 1
    assert done.record["error"].startswith(f"repetition {wrong}, another iteration changes ranks by ")


def test_a_negative_rank_is_wrong_however_near_it_comes(program: Run, egr: Write) -> None:
    n = 4_000  # so many vertices without edges that their ranks are smaller than what errors are allowed
    given = {"ALGORITHM": "pr", "ELEMENT": "f64", "RESULT": f"{0.15 / n} " * n, "DRIFT": -0.09 / n}
    done = program(egr([[]] * n), "--warmup", "0", "--reps", "9", **given)
    assert done.code == 1
    assert done.record["error"].startswith("repetition 3, vertex 0: expected a rank, got -7")
