"""Belief propagation and products of beliefs: exact marginals on trees, and rounds in Python on graphs with loops."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from tests.runtime.test_reference import rows_of, values_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.runtime.conftest import Run, Write

pytestmark = [pytest.mark.compile, pytest.mark.daily]

AGREEMENT = 1.5


def prior(v: int) -> float:
    return float((v * 2654435761 % 2**32 >> 8) / 2**23 - 1)


def marginals(
    graph: nx.Graph[int],
    prior: Callable[[int], float] = prior,
    agreement: float | Mapping[frozenset[int], float] = AGREEMENT,
    *,
    alike: bool = False,
) -> list[float]:
    """The logarithms of odds, by adding up over all states of all vertices; edges may have agreements of their own."""
    weights = [[0.0, 0.0] for _ in graph]
    for states in product((0, 1), repeat=len(graph)):
        weight = math.exp(sum(prior(v) * states[v] for v in graph))
        for u, v in graph.edges:
            own = agreement[frozenset((u, v))] if isinstance(agreement, Mapping) else agreement
            weight *= own if (states[u] == states[v]) == (alike or (u + v) % 2 == 0) else 1
        for v in graph:
            weights[v][states[v]] += weight
    return [math.log(one / zero) for zero, one in weights]


def passed(graph: nx.Graph[int], rounds: int) -> list[float]:
    """The same from so many rounds of messages, each a pair of probabilities."""
    told = {(u, v): (0.5, 0.5) for edge in graph.edges for u, v in (edge, edge[::-1])}
    for _ in range(rounds):
        new = {}
        for u, v in told:
            own = [1.0, math.exp(prior(u))]
            for w in graph[u]:
                if w != v:
                    own = [own[state] * told[w, u][state] for state in (0, 1)]
            same, other = (AGREEMENT, 1) if (u + v) % 2 == 0 else (1, AGREEMENT)
            message = (own[0] * same + own[1] * other, own[0] * other + own[1] * same)
            new[u, v] = (message[0] / sum(message), message[1] / sum(message))
        told = new
    return [prior(v) + sum(math.log(told[u, v][1] / told[u, v][0]) for u in graph[v]) for v in graph]


def multiplied(graph: nx.Graph[int], rounds: int) -> list[float]:
    """What products of beliefs come to, from so many rounds of odds."""
    odds = [math.exp(prior(v)) for v in graph]
    for _ in range(rounds):
        before = odds
        odds = []
        for v in graph:
            product = math.exp(prior(v))
            for u in graph[v]:
                equal = (1 + AGREEMENT * before[u]) / (AGREEMENT + before[u])
                product *= equal if (u + v) % 2 == 0 else 1 / equal
            odds.append(product)
    return [math.log(each) for each in odds]


@pytest.mark.parametrize("seed", range(5))
def test_beliefs_of_a_tree_are_exact(program: Run, reference: Run, egr: Write, tmp_path: Path, seed: int) -> None:
    tree = nx.random_labeled_tree(9, seed=seed)
    path = egr(rows_of(tree))
    assert reference("bp", path, tmp_path / "out").code == 0
    expected = marginals(tree)
    assert values_of(tmp_path / "out", "f8")[:9] == pytest.approx(expected, abs=1e-12)
    for element, error in (("f32", 1e-5), ("f64", 1e-11)):
        for off, code in ((0.0, 0), (error, 1)):
            result = " ".join(str(value + off) for value in expected)
            assert program(path, "--reps", "1", ALGORITHM="bp", ELEMENT=element, RESULT=result).code == code


PRIORS = [0.5, -1.25, 0, 3, -0.125, 2.5, 2**-10, -4, 0.75]


@pytest.mark.parametrize("agreement", [3.0, 0.25])
def test_a_users_priors_and_agreement_have_exact_marginals_too(
    program: Run, egr: Write, tmp_path: Path, agreement: float
) -> None:
    """What is forged, or right without them, is refused."""
    tree = nx.random_labeled_tree(9, seed=3)
    path, file = egr(rows_of(tree)), tmp_path / "priors.txt"
    file.write_text("".join(f"{prior}\n" for prior in PRIORS))
    expected = marginals(tree, PRIORS.__getitem__, agreement, alike=True)
    options = ("--reps", "1", "--priors", file, "--agreement", agreement)
    for element, error in (("f32", 1e-5), ("f64", 1e-11)):
        told = {"ALGORITHM": "bp", "ELEMENT": element}
        for off, code in ((0.0, 0), (error, 1), (-error, 1)):
            result = " ".join(str(value + off) for value in expected)
            assert program(path, *options, **told, RESULT=result).code == code
        assert program(path, "--reps", "1", **told, RESULT=" ".join(map(str, expected))).code == 1
        assert program(path, *options, **told, RESULT=" ".join(map(str, marginals(tree)))).code == 1


AGREEMENTS = [4.0, 0.25, 1, 1000, 2**-9, 2, 0.5, 7]
"""Of the edges of a tree."""


def test_an_agreement_for_each_edge_has_exact_marginals_too(program: Run, egr: Write, tmp_path: Path) -> None:
    """What is forged, or right without them or with those of other edges, is refused."""
    tree = nx.random_labeled_tree(9, seed=3)
    path, file = egr(rows_of(tree)), tmp_path / "couplings.txt"
    edges = [frozenset(edge) for edge in tree.edges]
    known = dict(zip(edges, AGREEMENTS, strict=True))
    lines = [known[frozenset((v, u))] for v in sorted(tree) for u in sorted(tree[v])]
    file.write_text("".join(f"{line}\n" for line in lines))
    expected = marginals(tree, agreement=known, alike=True)
    told = {"ALGORITHM": "bp", "ELEMENT": "f64", "COUPLED": "1"}
    for off, code in ((0.0, 0), (1e-11, 1), (-1e-11, 1)):
        result = " ".join(str(value + off) for value in expected)
        assert program(path, "--reps", "1", "--couplings", file, **told, RESULT=result).code == code
    for others in (AGREEMENTS[::-1], [1.5] * len(edges)):
        forged = marginals(tree, agreement=dict(zip(edges, others, strict=True)), alike=True)
        result = " ".join(map(str, forged))
        assert program(path, "--reps", "1", "--couplings", file, **told, RESULT=result).code == 1


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("2\n2\n3\n", "has 3 lines, but the graph has 4 directed edges"),
        ("2\n2\n3\n4\n", "lines 3 and 4: an edge has 3 in one direction and 4 in the other"),
        ("2\n2\n-3\n-3\n", "line 3: '-3' is not a number from 0.001 to 1000"),
        ("2\n2\nnan\nnan\n", "line 3: 'nan' is not a number from 0.001 to 1000"),
    ],
)
def test_a_file_that_is_none_of_couplings_is_refused(
    program: Run, egr: Write, tmp_path: Path, lines: str, said: str
) -> None:
    (tmp_path / "couplings.txt").write_text(lines)
    told = {"ALGORITHM": "bp", "ELEMENT": "f32", "COUPLED": "1"}
    done = program(egr(rows_of(nx.path_graph(3))), "--couplings", tmp_path / "couplings.txt", **told)
    assert (done.code, said in done.stderr) == (3, True)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("1\n2\n", "has 2 lines, but the graph has 3 vertices"),
        ("1\n2\n3\n4\n", "has 4 lines"),
        ("1\nx\n3\n", "line 2: 'x' is not a number from -100 to 100"),
        ("1\n\n3\n", "line 2: '' is not a number"),
        ("1\nnan\n3\n", "line 2: 'nan' is not a number"),
        ("1\n2\n101\n", "line 3: '101' is not a number"),
        ("", "has 0 lines"),
    ],
)
def test_a_file_that_is_none_of_priors_is_refused(
    program: Run, egr: Write, tmp_path: Path, lines: str, said: str
) -> None:
    (tmp_path / "priors.txt").write_text(lines)
    done = program(egr(rows_of(nx.path_graph(3))), "--priors", tmp_path / "priors.txt", ALGORITHM="bp", ELEMENT="f32")
    assert (done.code, said in done.stderr) == (3, True)


@pytest.mark.parametrize("agreement", ["0.0009", "1001"])
def test_an_agreement_with_which_digits_get_lost_is_refused(program: Run, egr: Write, agreement: str) -> None:
    done = program(egr(rows_of(nx.path_graph(3))), "--agreement", agreement, ALGORITHM="bp", ELEMENT="f32")
    assert (done.code, "--agreement takes a number from 0.001 to 1000" in done.stderr) == (2, True)


@pytest.mark.parametrize("rounds", [1, 2, 7])
@pytest.mark.parametrize(("algorithm", "solve"), [("bp", passed), ("product", multiplied)])
def test_rounds_in_a_graph_with_loops(
    program: Run,
    reference: Run,
    egr: Write,
    tmp_path: Path,
    algorithm: str,
    solve: Callable[[nx.Graph[int], int], list[float]],
    rounds: int,
) -> None:
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(34))
    graph.add_edges_from(nx.karate_club_graph().edges)
    path = egr(rows_of(graph))
    assert reference(algorithm, path, tmp_path / "out", "--rounds", rounds).code == 0
    expected = solve(graph, rounds)
    assert values_of(tmp_path / "out", "f8")[: len(graph)] == pytest.approx(expected, abs=1e-12)
    for element, error in (("f32", 1e-4), ("f64", 1e-10)):
        for off, code in ((0.0, 0), (error, 1)):
            result = " ".join(str(value + off) for value in expected)
            options = ("--reps", "1", "--rounds", rounds)
            assert program(path, *options, ALGORITHM=algorithm, ELEMENT=element, RESULT=result).code == code


def test_what_a_vertex_has_said_comes_back_in_products(reference: Run, egr: Write, tmp_path: Path) -> None:
    path = egr(rows_of(nx.path_graph(2)))
    assert reference("product", path, tmp_path / "out", "--rounds", 2).code == 0
    values = values_of(tmp_path / "out", "f8")[:2]
    assert values == pytest.approx(multiplied(nx.path_graph(2), 2), abs=1e-12)
    assert abs(values[0] - marginals(nx.path_graph(2))[0]) > 0.01
