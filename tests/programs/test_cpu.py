"""Compiles CPU programs, all of the paper and some of other methods and of the rest; verifies them on tiny graphs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from generator.config import covering, first_of_each
from generator.space import Style, load_space, name_of
from inputs.catalogue import ensure
from inputs.formats import egr
from tests.configs import chosen, selected, united
from tests.memory import LONG, WORK
from tests.programs.conftest import (
    beyond_paper,
    ended,
    find_error,
    initialises_once,
    number_of_sources,
    of_several_sources,
    run_on,
    solves_once,
    takes_undirected,
)
from tests.programs.planting import replacing
from tests.programs.store import Binaries, build
from tests.selection import sample, today, todays, with_changed
from trust.graphs import counted_beyond_32_bits, long_worklists, tied_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tests.programs.store import Executable

SPACE = load_space()


def of_cpu(styles: Iterable[Style]) -> list[Style]:
    """Returns the styles of programs for CPUs and undirected graphs."""
    return [style for style in styles if style["model"] in ("cpp", "openmp") and takes_undirected(SPACE, style)]


def choose() -> list[Style]:
    """Of all programs every value, and of the paper's, in turns, every two values that meet."""
    paper, every = of_cpu(selected("cpu")), of_cpu(selected("all"))
    pairs = paper if LONG else todays(covering(paper, 2))
    beyond = [*covering(of_cpu(selected("fast")), 2), *covering(of_cpu(SPACE.styles()), 2)] if LONG else []
    beyond += beyond_paper(SPACE, every) if LONG else first_of_each(every, ["algorithm"])
    return united(pairs, beyond, sample(every, [*pairs, *beyond]))


def choose_crowded() -> list[Style]:
    """Programs whose worklist may hold an item twice."""
    crowded = [
        style for style in of_cpu(SPACE.styles()) if style.get("worklist") == "dup" and style["datatype"] == "i32"
    ]
    return [*crowded, *SPACE.add(SPACE.axis("flow"), crowded)]


STYLES = with_changed(chosen(f"styles {today()}", choose), of_cpu)
HYBRID = [style for style in STYLES if "switch" in style]
MATCHING = [style for style in STYLES if "pattern" in SPACE.algorithms[style["algorithm"]].query]
ENTERING = chosen(
    "entering",
    lambda: first_of_each(
        [style for style in choose_crowded() if style["iteration"] == "edge" and "switch" not in style],
        ["algorithm", "model", "flow", "update"],
    ),
)
DUPLICATES = chosen("duplicates", lambda: sample(choose_crowded()))
LOSING = chosen(
    "losing",
    lambda: sample(style for style in of_cpu(selected("fast") + selected("paper")) if style.get("update") == "rw"),
)
LAZY = chosen("lazy", lambda: first_of_each(of_cpu(selected("cpu")), ["model", "algorithm"] if LONG else ["algorithm"]))
FORGETFUL = [style for style in LAZY if style["algorithm"] == "cc"]
NEWS = [style for style in STYLES if style["algorithm"] == "bp" and style["driver"] == "residual"]
PUSHED = first_of_each(
    (
        style
        for style in STYLES
        if SPACE.algorithms[style["algorithm"]].family == "ranking"
        and (style["driver"], style["flow"], style["datatype"]) == ("topology", "push", "f32")
    ),
    ["algorithm"],
)
RANKS = first_of_each(  # a method may end with changes far below the tolerance
    [style for style in STYLES if style["algorithm"] == "pr" and style["driver"] != "data" and "method" not in style],
    ["driver", "flow", "determinism"],
)
SETTLED = [
    SPACE.legal(f"pr-openmp-vertex-data-nodup-pull-rmw-{determinism}-clausered-dynamic-f32-local")
    for determinism in ("det", "nondet")
]


@pytest.fixture(scope="module")
def binary() -> Binaries:
    return build(STYLES)


@pytest.mark.daily
@pytest.mark.compile
@pytest.mark.parametrize("style", STYLES, ids=name_of)
def test_a_cpu_program_is_right_with_any_number_of_threads(
    style: Style, binary: Binaries, tiny_graphs: list[Path]
) -> None:
    run_with_threads(binary(style), style, tiny_graphs)


