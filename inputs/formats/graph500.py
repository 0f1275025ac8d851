"""Edge lists of the Graph500 generator, `.graph500`: packed edges of 12 bytes, little endian.

An edge is `uint32 low[2]; uint16 high[2]`: 32 and 16 bits of each end.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from inputs.formats import binary
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import whole_file, write_array
from inputs.graph import BATCH, MAX_COUNT, EdgeList, Graph, concatenate
from inputs.weights import WHOLE, WeightRule

_EDGE = np.dtype([("low", "<u4", 2), ("high", "<u2", 2)])


def read(path: Path, *, weights: WeightRule = WHOLE) -> EdgeList:
    """Reads the edges as written, which have no weights; there are vertices up to the largest id.

    Raises:
        GraphFormatError: the file ends within an edge, or an id has more than 31 bits.
        OSError: the file cannot be read.
    """
    return concatenate(list(stream(path, weights=weights)))


def stream(path: Path, *, weights: WeightRule = WHOLE) -> Iterator[EdgeList]:
    """Reads edges piece by piece, as `read` does in all else."""
    del weights
    content = binary.map_bytes(path)
    if len(content) % _EDGE.itemsize:
        raise GraphFormatError(path, f"byte {len(content)}", f"the file ends within an edge of {_EDGE.itemsize} bytes")
    edges = content.view(_EDGE)
    for first in range(0, max(len(edges), 1), BATCH):
        part = edges[first : first + BATCH]
        wrong = (part["high"] != 0) | (part["low"] >= MAX_COUNT)
        if wrong.any():
            edge, end = divmod(int(wrong.argmax()), 2)
            vertex = int(part["low"][edge, end]) + (int(part["high"][edge, end]) << 32)
            at = (first + edge) * _EDGE.itemsize
            raise GraphFormatError(path, f"byte {at}", f"vertex {vertex} is not in [0, {MAX_COUNT})")
        ends = part["low"].astype(np.int32)
        yield EdgeList(int(ends.max(initial=-1)) + 1, ends[:, 0], ends[:, 1])


def write(graph: Graph, path: Path) -> None:
    """Writes every edge once, undirected ones from the smaller vertex; weights are lost.

    Raises:
        OSError: the file cannot be written; nothing is left behind.
    """
    with whole_file(path) as file:
        for edges in graph.batches():
            once = (edges.sources < edges.destinations) | graph.directed
            packed = np.zeros(int(once.sum()), dtype=_EDGE)
            packed["low"] = np.stack([edges.sources[once], edges.destinations[once]], axis=1)
            write_array(file, packed.view("<u4"), "<u4")
