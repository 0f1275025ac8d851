"""A program, its library by the C interface, and by Python refuse the same graphs and questions, or agree."""

from __future__ import annotations

import ctypes
import json
import struct
import subprocess
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from generator.space import load_space
from inputs.graph import transpose
from tests.generator.libraries import address, library, program
from tests.selection import todays

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.compile, pytest.mark.turns(6, 2)]

INFINITY = 2**30 - 1  # of 32-bit programs
COVER = todays(
    [
        "bfs-cpp-vertex-topology-push-rw-det-blocked-i32",
        "sssp-openmp-vertex-data-dup-push-rw-nondet-default-i32-delta",
        "sssp-cpp-vertex-data-dup-push-rw-nondet-blocked-i32-delta",
        "sssp-cpp-vertex-data-dup-hybridmin-rw-nondet-blocked-i32-share-directed",
        "bc-cpp-vertex-topology-push-rmw-det-blocked-f32",
        "bc-openmp-vertex-topology-push-rmw-det-default-f32-multisource",
        "bc-cpp-vertex-topology-pull-rmw-det-blocked-e32-multisource",
        "mst-cpp-vertex-topology-push-rmw-det-dynamic-i32",
        "scc-cpp-edge-topology-push-rmw-nondet-blocked-i32",
        "match-openmp-vertex-topology-push-rmw-det-atomicred-default-i32",
    ],
    4,
)


class Rows:
    """A graph as arrays, which need not be one."""

    def __init__(self, offsets: list[int], neighbours: list[int], weights: list[int] | None = None) -> None:
        self.arrays = [None if part is None else np.array(part, "i4") for part in (offsets, neighbours, weights)]

    @property
    def in_rows(self) -> list[Any]:
        """The transpose of a graph that is one."""
        offsets, neighbours, weights = self.arrays
        rows = transpose(offsets, neighbours)
        return [rows.row_offsets, rows.neighbours, None if weights is None else weights[rows.edges], rows.edges]

    def write(self, path: Path, *, directed: bool) -> None:
        """Writes a file, of what is no graph, too."""
        offsets, neighbours, weights = self.arrays
        counts = [len(offsets) - 1, len(neighbours)]
        if directed:
            in_offsets, in_neighbours, _, in_edges = self.in_rows
            head = struct.pack("<4sIqqII", b"EGR\xff", 3, *counts, weights is not None, 0)
            parts = [*self.arrays, in_offsets, in_neighbours, in_edges]
        else:
            head, parts = struct.pack("<ii", *counts), self.arrays
        path.write_bytes(head + b"".join(part.tobytes() for part in parts if part is not None))


def of_edges(n: int, edges: list[tuple[int, ...]]) -> Rows:
    """Returns the graph of edges with a weight or without."""
    arcs = sorted([*edges, *((v, u, *weight) for u, v, *weight in edges)])
    offsets = np.concatenate(([0], np.cumsum(np.bincount([u for u, *_ in arcs], minlength=n))))
    weights = [arc[2] for arc in arcs] if arcs and len(arcs[0]) == 3 else None
    return Rows(list(offsets), [arc[1] for arc in arcs], weights)


def path_of(*weights: int) -> list[tuple[int, ...]]:
    return [(v, v + 1, weight) for v, weight in enumerate(weights)]


def grid(side: int) -> Rows:
    right = [(v, v + 1) for v in range(side * side) if v % side < side - 1]
    return of_edges(side * side, right + [(v, v + side) for v in range(side * (side - 1))])


def diamonds(count: int) -> Rows:
    """Returns a chain of squares: each doubles the number of shortest paths."""
    edges = [(3 * i + u, 3 * i + v) for i in range(count) for u, v in ((0, 1), (0, 2), (1, 3), (2, 3))]
    return of_edges(3 * count + 1, edges)


