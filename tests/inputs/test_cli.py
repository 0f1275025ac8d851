from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from inputs.catalogue import CATALOGUE
from inputs.cli import main
from inputs.formats import egr

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[Any, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line; return its exit code, stdout and stderr."""

    def run_words(*words: object) -> tuple[Any, str, str]:
        with pytest.raises(SystemExit) as caught:
            main([str(word) for word in words])
        captured = capsys.readouterr()
        return caught.value.code or 0, captured.out, captured.err

    return run_words


def test_list_shows_every_name_and_the_sizes_of_what_is_made(run: Run, tmp_path: Path) -> None:
    run("get", "karate", "--dir", tmp_path)
    code, out, _ = run("list", "--dir", tmp_path)
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == list(CATALOGUE)
    assert "34 members" in out
    assert "156" in out


def test_on_a_terminal_what_is_said_of_an_input_stays_beside_its_name(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("list", "--dir", tmp_path)[1].splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines if line[0] != " "] == list(CATALOGUE)


def test_get_prints_paths(run: Run, tmp_path: Path) -> None:
    code, out, err = run("get", "tiny-edge", "tiny-k5", "--dir", tmp_path)
    assert (code, err) == (0, "")
    assert out.splitlines() == [str(tmp_path / "tiny-edge.egr"), str(tmp_path / "tiny-k5.egr")]


def test_get_makes_nothing_if_one_name_is_wrong(run: Run, tmp_path: Path) -> None:
    code, out, err = run("get", "tiny-edge", "tiny-egde", "--dir", tmp_path)
    assert (code, out) == (2, "")
    assert err.startswith("error: no input is called 'tiny-egde'; did you mean tiny-edge")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "vertices"),
    [
        (["grid", "--sides", "5,4"], 20),
        (["grid", "--sides", "2,3,4,5"], 120),
        (["torus", "--sides", "5,4"], 20),
        (["rmat", "--scale", 6, "--edge-factor", 4, "--quadrants", 0.45, 0.15, 0.15, 0.25, "--seed", 2], 64),
        (["rmat", "--scale", 6, "--preset", "gtgraph"], 64),
        (["road", "--width", 9, "--height", 7], 63),
        (["uniform", "--vertices", 70, "--edges", 90], 70),
        (["geometric", "--vertices", 70, "--radius", 0.2], 70),
        (["smallworld", "--vertices", 70, "--neighbours", 4], 70),
        (["preferential", "--vertices", 70, "--edges-each", 3], 70),
        (["coauthors", "--vertices", 70], 70),
        (["kmax", "--vertices", 70, "--k", 3], 70),
        (["web", "--vertices", 70, "--links", 3], 70),
        (["chains", "--vertices", 70], 70),
        (["mesh", "--vertices", 70], 70),
        (["star", "--vertices", 70], 70),
        (["path", "--vertices", 70], 70),
        (["forest", "--vertices", 70, "--trees", 3], 70),
    ],
)
def test_make(run: Run, tmp_path: Path, words: list[object], vertices: int) -> None:
    path, names = tmp_path / "graph.egr", tmp_path / "graph.egr.names.parquet"
    names.touch()  # of another graph
    code, out, _ = run("make", *words, "--out", path)
    assert (code, out) == (0, f"{path}\n")
    assert egr.read(path).vertex_count == vertices
    assert not names.exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["make", "rmat", "--quadrants", 0.5, 0.5, 0.5, 0.5, "--out", "x.egr"], "add up to 1"),
        (["make", "grid", "--sides", "100000,100000", "--out", "x.egr"], "too many vertices"),
        (["make", "grid", "--sides", "4x4", "--out", "x.egr"], "separated by commas"),
        (["make", "kmax", "--k", -1, "--out", "x.egr"], "largest degree must be"),
        (["make", "grid", "--out", "x.mtx"], "must end in .egr"),
        (["convert", "in.el", "out.doc"], "must end in ."),
        (["convert", "in.el", "out.el.gz"], "must end in ."),
    ],
)
def test_usage_errors_are_one_line(run: Run, words: list[object], reason: str) -> None:
    code, out, err = run(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert reason in err


def test_make_all(run: Run, tmp_path: Path) -> None:
    assert run("make", "all", "--vertices", 3, "--dir", tmp_path)[0] == 0
    assert len({path.read_bytes() for path in tmp_path.glob("all-3-*.egr")}) == 8


def test_convert_scales_or_drops_weights(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "in.el", tmp_path / "out.egr"
    source.write_text("0 1 0.5\n1 2 1.26\n")
    assert run("convert", source, out)[0] == 3
    assert run("convert", "--scale-weights", "10", source, out)[0] == 0
    assert egr.read(out).weights.tolist() == [5, 5, 13, 13]
    assert run("convert", "--drop-weights", source, out)[0] == 0
    assert egr.read(out).weights is None
    for words in (["--scale-weights", "0"], ["--scale-weights", "1", "--drop-weights"]):
        assert run("convert", *words, source, out)[0] == 2


def test_convert_keeps_real_weights(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "in.el", tmp_path / "out.egr"
    source.write_text("0 1 0.5\n1 2 -1.26\n1 0 -3\n0 2 -0.0\n")
    expected = np.array([-3, 0, -3, -1.26, 0, -1.26], dtype=np.float32)
    assert run("convert", "--real-weights", source, out)[0] == 0
    assert egr.read_any(out).weights.tolist() == expected.tolist()
    assert not np.signbit(egr.read_any(out).weights[1])
    assert run("convert", "--real-weights", out, tmp_path / "again.egr")[0] == 0
    assert (tmp_path / "again.egr").read_bytes() == out.read_bytes()
    assert run("info", out)[0] == 0
    code, _, complaint = run("convert", out, tmp_path / "whole.egr")
    assert (code, "convert --real-weights keeps it" in complaint) == (3, True)
    assert run("convert", "--real-weights", "--scale-weights", "2", "--duplicates", "largest", source, out)[0] == 0
    assert egr.read_any(out).weights.tolist() == [1, 0, 1, float(np.float32(-2.52)), 0, float(np.float32(-2.52))]
    assert run("convert", "--real-weights", source, tmp_path / "out.mtx")[0] == 3
    assert run("convert", "--real-weights", "--drop-weights", source, out)[0] == 2
    bare = tmp_path / "bare.el"
    bare.write_text("0 1\n1 2\n")
    for option, *more in (["--real-weights"], ["--scale-weights", "2", "--compact"]):
        code, _, complaint = run("convert", option, *more, bare, tmp_path / "bare.egr")
        assert (code, complaint) == (3, f"error: {bare}: it has no weights: leave out {option}\n")
    assert not (tmp_path / "bare.egr").exists()
    for wrong in ("1e-30", "-1e29", "1e-50", "1e300"):
        source.write_text(f"0 1 {wrong}\n")
        code, _, complaint = run("convert", "--real-weights", source, out)
        assert (code, f"weight {wrong} is not 0, or from 1.1e-19 to 1e+28 in size" in complaint) == (3, True)


def test_real_weights_that_would_be_read_as_whole_ones_are_refused(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "in.el", tmp_path / "out.egr"
    source.write_text("0 1 1.9999\n1 2 0\n")
    code, _, complaint = run("convert", "--real-weights", source, out)
    assert (code, "where they seem whole: scale all" in complaint, out.exists()) == (3, True, False)
    assert run("convert", "--real-weights", "--scale-weights", "0.5", source, out)[0] == 0
    assert egr.read_any(out).weights.tolist() == [float(np.float32(0.99995))] * 2 + [0, 0]
    source.write_text("0 1 1.9999\n1 2 1.9\n")
    assert run("convert", "--real-weights", source, out)[0] == 0


def test_convert_adds_up_what_is_there_twice(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "in.csv", tmp_path / "out.egr"
    source.write_text("from,to,weight\nann,bob,3\nbob,ann,4\nbob,cy,5\n")
    for duplicates, weights in (("smallest", [3, 3, 5, 5]), ("largest", [4, 4, 5, 5]), ("sum", [7, 7, 5, 5])):
        assert run("convert", "--duplicates", duplicates, source, out)[0] == 0
        assert egr.read(out).weights.tolist() == weights
    source.write_text("0,1,1000000000\n1,0,1000000001\n")
    code, printed, complaint = run("convert", "--duplicates", "sum", source, out)
    assert (code, printed) == (3, "")
    assert "weights of an edge add up to 2,000,000,001" in complaint


def test_a_bad_file_is_one_line_and_leaves_no_output(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "in.el", tmp_path / "out.egr"
    source.write_text("0 1\n1 two\n")
    assert run("convert", source, out) == (3, "", f"error: {source}:2: 'two' is not a vertex number\n")
    assert not out.exists()


def test_a_missing_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "none.egr"
    assert run("info", path) == (3, "", f"error: {path}: No such file or directory\n")


def test_an_output_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, _, err = run("make", "grid", "--sides", "2,2", "--out", tmp_path / "file" / "x.egr")
    assert (code, err.count("\n")) == (4, 1)


def test_a_full_disk_is_named(run: Run, tmp_path: Path) -> None:
    """A limit of the size of files stands for it; the graph takes 80 MB, and temporary files before."""
    source, out = tmp_path / "in.el", tmp_path / "out.egr"
    source.write_text("0 20000000\n")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, limits[1]))
    try:
        code, printed, err = run("convert", source, out)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (code, printed, err) == (4, "", f"error: {out}: File too large\n")
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize("out", ["graph.egr", "graph.el", "graph.mtx"])
def test_what_is_no_file_is_not_replaced(run: Run, tmp_path: Path, out: str) -> None:
    source = tmp_path / "in.el"
    source.write_text("0 1\n")
    (tmp_path / out).mkdir()
    assert run("convert", source, tmp_path / out) == (4, "", f"error: {tmp_path / out}: Is a directory\n")
    (tmp_path / out).rmdir()
    os.mkfifo(tmp_path / out)
    reason = "not a file but a pipe or a device"
    assert run("convert", source, tmp_path / out) == (4, "", f"error: {tmp_path / out}: {reason}\n")
    assert (tmp_path / out).is_fifo()


def test_what_is_converted_is_not_replaced(run: Run, tmp_path: Path) -> None:
    source, link = tmp_path / "in.csv", tmp_path / "link.csv"
    source.write_text("ann,bob\n")
    link.symlink_to(source)
    for out in (source, link):
        assert run("convert", source, out) == (
            2,
            "",
            f"error: {out}: would be lost, as it is what is converted; name another file to write\n",
        )
    assert source.read_text() == "ann,bob\n"


def test_a_link_stays_one(run: Run, tmp_path: Path) -> None:
    source, link = tmp_path / "in.el", tmp_path / "link.egr"
    source.write_text("0 1\n")
    link.symlink_to("folder/graph.egr")
    assert run("convert", source, link) == (0, f"{link}\n", "")
    assert link.is_symlink()
    assert egr.read(tmp_path / "folder" / "graph.egr").edge_count == 2


@pytest.mark.parametrize("out", ["out.egr", "out.mtx"])
def test_who_may_read_a_graph_is_not_for_us_to_say(run: Run, tmp_path: Path, out: str) -> None:
    (tmp_path / "in.el").write_text("ann bob\n")
    files = [tmp_path / out, tmp_path / f"{out}.names.parquet"]

    def convert(mask: int) -> list[int]:
        before = os.umask(mask)
        try:
            assert run("convert", tmp_path / "in.el", tmp_path / out)[0] == 0
        finally:
            os.umask(before)
        return [file.stat().st_mode & 0o777 for file in files]

    assert convert(0o077) == [0o600, 0o600]
    assert convert(0o022) == [0o600, 0o600]  # of what was there
    for file in files:
        file.unlink()
    assert convert(0o027) == [0o640, 0o640]


def test_an_error_names_no_temporary_file(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "in.el", tmp_path / f"{'x' * 245}.mtx"  # there is no room for a longer name
    source.write_text("0 1\n")
    assert run("convert", source, out) == (4, "", f"error: {out}: File name too long\n")


def test_a_graph_is_not_there_without_its_names(run: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "in.el", tmp_path / "out.egr"
    source.write_text("0 7\n")
    (tmp_path / "out.egr.names.parquet").mkdir()
    assert run("convert", "--compact", source, out) == (4, "", f"error: {out}.names.parquet: Is a directory\n")
    assert not out.exists()


def test_an_edge_list_says_what_it_lacks(run: Run, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    source, out = tmp_path / "in.mtx", tmp_path / "out.txt"
    source.write_text("%%MatrixMarket matrix coordinate pattern general\n5 5 1\n1 2\n")
    assert run("convert", source, out)[0] == 0
    assert f"{out}: the last vertices have no edge, so an edge list lacks them (3)" in caplog.text
    out.unlink()
    source.write_text("%%MatrixMarket matrix coordinate pattern general\n5 5 0\n")
    code, _, err = run("convert", source, out)
    assert (code, err) == (3, f"error: {out}: an edge list cannot hold a graph without edges; .egr and .mtx can\n")
    assert not out.exists()


def test_a_long_word_is_told_in_part(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "in.el"
    for text in (f"0 {'x' * 5000}\n", f"0 {'9' * 5000}\n", f"0 1 {'y' * 5000}\n", f"0 1 {'9' * 5000}\n"):
        source.write_text(text)
        assert len(run("info", source)[2]) < len(str(source)) + 150


def test_a_suffix_may_be_in_capitals(run: Run, tmp_path: Path) -> None:
    (tmp_path / "IN.TXT").write_text("0 1\n")
    assert run("convert", tmp_path / "IN.TXT", tmp_path / "out.egr")[0] == 0


def test_a_file_that_is_not_packed_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "in.el.gz").write_text("0 1\n")
    assert "take .gz off its name" in run("info", tmp_path / "in.el.gz")[2]


def test_info(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "triangle.el"
    path.write_text("0 1\n1 2\n2 0\n")
    code, out, _ = run("info", path)
    assert code == 0
    assert "3 undirected, 6 directed" in out
    described = json.loads(run("info", "--json", path)[1])
    assert described["storage"] == {
        "arcs": 3,
        "symmetric": False,
        "sorted": True,
        "loops": 0,
        "duplicates": 0,
        "weighted": False,
    }
    assert described["shape"]["components"] == 1


@pytest.mark.parametrize("command", [[], ["list"], ["get"], ["make"], ["make", "rmat"], ["convert"], ["info"]])
def test_help(run: Run, command: list[object]) -> None:
    code, out, _ = run(*command, "--help")
    assert code == 0
    assert "Usage: python -m inputs" in out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_ends_a_command_leaves_no_temporary_files(number: signal.Signals, tmp_path: Path) -> None:
    code = f"""
import runpy, signal, sys
from inputs import external
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a background job of a shell does not inherit
external.write_graph.__defaults__ = (1000,)  # edges: the others go to disk, where they are long under way
sys.argv[1:] = ["make", "rmat", "--scale", "20", "--out", {str(tmp_path / "rmat.egr")!r}]
runpy.run_module("inputs", run_name="__main__", alter_sys=True)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE)
    while not any(tmp_path.glob(".rmat.egr.*/edges")):
        assert process.poll() is None, "was done before it could be ended"
        time.sleep(0.01)
    process.send_signal(number)
    if number == signal.SIGTERM:
        process.send_signal(number)  # a second one changes nothing
    _, said = process.communicate(timeout=60)
    assert process.returncode > 0
    assert b"Traceback" not in said
    assert list(tmp_path.iterdir()) == []
