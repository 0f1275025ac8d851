"""A program as a library beside those that people use: what notebook 05 calls."""

from __future__ import annotations

import importlib
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
from scipy.sparse.csgraph import dijkstra

from generator.export import export
from generator.render import render
from generator.space import load_space

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import scipy.sparse
    from matplotlib.figure import Figure


def build(name: str, folder: Path) -> Any:
    """Exports a program to a new folder and compiles it there; returns its Python module.

    Raises:
        UserError: the folder has something in it.
        subprocess.CalledProcessError: it does not compile.
    """
    space = load_space()
    style = space.parse(name)
    export(render(space, style), space.algorithms[style["algorithm"]], folder)
    make = shutil.which("make") or "make"
    subprocess.run([make, "-s", "-C", str(folder)], check=True)
    sys.path.insert(0, str(folder))
    return importlib.import_module(name.replace("-", "_"))


def on_gpu(matrix: scipy.sparse.csr_array) -> Any:
    """Returns row offsets and neighbours of a graph, int32: arrays of cupy where it has a GPU, and else of numpy."""
    arrays = matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32)
    try:
        import cupy

        return tuple(map(cupy.asarray, arrays))
    except Exception:  # neither cupy nor, with it, a GPU
        return arrays


def compare(solver: Any, matrix: scipy.sparse.csr_array, source: int = 0) -> dict[str, float]:
    """Times breadth-first search by a library, scipy and networkx, once each after a warm-up of the library.

    Returns:
        Seconds of the whole call, by name.

    Raises:
        ValueError: levels differ.
    """
    graph = nx.from_scipy_sparse_array(matrix)
    solver.solve(source)
    calls: dict[str, Callable[[], Any]] = {
        "library": lambda: solver.solve(source)["level"],
        "scipy": lambda: dijkstra(matrix, indices=source, unweighted=True),  # type: ignore[call-overload]
        "networkx": lambda: nx.single_source_shortest_path_length(graph, source),
    }
    seconds, found = {}, {}
    for name, call in calls.items():
        start = time.perf_counter()
        found[name] = call()
        seconds[name] = time.perf_counter() - start
    levels = np.asarray(found["library"].tolist())
    distances = np.where(np.isinf(found["scipy"]), -1, found["scipy"])
    if not np.array_equal(levels, distances) or len(found["networkx"]) != (levels >= 0).sum():
        raise ValueError("levels differ")
    return seconds


def points(seconds: dict[str, float]) -> Figure:
    """Draws seconds by name: points, as a bar on a logarithmic scale has no beginning."""
    figure, axes = plt.subplots(figsize=(5, 1.8))
    axes.plot(list(seconds.values()), list(seconds), "o")
    axes.set(xscale="log", xlabel="seconds")
    axes.grid(axis="x")
    axes.margins(0.1, 0.3)
    axes.invert_yaxis()
    return figure
