"""Matching patterns: the reference against networkx, and what is no pattern."""

from __future__ import annotations

import re
import subprocess
from contextlib import suppress
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networkx.algorithms.isomorphism import GraphMatcher

from generator.algorithms import PATTERN, pattern_fault
from generator.paths import TEMPLATES
from inputs import labels
from inputs.conversion import convert
from inputs.formats.errors import GraphFormatError
from tests.runtime.conftest import COMPILER, FLAGS, Run, Write
from tests.runtime.test_reference import rows_of, values_of

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = [pytest.mark.compile, pytest.mark.daily]

PATTERNS = [graph for graph in nx.graph_atlas_g() if 2 <= len(graph) <= 5 and nx.is_connected(graph)]
LABELS = 2


def label_of(v: int) -> int:
    return 1 + (v * 2654435769 % 2**32 >> 16) % LABELS


def count(graph: nx.Graph[int], pattern: nx.Graph[int]) -> int:
    """Returns how many subgraphs of the graph are the pattern, whose label 0 stands for any."""

    def embeddings(host: nx.Graph[int]) -> int:
        matcher = GraphMatcher(host, pattern, lambda own, wanted: wanted["label"] in (0, own["label"]))
        return sum(1 for _ in matcher.subgraph_monomorphisms_iter())

    same = GraphMatcher(pattern, pattern, lambda a, b: a["label"] == b["label"])
    return embeddings(graph) // sum(1 for _ in same.isomorphisms_iter())


def text_of(pattern: nx.Graph[int]) -> str:
    name = [f"{v}{' abc'[pattern.nodes[v]['label']].strip()}" for v in range(len(pattern))]
    return ",".join(f"{name[u]}-{name[v]}" for u, v in pattern.edges)


@pytest.mark.parametrize("labelled", [False, True])
def test_every_pattern_is_counted_once(reference: Run, egr: Write, tmp_path: Path, labelled: bool) -> None:
    assert len(PATTERNS) == 30
    random = Random(1)
    graph = nx.gnp_random_graph(11, 0.5, seed=2)
    nx.set_node_attributes(graph, {v: label_of(v) for v in graph}, "label")
    path = egr(rows_of(graph))
    counts = []
    for shape in PATTERNS:
        order = random.sample(range(len(shape)), len(shape))
        pattern = nx.relabel_nodes(shape, dict(enumerate(order)))
        nx.set_node_attributes(pattern, {v: random.randint(0, LABELS) * labelled for v in order}, "label")
        found = reference("match", path, tmp_path / "out", "--pattern", text_of(pattern), "--labels", LABELS)
        assert found.code == 0, found.stderr
        assert values_of(tmp_path / "out") == [count(graph, pattern)], text_of(pattern)
        counts += values_of(tmp_path / "out")
    assert sum(found > 0 for found in counts) > 15


def test_labels_of_a_file_are_what_patterns_mean(reference: Run, tmp_path: Path) -> None:
    """Few of one label and many of another; vertices have names."""
    kinds, random, path = ["person", "place", "thing"], Random(4), tmp_path / "g.egr"
    graph: nx.Graph[int] = nx.gnp_random_graph(40, 0.2, seed=5)
    for v in graph:
        graph.nodes[v]["label"] = 1 if v < 3 else random.choice([2, 3, 3, 3])
    (tmp_path / "edges.csv").write_text("".join(f"v{u},v{v}\n" for u, v in graph.edges))
    lines = [f"v{v},{kinds[graph.nodes[v]['label'] - 1]}\n" for v in graph]
    (tmp_path / "labels.csv").write_text("vertex,label\n" + "".join(lines))
    convert(tmp_path / "edges.csv", path, labels=tmp_path / "labels.csv")
    assert labels.letters(tmp_path / "labels.csv") == {"a": "person", "b": "place", "c": "thing"}
    for pattern in (nx.path_graph(3), nx.complete_graph(3), nx.star_graph(3)):
        for wanted in ([1, 2, 3, 0], [3, 3, 3, 3], [2, 1, 2, 0], [0, 3, 0, 2]):
            nx.set_node_attributes(pattern, dict(zip(pattern, wanted, strict=False)), "label")
            found = reference("match", path, tmp_path / "out", "--pattern", text_of(pattern), "--labels", 3)
            assert found.code == 0, found.stderr
            assert values_of(tmp_path / "out") == [count(graph, pattern)]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("a x\n", "no label for vertex b, which has an edge"),
        ("a x\nb x\na y\n", "labels:3: vertex a has another label, x, already"),
        ("a x y\n", "labels:1: a line is a vertex and its label, not 3 fields"),
        ("", "the file has no line of a vertex and its label"),
        ("".join(f"v{i} {i}\n" for i in range(8)), "8 different labels"),
        ('a,"x\n', "no row of a table"),
    ],
)
def test_files_of_labels_that_are_none(tmp_path: Path, content: str, complaint: str) -> None:
    (tmp_path / "edges.el").write_text("a b\n")
    (tmp_path / "labels").write_text(content)
    with pytest.raises(GraphFormatError, match=complaint):
        convert(tmp_path / "edges.el", tmp_path / "g.egr", labels=tmp_path / "labels")


