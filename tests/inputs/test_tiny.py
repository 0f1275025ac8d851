import pytest

from inputs.tiny import TINY

SIZES = {  # vertices, undirected edges, largest degree: counted by hand
    "vertex": (1, 0, 0),
    "isolated": (2, 0, 0),
    "edge": (2, 1, 1),
    "path": (8, 7, 2),
    "star": (9, 8, 8),
    "star-last": (9, 8, 8),
    "triangle": (3, 3, 2),
    "components": (6, 4, 2),
    "k5": (5, 10, 4),
    "tree": (15, 14, 3),
    "bowtie": (5, 6, 4),
    "loops": (2, 1, 1),
    "duplicates": (3, 2, 2),
}


def test_every_tiny_graph_is_counted() -> None:
    assert SIZES.keys() == TINY.keys()


@pytest.mark.parametrize("name", SIZES)
def test_sizes(name: str) -> None:
    graph = TINY[name].graph()
    assert (graph.vertex_count, graph.edge_count // 2, graph.degrees.max()) == SIZES[name]
    assert graph.weights is None
