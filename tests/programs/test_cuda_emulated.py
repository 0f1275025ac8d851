"""Runs CUDA programs without a GPU, on the emulator of tests/emulator: of the paper, fast, and with planted bugs."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from generator.config import covering, first_of_each
from generator.space import Style, load_space, name_of
from inputs import generators
from inputs.catalogue import ensure
from inputs.formats import egr
from inputs.graph import from_edges
from tests.configs import chosen, selected, united
from tests.emulator.translate import UnknownError, translate
from tests.memory import LONG, WORK
from tests.programs.conftest import (
    beyond_paper,
    ended,
    few_rounds,
    find_error,
    initialises_once,
    noticed,
    number_of_sources,
    of_several_sources,
    run_on,
    run_or_hang,
    solves_once,
)
from tests.programs.planting import replacing, rewrite
from tests.programs.store import Binaries, emulate
from tests.selection import sample, today, todays, with_changed
from trust.graphs import complete, long_worklists, takes_directed, waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from tests.programs.store import Executable

SPACE = load_space()
UNDISTURBED, OFTEN, ALWAYS = "100000", "100", "3"
"""How many accesses to memory a thread makes until another one has its turn, on average."""
ITERATIVE = ("ranking", "mutual", "beliefs", "voting")
"""Families whose rounds go on until values hardly change."""


def emulated(config: str) -> list[Style]:
    """Returns the styles of a config that the emulator can run, with 32-bit data."""
    return among_emulated(selected(config))


def among_emulated(styles: Iterable[Style]) -> list[Style]:
    """Returns those of styles that the emulator can run, with 32-bit data."""
    return [
        style
        for style in styles
        if style["model"] == "cuda"
        and style["datatype"] in ("i32", "f32", "e32")
        and style.get("atomics", "atomic") == "atomic"
    ]


def choose() -> list[Style]:
    """Of all programs every value, and of the paper's, in turns, every two values that meet."""
    every = [style for style in emulated("all") + emulated("filters") if not takes_directed(style)]
    pairs = todays(covering(emulated("paper"), 2))
    beyond = [*covering(emulated("fast"), 2), *beyond_paper(SPACE, every), *GRAPHS] if LONG else GRAPHS[:2]
    return united(pairs, beyond, sample(every, [*pairs, *beyond]))


GRAPHS = chosen(
    "graphs",
    lambda: first_of_each(
        [style for style in emulated("all") if style.get("fusion") == "graph" and style["determinism"] == "det"],
        ["algorithm", "driver", "flow"],
    ),
)
STYLES = with_changed(
    chosen(f"styles {today()}", choose),
    lambda styles: [style for style in among_emulated(styles) if not takes_directed(style)],
)
COUNTED = [
    style
    for style in todays(GRAPHS)
    if style["driver"] == "topology"
    and (style["algorithm"], style["flow"]) not in product(("pr", "ppr", "wtf"), ("push",))
]  # what a rank gets is rounded in the order in which it comes
LAUNCHED = [{axis: value for axis, value in style.items() if axis != "fusion"} for style in COUNTED]
AHEAD = [style for style in STYLES if style["algorithm"] == "bc" and style["driver"] == "topology"]
VOTING = [style for style in STYLES if style["algorithm"] == "lp" and style["driver"] == "topology"]


def choose_bugs() -> list[Style]:
    """A program with each kind of bug: the last one, as races matter there, unlike those of BFS."""
    paper = {style["algorithm"] for style in selected("paper")}
    return first_of_each(reversed([style for style in emulated("bugs") if style["algorithm"] in paper]), ["bug"])


BUGS = chosen("bugs", choose_bugs)
LAZY = chosen("lazy", lambda: first_of_each(emulated("paper"), ["algorithm"]))
LAZY = [style for style in LAZY if style["algorithm"] in ("bfs", "cc")]


@pytest.fixture(scope="module")
def binary() -> Binaries:
    return emulate([*STYLES, *COUNTED, *BUGS])


@pytest.mark.daily
@pytest.mark.compile
@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_a_cuda_program_is_right_in_any_order_of_its_threads(
    style: Style, binary: Binaries, tiny_graphs: list[Path]
) -> None:
    run_in_any_order(binary(style), style, tiny_graphs)


GREEDY = [
    SPACE.legal(f"gc-cuda-vertex-{driver}-pull-rmw-{determinism}-persistent-{rest}")
    for driver, determinism, rest in (
        ("ordered", "nondet", "thread-atomic-i32"),
        ("ordered", "nondet", "warp-atomic-i32"),
        ("ordered", "nondet", "twc-atomic-i32"),
        ("topology", "nondet", "thread-atomic-i32-free-four"),
        ("topology", "nondet", "thread-atomic-i32-free-eight"),
        ("topology", "nondet", "thread-atomic-i32-apart"),
        ("topology", "nondet", "thread-atomic-i32-apart-four"),
        ("data-nodup", "det", "thread-atomic-i32-aggregated-all-four"),
    )
]


