"""Paths counted by rounds that push or pull: which there are, and what they have of programs of one direction."""

from __future__ import annotations

import re

import pytest

from generator.render import render
from generator.space import Space, Style, name_of
from tests.generator.conftest import GROWN, rule_against

BLOCKS = {"openmp": "dynamic-f32", "cpp": "dynamic-f32", "cuda": "persistent-warp-atomic-f32"}


def kernel(space: Space, name: str, step: str) -> str:
    """The function of a step, from its head to its end."""
    text = render(space, space.parse(name)).text
    found = re.search(rf"^[^/\n]*void {step}\(.*?^}}$", text, re.MULTILINE | re.DOTALL)
    assert found
    return found[0]


def name(model: str, flow: str) -> str:
    switch = "-weighed" if flow == "hybridsum" else ""
    return f"bc-{model}-vertex-data-nodup-{flow}-rmw-det-{BLOCKS[model]}{switch}"


def test_every_plain_push_program_of_a_worklist_has_one(everything: list[Style]) -> None:
    both = [style for style in everything if style["flow"] == "hybridsum"]
    assert len(both) == 80, GROWN
    plain = {name_of(style) for style in everything}
    assert all(name_of(style).replace("hybridsum", "push").replace("-weighed", "") in plain for style in both)


@pytest.mark.parametrize("model", BLOCKS)
def test_a_round_that_pushes_counts_edges_besides(space: Space, model: str) -> None:
    both = kernel(space, name(model, "hybridsum"), "count_paths")
    both = re.sub(r" reduction\(\+ : edges\)", "", both)
    kept = [line for line in both.splitlines() if "edges" not in line]
    plain = kernel(space, name(model, "push"), "count_paths").splitlines()
    assert [line for line in plain if line not in kept] == []


@pytest.mark.parametrize("model", BLOCKS)
def test_the_way_back_pulls_as_elsewhere(space: Space, model: str) -> None:
    trade = str.maketrans({"u": "v", "v": "u"})
    pulled = kernel(space, name(model, "pull"), "add_shares")
    both = kernel(space, name(model, "hybridsum"), "add_shares")
    assert re.sub(r"\b[uv]\b", lambda found: found[0].translate(trade), both) == pulled


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (("data-nodup", "topology"), "directions-follow-the-frontier"),
        (("f32", "e32"), "scaled-numbers-are-pulled"),
        (("warp-atomic-f32-weighed", "thread-atomic-f32-weighed-single"), "directions-need-all-kernels"),
        (("weighed", "weighed-multisource"), "searches-turn-one-by-one"),
    ],
)
def test_what_makes_no_sense(space: Space, change: tuple[str, str], rule: str) -> None:
    assert rule_against(space, name("cuda", "hybridsum").replace(*change)) == rule
