"""Ways to make worklists, to deal edges to threads and to update a value that go beyond the paper."""

import re
from pathlib import Path

import pytest

from generator.config import covering
from generator.render import render
from generator.space import Space, Style, name_of
from tests.configs import chosen
from tests.generator.conftest import clang_format, code, function
from tests.memory import LONG
from tests.texts import text_of

PLAIN = "sssp-cuda-vertex-data-nodup-push-rmw-nondet-persistent-thread-atomic-i32"


def test_threads_gather_what_a_phase_begins_with() -> None:
    program = code("scc-openmp-vertex-data-nodup-push-rmw-nondet-default-i32-local")
    listing = function(program, "enlist_open")
    assert "gathered.items[gathered.size++] = v;" in listing
    assert "atomic_add" not in listing


def test_only_the_ends_of_a_kernel_and_push_know_how_items_are_appended() -> None:
    plain = code(PLAIN)
    for value in ("aggregated", "ballot", "jit"):
        program = code(f"{PLAIN}-{value}")
        lines = iter(function(program, "relax").splitlines())
        assert all(line in lines for line in function(plain, "relax").splitlines())
        assert function(program, "push") != function(plain, "push")


def test_ballots_need_no_atomic_operation() -> None:
    assert "atomicAdd" not in code(f"{PLAIN}-ballot")
    assert "atomicExch" not in code(f"{PLAIN}-ballot")


def test_a_full_bin_leaves_the_round_to_ballots() -> None:
    program = code(f"{PLAIN}-jit")
    assert "if (size > s.bin_capacity)" in function(program, "relax")
    assert "collect_changed(s);" in function(program, "join_bins")


def test_bins_may_hold_duplicates_and_then_need_no_atomic_operation() -> None:
    push = function(code(f"{PLAIN}-jit".replace("nodup", "dup")), "push")
    assert "atomic_store(&s.stamp[v], s.round);" in push
    assert not re.search(r"atomic[A-Z]", push)


@pytest.mark.parametrize("value", ["ballot", "jit", "scan"])
def test_edges_are_counted_where_a_worklist_is_made(value: str) -> None:
    plain = "bfs-cuda-vertex-data-nodup-hybrid-rmw-nondet-persistent-thread-atomic-i32-share"
    program = code(f"{plain}-{value}")
    assert "unsigned edges = 0;" in function(code(plain), "relax")
    assert "unsigned edges = 0;" not in function(program, "relax")
    assert "edges += " in function(program, "filter" if value == "scan" else "collect_changed")


def test_candidates_need_no_atomic_operation() -> None:
    program = code(f"{PLAIN}-scan")
    assert "atomicAdd" not in program
    assert "atomicExch" not in program
    assert "stamp" not in function(program, "initialise")  # stamps are places of this round wherever they are read
    assert re.findall(r"push\(s, v.*\)", function(program, "relax")) == ["push(s, v, edges_before[i] + (e - begin))"]


def test_whoever_deals_out_edges_evenly_knows_their_places() -> None:
    name = f"{PLAIN}-scan".replace("thread", "merge")
    program = code(name)
    assert "push(s, v, first_place + number);" in function(program, "relax")
    # The prefix sums are made once for both.
    for once in ("struct Degree", "scan_few", "exclusive_scan", "edges_before;"):
        assert program.count(once) == 1


@pytest.mark.parametrize("flow", ["push", "pull", "hybrid"])
def test_a_filter_follows_every_round_that_pushes(flow: str) -> None:
    plain = f"bfs-cuda-vertex-data-nodup-{flow}-rw-nondet-persistent-warp-atomic-i32"
    solve = code(f"{plain}-estimated-scan" if flow == "hybrid" else f"{plain}-scan")
    solve = solve[solve.index("int solve(") :]
    order = re.findall(r"(exclusive_scan\(|relax<<<|pull<<<|filter<<<|} else {|fetch)", solve)
    pushing = ["exclusive_scan(", "relax<<<", "filter<<<", "fetch"]
    assert order == (["pull<<<", "} else {", *pushing] if flow == "hybrid" else pushing)


@pytest.mark.parametrize("value", ["aggregated", "ballot", "jit"])
def test_one_kernel_of_all_rounds_makes_worklists_between_barriers(value: str) -> None:
    rounds = function(code(f"{PLAIN}-{value}-all"), "relax_to_the_end")
    steps = rounds[rounds.index("relax(s);") : rounds.index("advance(s")]
    assert steps.count("wait_for_grid") == steps.count("(s);")


