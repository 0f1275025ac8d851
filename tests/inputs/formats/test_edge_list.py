from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inputs.formats import edge_list, edge_table, registry
from inputs.formats.errors import GraphFormatError
from inputs.graph import EdgeList, concatenate
from inputs.weights import DROPPED, REAL, WHOLE

if TYPE_CHECKING:
    from pathlib import Path

    from inputs.weights import WeightRule


def save(folder: Path, content: str) -> Path:
    path = folder / "graph.el"
    path.write_text(content)
    return path


def edges_of(path: Path) -> tuple[int, list[tuple[int, int]]]:
    edges = edge_list.read(path)
    return edges.vertex_count, list(zip(edges.sources.tolist(), edges.destinations.tolist(), strict=True))


@pytest.mark.parametrize(
    "content",
    [
        "0 1\n2 1\n",
        "0 1\n2 1",
        "# a comment\n0\t1\n\n  2   1  \n",
        "0 1\r\n2 1\r\n",
        "0 1\n# in the middle\n2 1 # at the end\n",
        "0 1\r\n# in the middle\r\n\r\n2 1\r\n",
        "source,target\n0,1\n2, 1\n",
        ",source,target\n0,0,1\n1,2,1\n",  # as pandas writes it
        '"","source","target"\n"1",0,1\n"2",2,1\n',  # ... and R
        '"source","target"\n0,1\n2,1\n',
        '"source"\t"target"\n"0"\t"1"\n"2"\t"1"\n',
        "\ufeff0 1\n2 1\n",
        '\ufeff"From Node";"To Node (id)"\n0;1\n2; 1\n',
        "  From Node, To Node\n0,1\n2,1\n",
        "% sym unweighted\n% 2 3 3\n0 1\n2 1\n",
        "# a comment\n\nsource target\n0 1\n2 1\n",
        "3\n0 1\n2 1\n",
        "0 1\n2 1\n   ",
        "0 1 \t\n2 1\t\n\n \n",
    ],
)
def test_layouts(tmp_path: Path, content: str) -> None:
    assert edges_of(save(tmp_path, content)) == (3, [(0, 1), (2, 1)])


def test_utf_16(tmp_path: Path) -> None:
    path = tmp_path / "graph.csv"
    path.write_text("0,1\n", encoding="utf-16")
    with pytest.raises(GraphFormatError, match=r"graph\.csv:1: UTF-16 text; make UTF-8 of it: iconv"):
        edge_list.read(path)


def test_what_may_be_counts_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert edges_of(save(tmp_path, "3 2\n1 2\n2 3\n"))[0] == 4
    assert "'3 2' is read as an edge, but 2 edges follow and no id is above 3; if it counts" in caplog.text


@pytest.mark.parametrize("content", ["3 2\n1 2\n2 4\n", "3 2\n1 2\n", "1 2\n2 3\n1 3\n", "5 0\n", "3 1 7\n1 2 7\n"])
def test_an_edge_is_not_taken_for_counts(tmp_path: Path, caplog: pytest.LogCaptureFixture, content: str) -> None:
    edge_list.read(save(tmp_path, content))
    assert caplog.text == ""


@given(
    lines=st.lists(st.sampled_from(["0 1", "  7\t3 ", "# note", "", "5,6"]), min_size=1, max_size=30),
    block=st.integers(1, 40),
)
def test_blocks_do_not_matter(tmp_path_factory: pytest.TempPathFactory, lines: list[str], block: int) -> None:
    path = save(tmp_path_factory.mktemp("el"), "\n".join([*lines, "1 2"]))
    edges, whole = concatenate(list(edge_list.stream(path, block=block))), edge_list.read(path)
    np.testing.assert_array_equal([edges.sources, edges.destinations], [whole.sources, whole.destinations])


def test_the_line_of_an_error_in_a_later_block(tmp_path: Path) -> None:
    path = save(tmp_path, "0 1\n" * 1000 + "0 x\n")
    with pytest.raises(GraphFormatError, match=r"graph\.el:1001: 'x' is not"):
        list(edge_list.stream(path, block=64))


def test_ids_are_kept_as_given(tmp_path: Path) -> None:
    assert edges_of(save(tmp_path, "1 7\n3 1\n")) == (8, [(1, 7), (3, 1)])


def test_weights(tmp_path: Path) -> None:
    assert edge_list.read(save(tmp_path, "0 1 5\n1 2 7\n")).weights.tolist() == [5, 7]


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 1000), st.integers(0, 2**30 - 2)), min_size=1))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, triples: list[tuple[int, int, int]]) -> None:
    path = save(tmp_path_factory.mktemp("el"), "".join(f"{u} {v} {w}\n" for u, v, w in triples))
    edges = edge_list.read(path)
    columns = (edges.sources.tolist(), edges.destinations.tolist(), edges.weights.tolist())
    assert list(zip(*columns, strict=True)) == triples


