"""Planted effects are found, and what is not there is not."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis.statistics import MINIMUM_PAIRS, median_interval, summaries, summarise

RATIOS = st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=60)


def noise(n: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).lognormal(0, 0.3, n)


@pytest.mark.parametrize(("effect", "verdict"), [(2.0, "first"), (0.5, "second"), (1.0, "unclear")])
def test_the_verdict_follows_the_effect(effect: float, verdict: str) -> None:
    summary = summarise(effect * noise(300))
    assert summary.verdict == verdict
    assert summary.low < effect < summary.high


def test_no_difference_at_all_is_unclear() -> None:
    summary = summarise(np.ones(50))
    assert (summary.verdict, summary.low, summary.high, summary.above_one) == ("unclear", 1.0, 1.0, 0.0)


def test_few_pairs_decide_nothing() -> None:
    assert summarise([2.0] * (MINIMUM_PAIRS - 1)).verdict == "unclear"
    assert summarise([2.0] * MINIMUM_PAIRS).verdict == "first"
    assert summarise([]).n == 0


@pytest.mark.parametrize("n", [21, 75, 401])
def test_the_interval_is_what_resampling_tends_to(n: int) -> None:
    values = np.sort(noise(n))
    resampled = stats.bootstrap(
        (values,), np.median, n_resamples=20_000, method="percentile", rng=1
    ).confidence_interval
    np.testing.assert_allclose(median_interval(values), resampled, rtol=0.02)


def test_the_interval_covers_as_often_as_it_says() -> None:
    covered = [low <= 1 <= high for low, high in (median_interval(np.sort(noise(41, seed))) for seed in range(1000))]
    assert 0.94 <= np.mean(covered) <= 0.99


@given(RATIOS)
def test_naming_the_styles_the_other_way_round_inverts_everything(ratios: list[float]) -> None:
    one, other = summarise(ratios), summarise(1 / np.array(ratios))
    opposite = {"first": "second", "second": "first", "unclear": "unclear"}
    np.testing.assert_allclose([other.median, other.low, other.high], [1 / one.median, 1 / one.high, 1 / one.low])
    assert other.verdict == opposite[one.verdict]


@given(RATIOS.filter(lambda ratios: len(ratios) >= MINIMUM_PAIRS))
def test_the_interval_holds_the_median_and_lies_in_the_data(ratios: list[float]) -> None:
    summary = summarise(ratios)
    tolerance = 1 + 1e-12
    assert min(ratios) <= summary.low <= summary.median * tolerance
    assert summary.median <= summary.high * tolerance <= max(ratios) * tolerance**2


def test_groups_are_summarised_one_by_one() -> None:
    pairs = pd.DataFrame({"graph": ["a"] * 10 + ["b"] * 10, "ratio": [2.0] * 10 + [0.5] * 10})
    table = summaries(pairs, ["graph"]).set_index("graph")
    assert table["verdict"].to_dict() == {"a": "first", "b": "second"}
    assert table["n"].tolist() == [10, 10]
