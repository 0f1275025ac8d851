"""Programs for real weights: distances are right to the last bit, whatever the order in which they are found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest

from generator.space import Style, load_space, name_of
from inputs.formats import egr
from inputs.generators import preferential
from inputs.graph import from_edges, hash_weights
from inputs.interchange import to_networkx
from tests.configs import chosen, selected
from tests.memory import LONG, WORK
from tests.programs.conftest import run_on
from tests.programs.planting import faulty
from tests.programs.store import Binaries, build, emulate
from tests.programs.test_cuda_emulated import ALWAYS, OFTEN, UNDISTURBED, is_found
from tests.programs.test_multigpu_emulated import run_in_parts
from tests.selection import covered, todays

if TYPE_CHECKING:
    from pathlib import Path

    from inputs.graph import Graph

SPACE = load_space()


def choose(*models: str) -> list[Style]:
    of_models = [style for style in selected("real") if style["model"] in models]
    plain = [style for style in of_models if style.get("atomics", "atomic") == "atomic"]
    others = [style for style in of_models if style not in plain]
    return covered([*plain, *SPACE.add(SPACE.axis("predecessors"), plain)]) + covered(others)


CPU = chosen("cpu", lambda: choose("cpp", "openmp"))
CUDA = chosen("cuda", lambda: choose("cuda"))
PARTS = chosen("multigpu", lambda: choose("multigpu"))
DELTA = "sssp-cpp-vertex-data-dup-push-rw-nondet-blocked-r32-delta"
FAULTS = {
    "a-bucket-is-too-late": (DELTA, "bucket_of(candidate, s.width)", "bucket_of(candidate, s.width) + 1"),
    "sums-are-rounded-otherwise": (
        "sssp-openmp-vertex-topology-pull-rw-det-dynamic-r32",
        "s.dist[u] + s.weights[e]",
        "s.dist[u] + s.weights[e] * 1.0000001f",
    ),
    "edges-are-ordered-as-bits": (
        "mst-openmp-edge-topology-push-rmw-det-dynamic-r32",
        "pack(ordered(s.weights[e]), e)",
        "pack(reinterpret_cast<const int*>(s.weights)[e], e)",
    ),
    "what-adds-nothing-explains": (
        "sssp-openmp-vertex-topology-pull-rw-nondet-dynamic-r64-derived",
        "(s.dist[u] < own || u",
        "(s.weights[e] > 0 || u",
    ),
    "equals-take-over": (
        "sssp-cpp-vertex-data-nodup-push-checked-nondet-blocked-r32-stored",
        "while (distance < real_distance_of(known))",
        "while (distance <= real_distance_of(known))",
    ),
}


def with_real(graph: Graph, *, negative: bool) -> Graph:
    """Gives edges weights of any size, also 0, what adds nothing to others, and, if they may be, below 0."""
    noise = np.random.default_rng(1)
    sizes = noise.lognormal(0, 4, 64).astype(np.float32)
    sizes[:4] = 0
    sizes[4:12] = np.float32(1e-18)
    signs = noise.choice([-1, 1], 64).astype(np.float32) if negative else np.float32(1)
    edges = graph.to_edges()
    chosen = hash_weights(edges.sources, edges.destinations) - 1
    return replace(graph, weights=(sizes * signs + np.float32(0))[chosen].view(np.int32))


@pytest.fixture(scope="session")
def graphs() -> dict[tuple[str, bool], list[Path]]:
    """By the algorithm, and whether they are directed."""
    made: dict[tuple[str, bool], list[Path]] = {}
    for algorithm, directed in (("sssp", False), ("sssp", True), ("mst", False)):
        made[algorithm, directed] = []
        for n in (60, 400):
            path = WORK / "graphs" / "real" / f"{algorithm}-{directed}-{n}.egr"
            egr.write(with_real(preferential(n, 3, directed=directed), negative=algorithm == "mst"), path)
            made[algorithm, directed].append(path)
    # 1 and 2 are as far, and each could explain the other.
    lengths = np.array([1, 1, 1e-18], dtype=np.float32).view(np.int32)
    equals = WORK / "graphs" / "real" / "equals.egr"
    egr.write(from_edges(4, np.array([0, 3, 1]), np.array([3, 1, 2]), lengths), equals)
    made["sssp", False].append(equals)
    return made


@pytest.fixture(scope="module")
def on_cpu() -> Binaries:
    return build([*CPU, SPACE.legal(DELTA)])


@pytest.fixture(scope="module")
def on_emulator() -> Binaries:
    return emulate([*CUDA, *PARTS])


@pytest.mark.compile
@pytest.mark.parametrize("style", CPU, ids=name_of)
def test_a_cpu_program_is_right_with_any_number_of_threads(
    style: Style, on_cpu: Binaries, graphs: dict[tuple[str, bool], list[Path]]
) -> None:
    for threads in ("1", "2", "5", "16"):
        reports = run_on(on_cpu(style), graphs[style["algorithm"], "direction" in style], "--threads", threads)
        assert all(report["weights"] == "of the graph" for report in reports)


@pytest.mark.compile
@pytest.mark.parametrize("style", CUDA, ids=name_of)
def test_a_cuda_program_is_right_in_any_order_of_its_threads(
    style: Style, on_emulator: Binaries, graphs: dict[tuple[str, bool], list[Path]]
) -> None:
    small = graphs[style["algorithm"], "direction" in style][:1]
    for seed, accesses in (("1", UNDISTURBED), ("2", OFTEN), ("3", ALWAYS)):
        run_on(on_emulator(style), small, "--reps", "2", seed=seed, slice=accesses)


@pytest.mark.compile
@pytest.mark.parametrize("style", PARTS, ids=name_of)
def test_a_program_for_several_gpus_is_right(
    style: Style, on_emulator: Binaries, graphs: dict[tuple[str, bool], list[Path]]
) -> None:
    small, _, equals = graphs["sssp", False]
    run_in_parts(on_emulator(style), style, [small, equals])


@pytest.mark.compile
@pytest.mark.parametrize("fault", todays(FAULTS, 1) if not LONG else FAULTS)
def test_a_fault_is_found(fault: str, graphs: dict[tuple[str, bool], list[Path]]) -> None:
    program = faulty(*FAULTS[fault])
    assert any(is_found(program, graph, "--threads", "4") for graph in graphs[program.name.split("-")[0], False])


@pytest.mark.compile
def test_distances_are_those_of_networkx_up_to_rounding(
    on_cpu: Binaries, graphs: dict[tuple[str, bool], list[Path]], tmp_path: Path
) -> None:
    """Each of at most n - 1 additions is off by no more than half an ulp."""
    path = graphs["sssp", False][1]
    run_on(on_cpu(SPACE.legal(DELTA)), [path], "--source", "0", "--reps", "1", "--dump", str(tmp_path / "x.npy"))
    found = np.load(tmp_path / "x.npy")
    assert found.dtype == np.float32
    made = with_real(preferential(400, 3), negative=False)
    assert made.weights is not None
    graph = to_networkx(replace(made, weights=made.weights.view(np.float32)))
    expected = nx.single_source_dijkstra_path_length(graph, 0)
    assert len(expected) == len(found)
    for v, distance in expected.items():
        assert abs(found[v] - distance) <= len(found) * 2**-24 * distance
