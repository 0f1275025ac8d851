"""Every figure and table of the study, for whatever the results hold: files, and a page to explore it all."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analysis import canvas, explorer, scaling, tables, words
from analysis.baselines import speedup_table
from analysis.claims import Finding, chance, findings
from analysis.comparisons import COMPARISONS, Comparison
from analysis.correlations import correlations, strongest_of
from analysis.drawing import Drawing, Studio
from analysis.graphs import PROPERTIES
from analysis.guidelines import RULES, Guideline, guidelines
from analysis.matrices import combinations_figure, correlations_figure, shares_figure
from analysis.page import render
from analysis.page.sources import pack_texts, texts
from analysis.ratios import graph_figure, overview_figure, ratio_figure
from analysis.statistics import MINIMUM_CLUSTERS
from analysis.study import Study
from analysis.throughputs import CONTESTS, slowdown_figure, speedup_figure, throughput_figure
from generator.errors import naming
from generator.files import replace_text

RATIO = (
    "A ratio divides the throughputs of two verified programs that differ in one style only, on the same graph and "
    "machine. Above 1, the first-named style is faster."
)

STATISTICS = (
    "Medians have 95 % bootstrap intervals that resample sets of programs (pairs that share a program stay together) "
    "and, where several graphs are pooled, graphs; they are widened, since both are few. An effect is unclear if its "
    "interval holds 1, or if there are fewer "
    f"than {MINIMUM_CLUSTERS} sets of programs. A ratio with a program that timed out is a bound: the interval covers "
    "all that it can be, and two timeouts make no ratio."
)

OTHERS = (
    "Other codes' figures are what a file says that was given: on graphs of the same names and a machine of the same "
    "kind, by their own timers. From which vertex they search, and at which tolerance they end, is up to them."
)


@dataclass(frozen=True)
class Table:
    """A table of the report.

    Attributes:
        name: Unique, also of the file.
        title: What it holds.
        frame: Its rows.
    """

    name: str
    title: str
    frame: pd.DataFrame


@dataclass(frozen=True)
class Part:
    """A section of the report: what it says, figures that are still to be drawn, and tables."""

    name: str
    title: str
    where: str
    sentences: Sequence[str]
    drawings: Sequence[Drawing]
    tables: Sequence[Table]


def report(study: Study, out: Path, jobs: int = 2) -> Path:
    """Writes `index.html`, `figures/*.png`, `figures/*.svg` and `tables/*.csv`.

    Args:
        study: The results.
        out: The directory; made if need be.
        jobs: Processes that work at the same time.

    Returns:
        The page.
    """
    derived, tested = guidelines(study, COMPARISONS), findings(study)
    parts = plan(study, derived, tested)
    drawings = [drawing for part in parts for drawing in part.drawings]
    drawn = Studio(drawings, out / "figures", tuple(canvas.Suffix)).draw(jobs)
    (out / "tables").mkdir(parents=True, exist_ok=True)
    for table in (table for part in parts for table in part.tables):
        file = out / "tables" / f"{table.name}.csv"
        with naming(file):
            table.frame.to_csv(file, index=False)
    facts = {
        **explorer.facts(study, derived),
        "claims": explorer.claims(tested),
        "said": [words.provenance(study.frame), *study.notes, RATIO, STATISTICS],
        "sections": [_section(part, drawn) for part in parts],
    }
    names = explorer.programs(study)
    found = texts(names, jobs)
    sources = pack_texts([found.get(name, "") for name in names])
    page = out / "index.html"
    replace_text(page, render(facts, explorer.columns(study), sources))
    return page


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
        Table("programs", "Programs", tables.counts_table(study.frame)),
        Table("graphs", "Graphs", tables.properties_table(study.graphs)),
        Table("jobs", "Jobs by what became of them", tables.status_table(study.frame)),
    ]
    if not (drift := tables.drift_table(study.frame)).empty:
        found.append(Table("drift", "How the machine changed: times of jobs in a turn, over those in all turns", drift))
    return Part("setup", "What was measured", "Tables 3, 4 and 5", [], [], found)


def _overview(study: Study) -> Part:
    draw = partial(overview_figure, study.frame, COMPARISONS, study.notes)
    drawing = Drawing("overview", "All algorithms and graphs pooled.", draw)
    return Part("overview", "Overview", "", [], [drawing], [])


def _comparison(study: Study, comparison: Comparison, derived: Sequence[Guideline]) -> Part:
    said = [found.sentence for found in derived if found.comparison is comparison]
    said += comparison.caveats(study.pairs(comparison))
    table = Table(comparison.slug, "Medians by algorithm and graph", tables.ratio_table(study.pairs(comparison)))
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
        Table("best-styles", "Styles of the best programs", tables.shares_table(study.shares)),
        Table("best-programs", "The fastest program for every algorithm and graph", tables.best_table(study.frame)),
    ]
    return Part("best", "Best programs", "Section 5.14, Figure 14", [], [drawing], found)


def _combinations(study: Study) -> Part:
    notes = [words.provenance(study.classic[study.classic["model"] == "cuda"]), *study.notes]
    draw = partial(combinations_figure, study.combinations, notes)
    drawing = Drawing("combinations-cuda", "CUDA programs.", draw)
    return Part("combinations", "Styles that go well together", "Section 5.15, Figure 15", [], [drawing], [])


def _guidelines(derived: Sequence[Guideline]) -> Part:
    found = [Table("guidelines", "Guidelines", tables.guideline_table(derived))] if derived else []
    return Part("guidelines", "Guidelines, derived from this data", "Section 5.16", [RULES], [], found)


def _costs(study: Study) -> Part:
    draw = partial(slowdown_figure, study.slowdowns, study.notes)
    drawing = Drawing("slowdowns", "Programs without cuda::atomic.", draw)
    found = Table("costs", "Slowdowns", tables.cost_table(study.classic))
    return Part("costs", "What a wrong style costs", "Section 6", [], [drawing], [found])


def _scaling(study: Study) -> Part:
    drawing = Drawing(
        "scaling", "The fastest on so many GPUs.", partial(scaling.scaling_figure, study.frame, study.notes)
    )
    said = [
        f"{algorithm} on {machine}: {model.sentence}"
        for (algorithm, machine), model in scaling.fit(study.frame).items()
    ]
    found = [
        Table("scaling", "Fastest programs by number of GPUs", scaling.best_scaling(study.frame)),
        Table("strong-scaling", "Every program: the same graph, more GPUs", scaling.strong_scaling(study.frame)),
        Table("weak-scaling", "As many edges for each GPU", scaling.weak_scaling(study.frame)),
        Table("predicted", "More GPUs, by the model", scaling.predict(study.frame)),
    ]
    return Part("scaling", "Several GPUs", "Multi-GPU, V and VII", said, [drawing], found)


def _partitions(study: Study) -> Part:
    jobs = pd.concat([study.frame, study.delayed, study.divided], ignore_index=True)
    found = Table("partitions", "Times by who divided the graph", scaling.by_partition(jobs))
    said = ["A file divided these graphs, in place of the program; nothing else is told by these times."]
    return Part("partitions", "Partitions from files", "Multi-GPU, V-B", said, [], [found])


def _latency(study: Study) -> Part:
    jobs = pd.concat([study.frame, study.delayed], ignore_index=True)
    draw = partial(scaling.latency_figure, jobs, study.notes)
    drawing = Drawing("latency", "The fastest programs where parts meet later.", draw)
    found = [
        Table("meetings", "How often parts wait for each other", scaling.meetings(jobs)),
        Table("latency", "Times by injected latency", scaling.by_latency(jobs)),
    ]
    said = ["A latency was injected wherever the parts of a graph meet; nothing else is told by these times."]
    return Part("latency", "What a latency between GPUs costs", "Multi-GPU, V-A", said, [drawing], found)


def _baselines(study: Study) -> Part:
    assert study.speedups is not None  # noqa: S101  # the caller asks for it only then
    drawing = Drawing("speedups", "One point a graph.", partial(speedup_figure, study.speedups, study.notes))
    table = speedup_table(study.speedups).rename(index=words.MODELS, level="model").reset_index()
    found = [
        Table("speedups", "Speedups", study.speedups),
        Table("average-speedups", "Average speedups (geometric means)", table),
    ]
    return Part(
        "baselines", "Best styles and other codes", "Section 5.17, Figure 16, Table 6", [OTHERS], [drawing], found
    )


def _findings(tested: Sequence[Finding]) -> Part:
    found = [
        Table("findings", "Claims", tables.findings_table(tested)),
        Table("evidence", "Every check", tables.evidence_table(tested)),
    ]
    return Part("findings", "The paper's claims today", "", [chance(tested)], [], found)


def _section(part: Part, drawn: Collection[str]) -> dict[str, Any]:
    """Returns what the page says of a part, fit for JSON."""
    return {
        "name": part.name,
        "title": part.title,
        "where": part.where,
        "sentences": part.sentences,
        "figures": [
            {"name": drawing.name, "caption": drawing.caption} for drawing in part.drawings if drawing.name in drawn
        ],
        "tables": [
            {"name": table.name, "title": table.title, "heads": list(table.frame.columns), "rows": _rows(table.frame)}
            for table in part.tables
        ],
    }


def _rows(frame: pd.DataFrame) -> list[list[Any]]:
    """Returns the rows of a table, fit for JSON: what is not known is None."""
    return json.loads(frame.to_json(orient="values", double_precision=6))  # type: ignore[no-any-return]
