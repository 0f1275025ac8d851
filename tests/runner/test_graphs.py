from __future__ import annotations

import io
import struct
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from generator.errors import UserError
from inputs.formats import egr
from inputs.formats.errors import GraphFormatError
from runner.errors import RunnerError
from runner.hashing import hash_file
from runner.jobs.graphs import Reading, RefusedError, open_graph, open_graphs

if TYPE_CHECKING:
    from pathlib import Path

    from inputs.defaults import Duplicates


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
        ("a b.txt", "^a b.txt:1: "),
        ("short.egr", "short.egr:byte 3: the file ends before the two counts"),
    ],
)
def test_what_is_no_graph_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, graph: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "short.egr").write_bytes(b"\1\2\3")
    (tmp_path / "a b.txt").write_text("0 one\n")
    with pytest.raises(UserError, match=message):
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


def test_a_graph_in_any_format_is_taken_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also from the standard input; what was converted before is found again, unless it has changed."""
    file = tmp_path / "mine.v2.el"
    file.write_text("0 1\n1 2\n")
    graph = open_graph(str(file), tmp_path / "data")
    assert (graph.name, graph.vertices, graph.edges) == ("mine.v2", 3, 4)
    assert "undirected" in capsys.readouterr().err
    assert open_graph(str(file), tmp_path / "data") == graph
    assert capsys.readouterr().err == ""
    file.write_text("0 1\n1 2\n2 3\n")
    assert open_graph(str(file), tmp_path / "data").vertices == 4
    for content in (b"0 1\n1 2\n", graph.path.read_bytes()):
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(content)))
        assert open_graph("-", tmp_path / "data").sha256 == graph.sha256


@pytest.mark.parametrize(
    ("name", "text", "real"),
    [
        ("a.el", "0 1 2\n1 2 3.5\n", True),
        ("a.csv", "from,to,x,weight\n0,1,,2\n1,2,,-3\n", True),
        ("a.csv", "ann,bob,2\nbob,cy,0.5\n", True),
        ("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 2\n2 3 3.5\n", True),
        ("a.edgelist", "0 1 {'weight': 2}\n1 2 {'weight': 3.5}\n", True),
        ("a.graph", "3 2 1\n2 2\n1 2 3 3\n2 3\n", False),
        ("a.el", "0 1 2\n1 2 2e9\n", None),
        ("a.el", "0 1 2.5\n1 2 x\n", None),
    ],
)
def test_weights_are_real_if_some_have_fractions(tmp_path: Path, name: str, text: str, real: bool | None) -> None:
    (tmp_path / name).write_text(text)
    if real is None:  # too large to be whole, and no number
        with pytest.raises(GraphFormatError, match=r"2e9 is not in|'x' is not a number"):
            open_graph(str(tmp_path / name), tmp_path / "data")
    else:
        graph = open_graph(str(tmp_path / name), tmp_path / "data")
        assert (graph.real, graph.edges) == (real, 4)


def test_duplicates_and_whole_weights_are_what_one_asks(tmp_path: Path) -> None:
    """One reading of a file is not taken for another; an .egr file can be read anew, too."""
    file = tmp_path / "mine.el"
    file.write_text("0 1 2\n1 0 3\n1 2 4\n")
    kept: tuple[Duplicates, ...] = ("smallest", "sum", "largest")
    for duplicates, weight in zip(kept, (2, 5, 3), strict=True):
        for real in (False, True):
            graph = open_graph(str(file), tmp_path / "data", Reading(duplicates=duplicates, real_weights=real))
            assert (graph.name, graph.real) == ("mine", real)
            assert egr.read(graph.path).weights.tolist() == [weight, weight, 4, 4]
    whole = str(open_graph(str(file), tmp_path / "data").path)
    assert open_graph(whole, tmp_path / "data", Reading(real_weights=True)).real
    file.write_text("0 1\n1 2\n")
    with pytest.raises(GraphFormatError, match="no weights: leave out --real-weights"):
        open_graph(str(file), tmp_path / "data", Reading(real_weights=True))


def test_negative_weights_are_kept_for_who_takes_them(tmp_path: Path) -> None:
    file = tmp_path / "ties.el"
    file.write_text("0 1 -2\n1 2 3\n")
    graph = open_graph(str(file), tmp_path / "data")
    assert (graph.real, graph.edges) == (True, 4)
    said = "weights[0] is -2, must be 0 or from 1.1e-19 to 1e+28"
    assert str(RefusedError(graph, said)) == f"graph {graph.path}: {said}"  # converting would not mend it


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "ties.el").write_text("0 1\n")
    (tmp_path / "data").touch()
    with pytest.raises(RunnerError, match=rf"^graph \S+ties\.el: {tmp_path}/data\S*: Not a directory$"):
        open_graph(str(tmp_path / "ties.el"), tmp_path / "data")


def test_a_folder_is_told_from_a_name(tmp_path: Path) -> None:
    with pytest.raises(RunnerError, match=rf"^graph {tmp_path}: it is a folder, not a file, and no input is called"):
        open_graph(str(tmp_path), tmp_path / "data")
