"""Runs PageRank by bins for several GPUs on the emulator of tests/emulator, with usual and small bins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from generator.config import covering
from generator.space import Style, load_space, name_of
from inputs import generators
from inputs.catalogue import ensure
from inputs.formats import egr
from runner.results.records import Parts
from runner.timing.judge import Result
from tests.configs import chosen, selected
from tests.memory import LONG, WORK
from tests.programs.conftest import noticed, run_on
from tests.programs.planting import replacing, rewrite
from tests.programs.store import Binaries, emulate
from tests.programs.test_cuda_emulated import ALWAYS, OFTEN, SMALL_BINS, UNDISTURBED, is_found, with_sizes
from tests.selection import todays

if TYPE_CHECKING:
    from pathlib import Path

from tests.programs.store import Executable

SPACE = load_space()
PREFIX = "pr-multigpu-vertex-topology-binned-rmw-det-nonpersistent-block-atomic-reductionadd-f32"
STYLES = chosen("styles", lambda: covering([style for style in selected("multigpu") if style["flow"] == "binned"], 1))
STYLES = STYLES if LONG else STYLES[:2]
EXACT = [style for style in STYLES if style.get("method") != "chebyshev"]
"""Programs whose ranks depend on no sum of changes, so that they are the same for any number of parts."""
HOST = "random-broadcast-dense-store-host"
FAULTS = {
    "copies-are-replaced-too-early": (
        "random-broadcast-dense-store-events",
        "    barrier_in_order();  // nobody needs any more what copies have\n",
        "",
    ),
    "hosts-wait-for-no-gpu": (
        "random-broadcast-dense-peercopy-events",
        "    barrier_in_order();  // nobody",
        "    barrier();  // nobody",
    ),
    "first-messages-are-not-sent": (
        HOST,
        "  begin_sending();\n  send<<<",
        "  begin_sending();\n  if (s.n < 0) send<<<",
    ),
    "first-messages-are-not-there": (
        "ranges-broadcast-dense-store-events",
        "  barrier_in_order();\n  int iterations",
        "  int iterations",
    ),
    "messages-are-old": (
        "ranges-broadcast-dense-store-host",
        "    begin_sending();\n    send<<<",
        "    if (s.round != 2) send<<<",
    ),
    "messages-are-taken-too-early": (
        "random-broadcast-dense-staged-events",
        "    barrier_in_order();\n    for",
        "    for",
    ),
    "every-other-part-is-told-nothing": (
        "balanced-broadcast-dense-store-host",
        "s.parts; p++) {\n    const int size",
        "s.parts; p += 2) {\n    const int size",
    ),
    "the-last-word-is-lost": (
        "balanced-broadcast-dense-store-events",
        "w < words_for<float8>(size)",
        "w + 2 < words_for<float8>(size)",
    ),
    "copies-are-settled": (
        "biased-broadcast-dense-store-host",
        "min(s.own - first, bin_size)",
        "min(s.n - first, bin_size)",
    ),
}
"""What is wrong with a program, its last values, what it has there and what stands there instead.