@pytest.mark.parametrize("algorithm", ["bfs", "sssp", "cc"])
@pytest.mark.parametrize("driver", ["topology", "data-nodup"])
@pytest.mark.parametrize("granularity", ["twc", "merge", "blockmerge"])
def test_an_edge_is_relaxed_alike_whoever_walks_its_row(algorithm: str, driver: str, granularity: str) -> None:
    name = f"{algorithm}-cuda-vertex-{driver}-push-rmw-nondet-persistent-{{}}-atomic-i32"
    texts = [code(name.format(value)) for value in ("thread", granularity)]
    one, other = (re.sub(r"^ +", "", function(program, "relax"), flags=re.MULTILINE) for program in texts)
    body = one[one.index("const int v") : one.index("}")]
    assert body in other


WITHIN_BLOCKS = [
    "dup-push-rw-nondet-nonpersistent-{}-atomic-i32",
    "culled-push-rw-nondet-persistent-{}-atomic-i32-aggregated",
    "nodup-push-rmw-nondet-persistent-{}-atomic-i32-all",
    "nodup-push-checked-nondet-persistent-{}-atomic-i32-ballot-few",
    "nodup-push-checked-nondet-persistent-{}-atomic-i32-cluster",
]


@pytest.mark.parametrize("style", WITHIN_BLOCKS)
def test_a_block_deals_out_its_edges_without_prefix_sums_over_all_items(space: Space, style: str) -> None:
    program = code("bfs-cuda-vertex-data-" + style.format("blockmerge"))
    assert "visit_evenly(row, " in function(program, "relax")
    assert "edges_before" not in program
    assert space.forbidden_by(space.parse("bfs-cuda-vertex-data-" + style.format("merge"))) is not None


PUSHING = {
    "kcore-cuda-vertex-data-nodup-push-rmw-det-persistent-blockmerge-atomic-i32": ["peel"],
    "bc-cuda-vertex-data-nodup-push-rmw-det-nonpersistent-blockmerge-atomic-f32": ["count_paths", "add_shares"],
    "pr-cuda-vertex-residual-nodup-push-rmw-det-persistent-blockmerge-atomic-blockadd-f32": ["pass_on"],
}


@pytest.mark.parametrize("name", PUSHING)
def test_whatever_is_pushed_a_block_deals_out_the_edges(space: Space, name: str) -> None:
    program = code(name)
    for step in PUSHING[name]:
        assert function(program, step).count("visit_evenly(row, ") == 1
    assert space.forbidden_by(space.parse(name.replace("-push-", "-pull-"))) is not None


def test_threads_of_the_cpu_flush_what_they_have_gathered() -> None:
    relax = function(code("bfs-openmp-vertex-data-nodup-push-rw-nondet-dynamic-i32-local"), "relax")
    assert "#pragma omp for nowait schedule(dynamic, 64)" in relax
    team = relax.index("#pragma omp parallel firstprivate(s)\n")
    assert team < relax.index("#pragma omp for") < relax.index("flush(s);")
    relax = function(code("bfs-cpp-vertex-data-nodup-push-rw-nondet-blocked-i32-local"), "relax")
    assert relax.endswith("flush(s);\n}")


def test_on_a_cpu_a_writer_goes_back_on_the_worklist_once() -> None:
    relax = {
        style: function(code(f"sssp-cpp-{style}-push-rw-nondet-dynamic-i32"), "relax")
        for style in ("vertex-data-dup", "vertex-data-nodup", "edge-data-dup", "edge-data-nodup")
    }
    assert "bool retried = false;" in relax["vertex-data-dup"].split("for (int e = begin;")[0]
    assert "s.next_worklist[slot] = e;" in relax["edge-data-dup"]
    for stamped in ("vertex-data-nodup", "edge-data-nodup"):
        assert "push(s, u);\n" in relax[stamped]
        assert "retried" not in relax[stamped]


def test_a_checked_update_reads_before_it_writes() -> None:
    relax = function(code(PLAIN.replace("rmw", "checked")), "relax")
    assert "candidate < atomic_load(&s.dist[v]) && candidate < atomicMin(&s.dist[v], candidate)" in relax


def test_all_of_an_update_is_in_the_critical_section() -> None:
    relax = function(code("sssp-openmp-vertex-data-dup-push-critical-nondet-default-i32"), "relax")
    section = relax.partition("#pragma omp critical\n")[2].partition("\n      }\n")[0]
    for step in (
        "previous = atomic_load(&s.dist[v])",
        "if (candidate < previous)",
        "atomic_store(&s.dist[v], candidate)",
    ):
        assert step in section
    assert "atomic_min" not in relax


def test_items_are_handed_out_one_at_a_time() -> None:
    relax = function(code("sssp-openmp-vertex-data-dup-push-rmw-nondet-dynamic1-i32"), "relax")
    assert "schedule(dynamic, 1)" in relax


