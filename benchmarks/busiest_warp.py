"""How many edges does the busiest warp visit where warps loop over all vertices?

    python -m benchmarks.busiest_warp GRAPH.egr [--warps 8440] [--parts 1 2 4 8]

A persistent launch has no more warps than the GPU holds, so warp w visits the vertices w, w + warps, w + 2 warps and so
on of its part. Printed are, for each way to divide the graph (`partition`), the edges of the busiest warp of any part,
what a warp has in the mean, and the longest row. Nothing is timed. With `--warps 8448` it is what launches with an even
number of blocks had.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from generator.terminal import told_in_one_line
from inputs.formats import egr

BLOCKS_OF_AN_H200 = 132 * 8 - 1  # an odd number
WARPS_OF_A_BLOCK = 8


def random_numbers(count: int) -> NDArray[np.uint64]:
    """Returns a random number for each vertex, as templates/runtime/partitions.cpp draws them (splitmix64)."""
    x = np.arange(count, dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def owners(row_offsets: NDArray[np.int64], parts: int) -> dict[str, NDArray[np.int64]]:
    """Returns the part of each vertex, [n], by the name of a partition."""
    vertices, edges = len(row_offsets) - 1, max(1, int(row_offsets[-1]))
    middles = (row_offsets[:-1] + row_offsets[1:]) // 2
    return {
        "ranges": np.arange(vertices) * parts // vertices,
        "balanced": np.minimum(middles * parts // edges, parts - 1),
        "random": (random_numbers(vertices) % np.uint64(parts)).astype(np.int64),
    }


def busiest(degrees: NDArray[np.int64], warps: int) -> int:
    """Returns the edges of the warp that has most, of so many that take vertices in turns."""
    return int(np.bincount(np.arange(len(degrees)) % warps, weights=degrees, minlength=warps).max())


@told_in_one_line()
def main() -> None:
    """Prints a line for each number of parts and each partition."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graph", type=Path)
    parser.add_argument("--warps", type=int, default=BLOCKS_OF_AN_H200 * WARPS_OF_A_BLOCK)
    parser.add_argument("--parts", type=int, nargs="+", default=[1, 2, 4, 8])
    asked = parser.parse_args()
    row_offsets = egr.read(asked.graph).row_offsets.astype(np.int64)
    degrees = np.diff(row_offsets)
    print("parts,partition,edges of the busiest warp,mean of all warps,longest row")
    for parts in asked.parts:
        mean = int(degrees.sum()) / parts / asked.warps
        for name, owner in owners(row_offsets, parts).items():
            most = max(busiest(degrees[owner == part], asked.warps) for part in range(parts))
            print(f"{parts},{name},{most},{mean:.0f},{int(degrees.max())}")


if __name__ == "__main__":
    main()
