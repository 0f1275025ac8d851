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
from tests.programs.store import build, emulate
from tests.programs.test_cuda_emulated import among_emulated
from tests.runtime.test_beliefs import PRIORS, marginals

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.programs.store import Executable


def choose(*models: str) -> list[Style]:
    return covering([style for style in selected("evidence") if style["model"] in models], 1)


CPU = chosen("cpu with evidence", lambda: choose("cpp", "openmp"))
CUDA = chosen("cuda with evidence", lambda: among_emulated(choose("cuda")))


@pytest.fixture(scope="module")
def program() -> Callable[[Style], Executable]:
    on_cpu, on_emulator = build(CPU), emulate(CUDA)
    return lambda style: (on_emulator if style["model"] == "cuda" else on_cpu)(style)


@pytest.mark.compile
@pytest.mark.parametrize("style", [*CPU, *CUDA], ids=name_of)
def test_a_users_priors_and_agreement_count(
    style: Style, program: Callable[[Style], Executable], tmp_path: Path
) -> None:
    tree = nx.random_labeled_tree(9, seed=5)
    path, priors, out = (tmp_path / name for name in ("tree.egr", "priors.txt", "x.npy"))
    egr.write(from_networkx(tree), path)
    priors.write_text("".join(f"{prior}\n" for prior in PRIORS))
    for agreement in (4.0, 0.5):
        words = ("--priors", str(priors), "--agreement", str(agreement), "--dump", str(out))
        (report,) = run_on(program(style), [path], *words)
        assert report["verified"] is True
        error = 1e-5 if style["datatype"] == "f32" else 1e-11
        expected = marginals(tree, PRIORS.__getitem__, agreement, alike=True)
        assert np.load(out) == pytest.approx(expected, rel=error, abs=error)
    assert all(report["verified"] is True for report in run_on(program(style), find_tiny_graphs()[-2:]))


@pytest.mark.compile
def test_so_they_do_in_libraries() -> None:
    solver = library(name_of(CPU[0])).Solver
    tree = nx.random_labeled_tree(9, seed=5)
    for agreement in (4.0, 0.5):
        expected = marginals(tree, PRIORS.__getitem__, agreement, alike=True)
        found = solver(tree, priors=PRIORS, agreement=agreement).solve()["belief"]
        assert found == pytest.approx(expected, rel=1e-5, abs=1e-5)
    friends = pd.DataFrame({"source": ["ann", "bob"], "target": ["bob", "cy"]})
    expected = marginals(nx.path_graph(3), [0, 0, 2.0].__getitem__, 3, alike=True)
    assert solver(friends, priors={"cy": 2}, agreement=3).solve()["belief"] == pytest.approx(expected, rel=1e-5)
    for wrong, message in (
        ({"priors": {"dan": 1}}, "no vertex is called 'dan'"),
        ({"priors": [1, 2]}, r"priors are of shape \(2,\), and the graph has 3 vertices"),
        ({"priors": [0, 101, 0]}, "the prior of vertex 1 is 101, not from -100 to 100"),
        ({"priors": [0, 0, np.nan]}, "the prior of vertex 2 is nan"),
        ({"agreement": 1001}, "agreement is 1001, not from 0.001 to 1000"),
    ):
        with pytest.raises(ValueError, match=message):
            solver(friends, **wrong)