@pytest.mark.compile
@pytest.mark.turns(8)
@pytest.mark.parametrize("style", GREEDY, ids=name_of)
def test_vertices_wait_for_many_and_need_many_colours(style: Style, tmp_path: Path) -> None:
    """All are neighbours: each waits for all before it, and a thread that has a row alone looks at it twice."""
    egr.write(complete(36), tmp_path / "all.egr")
    graphs = [tmp_path / "all.egr", ensure("rmat-10", WORK / "graphs")]
    run_on(emulate([style])(style), graphs, "--reps", "1", slice=OFTEN)


@pytest.mark.compile
@pytest.mark.turns(4)
@pytest.mark.parametrize(
    "style",
    [
        SPACE.legal(f"{name}-{append}{rest}")
        for append in ("ballot", "jit")
        for name, rest in (
            ("sssp-cuda-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32", "-nearfar"),
            ("kcore-cuda-vertex-data-nodup-push-rmw-det-persistent-thread-atomic-i32", ""),
        )
    ],
    ids=name_of,
)
def test_what_a_step_between_rounds_appends_is_collected_as_a_round_of_its_own(style: Style) -> None:
    """With a count of the round before for any chunk, items would be written to slots of others."""
    run_on(emulate([style])(style), [ensure("rmat-10", WORK / "graphs")], "--reps", "1", slice=OFTEN)


@pytest.mark.compile
@pytest.mark.turns(4)
@pytest.mark.parametrize(
    "style",
    [
        SPACE.legal(f"{name}-persistent-thread-atomic-i32{rest}")
        for name, rest in (
            ("sssp-cuda-vertex-data-dup-push-rmw-nondet", "-jit"),
            ("bfs-cuda-vertex-data-dup-hybrid-rw-nondet", "-counted-jit-all"),
            ("sssp-cuda-vertex-data-nodup-hybridmin-rw-nondet", "-share-jit-phase"),
        )
    ],
    ids=name_of,
)
@pytest.mark.parametrize("room", ["1", "1000"])
def test_bins_may_be_too_small_or_hold_more_than_a_worklist(style: Style, room: str) -> None:
    run_on(emulate([style])(style), [ensure("rmat-10", WORK / "graphs")], "--reps", "1", "--bin", room, slice=OFTEN)


@pytest.mark.compile
@pytest.mark.turns(4)
@pytest.mark.parametrize(
    "style",
    [
        SPACE.legal(f"{name}-persistent-listed-atomic-{rest}")
        for name, rest in (
            ("sssp-cuda-vertex-data-dup-push-rmw-nondet", "i32-jit-all"),
            ("sssp-cuda-vertex-data-nodup-pull-rw-nondet", "i32-ballot"),
            ("sssp-cuda-vertex-data-nodup-hybridmin-rw-nondet", "i32-share-jit-phase"),
            ("kcore-cuda-vertex-data-nodup-push-rmw-det", "i32-jit-all"),
            ("pr-cuda-vertex-topology-pull-rmw-det", "blockadd-f32-all"),
            ("bp-cuda-vertex-topology-pull-rw-det", "f32"),
        )
    ],
    ids=name_of,
)
def test_threads_warps_and_blocks_walk_the_rows_of_one_worklist(style: Style) -> None:
    cutoffs = ("--warp-degree", "4", "--block-degree", "16")
    run_on(emulate([style])(style), [ensure("rmat-10", WORK / "graphs")], "--reps", "1", *cutoffs, slice=OFTEN)


@pytest.mark.compile
@pytest.mark.turns(4)
@pytest.mark.parametrize("driver", ["data-nodup", "topology"])
def test_whichever_way_roots_are_hooked_the_smallest_vertex_names_the_tree(driver: str, tmp_path: Path) -> None:
    """In a round that hooks upwards, vertex 0 is no root any more."""
    style = SPACE.legal(f"cc-cuda-edge-{driver}-push-rw-nondet-persistent-thread-atomic-i32-stars")
    numbers = np.random.default_rng(1).permutation(900).astype(np.int32)
    egr.write(from_edges(900, numbers[:-1], numbers[1:]), tmp_path / "shuffled-path.egr")
    (report,) = run_on(emulate([style])(style), [tmp_path / "shuffled-path.egr"], "--reps", "1", slice=OFTEN)
    assert 2 < report["rounds"] < 20


