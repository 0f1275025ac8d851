"""Runs programs for several GPUs whose kernels run all rounds and meet by flags, and faulty ones, on the emulator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from generator.config import first_of_each
from generator.paths import TEMPLATES
from generator.space import Style, load_space, name_of
from inputs.catalogue import ensure
from tests.configs import chosen, selected
from tests.memory import WORK
from tests.programs.conftest import noticed, run_on, run_or_hang
from tests.programs.planting import ask_what_is_planted, plant
from tests.programs.store import Binaries, emulate
from tests.programs.test_cuda_emulated import OFTEN, UNDISTURBED
from tests.selection import todays

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.programs.store import Executable

SPACE = load_space()
LISTS, NEARFAR, HYBRID = (
    SPACE.legal(f"{algorithm}-multigpu-vertex-data-nodup-{style}-store-flags")
    for algorithm, style in (
        ("bfs", "push-rmw-nondet-persistent-warp-atomic-i32-ranges-selective-list"),
        ("sssp", "push-rmw-nondet-persistent-thread-atomic-i32-nearfar-ranges-selective-list"),
        ("bfs", "hybrid-rmw-nondet-persistent-thread-atomic-i32-counted-ranges-both-list"),
    )
)


def choose() -> list[Style]:
    """One by each granularity that agrees on a threshold, and one on a direction."""
    flags = [style for style in selected("multigpu") if style.get("synchronisation") == "flags"]
    near = first_of_each([style for style in flags if "priority" in style], ["granularity"])
    return [*near, *first_of_each([style for style in flags if style["flow"] == "hybrid"], ["flow"])]


AGREEING = todays(chosen("agreeing", choose))
"""Programs whose kernels agree on a threshold or a direction; others are among those of test_multigpu_emulated.py."""

pytestmark = [pytest.mark.compile, pytest.mark.turns(6, 1)]


@dataclass(frozen=True)
class Fault:
    """What is planted in a program, with the header that it is compiled against."""

    style: Style
    right: str
    wrong: str
    said: str = ""
    """What the emulator says; nothing if a result is wrong or a program hangs."""
    options: tuple[str, ...] = ()
    """With which it shows."""


EXCHANGE = "exchange<sends_few, send, gets_few, receive>(s, s.gates, s.arrivals, "
TURN = "    trade(s.appended, s.next_appended);\n    trade(s.base, s.next_base);\n"
RECEIVE = "receive(s, alone ? Threads::of_block(gates.parts) : Threads::of_grid());"
SIZE = "s.their_sizes.of[p][s.round % 2 * s.parts + s.part]"
FLAG = "&gates.of[p]->flags[meeting % 4][gates.part], 4 * meeting + says);"
BARRIER = "      wait_for_grid(s.arrivals);\n"
FAULTS = {
    "sends before all is found": Fault(
        LISTS, "last = is_last(arrive(arrivals));", "arrive(arrivals); last = blockIdx.x + 1 == gridDim.x;"
    ),
    "takes messages before they were sent": Fault(LISTS, "flag / 4 != meeting", "false"),
    "has one inbox": Fault(LISTS, "s.round % 2 * s.room", "0"),
    "ends while others go on": Fault(LISTS, f"{EXCHANGE}s.size > 0) == 0", f"{EXCHANGE}true) == 0 || s.size == 0"),
    "tells a size to one GPU alone": Fault(
        LISTS, f"{SIZE} = size;", f"atomic_store(&{SIZE}, size);", "atomic operation of device scope"
    ),
    "sets a flag for one GPU alone": Fault(
        LISTS, f"atomic_store_release_system({FLAG}", f"atomic_store_release({FLAG}", "atomic operation of device scope"
    ),
    "sets a flag that nobody has seen again": Fault(LISTS, "[meeting % 4]", "[0]"),
    "adds to a counter that others have yet to read": Fault(LISTS, TURN, ";"),
    "goes on without a conclusion": Fault(LISTS, "told >= smallest", "true"),
    "concludes before it has received": Fault(
        LISTS, RECEIVE, f"if (alone) {{ conclude(gate, conclusion); }} {RECEIVE}"
    ),
    "meets before all have sent": Fault(
        LISTS, "      alone = comes_last(arrivals);\n", "alone = blockIdx.x + 1 == gridDim.x;", options=("--few", "1")
    ),
    "goes on before all have received": Fault(LISTS, "      wait_for_grid(arrivals);\n", ";", options=("--few", "1")),
    "ends while something is far": Fault(NEARFAR, "*s.far.number != s.far.base", "false"),
    "turns alone": Fault(
        HYBRID,
        "    add_up_over_parts(s.gates, s.arrivals, s.round, s.frontier, s.frontier_edges);\n",
        "wait_for_grid(s.arrivals);",
    ),
    "pulls before others have told": Fault(HYBRID, "      barrier_in_kernel(s.gates, s.arrivals, s.round);\n", ";"),
    "keeps its numbers to itself": Fault(
        HYBRID, "gates.of[p]->numbers[round % 2][gates.part]", "gate.numbers[round % 2][gates.part]"
    ),
    "goes on before all is taken apart": Fault(NEARFAR, f"split(s);\n{BARRIER}", "split(s);"),
}
"""By what a program with the fault does."""


@pytest.fixture(scope="module")
def binary() -> Binaries:
    return emulate([LISTS, *AGREEING])


@pytest.mark.parametrize("style", [LISTS, *AGREEING], ids=name_of)
def test_parts_agree_however_messages_are_shared_out(style: Style, binary: Binaries, tiny_graphs: list[Path]) -> None:
    for gpus, parts, few, graphs in (
        ("2", "2", "512", [*tiny_graphs, ensure("rmat-10", WORK / "graphs")]),
        ("2", "3", "1", tiny_graphs),
        ("4", "4", "3", tiny_graphs),
    ):
        run_on(
            binary(style), graphs, "--reps", "1", "--parts", parts, "--few", few, devices=gpus, seed=parts, slice=OFTEN
        )


def test_blocks_that_are_too_small_for_the_parts_are_refused(
    binary: Callable[[Style], Path], tiny_graphs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_DEVICES", "2")
    for parts in ("5", "8"):
        refused = run_or_hang([binary(LISTS), tiny_graphs[0], "--reps", "1", "--parts", parts], seconds=3)
        assert refused is not None, f"{parts} parts wait for each other for ever"
        assert "groups of 16 threads: they are too small for so many parts" in refused.stderr


@pytest.fixture(scope="module")
def faulty() -> Binaries:
    """Programs with all their faults, each of which is planted where the environment says its number."""
    planted = set[int]()

    def plant_all(text: str, faults: dict[int, Fault]) -> str:
        for number, fault in faults.items():
            if fault.right in text:
                planted.add(number)
                text = plant(text, fault.right, fault.wrong, number)
        return text

    numbered = dict(enumerate(FAULTS.values(), start=1))

    def plant_in_program(text: str) -> str:
        return plant_all(text, {number: fault for number, fault in numbered.items() if name_of(fault.style) in text})

    def plant_in_header(runtime: Path) -> None:
        ask_what_is_planted(runtime)
        header = runtime / "flags.cuh"
        header.write_text(plant_all(header.read_text(), numbered))

    binary = emulate([LISTS, NEARFAR, HYBRID], plant_in_program, plant_in_header)
    assert [binary(style).name for style in (LISTS, NEARFAR, HYBRID)]
    assert planted == numbered.keys()
    return binary


def _is_wrong(binary: Executable, graph: Path, fault: Fault) -> bool:
    """Tells whether a program stops and says so, or has a wrong result or hangs if nothing is to be said."""
    result = run_or_hang([binary, graph, "--reps", "2", *fault.options], seconds=3)  # a right one takes a fifth of one
    return not fault.said if result is None else result.returncode != 0 and fault.said in result.stderr


@pytest.mark.parametrize("name", todays(FAULTS))
def test_a_fault_in_a_meeting_is_found(name: str, faulty: Binaries, small_graphs: list[Path]) -> None:
    graphs, fault = small_graphs, FAULTS[name]
    orders = (  # while a kernel is interrupted again and again, the one on the other GPU gets ahead
        {
            "EMULATOR_DEVICES": "2",
            "PLANTED": str(1 + list(FAULTS).index(name)),
            "EMULATOR_SEED": str(seed),
            "EMULATOR_SLICE": OFTEN if seed % 2 else UNDISTURBED,
        }
        for seed in range(1, 51)
    )
    binary = faulty(fault.style)
    assert noticed(binary, orders, lambda _: any(_is_wrong(binary, graph, fault) for graph in graphs), *graphs, name)


@pytest.mark.parametrize(
    ("header", "function", "instruction"),
    [
        ("device", "atomic_add_acq_rel", "atom.add.acq_rel.gpu"),
        ("device", "atomic_load_acquire", "ld.acquire.gpu"),
        ("device", "atomic_store_release_system", "st.release.sys"),
        ("flags", "atomic_store_release", "st.release.gpu"),
        ("flags", "atomic_load_acquire_system", "ld.acquire.sys"),
    ],
)
def test_what_orders_memory_does(header: str, function: str, instruction: str) -> None:
    """The emulator has no weak memory, so it would not notice a relaxed operation in place of these."""
    text = (TEMPLATES / f"runtime/{header}.cuh").read_text()
    body = text.partition(f"{function}(")[2].partition("\n}\n")[0]
    assert f'asm volatile("{instruction}.global.u32 ' in body
    assert ': "memory")' in body


@pytest.mark.parametrize("style", todays([LISTS, NEARFAR, HYBRID], 3), ids=name_of)
def test_nothing_is_found_where_nothing_is_planted(
    style: Style, faulty: Binaries, small_graphs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_DEVICES", "2")
    monkeypatch.setenv("EMULATOR_SEED", "1")
    monkeypatch.setenv("EMULATOR_SLICE", OFTEN)
    assert not any(_is_wrong(faulty(style), graph, Fault(style, "", "")) for graph in small_graphs)
