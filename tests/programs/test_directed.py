"""Programs for directed graphs: all of three vertices and some others, on CPUs and the emulator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pytest
from scipy.sparse.csgraph import connected_components

from generator.config import first_of_each
from generator.space import Style, load_space, name_of
from inputs.formats import egr
from inputs.generators import all_graphs, preferential, rmat
from inputs.graph import from_arcs
from inputs.interchange import to_networkx, to_scipy
from tests.configs import chosen, selected, united
from tests.memory import LONG, WORK
from tests.programs.conftest import ended, few_rounds, run_on, with_zeros
from tests.programs.store import Binaries, build, emulate
from tests.programs.test_cuda_emulated import ALWAYS, OFTEN, UNDISTURBED
from tests.selection import sample, todays, with_changed
from trust.graphs import takes_directed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from inputs.graph import Graph

SPACE = load_space()


def plain(*kinds: str) -> list[Style]:
    """Returns the styles without optional values of the algorithms for such graphs."""
    takes = {name for name, algorithm in SPACE.algorithms.items() if {*kinds} & {*algorithm.facts.get("graphs", ())}}
    return [style for style in SPACE.styles() if style["algorithm"] in takes]


def possible(styles: Iterable[Style], *models: str) -> list[Style]:
    """Returns those of styles that can run here, in some models and on directed graphs."""
    return [
        style
        for style in styles
        if style["model"] in models
        and takes_directed(style)
        and (style["model"] != "cuda" or (style["datatype"] in ("i32", "f32") and style["atomics"] == "atomic"))
    ]


def choose(*models: str) -> list[Style]:
    """Of each algorithm every driver and flow, as far as the emulator can run them."""
    styles = [*selected("directed"), *plain("both", "sides")]
    styles += SPACE.add(SPACE.axis("direction"), SPACE.add(SPACE.axis("method"), plain("weak")))
    styles = possible(styles, *models)
    sharing = [style for style in styles if style.get("granularity") in ("twc", "merge") and style["flow"] == "pull"]
    every = united(
        first_of_each(styles, ["algorithm", "driver", "flow"]), first_of_each(sharing, ["algorithm", "granularity"])
    )
    few = united(first_of_each(every, ["algorithm"]), first_of_each(sharing, ["granularity"]))
    return every if LONG or models != ("cuda",) else united(few, sample(every, few))


CPU = chosen("cpu", lambda: choose("cpp", "openmp"))
CUDA = chosen("cuda", lambda: choose("cuda"))
TODAY_ON_CPU = with_changed(todays(CPU, 2), lambda styles: possible(styles, "cpp", "openmp"), most=4)
TODAY_ON_GPU = with_changed(todays(CUDA, 2), lambda styles: possible(styles, "cuda"), most=4)
NAMED = {
    algorithm: next(style for style in CPU if style["algorithm"] == algorithm)
    for algorithm in ("bfs", "cc", "hits", "pr", "salsa", "scc", "sssp", "wtf")
}

PIVOT = SPACE.legal("scc-openmp-vertex-data-nodup-push-checked-nondet-dynamic-i32-pivot")
PIVOTS_ON_GPU = [
    SPACE.legal(f"scc-cuda-vertex-data-nodup-push-checked-nondet-{style}-pivot")
    for style in ("persistent-teams-atomic-i32-all", "nonpersistent-merge-atomic-i32-aggregated")
]
BUGGY = [
    SPACE.legal(name)
    for name in (
        "bfs-cpp-vertex-topology-push-rw-nondet-blocked-i32-directed-guard",
        "hits-cpp-vertex-topology-pull-rmw-det-atomicred-blocked-f32-uninitialised",
        "salsa-cpp-vertex-topology-pull-rmw-det-blocked-f32-neighbourbounds",
        "scc-cpp-vertex-topology-push-rw-nondet-blocked-i32-guard",
    )
]


@pytest.fixture(scope="session")
def directed_graphs() -> list[Path]:
    """All directed graphs of up to three vertices, some of four, and a few larger ones, one with weights."""
    four = list(all_graphs(4, directed=True))
    graphs = {
        **{f"{n}-{i}": graph for n in (1, 2, 3) for i, graph in enumerate(all_graphs(n, directed=True))},
        **{f"4-{i}": four[i] for i in range(0, len(four), 271)},
        "preferential": preferential(60, 3, directed=True),
        "weighted": with_zeros(preferential(60, 3, directed=True)),
        "rmat": rmat(7, 500, directed=True),
    }
    folder = WORK / "graphs" / "directed"
    for name, graph in graphs.items():
        egr.write(graph, folder / f"{name}.egr")
    return [folder / f"{name}.egr" for name in graphs]


def few(graphs: list[Path]) -> list[Path]:
    """Returns every seventh graph, the last one among them."""
    return graphs[::-7][::-1]


@pytest.fixture(scope="module")
def on_cpu() -> Binaries:
    return build([*CPU, *TODAY_ON_CPU, PIVOT, *BUGGY])


@pytest.fixture(scope="module")
def on_emulator() -> Binaries:
    return emulate([*CUDA, *TODAY_ON_GPU, *PIVOTS_ON_GPU])


def test_there_are_programs_of_every_algorithm_that_takes_directed_graphs() -> None:
    for styles in (CPU, CUDA):
        taking = {name for name, algorithm in SPACE.algorithms.items() if "graphs" in algorithm.facts}
        assert {style["algorithm"] for style in styles} == taking


@pytest.mark.daily
@pytest.mark.compile
@pytest.mark.parametrize("style", TODAY_ON_CPU, ids=name_of)
def test_a_cpu_program_is_right_on_directed_graphs(style: Style, on_cpu: Binaries, directed_graphs: list[Path]) -> None:
    for threads, graphs in (
        ("1", directed_graphs),
        ("2", directed_graphs if LONG else []),
        ("8", few(directed_graphs)),
        ("16", few(directed_graphs) if LONG else []),
    ):
        if graphs:
            run_on(on_cpu(style), graphs, "--threads", threads, "--reps", "2")


@pytest.mark.daily
@pytest.mark.compile
@pytest.mark.parametrize("style", united(TODAY_ON_GPU, PIVOTS_ON_GPU), ids=name_of)
def test_a_cuda_program_is_right_on_directed_graphs(
    style: Style, on_emulator: Binaries, directed_graphs: list[Path]
) -> None:
    for seed, accesses, repetitions, graphs in (
        ("1", UNDISTURBED, "2", directed_graphs),  # the second finds what the first has left
        ("2", OFTEN, "1", few(directed_graphs)),
        ("3", ALWAYS, "1", few(directed_graphs)[:-1]),
    ):
        run_on(on_emulator(style), graphs, "--reps", repetitions, *few_rounds(style), seed=seed, slice=accesses)


@pytest.mark.compile
@pytest.mark.parametrize("style", [style for style in TODAY_ON_GPU if style["granularity"] == "merge"], ids=name_of)
def test_parts_of_a_row_in_several_blocks_add_up(style: Style, on_emulator: Binaries, tmp_path: Path) -> None:
    leaves = np.arange(1, 2101, dtype=np.int32)  # more than the edges that a block sums up at a time, 2,048
    centre = np.zeros_like(leaves)
    star = from_arcs(len(leaves) + 1, np.concatenate((centre, leaves)), np.concatenate((leaves, centre)))
    egr.write(star, tmp_path / "star.egr")
    run_on(on_emulator(style), [tmp_path / "star.egr"], "--reps", "2", slice=UNDISTURBED)


@pytest.mark.compile
@pytest.mark.parametrize("style", BUGGY, ids=name_of)
def test_a_planted_bug_is_found(style: Style, on_cpu: Binaries, directed_graphs: list[Path]) -> None:
    assert ended(on_cpu(style), directed_graphs[-1], "--reps", "2", "--warmup", "0").returncode == 1


@pytest.mark.compile
def test_a_program_refuses_graphs_of_the_other_kind(on_cpu: Binaries, tiny_graphs: list[Path]) -> None:
    for style in NAMED.values():
        done = ended(on_cpu(style), tiny_graphs[0])
        assert (done.returncode, done.stderr.count("\n")) == (3, 1)
        assert "has to be directed: violet graphs convert --directed" in done.stderr


def values_of(binary: Path, graph: Path, folder: Path) -> NDArray[np.float64]:
    run_on(binary, [graph], "--reps", "1", "--dump", str(folder / "values.npy"))
    values: NDArray[np.float64] = np.load(folder / "values.npy").astype(np.float64)
    return values


@pytest.fixture
def example(directed_graphs: list[Path]) -> tuple[Path, Graph]:
    return directed_graphs[-1], egr.read(directed_graphs[-1])


@pytest.mark.compile
def test_ranks_divided_by_their_sum_are_those_of_networkx(
    on_cpu: Binaries, example: tuple[Path, Graph], tmp_path: Path
) -> None:
    path, graph = example
    ranks = values_of(on_cpu(NAMED["pr"]), path, tmp_path)
    assert ranks.sum() < 0.9  # what vertices without an edge out have is lost
    expected = nx.pagerank(to_networkx(graph), alpha=0.85, tol=1e-12)
    np.testing.assert_allclose(ranks / ranks.sum(), [expected[v] for v in range(graph.vertex_count)], atol=1e-4)


@pytest.mark.compile
def test_levels_and_components_are_those_of_networkx(
    on_cpu: Binaries, example: tuple[Path, Graph], tmp_path: Path
) -> None:
    path, graph = example
    there = to_networkx(graph)
    source = int(np.flatnonzero(graph.degrees)[0])
    lengths = nx.single_source_shortest_path_length(there, source)
    levels = values_of(on_cpu(NAMED["bfs"]), path, tmp_path)
    assert levels.tolist() == [lengths.get(v, -1) for v in range(graph.vertex_count)]
    assert len(set(levels)) > 3
    labels = values_of(on_cpu(NAMED["cc"]), path, tmp_path)
    smallest = {v: min(part) for part in nx.weakly_connected_components(there) for v in part}
    assert labels.tolist() == [smallest[v] for v in range(graph.vertex_count)]


@pytest.mark.compile
def test_hubs_and_authorities_are_those_of_networkx(
    on_cpu: Binaries, example: tuple[Path, Graph], tmp_path: Path
) -> None:
    path, graph = example
    run_on(on_cpu(NAMED["hits"]), [path], "--reps", "1", "--rounds", "200", "--dump", str(tmp_path / "values.npy"))
    for name, expected in zip(("hub", "authority"), nx.hits(to_networkx(graph)), strict=True):
        scores = np.load(tmp_path / f"values.{name}.npy")
        np.testing.assert_allclose(scores, [expected[v] for v in range(graph.vertex_count)], atol=1e-6)
        assert scores.max() > 5 / graph.vertex_count


@pytest.mark.compile
def test_recommendations_follow_from_ranks_of_networkx_and_steps_of_scipy(
    on_cpu: Binaries, example: tuple[Path, Graph], tmp_path: Path
) -> None:
    path, graph = example
    asked = ["--circle", "9", "--rounds", "4", "--recommendations", "5"]
    run_on(on_cpu(NAMED["wtf"]), [path], *asked, "--reps", "1", "--dump", str(tmp_path / "values.npy"))
    rank, trusted, score, place = (
        np.load(tmp_path / f"values.{name}.npy") for name in ("rank", "trusted", "score", "place")
    )
    user = int(np.flatnonzero(graph.degrees)[0])
    expected = nx.pagerank(to_networkx(graph), alpha=0.85, personalization={user: 1}, dangling={user: 1}, tol=1e-12)
    np.testing.assert_allclose(rank / rank.sum(), [expected[v] for v in range(graph.vertex_count)], atol=1e-4)

    def best(merit: NDArray[np.float64], wanted: int) -> list[int]:
        order = np.lexsort((np.arange(len(merit)), -merit))
        return [int(v) for v in order[:wanted] if merit[v] > 0]

    circle = best(rank, 9)
    assert np.flatnonzero(trusted).tolist() == sorted(circle)
    assert len(circle) == 9
    edges = to_scipy(graph).tocsr()[circle]
    out = np.maximum(edges.sum(axis=1), 1)
    followers = np.maximum(edges.sum(axis=0), 1)
    hub: NDArray[np.float64] = np.full(9, 1 / 9)
    for _ in range(4):
        authority = edges.T @ (hub / out)
        hub = edges @ (authority / followers)
    authority[[user, *graph.neighbours[graph.row_offsets[user] : graph.row_offsets[user + 1]]]] = 0
    np.testing.assert_allclose(score, authority, rtol=1e-5)
    recommended = best(score, 5)
    assert [place[v] for v in recommended] == [1, 2, 3, 4, 5]
    assert np.count_nonzero(place) == 5


@pytest.mark.compile
@pytest.mark.parametrize("style", [NAMED["scc"], PIVOT], ids=name_of)
def test_strong_components_are_those_of_scipy(
    style: Style, on_cpu: Binaries, directed_graphs: list[Path], tmp_path: Path
) -> None:
    for path in [*directed_graphs[::9], directed_graphs[-1]]:
        graph = egr.read(path)
        count, parts = connected_components(to_scipy(graph), connection="strong")
        smallest = np.full(count, graph.vertex_count)
        np.minimum.at(smallest, parts, np.arange(graph.vertex_count))
        assert values_of(on_cpu(style), path, tmp_path).tolist() == smallest[parts].tolist()
    assert 1 < count < graph.vertex_count
