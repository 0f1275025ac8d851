"""Runs programs for several GPUs on the emulator of tests/emulator, which has several, too."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from generator.config import covering, find_config, select_styles
from generator.space import Style, load_space, name_of
from inputs.catalogue import ensure
from tests.programs.conftest import WORK, run_on
from tests.programs.test_cuda_emulated import ALWAYS, OFTEN, emulate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SPACE = load_space()
ALL = [
    style
    for style in select_styles(SPACE, find_config("multigpu"))
    if style["atomics"] == "atomic" and style["datatype"] in ("i32", "f32")
]
STYLES = covering(ALL, 1)
FAULTS = {
    ("ranges", "thread"): ("    meet_in_order();\n", ""),  # takes messages before they were sent
    ("ranges", "warp"): ("if (i < size) {", "if (i + 1 < size) {"),  # loses a message
    ("balanced", "thread"): ("while (anywhere(s.size > 0))", "while (s.size > 0)"),  # ends while others go on
    ("balanced", "warp"): (
        "v >= s.copies.begin[owner + 1]",
        "v > s.copies.begin[owner + 1]",
    ),  # writes to the wrong part
    ("random", "thread"): ("for (int p = 0;", "for (int p = 1;"),  # leaves a part out
}
"""What is planted where: by partition and granularity, so that all are compiled at once."""
FAULTY = {
    values: SPACE.parse(
        f"bfs-multigpu-vertex-data-nodup-push-rmw-nondet-nonpersistent-{values[1]}-atomic-i32-"
        f"{values[0]}-selective-list-store-events"
    )
    for values in FAULTS
}

pytestmark = pytest.mark.compile


@pytest.fixture(scope="module")
def binary() -> Callable[[Style], Path]:
    return emulate(STYLES, "emulated-multigpu")


@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_a_program_for_several_gpus_is_right(
    style: Style, binary: Callable[[Style], Path], tiny_graphs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_DEVICES", "2")
    larger = [] if style["granularity"] == "block" else [ensure("rmat-10", WORK / "graphs")]
    for parts, graphs in (("2", [*tiny_graphs, *larger]), ("3", tiny_graphs), ("4", tiny_graphs)):
        monkeypatch.setenv("EMULATOR_SEED", parts)
        monkeypatch.setenv("EMULATOR_SLICE", OFTEN)
        reports = run_on(binary(style), graphs, "--reps", "2", "--parts", parts)
        assert all(report["verified"] is True for report in reports)


def test_more_gpus_than_there_are_are_refused(binary: Callable[[Style], Path], tiny_graphs: list[Path]) -> None:
    command = [binary(STYLES[0]), tiny_graphs[-1], "--gpus", "3"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 4
    assert "--gpus 3, but there are 1" in result.stderr


@pytest.fixture(scope="module")
def faulty() -> Callable[[Style], Path]:
    def alter(text: str) -> str:
        ((right, wrong),) = (FAULTS[values] for values, style in FAULTY.items() if name_of(style) in text)
        assert right in text
        return text.replace(right, wrong)

    return emulate(list(FAULTY.values()), "emulated-multigpu-faulty", alter)


@pytest.mark.parametrize("style", FAULTY.values(), ids=name_of)
def test_a_fault_between_gpus_is_found(
    style: Style, faulty: Callable[[Style], Path], tiny_graphs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_DEVICES", "2")
    monkeypatch.setenv("EMULATOR_SLICE", ALWAYS)
    graphs = [ensure("rmat-10", WORK / "graphs"), *tiny_graphs]
    assert any(_is_found(faulty(style), graph) for graph in graphs)


def _is_found(binary: Path, graph: Path) -> bool:
    """Tells whether a program stops, has a wrong result or hangs."""
    try:
        command: list[str | Path] = [binary, graph, "--reps", "2"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except subprocess.TimeoutExpired:
        return True
    return result.returncode != 0
