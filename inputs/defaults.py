"""What commands take unless told otherwise; here, so that nothing that takes long is loaded before one is chosen."""

from typing import Literal

from generator.paths import workspace

DATA_DIRECTORY = workspace() / "inputs" / "data"
"""Where named inputs are kept."""

Duplicates = Literal["smallest", "sum", "largest"]
"""What becomes of the weights of an edge that is there several times."""

Quadrants = tuple[float, float, float, float]
"""Probabilities of the quadrants of R-MAT."""

GRAPH500: Quadrants = (0.57, 0.19, 0.19, 0.05)
GTGRAPH: Quadrants = (0.45, 0.15, 0.15, 0.25)  # also the Galois and ECL inputs called rmat16 and rmat22
