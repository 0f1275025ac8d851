"""The sections of the report: what each says, and which figures and tables it has."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from analysis import words
from analysis.compared import scaling
from analysis.compared.baselines import speedup_table
from analysis.compared.comparisons import COMPARISONS, Comparison
from analysis.compared.correlations import correlations, strongest_of
from analysis.compared.study import Study
from analysis.drawn.matrices import combinations_figure, correlations_figure, interactions_figure, shares_figure
from analysis.drawn.ratios import graph_figure, overview_figure, ratio_figure
from analysis.drawn.scaling import latency_figure, scaling_figure
from analysis.drawn.studio import Drawing
from analysis.drawn.throughputs import CONTESTS, slowdown_figure, speedup_figure, throughput_figure
from analysis.judged.findings import Finding, chance
from analysis.judged.guidelines import RULES, Guideline
from analysis.measured.graphs import PROPERTIES
from analysis.statistics import MINIMUM_ALGORITHMS, MINIMUM_CLUSTERS
from analysis.told import tables

STATISTICS = (
    "Medians have 95 % bootstrap intervals that resample graphs and, where several algorithms are pooled, algorithms, "
    "else sets of programs (pairs that share a program stay together); they are widened, since all are few. An effect "
    f"is unclear if its interval holds 1, or if there are fewer than {MINIMUM_CLUSTERS} sets of programs or, of "
    f"several algorithms, {MINIMUM_ALGORITHMS}. A ratio with a program that timed out is a bound: the interval covers "
    "all that it can be, and two timeouts make no ratio."
)

OTHERS = (
    "Other codes' figures are what a file says that was given: on graphs of the same names and a machine of the same "
    "kind, by their own timers. From which vertex they search, and at which tolerance they end, is up to them."
)


@dataclass(frozen=True)
class Table:
    """A table that is still to be made.

    Attributes:
        name: Unique, also of the file.
        title: What it holds.
        make: Returns its rows.
    """

    name: str
    title: str
    make: Callable[[], pd.DataFrame]


@dataclass(frozen=True)
class Part:
    """A section of the report: what it says, and figures and tables that are still to be made."""

    name: str
    title: str
    where: str
    sentences: Sequence[str]
    drawings: Sequence[Drawing]
    tables: Sequence[Table]


def plan(study: Study, derived: Sequence[Guideline], tested: Sequence[Finding]) -> list[Part]:
    """Returns all sections, in the paper's order.

    Args:
        study: The results.
        derived: Its guidelines.
        tested: Its claims.
    """
    return [
        _setup(study),
        _overview(study),
        *(_comparison(study, row, derived) for row in COMPARISONS if not study.pairs(row).empty),
        *(_contest(study, number) for number in range(len(CONTESTS))),
        _correlations(study),
        _best(study),
        _combinations(study),
        _guidelines(derived),
        _costs(study),
        *([_scaling(study)] if (study.frame["gpus"] > 1).any() else []),
        *([] if study.delayed.empty else [_latency(study)]),
        *([] if study.divided.empty else [_partitions(study)]),
        *([_baselines(study)] if study.speedups is not None else []),
        _findings(tested),
    ]


def drawings_of_comparison(study: Study, comparison: Comparison) -> list[Drawing]:
    """Returns the two figures of a comparison: by algorithm, and by graph."""
    notes = study.notes
    by_algorithm = partial(ratio_figure, study.frame, comparison, notes=notes)
    by_graph = partial(graph_figure, study.frame, comparison, notes)
    return [
        Drawing(comparison.slug, "By algorithm, graphs pooled.", by_algorithm),
        Drawing(f"{comparison.slug}-graphs", "By graph, algorithms pooled.", by_graph),
    ]


def _setup(study: Study) -> Part:
    found = [
        Table("programs", "Programs", partial(tables.counts_table, study.frame)),
        Table("graphs", "Graphs", partial(tables.properties_table, study.graphs)),
        Table("jobs", "Jobs by what became of them", partial(tables.status_table, study.frame)),
    ]
    if not (drift := tables.drift_table(study.frame)).empty:
        found.append(
            Table("drift", "How the machine changed: times of jobs in a turn, over those in all turns", lambda: drift)
        )
    return Part("setup", "What was measured", "Tables 3, 4 and 5", [], [], found)


def _overview(study: Study) -> Part:
    draw = partial(overview_figure, study.frame, COMPARISONS, study.notes)
    drawing = Drawing("overview", "All algorithms and graphs pooled.", draw)
    return Part("overview", "Overview", "", [], [drawing], [])


def _comparison(study: Study, comparison: Comparison, derived: Sequence[Guideline]) -> Part:
    said = [found.sentence for found in derived if found.comparison is comparison]
    said += comparison.caveats(study.pairs(comparison))
    table = Table(
        comparison.slug, "Medians by algorithm and graph", partial(tables.ratio_table, study.pairs(comparison))
    )
    drawings = drawings_of_comparison(study, comparison)
    return Part(comparison.slug, comparison.title, comparison.figure, said, drawings, [table])


def _contest(study: Study, number: int) -> Part:
    contest = CONTESTS[number]
    draw = partial(throughput_figure, study.frame, contest, study.notes)
    drawing = Drawing(contest.name, "Throughputs, not ratios: three styles compete.", draw)
    return Part(contest.name, contest.title, contest.figure, [], [drawing], [])


def _correlations(study: Study) -> Part:
    spearman = correlations(study.frame, study.graphs, method="spearman")
    notes = [words.provenance(study.classic[study.classic["model"] == "cuda"]), *study.notes]
    draw = partial(correlations_figure, study.correlations, spearman, notes)
    said = []
    if strongest := strongest_of(study.correlations):
        style, column, value = strongest
        said = [f"The strongest correlation is {value:.2f}: {words.styled(style)} and {PROPERTIES[column]}."]
    drawing = Drawing("correlations-cuda", "CUDA programs.", draw)
    return Part("correlations", "Throughput and properties of graphs", "Section 5.13", said, [drawing], [])


def _best(study: Study) -> Part:
    notes = [words.provenance(study.classic), *study.notes]
    drawing = Drawing("best-styles", "Styles of the fastest programs.", partial(shares_figure, study.shares, notes))
    found = [
        Table("best-styles", "Styles of the best programs", partial(tables.shares_table, study.shares)),
        Table(
            "best-programs",
            "The fastest program for every algorithm and graph",
            partial(tables.best_table, study.frame),
        ),
    ]
    return Part("best", "Best programs", "Section 5.14, Figure 14", [], [drawing], found)


def _combinations(study: Study) -> Part:
    notes = [words.provenance(study.classic[study.classic["model"] == "cuda"]), *study.notes]
    draw = partial(combinations_figure, study.combinations, notes)
    drawings = [Drawing("combinations-cuda", "CUDA programs.", draw)]
    if not study.explained.empty:
        depend = partial(interactions_figure, study.explained, notes)
        drawings.append(Drawing("interactions-cuda", "Which choices depend on each other.", depend))
    return Part("combinations", "Styles that go well together", "Section 5.15, Figure 15", [], drawings, [])


def _guidelines(derived: Sequence[Guideline]) -> Part:
    found = [Table("guidelines", "Guidelines", partial(tables.guideline_table, derived))] if derived else []
    return Part("guidelines", "Guidelines, derived from this data", "Section 5.16", [RULES], [], found)


def _costs(study: Study) -> Part:
    draw = partial(slowdown_figure, study.slowdowns, study.notes)
    drawing = Drawing("slowdowns", "Programs without cuda::atomic.", draw)
    found = Table("costs", "Slowdowns", partial(tables.cost_table, study.classic))
    return Part("costs", "What a wrong style costs", "Section 6", [], [drawing], [found])


def _scaling(study: Study) -> Part:
    drawing = Drawing("scaling", "The fastest on so many GPUs.", partial(scaling_figure, study.frame, study.notes))
    said = [
        f"{algorithm} on {machine}: {model.sentence}"
        for (algorithm, machine), model in scaling.fit(study.frame).items()
    ]
    found = [
        Table("scaling", "Fastest programs by number of GPUs", partial(scaling.best_scaling, study.frame)),
        Table(
            "strong-scaling", "Every program: the same graph, more GPUs", partial(scaling.strong_scaling, study.frame)
        ),
        Table("weak-scaling", "As many edges for each GPU", partial(scaling.weak_scaling, study.frame)),
        Table("predicted", "More GPUs, by the model", partial(scaling.predict, study.frame)),
    ]
    return Part("scaling", "Several GPUs", "Multi-GPU, V and VII", said, [drawing], found)


def _partitions(study: Study) -> Part:
    jobs = pd.concat([study.frame, study.delayed, study.divided], ignore_index=True)
    found = Table("partitions", "Times by who divided the graph", partial(scaling.by_partition, jobs))
    said = ["A file divided these graphs, in place of the program; nothing else is told by these times."]
    return Part("partitions", "Partitions from files", "Multi-GPU, V-C", said, [], [found])


def _latency(study: Study) -> Part:
    jobs = pd.concat([study.frame, study.delayed], ignore_index=True)
    draw = partial(latency_figure, jobs, study.notes)
    drawing = Drawing("latency", "The fastest programs where parts meet later.", draw)
    found = [
        Table("meetings", "How often parts wait for each other", partial(scaling.meetings, jobs)),
        Table("latency", "Times by injected latency", partial(scaling.by_latency, jobs)),
    ]
    said = ["A latency was injected wherever the parts of a graph meet; nothing else is told by these times."]
    return Part("latency", "What a latency between GPUs costs", "Multi-GPU, V-A", said, [drawing], found)


def _baselines(study: Study) -> Part:
    speedups = study.speedups
    assert speedups is not None  # noqa: S101  # the caller asks for it only then
    drawing = Drawing("speedups", "One point a graph.", partial(speedup_figure, speedups, study.notes))
    table = speedup_table(speedups).rename(index=words.MODELS, level="model").reset_index()
    found = [
        Table("speedups", "Speedups", lambda: speedups),
        Table("average-speedups", "Average speedups (geometric means)", lambda: table),
    ]
    return Part(
        "baselines", "Best styles and other codes", "Section 5.17, Figure 16, Table 6", [OTHERS], [drawing], found
    )


def _findings(tested: Sequence[Finding]) -> Part:
    found = [
        Table("findings", "Claims", partial(tables.findings_table, tested)),
        Table("evidence", "Every check", partial(tables.evidence_table, tested)),
    ]
    return Part("findings", "The paper's claims today", "", [chance(tested)], [], found)
