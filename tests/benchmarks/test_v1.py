"""The data set v1: its parts are what they should be, and a sweep is stopped gently when time is over."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks import v1
from generator.manifest import DIGITS, MANIFEST, listed
from generator.space import load_space
from inputs.catalogue import ensure, path_of

if TYPE_CHECKING:
    from pathlib import Path

COUNT = "tc-cuda-vertex-topology-push-rmw-det-persistent-thread-atomic-globaladd-i32"
SEARCH = "bfs-cuda-vertex-topology-push-rmw-nondet-persistent-thread-atomic-i32"
STRONG = "scc-cuda-vertex-data-nodup-push-checked-nondet-persistent-teams-atomic-i32-all-jumping"


def test_graphs_are_of_the_catalogue_and_varied() -> None:
    names = {name for names in v1.GRAPHS.values() for name in names}
    assert len(v1.GRAPHS) >= 8
    assert len(names) >= 15
    assert sum(len(some) >= 3 for some in v1.GRAPHS.values()) >= 2
    asked = {*names, *v1.NATURAL, *(name for part in v1.PARTS.values() for name in part.graphs)}
    assert all(path_of(name) for name in asked)


def test_the_best_are_legal_programs_of_all_algorithms_on_a_gpu() -> None:
    space = load_space()
    styles = [space.parse(name) for name in v1.best()]
    assert all(style["model"] == "cuda" and space.forbidden_by(style) is None for style in styles)
    assert {style["algorithm"] for style in styles} == space.algorithms.keys() - {"wtf"}, "it is for directed graphs"


def test_counting_gets_no_large_graph_and_sources_are_a_hub_and_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graphs = ("karate", "tiny-star", "rmat-10-directed")
    for name in graphs:
        ensure(name, tmp_path)
    part = v1.Part(list, graphs, "around")
    monkeypatch.setitem(v1.MOST_EDGES, "tc", 100)
    found = list(v1._runs(part, [COUNT, SEARCH, STRONG], graphs, tmp_path))
    assert found == [
        (["tc-*"], ["tiny-star"], []),
        (["bfs-*"], ["karate", "tiny-star"], []),
        (["scc-*"], ["rmat-10-directed"], []),
    ]
    in_order = v1.Part(list, graphs, "paper", in_order=True)
    assert [names for _, names, _ in v1._runs(in_order, [SEARCH], graphs, tmp_path)] == [["karate"], ["tiny-star"]]
    undirected = v1.Part(list, graphs[:2], "around")
    assert list(v1._runs(undirected, [STRONG], graphs[:2], tmp_path)) == []
    asked = [
        (name, options)
        for _, (name,), options in v1._runs(v1.Part(list, graphs, "around", sources=3), [SEARCH], graphs, tmp_path)
    ]
    assert [name for name, _ in asked] == ["karate"] * 3 + ["tiny-star"] * 3
    assert asked[0] == ("karate", ["--source", "33"]), "the one with most friends"
    assert len({options[1] for name, options in asked if name == "karate"}) == 3


def test_what_is_published_is_not_measured_again_unless_its_program_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = listed(MANIFEST)
    rows = [
        (COUNT, "a", "{}", today[COUNT]),
        (COUNT, "b", "{}", "0" * DIGITS),
        (SEARCH, "a", '{"query": {"source": 3}}', today[SEARCH]),
        (SEARCH, "b", '{"query": {}}', today[SEARCH]),
    ]
    columns = zip(("program", "graph", "parameters", "source_sha256"), zip(*rows, strict=True), strict=True)
    (tmp_path / "v1").mkdir()
    pq.write_table(pa.table(dict(columns)), tmp_path / "v1" / "here.parquet")
    monkeypatch.setattr(v1, "MEASUREMENTS", tmp_path)
    programs = [COUNT, SEARCH, STRONG]
    assert v1._left(v1.Part(list, ("a", "b"), "here"), programs) == {
        ("b",): [COUNT],
        ("a",): [SEARCH],
        ("a", "b"): [STRONG],
    }
    assert v1._left(v1.Part(list, ("a", "b"), "here", sources=8), programs) == {("a", "b"): programs}


def test_a_sweep_ends_by_itself_or_is_told_to(tmp_path: Path) -> None:
    out = tmp_path / "out"
    script = f"""
import pathlib, sys, time
try:
    time.sleep(float(sys.argv[1]))
except KeyboardInterrupt:
    pathlib.Path({str(out)!r}).write_text("told")
"""
    assert v1._run([sys.executable, "-c", script, "0"], time.monotonic() + 60)
    assert not out.exists()
    assert not v1._run([sys.executable, "-c", script, "60"], time.monotonic() + 3)
    assert out.read_text() == "told"
    out.unlink()
    assert not v1._run([sys.executable, "-c", script, "0"], time.monotonic())
    assert not out.exists()


@pytest.mark.parametrize("seconds", ["nan", "inf", "-1", "0"])
def test_no_time_is_refused_before_graphs_are_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], seconds: str
) -> None:
    monkeypatch.setattr(v1, "measure", pytest.fail)
    monkeypatch.setattr(sys, "argv", ["v1", "measure", "best", "--seconds", seconds])
    with pytest.raises(SystemExit):
        v1.main()
    assert f"--seconds {seconds}: give a positive number" in capsys.readouterr().err


def test_where_time_is_over_no_graph_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(v1, "make_graphs", pytest.fail)
    v1.measure(["best"], 0, tmp_path)
