"""Exported programs: they compile alone, are right, and refuse what is no graph."""

from __future__ import annotations

import copy
import ctypes
import gc
import importlib.util
import os
import pickle
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array

from generator.errors import UserError
from generator.export import export, files
from generator.paths import ROOT
from generator.render import render
from generator.space import Space, Style, name_of
from tests.emulator.translate import translate
from tests.generator import exported_gpu

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


@pytest.mark.parametrize("model", ["cpp", "openmp", "cuda"])
def test_a_library_is_built_in_its_own_standard(
    space: Space, everything: list[Style], tmp_path: Path, model: str
) -> None:
    """Conda asks for another one in CXXFLAGS."""
    first = next(name_of(style) for style in everything if (style["algorithm"], style["model"]) == ("bfs", model))
    export_named(space, tmp_path / "new", first)
    command = ["make", "--dry-run", "CXXFLAGS=-std=c++17 -O2", "example", "test/check"]
    done = subprocess.run(command, cwd=tmp_path / "new", capture_output=True, text=True, check=True)
    compiled = [words for line in done.stdout.splitlines() if " -std=" in line for words in [line.split()]]
    assert len(compiled) >= 4
    for words in compiled:
        assert [word for word in words if word.startswith("-std=")][-1] == "-std=c++20"


@pytest.fixture(scope="module")
def load(space: Space, everything: list[Style], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Exports, compiles outside the checkout and loads the first program of an algorithm and a model that has words."""

    @cache
    def load(algorithm: str, model: str, words: str = "") -> Any:
        folder = tmp_path_factory.mktemp("export") / "new"
        first = next(
            name_of(style)
            for style in everything
            if (style["algorithm"], style["model"]) == (algorithm, model) and name_of(style).endswith(words)
        )
        export_named(space, folder, first)
        make(folder, "-O1", "check", "example")
        assert "0" in subprocess.run([folder / "example"], capture_output=True, text=True, check=True).stdout
        (module,) = folder.glob("*.py")
        return loaded(module)

    return load


def loaded(module: Path) -> Any:
    """Returns the Python module of an exported folder."""
    spec = importlib.util.spec_from_file_location(module.stem, module)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


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


def test_weights_are_used_and_may_be_zero(load: Any) -> None:
    graph = GRAPH.copy()
    for number, (u, v) in enumerate(graph.edges):
        graph[u][v]["weight"] = number % 9
    distances(graph, 3, load("sssp", "openmp").Solver(graph, threads=2).solve(3)["dist"])


@pytest.mark.parametrize("weight", [2.7, "7", None, float("nan"), -1, 2**30 - 1, 2**31, 2**70, (1, 2), 1j])
def test_weights_that_are_no_whole_numbers_in_range_are_refused(load: Any, weight: Any) -> None:
    """And read by programs that use them only."""
    graph: Any = nx.Graph([(0, 1, {"weight": weight}), (1, 2)])
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


def test_of_an_edge_that_is_given_twice_the_smaller_weight_counts(load: Any) -> None:
    module = load("sssp", "openmp")
    tables = [
        pd.DataFrame({"source": [0, 0, 2], "target": [1, 1, 1], "weight": weights})
        for weights in ([7, 3, 1], [3, 7, 1])
    ]
    turned = pd.DataFrame({"source": [0, 1, 2], "target": [1, 0, 1], "weight": [7, 3, 1]})
    several: Any = nx.MultiGraph([(0, 1, {"weight": 7}), (0, 1, {"weight": 3}), (1, 2)])
    for graph in (*tables, turned, turned.astype({"source": "u8", "weight": float}), several):
        assert module.Solver(graph).solve(0)["dist"].tolist() == [0, 3, 4]
    assert load("bfs", "cpp").Solver(several).solve(0)["level"].tolist() == [0, 1, 2]


def test_a_parameter_can_be_set_for_each_handle(load: Any) -> None:
    """A threshold that rises by little takes many more rounds, and has the same distances."""
    module = load("sssp", "cpp", "nearfar")
    slow, fast = module.Solver(GRAPH, delta=1e-9), module.Solver(GRAPH, delta=1e9)
    right = nx.single_source_shortest_path_length(GRAPH, 3)
    for solver in (slow, fast, slow):
        (distances,) = solver.solve(3).values()
        assert {v: distance for v, distance in enumerate(distances.tolist()) if distance >= 0} == dict(right)
    with pytest.raises(ValueError, match="delta is not positive"):
        module.Solver(GRAPH, delta=0)


def test_graphs_of_scipy_and_pandas_are_those_of_networkx(load: Any) -> None:
    module = load("bfs", "cpp")
    matrix = nx.to_scipy_sparse_array(GRAPH, nodelist=range(len(GRAPH)), format="coo")
    once = pd.DataFrame([edge for edge in GRAPH.edges if max(edge) < 59] + [(59, 0)], columns=["source", "target"])
    levels(GRAPH, 2, module.Solver(matrix).solve(2)["level"])
    both = pd.concat((once, once.rename(columns={"source": "target", "target": "source"})))
    for table in (once, both):
        graph = nx.from_pandas_edgelist(table)
        levels(graph, 2, module.Solver(table).solve(2)["level"])
    with pytest.raises(ValueError, match="columns source, target"):
        module.Solver(once.rename(columns={"target": "to"}))
    with pytest.raises(TypeError, match="whole numbers"):
        module.Solver(once.astype(float))
    with pytest.raises(ValueError, match="square"):
        module.Solver(matrix.tocsr()[:5])


def test_memory_can_be_asked_for_first(load: Any) -> None:
    module = load("bfs", "cpp")
    assert 4 * len(GRAPH) <= module.memory_bytes(GRAPH) < 2000 + 100 * len(GRAPH)
    with pytest.raises(ValueError, match="has no reverse"):
        module.memory_bytes((np.array([0, 1, 1], "i4"), np.array([1], "i4")))


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
    for error, reason, graph in [
        (TypeError, f"{kinds}NoneType", None),
        (TypeError, f"{kinds}ndarray", np.array([[0, 1], [1, 0]], "i4")),
        (ValueError, "a graph is a tuple of row_offsets, neighbours", (offsets,)),
        (TypeError, "arrays of a graph have one dimension, not 0", (offsets, None)),
        (TypeError, r"an array of the graph has gaps or is not aligned: take a .copy()", (offsets, unaligned)),
        (TypeError, r"an array of the graph has gaps or is not aligned: take a .copy()", (offsets, neighbours[::-1])),
        (ValueError, "an adjacency matrix is square, not of shape (3,)", coo_array([0, 1, 0])),
        (ValueError, "a graph of 0 vertices, not of 1 to 2143289344", nx.Graph()),
        (ValueError, "nodes of a networkx graph must be 0 to n - 1", nx.Graph([(0, "a")])),
        (ValueError, "nodes of a networkx graph must be 0 to n - 1", nx.Graph([(1, 2)])),
        (ValueError, "edge (0, 1) has no reverse", nx.DiGraph([(0, 1)])),
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
    graph = nx.path_graph(3000)
    solver = load("bfs", "cpp").Solver(graph)
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda source: solver.solve(source)["level"][source], [0, 1, 2, 3] * 25)
        assert not any(found)


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
    folder = Path(load("sssp", model, "-delta").__file__).parent
    (header,) = (folder / "include").glob("*.h")
    (library,) = folder.glob("*.so")
    source, program = tmp_path / "main.cpp", tmp_path / "main"
    source.write_text(MEMORY_ENDS.format(id=header.stem))
    build = ["g++", "-std=c++20", f"-I{header.parent}", source, library, f"-Wl,-rpath,{folder}", "-o", program]
    subprocess.run(build, check=True)
    said = subprocess.run([program], capture_output=True, text=True, check=True, timeout=60).stdout
    assert said == "4: out of memory for the vertices of a bucket\n0, 0 and 3\n"


@pytest.mark.skipif(shutil.which("cmake") is None, reason="no cmake")
def test_a_project_can_have_several(space: Space, everything: list[Style], tmp_path: Path) -> None:
    lines = ["cmake_minimum_required(VERSION 3.24)", "project(mine LANGUAGES CXX)"]
    for algorithm in ("bfs", "cc"):
        first = next(style for style in everything if (style["algorithm"], style["model"]) == (algorithm, "cpp"))
        export_named(space, tmp_path / algorithm, name_of(first))
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


def test_a_program_keeps_its_text_but_for_streams_and_no_harness_comes_along(
    space: Space, everything: list[Style]
) -> None:
    seen = set()
    for style in everything:
        key = (style["algorithm"], style["model"])
        if key in seen:
            continue
        seen.add(key)
        program = render(space, style)
        made = files(program, space.algorithms[style["algorithm"]])
        (source,) = (text for path, text in made.items() if path.startswith(f"src/{program.name}."))
        assert source.count("<<<") == source.count(", 0, stream>>>")
        assert source.replace(", 0, stream>>>", ">>>") == program.text.replace(", 0, stream>>>", ">>>")
        assert "block_size>>>" not in source
        for name in ("harness", "graph_file", "json", "reference", "files"):
            assert not any(path.startswith(f"src/{name}.") for path in made), name_of(style)


def test_a_folder_in_use_is_left_alone(space: Space, everything: list[Style], tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(UserError, match="not an empty folder"):
        export(render(space, everything[0]), space.algorithms[everything[0]["algorithm"]], tmp_path)


def test_what_clang_format_says_against_a_file_is_an_error(
    space: Space, everything: list[Style], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clang_format = tmp_path / "bin" / "clang-format"
    clang_format.parent.mkdir()
    clang_format.write_text("#!/bin/sh\necho 'LLVM ERROR: No space left on device' >&2\nexit 1\n")
    clang_format.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(clang_format.with_name("python")))
    with pytest.raises(UserError, match=r"out: clang-format: LLVM ERROR: No space left on device$"):
        export_named(space, tmp_path / "out", name_of(everything[0]))
    assert not (tmp_path / "out").exists()


def test_a_program_for_several_gpus_is_refused(space: Space, tmp_path: Path) -> None:
    style = space.parse(
        "bfs-multigpu-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32-ranges-selective-list-store-host"
    )
    with pytest.raises(UserError, match="takes several GPUs, and libraries take one"):
        export(render(space, style), space.algorithms[style["algorithm"]], tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.fixture(scope="module")
def of_rows_both_ways(space: Space, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A library that reads the rows of a directed graph, and those of the edges that come in, with weights."""
    folder = tmp_path_factory.mktemp("export") / "new"
    export_named(space, folder, "sssp-cpp-vertex-data-dup-hybridmin-rw-nondet-blocked-i32-share-directed")
    make(folder, "-O1", "check")
    (module,) = folder.glob("*.py")
    return loaded(module)


def distances(graph: Any, source: int, found: Any) -> None:
    """Holds distances against networkx; beyond reach, they are -1."""
    right = nx.single_source_dijkstra_path_length(graph, source)
    assert {v: distance for v, distance in enumerate(found.tolist()) if distance >= 0} == dict(right)


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
    made = of_rows_both_ways.memory_bytes(matrix) - of_rows_both_ways.memory_bytes(matrix, in_rows=matrix.T)
    assert made == 4 * (len(DIRECTED) + 1 + 2 * DIRECTED.number_of_edges())


def test_in_rows_that_are_not_the_transpose_are_refused(of_rows_both_ways: Any) -> None:
    rows = tuple(np.array(part, "i4") for part in ([0, 2, 2, 3], [1, 2, 0], [4, 5, 6]))

    def refuse(reason: str, *arrays: list[int]) -> None:
        with pytest.raises(ValueError, match=reason):
            of_rows_both_ways.Solver(rows, in_rows=tuple(np.array(part, "i4") for part in arrays))

    refuse("another number of vertices or edges", [0, 1, 2, 2], [2, 0], [6, 4])
    refuse("in_row_offsets end with 2, not the 3 edges", [0, 1, 2, 2], [2, 0, 0], [6, 4, 5])
    refuse(r"in_neighbours\[2\] is 3, not a vertex", [0, 1, 2, 3], [2, 0, 3], [6, 4, 5])
    refuse(r"in_weights\[1\] is -1, not a number from 0 to 1073741822", [0, 1, 2, 3], [2, 0, 0], [6, -1, 5])
    refuse(r"edge \(0, 2\) is not among those that come in at 2", [0, 1, 2, 3], [2, 0, 1], [6, 4, 5])
    refuse(r"edge \(0, 1\) has another weight in in_weights", [0, 1, 2, 3], [2, 0, 0], [6, 5, 5])
    of_rows_both_ways.Solver(rows, in_rows=tuple(np.array(part, "i4") for part in ([0, 1, 2, 3], [2, 0, 0], [6, 4, 5])))


def test_a_graph_with_copies_of_vertices_is_made_for_who_needs_it(space: Space, tmp_path: Path) -> None:
    export_named(space, tmp_path / "new", "scc-cpp-edge-topology-push-rmw-nondet-blocked-i32")
    make(tmp_path / "new", "-O1")
    (module,) = (tmp_path / "new").glob("*.py")
    found = loaded(module).Solver(DIRECTED, threads=2).solve()["label"]
    for component in nx.strongly_connected_components(DIRECTED):
        assert set(found[list(component)]) == {min(component)}


def test_a_pattern_is_asked_for(space: Space, tmp_path: Path) -> None:
    export_named(space, tmp_path / "new", "match-openmp-vertex-topology-push-rmw-det-atomicred-default-i32")
    make(tmp_path / "new", "-O1")
    (module,) = (tmp_path / "new").glob("*.py")
    graph = nx.karate_club_graph()
    solver = loaded(module).Solver(graph)
    assert solver.solve(pattern="0-1,1-2,2-0")["count"].tolist() == [sum(nx.triangles(graph).values()) // 3]
    assert solver.solve("0-1")["count"].tolist() == [graph.number_of_edges()]
    with pytest.raises(ValueError, match="pattern '0-1,2-3' is not connected"):
        solver.solve("0-1,2-3")
    with pytest.raises(ValueError, match="labels is 8, more than 7"):
        solver.solve("0-1", labels=8)
    with pytest.raises(ValueError, match="pattern '0-1c' has label c, but with labels 2 no vertex has one beyond b"):
        solver.solve("0-1c")
    assert solver.solve("0-1c", labels=3)["count"] > 0


ALLOCATE = """
#include <cuda_runtime.h>
extern "C" __attribute__((visibility("default"))) void* to_gpu(const void* values, std::size_t bytes) {
  void* memory = nullptr;
  cudaMalloc(&memory, bytes);
  cudaMemcpy(memory, values, bytes, cudaMemcpyHostToDevice);
  return memory;
}
"""


class OnGpu:
    """An array in the memory of the emulated GPU, which ends the process if the host looks at it."""

    def __init__(self, values: Any, library: Path) -> None:
        values = np.asarray(values, "i4")
        to_gpu = ctypes.CDLL(str(library)).to_gpu
        to_gpu.restype, to_gpu.argtypes = ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_size_t]
        self.shape = values.shape
        self.__cuda_array_interface__ = {
            "shape": values.shape,
            "typestr": "<i4",
            "data": (to_gpu(values.ctypes.data, values.nbytes), False),
            "version": 3,
        }


FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-fPIC", "-fvisibility=hidden", "-pthread"]
EMULATOR = ROOT / "tests" / "emulator"
GPU_FLAGS = [
    *("-O1", "-fsanitize=thread", "--param", "tsan-distinguish-volatile=1", "-fno-threadsafe-statics"),
    *("-Wno-unknown-pragmas", "-Wno-unused-parameter", "-D__CUDACC__", f"-I{EMULATOR}", "-Isrc", "-Iinclude"),
]


def run(command: list[Any], folder: Path) -> None:
    """Runs a compiler."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def emulator(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The emulator, compiled."""
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    folder = tmp_path_factory.mktemp("emulator")
    run(["g++", *FLAGS, "-O2", "-c", EMULATOR / "emulator.cpp"], folder)
    run(["g++", *FLAGS, *GPU_FLAGS, "-c", EMULATOR / "cuda_runtime.cpp"], folder)
    return [folder / "emulator.o", folder / "cuda_runtime.o"]


@pytest.fixture(
    scope="module",
    params=[
        "sssp-cuda-vertex-data-dup-push-rw-nondet-nonpersistent-lists-atomic-i32-nearfar",
        "cc-cuda-edge-topology-push-rw-nondet-nonpersistent-thread-atomic-i32",
        "sssp-cuda-vertex-data-nodup-pull-rw-nondet-persistent-thread-atomic-i32-cluster-directed",
    ],
)
def emulated(
    request: pytest.FixtureRequest, space: Space, emulator: list[Path], tmp_path_factory: pytest.TempPathFactory
) -> Any:
    """A CUDA library on the emulator, and its file: programs that read rows, weights, sources of edges, in-rows."""
    folder = tmp_path_factory.mktemp("emulated") / "new"
    export_named(space, folder, request.param)
    for path in (folder / "src").iterdir():
        if path.suffix in (".cu", ".cuh", ".hpp"):
            path.with_suffix(".cpp" if path.suffix == ".cu" else path.suffix).write_text(translate(path.read_text()))
    (folder / "src" / "allocate.cpp").write_text(ALLOCATE)
    for source in (folder / "src").glob("*.cpp"):
        main = ["-Dmain=program_main"] if "-" in source.stem else []
        run(["g++", *FLAGS, *GPU_FLAGS, *main, "-c", source, "-o", f"{source.stem}.o"], folder)
    (module,) = folder.glob("*.py")
    library = folder / f"lib{module.stem}.so"
    run(["g++", "-shared", *emulator, *folder.glob("*.o"), "-o", library], folder)
    return loaded(module), library


def arrays_of(module: Any, graph: Any) -> list[Any]:
    """Returns row_offsets, neighbours and, where they matter, weights."""
    return [np.asarray(part) for part in module._arrays(graph)]


def is_directed(module: Any) -> bool:
    return "in_rows" in module.Solver.__init__.__code__.co_varnames


@pytest.mark.compile
def test_arrays_on_the_gpu_are_used_where_they_are(emulated: Any) -> None:
    """On the emulator, whose memory the host cannot read."""
    module, library = emulated
    graph = DIRECTED if is_directed(module) else DIRECTED.to_undirected()
    for number, (u, v) in enumerate(graph.edges):
        graph[u][v]["weight"] = number % 9
    arrays = arrays_of(module, graph)
    on_gpu = tuple(OnGpu(part, library) for part in arrays)
    begin = [3] if hasattr(module, "_Query") else []
    results = [module.Solver(arrays).solve(*begin), module.Solver(on_gpu).solve(*begin, on_gpu=False)]
    assert module.memory_bytes(arrays) - module.memory_bytes(on_gpu) >= arrays[1].nbytes
    if is_directed(module):
        in_rows = tuple(OnGpu(part, library) for part in arrays_of(module, graph.reverse()))
        results.append(module.Solver(on_gpu, in_rows).solve(*begin, on_gpu=False))
        made = module.memory_bytes(on_gpu) - module.memory_bytes(on_gpu, in_rows)
        assert made == sum(part.nbytes for part in arrays)
    for found in results:
        if "dist" in found:
            distances(graph, 3, found["dist"])
        else:
            for component in nx.connected_components(graph):
                assert set(found["label"][list(component)]) == {min(component)}


@pytest.mark.compile
def test_bad_arrays_on_the_gpu_are_refused_with_a_reason(emulated: Any) -> None:
    module, library = emulated
    on_gpu = partial(on_the_gpu, library, 3 if module._WEIGHTED else 2)

    def refuse(reason: str, *rows: Any) -> None:
        with pytest.raises(ValueError, match=reason):
            module.Solver(*rows)

    refuse("row_offsets begin with 1, not 0", on_gpu([1, 1, 2], [1, 0]))
    refuse("row_offsets decrease after vertex 1", on_gpu([0, 2, 1, 2], [1, 2]))
    refuse("row_offsets end with 3, not the 2 edges", on_gpu([0, 1, 3], [1, 0]))
    refuse(r"neighbours\[1\] is 2, not a vertex from 0 to 1", on_gpu([0, 1, 2], [1, 2]))
    refuse("vertex 1 has an edge to itself", on_gpu([0, 1, 2], [1, 1]))
    refuse("row of vertex 0 is not ascending", on_gpu([0, 2, 3, 4], [2, 1, 0, 0]))
    if module._WEIGHTED:
        refuse(r"weights\[0\] is -1, not a number from 0 to 1073741822", on_gpu([0, 1, 2], [1, 0], [-1, -1]))
    if is_directed(module):
        rows = on_gpu([0, 2, 2, 3], [1, 2, 0], [4, 5, 6])
        refuse("in_row_offsets begin with 1", rows, on_gpu([1, 1, 2, 3], [2, 0, 0]))
        refuse(r"edge \(0, 2\) is not among those that come in at 2", rows, on_gpu([0, 1, 2, 3], [2, 0, 1], [6, 4, 5]))
        refuse(r"edge \(0, 1\) has another weight", rows, on_gpu([0, 1, 2, 3], [2, 0, 0], [6, 5, 5]))
    else:
        refuse(r"edge \(0, 1\) has no reverse", on_gpu([0, 1, 1], [1]))
        if module._WEIGHTED:
            refuse("different weights", on_gpu([0, 1, 2], [1, 0], [4, 5]))
    with pytest.raises(TypeError, match="some arrays are on the GPU"):
        module.Solver([*on_gpu([0, 1, 2], [1, 0])[:1], *(np.array([1, 0], "i4"), np.array([1, 1], "i4"))])


def on_the_gpu(
    library: Path, count: int, offsets: list[int], neighbours: list[int], weights: Any = None
) -> list[OnGpu]:
    """Returns the first `count` arrays of a graph, on the emulated GPU."""
    arrays = (offsets, neighbours, weights or [1] * len(neighbours))
    return [OnGpu(array, library) for array in arrays[:count]]


@pytest.mark.gpu
@pytest.mark.parametrize(
    "pattern", ["bfs-cuda-.*-hybrid-.*-i32-estimated$", "sssp-cuda-.*-i64$", "cc-cuda-edge-.*-i32$"]
)
def test_a_cuda_library_on_a_gpu(space: Space, everything: list[Style], tmp_path: Path, pattern: str) -> None:
    pytest.importorskip("cupy", reason="no cupy")
    if shutil.which("nvcc") is None or not Path("/dev/nvidiactl").exists():
        pytest.skip("no nvcc or no GPU")
    style = next(style for style in everything if re.match(pattern, name_of(style)))
    export_named(space, tmp_path / "new", name_of(style))
    make(tmp_path / "new", "-O1", "check", "example")
    assert exported_gpu.main([str(tmp_path / "new")]) == 0
