"""A program may have several results, all verified and dumped by name; it may be asked from several vertices."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import numpy as np
import pytest

from generator.algorithms import load_algorithms
from generator.errors import FileError
from generator.paths import ALGORITHMS
from generator.runtime import write_runtime
from tests.runtime.conftest import BUILT, COMPILER, FLAGS, HERE, SANITIZED, Run, start

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST = """
title = "Degrees"
meaning = "the degree of every vertex, and the number of edges at those to start from"
summary = "counts"
source = "tests"
[facts]
family = "counting"
needs = "source"
[query.sources]
default = 1
minimum = 1
meaning = "vertices to start from"
[[result]]
name = "degree"
kind = "integer"
length = "vertices"
meaning = "neighbours of a vertex"
[[result]]
name = "edges"
kind = "integer"
length = "one"
meaning = "of the vertices to start from"
"""
REFERENCE = """
#include "reference.hpp"

namespace violet {

Reference serial_degrees(const Graph& graph, const Query& query) {
  std::vector<std::int64_t> degrees, edges = {0};
  for (int v = 0; v < graph.n; v++) degrees.push_back(degree(graph, v));
  for (int i = 0; i < query.sources; i++) edges[0] += degree(graph, query.source_list[i]);
  return {degrees, edges};
}

}  // namespace violet
"""


@pytest.fixture(scope="module")
def algorithms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The algorithms there are, and one with two results."""
    folder = tmp_path_factory.mktemp("templates") / "algorithms"
    shutil.copytree(ALGORITHMS, folder)
    (folder / "degrees").mkdir()
    for name, text in {"algorithm.toml": MANIFEST, "reference.cpp": REFERENCE, "hooks.jinja": ""}.items():
        (folder / "degrees" / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def degrees(request: pytest.FixtureRequest, algorithms: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs degrees.cpp: positional arguments are its own, keywords its environment."""
    if BUILT is not None:
        pytest.skip("mutants are of algorithms that there are")
    folder = tmp_path_factory.mktemp("degrees")
    runtime = write_runtime(folder / "runtime", algorithms)
    # Of the library, the linker takes what these do not have.
    sources = [HERE / "degrees.cpp", runtime / "algorithms.cpp", runtime / "serial_degrees.cpp"]
    command = [COMPILER, *FLAGS, *SANITIZED, "-I", runtime, *sources, request.getfixturevalue("library")]
    subprocess.run([*command, "-o", folder / "degrees"], check=True)
    return lambda *arguments, **environment: start([folder / "degrees", *arguments], **environment)


def test_all_results_are_verified(degrees: Run, path_graph: Path) -> None:
    assert degrees(path_graph).record["verified"] is True
    wrong = degrees(path_graph, WRONG="degree")
    assert (wrong.code, wrong.record["error"]) == (1, "warm-up 1, degree of vertex 3: expected 0, got 1")
    wrong = degrees(path_graph, WRONG="edges")
    assert (wrong.code, wrong.record["error"]) == (1, "warm-up 1, edges: expected 1, got 2")


def test_all_results_are_dumped_by_name(degrees: Run, path_graph: Path, tmp_path: Path) -> None:
    assert degrees(path_graph, "--dump", tmp_path / "out.txt").code == 0
    dumped = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert dumped == {"out.degree.txt": "1\n2\n1\n0\n", "out.edges.txt": "1\n"}
    assert degrees(path_graph, "--dump", tmp_path / "out.npy").code == 0
    assert np.load(tmp_path / "out.degree.npy").tolist() == [1, 2, 1, 0]
    assert np.load(tmp_path / "out.edges.npy").tolist() == [1]


def test_no_result_of_several_is_dumped_over_the_graph(degrees: Run, path_graph: Path, tmp_path: Path) -> None:
    graph = tmp_path / "out.edges.egr"
    graph.write_bytes(path_graph.read_bytes())
    done = degrees(graph, "--dump", tmp_path / "out.egr")
    assert (done.code, done.stdout) == (2, "")
    assert done.stderr.endswith(f": error: --dump {graph} is the graph; name another file\n")
    assert list(tmp_path.iterdir()) == [graph]
    assert degrees(graph, "--dump", tmp_path / "out.txt").code == 0


def test_a_query_is_documented_asked_and_reported(degrees: Run, path_graph: Path) -> None:
    assert "  --sources K        vertices to start from (default: 1)\n" in degrees("--help").stdout
    one, all_of_them, three = (
        degrees(path_graph, *words).record for words in ([], ["--sources=9"], ["--sources", "3"])
    )
    assert one["query"] == {"sources": 1}
    assert all_of_them["query"] == {"sources": 3}  # those that have an edge
    assert all_of_them["checksum"] == three["checksum"] != one["checksum"]
    wrong = degrees(path_graph, "--sources", "9", WRONG="edges")
    assert wrong.record["error"] == "warm-up 1, edges: expected 4, got 5"
    assert "--sources takes a whole number from 1" in degrees(path_graph, "--sources", "0").stderr


def test_several_sources_may_be_those_of_one_query(degrees: Run, path_graph: Path) -> None:
    assert "they are the\n                     start vertices of one solution" in degrees("--help").stdout
    record = degrees(path_graph, "--source", "1", "--source", "2").record
    assert record["query"] == {"sources": 2}
    wrong = degrees(path_graph, "--source", "1", "--source", "2", WRONG="edges")
    assert wrong.record["error"] == "warm-up 1, edges: expected 3, got 4"
    for words, message in (
        (["--source", "1"], "--source 1 is given twice"),
        (["--source", "2", "--sources", "3"], "--sources is for one --source; leave out either"),
    ):
        assert message in degrees(path_graph, "--source", "1", *words).stderr


def test_each_source_is_solved_and_verified(program: Run, path_graph: Path, tmp_path: Path) -> None:
    sources = ("--source", "1", "--source", "3", "--source=2")
    done = program(path_graph, *sources, "--reps", "2", "--dump", tmp_path / "found.npy")
    first, _, third = done.records
    assert (done.code, first["source"], first["verified"], len(first["samples_s"])) == (0, 1, True, 2)
    assert (third["source"], third["verified"]) == (2, True)
    assert first["checksum"] != third["checksum"]
    assert third["phases_s"]["load"] == 0  # the graph was there
    assert np.load(tmp_path / "found.npy").tolist() == [[1, 0, 1, -1], [-1, -1, -1, 0], [2, 1, 0, -1]]


def test_a_source_that_is_none_leaves_the_others_to_be_solved_and_nothing_to_be_dumped(
    program: Run, path_graph: Path, tmp_path: Path
) -> None:
    done = program(path_graph, "--source", "1", "--source", "7", "--source=2", "--dump", tmp_path / "found.npy")
    assert (done.code, [record["verified"] for record in done.records]) == (2, [True, None, True])
    assert "--source 7 is not a vertex" in done.stderr
    assert not (tmp_path / "found.npy").exists()


def test_a_checksum_is_of_all_results(degrees: Run, path_graph: Path) -> None:
    checksums = {degrees(path_graph, WRONG=wrong).record["checksum"] for wrong in ("", "degree", "edges")}
    assert len(checksums) == 3


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('kind = "integer"', 'kind = "real"', r"algorithm.toml:\d+: real numbers are never equal"),
        ('family = "counting"', 'numbers = "integers"', r"algorithm.toml:\d+: an algorithm belongs to one family"),
        ('title = "Degrees"', 'titel = "Degrees"', r"algorithm.toml:.*title: is missing"),
    ],
)
def test_a_mistake_in_a_manifest_is_named_with_its_line(tmp_path: Path, before: str, after: str, message: str) -> None:
    (tmp_path / "degrees").mkdir()
    (tmp_path / "degrees" / "algorithm.toml").write_text(MANIFEST.replace(before, after, 1))
    with pytest.raises(FileError, match=message):
        load_algorithms(tmp_path)