@pytest.mark.parametrize(
    ("content", "line", "reason"),
    [
        ("# c\n0 1\n\n1.5 2\n", 4, "'1.5' is not a vertex number"),
        ("0 1\n0 2147483647\n", 2, "vertex 2147483647 is not in"),
        ("0 1\n2\n", 2, "1 fields, but the first line has 2"),
        ("0 1\n1 2 3\n", 2, "3 fields, but the first line has 2"),
        ("0 1 5\n1 2\n", 2, "2 fields, but the first line has 3"),
        ("0 1 5\n1 2 heavy\n", 2, "'heavy' is not a number"),
        ("0 1 5\n1 2 -inf\n", 2, "'-inf' is not a finite number"),
        ('0 1\n"0 2\n1 2\n', 2, "is not a vertex number"),
        ("0\n", None, "the file has no edge"),
        ("0\n1\n", 2, "an edge has 2 fields, or 3 with a weight, not 1"),
        ("1 2 1 1234567890\n", 1, "not 4; keep two or three columns: awk"),
        ("1,2,1,1234567890\n", 1, "not 4; keep two or three columns: cut -d, -f1,2"),
        ("1;2;1;1234567890\n", 1, "not 4; keep two or three columns: cut -d';' -f1,2"),
        ("10670 22002\n0 1 5\n", 2, "3 fields, but the first line has 2; if that line counts vertices and edges"),
        ("0 1\n0x10 1\n", 2, "'0x10' is not a vertex number"),
        ("0X1 1\n", 1, "'0X1' is not a vertex number"),
        ("0;1\n0;\n", 2, "'(nothing)' is not a vertex number"),
        (",a,b\n0,0,1\n", 1, "the first column has no name, so it counts lines: cut -d, -f2-"),
        ('"","a","b"\n"1",0,1\n', 1, "the first column has no name"),
        ("Node 1,Node 2\n0,1\n", 1, "not 4; if this line is a header, put a # before it"),
        ("0,1\n0,,1\n", 2, "3 fields, but the first line has 2"),
        ("0,1\n0,\n", 2, "'(nothing)' is not a vertex number"),
        ("source,target\nx,1\n", 2, "'x' is not a vertex number"),
        ("source target\nsource target\n0 1\n", 2, "'source' is not a vertex number"),
        ("0 1 5\n1 2 1073741823\n", 2, "weight 1073741823 is not in"),
        ("0 1 5\n1 2 1e300\n", 2, "weight 1e300 is not in"),
        ("0 1 5\n1 2 1e-3\n", 2, "weight 1e-3 is not a whole number: convert --scale-weights"),
        ("0 1 5\n1\t2\t0,5\n", 2, "a number has a decimal comma"),
        ("0 1 5\n1 2\n2\n", 2, "2 fields, but the first line has 3; if each line is a vertex and its neighbours"),
        ("source,target,label,weight\n0,1,a\n", 2, "3 fields, but the header names 4"),
        ("id,from,to\n7,0,x\n", 2, "'x' is not a vertex number"),
        ("id,from,to\n", None, "the file has no edge"),
        ("0 1\n+2 1\n", 2, "'+2' is not a vertex number"),
        ("0 1\n" + "9" * 5000 + " 1\n", 2, "is not in [0, 2147483646]"),
        ("\x00\x01\x02 \x03\n", 1, "is not a vertex number"),
    ],
)
def test_malformed(tmp_path: Path, content: str, line: int | None, reason: str) -> None:
    """What `tests/corpus` does not have."""
    path = save(tmp_path, content)
    with pytest.raises(GraphFormatError) as caught:
        edge_list.read(path)
    assert (caught.value.path, caught.value.position) == (path, line)
    assert reason in caught.value.reason


def test_bytes_that_are_not_text(tmp_path: Path) -> None:
    path = tmp_path / "graph.el"
    path.write_bytes(b"0 1\n\xff\xfe 2\n")
    with pytest.raises(GraphFormatError, match=r"graph\.el:2: .* is not a vertex number"):
        edge_list.read(path)


@given(st.text(alphabet="0123456789 -.#xe\n\r\t", max_size=40))
def test_any_text_is_a_graph_or_an_error(tmp_path_factory: pytest.TempPathFactory, content: str) -> None:
    path = save(tmp_path_factory.mktemp("el"), content)
    try:
        edges = edge_list.read(path)
    except GraphFormatError:
        return
    ends = edges.sources.tolist() + edges.destinations.tolist()
    assert all(end in range(edges.vertex_count) for end in ends)


def test_facebook_has_its_published_size(shared_graphs: Path) -> None:
    edges = edge_list.read(shared_graphs / "facebook_combined.txt")
    assert (edges.vertex_count, edges.to_graph().edge_count // 2) == (4_039, 88_234)


ODD = ["-1", "0x1", "99999999999", "1.5", "", "nan", '"3"', " 4 ", "x", "+3", "-0", "1e1", '"a\nb"', "007", "1e400"]


def test_tables_are_the_same_block_by_block_and_row_by_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is in them, and so are complaints."""

    def read(path: Path, rule: WeightRule) -> Any:
        try:
            found = registry.read(path, weights=rule)
        except GraphFormatError as error:
            return str(error)
        assert isinstance(found, EdgeList)
        weights = None if found.weights is None else found.weights.tolist()
        return found.vertex_count, found.sources.tolist(), found.destinations.tolist(), weights

    path, draw = tmp_path / "odd.csv", random.Random(1)
    for _ in range(300):
        rows = [
            [draw.choice("012345"), draw.choice("012345"), draw.choice(["", "Undirected ", "x"]), draw.choice("ab12")]
            for _ in range(draw.randrange(6))
        ]
        if rows:
            row = draw.choice(rows)
            row[draw.randrange(4)] = draw.choice(ODD)
            row[draw.randrange(4) :] = [] if draw.random() < 0.1 else row[3:]
        mark, end = draw.choice(",;\t"), draw.choice(["\n", "\r\n", "\n\n"])
        path.write_text(end.join(map(mark.join, [["Id", "Source", "Type", "Target"], *rows])), newline="")
        rule = draw.choice([WHOLE, DROPPED, REAL])
        found = read(path, rule)
        with monkeypatch.context() as patch:
            patch.setattr(edge_table, "_parsed", lambda *_: None)
            assert read(path, rule) == found, path.read_text()