@pytest.mark.compile
@pytest.mark.turns(4)
@pytest.mark.parametrize("algorithm", ["pr", "ppr"])
def test_iterations_may_pull_or_push_in_any_turns(algorithm: str, tiny_graphs: list[Path]) -> None:
    name = f"{algorithm}-cuda-vertex-residual-nodup-hybridrank-rmw-det-persistent-warp-atomic-blockadd-f32"
    program = emulate([SPACE.legal(name)])(SPACE.legal(name))
    rounds = []
    for many in ("0.001", "30", "100"):  # all pull, some do, none does
        reports = run_on(program, tiny_graphs[-2:], "--reps", "1", "--many", many)
        rounds.append([report["rounds"] for report in reports])
    assert all(abs(a - b) <= 1 for a, b, c in zip(*rounds, strict=True) for b in (b, c))


@pytest.mark.compile
@pytest.mark.turns(4)
@pytest.mark.parametrize("skew", ["1", "3", "1000"])
def test_pairs_of_rows_are_merged_or_searched(skew: str) -> None:
    style = SPACE.legal("tc-cuda-vertex-topology-push-rmw-det-persistent-thread-atomic-blockadd-i32-oriented-roweither")
    run_on(emulate([style])(style), [ensure("rmat-10", WORK / "graphs")], "--reps", "1", "--skew", skew)


def run_in_any_order(program: Executable, style: Style, tiny_graphs: list[Path]) -> None:
    """Runs a program with several orders of its threads, in all of which it has to be right."""
    # With a block for each item, the tiny graphs have many blocks, and the larger ones take too long. Stars are for who
    # has a worklist or shares out a row, unless each neighbour is compared with all others.
    shares_nothing = style["driver"] == "topology" and style["granularity"] in ("thread", "warp")
    stars = [] if shares_nothing or "compared" in style.values() else long_worklists()
    # One repetition of the iterative ones is dozens of rounds of the same kernels.
    iterative = SPACE.algorithms[style["algorithm"]].family in ITERATIVE
    stars = todays(stars, 2) if iterative else stars
    larger = [] if style.get("granularity") == "block" else [ensure("rmat-10", WORK / "graphs"), *stars]
    for seed, accesses, repetitions, graphs in (
        ("1", UNDISTURBED, "2" if iterative else "3", tiny_graphs if LONG else tiny_graphs[-4:]),
        ("1", UNDISTURBED, "2", [] if iterative or not LONG else larger),  # the second finds what the first has left
        ("2", OFTEN, "1", [*tiny_graphs, *larger]),
        ("3", ALWAYS, "1", tiny_graphs),
        ("4", ALWAYS, "1", [] if iterative or not LONG else tiny_graphs),
    ):
        if not graphs:
            continue
        run_on(program, graphs, "--reps", repetitions, *few_rounds(style), seed=seed, slice=accesses)


@pytest.mark.compile
@pytest.mark.parametrize("style", of_several_sources(SPACE, STYLES), ids=name_of)
def test_a_cuda_program_is_right_for_several_sources(style: Style, binary: Binaries, tiny_graphs: list[Path]) -> None:
    run_on(binary(style), tiny_graphs, "--sources", number_of_sources(style))


@pytest.mark.compile
@pytest.mark.parametrize("style", AHEAD, ids=name_of)
def test_a_round_launched_too_many_is_none_of_the_next_search(
    style: Style, binary: Binaries, tiny_graphs: list[Path]
) -> None:
    for seed in ("1", "2", "3"):  # with two GPUs, launches wait in a queue
        run_on(binary(style), tiny_graphs, "--sources", number_of_sources(style), devices="2", seed=seed)


@pytest.mark.compile
@pytest.mark.parametrize("style", VOTING, ids=name_of)
def test_a_round_that_was_not_needed_is_not_counted(style: Style, binary: Binaries, tiny_graphs: list[Path]) -> None:
    found = 0
    for graph in tiny_graphs:
        (report,) = run_on(binary(style), [graph], "--rounds", "9")
        rounds = report["rounds"]
        for most in range(1, 10):
            (report,) = run_on(binary(style), [graph], "--rounds", str(most))
            assert report["rounds"] == min(most, rounds)
        found += rounds < 9
    assert found > 0


@pytest.fixture(scope="module")
def launched() -> Binaries:
    return emulate(LAUNCHED)


@pytest.mark.compile
@pytest.mark.parametrize(("style", "twin"), list(zip(COUNTED, LAUNCHED, strict=True)), ids=name_of)
def test_a_graph_has_as_many_rounds_as_launches_have(
    style: Style, twin: Style, binary: Binaries, launched: Binaries, small_graphs: list[Path]
) -> None:
    """A graph that goes on for too long, as with a sum that is never cleared, is right as well."""
    of_graph, of_launches = (run_on(path, small_graphs, slice=UNDISTURBED) for path in (binary(style), launched(twin)))
    assert [report["rounds"] for report in of_graph] == [report["rounds"] for report in of_launches]


