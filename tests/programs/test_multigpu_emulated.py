"""Runs programs for several GPUs on the emulator of tests/emulator, which has several, too."""

from __future__ import annotations

import json
import re
import struct
from typing import TYPE_CHECKING

import numpy as np
import pytest

from generator.config import covering, first_of_each
from generator.paths import ROOT
from generator.space import Style, load_space, name_of
from inputs.catalogue import ensure
from inputs.formats import egr
from inputs.graph import from_edges
from runner.results.records import Parts
from runner.timing.judge import Result
from tests.configs import chosen, selected, united
from tests.memory import LONG, WORK
from tests.programs.conftest import ended, made_and_destroyed, noticed, run_on, run_or_hang
from tests.programs.planting import replacing, rewrite
from tests.programs.store import Binaries, emulate
from tests.programs.test_cuda_emulated import ALWAYS, OFTEN, UNDISTURBED, with_short_lists
from tests.selection import in_turn, today, todays, with_changed

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable
    from pathlib import Path

    from tests.programs.store import Executable

SPACE = load_space()


def emulated(styles: Iterable[Style]) -> list[Style]:
    """Returns those of styles that the emulator can run."""
    return [
        style
        for style in styles
        if style["model"] == "multigpu" and style["atomics"] == "atomic" and style["datatype"] in ("i32", "f32")
    ]


def not_binned(styles: Iterable[Style]) -> list[Style]:
    """Returns those of styles that the emulator can run but those by bins, which have tests of their own."""
    return [style for style in emulated(styles) if style["flow"] != "binned"]


LISTS = SPACE.legal(
    "bfs-multigpu-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32-ranges-selective-list-store-host"
)
FLAGS = SPACE.legal(  # one kernel for all rounds, without sizes of messages
    "cc-multigpu-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32-ranges-selective-dense-store-flags"
)
BITS = SPACE.legal(  # ... whose messages are shorter than what they are about
    "bfs-multigpu-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32-ranges-selective-bitmap-store-flags"
)
DEALT, BIASED = (  # the same but for who owns which vertex, and as many messages as there are copies
    SPACE.legal(
        "bfs-multigpu-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32"
        f"-{partition}-selective-dense-store-host"
    )
    for partition in ("random", "biased")
)
WIDE = SPACE.legal(  # of weighted edges with numbers of 64 bits, which threads of a block share
    "sssp-multigpu-vertex-data-nodup-push-rmw-nondet-nonpersistent-twc-atomic-i32-ranges-selective-list-store-host-edges64"
)
NARROW = {axis: value for axis, value in WIDE.items() if axis != "ids"}
STRETCHES, CHUNKS = (  # parts share out edges, as they are and those that an orientation keeps
    SPACE.legal(f"{algorithm}-multigpu-edge-topology-push-rmw-{style}")
    for algorithm, style in (
        ("cc", "nondet-persistent-thread-atomic-i32-hook-balanced-whole-gather"),
        ("tc", "det-nonpersistent-thread-atomic-globaladd-i32-oriented-rowbitmap-random-whole"),
    )
)
BY_EDGES = [
    STRETCHES,
    CHUNKS,
    *(
        SPACE.legal(f"{algorithm}-multigpu-edge-topology-push-rmw-det-{style}-whole")
        for algorithm, style in (
            ("tc", "persistent-thread-atomic-reductionadd-i32-oriented-rowbitmap-balanced"),
            ("clique", "persistent-warp-atomic-reductionadd-i32-random"),
            ("match", "nonpersistent-thread-atomic-reductionadd-i32-balanced"),
        )
    ),
]
OVERLAPPING = [  # programs that send from the border while they compute the interior
    SPACE.legal(f"{algorithm}-multigpu-vertex-{style}")
    for algorithm, style in (
        ("bfs", "topology-pull-rw-nondet-nonpersistent-thread-atomic-i32-ranges-broadcast-dense-store-border"),
        ("sssp", "topology-pull-rw-nondet-persistent-warp-atomic-i32-ranges-broadcast-dense-peercopy-border-edges64"),
        ("sssp", "topology-push-rmw-nondet-nonpersistent-twc-atomic-i32-ranges-selective-dense-staged-host-border"),
        ("cc", "topology-push-checked-nondet-persistent-warp-atomic-i32-ranges-selective-dense-store-events-border"),
        (
            "cc",
            "topology-push-checked-nondet-persistent-thread-atomic-i32-balanced-selective-dense-peercopy-events-border",
        ),
        ("mis", "topology-pull-rmw-nondet-persistent-warp-atomic-i32-ranges-broadcast-dense-staged-border"),
        ("pr", "topology-pull-rmw-nondet-persistent-twc-atomic-reductionadd-f32-ranges-broadcast-dense-store-border"),
        (
            "pr",
            "topology-pull-rmw-nondet-nonpersistent-thread-atomic-blockadd-f32-bydegree-random-broadcast-dense-peercopy-border",
        ),
        (
            "bfs",
            "data-nodup-push-checked-nondet-nonpersistent-twc-atomic-i32-ranges-selective-bitmap-peercopy-host-border",
        ),
        ("sssp", "data-nodup-push-rmw-nondet-persistent-warp-atomic-i32-ranges-selective-list-store-events-border"),
        (
            "cc",
            "data-nodup-push-checked-nondet-persistent-thread-atomic-i32-random-selective-dense-staged-events-border",
        ),
    )
]
TO_ALL = SPACE.legal(
    "bfs-multigpu-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32"
    "-balanced-copyall-frontier-list-store-events"
)
WITH_ALL_COPIES = [  # programs whose parts know by its place which vertex a message is about
    SPACE.legal(f"{algorithm}-multigpu-vertex-{style}")
    for algorithm, style in (
        ("bfs", "data-nodup-push-rmw-nondet-persistent-thread-atomic-i32-ranges-copyall-selective-list-store-flags"),
        ("bfs", "data-nodup-push-rmw-nondet-persistent-thread-atomic-i32-random-copyall-selective-bitmap-staged-host"),
        (
            "bfs",
            "data-nodup-hybrid-rmw-nondet-persistent-merge-atomic-i32-counted-ranges-copyall-both-list-peercopy-events",
        ),
        ("sssp", "data-nodup-push-rmw-nondet-persistent-merge-atomic-i32-random-copyall-frontier-list-store-host"),
        ("cc", "topology-push-rmw-nondet-persistent-warp-atomic-i32-biased-copyall-selective-dense-store-host"),
        ("mis", "topology-pull-rmw-nondet-persistent-thread-atomic-i32-ranges-copyall-broadcast-dense-peercopy"),
        ("pr", "topology-pull-rmw-nondet-persistent-twc-atomic-reductionadd-f32-ranges-copyall-broadcast-dense-staged"),
    )
]
BETWEENNESS = [  # programs that send on a way back, too
    SPACE.legal(f"bc-multigpu-vertex-{style}")
    for style in (
        "topology-pull-rmw-det-nonpersistent-warp-atomic-f32-random-broadcast-dense-store",
        "topology-pull-rmw-det-nonpersistent-thread-atomic-f32-ranges-broadcast-dense-staged",
        "topology-pull-rmw-det-persistent-thread-atomic-f32-ranges-copyall-broadcast-dense-peercopy",
        "data-nodup-push-checked-det-persistent-warp-atomic-f32-aggregated-balanced-selective-list-store-events",
        "data-nodup-push-rmw-det-nonpersistent-thread-atomic-f32-ranges-selective-dense-peercopy-host",
        "data-nodup-push-checked-det-persistent-warp-atomic-f32-aggregated-random-selective-list-store-flags",
        "topology-push-checked-det-persistent-warp-atomic-f32-random-selective-dense-store-events",
    )
]
PUSHED_RANKS = [  # programs that send sums, which are added up
    SPACE.legal(f"pr-multigpu-vertex-topology-push-rmw-det-{style}")
    for style in (
        "nonpersistent-warp-atomic-reductionadd-f32-random-selective-dense-store-events",
        "nonpersistent-thread-atomic-globaladd-f32-bydegree-ranges-selective-dense-peercopy-host",
        "persistent-thread-atomic-reductionadd-f32-random-copyall-selective-dense-store-events",
    )
]
MEETING = [  # programs that are wrong, one or the other, with almost any fault of flags.cuh
    SPACE.legal(f"{name}-selective-list-store-flags{ids}")
    for name, ids in (
        ("cc-multigpu-vertex-data-nodup-push-checked-nondet-persistent-twc-atomic-i32-aggregated-balanced", "-edges64"),
        ("sssp-multigpu-vertex-data-nodup-push-checked-nondet-persistent-thread-atomic-i32-nearfar-balanced", ""),
    )
]
NAMED = [LISTS, FLAGS, BITS, DEALT, BIASED, WIDE, NARROW, TO_ALL, *MEETING]
NAMED += [*BY_EDGES, *OVERLAPPING, *WITH_ALL_COPIES, *BETWEENNESS, *PUSHED_RANKS]
STYLES = with_changed(
    united(
        NAMED,
        chosen(f"styles {today()}", lambda: (list if LONG else in_turn)(covering(not_binned(selected("multigpu")), 2))),
    ),
    not_binned,
    most=6,
)
RIGHT = STYLES if LONG else united(MEETING, todays(NAMED), STYLES[len(NAMED) :])
"""Of the programs that are named, most have a test of their own besides."""


