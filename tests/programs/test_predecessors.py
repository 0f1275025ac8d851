"""Searches that say from which vertex they came to each: any tree of shortest paths is right."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest

from generator.space import Style, load_space, name_of
from inputs.formats import egr
from inputs.generators import preferential
from inputs.interchange import to_networkx
from tests.configs import chosen, selected
from tests.memory import LONG, WORK
from tests.programs.conftest import find_tiny_graphs, run_on, with_zeros
from tests.programs.planting import faulty
from tests.programs.store import Binaries, build, emulate
from tests.programs.test_cuda_emulated import ALWAYS, OFTEN, UNDISTURBED, among_emulated, is_found
from tests.selection import covered, todays

if TYPE_CHECKING:
    from pathlib import Path


SPACE = load_space()


def choose(*models: str) -> list[Style]:
    return covered(style for style in selected("predecessors") if style["model"] in models)


CPU = chosen("cpu", lambda: choose("cpp", "openmp"))
CUDA = chosen("cuda", lambda: among_emulated(choose("cuda")))
FAULTS = {
    "equals-take-over": (
        "sssp-cpp-vertex-data-nodup-push-checked-nondet-blocked-i32-stored",
        "while (distance < distance_of(known))",
        "while (distance <= distance_of(known))",
    ),
    "who-has-nobody-explains": (
        "sssp-openmp-vertex-topology-pull-rw-nondet-dynamic-i32-derived",
        " || atomic_load(&s.predecessor[u]) != nobody",
        " || s.weights[e] == 0",
    ),
    "one-pass-is-enough": (
        "sssp-openmp-edge-topology-push-rmw-nondet-dynamic-i32-derived",
        "    waiting = true;",
        "    waiting = false;",
    ),
    "the-source-has-one": ("bfs-openmp-vertex-topology-pull-rw-nondet-dynamic-i32-derived", " && v != s.source", ""),
}


@pytest.fixture(scope="session")
def graphs() -> dict[bool, list[Path]]:
    """By whether they are directed; most have edges of weight 0, and one has no others."""
    folder = WORK / "graphs" / "predecessors"
    made: dict[bool, list[Path]] = {False: find_tiny_graphs(), True: []}
    for directed in (False, True):
        graph = with_zeros(preferential(60, 3, directed=directed))
        for name, weights in (("mixed", graph.weights), ("zeros", np.zeros_like(graph.weights))):
            path = folder / f"{name}-{directed}.egr"
            egr.write(replace(graph, weights=weights), path)
            made[directed].append(path)
    return made


@pytest.fixture(scope="module")
def on_cpu() -> Binaries:
    return build([*CPU, *(SPACE.legal(name) for name, _, _ in FAULTS.values())])


@pytest.fixture(scope="module")
def on_emulator() -> Binaries:
    return emulate(CUDA)


@pytest.mark.compile
@pytest.mark.parametrize("style", CPU, ids=name_of)
def test_a_cpu_program_finds_a_tree_with_any_number_of_threads(
    style: Style, on_cpu: Binaries, graphs: dict[bool, list[Path]]
) -> None:
    for threads in ("1", "2", "5", "16"):
        reports = run_on(on_cpu(style), graphs["direction" in style], "--threads", threads)
        assert all(report["algorithm"] == style["algorithm"] for report in reports)


@pytest.mark.compile
@pytest.mark.parametrize("style", CUDA, ids=name_of)
def test_a_cuda_program_finds_a_tree_in_any_order_of_its_threads(
    style: Style, on_emulator: Binaries, graphs: dict[bool, list[Path]]
) -> None:
    for seed, accesses, few in (("1", UNDISTURBED, -3), ("2", OFTEN, 0), ("3", ALWAYS, -3)):
        run_on(on_emulator(style), graphs["direction" in style][few:], "--reps", "2", seed=seed, slice=accesses)


@pytest.mark.compile
@pytest.mark.parametrize("fault", todays(FAULTS, 2) if not LONG else FAULTS)
def test_a_fault_is_found(fault: str, graphs: dict[bool, list[Path]]) -> None:
    program = faulty(*FAULTS[fault])
    assert any(is_found(program, graph, "--threads", "4", "--reps", "20") for graph in graphs[False][-5:])


@pytest.mark.compile
def test_paths_are_as_long_as_those_of_networkx(
    on_cpu: Binaries, graphs: dict[bool, list[Path]], tmp_path: Path
) -> None:
    path = next(each for each in graphs[False] if each.stem == "karate-weighted")
    graph = to_networkx(egr.read(path))
    expected = nx.single_source_dijkstra_path_length(graph, 0)
    for name, _, _ in FAULTS.values():
        if name.startswith("sssp"):
            run_on(on_cpu(SPACE.legal(name)), [path], "--source", "0", "--reps", "1", "--dump", str(tmp_path / "x.npy"))
            before = np.load(tmp_path / "x.predecessor.npy")
            assert before[0] == -1
            for v in graph:
                way = [v]
                while before[way[-1]] >= 0:
                    way.append(int(before[way[-1]]))
                assert nx.path_weight(graph, way, "weight") == expected[v] or way == [0]
