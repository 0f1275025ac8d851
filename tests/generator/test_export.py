"""Exported programs: they compile alone, are right, and refuse what is no graph."""

from __future__ import annotations

import copy
import ctypes
import gc
import os
import pickle
import re
import shutil
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array, csr_array

from generator.config import writable_styles
from generator.errors import UserError
from generator.export import _parameters, export, files
from generator.paths import ROOT
from generator.render import render
from inputs.graph import hash_weights
from tests.generator.libraries import library, loaded

if TYPE_CHECKING:
    from generator.space import Space

BOTH_WAYS = "sssp-cpp-vertex-data-dup-hybridmin-rw-nondet-blocked-i32-share-directed"
TOGETHER = "bfs-cpp-vertex-topology-push-rmw-det-blocked-i32-bitparallel"
LIBRARIES = [
    "bfs-cpp-vertex-topology-push-rw-det-blocked-i32",
    "bfs-openmp-vertex-topology-push-rw-det-default-i32",
    "sssp-cpp-vertex-data-dup-push-rw-nondet-blocked-i32-delta",
    "sssp-openmp-vertex-data-dup-push-checked-nondet-default-i32-stored-delta",
    "bc-cpp-vertex-topology-push-rmw-det-blocked-f32",
    "scc-cpp-edge-topology-push-rmw-nondet-blocked-i32",
    "match-openmp-vertex-topology-push-rmw-det-atomicred-default-i32",
]
ON_A_GPU = "bfs-cuda-vertex-topology-push-rw-det-nonpersistent-thread-atomic-i32"
GRAPH = nx.gnm_random_graph(60, 90, seed=1)


DIRECTED = nx.gnp_random_graph(60, 0.04, seed=2, directed=True)
for number, (u, v) in enumerate(DIRECTED.edges):
    DIRECTED[u][v]["weight"] = number % 9 + 1


def export_named(space: Space, folder: Path, name: str) -> None:
    """Exports a program."""
    style = space.parse(name)
    export(render(space, style), space.algorithms[style["algorithm"]], folder)


def make(folder: Path, flags: str, *targets: str) -> None:
    """Builds an exported folder, alone and with warnings as errors; `check` is its own test."""
    if shutil.which("make") is None or shutil.which("g++") is None:
        pytest.skip("no make or no g++")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
    command = ["make", f"CXXFLAGS={flags} -Wall -Wextra -Werror", *targets]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert "check" not in targets or "all results are right" in done.stdout


@pytest.mark.parametrize("name", [*LIBRARIES[:2], ON_A_GPU])
def test_a_library_is_built_in_its_own_standard(space: Space, tmp_path: Path, name: str) -> None:
    """Conda asks for another one in CXXFLAGS."""
    export_named(space, tmp_path / "new", name)
    command = ["make", "--dry-run", "CXXFLAGS=-std=c++17 -O2", "example", "test/check"]
    done = subprocess.run(command, cwd=tmp_path / "new", capture_output=True, text=True, check=True)
    compiled = [words for line in done.stdout.splitlines() if " -std=" in line for words in [line.split()]]
    assert len(compiled) >= 4
    for words in compiled:
        assert [word for word in words if word.startswith("-std=")][-1] == "-std=c++20"


@pytest.fixture
def load() -> Any:
    """Gives libraries by algorithm and model; tests/generator/test_export_outcomes.py has the same."""
    names = {(name.partition("-")[0], name.split("-")[1]): name for name in reversed(LIBRARIES)}
    return lambda algorithm, model: library(names[algorithm, model])


@pytest.mark.turns(16)
@pytest.mark.compile
@pytest.mark.parametrize(
    ("name", "found"),
    [
        (BOTH_WAYS, ["dist 0", "dist 5", "dist 12"]),
        (TOGETHER, ["level 0", "level 1", "level 2", "level 2", "level 1", "level 0"]),
    ],
)
def test_the_folder_is_all_that_make_needs(space: Space, tmp_path: Path, name: str, found: list[str]) -> None:
    """Outside the checkout, with warnings as errors: rows both ways and weights, or several sources; two threads."""
    style = space.parse(name)
    export(render(space, style), space.algorithms[style["algorithm"]], tmp_path / "new", threads=2, name="mine")
    make(tmp_path / "new", "-O0", "check", "example")
    said = subprocess.run([tmp_path / "new" / "example"], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == found
    module = tmp_path / "new" / "mine.py"
    assert loaded(module)._defaults().threads == 2
    assert "threads=2" in module.read_text()
    assert all((tmp_path / "new" / "include" / f"mine{suffix}").is_file() for suffix in (".h", ".hpp"))


@pytest.mark.turns(8)
@pytest.mark.compile
def test_libraries_take_real_weights(space: Space, tmp_path: Path) -> None:
    """Of any type, rounded to single precision; forests have negative ones."""
    paths, forest = BOTH_WAYS.replace("i32", "r32"), "mst-openmp-edge-topology-push-rmw-det-dynamic-r32"
    for name, folder in ((paths, "paths"), (forest, "forest")):
        style = space.parse(name)
        export(render(space, style), space.algorithms[style["algorithm"]], tmp_path / folder, name=folder)
        make(tmp_path / folder, "-O0", "check", "example")
    said = subprocess.run([tmp_path / "paths" / "example"], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == ["dist 0", "dist 0.5", "dist 0.75"]

    graph = DIRECTED.copy()
    for _, _, edge in graph.edges(data=True):
        edge["weight"] /= 7
    solver = loaded(tmp_path / "paths" / "paths.py").Solver
    found = solver(graph).solve(3)["dist"]
    assert found.dtype == np.float32
    expected = nx.single_source_dijkstra_path_length(graph, 3)
    assert found == pytest.approx([expected.get(v, -1) for v in graph], rel=1e-6)
    table = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [0.5, 0.25]})
    assert solver(table).solve("a")["dist"].tolist() == [0, 0.5, 0.75]
    rows, ends = np.array([0, 1, 1], np.int32), np.array([1], np.int32)
    for weights, reason in (
        (np.array([0.5]), "weights are float32, not float64"),
        (np.array([-0.5], np.float32), r"weights\[0\] is -0.5, not 0 or a number from 1\.1e-19 to 1e\+28"),
        (np.array([1e-20], np.float32), r"weights\[0\] is 1e-20, not 0 or a number from 1\.1e-19 to 1e\+28"),
        (np.array([np.nan], np.float32), r"weights\[0\] is -?nan, not 0 or a number from 1\.1e-19"),
    ):
        with pytest.raises((TypeError, ValueError), match=reason):
            solver((rows, ends, weights))
    for wrong in (-1, 1e-50, 1e29, np.nan):
        with pytest.raises(ValueError, match=r"weights are not 0, or from 1\.1e-19 to 1e28"):
            solver(table.assign(weight=wrong))

    matrix = csr_array(np.array([[0, -2.5, 1], [-2.5, 0, 0.5], [1, 0.5, 0]]))
    values = loaded(tmp_path / "forest" / "forest.py").Solver(matrix).solve()
    assert values["in_forest"].tolist() == [1, 0, 0, 1, 0, 0]
    assert values["total_weight"].tolist() == [-2.0]


