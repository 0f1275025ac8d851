"""Searches from several sources at a time: where they are, and what of the other programs they have."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from generator.paths import TEMPLATES
from generator.space import Style, name_of
from tests.generator.conftest import code, function

if TYPE_CHECKING:
    from pathlib import Path

NAME = "bc-openmp-vertex-data-nodup-pull-rmw-det-dynamic-f32"


def test_every_search_over_vertices_may_be_one_of_several(everything: list[Style]) -> None:
    batches = [style for style in everything if "batch" in style]
    plain = [style for style in everything if style["algorithm"] == "bc" and style["iteration"] == "vertex"]
    alone = [style for style in plain if "batch" not in style and style["flow"] != "hybridsum"]
    alone = [style for style in alone if style.get("granularity") != "blockmerge"]
    narrow = [s for s in alone if s.get("atomics", "atomic") == "atomic" and s["datatype"] in ("f32", "e32")]
    assert set(map(name_of, batches)) == {f"{name_of(style)}-multisource" for style in narrow}


@pytest.mark.parametrize("name", [NAME, "bc-cuda-vertex-topology-push-rmw-det-persistent-warp-atomic-f32"])
def test_the_kernels_of_a_round_differ_in_items_and_rows_only(name: str) -> None:
    batch, alone = (function(code(each), "count_paths") for each in (f"{name}-multisource", name))
    assert re.search(r"\* s\.searches \+ search;", batch)
    batch = re.sub(r" *const int search = .*\n", "", batch)
    for text, plain in ((" / s.searches", ""), (" * s.searches + search", ""), ("s.items", "s.n")):
        batch = batch.replace(text, plain)
    # In another order if a level is asked for before a division finds the row.
    assert sorted(map(str.strip, batch.splitlines())) == sorted(map(str.strip, alone.splitlines()))


def test_all_vertices_of_all_searches_have_numbers(tmp_path: Path) -> None:
    """There are fewer searches at a time in a graph so large that loops over 8 times its vertices would overflow."""
    (tmp_path / "batch.cpp").write_text(
        """#include "batch.hpp"
        using violet::searches_at_once;
        static_assert(searches_at_once(0) == 8 && searches_at_once(1 << 27) == 8);
        static_assert(searches_at_once((1 << 27) + 1) == 7 && searches_at_once(0x7fffffff) == 1);
        static_assert(searches_at_once(1 << 29) == 2 && searches_at_once((1 << 29) + 1) == 1);"""
    )
    command = [os.environ.get("CXX", "g++"), "-std=c++20", "-fsyntax-only", f"-I{TEMPLATES / 'runtime'}"]
    subprocess.run([*command, tmp_path / "batch.cpp"], check=True)