def late(launch: str) -> tuple[str, str]:
    """Part 1 is late with a launch, which is no fault; who does not wait for it is."""
    return launch, f"  for (const double start = now(); my_number() == 1 && now() < start + 0.02;) {{}}\n{launch}"


LATE = late("  initialise<<<")
FAULTS: dict[str, tuple[str, *tuple[tuple[str, str], ...]]] = {
    "data-nodup-push-rmw-nondet-nonpersistent-thread-atomic-i32-ranges-selective-list-store-events": (
        "nobody has written",  # takes messages before they were sent
        ("    barrier_in_order();\n", ""),
    ),
    "data-nodup-push-rmw-nondet-nonpersistent-block-atomic-i32-ranges-selective-list-store-events": (
        "nobody has written",  # waits for the others' threads of the host, and not for their GPUs
        ("    barrier_in_order();\n", "    barrier();\n"),
    ),
    "data-nodup-push-rmw-nondet-nonpersistent-thread-atomic-i32-ranges-selective-list-peercopy-events": (
        "nobody has written",  # ... nor for copies between GPUs
        ("    barrier_in_order();\n", "    barrier();\n"),
    ),
    "data-nodup-push-rmw-nondet-persistent-thread-atomic-i32-ranges-selective-bitmap-store-host": (
        "nobody has written",  # sends no word that is not full
        ("i < words * word_size", "i < (words - 1) * word_size"),
    ),
    "data-nodup-hybrid-rmw-nondet-persistent-thread-atomic-i32-counted-ranges-both-list-store-host": (
        "nobody has written",  # pulls if its own vertices are many, and listens to parts that push
        ("s.frontier = total(s.size);", "s.frontier = s.size;"),
    ),
    "data-nodup-hybrid-rmw-nondet-nonpersistent-thread-atomic-i32-counted-balanced-both-list-store-host": (
        "",  # leaves out the bits of copies where it makes the set of the next round
        ("s.next_reached[s.own_words + w] =", "s.reached[s.own_words + w] ="),
    ),
    "data-nodup-hybrid-rmw-nondet-persistent-thread-atomic-i32-counted-balanced-both-bitmap-store-host": (
        "",  # has no own vertex pull whose word is one of copies, too
        ("s.own_words = (s.own + word_size - 1) / word_size;", "s.own_words = s.own / word_size;"),
    ),
    "data-nodup-hybrid-rmw-nondet-persistent-warp-atomic-i32-counted-ranges-both-list-store-host": (
        "",  # pulls without knowing what other parts have reached
        ("      listen<<<", "      if (s.own > s.whole) listen<<<"),
    ),
    "data-nodup-hybrid-rmw-nondet-persistent-thread-atomic-i32-counted-ranges-both-list-peercopy-host": (
        "nobody has written",  # has the bits of what it has reached copied to nobody
        ("        send_to(s.told_there.of[p]", "        if (s.own > s.whole) send_to(s.told_there.of[p]"),
    ),
    "data-nodup-hybrid-rmw-nondet-persistent-thread-atomic-i32-counted-ranges-both-list-peercopy-events": (
        "nobody has written",  # listens to copies that the other GPU has yet to make
        ("      barrier_in_order();\n      listen", "      barrier();\n      listen"),
    ),
    "data-nodup-hybrid-rmw-nondet-persistent-thread-atomic-i32-counted-ranges-both-list-staged-host": (
        "nobody has written",  # leaves the bits in memory of the host
        ("      take(s.told,", "      if (s.own > s.whole) take(s.told,"),
    ),
    "data-nodup-push-rmw-nondet-nonpersistent-warp-atomic-i32-ranges-selective-list-store-events": (
        "",  # loses a message
        ("if (i < size) {", "if (i + 1 < size) {"),
    ),
    "data-nodup-push-rmw-nondet-nonpersistent-thread-atomic-i32-balanced-selective-list-store-events": (
        "",  # ends while others go on
        ("while (any_part(s.size > 0))", "while (s.size > 0)"),
    ),
    "data-nodup-push-rmw-nondet-nonpersistent-warp-atomic-i32-balanced-selective-list-store-events": (
        "",  # writes to the wrong part
        ("v >= s.copies.begin[owner + 1]", "v > s.copies.begin[owner + 1]"),
    ),
    "data-nodup-push-rmw-nondet-nonpersistent-thread-atomic-i32-random-selective-list-store-events": (
        "nobody has written",  # leaves a part out
        ("for (int p = 0;", "for (int p = 1;"),
    ),
    "data-nodup-push-rmw-nondet-nonpersistent-thread-atomic-i32-balanced-copyall-selective-list-store-events": (
        "",  # takes the places of copies to be in another order than own vertices
        ("const int v = message.index;", "const int v = s.own - 1 - message.index;"),
    ),
    "topology-pull-rw-nondet-nonpersistent-thread-atomic-i32-balanced-copyall-broadcast-dense-peercopy": (
        "",  # tells the others what its later vertices are in place of the earlier ones
        ("send_to(s.inboxes.of[p], s.level,", "send_to(s.inboxes.of[p], s.level + s.own / 2,"),
    ),
    "topology-push-rmw-nondet-nonpersistent-thread-atomic-i32-ranges-direct": (
        "atomic operation of device scope",  # is atomic for the threads of one GPU alone
        ("atomicMin_system(", "atomicMin("),
    ),
    "topology-push-rmw-nondet-nonpersistent-warp-atomic-i32-ranges-direct": (
        "nobody has written",  # lowers values before they have their first ones
        ("  barrier_when_done();  // all", "  // all"),
        LATE,
    ),
    "topology-pull-rw-nondet-nonpersistent-thread-atomic-i32-ranges-load": (
        "atomic operation of device scope",  # stores for the threads of one GPU alone
        ("atomic_store_system(&s.level", "atomic_store(&s.level"),
    ),
    "topology-pull-rw-nondet-nonpersistent-warp-atomic-i32-ranges-load": (
        "nobody has written",  # reads values before they have their first ones
        ("  barrier_when_done();  // all", "  // all"),
        LATE,
    ),
    "mis-multigpu-vertex-topology-pull-rmw-nondet-nonpersistent-thread-atomic-i32-ranges-load": (
        "atomic operation of device scope",  # decides for the threads of one GPU alone
        ("atomicMin_system(", "atomicMin("),
    ),
    "sssp-multigpu-vertex-data-nodup-push-rmw-nondet-nonpersistent-thread-atomic-i32"
    "-nearfar-ranges-selective-list-store-host": (
        "",  # opens its far pile while others still have vertices that are near
        (
            "any_part(s.size > 0) || any_part(s.far.open(fetch(s.far.number)))",
            "any_part(s.size > 0 || s.far.open(fetch(s.far.number)))",
        ),
    ),
    "sssp-multigpu-vertex-data-nodup-push-rmw-nondet-nonpersistent-warp-atomic-i32"
    "-nearfar-ranges-selective-list-store-host": (
        "",  # keeps for itself what it finds for a vertex that is far and another part's
        (" || v >= s.own", ""),
    ),
    "bc-multigpu-vertex-data-nodup-push-rmw-det-persistent-thread-atomic-f32-ranges-selective-list-store-host": (
        "",  # sends shares while others have yet to take those of the level before
        ("    barrier_when_done();  // nobody sends", "    // nobody sends"),
        late("    receive_shares<<<"),
    ),
    "bc-multigpu-vertex-data-nodup-push-rmw-det-persistent-thread-atomic-f32-balanced-selective-list-store-host": (
        "",  # takes copies to be as far from the source as its own vertices let them seem
        ("  forget_copies<<<", "  if (s.own < 0) forget_copies<<<"),
    ),
    "bc-multigpu-vertex-data-nodup-push-rmw-det-persistent-thread-atomic-f32-random-selective-list-store-host": (
        "",  # takes shares that come from the same level, or a nearer one
        ("if (s.level[v] == s.round - 1) {\n        atomicAdd", "if (s.level[v] != unreached) {\n        atomicAdd"),
    ),
    "cc-multigpu-vertex-topology-push-rmw-nondet-nonpersistent-thread-atomic-i32-hook-ranges-whole-gather": (
        "nobody has written",  # takes trees that are not there yet
        ("    barrier_when_done();  // what", "    // what"),
        LATE,
    ),
    "cc-multigpu-vertex-topology-push-rmw-nondet-nonpersistent-warp-atomic-i32-hook-ranges-whole-gather": (
        "",  # leaves out the trees of the other part
        ("s.part + step < s.parts", "s.part + step + 1 < s.parts"),
    ),
    "cc-multigpu-vertex-topology-push-rmw-nondet-persistent-thread-atomic-i32-hook-ranges-whole-gather": (
        "",  # leaves out what this part has joined to another tree than the other part has
        ("other != atomic_load(&s.label[v])", "v == atomic_load(&s.label[v])"),
    ),
    "tc-multigpu-vertex-topology-push-rmw-det-nonpersistent-thread-atomic-globaladd-i32-ranges-whole": (
        "",  # tells only what one part has counted
        ("  sum_up(s.count);\n", ""),
    ),
    "tc-multigpu-edge-topology-push-rmw-det-nonpersistent-thread-atomic-globaladd-i32-balanced-whole": (
        "",  # has an edge counted by two parts
        ("  s.own = Stretch::of(m, graph);\n", "  s.own = Stretch::of(m, graph);\n  s.own.size += s.own.first == 0;\n"),
    ),
    "tc-multigpu-edge-topology-push-rmw-det-nonpersistent-warp-atomic-globaladd-i32-balanced-whole": (
        "",  # ... and by none
        ("if (i < s.own.size)", "if (i + 1 < s.own.size)"),
    ),
    "tc-multigpu-edge-topology-push-rmw-det-nonpersistent-thread-atomic-globaladd-i32"
    "-oriented-rowbitmap-random-whole": (
        "",  # counts those of another part in places
        ("const int e = s.own[tile] + threadIdx.x", "const int e = tile + threadIdx.x"),
    ),
    "clique-multigpu-vertex-topology-push-rmw-det-nonpersistent-thread-atomic-globaladd-i32"
    "-oriented-rowsearch-balanced-whole": (
        "",  # takes what another part has yet to decide on
        ("  barrier_in_order();\n", ""),
        late("  decide<<<"),
    ),
    "clique-multigpu-vertex-topology-push-rmw-det-nonpersistent-thread-atomic-globaladd-i32"
    "-oriented-rowmerge-biased-whole": (
        "",  # does not take what a part of a smaller number has decided on
        ("if (p != s.part) {", "if (p > s.part) {"),
    ),
    "topology-pull-rw-nondet-nonpersistent-thread-atomic-i32-ranges-broadcast-dense-store-border": (
        "",  # sends what the border had before the round
        (
            "    send<<<blocks_for(s.halo.begin[s.parts], block_size), block_size, 0, stream>>>",
            "    send<<<8, block_size>>>",
        ),
    ),
    "topology-push-rmw-nondet-nonpersistent-warp-atomic-i32-ranges-selective-dense-store-host-border": (
        "nobody has written",  # takes messages that are still under way
        ("    end_interior();\n", ""),
    ),
    "topology-push-rmw-nondet-persistent-warp-atomic-i32-ranges-selective-dense-store-events-border": (
        "nobody has written",  # ... as the others are told of the end of the interior alone
        ("    end_interior();\n", ""),
    ),
    "topology-pull-rw-nondet-persistent-thread-atomic-i32-ranges-broadcast-dense-store-border": (
        "",  # sends from a vertex of which others have copies before the interior, among which it counts it, is visited
        ("s.border = graph.border;", "s.border = graph.border - (graph.border > 0 ? 1 : 0);"),
    ),
    "pr-multigpu-vertex-topology-pull-rmw-nondet-nonpersistent-thread-atomic-globaladd-f32"
    "-random-broadcast-dense-store-border": (
        "",  # forgets changes of ranks on the border, as it visits that before they are counted from zero
        ("    begin_border();", "    std::swap(stream, overlap().other);"),
    ),
}
"""What the emulator says, if it is that which finds a fault, and what is planted: each in a style of its own, of BFS
if it does not name another algorithm, so that all are compiled at once."""
FAULTY = {values: SPACE.legal(values if "multigpu" in values else f"bfs-multigpu-vertex-{values}") for values in FAULTS}

