"""Choices that depend on each other are told apart from those that do not, and effects from what they are made of."""

import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

from analysis.compared.interactions import LEAST_PROGRAMS, explained, in_words, interactions
from analysis.compared.sources import by_degree, by_rounds
from analysis.compared.study import read_study
from tests.analysis.conftest import Write

STYLES = list(
    product(("vertex",), ("push", "pull"), ("rw", "rmw"), ("persistent", "nonpersistent"), ("thread", "warp", "block"))
)


def jobs(together: float, graph: str = "g") -> list[dict[str, object]]:
    """Programs of which push is fast by itself, and threads only for those that push: by as much as is said."""
    rows = []
    rng = np.random.default_rng(0)
    for (iteration, flow, update, persistence, granularity), determinism in product(STYLES, ("det", "nondet")):
        style = [
            "bfs",
            "cuda",
            iteration,
            "topology",
            flow,
            update,
            determinism,
            persistence,
            granularity,
            "atomic",
            "i32",
        ]
        slow = 2.0 if flow == "pull" else 1.0
        slow *= together if (flow, granularity) == ("push", "thread") else 1.0
        times = [slow * float(rng.lognormal(0, 0.05))]
        fields = {"graph": graph, "samples_s": times, "vertices": 1000, "edges": 10**6, "rounds": 10}
        rows.append({"program": "-".join(style), "status": "verified", "machine": "box", **fields})
    return rows


def test_a_pair_that_depends_on_each_other_is_found(write: Write) -> None:
    found = explained(read_study([write(jobs(8.0))]).frame)
    assert len(found) == 1
    assert found["alone"][0] < 0.8
    assert found["pairs"][0] > 0.95
    table = interactions(found)
    assert table["flow"]["granularity"] == table.max(axis=None)
    assert table["persistence"]["update"] < 0.02


def test_choices_that_only_add_up_explain_all_by_themselves(write: Write) -> None:
    found = explained(read_study([write(jobs(1.0))]).frame)
    assert found["alone"][0] > 0.9
    assert interactions(found).max(axis=None) < 0.02
    shares = [int(share) for share in re.findall(r"(\d+)% \(", in_words(found))]
    assert shares == [round(100 * found[name][0]) for name in ("alone", "pairs")]


def test_few_programs_say_nothing(write: Write) -> None:
    found = explained(read_study([write(jobs(8.0)[: LEAST_PROGRAMS - 1])]).frame)
    assert found.empty
    assert "Too few" in in_words(found)


def test_an_effect_is_made_of_rounds_and_of_their_time() -> None:
    pairs = pd.DataFrame({"ratio": [6.0] * 30, "rounds_first": [10] * 30, "rounds_second": [30] * 30})
    pairs = pairs.assign(ratio_low=pairs["ratio"], ratio_high=pairs["ratio"])
    assert by_rounds(pairs) == pytest.approx((3.0, 2.0, 30))
    assert by_rounds(pairs.assign(rounds_first=np.nan)) is None
    assert by_rounds(pairs.assign(ratio_high=np.inf)) is None


def test_a_degree_tells_a_thread_from_a_warp_on_graphs_that_it_was_not_learnt_from() -> None:
    degrees = {"a": 2.0, "b": 3.0, "c": 20.0, "d": 40.0}
    graphs = pd.DataFrame({"graph": list(degrees), "average_degree": list(degrees.values())})
    pairs = pd.DataFrame(
        [(graph, name, 2.0 if degrees[graph] < 10 else 0.5) for graph in degrees for name in ("bfs", "cc")],
        columns=["graph", "algorithm", "ratio"],
    )
    right, degree, count = by_degree(pairs, graphs) or (0.0, 0.0, 0)
    assert (right, count) == (1.0, 4)
    assert 3 < degree < 20
    turned = pairs.assign(ratio=np.where(pairs["graph"].isin(["b", "d"]), 2.0, 0.5))
    assert (by_degree(turned, graphs) or (1.0,))[0] < 1
    assert by_degree(pairs[pairs["graph"].isin(["a", "b"])], graphs) is None
