"""Belief propagation with priors and an agreement of a user's own: on a tree, marginals are exact."""

from __future__ import annotations

from typing import TYPE_CHECKING

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from generator.config import covering
from generator.space import Style, name_of
from inputs.formats import egr
from inputs.interchange import from_networkx
from tests.configs import chosen, selected
from tests.generator.libraries import library
from tests.programs.conftest import find_tiny_graphs, run_on
from tests.programs.store import Binaries, build, emulate
from tests.programs.test_cuda_emulated import among_emulated
from tests.runtime.test_beliefs import PRIORS, marginals

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


def choose(*models: str) -> list[Style]:
    styles = [*selected("evidence"), *selected("couplings")]
    return covering([style for style in styles if style["model"] in models], 1)


CPU = chosen("cpu with evidence", lambda: choose("cpp", "openmp"))
CUDA = chosen("cuda with evidence", lambda: among_emulated(choose("cuda")))


@pytest.fixture(scope="module")
def program() -> Binaries:
    on_cpu, on_emulator = build(CPU), emulate(CUDA)
    return lambda style: (on_emulator if style["model"] == "cuda" else on_cpu)(style)


def assert_marginals(
    out: Path, style: Style, tree: nx.Graph[int], agreement: float | Mapping[frozenset[int], float]
) -> None:
    """Checks what a program dumped against sums over all states of the tree, of one agreement or one for each edge."""
    error = 1e-5 if style["datatype"] == "f32" else 1e-11
    expected = marginals(tree, PRIORS.__getitem__, agreement, alike=True)
    assert np.load(out) == pytest.approx(expected, rel=error, abs=error)


@pytest.mark.compile
@pytest.mark.parametrize("style", [*CPU, *CUDA], ids=name_of)
def test_a_users_priors_and_agreement_count(style: Style, program: Binaries, tmp_path: Path) -> None:
    tree = nx.random_labeled_tree(9, seed=5)
    path, priors, out = (tmp_path / name for name in ("tree.egr", "priors.txt", "x.npy"))
    egr.write(from_networkx(tree), path)
    priors.write_text("".join(f"{prior}\n" for prior in PRIORS))
    for agreement in (4.0, 0.5):
        words = ("--priors", str(priors), "--agreement", str(agreement), "--dump", str(out))
        run_on(program(style), [path], *words)
        assert_marginals(out, style, tree, agreement)
    run_on(program(style), find_tiny_graphs()[-2:])


AGREEMENTS = [4.0, 0.25, 1, 1000, 2**-9, 2, 0.5, 7]
"""Of the edges of a tree."""


@pytest.mark.compile
@pytest.mark.parametrize("style", [style for style in [*CPU, *CUDA] if style["evidence"] == "coupled"], ids=name_of)
def test_edges_have_agreements_of_their_own(style: Style, program: Binaries, tmp_path: Path) -> None:
    tree = nx.random_labeled_tree(9, seed=5)
    path, priors, couplings, out = (tmp_path / name for name in ("tree.egr", "priors.txt", "couplings.txt", "x.npy"))
    graph = from_networkx(tree)
    egr.write(graph, path)
    priors.write_text("".join(f"{prior}\n" for prior in PRIORS))
    known = {frozenset(edge): agreement for edge, agreement in zip(tree.edges, AGREEMENTS, strict=True)}
    edges = graph.to_edges()
    lines = [known[frozenset(ends)] for ends in zip(edges.sources.tolist(), edges.destinations.tolist(), strict=True)]
    couplings.write_text("".join(f"{line}\n" for line in lines))
    words = ("--priors", str(priors), "--couplings", str(couplings), "--dump", str(out))
    run_on(program(style), [path], *words)
    assert_marginals(out, style, tree, known)


@pytest.mark.compile
def test_so_they_do_in_libraries() -> None:
    coupled = next(style for style in CPU if style["evidence"] == "coupled")
    solver = library(name_of(coupled)).Solver
    tree = nx.random_labeled_tree(9, seed=5)
    for agreement in (4.0, 0.5):
        expected = marginals(tree, PRIORS.__getitem__, agreement, alike=True)
        found = solver(tree, priors=PRIORS, agreement=agreement).solve()["belief"]
        assert found == pytest.approx(expected, rel=1e-5, abs=1e-5)
    friends = pd.DataFrame({"source": ["ann", "bob"], "target": ["bob", "cy"]})
    expected = marginals(nx.path_graph(3), [0, 0, 2.0].__getitem__, 3, alike=True)
    assert solver(friends, priors={"cy": 2}, agreement=3).solve()["belief"] == pytest.approx(expected, rel=1e-5)
    known = {("ann", "bob"): 4.0, ("cy", "bob"): 0.5}
    expected = marginals(
        nx.path_graph(3), [0, 0, 2.0].__getitem__, {frozenset((0, 1)): 4, frozenset((1, 2)): 0.5}, alike=True
    )
    for couplings in (known, [4, 4, 0.5, 0.5], known | {("bob", "ann"): 4}):
        found = solver(friends, priors={"cy": 2}, couplings=couplings).solve()["belief"]
        assert found == pytest.approx(expected, rel=1e-5)
    expected = marginals(
        nx.path_graph(3), [0, 0, 2.0].__getitem__, {frozenset((0, 1)): 4, frozenset((1, 2)): 3}, alike=True
    )
    found = solver(friends, priors={"cy": 2}, couplings={("ann", "bob"): 4}, agreement=3).solve()["belief"]
    assert found == pytest.approx(expected, rel=1e-5)
    for wrong, message in (
        ({"couplings": {("ann", "cy"): 1}}, r"there is no edge \('ann', 'cy'\)"),
        (
            {"couplings": known | {("bob", "ann"): 3}},
            r"edge \('ann', 'bob'\) and its reverse have different agreements",
        ),
        ({"couplings": [4, 3, 1, 1]}, r"edge \('ann', 'bob'\) and its reverse have different agreements"),
        ({"couplings": [4, 4, 0, 0]}, r"the agreement of edge \('bob', 'cy'\) is 0, not from 0.001 to 1000"),
        ({"couplings": [4]}, r"couplings are of shape \(1,\), and the graph has 4 directed edges"),
        ({"priors": {"dan": 1}}, "no vertex is called 'dan'"),
        ({"priors": [1, 2]}, r"priors are of shape \(2,\), and the graph has 3 vertices"),
        ({"priors": [0, 101, 0]}, "the prior of vertex 'bob' is 101, not from -100 to 100"),
        ({"priors": [0, 0, np.nan]}, "the prior of vertex 'cy' is nan"),
        ({"agreement": 1001}, "agreement is 1001, not from 0.001 to 1000"),
    ):
        with pytest.raises(ValueError, match=message):
            solver(friends, **wrong)
