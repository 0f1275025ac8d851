"""Breadth-first search that pushes or pulls: where it exists, and what its programs are made of."""

import re

import pytest

from generator.errors import UserError
from generator.space import Space, Style, name_of
from tests.configs import selected
from tests.generator.conftest import code, function, pairs


@pytest.fixture(scope="module")
def hybrid() -> list[Style]:
    return [style for style in selected("fast") if style["flow"] == "hybrid"]


def test_every_push_program_of_a_worklist_of_vertices_has_a_hybrid_one(hybrid: list[Style]) -> None:
    paper = selected("paper")
    wanted = {"algorithm": "bfs", "iteration": "vertex", "driver": "data", "flow": "push", "determinism": "nondet"}
    pushing = [style for style in paper if wanted.items() <= style.items() and style.get("atomics") != "cudaatomic"]
    expected = {
        name_of({**style, "flow": "hybrid", "switch": rule})
        for style in pushing
        for rule in ("estimated", "counted", "share")
    }
    assert expected
    assert expected <= set(map(name_of, hybrid))


def test_all_rounds_may_run_in_one_kernel(hybrid: list[Style]) -> None:
    fused = [style for style in hybrid if "fusion" in style]
    assert {style["fusion"] for style in fused} == {"all", "few", "phase"}
    for style in pairs(fused):
        text = code(style)
        assert "__device__ bool should_pull" in text
        assert "std::swap" not in text
        # What one round writes and the next one reads is not read through the read-only cache.
        assert not re.search(r"__ldg\(&s\.(reached|worklist|level)", text)


PHASES = "bfs-cuda-vertex-data-dup-hybrid-rw-nondet-persistent-{}-atomic-i32-{}-phase"


@pytest.mark.parametrize("granularity", ["thread", "warp", "block", "twc"])
@pytest.mark.parametrize("rule", ["estimated", "counted"])
def test_each_direction_may_have_a_kernel(space: Space, granularity: str, rule: str) -> None:
    style = space.parse(PHASES.format(granularity, rule))
    assert space.forbidden_by(style) is None
    text = code(style)
    kernels = dict(re.findall(r"^__global__ void (\w+_rounds)\(.*?\n(.*?)^}", text, re.MULTILINE | re.DOTALL))
    steps = {name: re.findall(r"^ +(\w+)\(s\);\n +wait_for_grid", body, re.MULTILINE) for name, body in kernels.items()}
    assert steps == {"push_rounds": ["collect", "relax", "refill"], "pull_rounds": ["mark_reached", "pull"]}
    assert "while (s.size > 0 && !should_pull(s));" in kernels["push_rounds"]
    assert "while (s.size > 0 && should_pull(s));" in kernels["pull_rounds"]
    assert "__host__ __device__ bool should_pull" in text
    assert "std::swap" not in text
    assert not re.search(r"__ldg\(&s\.(reached|worklist|level)", text)
    # The barrier counts from zero in every launch.
    start = r"clear\(s\.arrivals\);\n +expect\(s\.after\);\n +if \(should_pull\(s\)\) {\n"
    assert re.search(start + r" +launch_cooperatively<pull_rounds>", text)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bfs-cuda-vertex-data-dup-push-rw-nondet-persistent-thread-atomic-i32-phase", "phase"),
        (PHASES.format("thread", "counted").replace("persistent", "nonpersistent"), "phase"),
    ],
)
def test_phases_are_of_directions_and_resident_blocks(space: Space, name: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        space.parse(name)


def test_a_program_has_both_directions_and_the_parameters_of_its_rule(hybrid: list[Style]) -> None:
    parameters = {"estimated": ["do-a", "do-b", "beta"], "counted": ["alpha", "beta"], "share": ["share"]}
    of_fusion = {"few": ["blocks"]}
    of_storage = {"marks": ["marks"]}
    of_append = {"jit": ["bin"]}
    for style in pairs(hybrid):
        text = code(style)
        for kernel in ("relax", "finish" if "storage" in style else "mark_reached", "pull", "collect"):
            assert re.search(rf"void {kernel}\(", text)
        assert re.findall(r'const Parameter \w+\("([\w-]+)"', text) == [
            *of_append.get(style.get("append", ""), []),
            *of_storage.get(style.get("storage", ""), []),
            *parameters[style["switch"]],
            *of_fusion.get(style.get("fusion", ""), []),
        ]


def test_only_counting_costs_a_round_that_pushes_anything(hybrid: list[Style]) -> None:
    for style in pairs(hybrid):
        if "storage" in style:
            continue
        relax = function(code(style), "relax")
        plain = {axis: value for axis, value in style.items() if axis != "switch"}
        if style.get("fusion") == "phase":
            plain["fusion"] = "all"  # there is but one phase
        push = function(code({**plain, "flow": "push"}), "relax")
        counts_later = style["switch"] == "share" and style.get("append") in ("ballot", "jit", "scan")
        assert (relax == push) == (style["switch"] == "estimated" or counts_later)


def test_bits_are_all_that_says_what_is_reached(hybrid: list[Style]) -> None:
    stored = [style for style in hybrid if "storage" in style]
    assert {style["storage"] for style in stored} == {"bits", "marks"}
    for style in pairs(stored):
        text = code(style)
        assert "mark_reached" not in text
        # Nobody reads a level, and levels have no first values but that of the source.
        assert set(re.findall(r"s\.level\[(.*?)\](.*?)\n", text)) == {
            ("s.source", " = 0;"),
            ("v", " = candidate;"),
            ("v", " = s.round;"),
            ("v", " = infinity;"),
        }
        assert ("reach_marked" in text) == (style["storage"] == "marks")