GRAPHS = {
    "a vertex": of_edges(1, []),
    "no edges": of_edges(3, []),
    "weights of 0": of_edges(4, [*path_of(0, 0, 3)]),
    "a path of 41 vertices of weight 30,000,000": of_edges(41, path_of(*[30_000_000] * 40)),
    "the furthest that fits": of_edges(3, path_of(INFINITY - 2, 1)),
    "the nearest that does not fit": of_edges(3, path_of(INFINITY - 1, 1)),
    "not far the other way": of_edges(4, [*path_of(INFINITY - 1, INFINITY - 1), (0, 2, 2), (1, 3, 0)]),
    "far, and one beyond reach": of_edges(4, path_of(INFINITY - 1)),
    "long, and all beyond reach": of_edges(4, [(1, 2, INFINITY - 1), (2, 3, INFINITY - 1)]),
    "a grid of 70 x 70": grid(70),
    "2^125 paths": diamonds(125),
    "2^126 paths": diamonds(126),
}
NO_GRAPHS = {
    "no vertex": Rows([0], []),
    "a weight below 0": of_edges(2, [(0, 1, -1)]),
    "a weight too large": of_edges(2, [(0, 1, INFINITY)]),
    "floats read as whole numbers": Rows([0, 1, 2], [1, 0], [0x3F000000] * 2),
    "weights that differ": Rows([0, 1, 2], [1, 0], [3, 4]),
    "no reverse": Rows([0, 1, 1], [1]),
    "a loop": Rows([0, 1, 2], [0, 1]),
    "an edge twice": Rows([0, 2, 4], [1, 1, 0, 0]),
    "a row that does not ascend": Rows([0, 2, 3, 4], [2, 1, 0, 0]),
    "no vertex of that number": Rows([0, 1, 2], [1, 2]),
    "a vertex below 0": Rows([0, 1, 2], [1, -1]),
    "offsets not from 0": Rows([1, 1, 2], [1, 0]),
    "offsets that decrease": Rows([0, 2, 1, 2], [1, 2]),
    "offsets that end elsewhere": Rows([0, 1, 3], [1, 0]),
}


def is_directed(name: str) -> bool:
    return name.endswith("-directed") or name.startswith("scc")