@pytest.mark.parametrize("name", ["", "my-bfs", "2bfs", "naïve", "int", "class", "check", "numpy", "queue"])
def test_a_name_that_c_python_or_make_cannot_have_is_refused(space: Space, tmp_path: Path, name: str) -> None:
    style = space.parse(LIBRARIES[0])
    with pytest.raises(UserError, match=f"^--name {name}: is no name for a library"):
        export(render(space, style), space.algorithms["bfs"], tmp_path / "new", name=name)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("switch", ["estimated", "counted", "share", "weighed"])
def test_help_of_parameters_is_whole_sentences(space: Space, switch: str) -> None:
    """Programs print them below one another, where a sentence may go on; of a library each stands alone."""
    algorithm = "bc" if switch == "weighed" else "bfs"
    styles = [s for s in writable_styles(space, algorithm, "cpp", directed=False) if s.get("switch") == switch]
    program = render(space, styles[0])
    options = re.findall(r'Parameter \w+\("([\w-]+)"', program.text)
    parameters = _parameters(program.text, space.algorithms[algorithm])
    assert [each.option for each in parameters] == options
    assert options
    assert not any("..." in each.meaning or " this" in each.meaning.removesuffix(" this") for each in parameters)
    assert not any(re.search(r"\b[a-z]+-[ab]\b", each.meaning) for each in parameters)  # as C and Python name them


def levels(graph: Any, source: int, found: Any) -> None:
    """Holds levels against networkx; beyond reach, they are -1."""
    right = nx.single_source_shortest_path_length(graph, source)
    assert {v: level for v, level in enumerate(found.tolist()) if level >= 0} == dict(right)


@pytest.mark.turns(8)
@pytest.mark.parametrize("model", ["cpp", "openmp"])
def test_a_library_agrees_with_networkx(load: Any, model: str) -> None:
    solver = load("bfs", model).Solver(GRAPH, threads=2)
    for source in (0, 7):
        levels(GRAPH, source, solver.solve(source)["level"])
    assert solver.seconds > 0


@pytest.mark.turns(8)
def test_weights_are_used_and_may_be_zero_and_predecessors_make_paths(load: Any) -> None:
    graph = GRAPH.copy()
    for number, (u, v) in enumerate(graph.edges):
        graph[u][v]["weight"] = number % 9
    found = load("sssp", "openmp").Solver(graph, threads=2).solve(0)
    distances(graph, 0, found["dist"])
    tree = nx.DiGraph((int(u), v) for v, u in enumerate(found["predecessor"]) if u >= 0)
    assert nx.is_arborescence(tree)
    for v, way in nx.single_source_shortest_path(tree, 0).items():
        assert nx.path_weight(graph, way, "weight") == found["dist"][v]
    assert len(tree) == (found["dist"] >= 0).sum()


@pytest.mark.turns(8)
def test_a_list_of_sources_gives_a_row_for_each(load: Any) -> None:
    solver = load("bfs", "cpp").Solver(GRAPH, threads=2)
    found = solver.solve([0, 7])["level"]
    assert found.shape == (2, len(GRAPH))
    for source, row in zip((0, 7), found, strict=True):
        levels(GRAPH, source, row)
    for wrong in ([], [0, len(GRAPH)], [[0]]):
        with pytest.raises((ValueError, TypeError)):
            solver.solve(wrong)


@pytest.mark.parametrize("weight", [2.7, "7", None, float("nan"), -1, 2**30 - 1, 2**31, 2**70, (1, 2), 1j])
def test_weights_that_are_no_whole_numbers_in_range_are_refused(load: Any, weight: Any) -> None:
    """And read by programs that use them only."""
    graph: Any = nx.Graph([(0, 1, {"weight": weight}), (1, 2, {"weight": 1})])
    table = pd.DataFrame({"source": [0, 1], "target": [1, 2], "weight": [weight, 1]})
    given = [graph, table]
    if isinstance(weight, float | complex):
        given.append(nx.to_scipy_sparse_array(graph))
    for each in given:
        with pytest.raises(
            ValueError, match=r"^weights are not whole numbers from 0 to 2\^30 - 2: scale and round them$"
        ):
            load("sssp", "openmp").Solver(each)
    for each in (graph, table):
        assert load("bfs", "cpp").Solver(each).solve(0)["level"].tolist() == [0, 1, 2]