pytestmark = pytest.mark.compile


@pytest.fixture(scope="module")
def binary() -> Binaries:
    return emulate(STYLES)


@pytest.fixture
def torn(tmp_path: Path) -> Path:
    """A graph in whose halves the tree of vertex 2 is joined to different ones, that of 0 and that of 1."""
    return write_torn(tmp_path)


def write_torn(folder: Path) -> Path:
    """Writes the graph that is torn."""
    ends = np.array([[0, 3], [3, 4], [4, 2], [2, 8], [8, 7], [7, 1]])
    egr.write(from_edges(14, ends[:, 0], ends[:, 1]), folder / "torn.egr")
    return folder / "torn.egr"


@pytest.mark.daily
@pytest.mark.parametrize("style", RIGHT, ids=name_of)
def test_a_program_for_several_gpus_is_right(
    style: Style, binary: Binaries, tiny_graphs: list[Path], torn: Path
) -> None:
    run_in_parts(binary(style), style, [*tiny_graphs, torn])


def run_in_parts(program: Executable, style: Style, tiny_graphs: list[Path]) -> None:
    """Runs a program on several GPUs and more parts, on which it has to be right."""
    larger = [] if style["granularity"] == "block" else [ensure("rmat-10", WORK / "graphs")]
    most = "4" if style.get("synchronisation") == "flags" else "5"  # two of which share a GPU
    for gpus, parts, graphs in (
        ("2", "2", [*tiny_graphs, *larger]),
        ("3", "3", tiny_graphs[::2] if LONG else []),
        ("4", most, tiny_graphs[1::2]),
    ):
        if graphs:  # of more multiprocessors, graphs this small leave most idle
            asked = {"multiprocessors": "2", "devices": gpus, "seed": parts, "slice": OFTEN}
            run_on(program, graphs, "--reps", "1", "--parts", parts, **asked)  # and a counted one


