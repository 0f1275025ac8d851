"""Runs CUDA programs without a GPU, on the emulator of tests/emulator: of the paper, fast, and with planted bugs."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.config import covering, find_config, first_of_each, select_styles
from generator.output import render_all, write
from generator.space import Style, load_space, name_of
from inputs.catalogue import ensure
from tests.emulator.translate import UnknownError, translate, translate_all
from tests.programs.conftest import ROOT, WORK, run_on
from trust.graphs import long_worklists

SPACE = load_space()
UNDISTURBED, OFTEN, ALWAYS = "100000", "100", "3"
"""How many accesses to memory a thread makes until another one has its turn, on average."""


def emulated(config: str) -> list[Style]:
    """Returns the styles of a config that the emulator can run, with 32-bit data."""
    return [
        style
        for style in select_styles(SPACE, find_config(config))
        if style["model"] == "cuda"
        and style["datatype"] in ("i32", "f32")
        and style.get("atomics", "atomic") == "atomic"
        and style.get("fusion") != "graph"
    ]


STYLES = [style for config in ("paper", "fast") for style in covering(emulated(config), 2)]
BUGS = first_of_each(reversed(emulated("bugs")), ["bug"])  # the last ones: their races matter, unlike those of BFS


@pytest.fixture(scope="module")
def binary() -> Callable[[Style], Path]:
    """Translates and compiles the programs; returns a function from a style to its binary."""
    generated, built = WORK / "emulated" / "generated", WORK / "emulated" / "build"
    write(SPACE, render_all(SPACE, STYLES + BUGS, jobs=1), generated)
    translate_all(generated, built)
    command = ["make", "-f", "tests/emulator/build.mk", "-k", f"-j{os.cpu_count()}", f"DIR={built.relative_to(ROOT)}"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    def path(style: Style) -> Path:
        assert result.returncode == 0, result.stderr
        return built / "bin" / name_of(style)

    return path


@pytest.mark.compile
@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_a_cuda_program_is_right_in_any_order_of_its_threads(
    style: Style, binary: Callable[[Style], Path], tiny_graphs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    # With a block for each item, the tiny graphs have many blocks, and the larger ones take too long.
    larger = [] if style.get("granularity") == "block" else [ensure("rmat-10", WORK / "graphs"), *long_worklists()]
    for seed, accesses, graphs in (
        ("1", UNDISTURBED, [*tiny_graphs, *larger]),
        ("2", OFTEN, [*tiny_graphs, *larger]),
        ("3", ALWAYS, tiny_graphs),
        ("4", ALWAYS, tiny_graphs),
    ):
        monkeypatch.setenv("EMULATOR_SEED", seed)
        monkeypatch.setenv("EMULATOR_SLICE", accesses)
        assert all(report["verified"] is True for report in run_on(binary(style), graphs, "--reps", "1"))


def is_found(binary: Path, graph: Path) -> bool:
    """Tells whether a program stops, has a wrong result or hangs, where it takes a tenth of a second if it is right."""
    command: list[str | Path] = [binary, graph, "--reps", "1", "--warmup", "0"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except subprocess.TimeoutExpired:
        return True
    if result.returncode != 0:
        assert "wrong result" in result.stderr or result.stderr.startswith("emulator: "), result.stderr
    return result.returncode != 0


@pytest.mark.compile
@pytest.mark.parametrize("style", BUGS, ids=name_of)
def test_a_planted_bug_is_found(
    style: Style, binary: Callable[[Style], Path], tiny_graphs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_SLICE", ALWAYS)
    graphs = [*tiny_graphs, ensure("rmat-10", WORK / "graphs")]
    assert any(is_found(binary(style), graph) for graph in graphs)


@pytest.mark.parametrize(
    "source",
    [
        'asm volatile("bar.sync 0;");',
        "kernel<a::b><<<1, 1>>>();",
        "#include <cuda/atomic>",
        "extern __shared__ int x[];",
    ],
)
def test_what_the_emulator_does_not_know_is_an_error(source: str) -> None:
    with pytest.raises(UnknownError, match="line 2: the emulator does not know this"):
        translate(f"// asm\n{source}\n")
