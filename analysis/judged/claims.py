"""What the Indigo2 paper found (SC'23, Sections 5 and 6), claim by claim, each with the checks that our data is put to.

The paper gives many results as plots only. Where its text gives a number, the check uses it; where the text says "close
to", "mostly" or "slightly", the threshold is ours and stands in the check's words.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.judged.evidence import ABOUT, Check
from analysis.judged.ratio_checks import Extreme, Median, Share, Where
from analysis.judged.study_checks import (
    Other,
    baseline_speedup,
    best_shares,
    combination,
    degree_and_warps,
    depends_on_algorithm,
    edge_with_topology,
    strongest_correlation,
    triangles_over_pagerank,
    typical_slowdown,
    worst_slowdown,
)
from analysis.words import CPU

RELAXATIONS = ("bfs", "cc", "sssp")
UNLIKE_TC = ("bfs", "cc", "mis", "sssp")
ALL = ("cuda", *CPU)
NEAR = (1 / ABOUT, ABOUT)

ATOMICS = "atomic over cuda::atomic"
RELAXED = "relaxed cuda::atomic over atomic"
ITERATION = "vertex over edge"
THREAD_TC = "vertex over edge, TC with one thread per item"
DUP = "topology over data with duplicates"
NODUP = "topology over data without duplicates"
FLOW = "push over pull"
SAME_UPDATE = "push over pull, same update"
UPDATE = "read-write over read-modify-write"
DETERMINISM = "deterministic over nondeterministic"
PERSISTENCE = "persistent over non-persistent"
CLAUSE = "reduction clause over atomic reduction"
CRITICAL = "critical section over atomic reduction"
DEFAULT = "default schedule over dynamic schedule"
BLOCKED = "blocked schedule over cyclic schedule"


@dataclass(frozen=True)
class Claim:
    """One finding of the paper.

    Attributes:
        name: Short, such as `I5`: the fifth claim about Indigo2.
        title: What it is about.
        where: Section and figure of the paper.
        paper: What the paper found, in our words.
        core: What decides whether it holds today: the first thing that the paper says of it. Where the paper names
            parts there, algorithms or devices, each is a check, for a large effect of one must not speak for another.
        checks: What else must hold: they refine the verdict.
        figures: Names of the report's figures that show it.
    """

    name: str
    title: str
    where: str
    paper: str
    core: Sequence[Check]
    checks: Sequence[Check]
    figures: Sequence[str] = ()


def _where(model: str | tuple[str, ...], algorithm: str | tuple[str, ...] = "", **others: str) -> Where:
    return {"model": model, **({"algorithm": algorithm} if algorithm else {}), **others}


def each(*parts: Median) -> Sequence[Check]:
    """Returns the parts of a claim."""
    return tuple(replace(part, parts=len(parts)) for part in parts)


CLAIMS = (
    Claim(
        "I1",
        "Classic atomics or default cuda::atomic",
        "Section 5.1, Figure 1",
        "Classic atomics are faster in almost all cases: by a median of about 10 (RTX 3090) and 100 (TITAN V) for CC, "
        "MIS, BFS and SSSP, at most by nearly 100 and well over 1000; by markedly less for TC. Relaxed order and "
        "device scope give similar performance (not shown).",
        (Share(ATOMICS, _where("cuda"), low=1.0),),
        (
            *(Median(ATOMICS, _where("cuda", algorithm), low=10.0) for algorithm in UNLIKE_TC),
            Extreme(ATOMICS, _where("cuda"), factor=90.0),
            Median(ATOMICS, _where("cuda", "tc"), high=2.0),
            Median(RELAXED, _where("cuda"), *NEAR),
        ),
        ("atomic-over-cuda-atomic", "relaxed-cuda-atomic-over-atomic"),
    ),
    Claim(
        "I2",
        "Vertices or edges",
        "Section 5.2, Figure 2",
        "On GPUs the median over all is about 1, but MIS wants vertices by almost 10, TC mostly edges, by up to 100 "
        "and with one thread an item essentially always. On CPUs all medians are significantly above 1.",
        (Median(ITERATION, _where("cuda"), *NEAR),),
        (
            Median(ITERATION, _where("cuda", "mis"), low=5.0),
            Median(ITERATION, _where("cuda", "tc"), high=1.0),
            Extreme(ITERATION, _where("cuda", "tc"), factor=0.01),
            Share(THREAD_TC, _where("cuda"), high=1.0),
            *(Median(ITERATION, _where(model, name), low=1.0) for model in CPU for name in (*UNLIKE_TC, "tc")),
        ),
        ("vertex-over-edge", "vertex-over-edge-tc-with-one-thread-per-item"),
    ),
    Claim(
        "I3",
        "Topology- or data-driven, with duplicates on the worklist",
        "Section 5.3.1, Figure 3",
        "GPU and OpenMP codes prefer the worklist, C++ codes the topology. The reason given: OpenMP's minimum needs a "
        "critical section, C++ has atomics.",
        each(
            Median(DUP, _where("cuda"), high=1.0),
            Median(DUP, _where("openmp"), high=1.0),
            Median(DUP, _where("cpp"), low=1.0),
        ),
        tuple(Median(DUP, _where("cuda", name), high=1.0) for name in RELAXATIONS),
        ("topology-over-data-with-duplicates",),
    ),
    Claim(
        "I4",
        "Topology- or data-driven, without duplicates",
        "Section 5.3.2, Figure 4",
        "Medians are below 1 for all GPU codes and above 1 for C++; for OpenMP below 1 for CC, BFS and SSSP and above "
        "1 for MIS. At the extremes topology wins by over 100, and the worklist by over a million.",
        each(*(Median(NODUP, _where("cuda", name), high=1.0) for name in UNLIKE_TC)),
        (
            Median(NODUP, _where("cuda"), high=1.0),
            *(Median(NODUP, _where("cpp", name), low=1.0) for name in UNLIKE_TC),
            *(Median(NODUP, _where("openmp", name), high=1.0) for name in RELAXATIONS),
            Median(NODUP, _where("openmp", "mis"), low=1.0),
            Extreme(NODUP, _where("openmp"), factor=100.0),
            Extreme(NODUP, _where("openmp"), factor=1e-6),
        ),
        ("topology-over-data-without-duplicates",),
    ),
    Claim(
        "I5",
        "Push or pull",
        "Section 5.4, Figure 5",
        "Push is faster for CC, MIS, BFS and SSSP on all devices, pull slightly for PR. At the extremes push wins by "
        "100 (CUDA, C++) and 1000 (OpenMP).",
        each(*(Median(FLOW, _where(model, name), low=1.0) for model in ALL for name in UNLIKE_TC)),
        (
            *(Median(FLOW, _where(model, UNLIKE_TC), low=1.0) for model in ALL),
            *(Median(FLOW, _where(model, "pr"), high=1.0) for model in ALL),
            *(Median(SAME_UPDATE, _where(model), low=1.0) for model in ALL),
            Extreme(FLOW, _where("cuda"), factor=100.0),
            Extreme(FLOW, _where("openmp"), factor=1000.0),
            Extreme(FLOW, _where("cpp"), factor=100.0),
        ),
        ("push-over-pull", "push-over-pull-same-update"),
    ),
    Claim(
        "I6",
        "Read-write or read-modify-write",
        "Section 5.5, Figure 6",
        "Read-write is slightly faster in most cases, by up to 3 on GPUs and over 1000 on CPUs.",
        each(Median(UPDATE, _where("cuda"), low=1.0), Median(UPDATE, _where(CPU), low=1.0)),
        (
            *(Median(UPDATE, _where(model), low=1.0) for model in CPU),
            Extreme(UPDATE, _where("cuda"), factor=3.0),
            *(Extreme(UPDATE, _where(model), factor=1000.0) for model in CPU),
        ),
        ("read-write-over-read-modify-write",),
    ),
    Claim(
        "I7",
        "Deterministic or not",
        "Section 5.6, Figure 7",
        "Internally nondeterministic codes are faster for all algorithms but PR.",
        each(*(Median(DETERMINISM, _where(model, name), high=1.0) for model in ALL for name in UNLIKE_TC)),
        (
            *(Median(DETERMINISM, _where(model, UNLIKE_TC), high=1.0) for model in ALL),
            *(Median(DETERMINISM, _where(model, "pr"), low=NEAR[0]) for model in ALL),
        ),
        ("deterministic-over-nondeterministic",),
    ),
    Claim(
        "I8",
        "Persistent or non-persistent threads",
        "Section 5.7, Figure 8",
        "Most ratios and all medians are very close to 1.",
        (Share(PERSISTENCE, _where("cuda"), *NEAR, share=0.5),),
        (*(Median(PERSISTENCE, _where("cuda", name), *NEAR) for name in (*UNLIKE_TC, "pr", "tc")),),
        ("persistent-over-non-persistent",),
    ),
    Claim(
        "I9",
        "A thread, a warp or a block per item",
        "Section 5.8, Figure 9",
        "Threads are best on the road map, warps on the social network; blocks are slowest, since few vertices have "
        "more than 512 neighbours.",
        each(
            Median("thread over warp", _where("cuda", degree="low"), low=1.0),
            Median("thread over warp", _where("cuda", degree="high"), high=1.0),
        ),
        (
            Median("warp over block", _where("cuda", degree="low"), low=1.0),
            Median("warp over block", _where("cuda", degree="high"), low=1.0),
        ),
        ("granularity",),
    ),
    Claim(
        "I10",
        "Reductions on the GPU",
        "Section 5.9, Figure 10",
        "For PR reduction-add is fastest and block-add tends to be the slowest. TC has a higher throughput than PR.",
        each(
            Median("reduction-add over global-add", _where("cuda", "pr"), low=1.0),
            Median("reduction-add over block-add", _where("cuda", "pr"), low=1.0),
        ),
        (Median("block-add over global-add", _where("cuda", "pr"), high=1.0), Other(triangles_over_pagerank("cuda"))),
        ("gpu-reductions",),
    ),
    Claim(
        "I11",
        "Reductions on the CPU",
        "Section 5.10, Figure 11",
        "The reduction clause is fastest and a critical section slowest, for PR and TC. TC has a higher throughput "
        "than PR.",
        each(*(Median(CLAUSE, _where(CPU, name), low=1.0) for name in ("pr", "tc"))),
        (
            *(Median(CLAUSE, _where(model, name), low=1.0) for model in CPU for name in ("pr", "tc")),
            *(Median(CRITICAL, _where(model, name), high=1.0) for model in CPU for name in ("pr", "tc")),
            *(Other(triangles_over_pagerank(model)) for model in CPU),
        ),
        ("cpu-reductions",),
    ),
    Claim(
        "I12",
        "Default or dynamic schedule (OpenMP)",
        "Section 5.11, Figure 12",
        "Almost no difference for PR, BFS and SSSP; MIS is always faster with the default schedule; CC and TC mostly. "
        "From a speedup of two orders of magnitude to a slowdown by 10.",
        each(*(Median(DEFAULT, _where("openmp", name), *NEAR) for name in ("pr", "bfs", "sssp"))),
        (
            Share(DEFAULT, _where("openmp", "mis"), low=1.0),
            *(Median(DEFAULT, _where("openmp", name), low=1.0) for name in ("cc", "tc")),
            Extreme(DEFAULT, _where("openmp"), factor=100.0),
            Extreme(DEFAULT, _where("openmp"), factor=0.1),
        ),
        ("default-schedule-over-dynamic-schedule",),
    ),
    Claim(
        "I13",
        "Blocked or cyclic schedule (C++ threads)",
        "Section 5.12, Figure 13",
        "Little difference for CC, MIS, BFS and SSSP; PR prefers blocked, TC cyclic (75% of the ratios are below 1). "
        "From a speedup by 10 to a slowdown by 10.",
        each(*(Median(BLOCKED, _where("cpp", name), *NEAR) for name in UNLIKE_TC)),
        (
            Median(BLOCKED, _where("cpp", "pr"), low=1.0),
            Share(BLOCKED, _where("cpp", "tc"), high=1.0, share=0.75),
            Extreme(BLOCKED, _where("cpp"), factor=10.0),
            Extreme(BLOCKED, _where("cpp"), factor=0.1),
        ),
        ("blocked-schedule-over-cyclic-schedule",),
    ),
    Claim(
        "I14",
        "Correlation with properties of graphs",
        "Section 5.13",
        "No correlation of throughput with a property is beyond 0.5; the strongest is 0.44, between warps and the "
        "average degree.",
        (Other(strongest_correlation),),
        (Other(degree_and_warps),),
        ("correlations-cuda",),
    ),
    Claim(
        "I15",
        "What a wrong style costs, and what the right one is worth",
        "Abstract, Sections 5.17 and 6, Figure 16, Table 6",
        "The wrong style costs more than 10 on average, the worst combinations six orders of magnitude. The best "
        "styles reach 0.70 (CUDA), 1.54 (OpenMP) and 1.80 (C++) times the throughput of tuned codes.",
        (Other(typical_slowdown(ALL)),),
        (
            *(Other(typical_slowdown((model,))) for model in ALL),
            Other(worst_slowdown),
            *(Other(baseline_speedup(model)) for model in ALL),
        ),
        ("slowdowns", "speedups"),
    ),
    Claim(
        "I16",
        "Programming guidelines",
        "Section 5.16",
        "(1) High degrees want warps. (2) Nondeterministic and push, in all models. (3) No default cuda::atomic, no "
        "critical sections. (4) Vertices or edges depends on the algorithm. (5) Edges go better with a "
        "topology-driven code in CUDA. (6) Non-persistent threads. (7) Default and blocked schedules are safe. (8) "
        "C++ threads want topology-driven codes.",
        (Median("thread over warp", _where("cuda", degree="high"), high=1.0),),
        (
            *(Median(FLOW, _where(model), low=1.0) for model in ALL),
            *(Median(DETERMINISM, _where(model), high=1.0) for model in ALL),
            Median(ATOMICS, _where("cuda"), low=1.0),
            *(Median(CRITICAL, _where(model), high=1.0) for model in CPU),
            *(Other(depends_on_algorithm("iteration", model)) for model in ALL),
            Other(edge_with_topology),
            Median(PERSISTENCE, _where("cuda"), high=ABOUT),
            Median(DEFAULT, _where("openmp"), low=NEAR[0]),
            Median(BLOCKED, _where("cpp"), low=NEAR[0]),
            *(Median(comparison, _where("cpp"), low=1.0) for comparison in (DUP, NODUP)),
        ),
        ("overview",),
    ),
    Claim(
        "I17",
        "Styles of the best programs",
        "Section 5.14, Figure 14",
        "Most of the best programs are vertex-based (CUDA 80%, OpenMP 64%, C++ 92%), push (76, 92, 80%) and "
        "nondeterministic (84, 64, 76%) in all three models; topology-driven in C++ (90%), data-driven in CUDA (68%) "
        "and OpenMP (65%).",
        tuple(Other(best_shares((model,), "iteration", "vertex", parts=len(ALL))) for model in ALL),
        tuple(
            Other(best_shares((model,), axis, value))
            for axis, values in {
                "flow": ("push",) * 3,
                "determinism": ("nondet",) * 3,
                "driver": ("data", "data", "topology"),
            }.items()
            for model, value in zip(ALL, values, strict=True)
        ),
        ("best-styles",),
    ),
    Claim(
        "I18",
        "Styles that go well together (CUDA)",
        "Section 5.15, Figure 15",
        "Vertex-based programs that push are 1.63 times as fast as those that do not. The columns of push, "
        "nondeterministic, non-persistent and warp are mostly above 1.",
        (Other(combination("push", row="vertex")),),
        (*(Other(combination(column)) for column in ("push", "nondet", "nonpersistent", "warp")),),
        ("combinations-cuda", "interactions-cuda"),
    ),
    Claim(
        "I19",
        "The summary's preferences",
        "Section 6",
        "Push, read-modify-write and the reduction clause are typically preferable to their alternatives. "
        "(Read-modify-write for its generality: Section 5.5 has read-write slightly ahead.)",
        each(
            *(Median(FLOW, _where(model), low=1.0) for model in ALL),
            *(Median(UPDATE, _where(model), high=ABOUT) for model in ALL),
            *(Median(CLAUSE, _where(CPU, name), low=1.0) for name in ("pr", "tc")),
        ),
        (Median(FLOW, _where(ALL), low=1.0), Median(UPDATE, _where(ALL), high=ABOUT)),
    ),
)
