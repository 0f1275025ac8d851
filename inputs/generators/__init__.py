"""Synthetic graphs, the same bytes for the same parameters on every machine."""

from inputs.generators.lattice import grid, lattice, road
from inputs.generators.random import (
    chains,
    coauthors,
    geometric,
    k_max_degree,
    mesh,
    preferential,
    small_world,
    uniform,
)
from inputs.generators.rmat import rmat, rmat_batches, rmat_edges
from inputs.generators.simple import all_graphs, binary_forest, path, star
from inputs.generators.web import web

__all__ = [
    "all_graphs",
    "binary_forest",
    "chains",
    "coauthors",
    "geometric",
    "grid",
    "k_max_degree",
    "lattice",
    "mesh",
    "path",
    "preferential",
    "rmat",
    "rmat_batches",
    "rmat_edges",
    "road",
    "small_world",
    "star",
    "uniform",
    "web",
]
