"""The documents of findings, a page and its details: blocks that the data writes, in a text that people write.

A block stands between `<!-- begin NAME -->` and `<!-- end NAME -->`. Writing the document anew replaces the blocks
and leaves everything else as it is, so explanations can stand beside the numbers that they explain.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from math import isnan
from pathlib import Path

import pandas as pd

from analysis import words
from analysis.compared.baselines import speedup_table
from analysis.compared.best import fastest
from analysis.compared.comparisons import COMPARISONS, comparison_of
from analysis.compared.interactions import in_words as depending
from analysis.compared.pairs import NO_PAIRS, SIDES
from analysis.compared.sources import by_degree, by_rounds
from analysis.compared.study import Study
from analysis.errors import AnalysisError
from analysis.judged.claims import CLAIMS, FLOW, NODUP, RELAXATIONS
from analysis.judged.evidence import AGAINST, Evidence
from analysis.judged.findings import VERDICTS, Finding, chance, findings
from analysis.judged.guidelines import Guideline, guidelines
from analysis.judged.later import LATER
from analysis.statistics import summaries_by, summarise_pairs
from analysis.told import tables
from analysis.told.sections import OTHERS, STATISTICS

_HEADINGS = {
    "measured": "What was measured",
    "verdicts": "What holds, and what is open",
    "failed": "What fails",
    "advice": "What to do",
    "later": "What later papers found",
    "data": "What was measured",
    "causes": "On CPUs, by update",
    "summary": "In short",
    "guidelines": "What to prefer",
    "sources": "Where effects come from",
}
"""Of blocks in a new document; other blocks begin with one."""


_AS_MANY = 1.05
"""Of so many times as many rounds nothing is told."""

_GRAPHS = 8
"""So many graphs are named on the page; of more, how many there are."""

_TOLD = 4
"""So many checks that fail are told on the page, a claim; of more, how many."""

_FEW_PARTS = 2
"""So many parts of a claim are told one by one on the page; of more, how many hold."""


def write(document: str, blocks: Mapping[str, str]) -> str:
    """Replaces blocks of a document; those that it lacks are put at its end, in order.

    Args:
        document: The text as it is.
        blocks: From the name of a block to its new content.
    """
    for name, content in blocks.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        block = f"{begin}\n{content.strip()}\n{end}"
        heading = f"## {_HEADINGS[name]}\n\n" if name in _HEADINGS else ""
        pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
        if pattern.search(document):
            document = pattern.sub(lambda _, block=block: block, document)  # type: ignore[misc]
        else:
            document = f"{document.rstrip()}\n\n{heading}{block}\n".lstrip()
    return document


def details_of(document: Path) -> Path:
    """Returns the document of details that stands beside a page."""
    return document.with_name(f"{document.stem}-details{document.suffix}")


def blocks(
    study: Study, command: str, figures: Collection[str], document: Path, fast: Study | None = None
) -> dict[Path, dict[str, str]]:
    """Returns what the data says, block by block, for the page and for its details.

    Args:
        study: The results.
        command: How this was made, to be shown.
        figures: The names of the figures that there are, in the folder `figures` beside the documents.
        document: The page.
        fast: Results of faster styles, for claims of later papers; none if they are not asked for.
    """
    tested = findings(study)
    later = findings(fast, LATER) if fast else []
    derived = guidelines(study, COMPARISONS)
    details = details_of(document)
    page = {
        "measured": _measured(study, command),
        "verdicts": verdicts(tested, details.name),
        "failed": _failed(tested, details.name),
        "advice": advice(derived),
        **({"later": _later_in_short(later, details.name)} if later else {}),
    }
    whole = {
        "data": _data(study, command),
        "causes": _causes(study),
        "summary": _summary(tested),
        **{finding.claim.name: _claim(study, finding, derived, figures) for finding in tested},
        "sources": _sources(study),
        "guidelines": _guidelines(derived),
        **({"later": _later(later)} if later else {}),
    }
    return {document: page, details: whole}


def figures_of_claims() -> list[str]:
    """Returns the names of the figures that the document shows."""
    return list(dict.fromkeys(name for claim in CLAIMS for name in claim.figures))


def pairs_of(study: Study) -> pd.DataFrame:
    """Returns the pairs of all comparisons.

    Raises:
        AnalysisError: There are none, and so nothing to be found.
    """
    pairs = pd.concat([study.pairs(comparison) for comparison in COMPARISONS])
    if pairs.empty:
        raise AnalysisError(NO_PAIRS)
    return pairs


def _measured(study: Study, command: str) -> str:
    frame = study.frame
    stopped, once = (int(found.sum()) for found in (frame["status"] == "timeout", frame["n_samples"] == 1))
    pairs = pairs_of(study)
    together = pairs["one_session"].groupby(pairs["model"].isin(words.CPU)).mean()
    named = words.present(frame["graph"])
    graphs = words.listed(named) if len(named) <= _GRAPHS else words.counted(len(named), "graph")
    shares = [f"{share:.0%} on {'CPUs' if cpu else 'GPUs'}" for cpu, share in together.items()]
    return (
        f"{words.listed(words.present(frame['machine']))}: {graphs}. "
        f"{len(frame):,} jobs of {frame['program'].nunique():,} programs in "
        f"{words.counted(frame['session'].nunique(), 'session')}; samples per job: {frame['n_samples'].median():g} in "
        f"the median, one for {once:,}. {stopped:,} were cut off: their ratios are bounds. "
        f"Of the pairs, {words.listed(shares)} are of one session. "
        f"Blocks like this one are written by `{command}`."
    )


def in_words(study: Study) -> str:
    """Returns claims below their verdicts, for a terminal.

    Raises:
        AnalysisError: There are no pairs.
    """
    pairs_of(study)
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", verdicts(findings(study), "")).replace("**", "")


def verdicts(tested: Sequence[Finding], details: str) -> str:
    """Returns claims below their verdicts, as the page lists them; `details` is the name of the page of details."""
    lines = []
    for verdict, heading in VERDICTS.items():
        if some := [finding for finding in tested if finding.verdict == verdict]:
            lines += [f"**{heading}**", "", *(_line(finding, details) for finding in some), ""]
    return "\n".join([*lines, chance(tested)])


def _line(finding: Finding, details: str) -> str:
    first, *rest = (f"{evidence.statement}: {evidence.in_short}" for evidence in finding.core)
    title = first.split(", ")[0] + ", "  # the comparison is named once
    core = "; ".join([first, *(each.removeprefix(title) for each in rest)])
    if len(finding.core) > _FEW_PARTS:
        core = f"{finding.claim.title}: {_parts(finding.core)}"
    counts = finding.counts
    others = f"; others: {counts['yes']} of {counts.total()}" if counts else ""
    return f"- [{finding.claim.name}]({details}#{_anchor(finding)}) {core}{others}."


def _parts(core: Sequence[Evidence]) -> str:
    """Returns how many parts of a claim hold, and which do not."""
    holding = sum(part.answer == "yes" for part in core)
    against = [f"{part.statement}: {part.in_short}" for part in core if part.answer in AGAINST]
    left = len(core) - holding - len(against)
    said = [f"{holding} of {len(core)} parts hold", *([f"{left} {'is' if left == 1 else 'are'} open"] if left else [])]
    return "; ".join([", ".join(said), *(f"not {each}" for each in against)])


def _later_in_short(tested: Sequence[Finding], details: str) -> str:
    """Returns how many claims of later papers there are of each verdict, and which."""
    said = []
    for verdict, heading in VERDICTS.items():
        if names := [finding.claim.name for finding in tested if finding.verdict == verdict]:
            said.append(f"**{heading.partition(':')[0]}**: {words.listed(names)}.")
    return " ".join([*said, f"[What was found]({details}#what-later-papers-found)"])


def _later(tested: Sequence[Finding]) -> str:
    """Lists claims below their verdicts, each with all that was found: they have no page of details."""
    lines = []
    for verdict, heading in VERDICTS.items():
        if judged := [finding for finding in tested if finding.verdict == verdict]:
            lines += [f"**{heading}**", ""]
            for finding in judged:
                claim = finding.claim
                lines.append(f"- **{claim.name}** ({claim.where}) {claim.paper}")
                found = _by_statement(finding.evidence)
                lines += [f"    - {statement}: {_on_machines(some)}." for statement, some in found.items()]
            lines.append("")
    return "\n".join(lines)


def _by_statement(evidence: Sequence[Evidence]) -> dict[str, list[Evidence]]:
    """Returns what machines found of each statement."""
    found: dict[str, list[Evidence]] = {}
    for each in evidence:
        found.setdefault(each.statement.removesuffix(f" ({each.machine})"), []).append(each)
    return found


def _on_machines(found: Sequence[Evidence]) -> str:
    """Returns what was found of a statement, machine by machine."""
    short = words.short_machines([each.machine for each in found])
    return "; ".join(f"{each.found}{f' on the {short[each.machine]}' if each.machine else ''}" for each in found)


def _failed(tested: Sequence[Finding], details: str) -> str:
    lines = []
    for finding in tested:
        failed, title = [], ""
        for found in (found for found in finding.evidence if found.answer == "no"):
            value = found.remark if isnan(found.value) else words.number(found.value)
            failed.append(f"{found.statement.removeprefix(title)}: {value}")
            title = found.statement.split(", ")[0] + ", "  # the comparison is named once
        if len(failed) > _TOLD:
            failed = [*failed[:_TOLD], f"{len(failed) - _TOLD} more"]
        if failed:
            lines.append(f"- [{finding.claim.name}]({details}#{_anchor(finding)}) {'; '.join(failed)}.")
    return "\n".join(lines)


def advice(derived: Sequence[Guideline]) -> str:
    """Returns what guidelines come to, as the page lists it."""
    lines = []
    for model, name in words.MODELS.items():
        said: dict[str, list[str]] = {"prefer": [], "equal": []}
        for found in (found for found in derived if found.model == model):
            title, clear = found.comparison.title, found.advice in found.comparison.labels
            told = f"{found.advice} ({title}: {words.median_in_words(found.summary)})" if clear else title
            told = found.whom if found.advice == "for some algorithms" else told
            said.setdefault("prefer" if clear else found.advice, []).append(told)
        unclear = said.pop("unclear", [])
        lines += [f"- {name}, {what}: {'; '.join(dict.fromkeys(titles))}." for what, titles in said.items() if titles]
        lines += [f"- {name}, unclear: {words.counted(len(unclear), 'comparison')}."] if unclear else []
    return "\n".join(lines)


def _data(study: Study, command: str) -> str:
    statuses = tables.status_table(study.frame)[["machine", "model", "status", "jobs"]]
    rows = [
        f"- {machine}: {model}, {count:,} jobs {status.replace('timeout', 'timed out')}"
        for machine, model, status, count in statuses.itertuples(index=False)
    ]
    return "\n".join(
        [
            f"Blocks between comments are written by `{command}`.",
            "",
            *rows,
            *(f"- {note}" for note in study.notes),
            "",
            _markdown(tables.properties_table(study.graphs)),
            "",
            STATISTICS,
        ]
    )


def _causes(study: Study) -> str:
    """Returns the medians on CPUs of pairs told apart by what the program does for a minimum."""
    rows = []
    for title in (NODUP, FLOW):
        pairs = study.pairs(comparison_of(title))
        pairs = pairs[pairs["model"].isin(words.CPU) & pairs["algorithm"].isin(RELAXATIONS)]
        updates = [pairs.get(f"update_{side}", pairs.get("update")) for side in SIDES]  # a pair may differ in it
        told = pd.Series([" over ".join(dict.fromkeys(pair)) for pair in zip(*updates, strict=True)], pairs.index)
        found = {update: summarise_pairs(pairs[told == update]) for update in sorted(told.unique())}
        rows += [[title, update, words.in_words(summary)] for update, summary in found.items()]
    best = fastest(study.classic)
    best = best[best["model"].isin(words.CPU)]
    if best.empty:
        return "No CPU program was measured."
    lists = int((best["driver"] == "data").sum())
    return (
        f"{_table(['OpenMP and C++ threads, BFS, CC and SSSP', 'update', 'median [95 % interval]'], rows)}\n\n"
        f"Of the {len(best)} best CPU programs, {lists or 'none'} {'use' if lists > 1 else 'uses'} a worklist."
    )


def _summary(tested: Sequence[Finding]) -> str:
    heads = ["claim", "about", "still holds?", "core check", *(f"others: {answer}" for answer in tables.ANSWERS)]
    rows = [
        [
            f"[{finding.claim.name}](#{_anchor(finding)})",
            finding.claim.title,
            f"**{finding.verdict}**",
            "; ".join(f"{core.statement}: {core.found}" for core in finding.core),
            *(str(finding.counts[answer]) for answer in tables.ANSWERS),
        ]
        for finding in tested
    ]
    return f"{chance(tested)}\n\n{_table(heads, rows)}"


def _claim(study: Study, finding: Finding, derived: Sequence[Guideline], figures: Collection[str]) -> str:
    claim = finding.claim
    checks = [*claim.core, *claim.checks]
    titles = list(dict.fromkeys(check.comparison for check in checks if hasattr(check, "comparison")))
    said = [found for found in derived if found.comparison.title in titles]
    rows = [[evidence.statement, evidence.answer, f"{evidence.n:,}", evidence.found] for evidence in finding.evidence]
    return "\n".join(
        [
            f"## {_heading(finding)}",
            "",
            f"**The paper** ({claim.where}): {claim.paper}",
            "",
            f"**Still holds?** {finding.verdict}. {_deciding(finding)} the others refine it.",
            "",
            *(f"- {found.comparison.title}, {found.sentence}" for found in said),
            *(f"- {title}, {caveat}" for title in titles for caveat in _caveats(study, title)),
            "",
            _table(["statement", "holds", "n", "found [95 % interval]"], rows),
            "",
            *_by_graph(study, said),
            *(_codes(study) if "speedups" in claim.figures else []),
            *(f"![{claim.title}](figures/{name}.png)" for name in claim.figures if name in figures),
        ]
    )


def _deciding(finding: Finding) -> str:
    """Says which statements of a table decide."""
    parts = len(finding.core)
    return "The first statement decides," if parts == 1 else f"The first {parts} statements decide together,"


def _caveats(study: Study, title: str) -> list[str]:
    comparison = comparison_of(title)
    return comparison.caveats(study.pairs(comparison))


def _by_graph(study: Study, derived: Sequence[Guideline]) -> list[str]:
    """Returns the medians graph by graph, as the lines of a table: a row a comparison and model."""
    graphs = list(study.graphs["graph"])
    rows = []
    for found in derived:
        pairs = study.pairs(found.comparison)
        inside = pairs[(pairs["model"] == found.model) & (pairs["machine"] == found.machine)]
        medians = {graph: words.median_in_words(summary) for graph, summary in summaries_by(inside, "graph").items()}
        row = [found.comparison.title, words.MODELS[found.model], *(medians.get(graph, "") for graph in graphs)]
        rows.append([*row, words.median_in_words(found.summary)])
    return [_table(["median [95 % interval]", "model", *graphs, "all graphs"], rows), ""] if rows else []


def _codes(study: Study) -> list[str]:
    """Returns the average speedups over each of the other codes, as the lines of a table, if there are any."""
    if study.speedups is None or study.speedups.empty:
        return []
    found = speedup_table(study.speedups).rename(index=words.MODELS, level="model").reset_index()
    heads = {"model": "speedup of the best styles", "code": "over", "geomean": "geometric mean"}
    return [_markdown(found.rename(columns=heads)), "", OTHERS, ""]


def _sources(study: Study) -> str:
    """Returns what effects are made of: rounds and the time of one; which choices depend on each other; a rule."""
    rows = []
    for comparison in COMPARISONS:
        pairs = study.pairs(comparison)
        for model in words.present(pairs["model"]):
            parts = by_rounds(pairs[pairs["model"] == model])
            if parts and max(parts[0], 1 / parts[0]) > _AS_MANY:
                rounds, one, n = parts
                shown = [words.number(value) for value in (rounds * one, rounds, one)]
                rows.append([comparison.title, words.MODELS[model], *shown, f"{n:,}"])
    heads = ["comparison", "model", "ratio", "fewer rounds", "shorter rounds", "pairs"]
    said = [
        "A ratio is that of rounds times that of the time of one, here in geometric means. What is not in the table "
        f"has as many rounds either way, within {_AS_MANY - 1:.0%}.",
        *([_table(heads, rows)] if rows else []),
    ]
    if rule := by_degree(study.pairs(comparison_of("thread over warp")), study.graphs):
        right, degree, graphs = rule
        said.append(
            f"A thread up to an average degree of {degree:.2g}, a warp beyond: if each of {graphs} graphs is left out "
            f"when that degree is learnt, this is the faster style there, in the median, in {right:.0%} of cases, each "
            f"an algorithm on a graph."
        )
    return "\n\n".join([*said, depending(study.explained)])


def _guidelines(derived: Sequence[Guideline]) -> str:
    rows = [
        [found.comparison.title, words.MODELS[found.model], found.advice, words.median_in_words(found.summary)]
        for found in derived
    ]
    return _table(["comparison", "model", "advice", "median [95 % interval]"], rows)


def _heading(finding: Finding) -> str:
    return f"{finding.claim.name}. {finding.claim.title}"


def _anchor(finding: Finding) -> str:
    """Returns the anchor that Markdown renderers give to a heading."""
    return re.sub(r"[^\w\- ]", "", _heading(finding).lower()).replace(" ", "-")


def _markdown(table: pd.DataFrame) -> str:
    rows = [[_text(value) for value in row] for row in table.itertuples(index=False)]
    return _table([str(column) for column in table.columns], rows)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _text(value: object) -> str:
    if isinstance(value, float):
        return "-" if pd.isna(value) else f"{value:,.0f}" if abs(value) >= 1000 else words.number(value)
    return str(value)