def test_of_an_edge_that_is_given_twice_the_weight_counts_that_is_asked_for(load: Any) -> None:
    module = load("sssp", "openmp")
    tables = [
        pd.DataFrame({"source": [0, 0, 2], "target": [1, 1, 1], "weight": weights})
        for weights in ([7, 3, 1], [3, 7, 1])
    ]
    turned = pd.DataFrame({"source": [0, 1, 2], "target": [1, 0, 1], "weight": [7, 3, 1]})
    several: Any = nx.MultiGraph([(0, 1, {"weight": 7}), (0, 1, {"weight": 3}), (1, 2, {"weight": 1})])
    for graph in (*tables, turned, turned.astype({"source": "u8", "weight": float}), several):
        for duplicates, first in (("smallest", 3), ("largest", 7), ("sum", 10)):
            found = module.Solver(graph, duplicates=duplicates).solve(0)["dist"].tolist()
            assert found == [0, first, first + 1]
        assert module.Solver(graph).solve(0)["dist"].tolist() == [0, 3, 4]
    both_ways = pd.concat([tables[0], tables[0].rename(columns={"source": "target", "target": "source"})])
    assert module.Solver(both_ways, duplicates="sum").solve(0)["dist"].tolist() == [0, 10, 11]
    with pytest.raises(ValueError, match="duplicates is 'most', which is none of smallest, largest, sum"):
        module.memory_bytes(several, duplicates="most")
    with pytest.raises(ValueError, match="weights are not whole numbers"):
        module.Solver(turned.assign(weight=2**30 - 2), duplicates="sum")
    assert load("bfs", "cpp").Solver(several).solve(0)["level"].tolist() == [0, 1, 2]


def test_what_a_graph_without_weights_weighs_is_said(load: Any) -> None:
    """As a program's file does, unless all are to be 1; a matrix of truth values has none, either."""
    module = load("sssp", "openmp")
    path = nx.path_graph(4)
    table = pd.DataFrame({"source": [0, 1, 2], "target": [1, 2, 3]})
    hashed = [0, 45, 88, 137]  # hash_weights of inputs.graph has no code in common with the library
    ends = np.arange(4)
    assert hashed == [0, *np.cumsum(hash_weights(ends[:-1], ends[1:])).tolist()]
    for graph in (path, table, nx.to_scipy_sparse_array(path, dtype=bool)):
        with pytest.warns(UserWarning, match=r"^the graph has no weights: 1 \+ a hash of both ends modulo 64") as said:
            assert module.Solver(graph).solve(0)["dist"].tolist() == hashed
        assert [each.filename for each in said] == [__file__]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert module.Solver(graph, weights="hash").solve(0)["dist"].tolist() == hashed
            assert module.Solver(graph, weights="one").solve(0)["dist"].tolist() == [0, 1, 2, 3]
    with pytest.raises(
        TypeError, match="weights is of type ndarray, neither 'hash' nor 'one': weights of your own are part of"
    ):
        module.Solver(path, weights=np.ones(4, np.int32))
    with pytest.raises(ValueError, match="weights is 'two', which is neither 'hash' nor 'one'"):
        module.Solver(path, weights="two")
    with pytest.raises(ValueError, match="the graph has weights: leave out weights"):
        module.Solver(nx.to_scipy_sparse_array(path), weights="one")
    with pytest.raises(ValueError, match="some edges have a weight and some have none: give all one, or none"):
        module.Solver(nx.Graph([(0, 1, {"weight": 2}), (1, 2)]))


def test_scipy_adds_up_what_a_matrix_has_twice_in_whatever_form(load: Any) -> None:
    rows, columns, values = [0, 0, 1, 1], [1, 1, 0, 0], [2, 3, 4, 1]
    csr = csr_array((values, columns, [0, 2, 4]), shape=(2, 2))
    for matrix in (coo_array((values, (rows, columns)), shape=(2, 2)), csr, csr.tocsc()):
        assert load("sssp", "openmp").Solver(matrix).solve(0)["dist"].tolist() == [0, 5]
    assert csr.data.tolist() == values  # it stays as it was


@pytest.mark.parametrize("wrong", [2**32, 2**32 + 1, -(2**32), 2**62])
def test_indices_of_64_bits_are_not_cut_to_ones_that_are_right(load: Any, wrong: int) -> None:
    matrix = csr_array(nx.to_scipy_sparse_array(nx.path_graph(3)))
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    assert load("bfs", "cpp").Solver(matrix).solve(0)["level"].tolist() == [0, 1, 2]
    matrix.indices[0] += wrong
    with pytest.raises(ValueError, match="indices of a matrix are from 0 to n - 1"):
        load("bfs", "cpp").Solver(matrix)


@pytest.mark.parametrize("dtype", ["str", "category", object])
def test_vertices_of_a_table_may_have_names(load: Any, dtype: Any) -> None:
    """Then sources are called by them, too; numbers among them are names like others."""
    table = pd.DataFrame({"source": ["ann", "bob", "cy"], "target": ["bob", "cy", "7"], "weight": [5, 6, 7]})
    table = table.astype({"source": dtype, "target": dtype})
    solver = load("sssp", "openmp").Solver(table)
    assert solver.names.tolist() == ["ann", "bob", "cy", "7"]
    found = solver.solve("bob")
    assert dict(zip(solver.names, found["dist"].tolist(), strict=True)) == {"ann": 5, "bob": 0, "cy": 6, "7": 13}
    assert found["predecessor"].tolist() == ["bob", None, "bob", "cy"]
    assert solver.solve(["bob", "7"])["dist"].tolist() == [[5, 0, 6, 13], [18, 13, 7, 0]]
    assert load("scc", "cpp").Solver(table).solve()["label"].tolist() == ["ann", "bob", "cy", "7"]
    for wrong in ("dan", 1):
        with pytest.raises(ValueError, match=f"^no vertex is called {wrong!r}$"):
            solver.solve(wrong)
    assert load("bfs", "cpp").memory_bytes(table) > 0
    table = table.astype(object)
    table.loc[1, "target"] = None
    with pytest.raises(ValueError, match=r"^edge 1 lacks the name of an end$"):
        load("bfs", "cpp").Solver(table)
    assert load("bfs", "cpp").Solver(nx.path_graph(3)).names is None