@pytest.mark.compile
def test_a_gpu_that_ends_without_a_report_is_an_error(tiny_graphs: list[Path]) -> None:
    binary = emulate(GRAPHS[:1], replacing(("report(s.after, s);", "")))(GRAPHS[0])
    result = ended(binary, tiny_graphs[-1])
    assert "the GPU has nothing left to do, and has not reported" in result.stderr
    assert result.returncode == 4


@pytest.fixture(scope="module")
def lazy() -> Binaries:
    """BFS is over at once from its second run on; CC gives its labels first values only in its first."""

    def alter(text: str) -> str:
        return solves_once(text) if "Algorithm::bfs" in text else initialises_once(text)

    return emulate(LAZY, alter)


@pytest.mark.compile
@pytest.mark.parametrize("style", LAZY, ids=name_of)
def test_a_result_outlives_no_repetition(style: Style, lazy: Binaries, tiny_graphs: list[Path]) -> None:
    assert find_error(lazy(style), tiny_graphs[-1]).startswith("repetition 2, ")


@pytest.mark.compile
def test_more_arrays_than_there_is_room_for_are_refused(tiny_graphs: list[Path]) -> None:
    def alter(text: str) -> str:
        return text.replace("  return s;\n", "  for (int i = 0; i < 32; i++) memory.allocate<int>(1);\n  return s;\n")

    binary = emulate(LAZY[:1], alter)(LAZY[0])
    result = ended(binary, tiny_graphs[-1])
    assert "more than 32 arrays on the GPU: raise Memory::most_blocks in memory.cuh" in result.stderr
    assert result.returncode > 0


@pytest.mark.compile
def test_the_host_has_no_result_written_to_memory_of_the_gpu(tiny_graphs: list[Path]) -> None:
    def alter(text: str) -> str:
        altered, count = re.subn(r"^int solve\(.*\{$", r"\g<0>\n  cudaGetDevice(s.level);", text, flags=re.MULTILINE)
        assert count == 1
        return altered

    binary = emulate(LAZY[:1], alter)(LAZY[0])
    result = ended(binary, tiny_graphs[-1])
    assert "the host accesses memory of the GPU" in result.stderr
    assert result.returncode > 0


BINNED = chosen(
    "binned",
    lambda: first_of_each(
        [style for style in emulated("all") if style.get("flow") == "binned"], ["algorithm", "storage"]
    ),
)
SMALL_BINS: tuple[dict[str, int | str], ...] = (
    {"bin_bits": 6, "stripe_bits": 6, "region": 1024, "chunks_in_part": 2, "sort_size": 128},  # grid-64 has 65 stripes
    {  # every chunk is a part, and a warp gives several runs at a time
        "bin_bits": 5,
        "stripe_bits": 9,
        "region": 512,
        "chunks_in_part": 1,
        "sort_size": 64,
        "giver_size": "sizeof(Message) == 1 ? 64 : 32",
    },
)
"""Sizes with which small graphs have many bins, chunks, runs and parts."""


def with_sizes(sizes: dict[str, int | str], *changes: tuple[str, str]) -> Callable[[Path], None]:
    """Returns a function that gives the header of bins other sizes, and replaces some text that it has once, if any."""

    def alter(text: str) -> str:
        for name, value in sizes.items():
            text, count = re.subn(rf"(constexpr int {name}) = [^;]+;", rf"\1 = {value};", text)
            assert count == 1
        return replacing(*changes)(text)

    return lambda runtime: rewrite(runtime / "binned_edges.cuh", alter)


@pytest.mark.compile
@pytest.mark.parametrize(
    "sizes", SMALL_BINS if LONG else SMALL_BINS[:1], ids=lambda sizes: f"bins of {2 ** sizes['bin_bits']}"
)
def test_bins_have_many_chunks_runs_and_parts(sizes: dict[str, int | str], tiny_graphs: list[Path]) -> None:
    styles = BINNED if LONG else todays(BINNED, len(BINNED))
    binary = emulate(styles, alter_runtime=with_sizes(sizes))
    grid = ensure("grid-64", WORK / "graphs")
    for style in styles:
        # From one source, ranks take four times as many iterations of the same kernels until they hardly change.
        larger = [ensure("rmat-10", WORK / "graphs"), *([grid] if style["algorithm"] == "pr" else [])]
        for graphs, repetitions in ((tiny_graphs, "2"), (larger, "1")):
            run_on(binary(style), graphs, "--reps", repetitions, *few_rounds(style))