def run_with_threads(program: Executable, style: Style, tiny_graphs: list[Path]) -> None:
    """Runs a program with several numbers of threads, with all of which it has to be right."""
    for threads in ("1", "2", "8") if LONG else ("1", "8"):
        reports = run_on(program, tiny_graphs, "--threads", threads)
        assert [Path(report["graph"]) for report in reports] == tiny_graphs
        for report in reports:
            assert report["program"] == name_of(style)


@pytest.mark.compile
@pytest.mark.parametrize("style", [style for style in STYLES if style.get("priority") == "delta"], ids=name_of)
def test_threads_put_a_long_worklist_together(style: Style, binary: Binaries) -> None:
    """Of more than 4,096 vertices, which one thread would copy for too long: from one thread's bucket, or from all."""
    graphs = [*long_worklists(), ensure("rmat-16", WORK / "graphs")]
    for threads in ("1", "2", "8"):
        run_on(binary(style), graphs, "--threads", threads)


@pytest.fixture(scope="module")
def entering() -> Binaries:
    return build(ENTERING)


@pytest.mark.compile
@pytest.mark.parametrize("style", ENTERING, ids=name_of)
def test_a_worklist_of_edges_counts_no_more_than_fit(style: Style, entering: Binaries) -> None:
    """One thread sees each vertex lowered by all others, one after the other."""
    run_on(entering(style), counted_beyond_32_bits(), "--threads", "1", "--reps", "1")


@pytest.mark.compile
@pytest.mark.parametrize("style", of_several_sources(SPACE, STYLES), ids=name_of)
def test_a_cpu_program_is_right_for_several_sources(style: Style, binary: Binaries, small_graphs: list[Path]) -> None:
    run_on(binary(style), small_graphs, "--threads", "2", "--sources", number_of_sources(style))


@pytest.mark.compile
@pytest.mark.parametrize("style", HYBRID, ids=name_of)
def test_directions_may_change_at_any_round(style: Style, binary: Binaries, tiny_graphs: list[Path]) -> None:
    never, always, by_turns = {
        "counted": (("--alpha", "1e-9"), ("--alpha", "1e9", "--beta", "1e9"), ("--alpha", "1e9", "--beta", "20")),
        "estimated": (
            ("--do-a", "1e9"),
            ("--do-a", "1e-9", "--do-b", "1e-9", "--beta", "1e9"),
            ("--do-a", "1e-9", "--do-b", "1e9", "--beta", "1e9"),
        ),
        "share": (("--share", "1e9"), ("--share", "1e-9"), ("--share", "5")),
        "weighed": (("--weight", "1e-9"), ("--weight", "1e9"), ("--weight", "2")),
    }[style["switch"]]
    graphs = [*tiny_graphs, ensure("grid-64", WORK / "graphs"), ensure("rmat-10", WORK / "graphs")]
    for options in (never, always, by_turns):
        run_on(binary(style), graphs, "--threads", "2", *options)


@pytest.mark.compile
@pytest.mark.parametrize("style", MATCHING, ids=name_of)
def test_patterns_may_have_two_to_five_vertices(style: Style, binary: Binaries, tiny_graphs: list[Path]) -> None:
    for pattern in ("0a-1", "0-1b,1-2b", "0-1,0-2b,1-3b,2-3", "0a-1,1-2,2-3,3-4,4-0,1-3"):
        for report in run_on(binary(style), tiny_graphs, "--threads", "2", "--pattern", pattern, "--labels", "2"):
            assert report["query"]["labels"] == 2
            assert len(report["query"]["pattern"]) == len(pattern)  # in an order of its own
    done = ended(binary(style), tiny_graphs[0], "--pattern", "0a-1c", "--labels", "2")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "--pattern '0a-1c' has label c" in done.stderr