@pytest.mark.parametrize("ids", [[2**40, 7, 2**63 - 1, 8], ["d", "a", "c", "b"], [(0, 1), (1, 1), (1, 0), (2, 0)]])
def test_vertices_may_be_what_networkx_has(load: Any, ids: list[Any]) -> None:
    """Ids of 64 bits in a table are ordered by size."""
    graph = nx.relabel_nodes(nx.Graph([(0, 1, {"weight": 2}), (1, 2, {"weight": 3}), (2, 3)]), dict(enumerate(ids)))
    graph.edges[ids[2], ids[3]]["weight"] = 4
    expected = nx.single_source_dijkstra_path_length(graph, ids[2])
    given = [graph] if isinstance(ids[0], tuple) else [graph, nx.to_pandas_edgelist(graph, "from", "to")]
    for each in given:
        solver = load("sssp", "openmp").Solver(each)
        assert dict(zip(solver.names.tolist(), solver.solve(ids[2])["dist"].tolist(), strict=True)) == expected
        if each is not graph and ids[1] == 7:
            assert solver.names.tolist() == sorted(ids)


def test_a_parameter_can_be_set_for_each_handle(load: Any) -> None:
    """Buckets that are narrow take many more rounds, and have the same distances."""
    module = load("sssp", "cpp")
    slow, fast = (module.Solver(GRAPH, weights="one", delta=delta) for delta in (1e-9, 1e9))
    right = nx.single_source_shortest_path_length(GRAPH, 3)
    for solver in (slow, fast, slow):
        (distances,) = solver.solve(3).values()
        assert {v: distance for v, distance in enumerate(distances.tolist()) if distance >= 0} == dict(right)
    with pytest.raises(ValueError, match="delta is not a positive number"):
        module.Solver(GRAPH, weights="one", delta=0)


def test_graphs_of_scipy_and_pandas_are_those_of_networkx(load: Any) -> None:
    module = load("bfs", "cpp")
    matrix = nx.to_scipy_sparse_array(GRAPH, nodelist=range(len(GRAPH)), format="coo")
    once = pd.DataFrame([edge for edge in GRAPH.edges if max(edge) < 59] + [(59, 0)], columns=["source", "target"])
    levels(GRAPH, 2, module.Solver(matrix).solve(2)["level"])
    both = pd.concat((once, once.rename(columns={"source": "target", "target": "source"})))
    for table in (once, both):
        graph = nx.from_pandas_edgelist(table)
        levels(graph, 2, module.Solver(table).solve(2)["level"])
    for called in (("src", "dst"), ("from", "to"), ("Source", "Target")):
        levels(graph, 2, module.Solver(once.set_axis(called, axis=1).assign(x="y")).solve(2)["level"])
    with pytest.raises(ValueError, match=r"columns source, target, or from and to; there is no target$"):
        module.Solver(once.rename(columns={"target": "end"}))
    with pytest.raises(TypeError, match="whole numbers"):
        module.Solver(once.astype(float))
    with pytest.raises(ValueError, match="square"):
        module.Solver(matrix.tocsr()[:5])


def test_memory_can_be_asked_for_first(load: Any) -> None:
    module = load("bfs", "cpp")
    assert 4 * len(GRAPH) <= module.memory_bytes(GRAPH) < 2000 + 100 * len(GRAPH)
    with pytest.raises(ValueError, match="has no reverse"):
        module.memory_bytes((np.array([0, 1, 1], "i4"), np.array([1], "i4")))


@pytest.mark.turns(8)
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


@pytest.mark.parametrize("threads", [-1, 0, 4097, 2**31, 2**32 + 1, 10**12])
def test_impossible_numbers_of_threads_are_refused(load: Any, threads: int) -> None:
    with pytest.raises(ValueError, match=f"{threads} threads|threads is {threads}, which is out of range"):
        load("bfs", "openmp").Solver(GRAPH, threads)


def test_bad_graphs_are_refused_with_a_reason(load: Any) -> None:
    module = load("bfs", "cpp")

    def refuse(
        error: type[Exception], reason: str, offsets: list[int], neighbours: list[int], kind: str = "i4"
    ) -> None:
        with pytest.raises(error, match=reason):
            module.Solver((np.array(offsets, kind), np.array(neighbours, kind)))

    refuse(TypeError, r"int32, not int64: if the numbers fit, take \.astype\(numpy\.int32\)$", [0, 1, 2], [1, 0], "i8")
    refuse(ValueError, "row_offsets end with 3, not the 2 edges", [0, 1, 3], [1, 0])
    refuse(ValueError, "row_offsets begin with 1, not 0", [1, 1, 2], [1, 0])
    refuse(ValueError, "not CSR: row_offsets is empty", [], [])
    refuse(ValueError, "decrease after vertex 1", [0, 2, 1, 2], [1, 2])
    refuse(ValueError, r"neighbours\[1\] is 2, not a vertex from 0 to 1", [0, 1, 2], [1, 2])
    refuse(ValueError, "vertex 1 has an edge to itself", [0, 1, 2], [1, 1])
    refuse(ValueError, "row of vertex 0 is not ascending", [0, 2, 3, 4], [2, 1, 0, 0])
    refuse(ValueError, r"edge \(0, 1\) has no reverse", [0, 1, 1], [1])
    solver = module.Solver((np.array([0, 1, 2], "i4"), np.array([1, 0], "i4")))
    with pytest.raises(ValueError, match="source 2 is not a vertex from 0 to 1"):
        solver.solve(2)
    assert solver.solve(1)["level"].tolist() == [1, 0]  # the process lives