def is_found(binary: Executable, graph: Path, *options: str) -> bool:
    """Tells whether a program stops, has a wrong result or hangs, where it takes a tenth of a second if it is right."""
    command: list[str | Path] = [binary, graph, "--reps", "1", "--warmup", "0", *options]
    result = run_or_hang(command, seconds=2)
    if result is not None and result.returncode != 0:
        reasons = ("wrong result", "rounding may be to blame")
        assert any(map(result.stderr.count, reasons)) or result.stderr.startswith("emulator: "), result.stderr
    return result is None or result.returncode != 0


def is_found_on(binary: Executable, graphs: Sequence[Path], *slices: str) -> bool:
    """Tells whether a program is found on one of some graphs, with one of some slices; that is remembered."""
    tries = [{"EMULATOR_SLICE": each} for each in slices]
    return noticed(binary, tries, lambda _: any(is_found(binary, graph) for graph in graphs), *graphs)


@pytest.mark.compile
def test_a_hub_with_many_leaves_has_no_rounded_sum() -> None:
    star = WORK / "graphs" / "star-20000.egr"
    if not star.is_file():
        egr.write(generators.star(20000), star)
    styles = todays([style for style in BINNED if style["algorithm"] == "pr"], 2)
    binary = emulate(styles)
    for style in styles:
        run_on(binary(style), [star], "--reps", "1")


@pytest.mark.compile
def test_more_runs_than_can_be_numbered_are_refused(tiny_graphs: list[Path]) -> None:
    (style,) = (style for style in BINNED if style["algorithm"] == "pr" and "storage" in style)
    runtime = with_sizes({}, ("std::numeric_limits<int>::max();", "2047;"))
    binary = emulate([style], alter_runtime=runtime)(style)
    result = ended(binary, tiny_graphs[-1])
    assert "edges would make 1 runs in 1 chunks, too many for numbers of 32 bits" in result.stderr
    assert result.returncode == 4


FAULTS_OF_BINS = {
    "padding-counts": ("(bin_size + stripe % warp_size)", "(stripe % warp_size)"),
    "runs-begin-late": ("first_unit < i + warp_size;", "first_unit < i + warp_size - 1;"),
    "runs-are-forgotten": ("latest += __popc(begun);", "latest += step == 0 ? __popc(begun) : 0;"),
    "shifts-are-read-early": ("      __syncwarp();\n      int latest", "      int latest"),
    "shifts-are-written-early": ("      __syncwarp();\n    }\n    begin = stop;", "    }\n    begin = stop;"),
    "parts-do-not-wait": ("+ 1 == static_cast<unsigned>(part.count);", "+ 1 > 0;"),
    "rows-begin-anew": (
        "const int here = up_to_here != 0 ? latest : row;",
        "const int here = up_to_here != 0 ? latest : 1;",
    ),
}
"""What is wrong with the header of bins then, and what stands there instead."""
FAULTS_OF_TELLING = {
    "rounding-is-forgotten": ("s.share[v] = told + number(message) * unit;", "s.share[v] = share;"),
    "no-barrier": ("    __syncthreads();\n    for_each_message", "    for_each_message"),
    "unit-is-of-the-next": ("(sums[spread(i)] * unit) : own", "(sums[spread(i)] * next_unit) : own"),
}
"""The same of programs."""


@pytest.mark.compile
@pytest.mark.parametrize("fault", todays([*FAULTS_OF_BINS, *FAULTS_OF_TELLING]))
def test_a_fault_of_bins_is_found(fault: str, small_graphs: list[Path]) -> None:
    of_program, of_header = ([each[fault]] if fault in each else [] for each in (FAULTS_OF_TELLING, FAULTS_OF_BINS))
    (style,) = (style for style in BINNED if style["algorithm"] == "pr" and "storage" in style)
    binary = emulate([style], replacing(*of_program), with_sizes(SMALL_BINS[1], *of_header))(style)
    assert is_found_on(binary, small_graphs, OFTEN)


@pytest.mark.daily
@pytest.mark.compile
@pytest.mark.parametrize("style", BUGS, ids=name_of)
def test_a_planted_bug_is_found(style: Style, binary: Binaries, small_graphs: list[Path]) -> None:
    assert is_found_on(binary(style), small_graphs, ALWAYS)


def emulate_changed(changes: dict[str, tuple[str, str]]) -> Binaries:
    """Returns `emulate` of programs, by name, in each of which some text that it has once is replaced by another."""

    def alter(text: str) -> str:
        (change,) = (change for name, change in changes.items() if f'"{name}"' in text)
        return replacing(change)(text)

    return emulate([SPACE.legal(name) for name in changes], alter)


