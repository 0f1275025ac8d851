"""Runs programs on the emulator whose GPUs one thread of the host drives (`hosts = onethread`)."""

from __future__ import annotations

import re
import subprocess
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

import pytest

from generator.space import Style, load_space, name_of
from inputs.catalogue import ensure
from runner.timing.judge import Result
from tests.programs.conftest import WORK, made_and_destroyed, run_on, run_or_hang
from tests.programs.planting import ask_what_is_planted, plant
from tests.programs.test_cuda_emulated import ALWAYS, OFTEN, emulate
from tests.selection import selected

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SPACE = load_space()


def _of_one_thread(name: str) -> Style:
    return SPACE.parse(f"{name}-onethread")


WAITS, EVENTS, COPIES = (
    _of_one_thread(
        f"bfs-multigpu-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32-ranges-selective-{how}"
    )
    for how in ("list-store-host", "dense-store-events", "list-peercopy-host")
)
ORIENTS = _of_one_thread(  # and says how long that takes
    "tc-multigpu-edge-topology-push-rmw-det-nonpersistent-thread-atomic-globaladd-i32-oriented-rowbitmap-random-whole"
)
NAMED = [
    WAITS,
    EVENTS,
    COPIES,
    ORIENTS,
    *(
        _of_one_thread(name)
        for name in (
            "bfs-multigpu-vertex-data-nodup-hybrid-rmw-nondet-persistent-thread-atomic-i32-share-ranges-both-list-staged-events",
            "sssp-multigpu-vertex-data-nodup-push-rmw-nondet-nonpersistent-twc-atomic-i32-ranges-selective-list-store-host-edges64",
            "sssp-multigpu-vertex-data-nodup-push-rmw-nondet-persistent-warp-atomic-i32-nearfar-ranges-selective-dense-staged-host",
            "cc-multigpu-vertex-topology-push-rmw-nondet-persistent-thread-atomic-i32-hook-ranges-whole-gather",
            "cc-multigpu-vertex-topology-push-checked-nondet-persistent-warp-atomic-i32-balanced-direct",
            "mis-multigpu-vertex-topology-pull-rmw-nondet-persistent-warp-atomic-i32-balanced-load",
            "clique-multigpu-vertex-topology-push-rmw-det-persistent-warp-atomic-reductionadd-i32-random-whole",
        )
    ),
]
"""What multigpu.toml does not have: other ways to send, and algorithms that hardly meet."""
STYLES = [*(style for style in selected("multigpu") if "hosts" in style), *NAMED]
THREADS = {axis: value for axis, value in WAITS.items() if axis not in ("hosts", "bug")}

pytestmark = pytest.mark.compile


@pytest.fixture(scope="module")
def binary() -> Callable[[Style], Path]:
    return emulate([*STYLES, THREADS], "emulated-one-thread")


