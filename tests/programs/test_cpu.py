"""Compiles CPU programs, all of the paper and some of other methods and of the rest; verifies them on tiny graphs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from generator.config import covering_pairs, find_config, select_styles
from generator.space import Style, load_space, name_of
from tests.programs.conftest import build, run_on

PAPER = select_styles(load_space(), find_config("cpu"))
BEYOND = covering_pairs(style for style in load_space().styles() if style["model"] != "cuda" and style not in PAPER)
METHODS = covering_pairs(
    style for style in select_styles(load_space(), find_config("all")) if style["model"] != "cuda" and "method" in style
)
STYLES = PAPER + METHODS + BEYOND


@pytest.fixture(scope="module")
def binary() -> Callable[[Style], Path]:
    return build(STYLES, "cpu")


@pytest.mark.compile
@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_a_cpu_program_is_right_with_any_number_of_threads(
    style: Style, binary: Callable[[Style], Path], tiny_graphs: list[Path]
) -> None:
    for threads in ("1", "2", "8"):
        reports = run_on(binary(style), tiny_graphs, "--threads", threads)
        assert [Path(str(report["graph"])) for report in reports] == tiny_graphs
        for report in reports:
            assert report["program"] == name_of(style)
            assert report["verified"] is True
