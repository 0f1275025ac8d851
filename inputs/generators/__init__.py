"""Synthetic graphs, the same bytes for the same parameters on every machine."""

from inputs.generators.lattice import grid, lattice, road
from inputs.generators.random import coauthors, geometric, k_max_degree, preferential, small_world, uniform
from inputs.generators.rmat import rmat, rmat_batches, rmat_edges
from inputs.generators.simple import all_graphs, binary_forest, path, star

__all__ = [
    "all_graphs",
    "binary_forest",
    "coauthors",
    "geometric",
    "grid",
    "k_max_degree",
    "lattice",
    "path",
    "preferential",
    "rmat",
    "rmat_batches",
    "rmat_edges",
    "road",
    "small_world",
    "star",
    "uniform",
]