@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_a_program_with_one_thread_is_right(
    style: Style, binary: Callable[[Style], Path], tiny_graphs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = tiny_graphs[-4:]
    monkeypatch.setenv("EMULATOR_MULTIPROCESSORS", "2")  # of more, graphs this small leave most idle
    for gpus, parts, seed, graphs in (
        ("2", "2", "1", [*tiny_graphs, ensure("rmat-10", WORK / "graphs")]),
        ("2", "3", "2", tiny_graphs),
        ("4", "4", "3", tiny_graphs),
        ("2", "4", "4", few),
        ("1", "2", "5", few),
        ("2", "2", "6", few),
        ("4", "4", "7", few),
    ):
        monkeypatch.setenv("EMULATOR_DEVICES", gpus)
        monkeypatch.setenv("EMULATOR_SEED", seed)
        monkeypatch.setenv("EMULATOR_SLICE", OFTEN)
        reports = run_on(binary(style), graphs, "--reps", "1", "--parts", parts)  # and a counted one
        assert all(report["verified"] is True for report in reports)


FEW = 6
"""Overlaps of which a trace has no more if nobody goes on while others wait: the first kernel of either solve is
launched on all GPUs before any part waits, and up to three of another GPU may begin before it ends."""
SCRUBS = "fill"
"""The kernel that overwrites working memory between solves, for each part from a thread of its own."""


class Trace(NamedTuple):
    """What the emulator has written down of a run."""

    launches: dict[int, Counter[str]]
    """GPUs of the kernels of solves, by the thread of the host that has launched them."""
    idle_uses: int
    """How often a thread that launches them said that it uses a GPU which it used already."""
    overlaps: int
    """How often a kernel of a solve began while one ran on another GPU, but those that bring the host a value."""


def _traced(binary: Path, graph: Path, trace: Path, monkeypatch: pytest.MonkeyPatch) -> Trace:
    monkeypatch.setenv("EMULATOR_TRACE", str(trace))
    (report,) = run_on(binary, [graph], "--reps", "1")
    assert report["verified"] is True
    launches: dict[int, Counter[str]] = defaultdict(Counter)
    idle: Counter[int] = Counter()
    used: dict[int, str] = {}
    running: Counter[str] = Counter()
    overlaps = 0
    for line in trace.read_text().splitlines():
        if found := re.fullmatch(r"launch (\S+) (\d) by (\d+)", line):
            if found[1] != SCRUBS:
                launches[int(found[3])][found[2]] += 1
        elif found := re.fullmatch(r"use (\d) by (\d+)", line):
            idle[int(found[2])] += used.get(int(found[2])) == found[1]
            used[int(found[2])] = found[1]
        elif found := re.fullmatch(r"(begin|end) (\S+) (\d)", line):
            if found[2] in (SCRUBS, "post"):
                continue
            running[found[3]] += 1 if found[1] == "begin" else -1
            overlaps += found[1] == "begin" and sum(count > 0 for count in running.values()) > 1
        else:
            assert re.fullmatch("(make|destroy) (stream|event)", line)
    return Trace(launches, sum(idle[thread] for thread in launches), overlaps)


@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_one_thread_launches_all_kernels_of_a_solve(
    style: Style, binary: Callable[[Style], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_DEVICES", "3")
    trace = _traced(binary(style), ensure("karate", WORK / "graphs"), tmp_path / "trace", monkeypatch)
    (of_gpus,) = trace.launches.values()
    assert of_gpus.keys() == {"0", "1", "2"}
    assert trace.idle_uses <= 2, (
        "it names a GPU only where it goes on with another one, and where one of two solves begins"
    )


def test_kernels_of_all_gpus_run_at_a_time(
    binary: Callable[[Style], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_DEVICES", "2")
    graph = ensure("karate", WORK / "graphs")
    one, each = (_traced(binary(style), graph, tmp_path / "trace", monkeypatch) for style in (WAITS, THREADS))
    assert (len(one.launches), len(each.launches)) == (1, 2)
    assert one.overlaps > 2 * FEW


def test_what_was_made_is_destroyed(
    binary: Callable[[Style], Path], tiny_graphs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_DEVICES", "2")
    made = made_and_destroyed(binary(EVENTS), tiny_graphs[-2:], tmp_path / "trace", monkeypatch)
    assert (made["stream"], made["event"]) >= (4, 4)


def test_a_latency_passes_for_all_parts_at_a_time(
    binary: Callable[[Style], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_DEVICES", "4")
    graph = ensure("tiny-path", WORK / "graphs")
    (report,) = run_on(binary(WAITS), [graph], "--reps", "1", "--latency", "20000")
    result = Result.model_validate(report)
    assert result.verified is True
    least = (
        2 * 20e-3 * result.rounds
    )  # as a round meets twice; four parts one after the other would take four times as long
    assert least < result.samples_s[0] < 3 * least
    assert result.parts
    assert min(result.parts.waiting_s) > 20e-3 * result.rounds


class Fault(NamedTuple):
    """A change of the runtime, and a program that notices it."""

    file: str
    right: str
    wrong: str
    style: Style
    said: str = ""
    """By the emulator, or by the program."""
    parts: str = "2"


FAULTS = {
    "a meeting does not wait for the last part": Fault(
        "parts.cpp", "there.fetch_add(1) + 1 == size", "there.fetch_add(1) + 2 >= size", WAITS
    ),
    "all parts count their sums as one": Fault("parts.cpp", "my_totals = kept[my_part].totals;", "", WAITS),
    "no switch to another part is one to its GPU": Fault(
        "multigpu.cuh",
        "before == nullptr || before->device != gpu_of(part)",
        "before == nullptr",
        WAITS,
        "records an event of GPU",
    ),
    "a switch to another part is none to its GPU": Fault(
        "multigpu.cuh",
        "before->device != gpu_of(part)",
        "turn->launched == nullptr",  # only the first time
        WAITS,
        "in a stream of GPU",
    ),
    "all parts have the stream of the first": Fault(
        "multigpu.cuh", "    stream = stream_of(part);\n", "stream = stream_of(0);", WAITS, "in a stream of GPU"
    ),
    "a part waits for no GPU": Fault(
        "cuda.cuh",
        "return status != cudaErrorNotReady;",
        "status = cudaSuccess; return true;",
        WAITS,
        "nobody has written",
    ),
    "parts on a GPU get each other's values": Fault(
        "cuda.cuh", "mailbox.letters[turn != nullptr ? turn->number : 0]", "mailbox.letters[0]", WAITS, parts="4"
    ),
    "parts get each other's arrays": Fault(
        "cuda.cuh",
        'copy(turn->page, array, bytes, "run a kernel");',
        'turn->page = turn[-turn->number].page; copy(turn->page, array, bytes, "run a kernel");',
        COPIES,
        parts="4",
    ),
    "parts end each other's preprocessing": Fault(
        "multigpu.cuh", "preprocessing_end = turn->preprocessing_end;", "", ORIENTS, "cannot read the time"
    ),
    "events are waited for that others have yet to record": Fault(
        "multigpu.cuh", "    meet_at_once();\n", "", EVENTS, "nobody has written"
    ),
}


SLOW: dict[str, tuple[Fault, Callable[[Trace], bool]]] = {
    "a part that waits for its GPU keeps others from going on": (
        Fault(
            "cuda.cuh",
            "turn->let_others_go_on([](const void* condition) {"
            " return (*static_cast<const Condition*>(condition))(); }, &holds);",
            "while (!holds()) {}",
            WAITS,
        ),
        lambda trace: trace.overlaps <= FEW,
    ),
}
"""What results do not show, and how a trace does."""
PLANTED = [*(fault for fault, _ in SLOW.values()), *FAULTS.values()]


ERRORS = {
    98: ('fail(no_resources, "planted error")', "error: planted error"),  # ends the program where it stands
    99: ("throw std::bad_alloc()", "not enough memory"),  # gives up the graph
}
"""What goes wrong in one of the parts of a solve, and what the program says."""


@pytest.fixture(scope="module")
def faulty() -> Callable[[Style], Path]:
    """Programs with all of these faults and errors; PLANTED says which one is there."""

    def fail(text: str) -> str:
        errors = "".join(
            f"if (planted() == {number} && my_number() == 1) {error};\n" for number, (error, _) in ERRORS.items()
        )
        altered, count = re.subn(r"^int solve\(.*\{$", rf"\g<0>\n{errors}", text, flags=re.MULTILINE)
        assert count == 1
        return altered

    def plant_in_runtime(runtime: Path) -> None:
        ask_what_is_planted(runtime)
        for number, fault in enumerate(PLANTED, start=1):
            path = runtime / fault.file
            text = path.read_text()
            assert text.count(fault.right) == 1, fault
            path.write_text(plant(text, fault.right, fault.wrong, number))

    return emulate(
        [*{name_of(fault.style): fault.style for fault in PLANTED}.values()],
        "emulated-one-thread-faulty",
        fail,
        alter_runtime=plant_in_runtime,
        replaced=("parts",),
    )


def _run_planted(
    binary: Path, number: int, parts: str, monkeypatch: pytest.MonkeyPatch, graphs: list[Path], said: str
) -> bool:
    """Tells whether a program notices its fault on one of some graphs: it says so, is wrong, or hangs."""
    monkeypatch.setenv("PLANTED", str(number))
    command: list[str | Path] = [binary, *graphs, "--reps", "2", "--parts", parts]
    result = run_or_hang(command, seconds=6)
    return not said if result is None else result.returncode != 0 and said in result.stderr


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_turns_is_found(
    fault: str, faulty: Callable[[Style], Path], tiny_graphs: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_DEVICES", "2")
    monkeypatch.setenv("EMULATOR_SLICE", ALWAYS)
    planted = FAULTS[fault]
    binary, number = faulty(planted.style), 1 + PLANTED.index(planted)

    def find(seed: int, number: int) -> bool:
        monkeypatch.setenv("EMULATOR_SEED", str(seed))
        return _run_planted(binary, number, planted.parts, monkeypatch, tiny_graphs, planted.said)

    assert any(find(seed, number) for seed in range(1, 11))
    assert not find(1, 0)


@pytest.mark.parametrize("fault", SLOW)
def test_a_fault_that_only_takes_time_is_in_the_trace(
    fault: str, faulty: Callable[[Style], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_DEVICES", "2")
    planted, shows = SLOW[fault]

    def trace(number: int) -> Trace:
        monkeypatch.setenv("PLANTED", str(number))
        return _traced(faulty(planted.style), ensure("karate", WORK / "graphs"), tmp_path / "trace", monkeypatch)

    assert shows(trace(1 + PLANTED.index(planted)))
    assert not shows(trace(0))


@pytest.mark.parametrize("number", ERRORS)
def test_an_error_in_a_part_ends_the_solve(
    number: int, faulty: Callable[[Style], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMULATOR_DEVICES", "2")
    monkeypatch.setenv("PLANTED", str(number))
    command = [faulty(WAITS), *(ensure(name, WORK / "graphs") for name in ("tiny-path", "karate")), "--parts", "3"]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    said = ERRORS[number][1]
    assert result.returncode == 4
    assert (
        result.stderr.count("\n") == result.stderr.count(said) == (1 if "error" in said else 2)
    )  # the next graph, too
