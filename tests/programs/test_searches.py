"""Searches from up to 64 sources at a time: each row of the result is that of a search from one of them."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest

from generator.space import Style, load_space, name_of
from inputs.formats import egr
from inputs.generators import preferential
from inputs.graph import from_arcs, from_edges
from inputs.interchange import to_networkx
from tests.configs import chosen, selected
from tests.generator.libraries import library
from tests.memory import LONG, WORK
from tests.programs.conftest import run_on
from tests.programs.planting import faulty
from tests.programs.store import Binaries, build, emulate
from tests.programs.test_cuda_emulated import ALWAYS, OFTEN, UNDISTURBED, among_emulated, is_found
from tests.selection import covered, todays

if TYPE_CHECKING:
    from pathlib import Path


SPACE = load_space()


def choose(*models: str) -> list[Style]:
    return [
        each
        for config in ("searches", "distances")
        for each in covered(style for style in selected(config) if style["model"] in models)
    ]


CPU = chosen("cpu", lambda: choose("cpp", "openmp"))
CUDA = chosen("cuda", lambda: among_emulated(choose("cuda")))
DISTANCES = "sssp-cpp-vertex-data-nodup-push-checked-nondet-blocked-i32-interleaved"
FAULTS = {
    "half-a-word-of-distances": (DISTANCES, "found |= searches_t{1} << j", "found |= searches_t{1} << j % 32"),
    "distances-of-one-source": (DISTANCES, "first_of(s, v) + j];", "first_of(s, v) + j] + (j == 40 && v > 0);"),
    "distances-of-a-neighbour": (DISTANCES, "first_of(s, u) + j]) + weight", "first_of(s, u) + (j ^ 1)]) + weight"),
    "who-is-told-again-stays-away": (DISTANCES, "s.next_frontier[u] = 0;", ""),
    "who-knows-is-told": (
        "bfs-cpp-vertex-topology-push-rmw-det-blocked-i32-bitparallel",
        "from & ~s.reached[v]",
        "from",
    ),
    "half-a-word": (
        "bfs-cpp-vertex-topology-push-rmw-det-blocked-i32-bitparallel",
        "searches_t{1} << i",
        "searches_t{1} << i % 32",
    ),
    "nobody-is-beyond-reach": (
        "bfs-openmp-vertex-topology-pull-rw-det-dynamic-i32-bitparallel",
        "write_levels(s, v, s.all & ~s.reached[v], infinity)",
        "write_levels(s, v, 0, infinity)",
    ),
    "one-search-is-enough": (
        "bfs-openmp-vertex-topology-pull-rw-det-dynamic-i32-bitparallel",
        "(open & ~found) == 0",
        "(open & found) != 0",
    ),
}


@pytest.fixture(scope="session")
def graphs() -> dict[bool, list[Path]]:
    """By whether they are directed: one with hubs and a second part, a path, and a vertex."""
    folder = WORK / "graphs" / "searches"
    made: dict[bool, list[Path]] = {}
    for directed in (False, True):
        hubs = preferential(60, 3, directed=directed).to_edges()
        ends = np.arange(69)
        lists = {
            "parts": (70, [*hubs.sources, 60, 61], [*hubs.destinations, 61, 62]),
            "path": (70, ends, ends + 1),
            "vertex": (1, [], []),
        }
        made[directed] = []
        for name, (n, sources, destinations) in lists.items():
            path = folder / f"{name}-{directed}.egr"
            arrays = (np.array(each, dtype=np.int64) for each in (sources, destinations))
            egr.write((from_arcs if directed else from_edges)(n, *arrays), path)
            made[directed].append(path)
    return made


def from_sources(graph: Path, count: int) -> list[str]:
    """Options for so many searches from vertices of a graph: the last ones first, as others are neighbours of hubs."""
    n = egr.read(graph).vertex_count
    return [word for i in range(count) for word in ("--source", str(n - 1 - 3 * i % n))]


@pytest.fixture(scope="module")
def on_cpu() -> Binaries:
    return build([*CPU, *(SPACE.legal(name) for name, _, _ in FAULTS.values())])


@pytest.fixture(scope="module")
def on_emulator() -> Binaries:
    return emulate(CUDA)


@pytest.mark.compile
@pytest.mark.parametrize("style", CPU, ids=name_of)
def test_a_cpu_program_searches_from_any_number_of_sources(
    style: Style, on_cpu: Binaries, graphs: dict[bool, list[Path]]
) -> None:
    for graph in graphs["direction" in style]:
        for threads, count in (("1", 64), ("5", 64), ("2", 1), ("16", 33)):
            (report,) = run_on(on_cpu(style), [graph], "--threads", threads, *from_sources(graph, count))
            assert len(report["sources"]) == count


@pytest.mark.compile
@pytest.mark.parametrize("style", CUDA, ids=name_of)
def test_a_cuda_program_is_right_in_any_order_of_its_threads(
    style: Style, on_emulator: Binaries, graphs: dict[bool, list[Path]]
) -> None:
    for seed, accesses, count in (("1", UNDISTURBED, 64), ("2", OFTEN, 40), ("3", ALWAYS, 64)):
        for graph in graphs["direction" in style]:
            run_on(on_emulator(style), [graph], "--reps", "2", *from_sources(graph, count), seed=seed, slice=accesses)


@pytest.mark.compile
@pytest.mark.parametrize("fault", todays(FAULTS, 2) if not LONG else FAULTS)
def test_a_fault_is_found(fault: str, graphs: dict[bool, list[Path]]) -> None:
    program = faulty(*FAULTS[fault])
    assert any(is_found(program, graph, *from_sources(graph, 64)) for graph in graphs[False])


@pytest.mark.compile
def test_rows_of_levels_are_those_of_networkx_also_where_they_take_another_word(
    on_cpu: Binaries, graphs: dict[bool, list[Path]], tmp_path: Path
) -> None:
    binary, path = on_cpu(SPACE.legal(FAULTS["half-a-word"][0])), graphs[False][0]
    graph = to_networkx(egr.read(path))
    command = [binary, path, "--reps", "1", *from_sources(path, 70), "--dump", tmp_path / "levels.npy"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert [len(json.loads(line)["sources"]) for line in done.stdout.splitlines()] == [64, 6]
    for row, source in zip(np.load(tmp_path / "levels.npy"), map(int, from_sources(path, 70)[1::2]), strict=True):
        expected = nx.single_source_shortest_path_length(graph, source)
        assert row.tolist() == [expected.get(v, -1) for v in range(70)]


@pytest.mark.compile
def test_rows_of_distances_are_those_of_networkx(
    on_cpu: Binaries, graphs: dict[bool, list[Path]], tmp_path: Path
) -> None:
    """Also along edges of weight 0."""
    graph = egr.read(graphs[False][0])
    edges = graph.to_edges()
    weights = ((edges.sources + edges.destinations) % 5).astype(np.int32)
    graph, path = replace(graph, weights=weights), tmp_path / "weighted.egr"
    egr.write(graph, path)
    weighted = to_networkx(graph)
    command = [on_cpu(SPACE.legal(DISTANCES)), path, "--reps", "1", *from_sources(path, 40)]
    subprocess.run([*command, "--dump", tmp_path / "dist.npy"], capture_output=True, check=True)
    for row, source in zip(np.load(tmp_path / "dist.npy"), map(int, from_sources(path, 40)[1::2]), strict=True):
        expected = nx.single_source_dijkstra_path_length(weighted, source)
        assert row.tolist() == [expected.get(v, -1) for v in range(70)]


@pytest.mark.compile
def test_a_library_has_a_row_for_each_of_any_number_of_sources() -> None:
    solver = library(FAULTS["half-a-word"][0]).Solver(nx.path_graph(80))
    sources = [*range(10, 80), 10]
    found = solver.solve(sources)["level"]
    assert found.tolist() == [[abs(source - v) for v in range(80)] for source in sources]
    weighted = nx.path_graph(80)
    nx.set_edge_attributes(weighted, 3, "weight")
    assert library(DISTANCES).Solver(weighted).solve(sources)["dist"].tolist() == [
        [3 * abs(source - v) for v in range(80)] for source in sources
    ]
    with pytest.raises(ValueError, match="source 80 is not a vertex"):
        solver.solve([3, 80])
    with pytest.raises(ValueError, match="no vertex to start from"):
        solver.solve([])
