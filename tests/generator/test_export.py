"""Exported programs: they compile alone, are right, and refuse what is no graph."""

from __future__ import annotations

import ctypes
import gc
import importlib.util
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from generator.config import find_config, select_styles
from generator.errors import UserError
from generator.export import export, files
from generator.paths import ROOT
from generator.render import render
from generator.space import Space, Style, name_of
from tests.emulator.translate import translate
from tests.generator import exported_gpu

GRAPH = nx.gnm_random_graph(60, 90, seed=1)


def export_first(
    space: Space, everything: list[Style], folder: Path, algorithm: str, model: str, words: str = ""
) -> None:
    """Exports the first program of an algorithm and a model whose name ends so."""
    style = next(
        style
        for style in everything
        if (style["algorithm"], style["model"]) == (algorithm, model) and name_of(style).endswith(words)
    )
    export(render(space, style), space.algorithms[algorithm], folder)


def make(folder: Path, flags: str, *targets: str) -> None:
    """Builds an exported folder, alone and with warnings as errors; `check` is its own test."""
    if shutil.which("make") is None or shutil.which("g++") is None:
        pytest.skip("no make or no g++")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS"))}
    command = ["make", f"CXXFLAGS={flags} -Wall -Wextra -Werror", *targets]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert "check" not in targets or "all results are right" in done.stdout


