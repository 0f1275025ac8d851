import hashlib

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inputs.generators import GRAPH500, GTGRAPH, grid, rmat, rmat_edges, road
from inputs.properties import bfs_depth, shape

sides = st.integers(1, 12)


def sha256(*arrays):
    return hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()


@given(sides, sides)
def test_grid_is_networkx_grid(width, height):
    expected = nx.grid_2d_graph(height, width)
    edges = grid(width, height).to_edges()
    vertices = [divmod(v, width) for v in range(width * height)]
    found = {(vertices[u], vertices[v]) for u, v in zip(edges.sources, edges.destinations, strict=True)}
    assert found == set(expected.to_directed().edges)
    assert edges.vertex_count == len(expected)


def test_grid_of_the_paper():
    graph = grid(1024, 1024)
    assert (graph.vertex_count, graph.edge_count) == (1_048_576, 4_190_208)
    assert np.bincount(graph.degrees).tolist() == [0, 0, 4, 4 * 1022, 1022 * 1022]


@pytest.mark.parametrize("make", [grid, road])
@pytest.mark.parametrize(("width", "height"), [(0, 1), (1, 0), (-1, 5), (50_000, 50_000)])
def test_impossible_sizes(make, width, height):
    with pytest.raises(ValueError, match="grid"):
        make(width, height)


@given(st.integers(0, 8), st.integers(0, 200), st.integers(0, 2**40), st.integers(1, 64))
def test_rmat_does_not_depend_on_chunks(scale, edges, seed, chunk):
    whole = rmat_edges(scale, edges, GRAPH500, seed=seed)
    parts = rmat_edges(scale, edges, GRAPH500, seed=seed, chunk=chunk)
    np.testing.assert_array_equal(parts, whole)


@pytest.mark.parametrize("chunk", [1 << 16, 1 << 20, 1000])
def test_rmat_is_pinned(chunk):
    """The same bytes on every machine, whatever the chunks."""
    edges = rmat_edges(12, 100_000, GTGRAPH, seed=1, chunk=chunk)
    assert sha256(*edges) == "f517c9f8dd1b665effa32c6b7012aa631581a5a35aca53e25e5bd3f127649d8e"


@pytest.mark.parametrize("quadrants", [GRAPH500, GTGRAPH, (0.25, 0.25, 0.25, 0.25)])
def test_rmat_fills_quadrants_as_asked(quadrants):
    scale, count = 5, 200_000
    sources, destinations = rmat_edges(scale, count, quadrants, seed=3)
    for level in range(scale):
        quadrant = (sources >> level & 1) * 2 + (destinations >> level & 1)
        np.testing.assert_allclose(np.bincount(quadrant, minlength=4) / count, quadrants, atol=0.005)


@pytest.mark.parametrize(("corner", "vertex"), [(0, (0, 0)), (1, (0, 15)), (2, (15, 0)), (3, (15, 15))])
def test_rmat_with_a_certain_quadrant(corner, vertex):
    quadrants = tuple(float(quadrant == corner) for quadrant in range(4))
    sources, destinations = rmat_edges(4, 1000, quadrants, seed=1)
    assert set(zip(sources.tolist(), destinations.tolist(), strict=True)) == {vertex}


def test_rmat_graph():
    graph = rmat(10, 8192, GTGRAPH)
    assert graph.vertex_count == 1024
    assert 14_000 < graph.edge_count <= 2 * 8192
    assert graph.edge_count != rmat(10, 8192, GTGRAPH, seed=2).edge_count


@pytest.mark.parametrize(
    ("scale", "edges", "quadrants", "reason"),
    [
        (-1, 1, GRAPH500, "scale"),
        (31, 1, GRAPH500, "scale"),
        (3, -1, GRAPH500, "negative"),
        (3, 1, (0.5, 0.5, 0.5, 0.5), "add up to 1"),
        (3, 1, (1.5, -0.5, 0.0, 0.0), "non-negative"),
        (3, 1, (float("nan"), 0.5, 0.25, 0.25), "add up to 1"),
    ],
)
def test_rmat_refuses(scale, edges, quadrants, reason):
    with pytest.raises(ValueError, match=reason):
        rmat(scale, edges, quadrants)


@given(sides, sides, st.integers(0, 2**40))
def test_road_is_a_connected_part_of_the_grid(width, height, seed):
    graph, whole = road(width, height, seed=seed).to_edges(), grid(width, height).to_edges()
    edges = set(zip(graph.sources.tolist(), graph.destinations.tolist(), strict=True))
    assert edges <= set(zip(whole.sources.tolist(), whole.destinations.tolist(), strict=True))
    assert shape(graph.to_graph()).components == 1


def test_road_of_the_default_size():
    graph = road()
    assert graph.vertex_count == 264_196
    assert 2.6 < graph.edge_count / graph.vertex_count < 2.85
    assert graph.degrees.max() == 4
    assert (graph.degrees == 1).mean() > 0.05  # dead ends
    assert shape(graph).components == 1
    # The extra edges make shortest paths almost as short as on the whole grid, where the depth is 1,026.
    assert 1_026 <= bfs_depth(graph, source=0) <= 1_100


@pytest.mark.parametrize("seed", [2, 3])
def test_roads_of_other_seeds_are_alike(seed):
    graph = road(200, 200, seed=seed)
    assert 2.6 < graph.edge_count / graph.vertex_count < 2.85


def test_road_is_pinned():
    graph = road(64, 64, seed=1)
    assert (
        sha256(graph.row_offsets, graph.neighbours)
        == "a07981556c9840615e9a42e6f2fc4d57e943c4fbcb44877e3ba04c34041a76a5"
    )