def values_of(module: Any, name: str, values: Any) -> Any:
    """Returns values as files have them: -1 beyond reach."""
    if name in module._DISTANCES:
        values = np.where(values >= np.iinfo(values.dtype).max // 2, -1, values)
    return values


def by_program(name: str, rows: Rows, folder: Path, *options: str) -> Any:
    """Returns an exit code and a message, or results by name."""
    module, file = library(name), folder / "graph.egr"
    rows.write(file, directed=is_directed(name))
    source = ["--source", "0"] if "source" in name_of_query(module) and "--source" not in options else []
    command = [program(name), file, *source, "--threads", "2", *options, "--reps", "1", "--warmup", "0"]
    done = subprocess.run(
        [*command, "--dump", folder / "out.npy"], capture_output=True, text=True, check=False, timeout=60
    )
    if done.returncode != 0:
        assert done.returncode != 1, done.stderr  # a wrong result
        return done.returncode, done.stderr.strip().partition("error: ")[2].removeprefix(f"{file}: ")
    assert json.loads(done.stdout)["verified"]
    single = len(module._RESULTS) == 1
    return {each: np.load(folder / ("out.npy" if single else f"out.{each}.npy")) for each in module._RESULTS}


def parameters(module: Any) -> list[str]:
    """Returns the numbers of a program's method."""
    return [each for each, kind in module._Options._fields_ if kind is ctypes.c_double]


def name_of_query(module: Any) -> dict[str, Any]:
    """Returns what a library is asked, by name; that a list of sources is asked stands for a source."""
    fields = dict(module._Query._fields_) if hasattr(module, "_Query") else {}
    return {"source" if each == "source_list" else each: kind for each, kind in fields.items() if each != "sources"}


def preset(module: Any, name: str) -> dict[str, Any]:
    """Returns a query that makes sense."""
    query = load_space().algorithms[name.partition("-")[0]].query
    return {each: 0 if each == "source" else query[each].default for each in name_of_query(module)}


def by_c(name: str, rows: Rows, asked: dict[str, Any], *, in_rows: bool = False, **options: Any) -> Any:
    """Returns a code and a message, or results by name."""
    module = library(name)
    graph = module._Graph()
    graph.n, graph.m = len(rows.arrays[0]) - 1, len(rows.arrays[1])
    given = dict(zip(("row_offsets", "neighbours", "weights"), rows.arrays, strict=True))
    if in_rows:
        transposed = rows.in_rows
        given |= dict(zip(("in_row_offsets", "in_neighbours", "in_weights"), transposed, strict=False))
    for field in {each for each, _ in module._Graph._fields_} & given.keys():
        setattr(graph, field, address(given[field]))
    chosen = module._defaults()
    for each, value in options.items():
        setattr(chosen, each, value)
    handle = ctypes.c_void_p()
    code = module._create(ctypes.byref(handle), ctypes.byref(graph), ctypes.byref(chosen))
    if code == 0:
        query = []
        if hasattr(module, "_Query"):
            values: dict[str, Any] = {
                each: value.encode() if isinstance(value, str) else value for each, value in asked.items()
            }
            if "source_list" in dict(module._Query._fields_):
                starts = np.array([values.pop("source")], "i4")
                values |= {"source_list": address(starts), "sources": 1}
            query = [ctypes.byref(module._Query(**values))]
        code = module._solve(handle, *query, None)
    if code != 0:
        module._destroy(handle)
        return code, module._message().decode()
    results = {}
    for index, each in enumerate(module._RESULTS):
        found = np.empty(module._result_size(handle, index), module._result_type(index).decode())
        assert module._copy_result(handle, index, address(found)) == 0
        results[each] = values_of(module, each, found)
    assert module._destroy(handle) == 0
    return results


def by_python(name: str, rows: Rows, asked: dict[str, Any], *, in_rows: bool = False, **options: Any) -> Any:
    """Returns a message, or results by name."""
    module = library(name)
    count = 3 if module._WEIGHTED and rows.arrays[2] is not None else 2
    given = [rows.arrays[:count], *([rows.in_rows[:count]] if in_rows else [])]
    if "source" in asked and "source_list" in dict(module._Query._fields_):
        asked = asked | {"source": [asked["source"]]}
        asked = {"sources" if each == "source" else each: value for each, value in asked.items()}
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            results = module.Solver(*given, **options).solve(**asked)
        except ValueError as error:
            return str(error)
    assumes = module._WEIGHTED and rows.arrays[2] is None and len(rows.arrays[1]) > 0
    assert ["the graph has no weights" in str(each.message) for each in said] == [True] * assumes
    return results


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return all(np.allclose(one[each], other[each], rtol=1e-5) for each in one)
    return bool(one == other)


@pytest.mark.parametrize("name", COVER)
def test_graphs(name: str, tmp_path: Path) -> None:
    module, refused = library(name), set()
    asked = preset(module, name)
    can_have_in_rows = "in_row_offsets" in dict(module._Graph._fields_)
    for what, rows in GRAPHS.items() if is_directed(name) else (GRAPHS | NO_GRAPHS).items():
        right = by_program(name, rows, tmp_path)
        if isinstance(right, tuple):
            refused.add(what)
        for in_rows in {False, can_have_in_rows}:
            found = by_c(name, rows, asked, in_rows=in_rows), by_python(name, rows, asked, in_rows=in_rows)
            if isinstance(right, tuple) and what in NO_GRAPHS:  # each says it of its own arrays
                assert found[0][0] == right[0], what
                assert found[1] in (found[0][1], "a graph of 0 vertices, not of 1 to 2143289344"), what
            elif isinstance(right, tuple):
                assert found == (right, right[1]), what
            else:
                assert equal(right, found[0]), what
                assert equal(right, found[1]), what
    far = {"a path of 41 vertices of weight 30,000,000", "the nearest that does not fit"}
    many = {"a grid of 70 x 70", "2^126 paths"}
    expected = far if name.startswith("sssp") else many if name.startswith("bc") and "e32" not in name else set()
    assert refused - NO_GRAPHS.keys() == expected


@pytest.mark.parametrize("name", COVER)
def test_questions(name: str, tmp_path: Path) -> None:
    """Each number beyond either end, and patterns that are none."""
    module, rows = library(name), GRAPHS["the furthest that fits"]
    asked = preset(module, name)
    query = load_space().algorithms[name.partition("-")[0]].query
    questions: list[tuple[str, Any]] = []
    for each in asked:
        if each == "source":
            questions += [(each, -1), (each, 3), (each, 2**31 - 1)]
        elif query[each].is_pattern:
            questions += [(each, text) for text in ("", "x", "0-0", "0-1,2-3", "0-1c", "1-2")]
        else:
            questions.append((each, query[each].minimum - 1))
            questions += [(each, query[each].maximum + 1)] if query[each].maximum < 2**31 - 1 else []
    for each, value in questions:
        code, _ = by_program(name, rows, tmp_path, f"--{each}={value}")
        found, said = by_c(name, rows, asked | {each: value})
        assert (code, found) == (2, 2), (each, value)
        assert by_python(name, rows, asked | {each: value}) == said
    options = [("threads", value) for value in (-1, 0, 4097)]
    options += [(each, value) for each in parameters(module) for value in (-1.0, 0.0, np.inf, np.nan)]
    for option, number in options:
        assert by_program(name, rows, tmp_path, f"--{option}={number}")[0] == 2
        code, said = by_c(name, rows, asked, **{option: number})
        assert code == 2
        assert by_python(name, rows, asked, **{option: number}) == said