@pytest.mark.compile
@pytest.mark.parametrize(
    "name", ["gc-cpp-vertex-topology-pull-rmw-det-blocked-i32", "mis-cpp-vertex-topology-push-rmw-copydet-blocked-i32"]
)
def test_all_bits_of_priorities_count(name: str, tmp_path: Path) -> None:
    """Two pairs of these neighbours differ in the last 8 bits alone, one of them in the last 4."""
    style, graph = SPACE.legal(name), tmp_path / "ties.egr"
    egr.write(tied_pairs(5000), graph)
    run_on(build([style])(style), [graph], "--threads", "2")
    for bits in (8, 4):
        fewer = build(
            [style], lambda text, bits=bits: re.sub(r"priority\((\w)\) ([<>])", rf"priority(\1) >> {bits} \2", text)
        )
        done = ended(fewer(style), graph, "--threads", "2")
        assert (done.returncode, "wrong result" in done.stderr) == (1, True), done.stderr


@pytest.mark.compile
def test_chebyshev_takes_far_fewer_iterations() -> None:
    """With wrong weights, ranks are right all the same, but after more iterations."""
    plain, weighted = (
        SPACE.legal(f"pr-cpp-vertex-topology-pull-rmw-det-clausered-blocked-f32-{method}")
        for method in ("bydegree", "chebyshev")
    )
    binary = build([plain, weighted])
    graphs = [ensure(name, WORK / "graphs") for name in ("tiny-path", "road-16k")]
    taken = [[report["rounds"] for report in run_on(binary(style), graphs)] for style in (plain, weighted)]
    for before, after in zip(*taken, strict=True):
        assert after <= 0.6 * before, taken


@pytest.fixture(scope="module")
def altered() -> dict[str, Binaries]:
    return {"lazy": build(LAZY, solves_once), "forgetful": build(FORGETFUL, initialises_once)}


@pytest.mark.compile
@pytest.mark.parametrize(
    ("how", "style"),
    [(how, style) for how, styles in (("lazy", LAZY), ("forgetful", FORGETFUL)) for style in styles],
    ids=lambda each: each if isinstance(each, str) else name_of(each),
)
def test_a_result_outlives_no_repetition(
    how: str, style: Style, altered: dict[str, Binaries], tiny_graphs: list[Path]
) -> None:
    assert find_error(altered[how](style), tiny_graphs[-1]).startswith("repetition 2, ")


@pytest.fixture(scope="module")
def tolerant() -> Binaries:
    """PageRank with twice the tolerance, ten times in place: there, ranks are partly those of an iteration more."""

    def alter(text: str) -> str:
        factor = 10 if "-nondet-" in text.partition("\n")[0] else 2
        altered, count = re.subn(r"(s\.change >=|change <) pr::tolerance", rf"\1 {factor} * pr::tolerance", text)
        assert count == 1
        return altered

    return build(RANKS, alter)


@pytest.mark.compile
@pytest.mark.parametrize("graph", ["tiny-path", "tiny-tree", "grid-64", "road-16k"])
@pytest.mark.parametrize("style", RANKS, ids=name_of)
def test_a_larger_tolerance_is_wrong(style: Style, graph: str, tolerant: Binaries) -> None:
    error = find_error(tolerant(style), ensure(graph, WORK / "graphs"), samples=1)
    assert error.startswith("repetition 1, another iteration changes ranks by ")


@pytest.fixture(scope="module")
def reticent() -> dict[str, Binaries]:
    """PageRank whose vertices tell their neighbours too late that they have changed, or that ends too soon."""
    return {
        "late": build(SETTLED, replacing(("pr::tolerance / 4", "pr::tolerance * 25"))),
        "soon": build(SETTLED, replacing(("change < pr::tolerance / 2", "change < pr::tolerance * 5"))),
    }


@pytest.mark.compile
@pytest.mark.parametrize("graph", ["grid-64", "road-16k"])
@pytest.mark.parametrize("how", ["late", "soon"])
@pytest.mark.parametrize("style", SETTLED, ids=name_of)
def test_what_vertices_keep_to_themselves_is_bounded(
    style: Style, how: str, graph: str, reticent: dict[str, Binaries]
) -> None:
    error = find_error(reticent[how](style), ensure(graph, WORK / "graphs"), samples=1)
    assert error.startswith("repetition 1, another iteration changes ranks by ")


