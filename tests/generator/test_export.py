"""Exported programs: they compile alone, are right, and refuse what is no graph."""

from __future__ import annotations

import gc
import importlib.util
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest

from generator.errors import UserError
from generator.export import export, files
from generator.render import render
from generator.space import Space, Style, name_of

if TYPE_CHECKING:
    from pathlib import Path

GRAPH = nx.gnm_random_graph(60, 90, seed=1)


@pytest.fixture(scope="module")
def load(space: Space, everything: list[Style], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Exports, compiles outside the checkout and loads the first program of an algorithm and a model."""
    make = shutil.which("make")
    if make is None or shutil.which("g++") is None:
        pytest.skip("no make or no g++")

    def load(algorithm: str, model: str) -> Any:
        style = next(style for style in everything if (style["algorithm"], style["model"]) == (algorithm, model))
        folder = tmp_path_factory.mktemp("export") / "new"
        export(render(space, style), space.algorithms[algorithm], folder)
        (module,) = folder.glob("*.py")
        flags = "CXXFLAGS=-O1 -Wall -Wextra -Werror"
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
        done = subprocess.run(
            [make, flags, "example"], cwd=folder, capture_output=True, text=True, check=False, env=environment
        )
        assert done.returncode == 0, done.stderr
        assert (
            "values of type" in subprocess.run([folder / "example"], capture_output=True, text=True, check=True).stdout
        )
        spec = importlib.util.spec_from_file_location(module.stem, module)
        assert spec is not None
        assert spec.loader is not None
        loaded = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(loaded)
        return loaded

    return load


def levels(graph: Any, source: int, found: Any) -> None:
    """Holds levels against networkx; beyond reach, they are -1."""
    right = nx.single_source_shortest_path_length(graph, source)
    assert {v: level for v, level in enumerate(found.tolist()) if level >= 0} == dict(right)


@pytest.mark.parametrize("model", ["cpp", "openmp"])
def test_a_library_agrees_with_networkx(load: Any, model: str) -> None:
    solver = load("bfs", model).Solver(GRAPH, threads=2)
    for source in (0, 7):
        levels(GRAPH, source, solver.solve(source)["level"])
    assert solver.seconds > 0


def test_weights_are_used(load: Any) -> None:
    graph = GRAPH.copy()
    for number, (u, v) in enumerate(graph.edges):
        graph[u][v]["weight"] = number % 9 + 1
    found = load("sssp", "openmp").Solver(graph, threads=2).solve(3)
    (distances,) = found.values()
    right = nx.single_source_dijkstra_path_length(graph, 3)
    assert {v: distance for v, distance in enumerate(distances.tolist()) if distance >= 0} == dict(right)


def test_several_sources(load: Any) -> None:
    found = load("bc", "cpp").Solver(GRAPH, threads=2).solve([*GRAPH])
    right = nx.betweenness_centrality(GRAPH, normalized=False)
    values = next(values for values in found.values() if len(values) == len(GRAPH))
    assert np.allclose(values, [2 * right[v] for v in GRAPH], rtol=1e-4)


def test_libraries_and_handles_live_side_by_side(load: Any) -> None:
    """Handles share a library's team of threads; those with other numbers of threads must not get each other's."""
    cpp, openmp = load("bfs", "cpp"), load("bfs", "openmp")
    solvers = [module.Solver(GRAPH, threads) for module in (cpp, openmp) for threads in (1, 3, 2)]
    sources = range(10)
    with ThreadPoolExecutor(len(solvers)) as pool:
        for found in pool.map(lambda solver: [solver.solve(source)["level"] for source in sources], solvers):
            for source in sources:
                levels(GRAPH, source, found[source])
    del solvers[2]  # made last of its library, so that its team was the one in use
    gc.collect()
    levels(GRAPH, 5, solvers[0].solve(5)["level"])


def test_bad_graphs_are_refused_with_a_reason(load: Any) -> None:
    module = load("bfs", "cpp")

    def refuse(
        error: type[Exception], reason: str, offsets: list[int], neighbours: list[int], kind: str = "i4"
    ) -> None:
        with pytest.raises(error, match=reason):
            module.Solver((np.array(offsets, kind), np.array(neighbours, kind)))

    refuse(TypeError, "int32", [0, 1, 2], [1, 0], "i8")
    refuse(ValueError, "not CSR", [0, 1, 3], [1, 0])
    refuse(ValueError, "do not begin with 0", [1, 1, 2], [1, 0])
    refuse(ValueError, "decrease after vertex 1", [0, 2, 1, 2], [1, 2])
    refuse(ValueError, r"neighbours\[1\] is 2, not a vertex from 0 to 1", [0, 1, 2], [1, 2])
    refuse(ValueError, "vertex 1 has an edge to itself", [0, 1, 2], [1, 1])
    refuse(ValueError, "row of vertex 0 is not ascending", [0, 2, 3, 4], [2, 1, 0, 0])
    refuse(ValueError, r"edge \(0, 1\) has no reverse", [0, 1, 1], [1])
    solver = module.Solver((np.array([0, 1, 2], "i4"), np.array([1, 0], "i4")))
    with pytest.raises(ValueError, match="source 2 is not a vertex from 0 to 1"):
        solver.solve(2)
    assert solver.solve(1)["level"].tolist() == [1, 0]  # the process lives


def test_the_text_of_a_program_is_kept_and_no_harness_comes_along(space: Space, everything: list[Style]) -> None:
    seen = set()
    for style in everything:
        key = (style["algorithm"], style["model"])
        if key in seen:
            continue
        seen.add(key)
        program = render(space, style)
        made = files(program, space.algorithms[style["algorithm"]])
        assert program.text in made.values(), name_of(style)
        for name in ("harness", "graph_file", "json", "reference", "files"):
            assert not any(path.startswith(f"src/{name}.") for path in made), name_of(style)


def test_a_folder_in_use_is_left_alone(space: Space, everything: list[Style], tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(UserError, match="not an empty folder"):
        export(render(space, everything[0]), space.algorithms[everything[0]["algorithm"]], tmp_path)


def test_a_program_of_directed_graphs_is_refused(space: Space, tmp_path: Path) -> None:
    style = space.parse("bfs-cpp-vertex-topology-push-rmw-nondet-blocked-i32-directed")
    with pytest.raises(UserError, match="takes directed graphs, and libraries take undirected ones"):
        export(render(space, style), space.algorithms["bfs"], tmp_path / "new")
    assert not (tmp_path / "new").exists()