Each is planted in a program of its own, so that all are compiled at once.
"""
FAULTS_OF_SCALE = {
    "each-part-has-its-own": ("float>(of_all.largest)", "float>(largest_here)"),
    "it-is-one-iteration-late": ("  s.scale.told = s.scale.next;\n", ""),
}
"""The same of what parts agree on."""

pytestmark = [pytest.mark.compile, pytest.mark.turns(6, 3)]


@pytest.fixture(scope="module")
def binary() -> Binaries:
    return emulate(STYLES)


@pytest.fixture(scope="module")
def star() -> Path:
    """A hub whose leaves are in three bins and all parts."""
    path = WORK / "graphs" / "star-20000.egr"
    if not path.is_file():
        egr.write(generators.star(20000), path)
    return path


@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_ranks_do_not_depend_on_the_number_of_parts(style: Style, binary: Binaries, tiny_graphs: list[Path]) -> None:
    graphs = [tiny_graphs[0], tiny_graphs[-1], ensure("rmat-10", WORK / "graphs")]
    found = []
    for gpus, parts in (("1", "1"), ("2", "2"), ("2", "3"), ("4", "4")):
        reports = run_on(binary(style), graphs, "--reps", "1", "--parts", parts, devices=gpus, slice=UNDISTURBED)
        found.append([report["checksum" if style in EXACT else "rounds"] for report in reports])
    # All parts are told the same, as they have agreed on what it is rounded to parts of.
    assert found == [found[0]] * 4


FEWER = STYLES[:1]


@pytest.fixture(scope="module")
def small() -> tuple[Binaries, ...]:
    """Programs whose bins, stripes and chunks have other sizes, all with the first ones and some with others."""
    return tuple(
        emulate(styles, alter_runtime=with_sizes(sizes))
        for styles, sizes in zip((STYLES[:3], FEWER), SMALL_BINS, strict=True)
    )


@pytest.mark.parametrize(
    ("style", "sizes"),
    [*((style, 0) for style in STYLES[:3]), *((style, 1) for style in FEWER)] if LONG else [(STYLES[0], 0)],
    ids=lambda of: of if isinstance(of, int) else name_of(of),
)
def test_parts_have_many_bins_and_stripes(
    style: Style, sizes: int, small: tuple[Binaries, ...], tiny_graphs: list[Path]
) -> None:
    larger = [ensure("rmat-10", WORK / "graphs")]
    for gpus, parts, accesses, graphs in (
        ("2", "2", OFTEN, tiny_graphs),
        ("2", "3", ALWAYS, tiny_graphs[::3]),
        ("4", "4", OFTEN, tiny_graphs[1::3]),
        ("2", "2", UNDISTURBED, larger),
    ):
        run_on(small[sizes](style), graphs, "--reps", "1", "--parts", parts, devices=gpus, seed=parts, slice=accesses)


def test_a_hub_in_one_part_has_leaves_in_all(binary: Binaries, star: Path) -> None:
    for style in STYLES[: 1 + LONG]:
        run_on(binary(style), [star], "--reps", "1", devices="3")


@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_a_message_has_one_byte_or_two(style: Style, binary: Binaries) -> None:
    (report,) = run_on(binary(style), [ensure("karate", WORK / "graphs")], "--reps", "1", devices="2")
    parts, rounds = Parts.model_validate(report["parts"]), Result.model_validate(report).rounds
    size = 1 if "storage" in style else 2
    assert parts.items_sent is not None
    assert all(items % (rounds + 1) == 0 for items in parts.items_sent)  # those of the first ranks, too
    assert parts.bytes_sent == [size * items for items in parts.items_sent]


def _faulty(values: str) -> Style:
    return SPACE.legal(f"{PREFIX}-bydegree-float8-{values}")


@pytest.fixture(scope="module")
def faulty() -> Binaries:
    changes = {name_of(_faulty(values)): (before, after) for values, before, after in FAULTS.values()}

    def alter(text: str) -> str:
        return replacing(changes[text.partition("\n")[0].removeprefix("// ")])(text)

    styles = [SPACE.legal(name) for name in changes]
    assert len(styles) == len(FAULTS)
    return emulate(styles, alter, with_sizes(SMALL_BINS[0]))


def _is_noticed(binary: Executable, graphs: list[Path]) -> bool:
    """Tells whether a program is wrong with some order of threads."""
    orders = (  # which GPU comes first, and whether two run side by side, is up to the machine
        {"EMULATOR_DEVICES": "2", "EMULATOR_SEED": str(seed), "EMULATOR_SLICE": ALWAYS if seed % 2 else UNDISTURBED}
        for seed in range(1, 31)
    )
    return noticed(binary, orders, lambda _: any(is_found(binary, graph) for graph in graphs), *graphs)


@pytest.mark.parametrize("fault", todays(FAULTS))
def test_a_fault_between_parts_is_found(fault: str, faulty: Binaries, small_graphs: list[Path]) -> None:
    binary = faulty(_faulty(FAULTS[fault][0]))
    assert _is_noticed(binary, small_graphs)


@pytest.mark.parametrize("fault", todays(FAULTS_OF_SCALE))
def test_a_fault_in_what_parts_agree_on_is_found(fault: str, small_graphs: list[Path]) -> None:
    def alter_runtime(runtime: Path) -> None:
        with_sizes(SMALL_BINS[0])(runtime)
        rewrite(runtime / "binned_parts.cuh", replacing(FAULTS_OF_SCALE[fault]))

    style = _faulty(HOST)
    binary = emulate([style], alter_runtime=alter_runtime)(style)
    assert _is_noticed(binary, small_graphs)