@pytest.fixture
def borders(tmp_path: Path) -> list[Path]:
    """Graphs of which no vertex of a half has a neighbour in the other one, all have, and all vertices but the ends."""
    half = np.array([(u, v) for u in range(6) for v in range(u)])
    apart = np.concatenate([half, 6 + half])
    between = np.array([(u, v) for u in range(6) for v in range(6, 12)])
    ladder = np.array([*((u, u + 6) for u in range(1, 5)), *((u, u + 1) for u in (*range(5), *range(6, 11)))])
    paths = []
    for name, ends in (("apart", apart), ("between", between), ("ladder", ladder)):
        paths.append(tmp_path / f"{name}.egr")
        egr.write(from_edges(12, ends[:, 0], ends[:, 1]), paths[-1])
    return paths


@pytest.mark.parametrize("style", todays(OVERLAPPING), ids=name_of)
def test_a_border_may_be_nothing_or_all(style: Style, binary: Binaries, borders: list[Path]) -> None:
    for seed in range(1, 3):
        for gpus, parts, accesses in (("2", "1", OFTEN), ("2", "2", ALWAYS), ("2", "3", OFTEN), ("4", "4", ALWAYS)):
            asked = {"devices": gpus, "seed": str(seed), "slice": accesses}
            run_on(binary(style), borders, "--reps", "2", "--parts", parts, **asked)


def _sent_on_a_path(style: Style, rounds: int) -> tuple[int, int] | None:
    """Returns how many messages each half of a path of eight sends the other one, and their bytes, by hand.

    With lists, an end of the edge between the halves gets its value along it, and then finds a value for the other end;
    so on a way back, too.
    """
    if "message" not in style:
        return None
    # With any other switch all pull: one vertex of eight is a large part of them, though not of the edges.
    if style["flow"] == "hybrid" and (style["message"], style["switch"]) != ("list", "share"):
        return rounds, 4 * rounds  # a word of bits in each, whether they push or pull
    if style["message"] == "list":
        ways = 2 if style["algorithm"] == "bc" else 1
        return ways, (16 if "predecessors" in style else 8) * ways
    copies = 4 if "duplication" in style and style["message"] == "dense" else 1
    # With `flags`, who has a worklist sends once more in the round that finds all of them empty.
    once_a_round = (
        style["communication"] == "selective" if style["driver"] == "topology" else "flags" not in style.values()
    )
    if once_a_round:
        return copies * rounds, 4 * copies * rounds
    if style["communication"] == "broadcast" and style["algorithm"] in (
        "bc",
        "mis",
        "cc",
    ):  # who has a copy knows its first value
        return copies * rounds, 4 * copies * rounds
    # Those of each round, and first values or those of the round after the last one.
    return copies * (rounds + 1), 4 * copies * (rounds + 1)


ON_A_PATH = [
    style
    for style in RIGHT
    if style["partition"] not in ("random", "biased") and (style["algorithm"] != "cc" or style.get("message") != "list")
]


