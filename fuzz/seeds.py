"""Writes the first inputs of the fuzzer: small graphs, whole and broken. `python -m fuzz.seeds FOLDER`."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from inputs.formats import egr
from inputs.graph import EdgeList, hash_weights
from inputs.tiny import TINY


def write_seeds(folder: Path) -> None:
    """Writes every tiny graph without weights, with weights, with directions, with 64-bit offsets, and cut off.

    Raises:
        OSError: a file cannot be written.
    """
    for name, tiny in TINY.items():
        graph, path = tiny.graph(), folder / f"{name}.egr"
        edges = graph.to_edges()
        egr.write(graph, path)
        weights = hash_weights(edges.sources, edges.destinations)
        egr.write(replace(graph, weights=weights), folder / f"{name}-w.egr")
        egr.write(replace(graph, weights=np.float32(1.5) - weights.astype(np.float32)), folder / f"{name}-r.egr")
        arcs = EdgeList(tiny.vertex_count, *np.array(tiny.edges, dtype=np.int32).reshape(-1, 2).T)
        egr.write(arcs.to_graph(directed=True), folder / f"{name}-d.egr")
        layout = egr.Layout(graph.vertex_count, graph.edge_count, wide=True)
        egr.write_parts(folder / f"{name}-64.egr", layout, [graph.row_offsets], [graph.neighbours])
        (folder / f"{name}-cut.egr").write_bytes(path.read_bytes()[:-3])


if __name__ == "__main__":
    write_seeds(Path(sys.argv[1]))
