"""The serial references against networkx and scipy, and the files that keep them."""

from __future__ import annotations

import random
import struct
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
import scipy.linalg
import scipy.sparse.csgraph
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.space import load_space
from inputs.formats import egr as egr_format
from inputs.graph import from_edges
from inputs.interchange import to_networkx
from tests.memory import LONG
from trust.graphs import ties

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tests.runtime.conftest import Run, Write

    Find = Callable[..., list[Any]]

pytestmark = [pytest.mark.compile, pytest.mark.daily]

HEADER = struct.Struct("<8sI16s7iQQ")
ALGORITHMS = ", ".join(
    sorted(name.replace("_", "-") for algorithm in load_space().algorithms.values() for name in algorithm.references)
)


def values_of(path: Path, element: str = "i8") -> list[Any]:
    content = path.read_bytes()
    header = HEADER.unpack_from(content)
    values = np.frombuffer(content, f"<{element}", offset=HEADER.size)
    assert header[-1] == len(values)
    return list(values.tolist())


def rows_of(graph: nx.Graph[int]) -> list[list[int]]:
    return [sorted(graph[u]) for u in range(len(graph))]


def weights_of(graph: nx.Graph[int]) -> list[int]:
    return [graph[u][v]["weight"] for u in range(len(graph)) for v in sorted(graph[u])]


def default_weight(u: int, v: int) -> int:
    x = min(u, v) << 32 | max(u, v)
    for multiplier in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        x ^= x >> 33
        x = x * multiplier % 2**64
    return 1 + (x ^ x >> 33) % 64


def priority(v: int) -> int:
    """The finaliser of MurmurHash3 for 32 bits."""
    x = v ^ v >> 16
    x = x * 0x85EBCA6B % 2**32
    x ^= x >> 13
    x = x * 0xC2B2AE35 % 2**32
    return x ^ x >> 16


def degree_priority(graph: nx.Graph[int], v: int) -> tuple[int, int, int]:
    """The smaller degree, then 19 random bits, then the larger vertex; degrees from 4094 upwards are the same."""
    return -min(graph.degree(v), 4094), priority(v) >> 13, v


def greedy_independent_set(graph: nx.Graph[int], priority: Callable[[int], Any]) -> list[int]:
    chosen: set[int] = set()
    for v in sorted(graph, key=priority, reverse=True):
        if chosen.isdisjoint(graph[v]):
            chosen.add(v)
    return [int(v in chosen) for v in range(len(graph))]


def colouring(graph: nx.Graph[int]) -> list[list[int]]:
    """Greedy, from the largest degree; of equal degrees, a higher priority goes first."""
    order = sorted(graph, key=lambda v: (graph.degree(v), priority(v)), reverse=True)
    colour = nx.greedy_color(graph, strategy=lambda *_: order)
    return [[colour[v] for v in range(len(graph))], [max(colour.values()) + 1]]


def spanning_forest(graph: nx.Graph[int]) -> list[list[int]]:
    """Whether each edge (u, v) is in the lightest forest; no two weights are equal once u and v are part of them."""
    n = len(graph)
    unique: nx.Graph[int] = nx.Graph()
    for u, v, edge in graph.edges(data=True):
        unique.add_edge(u, v, weight=(edge["weight"] * n + min(u, v)) * n + max(u, v))
    forest = {(min(u, v), max(u, v)) for u, v, _ in nx.minimum_spanning_edges(unique)}
    in_forest = [int((u, v) in forest) for u in range(n) for v in sorted(graph[u])]
    return [in_forest, [sum(graph[u][v]["weight"] for u, v in forest)]]


def core_numbers(graph: nx.Graph[int]) -> list[list[int]]:
    core = nx.core_number(graph)
    return [[core[v] for v in range(len(graph))]]


def communities(graph: nx.Graph[int]) -> list[list[int]]:
    """Ten rounds of votes for the most frequent label, of several the smallest."""
    label = {v: v for v in graph}
    for _ in range(10):
        votes = {v: [label[u] for u in graph[v]] or [label[v]] for v in graph}
        label = {v: min(votes[v], key=lambda each, labels=votes[v]: (-labels.count(each), each)) for v in graph}
    return [[label[v] for v in range(len(graph))]]


