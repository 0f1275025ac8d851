"""Paths counted by rounds that push or pull: which there are, and what they have of programs of one direction."""

from __future__ import annotations

import re

import pytest

from generator.space import Style, name_of
from tests.generator.conftest import code, function

BLOCKS = {"openmp": "dynamic-f32", "cpp": "dynamic-f32", "cuda": "persistent-warp-atomic-f32"}


def name(model: str, flow: str) -> str:
    switch = "-weighed" if flow == "hybridsum" else ""
    return f"bc-{model}-vertex-data-nodup-{flow}-rmw-det-{BLOCKS[model]}{switch}"


def test_every_plain_push_program_of_a_worklist_has_one(everything: list[Style]) -> None:
    wanted = {"algorithm": "bc", "iteration": "vertex", "driver": "data", "flow": "push", "datatype": "f32"}
    pushing = [style for style in everything if wanted.items() <= style.items() and "batch" not in style]
    kernels = [style for style in pushing if style.get("fusion") not in ("single", "cluster")]
    kernels = [style for style in kernels if style.get("granularity") != "blockmerge"]  # which cannot pull
    plain = {name_of(style) for style in kernels if style.get("atomics", "atomic") == "atomic"}
    both = [name_of(style) for style in everything if style["flow"] == "hybridsum"]
    assert {name.replace("hybridsum", "push").replace("-weighed", "") for name in both} == plain


@pytest.mark.parametrize("model", BLOCKS)
def test_a_round_that_pushes_counts_edges_besides(model: str) -> None:
    both = function(code(name(model, "hybridsum")), "count_paths")
    both = re.sub(r" reduction\(\+ : edges\)", "", both)
    kept = [line for line in both.splitlines() if "edges" not in line]
    plain = function(code(name(model, "push")), "count_paths").splitlines()
    assert [line for line in plain if line not in kept] == []


@pytest.mark.parametrize("model", BLOCKS)
def test_the_way_back_pulls_as_elsewhere(model: str) -> None:
    trade = str.maketrans({"u": "v", "v": "u"})
    pulled = function(code(name(model, "pull")), "add_shares")
    both = function(code(name(model, "hybridsum")), "add_shares")
    assert re.sub(r"\b[uv]\b", lambda found: found[0].translate(trade), both) == pulled
