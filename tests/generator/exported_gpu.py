"""What a CUDA export must do on a GPU; `python exported_gpu.py FOLDER...` runs all of it on built folders.

Needs cupy and numpy only, so that it also runs where the test suite is not installed.
"""

from __future__ import annotations

import gc
import importlib
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

N = 20_000


def load(folder: Path) -> Any:
    """Returns the Python module of an exported folder."""
    (path,) = folder.glob("*.py")
    sys.path.insert(0, str(folder))
    return importlib.import_module(path.stem)


@cache
def graph(n: int = N, seed: int = 0) -> tuple[Any, Any, Any]:
    """Returns row_offsets, neighbours and weights of a random graph, int32."""
    random = np.random.default_rng(seed)
    u, v = random.integers(0, n, (2, 8 * n))
    u, v = u[u != v], v[u != v]
    keys = np.unique(np.concatenate((u * n + v, v * n + u)))
    tails, heads = keys // n, keys % n
    row_offsets = np.concatenate(([0], np.cumsum(np.bincount(tails, minlength=n))))
    weights = 1 + (tails + heads) * 7 % 19
    return tuple(part.astype(np.int32) for part in (row_offsets, heads, weights))  # type: ignore[return-value]


def start_of(module: Any) -> list[Any]:
    """Returns what solve is called with: vertices to begin with, if any."""
    asked = dict(getattr(module, "_Query", module._Options)._fields_)
    return [[0, 5, 9]] if "source_list" in asked else [3] if "source" in asked else []


def equal(found: Any, right: Any) -> bool:
    """Tells whether two results are the same, but for rounding."""
    return all(np.allclose(found[name], right[name], rtol=1e-3, atol=1e-6) for name in right)


def is_exact(module: Any) -> bool:
    """Tells whether results do not depend on the order of threads."""
    return all(module._result_type(index).startswith(b"<i") for index in range(len(module._RESULTS)))


def check_arrays(module: Any) -> None:
    """Arrays of the host, of cupy, on a stream, and results where they are asked for, are the same."""
    import cupy

    host = graph()
    device = tuple(map(cupy.asarray, host))
    begin = start_of(module)
    right = module.Solver(host).solve(*begin)
    assert all(isinstance(values, np.ndarray) for values in right.values())
    solver = module.Solver(device)
    found = solver.solve(*begin)
    assert solver.seconds > 0
    assert all(isinstance(values, cupy.ndarray) for values in found.values())
    assert equal({name: values.get() for name, values in found.items()}, right)
    assert equal(solver.solve(*begin, on_gpu=False), right)
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:  # what the stream does before is seen, and what it does after sees the results
        late = tuple(cupy.empty_like(part) for part in device)
        for to, origin in zip(late, device, strict=True):
            to[...] = origin
        found = module.Solver(late).solve(*begin)
    assert equal({name: values.get() for name, values in found.items()}, right)


def check_memory(module: Any) -> None:
    """The graph is not copied, what is asked for first is what is taken, and nothing is left of many graphs."""
    import cupy

    free = cupy.cuda.runtime.memGetInfo
    host = graph(1 << 20)
    device = tuple(map(cupy.asarray, host))
    module.Solver(device).solve(*start_of(module))  # what is made once for the library
    gc.collect()
    before = free()[0]
    expected = module.memory_bytes(device, copy=False)
    copies = sum(part.nbytes for part in device[: 2 + module._WEIGHTED])
    assert module.memory_bytes(device) == expected + copies
    assert free()[0] == before, "asking took memory"
    solver = module.Solver(device, copy=False)
    taken = before - free()[0]
    slack = 64 << 20  # the driver takes memory in blocks of 2 MiB an array
    assert expected <= taken + (1 << 20), (expected, taken)
    assert taken <= expected + slack, (expected, taken)
    from_host = module.memory_bytes(host)
    assert from_host > expected, "a graph of the host is copied"
    del solver
    gc.collect()
    for seed in range(30):
        module.Solver(tuple(map(cupy.asarray, graph(2000, seed)))).solve(*start_of(module))
    gc.collect()
    assert before - free()[0] < 16 << 20, "memory is left behind"


