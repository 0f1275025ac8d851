"""Exported CUDA programs: on the emulator, and on a GPU."""

from __future__ import annotations

import ctypes
import re
import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest

from generator.paths import ROOT
from tests.emulator.translate import translate
from tests.generator import exported_gpu
from tests.generator.libraries import loaded, made, run, texts_of, write
from tests.generator.test_export import DIRECTED, distances, export_named, make
from tests.generator.test_export_outcomes import GRAPHS

if TYPE_CHECKING:
    from generator.space import Space


pytestmark = pytest.mark.turns(6, 5)

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
PROGRAMS = [
    "sssp-cuda-vertex-data-dup-push-rw-nondet-nonpersistent-lists-atomic-i32-nearfar",
    "bc-cuda-edge-topology-push-rmw-det-nonpersistent-thread-atomic-f32",
    "sssp-cuda-vertex-data-nodup-pull-rw-nondet-persistent-thread-atomic-i32-cluster-directed",
]


def emulator() -> list[Path]:
    """Returns the emulator, compiled."""

    def compile_there(folder: Path) -> None:
        run(["g++", *FLAGS, "-O2", "-c", EMULATOR / "emulator.cpp"], folder)
        run(["g++", *FLAGS, *GPU_FLAGS, "-c", EMULATOR / "cuda_runtime.cpp"], folder)

    sources = [path.read_text() for path in sorted(EMULATOR.iterdir()) if path.is_file()]
    folder = made([sources, FLAGS, GPU_FLAGS], compile_there)
    return [folder / "emulator.o", folder / "cuda_runtime.o"]


@pytest.fixture(scope="module", params=PROGRAMS)
def emulated(request: pytest.FixtureRequest) -> Any:
    """A CUDA library on the emulator, and its file: programs that read rows, weights, sources of edges, in-rows."""
    texts = {"src/allocate.cpp": ALLOCATE}
    for path, text in texts_of(request.param).items():
        is_translated = Path(path).suffix in (".cu", ".cuh", ".hpp") and path.startswith("src/")
        texts[path.replace(".cu", ".cpp") if path.endswith(".cu") else path] = (
            translate(text) if is_translated else text
        )
    objects = emulator()

    def compile_there(folder: Path) -> None:
        write(texts, folder)
        for source in (folder / "src").glob("*.cpp"):
            main = ["-Dmain=program_main"] if "-" in source.stem else []
            # The host's own threads are none of the emulator's, which lacks the standard's atomic operations.
            flags = [flag for flag in GPU_FLAGS if source.stem != "host" or flag != "-fsanitize=thread"]
            run(["g++", *FLAGS, *flags, *main, "-c", source, "-o", f"{source.stem}.o"], folder)
        (module,) = folder.glob("*.py")
        run(["g++", "-shared", *objects, *folder.glob("*.o"), "-o", f"lib{module.stem}.so"], folder)

    (module,) = made([texts, FLAGS, GPU_FLAGS, *map(str, objects)], compile_there).glob("*.py")
    return loaded(module), module.with_name(f"lib{module.stem}.so")


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
    start = 3 if module._WEIGHTED else [3]
    results = [
        module.Solver(arrays).solve(start),
        module.Solver(on_gpu).solve(start, on_gpu=False),
        module.Solver(on_gpu, copy=False).solve(start, on_gpu=False),
    ]
    assert module.memory_bytes(arrays) - module.memory_bytes(on_gpu, copy=False) >= arrays[1].nbytes
    copied = module.memory_bytes(on_gpu) - module.memory_bytes(on_gpu, copy=False)
    assert copied == sum(part.nbytes for part in arrays)
    if is_directed(module):
        in_rows = tuple(OnGpu(part, library) for part in arrays_of(module, graph.reverse()))
        results.append(module.Solver(on_gpu, in_rows).solve(start, on_gpu=False))
        transposed = module.memory_bytes(on_gpu, copy=False) - module.memory_bytes(on_gpu, in_rows, copy=False)
        assert transposed == sum(part.nbytes for part in arrays)
    for found in results:
        if "dist" in found:
            distances(graph, 3, found["dist"])
        else:
            right = nx.betweenness_centrality_subset(graph, [3], list(graph))
            assert np.allclose(found["centrality"], [2 * right[v] for v in graph], rtol=1e-4)


@pytest.mark.compile
def test_results_that_do_not_fit_are_refused_on_the_gpu(emulated: Any) -> None:
    """Some arrays are there already; and weights that a graph lacks are made for it."""
    module, library = emulated
    start = 0 if module._WEIGHTED else [0]
    outcomes = []
    for what in ("a path of 41 vertices of weight 30,000,000", "the furthest that fits", "2^125 paths", "2^126 paths"):
        arrays = [part for part in GRAPHS[what].arrays if part is not None][: 2 + module._WEIGHTED]
        weights = {"weights": "hash"} if module._WEIGHTED and len(arrays) == 2 else {}
        for given in (arrays, tuple(OnGpu(part, library) for part in arrays)):
            try:
                module.Solver(given, **weights).solve(start, on_gpu=False)
                outcomes.append("")
            except ValueError as error:
                outcomes.append(str(error)[:27])
    far, many = ["a distance of 1080000000 do"] * 2, ["a vertex has 2^126 shortest"] * 2
    assert outcomes == ([*far, *[""] * 6] if module._WEIGHTED else [*[""] * 6, *many])


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
def test_a_cuda_library_on_a_gpu(space: Space, tmp_path: Path, pattern: str) -> None:
    pytest.importorskip("cupy", reason="no cupy")
    if shutil.which("nvcc") is None or not Path("/dev/nvidiactl").exists():
        pytest.skip("no nvcc or no GPU")
    with (ROOT / "generated" / "MANIFEST.csv").open() as manifest:
        name = next(name for line in manifest if re.match(pattern, name := line.partition(",")[0]))
    export_named(space, tmp_path / "new", name)
    make(tmp_path / "new", "-O1", "check", "example")
    assert exported_gpu.main([str(tmp_path / "new")]) == 0
