"""Belief propagation: exact marginals on trees, and rounds in Python on graphs with loops."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING

import networkx as nx
import pytest

from tests.runtime.test_reference import rows_of, values_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.runtime.conftest import Finished

pytestmark = pytest.mark.compile

AGREEMENT = 1.5


def prior(v: int) -> float:
    return float((v * 2654435761 % 2**32 >> 8) / 2**23 - 1)


def marginals(graph: nx.Graph[int]) -> list[float]:
    """The logarithms of odds, by adding up over all states of all vertices."""
    weights = [[0.0, 0.0] for _ in graph]
    for states in product((0, 1), repeat=len(graph)):
        weight = math.exp(sum(prior(v) * states[v] for v in graph))
        for u, v in graph.edges:
            weight *= AGREEMENT if (states[u] == states[v]) == ((u + v) % 2 == 0) else 1
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


@pytest.mark.parametrize("seed", range(5))
def test_beliefs_of_a_tree_are_exact(
    program: Callable[..., Finished],
    reference: Callable[..., Finished],
    egr: Callable[..., Path],
    tmp_path: Path,
    seed: int,
) -> None:
    tree = nx.random_labeled_tree(9, seed=seed)
    path = egr(rows_of(tree))
    assert reference("bp", path, tmp_path / "out").code == 0
    expected = marginals(tree)
    assert values_of(tmp_path / "out", "f8")[:9] == pytest.approx(expected, abs=1e-12)
    for element, error in (("f32", 1e-5), ("f64", 1e-11)):
        for off, code in ((0.0, 0), (error, 1)):
            result = " ".join(str(value + off) for value in expected)
            assert program(path, "--reps", "1", ALGORITHM="bp", ELEMENT=element, RESULT=result).code == code


@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_rounds_in_a_graph_with_loops(
    reference: Callable[..., Finished], egr: Callable[..., Path], tmp_path: Path, rounds: int
) -> None:
    graph = nx.karate_club_graph()
    plain: nx.Graph[int] = nx.Graph(graph.edges)
    plain.add_nodes_from(range(len(graph)))
    assert reference("bp", egr(rows_of(plain)), tmp_path / "out", "--rounds", rounds).code == 0
    expected = passed(plain, rounds)
    values = values_of(tmp_path / "out", "f8")[: len(plain)]
    assert values == pytest.approx([expected[list(plain).index(v)] for v in range(len(plain))], abs=1e-12)
