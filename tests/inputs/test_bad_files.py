"""Bad files: each is one line with file, position and reason, exit code 3, and no output; odd ones are a graph."""

import csv
import gzip
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inputs.cli import main
from inputs.conversion import convert
from inputs.formats import objects, registry, text
from inputs.formats.errors import GraphFormatError
from inputs.graph import from_edges
from inputs.weights import DROPPED, WHOLE, WeightRule

CORPUS = Path(__file__).parents[1] / "corpus"
SUFFIXES = [suffix for graph_format in registry.FORMATS for suffix in graph_format.suffixes]
with (CORPUS / "expected.csv").open(newline="") as file:
    EXPECTED = list(csv.DictReader(file))
BAD = [(row["file"], row["position"], row["reason"]) for row in EXPECTED if not row["graph"]]
GOOD = [(row["file"], row["graph"]) for row in EXPECTED if row["graph"]]


def complaint_about(path: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Convert a bad file; return the one line that says why it could not be."""
    with pytest.raises(SystemExit) as caught:
        main(["convert", str(path), str(out)])
    printed = capsys.readouterr()
    assert (caught.value.code, printed.out, printed.err.count("\n")) == (3, "", 1)
    assert list(out.parent.iterdir()) == []
    return printed.err.rstrip("\n")


@pytest.mark.parametrize(("name", "position", "reason"), BAD, ids=[name for name, _, _ in BAD])
def test_bad_files_of_the_corpus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, position: str, reason: str
) -> None:
    line = complaint_about(CORPUS / name, tmp_path / "out.egr", capsys)
    place = f"{CORPUS / name}:{position}" if position else f"{CORPUS / name}"
    assert line.startswith(f"error: {place}: ")
    assert reason in line


@pytest.mark.parametrize(("name", "graph"), GOOD, ids=[name for name, _ in GOOD])
def test_odd_files_of_the_corpus(name: str, graph: str) -> None:
    found = registry.load(CORPUS / name)
    edges = found.to_edges()
    ends = zip(edges.sources.tolist(), edges.destinations.tolist(), strict=True)
    weights = [""] * found.edge_count if edges.weights is None else [f":{weight}" for weight in edges.weights]
    shown = [f"{u}-{v}{weight}" for (u, v), weight in zip(ends, weights, strict=True) if u < v]
    assert f"{found.vertex_count}: {' '.join(shown)}" == graph


GEXF = """<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph defaultedgetype="undirected"><nodes>
<node id="0"/><node id="1"/></nodes><edges><edge source="0" target="1" id="0" weight="%"/></edges></graph></gexf>"""
GRAPHML = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="w" for="edge" attr.name="weight"
attr.type="double"/><graph edgedefault="undirected"><node id="0"/><node id="1"/>
<edge source="0" target="1"><data key="w">%</data></edge></graph></graphml>"""
FLOATS = [name for name, _, reason in BAD if "is not a whole number" in reason or "floating-point" in reason]


@pytest.mark.parametrize("name", FLOATS)
def test_weights_that_are_not_whole_are_scaled_or_dropped_if_one_asks(name: str) -> None:
    """The largest of each file is 2.5, 1 or 0.75."""
    scaled = registry.load(CORPUS / name, weights=WeightRule(scale=4)).weights
    assert scaled is not None
    assert scaled.max() in (10, 4, 3, 2)
    assert registry.load(CORPUS / name, weights=DROPPED).weights is None


@pytest.mark.parametrize("suffix", [".el", ".mtx", ".gr", ".graph"])
def test_a_comment_of_any_length_is_a_comment(tmp_path: Path, suffix: str) -> None:
    """What follows the last block that is read of it would be an edge."""
    good = tmp_path / f"good{suffix}"
    graph = from_edges(4, np.array([0, 1, 2]), np.array([1, 2, 3]), np.array([5, 6, 7]))
    registry.format_named(good).write(graph, good)
    mark = {".el": b"#", ".mtx": b"%", ".gr": b"c", ".graph": b"%"}[suffix]
    header, *lines = good.read_bytes().splitlines(keepends=True)
    header, lines = (b"", [header, *lines]) if suffix == ".el" else (header, lines)
    for at in range(len(lines) + 1):
        for length in (text.BLOCK - 20, 5 * text.BLOCK // 4 + 7):
            long = mark + b" " + b"x" * length + b" a 7 9 1 \n"
            path = tmp_path / f"long{suffix}"
            path.write_bytes(header + b"".join([*lines[:at], long, *lines[at:]]))
            found = registry.load(path)
            assert (found.edge_count, found.vertex_count) == (6, 4)


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.el"
    path.write_bytes(b"0 1\n1 2" + b" " * 6 * 2**20 + b"\n2 3\n")
    with pytest.raises(GraphFormatError, match=r"long\.el:2: the line has more than 1,048,576 bytes"):
        list(registry.stream(path))


@pytest.mark.parametrize("number", ["1_0", "\u0661", "\uff11"])
@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        (".el", "%\n0 1\n"),
        (".el", "0 %\n"),
        (".wel", "0 1 %\n"),
        (".wel", "a b %\n"),
        (".csv", "type,source,target\nx,0,%\n"),
        (".csv", "type,source,target,weight\nx,0,1,%\n"),
        (".gr", "p sp % 1\na 1 1 3\n"),
        (".gr", "p sp 9 1\na 1 % 3\n"),
        (".gr", "p sp 9 1\na 1 1 %\n"),
        (".col", "p edge 9 %\ne 1 2\n"),
        (".mtx", "%%MatrixMarket matrix coordinate integer general\n9 9 %\n1 1 1\n"),
        (".mtx", "%%MatrixMarket matrix coordinate integer general\n9 9 1\n1 % 1\n"),
        (".mtx", "%%MatrixMarket matrix coordinate integer general\n9 9 1\n1 1 %\n"),
        (".graph", "% 0\n\n"),
        (".graph", "2 1\n2\n%\n"),
        (".graph", "2 1 1\n2 %\n1 %\n"),
        (".graph", "2 1 10\n% 2\n1 1\n"),
        (".adj", "AdjacencyGraph\n%\n0\n0\n"),
        (".net", '*vertices 2\n1 "a"\n2 "b"\n*edges\n1 2 %\n'),
        (".gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 weight % ] ]"),
        (".gexf", GEXF),
        (".graphml", GRAPHML),
        (".edgelist", "0 1 {'weight': %}\n"),
        (".adj", "WeightedAdjacencyGraph\n2\n1\n0\n1\n1\n%\n"),
    ],
)
def test_what_only_python_takes_for_a_number_is_none(tmp_path: Path, suffix: str, content: str, number: str) -> None:
    path = tmp_path / f"graph{suffix}"
    path.write_text(content.replace("%%M", "\0").replace("%", number).replace("\0", "%%M"))
    with pytest.raises(GraphFormatError):
        convert(path, tmp_path / "out.egr")