@pytest.fixture(scope="module")
def load(space: Space, everything: list[Style], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Exports, compiles outside the checkout and loads the first program of an algorithm and a model that has words."""

    @cache
    def load(algorithm: str, model: str, words: str = "") -> Any:
        folder = tmp_path_factory.mktemp("export") / "new"
        export_first(space, everything, folder, algorithm, model, words)
        make(folder, "-O1", "check", "example")
        assert (
            "values of type" in subprocess.run([folder / "example"], capture_output=True, text=True, check=True).stdout
        )
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


def test_weights_are_used(load: Any) -> None:
    graph = GRAPH.copy()
    for number, (u, v) in enumerate(graph.edges):
        graph[u][v]["weight"] = number % 9 + 1
    found = load("sssp", "openmp").Solver(graph, threads=2).solve(3)
    (distances,) = found.values()
    right = nx.single_source_dijkstra_path_length(graph, 3)
    assert {v: distance for v, distance in enumerate(distances.tolist()) if distance >= 0} == dict(right)


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


def test_bad_graphs_are_refused_with_a_reason(load: Any) -> None:
    module = load("bfs", "cpp")

    def refuse(
        error: type[Exception], reason: str, offsets: list[int], neighbours: list[int], kind: str = "i4"
    ) -> None:
        with pytest.raises(error, match=reason):
            module.Solver((np.array(offsets, kind), np.array(neighbours, kind)))

    refuse(TypeError, "int32", [0, 1, 2], [1, 0], "i8")
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
        assert source.replace("block_size, 0, stream>>>", "block_size>>>") == program.text.replace(
            "block_size, 0, stream>>>", "block_size>>>"
        )
        assert "block_size>>>" not in source
        for name in ("harness", "graph_file", "json", "reference", "files"):
            assert not any(path.startswith(f"src/{name}.") for path in made), name_of(style)


def test_a_folder_in_use_is_left_alone(space: Space, everything: list[Style], tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    with pytest.raises(UserError, match="not an empty folder"):
        export(render(space, everything[0]), space.algorithms[everything[0]["algorithm"]], tmp_path)


def test_a_program_for_several_gpus_is_refused(space: Space, tmp_path: Path) -> None:
    style = select_styles(space, find_config("multigpu"))[0]
    with pytest.raises(UserError, match="takes several GPUs, and libraries take one"):
        export(render(space, style), space.algorithms[style["algorithm"]], tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_a_program_of_directed_graphs_is_refused(space: Space, tmp_path: Path) -> None:
    style = space.parse("bfs-cpp-vertex-topology-push-rmw-nondet-blocked-i32-directed")
    with pytest.raises(UserError, match="takes directed graphs, and libraries take undirected ones"):
        export(render(space, style), space.algorithms["bfs"], tmp_path / "new")
    assert not (tmp_path / "new").exists()


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


@pytest.fixture(
    scope="module",
    params=[
        "sssp-cuda-.*-lists-atomic-i32-nearfar",
        "cc-cuda-edge-.*-atomic-i32$",
    ],
)
def emulated(
    request: pytest.FixtureRequest, space: Space, everything: list[Style], tmp_path_factory: pytest.TempPathFactory
) -> Any:
    """A CUDA library on the emulator, and its file: programs that read rows, weights and sources of edges."""
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    style = next(style for style in everything if re.match(request.param, name_of(style)))
    folder = tmp_path_factory.mktemp("emulated") / "new"
    export(render(space, style), space.algorithms[style["algorithm"]], folder)
    for path in (folder / "src").iterdir():
        if path.suffix in (".cu", ".cuh", ".hpp"):
            path.with_suffix(".cpp" if path.suffix == ".cu" else path.suffix).write_text(translate(path.read_text()))
    (folder / "src" / "allocate.cpp").write_text(ALLOCATE)
    flags = ["-std=c++20", "-Wall", "-Wextra", "-fPIC", "-fvisibility=hidden", "-pthread"]
    gpu = "-O1 -fsanitize=thread --param tsan-distinguish-volatile=1 -fno-threadsafe-statics -Wno-unknown-pragmas"
    emulator = ROOT / "tests" / "emulator"
    gpu_flags = [*gpu.split(), "-Wno-unused-parameter", "-D__CUDACC__", f"-I{emulator}", "-Isrc", "-Iinclude"]
    builds = [["g++", *flags, "-O2", "-c", emulator / "emulator.cpp", "-o", "emulator.o"]]
    for source in (folder / "src").glob("*.cpp"):
        main = ["-Dmain=program_main"] if "-" in source.stem else []
        builds.append(["g++", *flags, *gpu_flags, *main, "-c", source, "-o", f"{source.stem}.o"])
    (module,) = folder.glob("*.py")
    library = folder / f"lib{module.stem}.so"
    builds.append(["sh", "-c", f"g++ -shared emulator.o $(ls *.o | grep -v emulator.o) -o {library.name}"])
    for build in builds:
        done = subprocess.run(build, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    return loaded(module), library


@pytest.mark.compile
def test_arrays_on_the_gpu_are_used_where_they_are(emulated: Any) -> None:
    """On the emulator, whose memory the host cannot read."""
    module, library = emulated
    graph = GRAPH.copy()
    for number, (u, v) in enumerate(graph.edges):
        graph[u][v]["weight"] = number % 9 + 1
    arrays = [np.asarray(part) for part in module._arrays(graph)]
    on_gpu = tuple(OnGpu(part, library) for part in arrays)
    right = module.Solver(arrays).solve(3)
    found = module.Solver(on_gpu).solve(3, on_gpu=False)
    (name,) = right
    assert found[name].tolist() == right[name].tolist()
    assert module.memory_bytes(arrays) - module.memory_bytes(on_gpu) >= arrays[1].nbytes


@pytest.mark.compile
def test_bad_arrays_on_the_gpu_are_refused_with_a_reason(emulated: Any) -> None:
    module, library = emulated

    def refuse(reason: str, *arrays: list[int]) -> None:
        with pytest.raises(ValueError, match=reason):
            module.Solver([OnGpu(array, library) for array in (*arrays, [1] * len(arrays[1]))[:3]])

    refuse("row_offsets begin with 1, not 0", [1, 1, 2], [1, 0])
    refuse("row_offsets decrease after vertex 1", [0, 2, 1, 2], [1, 2])
    refuse("row_offsets end with 3, not the 2 edges", [0, 1, 3], [1, 0])
    refuse(r"neighbours\[1\] is 2, not a vertex from 0 to 1", [0, 1, 2], [1, 2])
    refuse("vertex 1 has an edge to itself", [0, 1, 2], [1, 1])
    refuse("row of vertex 0 is not ascending", [0, 2, 3, 4], [2, 1, 0, 0])
    refuse(r"edge \(0, 1\) has no reverse", [0, 1, 1], [1])
    if module._WEIGHTED:
        refuse("different weights", [0, 1, 2], [1, 0], [4, 5])
        refuse(r"weights\[0\] is less than 1", [0, 1, 2], [1, 0], [0, 0])
    with pytest.raises(TypeError, match="some arrays are on the GPU"):
        module.Solver([OnGpu([0, 1, 2], library), *(np.array([1, 0], "i4"), np.array([1, 1], "i4"))])


@pytest.mark.gpu
@pytest.mark.parametrize(
    "pattern", ["bfs-cuda-.*-hybrid-.*-i32-estimated$", "sssp-cuda-.*-i64$", "cc-cuda-edge-.*-i32$"]
)
def test_a_cuda_library_on_a_gpu(space: Space, everything: list[Style], tmp_path: Path, pattern: str) -> None:
    pytest.importorskip("cupy", reason="no cupy")
    if shutil.which("nvcc") is None or not Path("/dev/nvidiactl").exists():
        pytest.skip("no nvcc or no GPU")
    style = next(style for style in everything if re.match(pattern, name_of(style)))
    export(render(space, style), space.algorithms[style["algorithm"]], tmp_path / "new")
    make(tmp_path / "new", "-O1", "check", "example")
    assert exported_gpu.main([str(tmp_path / "new")]) == 0
