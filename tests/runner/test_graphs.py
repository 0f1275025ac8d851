from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from runner.errors import RunnerError
from runner.hashing import hash_file
from runner.jobs.graphs import open_graph, open_graphs

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_is_a_graph(tmp_path: Path) -> None:
    file = tmp_path / "small.egr"
    file.write_bytes(struct.pack("<5i", 2, 0, 0, 0, 0))
    graph = open_graph(str(file), tmp_path)
    assert (graph.name, graph.path, graph.vertices, graph.edges) == ("small", file, 2, 0)
    assert graph.sha256 == hash_file(file)


def test_a_name_is_made_from_the_catalogue(tmp_path: Path) -> None:
    graph = open_graph("karate", tmp_path)
    assert (graph.name, graph.vertices, graph.edges) == ("karate", 34, 156)
    assert graph.path.is_relative_to(tmp_path)


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        ("missing.egr", "cannot read graph missing.egr: No such file or directory"),
        ("karat", "graph karat: .*did you mean karate"),
        ("a b.txt", "programs read .egr files; make one: python -m inputs convert 'a b.txt' 'a b.egr'"),
        ("short.egr", "short.egr:byte 3: the file ends before the two counts"),
    ],
)
def test_what_is_no_graph_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, graph: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "short.egr").write_bytes(b"\1\2\3")
    (tmp_path / "a b.txt").write_text("0 1\n")
    with pytest.raises(RunnerError, match=message):
        open_graph(graph, tmp_path)


def test_two_graphs_of_a_sweep_have_two_names(tmp_path: Path) -> None:
    files = [tmp_path / folder / "g.egr" for folder in ("a", "b", "same")]
    for file, vertices in zip(files, (2, 3, 2), strict=True):
        file.parent.mkdir()
        file.write_bytes(struct.pack(f"<{vertices + 3}i", vertices, *[0] * (vertices + 2)))
    one, other, same = map(str, files)
    assert [graph.name for graph in open_graphs([one, same], tmp_path)] == ["g", "g"]
    with pytest.raises(RunnerError, match=f"^graphs {one} and {other}: results would call both g: rename one$"):
        open_graphs([one, other], tmp_path)