def choose_gathering() -> list[Style]:
    """Programs that gather by blocks, and those whose worklist has no room for an item that comes twice."""
    every = [style for style in emulated("all") if style.get("append") == "aggregated" and not takes_directed(style)]
    filling = [
        style
        for style in every
        if style["worklist"] == "nodup"
        and style["granularity"] in ("merge", "twc", "blockmerge")
        and style["persistence"] == "persistent"
    ]
    return united(
        first_of_each(every, ["granularity", "persistence", "priority"]),
        first_of_each(filling, ["algorithm", "granularity", "fusion"]),
    )


GATHERING = todays(chosen("gathering", choose_gathering))


def with_short_lists(runtime: Path) -> None:
    """Gives the lists and piles of a block room for four items, so that no graph is too small to fill them."""
    for name in ("append.cuh", "block_pile.cuh"):
        header = runtime / name
        text, count = re.subn(
            r"(constexpr unsigned \w+_capacity) = \d+;", r"\1 = 4;", header.read_text(encoding="utf-8")
        )
        assert count == 1
        header.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def gathering() -> Binaries:
    return emulate(GATHERING, alter_runtime=with_short_lists)


@pytest.mark.turns(4)
@pytest.mark.compile
@pytest.mark.parametrize("style", GATHERING, ids=name_of)
def test_a_full_list_of_a_block_loses_nothing(style: Style, gathering: Binaries, small_graphs: list[Path]) -> None:
    run_on(gathering(style), small_graphs, "--reps", "2")


RENUMBERED = SPACE.legal("tc-cuda-vertex-topology-push-rmw-det-persistent-block-atomic-globaladd-i32-renumbered")
NONZERO = RENUMBERED | {"method": "nonzero"}
LITTLE_ROOM = {
    "most_hubs = 1 << 15;": "most_hubs = 256;",
    "short_row = 32;": "short_row = 4;",
    "most_gathered = 1024;": "most_gathered = 8;",
    "set_digits = 11;": "set_digits = 4;",
}
"""Constants of programs that number vertices by their degrees, and others for which no graph is too small."""
FAULTS_OF_NUMBERS = {
    "places-are-of-the-warp": ("__popc(kept & (~0u << first) & ", "__popc(kept & "),
    "places-are-asked-for-too-late": (" & ((later & -later) - 1);", ";"),
    "hubs-have-all": ("w < v && is_set(s, v, w)", "w < v"),
    "marks-are-trusted": ("found += tile.edges[i] == v;", "found = 1;"),
    "marks-stay": ("tile.marks[i] = 0;", "tile.marks[i] |= 0;"),
    "searches-end-early": ("return gathered.others[place] == v;", "return gathered.others[place_of(v)] == v;"),
    "the-last-bits-are-left-out": ("i <= v / 128", "i < v / 128"),
    "a-part-is-enough": ("from += most_gathered", "from += row.size"),
    "no-barrier": ("dealt.other_count = 0;\n  }\n  __syncthreads();\n", "dealt.other_count = 0;\n  }\n"),
}
FAULTS_OF_WORDS = {
    "the-last-word-is-left-out": ("before + any;", "before;"),
    "words-are-the-first": ("const int i = gathered.words[j];", "const int i = j;"),
    "words-are-listed-too-early": ("  __syncthreads();\n  int count = 0;\n", "  int count = 0;\n"),
}
"""What is wrong with such a program then, and what stands there instead."""


@pytest.fixture
def dense_graphs(tiny_graphs: list[Path], tmp_path: Path) -> list[Path]:
    """Graphs with rows of many sizes, and hubs and others among what they lead to."""
    egr.write(complete(150), tmp_path / "all.egr")
    return [*tiny_graphs, tmp_path / "all.egr", ensure("rmat-10", WORK / "graphs")]


@pytest.mark.compile
@pytest.mark.turns(4)
@pytest.mark.parametrize(
    "style", [RENUMBERED | {"persistence": "nonpersistent"}, NONZERO], ids=["renumbered", "nonzero"]
)
def test_rows_of_any_size_are_counted(style: Style, dense_graphs: list[Path]) -> None:
    program = emulate([style], replacing(*LITTLE_ROOM.items()))(style)
    run_on(program, dense_graphs, "--reps", "2")


@pytest.mark.compile
@pytest.mark.parametrize("fault", todays([*FAULTS_OF_NUMBERS, *FAULTS_OF_WORDS], 2))
def test_a_fault_of_numbers_is_found(fault: str, dense_graphs: list[Path]) -> None:
    style = NONZERO if fault in FAULTS_OF_WORDS else RENUMBERED
    change = (FAULTS_OF_NUMBERS | FAULTS_OF_WORDS)[fault]
    program = emulate([style], replacing(*LITTLE_ROOM.items(), change))(style)
    assert is_found_on(program, dense_graphs, UNDISTURBED, OFTEN)


