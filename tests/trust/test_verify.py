"""Verifying many programs on many graphs, and going on where it was stopped."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import numpy as np
import pytest

from generator.errors import UserError
from inputs.catalogue import ensure
from inputs.formats import egr
from inputs.generators import rmat
from inputs.graph import from_edges
from trust import graphs
from trust.records import read
from trust.verify import measure

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.compile, pytest.mark.turns(6, 0)]

DIRECTED = "scc-cpp-vertex-topology-push-rmw-nondet-cyclic-i32"
GOOD = "tc-cpp-vertex-topology-push-rmw-det-clausered-cyclic-i32"
BAD = "tc-openmp-vertex-topology-push-rmw-det-atomicred-default-i32-lastitem"

WHOLE = "sssp-cpp-vertex-topology-push-rmw-nondet-cyclic-i32"
REAL = WHOLE.replace("i32", "r32")

TWO = [("--threads", "1"), ("--threads", "2")]


@pytest.fixture
def config(tmp_path: Path) -> str:
    if not shutil.which("g++"):
        pytest.skip("needs g++")
    file = tmp_path / "verified.toml"
    file.write_text(f'extend = ["bug"]\nnames = ["{GOOD}", "{BAD}"]\n')
    return str(file)


def test_every_program_runs_on_every_graph_with_every_number_of_threads(
    config: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.csv"
    inputs = [str(ensure(name, tmp_path)) for name in ("tiny-k5", "tiny-path")]
    failures = measure(config, ("openmp", "cpp"), inputs[:1], TWO, table, jobs=2)
    assert failures == 2
    assert f"{BAD} on tiny-k5: wrong" in capsys.readouterr().out
    assert (
        measure(config, ("openmp", "cpp"), inputs, TWO, table, jobs=2) == 2
    )  # those of before: no triangle can be missing there
    assert f"{BAD} on tiny-k5: wrong" in capsys.readouterr().out
    seen = sorted((row["program"], row["graph"], row["threads"], row["status"]) for row in read(table))
    assert seen == sorted(
        (program, graph, threads, "wrong" if (program, graph) == (BAD, "tiny-k5") else "verified")
        for program in (GOOD, BAD)
        for graph in ("tiny-k5", "tiny-path")
        for threads in ("1", "2")
    )


def test_each_program_is_tried_on_graphs_of_its_kind() -> None:
    files = graphs.few()
    assert graphs.fitting({"algorithm": "tc"}, files) == tuple(files)
    for file, one_way in zip(files, graphs.fitting({"algorithm": "scc"}, files), strict=True):
        before, after = egr.read(file), egr.read(one_way)
        assert after.directed
        assert 0.5 < after.edge_count / before.edge_count < 0.9
        arcs = {
            *zip(
                after.neighbours.tolist(), np.repeat(np.arange(after.vertex_count), after.degrees).tolist(), strict=True
            )
        }
        assert 0 < sum((v, u) in arcs for u, v in arcs) < len(arcs)  # some edges both ways, some one way


def test_graphs_are_for_the_programs_that_take_them(config: str, tmp_path: Path) -> None:
    file = tmp_path / "of-all-kinds.toml"
    file.write_text(f'extend = ["datatype"]\nnames = ["{GOOD}", "{DIRECTED}", "{WHOLE}", "{REAL}"]\n')
    egr.write(rmat(4, 20, directed=True), directed := tmp_path / "directed.egr")
    egr.write(from_edges(3, *np.array([[0, 1], [1, 2]]), np.array([0.5, 2], np.float32)), real := tmp_path / "real.egr")
    inputs = [str(directed), str(real), str(ensure("tiny-k5", tmp_path))]
    table = tmp_path / "table.csv"
    assert measure(str(file), ("cpp",), inputs, TWO[1:], table, jobs=2) == 0
    seen = {(row["program"], row["graph"]) for row in read(table) if row["status"] == "verified"}
    assert seen == {
        (GOOD, "real"),
        (REAL, "real"),
        (DIRECTED, "directed"),
        *((each, "tiny-k5") for each in (GOOD, WHOLE, REAL)),
    }
    with pytest.raises(UserError, match="takes graphs of that kind"):
        measure(config, ("cpp",), [str(directed)], TWO[1:], table, jobs=2)


def test_a_graph_that_is_no_good_is_an_error_with_the_reason(config: str, tmp_path: Path) -> None:
    graph = tmp_path / "truncated.egr"
    graph.write_bytes(ensure("tiny-k5", tmp_path).read_bytes()[:-8])
    with pytest.raises(UserError, match=r"fails: tc on .*truncated\.egr: violet-reference: error: .*truncated\.egr: "):
        measure(config, ("cpp",), [str(graph)], TWO[:1], tmp_path / "table.csv", jobs=2)