@pytest.mark.parametrize("style", ON_A_PATH, ids=name_of)
def test_what_parts_do_is_counted(style: Style, binary: Binaries) -> None:
    pulls = ["--alpha", "30"] if style.get("switch") == "counted" else []  # by `merge`, too
    (report,) = run_on(binary(style), [ensure("tiny-path", WORK / "graphs")], "--reps", "1", *pulls, devices="2")
    parts, sent = Parts.model_validate(report["parts"]), _sent_on_a_path(style, Result.model_validate(report).rounds)
    assert (parts.gpu, parts.edges, parts.imbalance) == ([0, 1], [7, 7], 1)
    assert sum(parts.memory_bytes) == report["peak_memory_bytes"]
    if style.get("communication") == "frontier":  # who finds a vertex says so: one half, of the other, too
        assert (parts.items_sent, parts.bytes_sent) == ([4, 3], [32, 24])
    else:
        assert parts.items_sent == (sent and [sent[0]] * 2)
        assert parts.bytes_sent == (sent and [sent[1]] * 2)
    assert all(seconds > 0 for seconds in [*parts.computing_s, *(parts.communicating_s or [1]), *parts.waiting_s])
    assert (parts.communicating_s is None) == (sent is None or style.get("synchronisation") == "flags")


def test_all_parts_are_told_once_what_one_has_found(binary: Binaries, tmp_path: Path) -> None:
    """So nobody finds again, along an edge back, what another part has told."""
    egr.write(from_edges(30, np.arange(29), np.arange(1, 30)), tmp_path / "path.egr")
    (report,) = run_on(binary(TO_ALL), [tmp_path / "path.egr"], "--reps", "1", "--parts", "4")
    assert sum(report["parts"]["items_sent"]) == 3 * 29


def test_a_partition_can_be_a_file(binary: Binaries, tmp_path: Path) -> None:
    owners, rows = tmp_path / "owners", tmp_path / "owners of karate"
    owners.write_text("0\n0\n1\n1\n0\n0\n1\n1\n")
    rows.write_text("\n".join("0" if v == 0 else "2" for v in range(34)))  # part 1 has nothing, and the line no end
    path, karate = (ensure(name, WORK / "graphs") for name in ("tiny-path", "karate"))
    (of_path,) = run_on(binary(LISTS), [path], "--gpus", "2", "--partition", str(owners), devices="3")
    (of_karate,) = run_on(binary(LISTS), [karate], "--partition", str(rows), devices="3")
    # Along each of the three edges between the parts, one end gets its value, and the other one an attempt.
    assert Parts.model_validate(of_path["parts"]).items_sent == [3, 3]
    assert Parts.model_validate(of_karate["parts"]).edges == [16, 0, 140]  # Zachary's 0 has 16 neighbours
    taken = of_path["parameters"].pop("partition")  # of the run that is remembered, which had a folder of its own
    assert taken.endswith(f"/{owners.name}")
    assert of_path["parameters"] == {"gpus": 2, "parts": 2, "latency": 0}


@pytest.mark.turns(8)
def test_more_copies_than_an_int_counts_are_refused() -> None:
    def lower_limit(runtime: Path) -> None:
        rewrite(runtime / "parts.cpp", replacing(("std::numeric_limits<int>::max() / 2;", "3;")))

    alone = [WITH_ALL_COPIES[0]]
    binary = emulate(alone, alter_runtime=lower_limit, replaced=("parts",))(*alone)
    few, many = (ensure(name, WORK / "graphs") for name in ("tiny-triangle", "tiny-path"))
    run_on(binary, [few], devices="2")
    result = ended(binary, many, devices="2")
    assert "part 0 owns 4 vertices, of which other parts have more than 3 copies" in result.stderr
    assert result.returncode == 4


def test_too_many_paths_are_refused(binary: Binaries, tmp_path: Path) -> None:
    corners = 3 * np.arange(126)  # a chain of squares, each of which doubles the number of shortest paths
    edges = [(corners + u, corners + v) for u, v in ((0, 1), (0, 2), (1, 3), (2, 3))]
    source, destination = (np.concatenate(ends) for ends in zip(*edges, strict=True))
    file = tmp_path / "squares.egr"
    egr.write(from_edges(379, source, destination), file)
    result = ended(binary(BETWEENNESS[0]), file, devices="2")
    assert "a vertex has 2^126 shortest paths or more, too many for this program" in result.stderr
    assert result.returncode == 3


@pytest.mark.parametrize("style", [STRETCHES, CHUNKS], ids=name_of)
def test_edges_are_dealt_out_in_equal_shares(style: Style, binary: Binaries, tmp_path: Path) -> None:
    graph = ensure("rmat-10", WORK / "graphs")
    (report,) = run_on(binary(style), [graph], "--reps", "1", devices="3")
    parts = Parts.model_validate(report["parts"])
    assert sum(parts.edges) == report["edges"]
    assert parts.imbalance < 1.05
    refused = ended(binary(style), graph, "--partition", tmp_path / "owners")
    assert refused.returncode == 2
    assert "--partition is about vertices; this program shares out edges" in refused.stderr


def test_parts_and_gpus_are_whole(binary: Binaries) -> None:
    for option in ("--parts", "--gpus"):
        for number in ("2.5", "0", "-1", "4294967298", "nan"):
            refused = ended(binary(CHUNKS), ensure("tiny-path", WORK / "graphs"), option, number)
            assert (refused.returncode, refused.stdout) == (2, "")
            assert f"{option} takes a positive whole number, not '{number}'" in refused.stderr


def test_an_orientation_is_shared_out_to_the_last_word(binary: Binaries, tmp_path: Path) -> None:
    ends = np.array([(u, v) for u in range(33) for v in range(u)])[:513]  # 1,026 directed edges: 33 words of bits
    egr.write(from_edges(33, ends[:, 0], ends[:, 1]), tmp_path / "dense.egr")
    for parts in ("2", "8"):  # 16 words, which are whole blocks, and 17; 4 and 5
        run_on(binary(CHUNKS), [tmp_path / "dense.egr"], "--reps", "1", "--parts", parts, devices="2")


def wide_file(path: Path, *, weighted: bool) -> Path:
    """Writes Zachary's graph as one that may have more edges than an int counts."""
    graph = egr.read(ensure("karate", WORK / "graphs"))
    layout = egr.Layout(graph.vertex_count, graph.edge_count, wide=True)
    weights = [np.ones(graph.edge_count, np.int32)] if weighted else []
    egr.write_parts(path, layout, [graph.row_offsets], [graph.neighbours, *weights])
    return path


def test_offsets_can_have_64_bits(binary: Binaries, tmp_path: Path) -> None:
    wide, ones = (wide_file(tmp_path / f"{weighted}.egr", weighted=weighted) for weighted in (False, True))
    karate = ensure("karate", WORK / "graphs")
    of_wide, of_ones, of_karate = run_on(binary(WIDE), [wide, ones, karate], "--parts", "3", devices="2")
    assert [report["edges"] for report in (of_wide, of_ones)] == [156, 156]
    checksums = [report["checksum"] for report in (of_wide, of_ones, of_karate)]
    assert checksums[0] == checksums[2] != checksums[1]
    result = ended(binary(LISTS), wide)
    assert result.returncode == 3
    assert "header: an .egr file with 64-bit offsets; this program takes graphs of at most" in result.stderr