LEVELS = SPACE.legal("kcore-cuda-vertex-data-nodup-push-checked-det-persistent-warp-atomic-i32-levels")


def with_small_lists(runtime: Path) -> None:
    """Gives a warp rows of four edges, a list room for eight vertices, a thread two to look at, and others any list."""
    smaller = [("edges = 512;", "edges = 4;"), ("found = 1024;", "found = 8;"), ("edges = 2048;", "edges = 1;")]
    rewrite(runtime / "levels.cuh", replacing(*smaller, ("at = 8;", "at = 2;")))


FAULTS_OF_LEVELS = {
    "takers-do-not-claim": (
        " && claim(s, v[j])) {\n        gone++;\n        const int place",
        ") {\n        gone++;\n        const int place",
    ),
    "lookers-do-not-claim": (
        " && claim(s, v[j])) {\n        gone++;\n        list",
        ") {\n        gone++;\n        list",
    ),
    "full-lists-lose-vertices": ("share_out(s, row,", "if (row < 0) share_out(s, row,"),
    "long-rows-are-cut": ("i < pieces;", "i < 1;"),
    "nobody-helps": ("share_out(s, begin, row_size);", "if (!for_all) share_out(s, begin, row_size);"),
    "levels-are-left-out": ("told.beyond - 1;", "told.beyond;"),
    "nobody-forgets-places": ("      place += count_bits(stay[j]);\n", ""),
    "nothing-is-given-back": ("atomicAdd(&s.core[v[j]], 1);", ";"),
    "tiles-are-overwritten": ("    __syncthreads();  // all have read the tile\n", ""),
    "old-news-stay": ("s.told[(s.round + 2) % 3] = {};", ";"),
}
"""What is wrong with blocks that have lists of their own then, and what stands there instead."""


@pytest.fixture
def graphs_of_levels(dense_graphs: list[Path], tmp_path: Path) -> list[Path]:
    """Adds one in which vertices are found both by who looks at them and by who takes an edge."""
    egr.write(generators.uniform(3000, 4000), tmp_path / "sparse.egr")
    return [*dense_graphs, tmp_path / "sparse.egr"]


@pytest.mark.compile
@pytest.mark.turns(4)
@pytest.mark.parametrize("options", [(), ("--k", "3")], ids=["all-levels", "one-level"])
def test_what_is_too_much_for_a_block_is_left_to_all(options: tuple[str, ...], graphs_of_levels: list[Path]) -> None:
    program = emulate([LEVELS], alter_runtime=with_small_lists)(LEVELS)
    run_on(program, graphs_of_levels, "--reps", "2", *options)


@pytest.mark.compile
def test_what_is_left_for_few_blocks_is_for_all_once_most_wait(tmp_path: Path) -> None:
    program = emulate([LEVELS], alter_runtime=with_small_lists)(LEVELS)
    egr.write(generators.path(200), tmp_path / "path.egr")
    (report,) = run_on(program, [tmp_path / "path.egr"], "--reps", "1")
    assert report["rounds"] > 10  # where a round for each level, of which there are two, would do


@pytest.mark.compile
@pytest.mark.parametrize("fault", todays(list(FAULTS_OF_LEVELS), 1))
def test_a_fault_of_levels_is_found(fault: str, graphs_of_levels: list[Path]) -> None:
    program = emulate([LEVELS], replacing(FAULTS_OF_LEVELS[fault]), with_small_lists)(LEVELS)
    graphs = graphs_of_levels[::-1]
    assert is_found_on(program, graphs, UNDISTURBED, OFTEN)


BARRIERS = {
    "bfs-cuda-vertex-data-nodup-push-rmw-nondet-persistent-twc-atomic-i32-aggregated": (
        "if (count_items(gathered()) > ",  # before all have put on the list of the block what they have found
        "if (gathered().size > ",
    ),
    "sssp-cuda-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32-aggregated": (
        "  __syncthreads();\n  for (unsigned i = ",  # before the block has its place on the worklist
        "  for (unsigned i = ",
    ),
    "tc-cuda-vertex-topology-push-rmw-det-persistent-warp-atomic-blockadd-i32-oriented-rowbitmap": (
        "  __syncthreads();\n  if (threadIdx.x == 0 && block_count",  # before all have added to the sum of the block
        "  if (threadIdx.x == 0 && block_count",
    ),
    "tc-cuda-vertex-topology-push-rmw-det-nonpersistent-warp-atomic-globaladd-i32-oriented-rowbitmap": (
        "      }\n      __syncwarp();\n      long long count",  # before all neighbours are marked
        "      }\n      long long count",
    ),
}
"""Barriers between accesses to shared memory, and what stands there without them."""