def pagerank(graph: nx.Graph[int], jumps: list[int] | None = None) -> Any:
    """The solution of rank = 0.15 * jump + 0.85 * received, where an edge carries rank / degree.

    Walks jump to every vertex alike, or to some.
    """
    n = len(graph)
    jump = np.zeros(n)
    jump[list(range(n)) if jumps is None else jumps] = 1 / (n if jumps is None else len(jumps))
    received = np.zeros((n, n))
    for u in range(n):
        received[list(graph[u]), u] = 1 / max(1, graph.degree(u))
    return scipy.linalg.solve(np.eye(n) - 0.85 * received, 0.15 * jump)


def expected_values(graph: nx.Graph[int], algorithm: str, source: int) -> list[int]:
    if algorithm == "cc":
        label = {v: min(component) for component in nx.connected_components(graph) for v in component}
        return [label[v] for v in range(len(graph))]
    if algorithm == "mis":
        return greedy_independent_set(graph, priority)
    if algorithm == "mis-degree":
        return greedy_independent_set(graph, lambda v: degree_priority(graph, v))
    if algorithm == "tc":
        return [sum(nx.triangles(graph).values()) // 3]
    weight = None if algorithm == "bfs" else "weight"
    distance = nx.single_source_dijkstra_path_length(graph, source, weight=weight)
    return [distance.get(v, -1) for v in range(len(graph))]


@st.composite
def graphs(draw: st.DrawFn) -> nx.Graph[int]:
    n = draw(st.integers(1, 20))
    density = draw(st.sampled_from([0.0, 0.05, 0.1, 0.2, 0.5, 1.0]))
    graph: nx.Graph[int] = nx.gnp_random_graph(n, density, seed=draw(st.integers(0, 10**6)))
    heaviest = draw(st.sampled_from([0, 3, 100, 10**6]))
    noise = random.Random(draw(st.integers(0, 10**6)))
    for _, _, edge in graph.edges(data=True):
        edge["weight"] = noise.randint(0, heaviest)
    return graph


ELEMENTS = {
    "bc": ["f32", "f64"],
    "mis": ["i32", "i64", "f32", "f64"],
    "mis-degree": ["i32", "i64"],
    "ppr": ["f32", "f64"],
    "pr": ["f32", "f64"],
    "tc": ["i64"],
}


def planted(algorithm: str, values: Iterable[float], data: st.DataObject) -> dict[str, str]:
    """The environment of a program whose result is `values`, with some element type that the algorithm may have."""
    element = data.draw(st.sampled_from(ELEMENTS[algorithm]))
    return {"ALGORITHM": algorithm, "ELEMENT": element, "RESULT": " ".join(map(str, values))}


@pytest.mark.parametrize("algorithm", ["mis", "mis-degree", "tc"])
def test_sets_and_counts_agree_with_networkx(
    program: Run, reference: Run, egr: Write, tmp_path: Path, algorithm: str
) -> None:
    out = tmp_path / "out"

    @settings(deadline=None, max_examples=60 if LONG else 20)
    @given(graphs(), st.data())
    def check(graph: nx.Graph[int], data: st.DataObject) -> None:
        path = egr(rows_of(graph), name="random.egr")
        expected = expected_values(graph, algorithm, 0)
        assert reference(algorithm, path, out).code == 0
        assert values_of(out) == expected
        environment = planted(algorithm, expected, data)
        from_file = data.draw(st.booleans())
        done = program(path, "--reps", "1", *(["--reference", out] if from_file else []), **environment)
        assert done.code == 0, done.stderr

    check()


@pytest.fixture
def found(reference: Run, egr: Write, tmp_path: Path) -> Find:
    """Gives what a serial reference finds on a graph, or one of a file, when asked some more."""

    def find(algorithm: str, graph: nx.Graph[int] | Path, *asked: object, element: str = "i8") -> list[Any]:
        path = egr(rows_of(graph), name="random.egr") if isinstance(graph, nx.Graph) else graph
        assert reference(algorithm, path, tmp_path / "out", *asked).code == 0
        return values_of(tmp_path / "out", element)

    return find


@pytest.fixture(scope="module")
def large_graph(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, scipy.sparse.csr_array]:
    """A graph of so many edges that several threads share it out, and its matrix; clusters of scattered vertices."""
    noise = np.random.default_rng(1)
    n, cluster = 1 << 17, 64
    sources = noise.integers(0, n, 1_500_000)
    destinations = sources // cluster * cluster + noise.integers(0, cluster, len(sources))
    sources[:1000] = destinations[:1000] = 0  # some vertices have fewer
    number = noise.permutation(n)
    graph = from_edges(n, number[sources], number[destinations])
    assert graph.edge_count > 2 << 20
    path = tmp_path_factory.mktemp("large") / "large.egr"
    egr_format.write(graph, path)
    ones = np.ones(graph.edge_count, dtype=np.int64)
    return path, scipy.sparse.csr_array((ones, graph.neighbours, graph.row_offsets), shape=(n, n))


def test_components_found_by_several_threads(found: Find, large_graph: tuple[Path, scipy.sparse.csr_array]) -> None:
    path, matrix = large_graph
    count, component = scipy.sparse.csgraph.connected_components(matrix)
    assert count > 1000
    smallest = np.full(count, len(component))
    np.minimum.at(smallest, component, np.arange(len(component)))
    np.testing.assert_array_equal(found("cc", path), smallest[component])


def test_triangles_counted_by_several_threads(found: Find, large_graph: tuple[Path, scipy.sparse.csr_array]) -> None:
    path, matrix = large_graph
    triangles = (matrix @ matrix).multiply(matrix).sum() // 6
    assert triangles > 1_000_000
    assert found("tc", path) == [triangles]


def test_triangles_of_each_vertex_and_clustering_agree_with_networkx(found: Find, tmp_path: Path) -> None:
    @settings(deadline=None, max_examples=60 if LONG else 20)
    @given(graphs())
    def check(graph: nx.Graph[int]) -> None:
        assert found("lcc", graph)[: len(graph)] == [*nx.triangles(graph).values()]
        shares = values_of(tmp_path / "out", "f8")[len(graph) :]
        assert shares == pytest.approx([*nx.clustering(graph).values()], rel=1e-15, abs=0)

    check()


def test_triangles_of_each_vertex_are_counted_by_several_threads(
    found: Find, large_graph: tuple[Path, scipy.sparse.csr_array]
) -> None:
    path, matrix = large_graph
    triangles = (matrix @ matrix).multiply(matrix).sum(axis=1) // 2
    np.testing.assert_array_equal(found("lcc", path)[: len(triangles)], triangles)


@pytest.mark.parametrize(
    ("algorithm", "solve"), [("gc", colouring), ("mst", spanning_forest), ("kcore", core_numbers), ("lp", communities)]
)
def test_what_is_unique_agrees_with_python(
    program: Run,
    reference: Run,
    egr: Write,
    tmp_path: Path,
    algorithm: str,
    solve: Callable[[nx.Graph[int]], list[list[int]]],
) -> None:
    out = tmp_path / "out"

    @settings(deadline=None, max_examples=60 if LONG else 20)
    @given(graphs())
    def check(graph: nx.Graph[int]) -> None:
        path = egr(rows_of(graph), weights_of(graph), name="random.egr")
        arrays = solve(graph)
        assert reference(algorithm, path, out).code == 0
        assert values_of(out) == [value for array in arrays for value in array]
        result = " / ".join(" ".join(map(str, array)) for array in arrays)
        done = program(path, "--reps", "1", ALGORITHM=algorithm, ELEMENT="i64", RESULT=result)
        assert done.code == 0, done.stderr

    check()


def test_a_k_core_is_cut_out_of_core_numbers(found: Find) -> None:
    graph = nx.disjoint_union(nx.complete_graph(5), nx.path_graph(3))
    for k, expected in {0: [4] * 5 + [1] * 3, 2: [2] * 5 + [1] * 3, 1: [1] * 8, 9: [8] * 8}.items():
        assert found("kcore", graph, "--k", k) == expected


def test_ranks_solve_the_equation(program: Run, reference: Run, egr: Write, tmp_path: Path) -> None:
    out = tmp_path / "out"

    @settings(deadline=None, max_examples=60 if LONG else 20)
    @given(graphs(), st.data())
    def check(graph: nx.Graph[int], data: st.DataObject) -> None:
        path = egr(rows_of(graph), name="random.egr")
        expected = pagerank(graph)
        assert reference("pr", path, out).code == 0
        assert values_of(out, "f8") == pytest.approx(expected, abs=1e-9)
        if all(degree for _, degree in graph.degree):
            theirs = nx.pagerank(graph, alpha=0.85, tol=1e-13, max_iter=1000, weight=None)
            assert values_of(out, "f8") == pytest.approx([theirs[v] for v in range(len(graph))], abs=1e-9)
        done = program(path, "--reps", "1", "--reference", out, **planted("pr", expected, data))
        assert done.code == 0, done.stderr

    check()


def draw_sources(graph: nx.Graph[int], data: st.DataObject) -> list[int]:
    """One vertex, or it and all others that have an edge."""
    source = data.draw(st.integers(0, len(graph) - 1))
    others = [v for v in graph if v != source and graph.degree(v) > 0]
    return [source, *data.draw(st.sampled_from([[], others]))]


def test_walks_jump_to_their_sources(program: Run, reference: Run, egr: Write, tmp_path: Path) -> None:
    out = tmp_path / "out"

    @settings(deadline=None, max_examples=60 if LONG else 20)
    @given(graphs(), st.data())
    def check(graph: nx.Graph[int], data: st.DataObject) -> None:
        path = egr(rows_of(graph), name="random.egr")
        sources = draw_sources(graph, data)
        asked = ["--source", sources[0], "--sources", len(sources)]
        expected = pagerank(graph, sources)
        assert reference("ppr", path, out, *asked).code == 0
        assert values_of(out, "f8") == pytest.approx(expected, abs=1e-9)
        if all(degree for _, degree in graph.degree):
            jumps = dict.fromkeys(sources, 1)
            theirs = nx.pagerank(graph, alpha=0.85, personalization=jumps, tol=1e-13, max_iter=1000, weight=None)
            assert values_of(out, "f8") == pytest.approx([theirs[v] for v in range(len(graph))], abs=1e-9)
        done = program(path, "--reps", "1", *asked, "--reference", out, **planted("ppr", expected, data))
        assert done.code == 0, done.stderr
        if len(sources) < len(graph):  # otherwise, walks jump everywhere alike
            wrong = pagerank(graph)
            assert program(path, "--reps", "1", *asked, **planted("ppr", wrong, data)).code == 1

    check()


def test_betweenness_agrees_with_networkx(program: Run, reference: Run, egr: Write, tmp_path: Path) -> None:
    out = tmp_path / "out"

    @settings(deadline=None, max_examples=60 if LONG else 20)
    @given(graphs(), st.data())
    def check(graph: nx.Graph[int], data: st.DataObject) -> None:
        path = egr(rows_of(graph), name="random.egr")
        sources = draw_sources(graph, data)
        asked = ["--source", sources[0], "--sources", len(sources)]
        # Towards every vertex, and not from it as well: a directed graph, as the other way round may be of no source.
        theirs = nx.betweenness_centrality_subset(graph.to_directed(), sources, list(graph))
        expected = [theirs[v] for v in range(len(graph))]
        assert reference("bc", path, out, *asked).code == 0
        values = values_of(out, "f8")
        assert len(values) == len(graph) + 3  # how far off floats and doubles are, and how large counts of paths are
        assert values[: len(graph)] == pytest.approx(expected, rel=1e-12)
        done = program(path, "--reps", "1", *asked, "--reference", out, **planted("bc", expected, data))
        assert done.code == 0, done.stderr
        off = [value + 1e-4 * max(expected) for value in expected]
        assert max(expected) == 0 or program(path, "--reps", "1", *asked, **planted("bc", off, data)).code == 1

    check()


def test_beside_centralities_is_the_exponent_of_the_largest_number_of_paths(found: Find) -> None:
    squares = nx.Graph([(3 * i + u, 3 * i + v) for i in range(9) for u, v in ((0, 1), (0, 2), (1, 3), (2, 3))])
    nx.add_path(squares, [27, 28])
    for source, exponent in ((0, 10), (12, 6)):  # 2^9 paths, and 2^4 and 2^5 from an inner corner
        assert found("bc", squares, "--source", source, element="f8")[-1] == exponent


def test_priorities_are_those_of_murmurhash3() -> None:
    assert [priority(v) for v in (0, 1, 2, 2**31 - 1)] == [0, 0x514E28B7, 0x30F4C306, 0xF9CC0EA8]


def test_the_set_of_a_large_graph_is_the_greedy_one(found: Find) -> None:
    """So many vertices that their priorities need all 32 bits."""
    graph = nx.gnm_random_graph(5000, 15_000, seed=1)
    assert found("mis", graph) == greedy_independent_set(graph, priority)


def test_neighbours_whose_priorities_tie_but_for_their_last_bits(found: Find) -> None:
    graph = to_networkx(egr_format.read(ties()))
    colour, colours = colouring(graph)
    expected = {name: expected_values(graph, name, 0) for name in ("mis", "mis-degree")} | {"gc": colour + colours}
    for algorithm, values in expected.items():
        assert found(algorithm, ties()) == values


def test_triangles_among_hubs_and_their_leaves(found: Find) -> None:
    """A wheel of 5000 spokes has a triangle at each; a complete graph of 60 vertices has one for each three of them."""
    graph = nx.disjoint_union(nx.wheel_graph(5001), nx.complete_graph(60))
    assert found("tc", graph) == [5000 + 60 * 59 * 58 // 6]


@pytest.mark.parametrize("algorithm", ["bfs", "cc", "sssp"])
def test_references_agree_with_networkx(
    program: Run, reference: Run, egr: Write, tmp_path: Path, algorithm: str
) -> None:
    out = tmp_path / "out"

    @settings(deadline=None, max_examples=40 if LONG else 15)
    @given(graphs(), st.data())
    def check(graph: nx.Graph[int], data: st.DataObject) -> None:
        source = data.draw(st.integers(0, len(graph) - 1))
        path = egr(rows_of(graph), weights_of(graph), name="random.egr")
        assert reference(algorithm, path, out, "--source", source).code == 0
        assert values_of(out) == expected_values(graph, algorithm, source)
        done = program(path, "--source", source, "--reps", "1", "--reference", out, ALGORITHM=algorithm)
        assert done.code == 0, done.stderr

    check()


def test_references_of_real_weights_agree_with_networkx(reference: Run, egr: Write, tmp_path: Path) -> None:
    out, noise = tmp_path / "out", np.random.default_rng(3)
    for seed in range(8):
        graph: nx.Graph[int] = nx.gnp_random_graph(40, 0.15, seed=seed)
        for negative in (False, True):
            for _, _, edge in graph.edges(data=True):
                edge["weight"] = float(np.float32(noise.lognormal(0, 4) * noise.choice([1, 1 - 2 * negative])))
            stored = np.array(weights_of(graph), dtype="<f4").view("<i4").tolist()
            path = egr(rows_of(graph), stored, name="real.egr")
            if not negative:
                assert reference("sssp-real", path, out, "--source", 3).code == 0
                assert values_of(out, "f8") == expected_values(graph, "sssp", 3)
            assert reference("mst-real", path, out).code == 0
            forest = nx.minimum_spanning_tree(graph)
            ends = [(u, v) for u in range(len(graph)) for v in sorted(graph[u])]
            assert values_of(out)[:-1] == [int(u < v and forest.has_edge(u, v)) for u, v in ends]
            total = sum(float(edge["weight"]) for _, _, edge in forest.edges(data=True))
            assert values_of(out, "f8")[-1] == pytest.approx(total, rel=1e-12, abs=1e-12)


def test_default_weights_are_the_documented_ones(found: Find) -> None:
    graph = nx.gnp_random_graph(60, 0.2, seed=1)
    for u, v, edge in graph.edges(data=True):
        edge["weight"] = default_weight(u, v)
    assert found("sssp", graph) == expected_values(graph, "sssp", 0)
    assert [default_weight(0, 1), default_weight(1, 0), default_weight(2**31 - 1, 5)] == [45, 45, 3]


def test_a_long_path_needs_no_deep_stack(found: Find) -> None:
    """Edges of a path in random order make the deepest trees of a union-find."""
    n = 50_000
    order = list(range(n))
    random.Random(1).shuffle(order)
    graph = nx.empty_graph(n)
    nx.add_path(graph, order)
    assert found("cc", graph) == [0] * n
    level = found("bfs", graph, "--source", order[0])
    assert [level[v] for v in order[:3]] == [0, 1, 2]
    assert max(level) == n - 1


@pytest.fixture
def triangle(egr: Write) -> Path:
    return egr([[1, 2], [0, 2], [0, 1]], name="triangle.egr")


def test_a_reference_file_serves_its_graph_wherever_it_lies(
    program: Run, reference: Run, triangle: Path, egr: Write, tmp_path: Path
) -> None:
    assert reference("bfs", triangle, tmp_path / "out", "--source=1").code == 0
    assert (tmp_path / "out").read_bytes().startswith(b"vio-ref\0\x03\0\0\0bfs\0")
    copy = egr(triangle.read_bytes(), name="copy.egr")
    done = program(copy, "--source", "1", "--reference", tmp_path / "out")
    assert done.code == 0
    assert done.record["verified"] is True
    assert list(tmp_path.iterdir()) == [tmp_path / "out"]


def test_the_file_is_what_is_verified_against(program: Run, reference: Run, triangle: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    reference("bfs", triangle, out)
    content = bytearray(out.read_bytes())
    content[-8] = 9
    out.write_bytes(content)
    done = program(triangle, "--reference", out)
    assert done.code == 1
    assert done.record["error"] == "warm-up 1, vertex 2: expected 9, got 1"


def test_each_graph_has_its_own_reference(
    program: Run, reference: Run, triangle: Path, egr: Write, tmp_path: Path
) -> None:
    graphs, references = [triangle, egr([[1], [0]])], [tmp_path / "a", tmp_path / "b"]
    for graph, out in zip(graphs, references, strict=True):
        assert reference("bfs", graph, out).code == 0
    done = program(graphs[0], "--reference", references[0], graphs[1], f"--reference={references[1]}")
    assert (done.code, [record["verified"] for record in done.records]) == (0, [True, True])
    done = program(*graphs, "--reference", references[1], "--reference", references[0])
    assert (done.code, [record["exit_code"] for record in done.records]) == (2, [2, 2])


def test_cc_ignores_the_source(program: Run, reference: Run, triangle: Path, tmp_path: Path) -> None:
    assert reference("cc", triangle, tmp_path / "out", "--source", "2").code == 0
    assert program(triangle, "--source", "1", "--reference", tmp_path / "out", ALGORITHM="cc").code == 0


@pytest.mark.parametrize(
    ("rows", "weights", "algorithm", "source", "complaint"),
    [
        ([[1, 2], [0, 2], [0, 1]], None, "sssp", 0, "is of another algorithm: sssp, not bfs"),
        ([[1, 2], [0, 2], [0, 1]], None, "bfs", 1, "is of another source: 1, not 0"),
        ([[1, 2], [0, 2], [0, 1], []], None, "bfs", 0, "is of another graph: 4 vertices, not 3"),
        ([[1], [0, 2], [1]], None, "bfs", 0, "is of another graph: 4 edges, not 6"),
        ([[1, 2], [0, 2], [0, 1]], [1] * 6, "bfs", 0, "is of another graph: fingerprint "),
    ],
)
def test_the_reference_of_something_else_is_refused(
    program: Run,
    reference: Run,
    triangle: Path,
    egr: Write,
    tmp_path: Path,
    rows: list[list[int]],
    weights: list[int] | None,
    algorithm: str,
    source: int,
    complaint: str,
) -> None:
    out = tmp_path / "out"
    assert reference(algorithm, egr(rows, weights), out, "--source", source).code == 0
    done = program(triangle, "--reference", out)
    assert done.code == 2
    assert [record["verified"] for record in done.records] == [None]
    assert f"{triangle}: --reference {out} {complaint}" in done.stderr


def test_large_graphs_are_told_apart_by_their_last_edge(
    program: Run, reference: Run, egr: Write, tmp_path: Path
) -> None:
    """Files of several MB are hashed in pieces."""
    n = 200_000
    path = [[1], *([v - 1, v + 1] for v in range(1, n - 1)), [n - 2]]
    weights = [1] * (2 * n - 2)
    out = tmp_path / "out"
    assert reference("bfs", egr(path, weights), out).code == 0
    assert program(egr(path, weights), "--reference", out).code == 0
    weights[-2:] = [2, 2]
    done = program(egr(path, weights), "--reference", out)
    assert done.code == 2
    assert "is of another graph: fingerprint " in done.stderr


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        (lambda _: b"", "is not a reference file"),
        (lambda content: content[: HEADER.size - 1], "is not a reference file"),
        (lambda content: b"x" + content[1:], "is not a reference file"),
        (lambda content: content[:8] + b"\x07" + content[9:], "is of another format version: 7, not 3"),
        (lambda content: content[: HEADER.size], "is cut short or too long"),
        (lambda content: content[:-1], "is cut short or too long"),
        (lambda content: content + bytes(8), "is cut short or too long"),
        (
            lambda content: content[: HEADER.size - 8] + struct.pack("<Q", 2) + content[HEADER.size : -8],
            "is cut short or too long",
        ),
        (
            lambda content: content[: HEADER.size - 8] + struct.pack("<Q", 2) + content[HEADER.size :],
            "is cut short or too long",
        ),
        (lambda content: content[:12] + b"y" * 16 + content[28:], "is of another algorithm: yyyyyyyyyyyyyyyy, not"),
    ],
)
def test_a_damaged_reference_is_refused(
    program: Run, reference: Run, triangle: Path, tmp_path: Path, damage: Callable[[bytes], bytes], complaint: str
) -> None:
    out = tmp_path / "out"
    reference("bfs", triangle, out)
    out.write_bytes(damage(out.read_bytes()))
    done = program(triangle, "--reference", out)
    assert done.code == 2
    assert complaint in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        (["bfs"], 2, "expected ALGORITHM GRAPH [OUT], got 1 arguments; see --help"),
        (["dfs", "G", "out"], 2, f"unknown algorithm 'dfs'; known are {ALGORITHMS}"),
        (["bfs", "G", "out", "--sauce", "1"], 2, "unknown option '--sauce'; --help lists all"),
        (["bfs", "G", "out", "--source"], 2, "--source needs a value"),
        (["bfs", "G", "out", "--source", "one"], 2, "--source takes a whole number from 0 to 2147483647, not 'one'"),
        (["bfs", "G", "out", "--source=-1"], 2, "--source takes a whole number from 0"),
        (["bfs", "G", "out", "--source", "3"], 2, "--source 3 is not a vertex; the graph has 0 to 2"),
        (["bfs", "missing.egr", "out"], 3, "missing.egr: cannot open"),
        (["bfs", "G", "missing/out"], 4, "cannot write missing/out"),
    ],
)
def test_errors_of_violet_reference(reference: Run, triangle: Path, arguments: Any, code: int, complaint: str) -> None:
    done = reference(*(triangle if word == "G" else word for word in arguments))
    assert done.code == code
    assert done.stderr.startswith("violet-reference: error: ")
    assert complaint in done.stderr


def test_violet_reference_checks_a_graph(reference: Run, egr: Write, triangle: Path) -> None:
    assert (reference("bfs", triangle).code, reference("bfs", triangle).stderr) == (0, "")
    bad = egr([[1], [0]], weights=[-1, -1])
    assert reference("bfs", bad).code == 0  # which has no use for weights
    done = reference("sssp", bad)
    assert (done.code, done.stderr.endswith("weights[0] is -1, must be 0 to 1073741822\n")) == (3, True)
    assert reference("bfs", triangle, "--source", 3).code == 2


def test_help_of_violet_reference(reference: Run) -> None:
    done = reference("--help")
    assert done.code == 0
    assert ALGORITHMS in done.stdout