@pytest.mark.compile
@pytest.mark.parametrize("style", SETTLED, ids=name_of)
def test_a_vertex_whose_neighbours_are_settled_is_not_visited(style: Style) -> None:
    """Within a grid ranks are equal, and stay so but near its border; the number of visits takes that of iterations."""
    count = replacing(
        ("int iterations = 0;", "int iterations = 0;\n  int visits = 0;"),
        ("iterations++;", "iterations++;\n    visits += s.size;"),
        ("return iterations;", "return visits;"),
    )
    graph = [ensure("grid-64", WORK / "graphs")]
    (report,), (counted,) = (run_on(build([style], *alter)(style), graph, "--threads", "2") for alter in ([], [count]))
    assert counted["rounds"] < 0.6 * report["rounds"] * report["vertices"]


@pytest.mark.compile
@pytest.mark.parametrize("style", PUSHED, ids=name_of)
def test_ranks_may_never_come_to_rest(style: Style, binary: Binaries) -> None:
    """A hub adds up 5,000 floats, which are off by more than the iterations end at: they end by their limit."""
    (report,) = run_on(binary(style), long_worklists()[1:], "--threads", "1")
    assert report["rounds"] == 100


@pytest.mark.compile
@pytest.mark.parametrize("style", NEWS, ids=name_of)
def test_rounds_end_when_nobody_has_news(style: Style, binary: Binaries, small_graphs: list[Path]) -> None:
    for report in run_on(binary(style), small_graphs, "--threads", "8", "--rounds", "200"):
        assert report["rounds"] < 200
        if Path(report["graph"]).stem in ("tiny-path", "tiny-star", "tiny-tree"):
            assert report["rounds"] <= report["vertices"]  # no path is longer, and the last round finds nothing new


@pytest.fixture(scope="module")
def incurious() -> Binaries:
    """Beliefs where a message has to differ by a hundred times as much to be news."""
    return build(NEWS, replacing(("> bp::enough<odds_t>", "> 100 * bp::enough<odds_t>")))


@pytest.mark.compile
@pytest.mark.parametrize("graph", ["grid-64", "road-16k"])
@pytest.mark.parametrize("style", NEWS, ids=name_of)
def test_what_is_news_may_not_be_missed(style: Style, graph: str, incurious: Binaries) -> None:
    error = find_error(incurious(style), ensure(graph, WORK / "graphs"), samples=1)
    assert error.startswith("repetition 1, belief of vertex ")


@pytest.fixture(scope="module")
def overflowing() -> Binaries:
    """Every second round takes it that the worklist was too short, unless it has pulled and has none."""

    def alter(text: str) -> str:
        too_long = "static_cast<unsigned>(s.size) > s.capacity"
        pushing = " && !s.pulling" if "s.pulling" in text else ""
        return replacing((too_long, f"{too_long} || (s.size > 0 && s.round % 2 == 0{pushing})"))(text)

    return build(DUPLICATES, alter)


@pytest.mark.compile
@pytest.mark.parametrize("style", DUPLICATES, ids=name_of)
def test_a_worklist_may_be_too_short(style: Style, overflowing: Binaries, tiny_graphs: list[Path]) -> None:
    graphs = [*tiny_graphs, ensure("grid-64", WORK / "graphs"), ensure("rmat-10", WORK / "graphs")]
    run_on(overflowing(style), graphs, "--threads", "8")


@pytest.fixture(scope="module")
def interrupted() -> Binaries:
    """Another thread has its turn whenever one has looked at a value and is about to write a smaller one."""

    def alter(text: str) -> str:
        altered = re.sub(r"^( +)(atomic_store\(&s\.\w+\[)", r"\1sched_yield();\n\1\2", text, flags=re.MULTILINE)
        return altered.replace("#include ", "#include <sched.h>\n\n#include ", 1)

    return build(LOSING, alter)


@pytest.mark.compile
@pytest.mark.parametrize("style", LOSING, ids=name_of)
def test_a_lost_update_is_made_up_for(style: Style, interrupted: Binaries, small_graphs: list[Path]) -> None:
    run_on(interrupted(style), small_graphs, "--threads", "2", "--reps", "5")