@given(st.lists(st.sampled_from(["a", "b", "x", "y", ",", ";", "\t", " ", '"', "\n", "\r", "#", "\0", "é", "vertex"])))
def test_any_file_of_labels_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, parts: list[str]) -> None:
    path = tmp_path_factory.mktemp("labels") / "labels"
    path.write_text("".join(parts))
    with suppress(GraphFormatError):
        found = labels.read(path)
        assert 1 <= len({*found.values()}) <= labels.MOST
        assert all(map(str.strip, [*found, *found.values()]))


def test_a_clique_is_a_pattern(reference: Run, egr: Write, tmp_path: Path) -> None:
    path = egr(rows_of(nx.gnp_random_graph(20, 0.7, seed=3)))
    edges = ",".join(f"{u}-{v}" for u, v in combinations(range(5), 2))
    assert reference("match", path, tmp_path / "match", "--pattern", edges).code == 0
    assert reference("clique", path, tmp_path / "clique", "--k", 5).code == 0
    assert values_of(tmp_path / "match") == values_of(tmp_path / "clique") != [0]


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        ("0-1,1-5", "has more than five vertices, which are 0 to 4"),
        ("0-12", "has more than five vertices, which are 0 to 4"),
        ("0-1,2-3", "is not connected"),
        ("0-2", "leaves out a vertex: they are numbered from 0 without gaps"),
        ("1-2", "leaves out a vertex: they are numbered from 0 without gaps"),
        ("0-1,1-1", "has an edge from a vertex to itself"),
        ("0a-1,1-0b", "has a vertex with two labels"),
        ("", "is not a list of edges such as 0-1,1-2,2-0"),
        ("0-1,", "is not a list of edges such as 0-1,1-2,2-0"),
        ("0", "is not a list of edges such as 0-1,1-2,2-0"),
        ("0h-1", "has a label beyond g"),
        ("0-1h", "has a label beyond g"),
        ("0-1;1-2", "has something behind an edge that is no comma"),
        ("0c-1", "has label c, but with --labels 2 no vertex has one beyond b"),
        ("0a-1b,1-2g", "has label g, but with --labels 2 no vertex has one beyond b"),
    ],
)
def test_what_is_no_pattern_is_refused_in_one_line(
    reference: Run, egr: Write, tmp_path: Path, pattern: str, fault: str
) -> None:
    done = reference("match", egr(rows_of(nx.path_graph(3))), tmp_path / "out", "--pattern", pattern)
    assert done.code == 2
    assert done.stderr.strip().endswith(f"--pattern '{pattern}' {fault}")
    assert done.stderr.count("\n") == 1


def test_labels_are_held_against_the_pattern_wherever_they_stand(reference: Run, egr: Write, tmp_path: Path) -> None:
    path = egr(rows_of(nx.path_graph(3)))
    for words in (("--labels", 2, "--pattern", "0c-1"), ("--pattern", "0c-1", "--labels", 2)):
        done = reference("match", path, tmp_path / "out", *words)
        assert (done.code, done.stderr.count("\n")) == (2, 1)
        assert "--pattern '0c-1' has label c" in done.stderr
    assert reference("match", path, tmp_path / "out", "--pattern", "0c-1", "--labels", 3).code == 0
    done = reference("match", path, tmp_path / "out", "--labels", 1)  # the pattern that programs look for otherwise
    assert done.code == 2
    assert "has label b, but with --labels 1 no vertex has one beyond a" in done.stderr


def test_what_is_no_pattern_is_known_before_anything_is_compiled(tmp_path: Path) -> None:
    """In the words of pattern.hpp, of whatever has the shape of a pattern."""
    draw = Random(1)
    ends = [f"{v}{label}" for v in "01234" for label in ("", "", "a", "b", "g")]
    texts = [
        ",".join(f"{draw.choice(ends)}-{draw.choice(ends)}" for _ in range(1 + number % 5)) for number in range(5000)
    ]
    assert all(re.fullmatch(PATTERN, text) for text in texts)
    (tmp_path / "faults.cpp").write_text(
        '#include <cstdio>\n#include <iostream>\n#include <string>\n#include "pattern.hpp"\n'
        "int main() {\n  for (std::string text; std::getline(std::cin, text);) {\n"
        "    const char* fault = violet::read_pattern(text).fault;\n"
        '    std::puts(fault != nullptr ? fault : "");\n  }\n}\n'
    )
    binary = tmp_path / "faults"
    subprocess.run([COMPILER, *FLAGS, "-I", TEMPLATES / "runtime", tmp_path / "faults.cpp", "-o", binary], check=True)
    done = subprocess.run([binary], input="\n".join(texts), text=True, capture_output=True, check=True)
    said = done.stdout.splitlines()
    assert said == [pattern_fault(text) or "" for text in texts]
    assert len(set(said)) == 5