@pytest.mark.parametrize(("suffix", "content"), [(".gexf", GEXF), (".graphml", GRAPHML)])
def test_names_may_have_digits_around_an_underline(tmp_path: Path, suffix: str, content: str) -> None:
    path = tmp_path / f"graph{suffix}"
    path.write_text(content.replace("%", "7").replace('"0"', '"2021_05"').replace('"1"', '"\u0663"'), encoding="utf-8")
    edges, names = objects.read_named(path, WHOLE)
    assert (edges.weights.tolist(), names.tolist()) == ([7, 7], ["2021_05", "\u0663"])


def test_every_file_of_the_corpus_is_expected() -> None:
    names = {path.name for path in CORPUS.iterdir()} - {"README.md", "expected.csv", ".gitattributes"}
    assert names == {row["file"] for row in EXPECTED}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_directory_and_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str) -> None:
    folder, out = tmp_path / f"folder{suffix}", tmp_path / "out" / "graph.egr"
    folder.mkdir()
    out.parent.mkdir()
    assert complaint_about(folder, out, capsys) == f"error: {folder}: Is a directory"
    missing = tmp_path / f"missing{suffix}"
    assert complaint_about(missing, out, capsys) == f"error: {missing}: No such file or directory"


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".el.gz", ".egr.gz"])
def test_a_pipe_is_refused_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str], suffix: str) -> None:
    pipe, out = tmp_path / f"pipe{suffix}", tmp_path / "out" / "graph.egr"
    os.mkfifo(pipe)
    out.parent.mkdir()
    assert complaint_about(pipe, out, capsys) == f"error: {pipe}: not a file but a pipe or a device"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "secret.el", tmp_path / "out" / "graph.egr"
    path.write_text("0 1\n")
    path.chmod(0)
    out.parent.mkdir()
    assert complaint_about(path, out, capsys) == f"error: {path}: Permission denied"


@pytest.mark.parametrize("suffix", [".egr", ".sgr", ".sg", ".wsg"])
@pytest.mark.parametrize("place", ["/dev/full", "/none/file"])
def test_no_room_to_unpack_is_not_the_fault_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, suffix: str, place: str
) -> None:
    good, packed = tmp_path / f"graph{suffix}", tmp_path / f"graph{suffix}.gz"
    registry.format_named(good).write(from_edges(3, np.array([0, 1]), np.array([1, 2])), good)
    packed.write_bytes(gzip.compress(good.read_bytes()))
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda buffering: open(place, "wb", buffering))  # noqa: PTH123, SIM115
    monkeypatch.setenv("TMPDIR", "/somewhere")
    with pytest.raises(SystemExit) as caught:
        main(["convert", str(packed), str(tmp_path / "out.egr")])
    assert caught.value.code == 4
    assert re.fullmatch(r"error: /somewhere: No .*; set TMPDIR to another folder\n", capsys.readouterr().err)
    assert not (tmp_path / "out.egr").exists()


def read(path: Path) -> tuple[list[Any], str | None]:
    """Read a file; return its edges, and what is wrong with it or None."""
    try:
        return list(registry.stream(path)), None
    except GraphFormatError as error:
        return [], str(error)


@given(data=st.data(), packed=st.booleans())
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_damaged_file_is_a_graph_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, suffix: str, packed: bool
) -> None:
    """Whatever happens to the bytes of a good file, the reader either finds a graph or says why not."""
    path = tmp_path_factory.mktemp("damaged") / f"graph{suffix}"
    weights = np.array([5, 6, 7]) if data.draw(st.booleans()) else None
    registry.format_named(path).write(from_edges(4, np.array([0, 1, 2]), np.array([1, 2, 3]), weights), path)
    content = bytearray(gzip.compress(path.read_bytes(), mtime=0) if packed else path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(content)))
        removed = data.draw(st.sampled_from([0, 1, 4, len(content)]))
        content[place : place + removed] = data.draw(st.binary(max_size=4) | st.sampled_from([b"-1", b"nan", b"\n"]))
    damaged = path.with_name(f"damaged{suffix}{'.gz' if packed else ''}")
    damaged.write_bytes(content)
    batches, complaint = read(damaged)
    assert complaint is None or (complaint.startswith(str(damaged)) and "\n" not in complaint)
    for batch in batches:
        ends = np.concatenate([batch.sources, batch.destinations])
        assert ((ends >= 0) & (ends < batch.vertex_count)).all()
