"""References and checks against brute force on all graphs of up to four vertices."""

from __future__ import annotations

import csv
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from generator.algorithms import load_algorithms
from tests.runtime.conftest import start
from trust import forge

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.compile, pytest.mark.daily]


def test_references_and_checks_follow_from_the_definitions(binaries: Path) -> None:
    done = start([binaries / "oracle"])
    assert (done.code, done.stdout) == (0, "300 graphs\n"), done.stderr


def test_references_of_directed_graphs_follow_from_the_definitions(binaries: Path) -> None:
    """All graphs of up to three vertices, and a sixteenth of those of four; without a step, it takes all of them."""
    done = start([binaries / "oracle_directed", 17])
    assert (done.code, done.stdout) == (0, "310 graphs\n"), done.stderr


def test_checks_of_real_numbers_refuse_what_is_forged(binaries: Path) -> None:
    done = start([binaries / "forge", *forge.few()])
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert (done.code, [row for row in rows if row["verdict"] == "fault"]) == (0, []), done.stderr
    arrays = [(name, array) for name, each in load_algorithms().items() for array in each.result]
    real = {each.replace("_", "-") for name, array in arrays if array.kind == "real" for each in array.only or (name,)}
    assert {row["algorithm"] for row in rows} == real
    refused = Counter(row["forgery"] for row in rows if row["verdict"] == "refused")
    assert len(refused) == 7
    assert min(refused.values()) >= 8  # some results are zeros, or all equal, or the same for every source
    assert not [row for row in rows if row["forgery"] in ("times 1.01", "no number") and row["verdict"] == "near"]
    bounds: dict[tuple[str, str, str], list[float]] = {}
    for row in rows:
        bounds.setdefault((row["graph"], row["algorithm"], row["element"]), []).append(float(row["bound"]))
    for (graph, algorithm, element), each in bounds.items():  # which would do no harm to the verdicts if it were looser
        digits = (1000 if "star" in graph else 150) * {"f32": 2**-23, "f64": 2**-52}[element]
        ranks = 2.5e-4 if algorithm in ("pr", "ppr", "wtf") else digits  # the rule to stop leaves so much
        assert max(each) <= ranks, (graph, algorithm, element)
        assert min(each) <= (ranks if algorithm in ("pr", "ppr") else digits), (graph, algorithm, element)