def test_numbers_of_64_bits_are_those_of_offsets_alone(binary: Binaries) -> None:
    path = ensure("tiny-path", WORK / "graphs")
    reports = [run_on(binary(style), [path], devices="2")[0] for style in (NARROW, WIDE)]
    held = [Parts.model_validate(report["parts"]).memory_bytes for report in reports]
    assert [wide - narrow for narrow, wide in zip(*held, strict=True)] == [
        4 * 6
    ] * 2  # four vertices, a copy, and the end


FAR = "(std::int64_t{1} << 33)"
CUTS = {
    "persistent-thread-atomic-i32-ranges-selective-list-store-host": ("for (std::int64_t e", "for (int e"),
    "persistent-merge-atomic-i32-ranges-selective-list-store-host": ("candidate, std::int64_t e)", "candidate, int e)"),
    "nonpersistent-merge-atomic-i32-ranges-selective-list-store-host": (
        "const std::int64_t before",
        "const int before",
    ),
}
"""What is to number edges by 32 bits, each in a program of its own: of BFS that pushes."""
CUT = {values: SPACE.legal(f"bfs-multigpu-vertex-data-nodup-push-rmw-nondet-{values}-edges64") for values in CUTS}


def choose_numbered() -> list[Style]:
    """Programs whose edges have numbers of 64 bits: every two values that meet, and all that deal edges out evenly."""
    styles = [style for style in emulated(selected("multigpu")) if "ids" in style]
    return united(covering(styles, 2), [style for style in styles if style["granularity"] == "merge"])


NUMBERED = todays(chosen("numbered", choose_numbered))


def _with_even_shares_from_far(text: str) -> str:
    """Returns a program that deals edges out evenly, as if there were so many edges before those of all items.

    The function that does is that of the runtime, but for where the sums begin. A worklist is long from five items on.
    """
    rows = (ROOT / "templates" / "runtime" / "rows.cuh").read_text(encoding="utf-8")
    begin = rows.index("template <typename Edge>\n__device__ Share<Edge> share_of_block")
    function = rows[begin : rows.index("\n}\n", begin) + 3].replace("share_of_block", "share_from_far")
    replacements = {
        "edges = edges_before[rows];": "edges = edges_before[rows] - edges_before[0];",
        "min(size, edges - share.begin);\n": "min(size, edges - share.begin);\n"
        "  share.begin += edges_before[0];\n  share.end += edges_before[0];\n",
    }
    for right, other in replacements.items():
        assert right in function
        function = function.replace(right, other)
    shift = f"""
__device__ const std::int64_t* shifted(std::int64_t* sums, int count) {{
  for (int i = threadIdx.x; i < count; i += block_size) sums[i] += {FAR};
  __syncthreads();
  return sums;
}}
__global__ void shift(std::int64_t* sums, int count) {{ shifted(sums, count); }}
"""
    text = text.replace("using namespace violet;\n", f"using namespace violet;\n{function}{shift}", 1)
    text = text.replace("share_of_block(", "share_from_far(").replace("s.size > few_rows", "s.size > 4")
    few = "scan_few(Degree{s}, s.size, of_few)"
    text = text.replace(few, f"({few}, shifted(of_few, s.size + 1))")
    sums = "exclusive_scan(Degree{s}, s.size, s.edges_before, s.chunk_sums);\n"
    return text.replace(sums, f"{sums}shift<<<1, block_size, 0, stream>>>(s.edges_before, s.size + 1);\n")


@pytest.fixture(scope="module")
def numbered() -> Binaries:
    """Programs whose edges have numbers from 2^33 on, as if so many others came before."""

    def alter(text: str) -> str:
        given, moved = "memory.place(graph.wide_row_offsets, s.n + 1)", "memory.place(moved(graph).data(), s.n + 1)"
        assert given in text
        text = text.replace(given, moved)
        text = re.sub(r"(= memory\.place\(graph\.(?:neighbours|weights), graph\.m\));", rf"\1 - {FAR};", text)
        for values, (right, wrong) in CUTS.items():
            if name_of(CUT[values]) in text:
                assert right in text
                text = text.replace(right, wrong)
        if "share_of_block(" in text:
            text = _with_even_shares_from_far(text)
        move = f"for (int v = 0; v <= graph.n; v++) offsets.push_back(graph.wide_row_offsets[v] + {FAR});"
        function = f"std::vector<std::int64_t> moved(const Part& graph) {{ std::vector<std::int64_t> offsets; {move}"
        return text.replace("State prepare(", f"{function} return offsets; }}\nState prepare(").replace(
            "namespace {", "#include <vector>\nnamespace {", 1
        )

    return emulate([*NUMBERED, *CUT.values()], alter)


@pytest.mark.turns(8)
@pytest.mark.parametrize("style", NUMBERED, ids=name_of)
def test_numbers_of_edges_are_nowhere_cut(style: Style, numbered: Binaries, tiny_graphs: list[Path]) -> None:
    run_on(numbered(style), tiny_graphs, "--reps", "1", "--parts", "3", devices="2")


@pytest.mark.parametrize("values", todays(CUT))
def test_a_number_of_an_edge_that_is_cut_is_noticed(values: str, numbered: Binaries, tiny_graphs: list[Path]) -> None:
    result = run_or_hang([numbered(CUT[values]), tiny_graphs[-1]], seconds=10)
    assert result is None or result.returncode != 0


(
    COUNTING,
    BY_SHARE,
    IN_KERNELS,
    CUT_COUNTING,
) = (  # programs that pick a direction by the edges of frontiers; the last one by 32 bits
    SPACE.legal(
        "bfs-multigpu-vertex-data-nodup-hybrid-rmw-nondet-persistent-thread-atomic-i32"
        f"-{switch}-ranges-both-list-store-{synchronisation}-edges64"
    )
    for switch, synchronisation in (("counted", "host"), ("share", "host"), ("counted", "flags"), ("counted", "events"))
)


@pytest.fixture(scope="module")
def multiplied() -> Binaries:
    """Programs that count every edge EDGES times, if that is named."""

    def alter(text: str) -> str:
        text, counts = re.subn(r"edges \+= (.+);", r"edges += times * (\1);", text)
        text, starts = re.subn(r"= (query\.source_degree|graph\.divided->m);", r"= times * \1;", text)
        assert (counts, starts) >= (2, 2)
        if name_of(CUT_COUNTING) in text:
            text = re.sub(r".*edges.*", lambda line: line[0].replace("unsigned long long", "unsigned"), text)
        times = 'const std::int64_t times = std::getenv("EDGES") != nullptr ? std::atoll(std::getenv("EDGES")) : 1;\n'
        return f"#include <cstdlib>\n{text}".replace(
            "using namespace violet;\n", f"using namespace violet;\n{times}", 1
        )

    return emulate([COUNTING, BY_SHARE, IN_KERNELS, CUT_COUNTING], alter)


