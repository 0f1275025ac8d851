from __future__ import annotations

import hashlib
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inputs import external
from inputs.defaults import GRAPH500, GTGRAPH
from inputs.formats import egr
from inputs.generators import (
    all_graphs,
    binary_forest,
    chains,
    coauthors,
    draw,
    geometric,
    grid,
    k_max_degree,
    lattice,
    mesh,
    path,
    preferential,
    rmat,
    rmat_batches,
    rmat_edges,
    road,
    small_world,
    star,
    uniform,
    web,
)
from inputs.hashing import random_bits
from inputs.properties import bfs_depth, shape

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inputs.graph import Graph

sides = st.integers(1, 12)


def sha256(*arrays: np.ndarray) -> str:
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


@given(sides, sides)
def test_grid_is_networkx_grid(width: int, height: int) -> None:
    expected = nx.grid_2d_graph(height, width)
    edges = grid(width, height).to_edges()
    vertices = [divmod(v, width) for v in range(width * height)]
    found = {(vertices[u], vertices[v]) for u, v in zip(edges.sources, edges.destinations, strict=True)}
    assert found == set(expected.to_directed().edges)
    assert edges.vertex_count == len(expected)


def test_grid_of_the_paper() -> None:
    graph = grid(1024, 1024)
    assert (graph.vertex_count, graph.edge_count) == (1_048_576, 4_190_208)
    assert np.bincount(graph.degrees).tolist() == [0, 0, 4, 4 * 1022, 1022 * 1022]


@pytest.mark.parametrize("make", [grid, road])
@pytest.mark.parametrize(("width", "height"), [(0, 1), (1, 0), (-1, 5), (50_000, 50_000)])
def test_impossible_sizes(make: Callable[..., Graph], width: int, height: int) -> None:
    with pytest.raises(ValueError, match="grid"):
        make(width, height)


@given(st.integers(0, 8), st.integers(0, 200), st.integers(0, 2**40), st.integers(1, 64))
def test_rmat_does_not_depend_on_chunks(scale: int, edges: int, seed: int, chunk: int) -> None:
    whole = rmat_edges(scale, edges, GRAPH500, seed=seed)
    parts = rmat_edges(scale, edges, GRAPH500, seed=seed, chunk=chunk)
    np.testing.assert_array_equal(parts, whole)


@pytest.mark.parametrize("chunk", [1 << 16, 1 << 20, 1000])
def test_rmat_is_pinned(chunk: int) -> None:
    """The same bytes on every machine, whatever the chunks."""
    edges = rmat_edges(12, 100_000, GTGRAPH, seed=1, chunk=chunk)
    assert sha256(*edges) == "f517c9f8dd1b665effa32c6b7012aa631581a5a35aca53e25e5bd3f127649d8e"


@pytest.mark.parametrize(("scale", "budget"), [(10, 1 << 25), (10, 1000), (16, 1 << 16)])
def test_rmat_in_batches_is_the_same_file(tmp_path: Path, scale: int, budget: int) -> None:
    """In memory and, with a budget smaller than the graph, through files."""
    egr.write(rmat(scale, 8 << scale, GTGRAPH), tmp_path / "whole.egr")
    external.write_graph(rmat_batches(scale, 8 << scale, GTGRAPH, size=8000), tmp_path / "batches.egr", budget)
    assert (tmp_path / "batches.egr").read_bytes() == (tmp_path / "whole.egr").read_bytes()


@given(st.integers(0, 200), st.integers(1, 64))
def test_batches_of_rmat_are_its_edges(edges: int, size: int) -> None:
    batches = list(rmat_batches(6, edges, seed=5, size=size))
    assert all(batch.vertex_count == 64 and len(batch.sources) <= size for batch in batches)
    found = np.hstack([[batch.sources, batch.destinations] for batch in batches])
    np.testing.assert_array_equal(found, rmat_edges(6, edges, GRAPH500, seed=5))


@pytest.mark.parametrize("quadrants", [GRAPH500, GTGRAPH, (0.25, 0.25, 0.25, 0.25)])
def test_rmat_fills_quadrants_as_asked(quadrants: tuple[float, ...]) -> None:
    scale, count = 5, 200_000
    sources, destinations = rmat_edges(scale, count, quadrants, seed=3)
    for level in range(scale):
        quadrant = (sources >> level & 1) * 2 + (destinations >> level & 1)
        np.testing.assert_allclose(np.bincount(quadrant, minlength=4) / count, quadrants, atol=0.005)