def test_what_is_no_graph_is_refused_with_a_reason(load: Any) -> None:
    module = load("bfs", "cpp")
    offsets, neighbours = np.array([0, 1, 2], "i4"), np.array([1, 0], "i4")
    unaligned = np.frombuffer(b" " + neighbours.tobytes(), "i4", offset=1)
    kinds = "a graph is a tuple of arrays, a scipy.sparse matrix, a networkx graph or a pandas table, not "
    graph: Any
    for error, reason, graph in [
        (TypeError, f"{kinds}NoneType", None),
        (TypeError, f"{kinds}ndarray", np.array([[0, 1], [1, 0]], "i4")),
        (ValueError, "a graph is a tuple of row_offsets, neighbours", (offsets,)),
        (ValueError, "a graph is a tuple of row_offsets, neighbours", (offsets, neighbours, neighbours, offsets)),
        (TypeError, "arrays of a graph have one dimension, not 0", (offsets, None)),
        (TypeError, r"an array of the graph has gaps or is not aligned: take a .copy()", (offsets, unaligned)),
        (TypeError, r"an array of the graph has gaps or is not aligned: take a .copy()", (offsets, neighbours[::-1])),
        (ValueError, "an adjacency matrix is square, not of shape (3,)", coo_array([0, 1, 0])),
        (ValueError, "a graph of 0 vertices, not of 1 to 2143289344", nx.Graph()),
        (ValueError, "edge (0, 1) has no reverse", nx.DiGraph([(0, 1)])),
        (ValueError, "edge ('ann', 3) has no reverse", nx.DiGraph([("ann", 3)])),
        (ValueError, "vertex 'cy' has an edge to itself", nx.Graph([("ann", "bob"), ("cy", "cy")])),
    ]:
        with pytest.raises(error, match=f"^{re.escape(reason)}"):
            module.Solver(graph)
    level = module.Solver((offsets, unaligned.copy())).solve(0)["level"]
    assert level.tolist() == [0, 1]


def test_an_option_that_there_is_not_is_refused(load: Any) -> None:
    module = load("bfs", "cpp")
    assert module.memory_bytes(GRAPH, threads=2) > 0
    with pytest.raises(TypeError, match="unexpected keyword argument 'thread'"):
        module.memory_bytes(GRAPH, thread=5)


def test_a_library_that_is_not_built_says_how(load: Any, tmp_path: Path) -> None:
    module = shutil.copy(load("bfs", "cpp").__file__, tmp_path)
    with pytest.raises(ImportError, match=r"\.so is missing: run `make` in that folder$"):
        loaded(Path(module))


def test_there_are_no_results_before_the_first_solve(load: Any) -> None:
    module = load("bfs", "cpp")
    solver = module.Solver(GRAPH)
    with pytest.raises(ValueError, match="there are no results yet: solve first"):
        solver._result(0, "level", False)
    solver.solve(0)
    levels(GRAPH, 0, solver._result(0, "level", False))


def test_a_solver_is_not_copied(load: Any) -> None:
    solver = load("bfs", "cpp").Solver(GRAPH)
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="a Solver cannot be copied or pickled: make another one"):
            copied(solver)
    levels(GRAPH, 0, solver.solve(0)["level"])


def test_threads_that_share_a_solver_get_results_of_their_own(load: Any) -> None:
    graph = nx.path_graph(500)
    solver = load("bfs", "cpp").Solver(graph)
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda source: solver.solve(source)["level"][source], [0, 1, 2, 3] * 25)
        assert not any(found)


def test_what_becomes_of_arrays_changes_nothing(load: Any) -> None:
    """Without copies, a program would leave its arrays."""
    for algorithm in ("bfs", "sssp", "bc"):
        module = load(algorithm, "cpp")
        arrays = [np.array(part, "i4") for part in ([0, 1, 3, 4], [1, 0, 2, 1], [5, 5, 7, 7])][: 2 + module._WEIGHTED]
        begin = [[0]] if algorithm == "bc" else [0]
        solver, own = module.Solver(arrays, threads=2), module.Solver(arrays, threads=2, copy=False)
        (right,) = solver.solve(*begin).values()
        assert right.tolist() == own.solve(*begin).popitem()[1].tolist()
        taken = module.memory_bytes(arrays) - module.memory_bytes(arrays, copy=False)
        assert taken == sum(part.nbytes for part in arrays)
        del own
        for part in arrays:
            part[:] = 2**31 - 1
        assert solver.solve(*begin).popitem()[1].tolist() == right.tolist()


INTERRUPTED = """
import os, signal, sys, threading
sys.path.insert(0, sys.argv[1])
import numpy as np
from {module} import Solver
n = 1000
offsets = np.minimum(np.maximum(np.arange(n + 1) * 2 - 1, 0), 2 * n - 2).astype("i4")
ends = np.array([u for v in range(n) for u in (v - 1, v + 1) if 0 <= u < n], "i4")
solver, other = Solver((offsets, ends)), Solver((offsets, ends))
said, right = set(), 0

def handle(*_):
    for each in (solver, other):
        try:
            said.add(int(each.solve(7)["level"][0]))
        except RuntimeError as error:
            said.add(str(error))

signal.signal(signal.SIGALRM, handle)
signal.setitimer(signal.ITIMER_REAL, 0.001, 0.002)
while not {{7, "{solving}"}} <= said:
    right += solver.solve(2)["level"][2] == 0
    assert solver.solve(2)["level"][0] == 2
signal.setitimer(signal.ITIMER_REAL, 0)
print(sorted(map(str, said)))

# A child finds the lock of its thread open, and a handle that another thread was using closed.
stop, told = [], set()
thread = threading.Thread(target=lambda: [solver.solve(1) for _ in iter(lambda: not stop, False)])
thread.start()
while not {{"{left}", "1"}} <= told:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        try:
            answer = str(solver.solve(1)["level"][0])
        except ValueError as error:
            answer = str(error)
        assert other.solve(4)["level"][0] == 4
        os.write(write, answer.encode())
        os._exit(0)
    os.close(write)
    told.add(os.read(read, 1000).decode())
    os.close(read)
    assert os.waitpid(child, 0)[1] == 0
stop.append(1)
thread.join()
print(sorted(told))
"""