def test_the_header_names_where_a_value_comes_from() -> None:
    head = text_of(PLAIN.replace("thread", "twc")).partition("#include")[0]
    assert "(Gunrock, 5.1.2)" in head.replace("\n//                          ", " ")


LISTS = PLAIN.replace("thread", "lists")


@pytest.fixture(scope="module")
def with_lists(space: Space) -> list[Style]:
    """Programs with lists in every kind of atomic operation and width of data, unlike those of the configs."""
    return chosen("lists", lambda: [*space.add(space.axis("granularity"), space.styles())])


def test_lists_exist_in_every_other_style(space: Space, with_lists: list[Style]) -> None:
    wanted = {"model": "cuda", "iteration": "vertex", "driver": "data", "flow": "push", "granularity": "thread"}
    families = {name: algorithm.family for name, algorithm in space.algorithms.items()}
    alone = [style for style in space.styles() if wanted.items() <= style.items()]
    expected = {
        name_of({**style, "granularity": "lists"})
        for style in alone
        if families[style["algorithm"]] in ("relaxation", "peeling")
    }
    assert {name_of(style) for style in with_lists if style["granularity"] == "lists"} == expected


def test_rows_of_ranks_are_dealt_out_by_class_wherever_they_are_pulled(space: Space, with_lists: list[Style]) -> None:
    wanted = {"algorithm": "pr", "model": "cuda", "driver": "topology", "flow": "pull", "granularity": "thread"}
    expected = {name_of({**style, "granularity": "twc"}) for style in space.styles() if wanted.items() <= style.items()}
    found = [style for style in with_lists if (style["algorithm"], style["granularity"]) == ("pr", "twc")]
    assert set(map(name_of, found)) == expected


def test_a_program_with_lists_is_well_formed(space: Space, with_lists: list[Style], tmp_path: Path) -> None:
    few = covering([style for style in with_lists if style["granularity"] == "lists"], 2 if LONG else 1)
    texts = {}
    for style in few:
        program = render(space, style)
        assert space.parse(program.name) == style
        texts[Path(program.path).name] = program.text
    assert clang_format(tmp_path, texts) == ""


def test_a_kernel_is_launched_for_a_list_that_is_not_empty() -> None:
    program = code(LISTS)
    launches = re.findall(r"if \(s.lists.size\[(\w+)\] > 0\) \{\n *relax<(\w+)><<<", program)
    assert launches == [(name, name) for name in ("for_blocks", "for_warps", "for_threads")]
    assert program.count("relax<") == 2 * len(launches)  # in the size of its grid, too
    assert "atomicAdd(&s.appended->to[list], 1u) - s.lists.base[list]" in function(program, "append")


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        (f"{LISTS}-jit-all".replace("nodup", "dup").replace("lists", "listed"), "relax_to_the_end"),
        ("bfs-cuda-vertex-data-nodup-hybrid-rmw-nondet-persistent-listed-atomic-i32-share-ballot-phase", "push_rounds"),
    ],
)
def test_a_worklist_is_sorted_by_degree_between_barriers(name: str, rounds: str) -> None:
    program = code(name)
    steps = re.findall(r"(\w+)\(s\);\n *wait_for_grid\(s.arrivals\);", function(program, rounds))
    assert steps[steps.index("list_items") + 1] == "relax"
    assert "s.worklist" not in function(program, "relax")


def test_a_list_takes_no_more_than_its_slots() -> None:
    assert "capacity" not in code(LISTS)
    duplicates = code(LISTS.replace("nodup", "dup"))
    assert "if (slot < s.lists.begin[list + 1])" in function(duplicates, "append")
    assert duplicates.count("s.lists.count_appended(s.appended)") == 3  # at first, in a round and after an overflow


def test_what_a_round_computed_is_published_from_all_lists() -> None:
    assert "s.worklist[s.lists.slot_of(i)]" in function(code(LISTS.replace("nondet", "det")), "publish")


@pytest.mark.parametrize("determinism", ["det", "nondet"])
def test_the_sum_of_a_row_goes_to_the_thread_that_has_its_vertex(determinism: str) -> None:
    name = f"pr-cuda-vertex-topology-pull-rmw-{determinism}-nonpersistent-{{}}-atomic-reductionadd-f32"
    alone, shared = (function(code(name.format(value)), "pull") for value in ("thread", "twc"))
    assert "sum_by_class<rank_t>(begin, end, " in shared
    settled = re.sub(r"^ +", "", alone[alone.index("const int degree") :].partition("}")[0], flags=re.MULTILINE)
    assert settled in re.sub(r"^ +", "", shared, flags=re.MULTILINE)
