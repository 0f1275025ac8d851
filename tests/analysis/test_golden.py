"""Results whose ratios are known by construction: what was planted is found, and what was not is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from analysis.compared.comparisons import COMPARISONS, Comparison, comparison_of
from analysis.compared.study import Study
from analysis.judged.guidelines import guidelines
from analysis.judged.ratio_checks import Median
from analysis.measured.graphs import graph_table
from analysis.measured.records import load
from analysis.statistics import summaries, summarise_pairs

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.analysis.conftest import Record


pytestmark = pytest.mark.turns(6, 1)

ALL_RESAMPLES = True

GRAPHS = ("grid", "road", "social")


@pytest.fixture(scope="module")
def golden(
    record: Record, programs: Callable[..., Any], planted: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Study:
    """CUDA programs in which push is twice as fast and nothing else matters; noise has a deviation of 30 %."""
    seconds = planted({"push": 2.0}, noise=0.3, seed=11)
    jobs = [
        record(name, seconds(name.split("-")), graph=graph)
        for name in programs(("bfs", "cc", "mis", "sssp"), ("cuda",))
        for graph in GRAPHS
    ]
    file = tmp_path_factory.mktemp("golden") / "r.jsonl"
    file.write_text("\n".join(json.dumps({**job, "vertices": 1000}) for job in jobs))
    frame = load(file)
    return Study(frame, graph_table(frame, {}))


NULL = [
    row
    for row in COMPARISONS
    if row.axis in ("iteration", "driver", "update", "determinism", "persistence", "granularity")
]


def test_the_planted_effect_is_recovered_with_its_interval(golden: Study) -> None:
    pairs = golden.pairs(comparison_of("push over pull"))
    summary = summarise_pairs(pairs)
    assert summary.low < 2 < summary.high
    assert summary.high / summary.low < 1.3
    assert summary.verdict == "first"
    table = summaries(pairs, ["graph"])
    assert len(table) == len(GRAPHS)
    assert (table["verdict"] == "first").all()


@pytest.mark.parametrize("comparison", NULL, ids=lambda comparison: comparison.slug)
def test_what_was_not_planted_is_unclear(golden: Study, comparison: Comparison) -> None:
    pairs = golden.pairs(comparison)
    if not pairs.empty:
        summary = summarise_pairs(pairs)
        assert summary.verdict == "unclear"
        assert summary.low < 1 < summary.high


def test_guidelines_follow_what_was_planted(golden: Study) -> None:
    advice = {found.comparison.title: found.advice for found in guidelines(golden, COMPARISONS)}
    assert advice["push over pull"] == "push"
    assert set(advice.values()) <= {"push", "equal", "for some algorithms", "unclear"}
    (sentence,) = (found.sentence for found in guidelines(golden, [comparison_of("push over pull")]))
    assert sentence.startswith("CUDA: prefer push: median ")


@pytest.mark.parametrize(
    ("low", "high", "answer"),
    [(1.0, 9.0, "yes"), (0.0, 1.0, "no"), (2.0, 9.0, "open"), (3.0, 9.0, "no"), (1.5, 2.5, "yes")],
)
def test_checks_follow_what_was_planted(golden: Study, low: float, high: float, answer: str) -> None:
    (evidence,) = Median("push over pull", {"model": "cuda"}, low, high).evaluate(golden)
    assert evidence.answer == answer
    assert evidence.value == pytest.approx(2.0, rel=0.1)


def test_the_same_results_give_the_same_numbers(golden: Study) -> None:
    pairs = golden.pairs(comparison_of("push over pull"))
    assert summarise_pairs(pairs) == summarise_pairs(pairs.sample(frac=1, random_state=3))


def test_programs_on_one_graph_only_do_not_hide_another(golden: Study) -> None:
    """An effect that one graph inverts depends on the graph."""
    frame = golden.frame
    slow = (frame["graph"] == "road") & (frame["flow"] == "push")
    turned = frame.assign(throughput=frame["throughput"].where(~slow, frame["throughput"] / 8))
    (found,) = guidelines(Study(turned, golden.graphs), [comparison_of("push over pull")])
    assert found.advice == "depends on the graph"
    assert "push on grid and social, pull on road" in found.sentence
