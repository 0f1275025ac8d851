"""Vertices that are called anything: names come through a conversion beside the graph."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inputs import names
from inputs.conversion import convert
from inputs.formats import egr, objects, text
from inputs.formats.errors import GraphFormatError
from inputs.labels import letters, read_column, read_pairs
from inputs.properties import inspect
from inputs.weights import WHOLE
from tests.inputs.test_mutated_files import PACKINGS

if TYPE_CHECKING:
    from pathlib import Path

    from inputs.graph import Graph

FRIENDS = [("ann", "bob", 5), ("bob", "cy", 6), ("cy", "ann", 7)]


def converted(tmp_path: Path, text: str, name: str = "in.csv") -> tuple[Graph, list[object]]:
    source, out = tmp_path / name, tmp_path / "out.egr"
    source.write_text(text, encoding="utf-8")
    convert(source, out)
    graph = egr.read(out)
    found = names.read(out, graph.vertex_count)
    assert found is not None
    return graph, found.tolist()


def edges_of(graph: Graph, called: list[object]) -> set[tuple[object, object, int | None]]:
    edges = graph.to_edges()
    weights = [None] * graph.edge_count if edges.weights is None else edges.weights.tolist()
    ends = zip(edges.sources.tolist(), edges.destinations.tolist(), weights, strict=True)
    return {(called[u], called[v], weight) for u, v, weight in ends}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.el", "# friends\nann bob 5\nbob cy 6\ncy ann 7\n"),
        ("a.tsv", "ann\tbob\t5\nbob\tcy\t6\ncy\tann\t7\n"),
        ("a.csv", "source,target,weight\nann,bob,5\nbob, cy,6\ncy,ann,7\n"),
        ("b.csv", 'id,"Source","Target",type,weight\n1,ann,bob,x,5\n2,bob,"cy",x,6\n3,cy,ann,x,7\n'),
        ("c.csv", "from;to;weight\r\nann;bob;5\r\nbob;cy;6\r\ncy;ann;7\r\n"),
    ],
)
def test_words_are_numbered_in_the_order_of_the_file(tmp_path: Path, name: str, text: str) -> None:
    graph, called = converted(tmp_path, text, name)
    assert called == ["ann", "bob", "cy"]
    assert edges_of(graph, called) == {edge for u, v, w in FRIENDS for edge in ((u, v, w), (v, u, w))}


def test_names_may_have_blanks_commas_and_other_letters(tmp_path: Path) -> None:
    _, called = converted(tmp_path, 'Zürich HB,"Bern, Bahnhof"\n"Bern, Bahnhof",東京\n')
    assert called == ["Zürich HB", "Bern, Bahnhof", "東京"]


def test_numbers_of_64_bits_ascend(tmp_path: Path) -> None:
    graph, called = converted(tmp_path, "900000000000 5\n5 76561198000000000\n", "in.el")
    assert called == [5, 900000000000, 76561198000000000]
    assert edges_of(graph, called) == {(5, u, None) for u in called[1:]} | {(u, 5, None) for u in called[1:]}
    largest = 2**63 - 1
    assert converted(tmp_path, f"{largest} 1854321098765432101\n", "in.el")[1] == [1854321098765432101, largest]
    assert converted(tmp_path, f"{largest + 1} 1854321098765432101\n", "in.el")[1][0] == str(largest + 1)


@pytest.mark.parametrize("suffix", [".graphml", ".gml", ".gexf", ".net", ".edgelist", ".adjlist"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("called", [["ann", "bob", "cy", "dan"], ["7", "900000000000", "2", "5"]])
def test_what_networkx_writes_comes_back_by_name(
    tmp_path: Path, suffix: str, *, directed: bool, called: list[str]
) -> None:
    """Names are words in the order of the file, or ascending numbers; who has no edge stays where files say it."""
    written: nx.Graph[str] = nx.DiGraph() if directed else nx.Graph()
    written.add_nodes_from(called)
    written.add_weighted_edges_from([(called[0], called[1], 5), (called[2], called[1], 6)])
    path = tmp_path / f"in{suffix}"
    getattr(nx, f"write_{objects.KINDS.get(suffix, 'edgelist')}")(written, path)
    for packed in (path, path.with_name(f"{path.name}.gz")):
        packed.write_bytes(path.read_bytes() if packed == path else gzip.compress(path.read_bytes()))
        convert(packed, tmp_path / "out.egr", directed=directed)
        graph = egr.read(tmp_path / "out.egr")
        found = names.read(tmp_path / "out.egr", graph.vertex_count)
        assert found is not None
        right = [each for each in called if suffix != ".edgelist" or each in called[:3]]
        assert found.tolist() == (sorted(map(int, right)) if called[0] == "7" else right)
        weights = {each: None if suffix == ".adjlist" else each[2] for each in edges_by_name(written)}
        expected = {(u, v, weight) for (u, v, _), weight in weights.items()}
        assert edges_of(graph, [str(each) for each in found]) == expected


def edges_by_name(graph: nx.Graph[str]) -> list[tuple[str, str, int]]:
    """Every edge in each direction that it has, with its weight."""
    return [(u, v, data["weight"]) for u, v, data in graph.to_directed().edges(data=True)]


@pytest.mark.parametrize("how", [{}, {"shuffle": 3}, {"compact": True}, {"directed": True}])
def test_names_go_where_a_graph_goes(tmp_path: Path, how: dict[str, Any]) -> None:
    text = "source,target,weight\n" + "".join(f"{u},{v},{w}\n" for u, v, w in FRIENDS)
    converted(tmp_path, text)
    convert(tmp_path / "out.egr", tmp_path / "next.egr", **how)
    graph = egr.read(tmp_path / "next.egr")
    assert edges_of(graph, names.read(tmp_path / "next.egr", 3).tolist()) == {
        edge for u, v, w in FRIENDS for edge in ((u, v, w), (v, u, w))
    }


@pytest.mark.parametrize("called", [["ann", "bob", "cy"], [7, 2**40, 9]])
def test_vertices_that_labels_number_keep_their_names(tmp_path: Path, called: list[Any]) -> None:
    ann, bob, cy = called
    (tmp_path / "in.csv").write_text(f"source,target\n{ann},{bob}\n{bob},{cy}\n")
    (tmp_path / "labels").write_text(f"vertex,label\n{ann},firm\n{bob},person\n{cy},firm\n")
    assert letters(tmp_path / "labels") == {"a": "firm", "b": "person"}
    convert(tmp_path / "in.csv", tmp_path / "out.egr", labels=tmp_path / "labels")
    graph = egr.read(tmp_path / "out.egr")
    found = names.read(tmp_path / "out.egr", graph.vertex_count)
    assert found is not None
    label = {name: (v * 2654435769 % 2**32 >> 16) % 2 for v, name in found.dropna().items()}  # as in plan.hpp
    assert label == {ann: 0, bob: 1, cy: 0}
    ends = graph.to_edges()
    assert {*zip(found[ends.sources], found[ends.destinations], strict=True)} == {
        (ann, bob), (bob, ann), (bob, cy), (cy, bob)
    }  # fmt: skip


def test_compact_leaves_out_those_without_edges(tmp_path: Path) -> None:
    written: nx.Graph[str] = nx.Graph([("ann", "cy")])
    written.add_nodes_from(["bob"])
    nx.write_gml(written, tmp_path / "in.gml")
    for compact, right in ((False, ["ann", "cy", "bob"]), (True, ["ann", "cy"])):
        convert(tmp_path / "in.gml", tmp_path / "out.egr", compact=compact)
        assert names.read(tmp_path / "out.egr", len(right)).tolist() == right


@pytest.mark.parametrize(
    ("edges", "vertices", "right"),
    [
        ("900000000000 2 7\n1 900000000000 8\n", "1\n2\n3\n900000000000\n", [1, 2, 3, 900000000000]),
        ("ann bob 7\nbob cy 8\n", "dan\nann\nbob\ncy\n", ["ann", "bob", "cy", "dan"]),
    ],
)
def test_vertices_of_a_file_of_their_own_have_names(
    tmp_path: Path, edges: str, vertices: str, right: list[object]
) -> None:
    (tmp_path / "in.e").write_text(edges)
    (tmp_path / "in.v").write_text(vertices)
    convert(tmp_path / "in.e", tmp_path / "out.egr")
    assert names.read(tmp_path / "out.egr", 4).tolist() == right


def test_edges_keep_their_directions(tmp_path: Path) -> None:
    (tmp_path / "in.el").write_text("b a\nb c\n")
    convert(tmp_path / "in.el", tmp_path / "out.egr", directed=True)
    assert egr.read(tmp_path / "out.egr").neighbours.tolist() == [1, 2]
    assert names.read(tmp_path / "out.egr", 3).tolist() == ["b", "a", "c"]
    assert inspect(tmp_path / "out.egr").storage.arcs == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a,b,1\nb,c,x\n", "edge 2: 'x' is not a number"),
        ("a;b;1\nb;c;0,5\n", "edge 2: '0,5' is not a number; a decimal comma has to be a point"),
        ("a,b,1\nb,c,1_0\n", "edge 2: '1_0' is not a number"),
        ("a,b,1\nb,c,\u0663\n", "edge 2: '\u0663' is not a number"),
        ("town,city,km\na,b,1\n", "edge 1: 'km' is not a number; if this line is a header, put a # before it"),
        ("a,b,1\nb,c,0.5\n", "edge 2: weight 0.5 is not a whole number"),
        ("a,b\nb,\n", "edge 2 lacks the name of an end"),
        ("a,b\nb,c,d,e\n", "Expected 2 fields in line 2, saw 4"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "in.csv").write_text(text)
    with pytest.raises(GraphFormatError, match=reason):
        names.edges(tmp_path / "in.csv", WHOLE)


QUOTED = "edge 2: a quotation mark that its line does not close, so it would hide the lines after"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('ann bob\nbob "cy\ncy "ann\ndan eve\n', QUOTED),
        ('from,to,label\nann,bob,x\nbob,cy,"x\ncy,ann,"x\ndan,eve,x\n', QUOTED),
        ('ann,bob\nbob,"cy\ncy,dan\n', "EOF inside string"),
        ("ann bob\nbob\rcy dan\n", ":2: a carriage return in the midst of a line"),
    ],
)
def test_no_line_is_lost_or_made(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "in.csv").write_bytes(text.encode())
    with pytest.raises(GraphFormatError, match=re.escape(reason)):
        names.edges(tmp_path / "in.csv", WHOLE)


def test_a_row_with_fewer_fields_is_told(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("id,source,target\n1,ann,bob\n2,bob\n")
    with pytest.raises(GraphFormatError, match=r"in\.csv: edge 2 lacks the name of an end"):
        convert(tmp_path / "in.csv", tmp_path / "out.egr")


@pytest.mark.parametrize("block", [4, 100])
def test_a_row_of_separators_alone_is_told_in_any_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(text, "BLOCK", block)
    (tmp_path / "in.tsv").write_text("a\tb\nb\tc\n\t\n")
    with pytest.raises(GraphFormatError, match="edge 3 lacks the name of an end"):
        names.edges(tmp_path / "in.tsv", WHOLE)


@pytest.mark.parametrize("comment", ["# x", "% x", " # 'tis 5\" long", "#"])
def test_comments_are_no_edges_wherever_they_stand(tmp_path: Path, comment: str) -> None:
    rows = ["ann bob", "bob cy", "cy ann"]
    for place in range(4):
        text = "\n".join([*rows[:place], comment, *rows[place:]])
        graph, called = converted(tmp_path, text, "in.el")
        assert (called, graph.edge_count) == (["ann", "bob", "cy"], 6)


@pytest.mark.parametrize("name", ["b\x0cob", "b\u00a0ob", "\ufeffbob"])
def test_only_blanks_and_tabs_part_names(tmp_path: Path, name: str) -> None:
    _, called = converted(tmp_path, f"# the mark of another file\n{name} bob\nbob {name}\n", "in.el")
    assert called == [name, "bob"]


@pytest.mark.parametrize("text", ["0 1\n1 x\n2 3\n", "0 1\n1 -2\n", "0 1\n1 2.5\n", "5 2\n", "%%MatrixMarket a\n"])
def test_a_slip_among_numbers_is_no_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "in.el").write_text(text)
    assert not names.are_needed(tmp_path / "in.el")


@pytest.mark.parametrize(("text", "warned"), [("user,friend\nann,bob\nbob,cy\n", 1), ("ann,bob\nbob,cy\n", 0)])
def test_a_first_line_that_may_be_a_header_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str, warned: int
) -> None:
    (tmp_path / "in.csv").write_text(text)
    names.edges(tmp_path / "in.csv", WHOLE)
    assert caplog.text.count("if it names the columns, put a # before it") == warned


def test_what_is_said_of_a_vertex_that_is_called_as_a_header_is_no_header(tmp_path: Path) -> None:
    (tmp_path / "pairs").write_text("from,ann,2\nann,bob,3\n")
    assert read_pairs(tmp_path / "pairs", "agreement") == {("from", "ann"): "2", ("ann", "bob"): "3"}
    (tmp_path / "column").write_text("name,-1.5\n")
    assert read_column(tmp_path / "column", "prior") == {"name": "-1.5"}


@pytest.mark.parametrize("suffix", PACKINGS)
def test_what_is_said_of_vertices_in_a_packed_file_that_breaks_off_is_refused(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"labels.csv{suffix}"
    labels = np.random.default_rng(0).integers(0, 7, 999)
    lines = "".join(f"{v},{label}\n" for v, label in enumerate(labels))
    packed = PACKINGS[suffix](lines.encode(), path.name)
    path.write_bytes(packed)
    assert len(read_column(path, "label")) == 999
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(GraphFormatError):
        read_column(path, "label")


def test_names_of_another_graph_and_those_of_two_vertices_are_refused(tmp_path: Path) -> None:
    converted(tmp_path, "a,b\n")
    with pytest.raises(GraphFormatError, match=r"2 names, but out\.egr has 3 vertices"):
        names.read(tmp_path / "out.egr", 3)
    for forged in (["a", "a"], [7, 7]):
        pd.DataFrame({"name": forged}).to_parquet(tmp_path / "out.egr.names.parquet")
        with pytest.raises(GraphFormatError, match=f"vertex 1: '{forged[0]}' is another vertex, too"):
            names.read(tmp_path / "out.egr", 2)
    (tmp_path / "numbers.el").write_text("0 1\n")
    convert(tmp_path / "numbers.el", tmp_path / "out.egr")
    assert names.read(tmp_path / "out.egr", 2) is None


WORDS = st.one_of(
    st.integers(2**40, 2**40 + 9).map(str), st.text("ab1é-_.", min_size=1, max_size=3), st.sampled_from(["NA", "nan"])
)

NUMBERS = st.one_of(
    st.integers(2**62, 2**62 + 9).map(str),
    st.sampled_from(["0", "7", "007", "-1", "-0", "0x7", f"{2**63 - 1}", f"{2**63}"]),
)


@given(
    st.sampled_from([WORDS, NUMBERS]).flatmap(
        lambda ends: st.lists(st.tuples(ends, ends, st.integers(0, 9)), min_size=1)
    ),
    st.sampled_from(",\t; "),
    st.integers(1, 40),
)
def test_rows_in_pieces_are_those_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, int]], mark: str, block: int
) -> None:
    path = tmp_path_factory.mktemp("names") / "in.csv"
    path.write_text("# a comment\n\n" + "".join(f"{u}{mark}{v}{mark}{w}\n" for u, v, w in rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(names, "_BLOCK", block)
        layout = names._layout(path)
        assert names._parsed(path, layout, {"source": 0, "target": 1, "weight": 2}, WHOLE) is not None
        edges, called = names._edges(path, WHOLE)
        patch.setattr(names, "_parsed", lambda *_, **__: None)
        whole, expected = names._edges(path, WHOLE)
    assert called.tolist() == expected.tolist()
    for part in ("vertex_count", "sources", "destinations", "weights"):
        assert np.array_equal(getattr(edges, part), getattr(whole, part))


@pytest.mark.parametrize("odd", ['"a",b', "a, b", "a,", "a,b,c", "a", "a\rb,c", "\udcff,b"])
def test_a_row_that_is_odd_is_read_with_the_whole(tmp_path: Path, odd: str) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes(b"ann,bob\n" + odd.encode(errors="surrogateescape") + b"\n")
    assert names._parsed(path, names._layout(path), {"source": 0, "target": 1}, WHOLE) is None