@pytest.fixture(scope="module")
def unsynchronised() -> Binaries:
    return emulate_changed(BARRIERS)


@pytest.mark.compile
@pytest.mark.parametrize("name", BARRIERS)
def test_a_missing_barrier_is_found_whatever_the_order_of_threads(name: str, unsynchronised: Binaries) -> None:
    program, graph = unsynchronised(SPACE.legal(name)), ensure("rmat-10", WORK / "graphs")
    result = ended(program, graph, "--reps", "1", slice=UNDISTURBED)
    assert re.match(r"emulator: .*(reads|writes) in shared memory what ", result.stderr), result.stderr


COUNTING = "sssp-cuda-edge-data-dup-push-checked-nondet-persistent-thread-atomic-i32-single"


@pytest.mark.compile
def test_an_instruction_for_global_memory_does_not_reach_shared_memory() -> None:
    """There the rounds of one block have the counter that others of the launch have in global memory."""
    change = {COUNTING: ("atomic_load_generic(s.appended)", "atomic_load(s.appended)")}
    result = ended(emulate_changed(change)(SPACE.legal(COUNTING)), ensure("karate", WORK / "graphs"))
    assert "reaches for shared memory by an instruction for global memory" in result.stderr


MEETING = "bfs-cuda-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32-few"


@pytest.mark.compile
def test_the_counter_of_a_barrier_does_not_grow_with_rounds() -> None:
    told = "  s = when_reported(s.after);\n"
    check = 'if (fetch(s.arrivals) << 1 != 0) fail(no_resources, "%u arrivals", fetch(s.arrivals));'
    change = replacing((told, f"{told}  {check}\n"))
    binary = emulate([SPACE.legal(MEETING)], change)(SPACE.legal(MEETING))
    for blocks in ("0.1", "1", "1.5", "2"):  # on each of two multiprocessors
        run_on(binary, [ensure("grid-64", WORK / "graphs")], "--blocks", blocks)


SETS = "mis-cuda-vertex-topology-push-rmw-nondet-persistent-thread-atomic-i32"
APART = chosen("apart", lambda: sample(style for style in emulated("fast") if {"apart", "eight"} & {*style.values()}))


@pytest.fixture(scope="module")
def apart() -> Binaries:
    return emulate(APART)


@pytest.mark.compile
@pytest.mark.parametrize("style", APART, ids=name_of)
def test_a_set_without_rounds_is_right_whoever_waits_for_whom(
    style: Style, apart: Binaries, small_graphs: list[Path]
) -> None:
    graphs = [*small_graphs, *waiting()]
    for seed, accesses in (("1", UNDISTURBED), ("2", OFTEN), ("3", "10"), ("4", ALWAYS), ("5", ALWAYS)):
        run_on(apart(style), graphs, "--reps", "1", seed=seed, slice=accesses)


FAULTS = {
    f"{SETS}-apart-degree": (" || other == in", ""),  # who is in keeps nobody out
    f"{SETS}-apart-four-degree": ("takes_out = end - begin <= ahead;", "takes_out = true;"),  # of a long row, in part
    f"{SETS}-apart-eight-degree": ("e = item.edge;", "e = item.edge + ahead;"),  # behind what it waits for
    f"{SETS}-apart-four": ("{u, e};", "{u, end};"),  # there is nobody left to wait for
    f"{SETS}-apart-eight": ("          kept++;\n", ""),  # who waits is forgotten
    f"{SETS}-apart-four-byte": ("            e = begin;\n          }", "          }"),  # takes nobody out
    f"{SETS}-apart-four-degree-byte": ("s.waiting[thread + kept * threads]", "s.waiting[kept]"),  # all threads' list
}
"""What could be wrong where threads go apart, and what the programs have there."""


@pytest.fixture(scope="module")
def faulty() -> Binaries:
    return emulate_changed(FAULTS)


@pytest.mark.compile
@pytest.mark.parametrize("name", todays(FAULTS))
def test_a_fault_where_threads_go_apart_is_found(name: str, faulty: Binaries) -> None:
    graphs, program = [ensure("rmat-10", WORK / "graphs"), *waiting()], faulty(SPACE.legal(name))
    assert is_found_on(program, graphs, ALWAYS)


@pytest.mark.parametrize(
    "source", ['asm volatile("bar.sync 0;");', "kernel<a::b><<<1, 1>>>();", "#include <cuda/atomic>"]
)
def test_what_the_emulator_does_not_know_is_an_error(source: str) -> None:
    with pytest.raises(UnknownError, match="line 2: the emulator does not know this"):
        translate(f"// asm\n{source}\n")
