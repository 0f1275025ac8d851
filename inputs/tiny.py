"""Graphs small enough to check every program's answer by hand, and to draw on the back of an envelope."""

from dataclasses import dataclass

import numpy as np

from inputs.graph import Graph, from_edges


@dataclass(frozen=True)
class Tiny:
    """A hand-checkable graph: its edges as written here, before cleaning."""

    description: str
    vertex_count: int
    edges: tuple[tuple[int, int], ...]

    def graph(self) -> Graph:
        """Cleans the edges into a graph."""
        ends = np.array(self.edges, dtype=np.int32).reshape(-1, 2)
        return from_edges(self.vertex_count, ends[:, 0], ends[:, 1])


TINY = {
    "vertex": Tiny("one vertex, no edge", 1, ()),
    "isolated": Tiny("two vertices, no edge", 2, ()),
    "edge": Tiny("two vertices, one edge", 2, ((0, 1),)),
    "path": Tiny("path of 8 vertices", 8, tuple((v, v + 1) for v in range(7))),
    "star": Tiny("one centre with 8 leaves", 9, tuple((0, v) for v in range(1, 9))),
    "star-last": Tiny("8 leaves whose centre has the last number", 9, tuple((v, 8) for v in range(8))),
    "triangle": Tiny("three vertices, all joined", 3, ((0, 1), (1, 2), (2, 0))),
    "components": Tiny("a triangle, an edge and a vertex apart", 6, ((0, 1), (1, 2), (2, 0), (3, 4))),
    "k5": Tiny("five vertices, all joined: 10 triangles", 5, tuple((u, v) for v in range(5) for u in range(v))),
    "tree": Tiny("complete binary tree of 15 vertices", 15, tuple(((v - 1) // 2, v) for v in range(1, 15))),
    "bowtie": Tiny("two triangles that share a vertex", 5, ((0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 2))),
    "loops": Tiny("an edge whose file has loops at both ends", 2, ((0, 0), (0, 1), (1, 1))),
    "duplicates": Tiny("a path of 3 whose file repeats edges, both ways", 3, ((0, 1), (1, 0), (0, 1), (1, 2), (2, 1))),
}
