"""The table of comparisons is sound."""

import pytest

from analysis import words
from analysis.compared.comparisons import COMPARISONS, comparison_of, comparisons_of
from analysis.compared.pairs import PLAIN
from analysis.errors import AnalysisError
from analysis.styles import axes


def test_every_row_names_things_that_exist() -> None:
    for row in COMPARISONS:
        assert set(row.first) & set(axes()[row.axis])
        assert set(row.second) <= {*axes()[row.axis], PLAIN}
        assert not set(row.first) & set(row.second)
        assert {*row.forced, *row.only} <= set(axes()) - {row.axis}


WHY_NOT = {
    "algorithm": "another result",
    "bug": "wrong results",
    "copies": "one value",
    "direction": "another graph",
    "model": "another machine, or another number of GPUs: analysis.compared.scaling",
}
"""Axes along which nothing is compared."""

ALONE = {"bitparallel", "both", "coupled", "gather", "given", "guided", "interleaved", "weighed"}
"""Values that no other one of their axis could take the place of, that answer another question, as `bitparallel`,
`coupled` and `given` do, or, of `guided`, that the paper does not compare."""


def test_what_every_value_is_worth_can_be_asked() -> None:
    compared = {(row.axis, value) for row in COMPARISONS for value in (*row.first, *row.second)}
    every = {(axis, value) for axis, values in axes().items() if axis not in WHY_NOT for value in values}
    assert {value for _, value in every - compared} == ALONE


def test_every_model_has_a_name() -> None:
    assert words.MODELS.keys() == set(axes()["model"])


def test_figures_never_overwrite_one_another() -> None:
    slugs = [row.slug for row in COMPARISONS]
    assert len(set(slugs)) == len(slugs)
    assert all(slug.replace("-", "").isalnum() for slug in slugs)


def test_the_paper_order_and_orientation() -> None:
    titles = {row.figure: row.title for row in COMPARISONS if row.figure}
    assert titles["Figure 1"] == "atomic over cuda::atomic"
    assert titles["Figure 5"] == "push over pull"
    assert titles["Figure 8"] == "persistent over non-persistent"
    assert [row.first for row in comparisons_of(["reduction"]) if row.figure == "Figure 10"] == [
        ("reductionadd",),
        ("blockadd",),
        ("reductionadd",),
    ]
    assert titles["Figure 13"] == "blocked schedule over cyclic schedule"


def test_an_unknown_axis_is_a_users_error() -> None:
    assert len(comparisons_of([])) == len(COMPARISONS)
    assert {row.axis for row in comparisons_of(["driver"])} == {"driver"}
    assert comparison_of("push over pull").axis == "flow"
    with pytest.raises(AnalysisError, match="unknown comparison 'push over pul'"):
        comparison_of("push over pul")
    with pytest.raises(AnalysisError, match="did you mean 'driver'"):
        comparisons_of(["drivr"])