def check_errors(module: Any) -> None:
    """Bad arrays and a full GPU are errors with a reason; the process, and the GPU, live."""
    import cupy

    def refused(error: type[Exception], reason: str, *arrays: Any) -> None:
        said = "nothing"
        try:
            module.Solver(arrays)
        except error as raised:
            said = str(raised)
        assert reason in said, f"said {said}, not {reason}"

    def on_gpu(offsets: list[int], neighbours: list[int], weights: list[int] | None = None) -> tuple[Any, ...]:
        weights = weights or [1] * len(neighbours)
        return tuple(cupy.array(part, dtype="i4") for part in (offsets, neighbours, weights))

    refused(ValueError, "row_offsets begin with 1", *on_gpu([1, 1, 2], [1, 0]))
    refused(ValueError, "decrease after vertex 1", *on_gpu([0, 2, 1, 2], [1, 2]))
    refused(ValueError, "row_offsets end with 3, not the 2 edges", *on_gpu([0, 1, 3], [1, 0]))
    refused(ValueError, "neighbours[1] is 2, not a vertex from 0 to 1", *on_gpu([0, 1, 2], [1, 2]))
    refused(ValueError, "vertex 1 has an edge to itself", *on_gpu([0, 1, 2], [1, 1]))
    refused(ValueError, "row of vertex 0 is not ascending", *on_gpu([0, 2, 3, 4], [2, 1, 0, 0]))
    refused(ValueError, "edge (0, 1) has no reverse", *on_gpu([0, 1, 1], [1]))
    refused(TypeError, "int32", *(part.astype("i8") for part in on_gpu([0, 1, 2], [1, 0])))
    refused(TypeError, "some arrays are on the GPU", *on_gpu([0, 1, 2], [1, 0])[:1], *graph(2)[1:])
    if module._WEIGHTED:
        refused(ValueError, "different weights", *on_gpu([0, 1, 2], [1, 0], [4, 5]))
    device = tuple(map(cupy.asarray, graph(1 << 20)))
    cupy.get_default_memory_pool().free_all_blocks()
    hoard = [cupy.cuda.runtime.malloc(max(cupy.cuda.runtime.memGetInfo()[0] - (64 << 20), 1))]
    try:
        while True:
            hoard.append(cupy.cuda.runtime.malloc(2 << 20))
    except cupy.cuda.runtime.CUDARuntimeError:
        pass
    try:
        refused(MemoryError, "cannot allocate GPU memory", *device)
    finally:
        for block in hoard:
            cupy.cuda.runtime.free(block)
    module.Solver(device).solve(*start_of(module))


def check_threads(modules: list[Any]) -> None:
    """Threads may call different handles, of one library or of several, at once."""
    host = graph()
    right = [module.Solver(host).solve(*start_of(module)) for module in modules]

    def work(index: int) -> bool:
        module = modules[index % len(modules)]
        solver = module.Solver(host)
        return all(equal(solver.solve(*start_of(module)), right[index % len(modules)]) for _ in range(5))

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(4 * len(modules))))


def main(folders: list[str]) -> int:
    """Runs all checks; returns how many failed."""
    modules = [load(Path(folder)) for folder in folders]
    failed = 0
    for check, of in [
        *((check, module) for module in modules for check in (check_arrays, check_memory, check_errors)),
        (check_threads, [module for module in modules if is_exact(module)]),
    ]:
        name = getattr(of, "__name__", "all")
        try:
            check(of)
            print(f"passed {check.__name__} {name}", flush=True)
        except Exception as error:  # each is reported, and the next one runs
            failed += 1
            print(f"FAILED {check.__name__} {name}: {type(error).__name__}: {error}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