@pytest.mark.parametrize(("corner", "vertex"), [(0, (0, 0)), (1, (0, 15)), (2, (15, 0)), (3, (15, 15))])
def test_rmat_with_a_certain_quadrant(corner: int, vertex: tuple[int, int]) -> None:
    quadrants = tuple(float(quadrant == corner) for quadrant in range(4))
    sources, destinations = rmat_edges(4, 1000, quadrants, seed=1)
    assert set(zip(sources.tolist(), destinations.tolist(), strict=True)) == {vertex}


def test_rmat_graph() -> None:
    graph = rmat(10, 8192, GTGRAPH)
    assert graph.vertex_count == 1024
    assert 14_000 < graph.edge_count <= 2 * 8192
    assert graph.edge_count != rmat(10, 8192, GTGRAPH, seed=2).edge_count


@pytest.mark.parametrize(
    ("scale", "edges", "quadrants", "reason"),
    [
        (-1, 1, GRAPH500, "scale"),
        (31, 1, GRAPH500, "scale"),
        (3, -1, GRAPH500, "edges to draw must be 0 to"),
        (3, 1, (0.5, 0.5, 0.5, 0.5), "add up to 1"),
        (3, 1, (1.5, -0.5, 0.0, 0.0), "non-negative"),
        (3, 1, (float("nan"), 0.5, 0.25, 0.25), "add up to 1"),
    ],
)
def test_rmat_refuses(scale: int, edges: int, quadrants: tuple[float, ...], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        rmat(scale, edges, quadrants)
    with pytest.raises(ValueError, match=reason):
        rmat_batches(scale, edges, quadrants)


@given(sides, sides, st.integers(0, 2**40))
def test_road_is_a_connected_part_of_the_grid(width: int, height: int, seed: int) -> None:
    graph, whole = road(width, height, seed=seed).to_edges(), grid(width, height).to_edges()
    edges = set(zip(graph.sources.tolist(), graph.destinations.tolist(), strict=True))
    assert edges <= set(zip(whole.sources.tolist(), whole.destinations.tolist(), strict=True))
    assert shape(graph.to_graph()).components == 1


def test_road_of_the_default_size() -> None:
    graph = road()
    assert graph.vertex_count == 264_196
    assert 2.6 < graph.edge_count / graph.vertex_count < 2.85
    assert graph.degrees.max() == 4
    assert (graph.degrees == 1).mean() > 0.05  # dead ends
    assert shape(graph).components == 1
    # The extra edges make shortest paths almost as short as on the whole grid, where the depth is 1,026.
    assert 1_026 <= bfs_depth(graph, source=0) <= 1_100


@pytest.mark.parametrize("seed", [2, 3])
def test_roads_of_other_seeds_are_alike(seed: int) -> None:
    graph = road(200, 200, seed=seed)
    assert 2.6 < graph.edge_count / graph.vertex_count < 2.85


def test_road_is_pinned() -> None:
    graph = road(64, 64, seed=1)
    assert (
        sha256(graph.row_offsets, graph.neighbours)
        == "a07981556c9840615e9a42e6f2fc4d57e943c4fbcb44877e3ba04c34041a76a5"
    )


@pytest.mark.parametrize("torus", [False, True])
@pytest.mark.parametrize("sides", [(5,), (3, 4), (3, 4, 5), (1, 3), (2, 3, 1, 4)])
def test_lattice_is_networkx_grid(sides: tuple[int, ...], torus: bool) -> None:
    expected = nx.grid_graph(sides[::-1], periodic=torus)
    expected.remove_edges_from(list(nx.selfloop_edges(expected)))
    edges = lattice(sides, torus=torus).to_edges()
    points = [tuple(map(int, np.unravel_index(v, sides))) for v in range(edges.vertex_count)]
    if len(sides) == 1:
        points = [point for (point,) in points]
    found = {(points[u], points[v]) for u, v in zip(edges.sources, edges.destinations, strict=True)}
    assert found == set(expected.to_directed().edges)


def test_shapes_without_random_numbers() -> None:
    assert shape(star(9)).maximum_degree == 8
    assert shape(path(9)).pseudo_diameter == 8
    tree, forest = shape(binary_forest(15)), shape(binary_forest(16, trees=3))
    assert (tree.undirected_edges, tree.components, tree.pseudo_diameter, tree.maximum_degree) == (14, 1, 6, 3)
    assert (forest.undirected_edges, forest.components) == (13, 3)
    assert star(1).edge_count == path(1).edge_count == 0


def test_all_graphs_are_distinct_and_complete() -> None:
    for vertices, count in ((1, 1), (2, 2), (3, 8), (4, 64)):
        graphs = {(g.row_offsets.tobytes(), g.neighbours.tobytes()) for g in all_graphs(vertices)}
        assert len(graphs) == count


IN_PLACE_OF_CUPY = SimpleNamespace(**{name: getattr(np, name) for name in dir(np)})
"""A copy of numpy, so that the code for GPUs runs without one."""

RANDOM = {  # and the beginning of the sha256 of seed 1, the same on every machine
    "uniform": (
        lambda **options: uniform(1000, 5000, **options),
        "038a693d2de27847507ebc4c5b730c162270cbad840711cb0d3ddde50e3f707c",
    ),
    "small_world": (
        lambda **options: small_world(1000, 6, 0.2, **options),
        "919c924b90fdbf263cbf936f606ab8b562e246df79da8597c00ded6a746d1878",
    ),
    "preferential": (
        lambda **options: preferential(1000, 4, **options),
        "66e5173ccf592982e2b3f2dc0ae1804481931d58802900abfcba79faadd8a64b",
    ),
    "coauthors": (
        lambda **options: coauthors(1000, **options),
        "5b0ed024561ac44142fe44a375e7ec49f04da25a2cb3eff1680f18e13413e26c",
    ),
    "k_max_degree": (
        lambda **options: k_max_degree(1001, 5, **options),
        "d8b31a6d577a0c005ad46761880d4d47e07d6ec57e4cf880385580db62f7f49d",
    ),
    "geometric": (
        lambda **options: geometric(1000, 0.07, **options),
        "58edc975811b18e20f815867ecc3e0108740d6f5db471e2534d6af54d3f8d1e4",
    ),
    "web": (
        lambda **options: web(1000, 4, **options),
        "a2c5119da353531d94c2c0dfda05be6bd4a896043fd6027404d2aaca1f4eead1",
    ),
    "chains": (
        lambda **options: chains(1000, **options),
        "e280451410c0633a636326d1d6284e9f8039ebbbb8f67b4b90fc6b651600fdff",
    ),
    "rmat": (
        lambda **options: rmat(10, 5000, **options),
        "6ddafcaea3f7c3f136239cb4cdf4affefed8b67a329179abe78a589dd6c4f5ca",
    ),
}


@pytest.mark.parametrize("kind", RANDOM)
def test_random_graphs_are_pinned(kind: Any) -> None:
    make, expected = RANDOM[kind]
    graph = make(seed=1)
    assert sha256(graph.row_offsets, graph.neighbours).startswith(expected)
    assert sha256(make(seed=2).neighbours) != sha256(graph.neighbours)


@pytest.mark.parametrize("kind", RANDOM)
def test_the_way_of_the_gpu_makes_the_same_graph(assert_same: Callable[[Graph, Graph], None], kind: Any) -> None:
    make, _ = RANDOM[kind]
    assert_same(make(seed=1, xp=IN_PLACE_OF_CUPY), make(seed=1))


@pytest.mark.parametrize("kind", RANDOM)
def test_a_gpu_can_draw_and_sort_in_pieces(
    monkeypatch: pytest.MonkeyPatch, assert_same: Callable[[Graph, Graph], None], kind: Any
) -> None:
    make, _ = RANDOM[kind]
    expected = make(seed=1)
    monkeypatch.setattr(draw, "_ON_GPU", 700)
    monkeypatch.setattr(draw, "_SORTED_ON_GPU", 1500)
    assert_same(make(seed=1, xp=IN_PLACE_OF_CUPY), expected)


def test_many_edges_get_wide_offsets_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = rmat(6, 200)
    monkeypatch.setattr(draw, "MAX_COUNT", expected.edge_count - 1)
    found = rmat(6, 200, xp=IN_PLACE_OF_CUPY)
    assert found.row_offsets.dtype == np.int64
    np.testing.assert_array_equal(found.row_offsets, expected.row_offsets)
    np.testing.assert_array_equal(found.neighbours, expected.neighbours)


@pytest.mark.gpu
@pytest.mark.parametrize("kind", RANDOM)
def test_a_gpu_makes_the_same_graph(assert_same: Callable[[Graph, Graph], None], kind: Any) -> None:
    cupy = pytest.importorskip("cupy", reason="cupy is not installed")
    if not cupy.is_available():
        pytest.skip("no GPU")
    make, _ = RANDOM[kind]
    assert_same(make(seed=1, xp=cupy), make(seed=1))


@given(st.integers(1, 60), st.floats(0.01, 1), st.integers(0, 1000))
def test_geometric_joins_exactly_near_points(vertices: int, radius: float, seed: int) -> None:
    graph = geometric(vertices, radius, seed=seed)
    words = random_bits(seed, 0, np.arange(vertices, dtype=np.uint64)).tolist()
    points = [(word >> 2 & 2**30 - 1, word >> 34) for word in words]
    limit = int((radius * 2**30) ** 2)
    near = sum((a - c) ** 2 + (b - d) ** 2 < limit for i, (a, b) in enumerate(points) for c, d in points[:i])
    assert graph.edge_count == 2 * near


def test_random_graphs_look_as_they_should() -> None:
    assert k_max_degree(1001, 5).degrees.max() <= 5
    ring = small_world(100, 4, rewired=0.0)
    assert set(ring.degrees.tolist()) == {4}
    assert preferential(20_000, 4).degrees.max() > 300
    cliques = shape(coauthors(50_000))
    assert 50 < cliques.average_degree < 62
    assert cliques.maximum_degree > 500


def test_pages_link_to_their_own_host_and_to_a_few_others() -> None:
    graph = web(1 << 15)
    edges = graph.to_edges()
    near = np.abs(edges.sources - edges.destinations) < 4096  # the largest host
    assert 0.5 < near.mean() < 0.9
    assert (edges.sources[~near] % 4 == 0).any()
    others = np.bincount(edges.destinations[~near], minlength=graph.vertex_count)
    assert np.sort(others)[-100:].sum() > 0.25 * others.sum()  # of 32,768 pages
    found = shape(graph)
    assert (found.components, found.isolated) == (1, 0)
    assert found.maximum_degree > 50 * found.average_degree


def test_chains_are_long_and_seldom_branch() -> None:
    graph = chains(1 << 15)
    edges = graph.to_edges()
    assert 0.9 < (np.abs(edges.sources - edges.destinations) == 1).mean() < 0.98
    assert (graph.degrees == 2).mean() > 0.85
    assert graph.degrees.max() <= 8
    assert shape(graph).pseudo_diameter > 10 * 15  # ten times its binary logarithm


def test_mesh_is_planar_and_has_near_neighbours() -> None:
    graph = mesh(2000)
    edges = graph.to_edges()
    planar, _ = nx.check_planarity(
        nx.from_edgelist(zip(edges.sources.tolist(), edges.destinations.tolist(), strict=True))
    )
    hull = 2 * (3 * 2000 - 3) - graph.edge_count  # of a triangulation: twice the points on its border
    assert planar
    assert 0 < hull < 2 * 100
    words = random_bits(1, 0, np.arange(2000, dtype=np.uint64))
    rows = np.sort(
        (words >> np.uint64(34)).astype(np.int64) * 44 >> 30
    )  # of the 44 x 44 cells by which they are numbered
    assert np.median(np.abs(rows[edges.sources] - rows[edges.destinations])) <= 1


def test_mesh_is_pinned() -> None:
    graph = mesh(1000, seed=1)
    assert (
        sha256(graph.row_offsets, graph.neighbours)
        == "54d8908f05f875c8ef6ad686c1ffe2debb0509152e5ba43b5537179dc423a5bd"
    )


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: mesh(3), "at least 4 points"),
        (lambda: web(0), "1 to 2,147,483,647 vertices"),
        (lambda: chains(0), "1 to 2,147,483,647 vertices"),
        (lambda: uniform(0, 1), "1 to 2,147,483,647 vertices"),
        (lambda: uniform(5, -1), "edges to draw"),
        (lambda: small_world(10, 3), "even and below 10"),
        (lambda: small_world(10, 4, rewired=1.5), "a probability"),
        (lambda: geometric(10, 0.0), "radius"),
        (lambda: geometric(10, float("nan")), "radius"),
        (lambda: coauthors(10, -1), "papers"),
        (lambda: k_max_degree(10, -1), "largest degree"),
        (lambda: binary_forest(3, 4), "1 to 3 trees"),
        (lambda: list(all_graphs(5)), "1 to 4 vertices"),
    ],
)
def test_generators_refuse(make: Callable[..., Graph], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        make()