def test_neither_a_handler_of_a_signal_nor_a_child_waits_for_ever(load: Any) -> None:
    module = load("bfs", "cpp")
    solving = "the thread is in a solve of this Solver already: a handler of a signal needs another one"
    left = "a thread of the parent was using the handle at fork(): make another one"
    script = INTERRUPTED.format(module=module.__name__, solving=solving, left=left)
    command = [sys.executable, "-c", script, Path(module.__file__).parent]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100).stdout.splitlines()
    assert said == [str(["7", solving]), str(["1", left])]


PATH = """  std::vector<int> row_offsets = {{0}}, neighbours;
  for (int v = 0; v < n; v++) {{
    if (v > 0) neighbours.push_back(v - 1);
    if (v < n - 1) neighbours.push_back(v + 1);
    row_offsets.push_back(static_cast<int>(neighbours.size()));
  }}
  const {id}_graph graph = {{n, 2 * (n - 1), row_offsets.data(), neighbours.data()}};"""
"""The path of n vertices in C++, which programs for `compiled` have where they say {path}."""

HANDLER = """
#include <csignal>
#include <cstdio>
#include <sys/time.h>
#include <vector>
#include "{id}.h"

static {id}* handle;
static volatile int codes[5];

static void solve(int) {{
  const {id}_query query = {{0}};
  const int code = {id}_solve(handle, &query, nullptr);
  codes[code] = 1;
}}

int main() {{
  const int n = 3000;
{path}
  if ({id}_create(&handle, &graph, nullptr) != 0) return 1;
  const {id}_query query = {{0}};
  std::signal(SIGALRM, solve);
  const itimerval often = {{{{0, 1000}}, {{0, 1000}}}};
  setitimer(ITIMER_REAL, &often, nullptr);
  while (codes[{id}_bad_argument] == 0) {{
    if ({id}_solve(handle, &query, nullptr) != 0) return 1;
  }}
  std::signal(SIGALRM, SIG_IGN);  // a busy machine would be kept in handlers that solve, and never end
  std::puts("told");
}}
"""


def test_a_handler_in_c_is_told_that_its_thread_is_in_a_call(load: Any, tmp_path: Path) -> None:
    assert compiled(HANDLER, load("bfs", "cpp"), tmp_path) == "told\n"


ON_ANY_THREAD = """
#include <dirent.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "{id}.h"

static {id}* handle;
static std::atomic<bool> entered, solving;
static std::atomic<int> handled;

// Solves when the main thread does.
static void solve(int) {{
  entered = true;
  while (!solving) {{}}
  usleep(5000);
  const {id}_query query = {{0}};
  {id}_solve(handle, &query, nullptr);
  handled++;
}}

// Interrupts each thread but the calling one; returns when a handler runs.
static void interrupt() {{
  DIR* const folder = opendir("/proc/self/task");
  while (const dirent* entry = readdir(folder)) {{
    const int thread = std::atoi(entry->d_name);
    if (thread > 0 && thread != gettid()) syscall(SYS_tgkill, getpid(), thread, SIGUSR1);
  }}
  closedir(folder);
  while (!entered) {{}}
}}

int main() {{
  alarm(60);
  const int n = 1000;
{path}
  {id}_options options = {id}_defaults();
  options.threads = 2;
  std::atomic<int> team = 0;
#pragma omp parallel num_threads(2)
  team++;  // the threads are the caller's
  signal(SIGUSR1, solve);
  if ({id}_create(&handle, &graph, &options) != 0) return 1;
  const {id}_query query = {{0}};
  for (int i = 0; i < 3; i++) {{
    interrupt();
    solving = true;
    if ({id}_solve(handle, &query, nullptr) != 0) return 1;
    while (handled <= i) {{}}
    entered = solving = false;
  }}
  std::puts("done");
}}
"""


@pytest.mark.parametrize("model", ["cpp", "openmp"])
def test_a_handler_on_any_thread_is_waited_for_by_nobody(load: Any, tmp_path: Path, model: str) -> None:
    """A signal may come to a thread that the calling one waits for."""
    assert compiled(ON_ANY_THREAD, load("bfs", model), tmp_path) == "done\n"


FORKS = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from {module} import Solver
path = [np.array(part, "i4") for part in ([0, 1, 3, 4], [1, 0, 2, 1])]
alone = Solver(path)
for threads in (1, 2):
    solver = Solver(path, threads=threads)
    solver.solve(0)
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        signal.alarm(30)  # of the parent, it inherits none
        print(threads, alone.solve(1)["level"], Solver(path).solve(2)["level"])
        for solve in (solver.solve, lambda source: Solver(path, threads=2).solve(source)):
            try:
                print(solve(1)["level"])
            except ValueError as error:
                print(error)
        sys.exit()  # which destroys what there is
    os.waitpid(child, 0)
    print(solver.solve(0)["level"])
"""


@pytest.mark.parametrize("model", ["cpp", "openmp"])
def test_a_child_of_fork_does_not_wait_for_threads_that_stayed_in_the_parent(load: Any, model: str) -> None:
    module = load("bfs", model)
    script = FORKS.format(module=module.__name__)
    command = [sys.executable, "-c", script, Path(module.__file__).parent]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
    refused = (
        "2 threads: those of the library stayed in the parent of fork(); use 1 thread, "
        'or start processes without fork(), such as by multiprocessing\'s "spawn"'
    )
    expected = ["1 [1 0 1] [2 1 0]", "[1 0 1]", "[1 0 1]", "[0 1 2]", "2 [1 0 1] [2 1 0]", refused, refused, "[0 1 2]"]
    assert said == expected


def compiled(text: str, module: Any, tmp_path: Path) -> str:
    """Compiles a program in C++ that uses a library, and runs it; returns what it says."""
    folder = Path(module.__file__).parent
    source, program = tmp_path / "main.cpp", tmp_path / "main"
    name = module.__name__
    source.write_text(text.format(id=name, path=PATH.format(id=name)))
    build = ["g++", "-std=c++20", "-fopenmp", f"-I{folder / 'include'}", source, folder / f"lib{name}.so"]
    subprocess.run([*build, f"-Wl,-rpath,{folder}", "-o", program], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True, timeout=60).stdout


MEMORY_ENDS = """
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <vector>
#include "{id}.h"

