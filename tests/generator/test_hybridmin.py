"""SSSP and CC that push or pull a minimum: where they exist, and what their programs are made of."""

import re

import pytest

from generator.render import render
from generator.space import Space, Style, name_of
from tests.configs import selected
from tests.generator.conftest import code, function, pairs
from tests.texts import text_of

BLOCKS = {"cuda": "nonpersistent-block-atomic-i32", "openmp": "default-i32", "cpp": "blocked-i32"}


@pytest.fixture(scope="module")
def hybridmin() -> list[Style]:
    return [style for style in selected("fast") if style["flow"] == "hybridmin"]


def pushing() -> list[Style]:
    wanted = {"iteration": "vertex", "driver": "data", "flow": "push", "atomics": "atomic"}
    paper = selected("paper")
    return [
        style
        for style in paper
        if style["algorithm"] in ("cc", "sssp")
        and all(style.get(axis, value) == value for axis, value in wanted.items())
    ]


def program(space: Space, algorithm: str, model: str, determinism: str) -> Style:
    return space.parse(f"{algorithm}-{model}-vertex-data-nodup-hybridmin-rmw-{determinism}-{BLOCKS[model]}-share")


def test_every_push_program_of_a_worklist_of_vertices_has_one(space: Space, hybridmin: list[Style]) -> None:
    expected = {name_of({**style, "flow": "hybridmin", "switch": "share"}) for style in pushing()}
    assert {name.split("-")[1] for name in expected} == {"cuda", "openmp", "cpp"}
    for name in expected:
        assert name_of(space.parse(name)) == name
    assert expected <= set(map(name_of, hybridmin))


def test_rounds_that_push_only_count_besides() -> None:
    for style in pairs(pushing()):
        both = function(code({**style, "flow": "hybridmin", "switch": "share"}), "relax")
        lines = both.replace(" reduction(+ : edges)", "").replace(", edges)", ")").splitlines()
        start = next(index for index, line in enumerate(lines) if line.strip() == "unsigned edges = 0;")
        stop = next(index for index, line in enumerate(lines) if re.search(r"edges = block_sum|\*?s\.edges", line))
        assert lines[:start] + lines[start + 1 : stop] + ["}"] == function(code(style), "relax").splitlines()


@pytest.mark.parametrize("algorithm", ["cc", "sssp"])
@pytest.mark.parametrize("model", BLOCKS)
@pytest.mark.parametrize("determinism", ["det", "nondet"])
def test_pulling_takes_no_atomic_operation_on_values(
    space: Space, algorithm: str, model: str, determinism: str
) -> None:
    style = program(space, algorithm, model, determinism)
    pull = function(code(style), "pull")
    values = {"cc": "label", "sssp": "dist"}[algorithm]
    assert not re.search(r"atomic_?(min|exchange|exch|cas|compare)", pull, re.IGNORECASE)
    assert "push(" not in pull
    # A minimum takes all neighbours: nobody leaves a row early.
    assert "break" not in pull
    text = render(space, style).text
    if determinism == "det":
        assert f"s.next_{values}[u] = best;" in pull
        assert f"std::swap(s.{values}, s.next_{values});" in text
        assert f"s.next_{values}[v] = s.{values}[v];" in function(code(style), "collect")
        assert re.search(r"if \(!s\.pulling\) \{\s+(publish|parallel\(publish)", text)
    else:
        assert f"atomic_store(&s.{values}[u], best);" in pull
        assert "std::swap(s.worklist, s.next_worklist);" in text
        assert f"next_{values}" not in text
        assert "!s.pulling" not in text


def test_threads_of_an_item_share_its_row_in_either_direction(space: Space) -> None:
    for granularity, reduced in (("thread", ""), ("warp", "warp_min"), ("block", "block_min")):
        style = {**program(space, "sssp", "cuda", "nondet"), "granularity": granularity}
        assert reduced in function(code(style), "pull")
        assert not space.forbidden_by(style)
    for granularity in ("twc", "merge"):
        rule = space.forbidden_by({**program(space, "sssp", "cuda", "nondet"), "granularity": granularity})
        assert rule
        assert rule.id == "a-pulled-row-is-reduced"


def test_all_rounds_may_run_in_one_kernel(space: Space) -> None:
    for determinism in ("det", "nondet"):
        style = program(space, "cc", "cuda", determinism) | {"persistence": "persistent", "fusion": "all"}
        text = text_of(name_of(style))
        assert "__device__ bool should_pull" in text
        assert "std::swap" not in text
        # What one round writes and the next one reads is not read through the read-only cache.
        assert not re.search(r"__ldg\(&s\.(label|lowered|worklist)", text)


def test_the_rule_has_one_parameter(space: Space, hybridmin: list[Style]) -> None:
    assert {style["switch"] for style in hybridmin} == {"share"}
    for style in pairs(hybridmin):
        bins = [("bin", "64")] if style.get("append") == "jit" else []
        parameters = [*bins, ("share", "30"), *([("blocks", "2")] if style.get("fusion") == "few" else [])]
        assert re.findall(r'const Parameter \w+\("([\w-]+)", (\d+)', render(space, style).text) == parameters
