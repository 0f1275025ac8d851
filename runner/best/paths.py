"""Shortest paths, from the distances that a program has found: which neighbour of a vertex comes before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from inputs.graph import hash_weights

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from inputs.graph import EdgeList

NOBODY = -1
PREDECESSOR = "predecessor"
SOURCE = "source"


def predecessors(
    edges: EdgeList, distances: NDArray[Any], source: int | None, *, weighted: bool, made: str | None
) -> NDArray[np.int64]:
    """Finds a tree of shortest paths.

    Args:
        edges: of the graph that was solved.
        distances: from the source, shape (n,); negative beyond reach. Real ones have been rounded at each edge.
        source: where paths begin; None: at the first vertex that has an edge.
        weighted: edges have weights; else each is a step.
        made: which weights a graph without any was given: "one", or None for hashes.

    Returns:
        The vertex before each on one of its shortest paths, shape (n,); `NOBODY` for the source and beyond reach.
    """
    if source is None:
        source = int(edges.sources[0]) if len(edges.sources) else 0
    weights = _weights(edges, made) if weighted else np.ones(1, dtype=np.int64)
    before, after = edges.sources, edges.destinations
    offers = distances[before] + weights.astype(distances.dtype, copy=False)
    tight = (distances[before] >= 0) & (offers == distances[after]) & (after != source)
    found = np.full(len(distances), NOBODY, dtype=np.int64)
    forward = tight & (distances[before] < distances[after])
    found[after[forward]] = before[forward]
    # Edges that add nothing lead back and forth: they may only go on from who has a path already.
    idle = np.flatnonzero(tight & ~forward)
    while len(idle):
        has_path = found != NOBODY
        has_path[source] = True
        useful = idle[has_path[before[idle]] & ~has_path[after[idle]]]
        found[after[useful]] = before[useful]
        idle = idle[found[after[idle]] == NOBODY] if len(useful) else useful
    return found


def path_in(rows: pd.DataFrame, vertex: int) -> str:
    """Reads a shortest path out of a table of results.

    Args:
        rows: as `runner.best.answers.tabulate` makes them.
        vertex: the number of the vertex where the path ends.

    Returns:
        The vertices of the path, as they are called, and its length; of several sources, those of each.
    """
    parts = [part for _, part in rows.groupby(SOURCE, sort=False)] if SOURCE in rows else [rows]
    return "\n".join(_path_in(part, vertex) for part in parts)


def _path_in(rows: pd.DataFrame, vertex: int) -> str:
    import pandas as pd

    called = rows["vertex"].astype(str).tolist()
    length: Any = rows.drop(columns=[SOURCE, "vertex", PREDECESSOR], errors="ignore").iloc[vertex, 0]
    if pd.isna(length):
        return f"{called[vertex]} is beyond reach" + (f" of {rows[SOURCE].iloc[0]}" if SOURCE in rows else "")
    before = {name: None if pd.isna(one) else str(one) for name, one in zip(called, rows[PREDECESSOR], strict=True)}
    path = [called[vertex]]
    while (previous := before[path[-1]]) is not None:
        path.append(previous)
    return f"{' -> '.join(reversed(path))}  ({length})"


def _weights(edges: EdgeList, made: str | None) -> NDArray[Any]:
    if edges.weights is not None:
        return edges.weights
    return np.ones(1, dtype=np.int64) if made == "one" else hash_weights(edges.sources, edges.destinations)