@pytest.mark.parametrize("style", todays([COUNTING, BY_SHARE, IN_KERNELS, CUT_COUNTING]), ids=name_of)
def test_edges_of_frontiers_are_counted_beyond_32_bits(
    style: Style, multiplied: Binaries, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rounds go the same ways with so many edges, which what parts send tells."""

    def sent(edges: int) -> list[int] | None:
        monkeypatch.setenv("EDGES", str(edges))
        (report,) = run_on(multiplied(style), [ensure("rmat-10", WORK / "graphs")], "--reps", "1", devices="2")
        return Parts.model_validate(report["parts"]).items_sent

    assert (sent(1) == sent(2**33)) == (style != CUT_COUNTING)


WIDE_ROWS = struct.pack("<4sIqqqqqq4i", egr.MAGIC, 2, 3, 4, 0, 1, 3, 4, 1, 0, 2, 1)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (WIDE_ROWS[:20], "too short: 20 bytes do not hold the header of 24"),
        (WIDE_ROWS[:-1], "size: 71 bytes, but 3 vertices and 4 edges take 72, or 88 with weights"),
        (WIDE_ROWS + bytes(4), "size: 76 bytes"),
        (struct.pack("<4sIqqq", egr.MAGIC, 2, 0, 0, 0), "header: 0 vertices, must be 1 to"),
        (struct.pack("<4sIqqqq", egr.MAGIC, 2, 1, -1, 0, 0), "header: -1 edges, must be 0 to 281474976710656"),
        (struct.pack("<4sIqqqq", egr.MAGIC, 2, 1, 2**62, 0, 0), "header: 4611686018427387904 edges, must be"),
        (struct.pack("<4sIqqqq", egr.MAGIC, 2, 1, 0, 2**33, 0), "row_offsets[0] is 8589934592, must be 0"),
        (
            struct.pack("<4sIqqqqq", egr.MAGIC, 2, 2, 0, 0, 2**33, 0),
            "row_offsets[2] is 0, below the 8589934592 before it",
        ),
        (struct.pack("<4sIqqqq", egr.MAGIC, 2, 1, 0, 0, 2**33), "row_offsets[1] is 8589934592, must be the number of"),
        (WIDE_ROWS[:-16] + struct.pack("<4i", 1, 2, 0, 1), "neighbours[2] of vertex 1 is 0, unsorted after 2"),
        (WIDE_ROWS[:-16] + struct.pack("<4i", 2, 0, 2, 1), "edge 0 from 0 to 2 has no reverse"),
        (WIDE_ROWS + struct.pack("<4i", 1, 1, 2, -1), "weights[3] is -1, must be 0 to"),
        (WIDE_ROWS + struct.pack("<4i", 1, 2, 2, 2), "weights[0] is 1 from 0 to 1, but weights[1] is 2 back"),
    ],
)
def test_a_damaged_file_with_offsets_of_64_bits_is_refused(
    content: bytes, complaint: str, binary: Binaries, tmp_path: Path
) -> None:
    (tmp_path / "bad.egr").write_bytes(content)
    result = ended(binary(WIDE), tmp_path / "bad.egr")
    assert (result.returncode, result.stderr.count("\n")) == (3, 1)
    assert complaint in result.stderr


def test_a_biased_partition_has_shorter_borders_and_no_larger_parts(binary: Binaries) -> None:
    graph = ensure("grid-64", WORK / "graphs")
    sent = []
    for style in (DEALT, BIASED):
        (report,) = run_on(binary(style), [graph], "--reps", "1", devices="3")
        parts = Parts.model_validate(report["parts"])
        assert parts.imbalance < 1.05
        sent.append(sum(parts.bytes_sent or []) / Result.model_validate(report).rounds)
    assert sent[1] < 0.96 * sent[0]


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("0\n" * 7 + "2\n", "line 8: '2' is not a part from 0 to 1; --parts says how many there are"),
        ("0\n-1\n" + "0\n" * 6, "line 2: '-1' is not a part from 0 to 1"),
        ("0\n0 1\n" + "0\n" * 6, "line 2: '0 1' is not a part"),
        ("0\n\n" + "0\n" * 6, "line 2: '' is not a part"),
        ("0\n" * 7, "has 7 lines, but the graph has 8 vertices"),
        ("0\n" * 9, "has 9 lines, but the graph has 8 vertices"),
        (None, "cannot open: No such file or directory"),
    ],
)
def test_a_partition_that_does_not_fit_is_refused(
    lines: str | None, complaint: str, binary: Binaries, tmp_path: Path
) -> None:
    if lines is not None:
        (tmp_path / "owners").write_text(lines)
    path = ensure("tiny-path", WORK / "graphs")
    command = (binary(LISTS), path, "--partition", tmp_path / "owners")
    result = ended(*command, devices="2")
    assert result.returncode == 3
    assert f"tiny-path.egr: --partition {tmp_path}/owners {complaint}" in result.stderr
    assert result.stderr.count("\n") == 1
    twice = ended(*command, path, devices="2")
    assert (twice.returncode, "--partition is for one graph, not 2" in twice.stderr) == (2, True)


@pytest.mark.parametrize("style", first_of_each(RIGHT, ["communication", "synchronisation"]), ids=name_of)
def test_a_latency_is_that_of_each_round_at_least(style: Style, binary: Binaries) -> None:
    path = ensure("tiny-path", WORK / "graphs")
    (report,) = run_on(binary(style), [path], "--reps", "1", "--latency", "2000", devices="2")
    result = Result.model_validate(report)
    assert '"latency": 2000' in json.dumps(report["parameters"])
    assert result.samples_s[0] > 2e-3 * result.rounds
    assert result.parts
    assert min(result.parts.waiting_s) > 2e-3 * result.rounds


@pytest.mark.parametrize(
    ("microseconds", "complaint"),
    [
        ("-1", "--latency takes a positive number, not '-1'"),
        ("0", "--latency takes a positive number, not '0'"),
        ("long", "--latency takes a positive number, not 'long'"),
        ("nan", "--latency takes a positive number, not 'nan'"),
        ("1000001", "--latency 1000001: a meeting can take up to 1000000 microseconds longer"),
    ],
)
def test_a_latency_that_is_none_is_refused(
    microseconds: str, complaint: str, binary: Binaries, tiny_graphs: list[Path]
) -> None:
    result = ended(binary(LISTS), tiny_graphs[-1], "--latency", microseconds)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert complaint in result.stderr


LISTS_BY = "bfs-multigpu-vertex-data-nodup-push-rmw-nondet-nonpersistent-thread-atomic-i32-ranges-selective-list-"


@pytest.mark.parametrize("exchange", ["store", "peercopy", "staged"])
def test_messages_that_are_copied_can_be_longer(exchange: str) -> None:
    style = SPACE.legal(f"{LISTS_BY}{exchange}-host")
    program, path = emulate([style])(style), ensure("tiny-path", WORK / "graphs")
    if exchange == "store":
        refused = ended(program, path, "--longer", "2", devices="2")
        assert (refused.returncode, "--longer" in refused.stderr) == (2, True)
    else:
        plain, longer = (
            run_on(program, [path], "--reps", "1", "--longer", copies, devices="2")[0] for copies in ("1", "20000")
        )
        assert '"longer": 20000' in json.dumps(longer["parameters"])
        assert longer["samples_s"][0] > 5 * plain["samples_s"][0]


def test_more_gpus_than_there_are_are_refused(binary: Binaries, tiny_graphs: list[Path]) -> None:
    result = ended(binary(LISTS), tiny_graphs[-1], "--gpus", "3")
    assert result.returncode == 4
    assert "--gpus 3, but there are 1" in result.stderr


def test_a_graph_that_does_not_fit_is_refused_and_others_are_solved(binary: Binaries) -> None:
    large, small = (ensure(name, WORK / "graphs") for name in ("tiny-path", "tiny-edge"))

    def run(gpus: int, memory: int) -> subprocess.CompletedProcess[str]:
        return ended(binary(LISTS), large, small, "--reps", "1", devices=str(gpus), memory=str(memory))

    needed, _ = json.loads(run(2, 1 << 30).stdout.splitlines()[0])["parts"]["memory_bytes"]
    assert run(2, needed).returncode == 0
    refused = run(2, needed - 1)
    assert refused.returncode == 4
    each = ", ".join(f"GPU {gpu} needs {needed} bytes and has {needed - 1}" for gpu in (0, 1))
    found = re.fullmatch(rf".*: error: .*: the graph does not fit: {each}; (\d) such GPUs would do\n", refused.stderr)
    assert found
    assert [json.loads(line)["verified"] for line in refused.stdout.splitlines()] == [None, True]
    enough = int(found[1])
    assert [run(gpus, needed - 1).returncode for gpus in (enough - 1, enough)] == [4, 0]
    assert "; 8 such GPUs would not do" in run(8, 1).stderr


def test_how_many_gpus_would_do_is_of_the_parts_that_a_file_says(binary: Binaries, tmp_path: Path) -> None:
    owners = tmp_path / "owners"
    owners.write_text("0\n1\n2\n2\n2\n2\n2\n2\n")  # the last part has most of the path

    def run(gpus: int, memory: int) -> subprocess.CompletedProcess[str]:
        command = (binary(LISTS), ensure("tiny-path", WORK / "graphs"), "--reps", "1", "--parts", "3")
        return ended(*command, "--partition", owners, devices=str(gpus), memory=str(memory))

    *_, most = json.loads(run(3, 1 << 30).stdout)["parts"]["memory_bytes"]
    assert "; 3 such GPUs would do\n" in run(1, most).stderr
    assert "; 3 such GPUs would do\n" in run(2, most).stderr
    assert run(3, most).returncode == 0
    assert run(3, most - 1).stderr.endswith(f"GPU 2 needs {most} bytes and has {most - 1}\n")
    assert "would" not in run(2, most - 1).stderr


@pytest.mark.parametrize("style", [FLAGS, *OVERLAPPING[3:5]] if LONG else [FLAGS], ids=name_of)
def test_what_was_made_is_destroyed(style: Style, binary: Binaries, tiny_graphs: list[Path], tmp_path: Path) -> None:
    made = made_and_destroyed(binary(style), tiny_graphs[-2:], tmp_path / "trace", devices="2")
    streams = 2 * 2 * (2 if "overlap" in style else 1)  # of each part of each graph
    assert made["stream"] == streams
    assert made["event"] >= streams


def test_parts_that_do_not_fit_at_a_time_are_refused(binary: Binaries, tiny_graphs: list[Path]) -> None:
    flags = next(style for style in NAMED if style.get("synchronisation") == "flags")
    result = ended(binary(flags), tiny_graphs[-1], "--parts", "7", devices="1")  # which holds six blocks
    assert result.returncode == 4
    assert "7 parts on a GPU have to run at the same time, but it holds 6 blocks: use fewer --parts" in result.stderr


@pytest.fixture(scope="module")
def faulty() -> Binaries:
    def alter(text: str) -> str:
        (replacements,) = (FAULTS[values][1:] for values, style in FAULTY.items() if name_of(style) in text)
        for right, wrong in replacements:
            assert right in text
            text = text.replace(right, wrong)
        return text

    return emulate(list(FAULTY.values()), alter)


@pytest.mark.parametrize("values", todays(FAULTS))
def test_a_fault_between_gpus_is_found(values: str, faulty: Binaries, tiny_graphs: list[Path], torn: Path) -> None:
    graphs = [*tiny_graphs, torn, ensure("rmat-10", WORK / "graphs")]
    binary, said = faulty(FAULTY[values]), FAULTS[values][0]
    # While a kernel is interrupted again and again, streams beside it catch up with what nobody waits for. Which GPU
    # comes first, and whether two run side by side, is up to the machine: a busy one may need many attempts.
    orders = (
        {"EMULATOR_DEVICES": "2", "EMULATOR_SEED": str(seed), "EMULATOR_SLICE": ALWAYS if seed % 2 else UNDISTURBED}
        for seed in range(1, 51)
    )
    assert noticed(binary, orders, lambda _: any(_is_found(binary, graph, said) for graph in graphs), *graphs, said)


def _is_found(binary: Executable, graph: Path, said: str) -> bool:
    """Tells whether a program stops and says so, or has a wrong result or hangs if nothing is to be said."""
    result = run_or_hang([binary, graph, "--reps", "2"], seconds=2)
    return not said if result is None else result.returncode != 0 and said in result.stderr


def choose_gathering() -> list[Style]:
    """Programs that gather by blocks; those with `flags` would have to fit on a GPU together."""
    styles = [
        style
        for style in emulated(selected("multigpu"))
        if style.get("append") == "aggregated"
        and style["granularity"] in ("merge", "twc", "blockmerge")
        and style["synchronisation"] != "flags"
    ]
    return first_of_each(styles, ["algorithm", "granularity", "message", "priority"])


GATHERING = todays(chosen("gathering", choose_gathering))


@pytest.fixture(scope="module")
def gathering() -> Binaries:
    return emulate(GATHERING, alter_runtime=with_short_lists)


@pytest.mark.turns(4)
@pytest.mark.parametrize("style", GATHERING, ids=name_of)
def test_a_full_list_of_a_block_loses_nothing(style: Style, gathering: Binaries, small_graphs: list[Path]) -> None:
    run_on(gathering(style), small_graphs, "--reps", "1", "--parts", "3")