static bool is_full = false;
extern "C" void* __libc_realloc(void*, std::size_t);
extern "C" void* realloc(void* old, std::size_t bytes) noexcept {{
  if (is_full && bytes > 1000) {{
    errno = ENOMEM;
    return nullptr;
  }}
  return __libc_realloc(old, bytes);
}}

int main() {{
  const int n = 20000;  // a star
  std::vector<int> row_offsets = {{0}}, neighbours, weights(2 * (n - 1), 3);
  for (int v = 1; v < n; v++) neighbours.push_back(v);
  row_offsets.push_back(n - 1);
  for (int v = 1; v < n; v++) {{
    neighbours.push_back(0);
    row_offsets.push_back(static_cast<int>(neighbours.size()));
  }}
  const {id}_graph graph = {{n, 2 * (n - 1), row_offsets.data(), neighbours.data(), weights.data()}};
  {id}_options options = {id}_defaults();
  options.threads = 2;
  {id}* handle;
  const {id}_query query = {{0}};
  std::vector<int> dist(n);
  if ({id}_create(&handle, &graph, &options) != 0) return 1;
  is_full = true;
  std::printf("%d: ", {id}_solve(handle, &query, nullptr));
  std::printf("%s\\n", {id}_message());
  is_full = false;
  std::printf("%d, ", {id}_solve(handle, &query, nullptr));
  {id}_copy_result(handle, 0, dist.data());
  std::printf("%d and %d\\n", dist[0], dist[n - 1]);
}}
"""


@pytest.mark.parametrize("model", ["cpp", "openmp"])
def test_threads_that_get_no_memory_end_the_search_and_not_the_process(load: Any, tmp_path: Path, model: str) -> None:
    said = compiled(MEMORY_ENDS, load("sssp", model), tmp_path)
    assert said == "4: out of memory for the vertices of a bucket\n0, 0 and 3\n"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake")
def test_a_project_can_have_several(space: Space, tmp_path: Path) -> None:
    lines = ["cmake_minimum_required(VERSION 3.24)", "project(mine LANGUAGES CXX)"]
    for algorithm, name in (("bfs", LIBRARIES[0]), ("bc", LIBRARIES[4])):
        export_named(space, tmp_path / algorithm, name)
        lines.append(f"add_subdirectory({algorithm})")
    (tmp_path / "CMakeLists.txt").write_text("\n".join(lines))
    command = ["cmake", "-S", tmp_path, "-B", tmp_path / "build"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_caller_keeps_its_number_of_threads(load: Any) -> None:
    threads = ctypes.CDLL("libgomp.so.1")  # of which there is one in a process
    threads.omp_set_num_threads(3)
    solver = load("bfs", "openmp").Solver(GRAPH, threads=2)
    assert threads.omp_get_max_threads() == 3
    solver.solve(0)
    del solver
    gc.collect()
    assert threads.omp_get_max_threads() == 3


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two CPUs that a thread may be bound to")
def test_a_solver_that_goes_leaves_the_caller_on_its_cpus(load: Any) -> None:
    """It does not bind it to those that some thread had when the solver was made."""
    everywhere = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(everywhere)})
        solver = load("bfs", "cpp").Solver(GRAPH, threads=2)
        os.sched_setaffinity(0, everywhere)
        del solver
        gc.collect()
        assert os.sched_getaffinity(0) == everywhere
    finally:
        os.sched_setaffinity(0, everywhere)


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two CPUs that a thread may be bound to")
def test_the_last_solver_of_a_thread_gives_its_cpus_back(load: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    everywhere = os.sched_getaffinity(0)
    bound = {min(everywhere)}
    monkeypatch.setenv("VIOLET_PLACES", str(min(everywhere)))
    module = load("bfs", "cpp")
    try:
        first, last = module.Solver(GRAPH, threads=2), module.Solver(GRAPH, threads=2)
        assert os.sched_getaffinity(0) == bound
        del first
        gc.collect()
        assert os.sched_getaffinity(0) == bound
        del last
        gc.collect()
        assert os.sched_getaffinity(0) == everywhere
    finally:
        os.sched_setaffinity(0, everywhere)


@pytest.mark.turns(8)
def test_a_program_keeps_its_text_but_for_streams_and_no_harness_comes_along(space: Space) -> None:
    with (ROOT / "generated" / "MANIFEST.csv").open() as manifest:
        names = [line.partition(",")[0] for line in manifest][1:]
    first = {tuple(name.split("-")[:2]): name for name in reversed(names)}
    assert len(first) > 2 * len(space.algorithms)
    for name in first.values():
        style = space.parse(name)
        program = render(space, style)
        made = files(program, space.algorithms[style["algorithm"]])
        (source,) = (text for path, text in made.items() if path.startswith(f"src/{program.name}."))
        assert source.count("<<<") == source.count(", 0, stream>>>")
        assert source.replace(", 0, stream>>>", ">>>") == program.text.replace(", 0, stream>>>", ">>>")
        assert "block_size>>>" not in source
        for name in ("harness", "session", "graph_file", "json", "reference", "files"):
            assert not any(path.startswith(f"src/{name}.") for path in made), program.name


def test_a_folder_in_use_is_left_alone(space: Space, tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(UserError, match="not an empty folder"):
        export_named(space, tmp_path, LIBRARIES[0])


def test_what_clang_format_says_against_a_file_is_an_error(
    space: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clang_format = tmp_path / "bin" / "clang-format"
    clang_format.parent.mkdir()
    clang_format.write_text("#!/bin/sh\necho 'LLVM ERROR: No space left on device' >&2\nexit 1\n")
    clang_format.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(clang_format.with_name("python")))
    with pytest.raises(UserError, match=r"out: clang-format: LLVM ERROR: No space left on device$"):
        export_named(space, tmp_path / "out", LIBRARIES[0])
    assert not (tmp_path / "out").exists()


def test_a_program_for_several_gpus_is_refused(space: Space, tmp_path: Path) -> None:
    style = space.parse(
        "bfs-multigpu-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32-ranges-selective-list-store-host"
    )
    with pytest.raises(UserError, match="takes several GPUs, and libraries take one"):
        export(render(space, style), space.algorithms[style["algorithm"]], tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.fixture
def of_rows_both_ways() -> Any:
    """A library that reads the rows of a directed graph, and those of the edges that come in, with weights."""
    return library(BOTH_WAYS)


def distances(graph: Any, source: int, found: Any) -> None:
    """Holds distances against networkx; beyond reach, they are -1."""
    right = nx.single_source_dijkstra_path_length(graph, source)
    assert {v: distance for v, distance in enumerate(found.tolist()) if distance >= 0} == dict(right)


@pytest.mark.turns(8)
def test_directed_graphs_come_with_or_without_their_in_rows(of_rows_both_ways: Any) -> None:
    matrix = nx.to_scipy_sparse_array(DIRECTED, nodelist=range(len(DIRECTED)), dtype=np.int32)
    table = nx.to_pandas_edgelist(DIRECTED)
    for solver in (
        of_rows_both_ways.Solver(DIRECTED, share=1),
        of_rows_both_ways.Solver(matrix, share=1),
        of_rows_both_ways.Solver(matrix, in_rows=matrix.T, share=1),
        of_rows_both_ways.Solver(table, in_rows=DIRECTED.reverse(), share=1),
    ):
        for source in (0, 7):
            distances(DIRECTED, source, solver.solve(source)["dist"])
    bytes_of = of_rows_both_ways.memory_bytes
    assert bytes_of(matrix) == bytes_of(matrix, in_rows=matrix.T)
    made = bytes_of(matrix, copy=False) - bytes_of(matrix, in_rows=matrix.T, copy=False)
    assert made == 4 * (len(DIRECTED) + 1 + 2 * DIRECTED.number_of_edges())


def test_in_rows_that_are_not_the_transpose_are_refused(of_rows_both_ways: Any) -> None:
    rows = tuple(np.array(part, "i4") for part in ([0, 2, 2, 3], [1, 2, 0], [4, 5, 6]))

    def refuse(reason: str, *arrays: list[int]) -> None:
        with pytest.raises(ValueError, match=reason):
            of_rows_both_ways.Solver(rows, in_rows=tuple(np.array(part, "i4") for part in arrays))

    refuse("another number of vertices, edges or weights", [0, 1, 2, 2], [2, 0], [6, 4])
    refuse("in_row_offsets end with 2, not the 3 edges", [0, 1, 2, 2], [2, 0, 0], [6, 4, 5])
    refuse(r"in_neighbours\[2\] is 3, not a vertex", [0, 1, 2, 3], [2, 0, 3], [6, 4, 5])
    refuse(r"in_weights\[1\] is -1, not a number from 0 to 1073741822", [0, 1, 2, 3], [2, 0, 0], [6, -1, 5])
    refuse(r"edge \(0, 2\) is not among those that come in at 2", [0, 1, 2, 3], [2, 0, 1], [6, 4, 5])
    refuse(r"edge \(0, 1\) has another weight in in_weights", [0, 1, 2, 3], [2, 0, 0], [6, 5, 5])
    of_rows_both_ways.Solver(rows, in_rows=tuple(np.array(part, "i4") for part in ([0, 1, 2, 3], [2, 0, 0], [6, 4, 5])))


@pytest.mark.turns(8)
def test_a_graph_with_copies_of_vertices_is_made_for_who_needs_it(load: Any) -> None:
    found = load("scc", "cpp").Solver(DIRECTED, threads=2).solve()["label"]
    for component in nx.strongly_connected_components(DIRECTED):
        assert set(found[list(component)]) == {min(component)}


@pytest.mark.turns(8)
def test_a_pattern_is_asked_for(load: Any) -> None:
    graph = nx.karate_club_graph()
    solver = load("match", "openmp").Solver(graph)
    assert solver.solve(pattern="0-1,1-2,2-0")["count"].tolist() == [sum(nx.triangles(graph).values()) // 3]
    assert solver.solve("0-1")["count"].tolist() == [graph.number_of_edges()]
    with pytest.raises(ValueError, match="pattern '0-1,2-3' is not connected"):
        solver.solve("0-1,2-3")
    with pytest.raises(ValueError, match="labels is 8, more than 7"):
        solver.solve("0-1", labels=8)
    with pytest.raises(ValueError, match="pattern '0-1c' has label c, but with labels 2 no vertex has one beyond b"):
        solver.solve("0-1c")
    assert solver.solve("0-1c", labels=3)["count"] > 0
    clubs = nx.get_node_attributes(graph, "club")
    across = sum(clubs[u] != clubs[v] for u, v in graph.edges)
    for given in (clubs, [*clubs.values()]):
        solver = load("match", "openmp").Solver(graph, labels=given)
        assert (solver.labels, solver.solve("0a-1b")["count"]) == (["Mr. Hi", "Officer"], across)
    called = nx.relabel_nodes(graph, {v: f"v{v}" for v in graph})
    solver = load("match", "openmp").Solver(called, labels={f"v{v}": clubs[v] for v in graph})
    hi = graph.subgraph(v for v in graph if clubs[v] == "Mr. Hi")
    assert solver.solve("0a-1a,1a-2a,2a-0")["count"] == sum(nx.triangles(hi).values()) // 3
    with pytest.raises(ValueError, match=r"^vertex 'v0' has no label$"):
        load("match", "openmp").Solver(called, labels=clubs)
    solver = load("match", "openmp").Solver(graph)
    with pytest.raises(ValueError, match=r"pattern '0-1\\x00,1-2' has a null character"):
        solver.solve("0-1\0,1-2")
    for value in (None, b"0-1", 5):
        with pytest.raises(TypeError, match="pattern is text, not "):
            solver.solve(value)
