"""A page to explore the results, every table of the study as a file, and every figure if asked for."""

import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis import words
from analysis.compared.comparisons import COMPARISONS
from analysis.compared.study import Study
from analysis.defaults import Suffix
from analysis.drawn.studio import Studio
from analysis.judged.answers import answers
from analysis.judged.findings import findings
from analysis.judged.guidelines import guidelines
from analysis.told import explorer
from analysis.told.page import render
from analysis.told.page.sources import pack_texts, texts
from analysis.told.sections import STATISTICS, Part, plan
from generator.errors import naming
from generator.files import replace_text

RATIO = (
    "A ratio divides the throughputs of two verified programs that differ in one style only, on the same graph and "
    "machine. Above 1, the first-named style is faster."
)


def report(
    study: Study,
    out: Path,
    jobs: int = 2,
    *,
    judged: Study | None = None,
    figures: bool = False,
    tell: Callable[[str], object] = lambda _: None,
) -> Path:
    """Writes `index.html`, `tables/*.csv` and, if asked for, `figures/*.png` and `figures/*.svg`.

    Args:
        study: The results.
        out: The directory; made if need be.
        jobs: Processes that work at the same time.
        judged: What the claims are judged by, if not by the same results.
        figures: Whether figures are drawn.
        tell: Is told what is being done.

    Returns:
        The page.
    """
    tell(f"comparing {len(study.frame):,} jobs of {study.frame['program'].nunique():,} programs")
    derived = guidelines(study, COMPARISONS)
    tell("judging claims")
    tested = findings(judged or study)
    parts = plan(study, derived, tested)
    tell("making tables")
    frames = {table.name: table.make() for part in parts for table in part.tables}
    drawings = [drawing for part in parts for drawing in part.drawings] if figures else []
    if drawings:
        tell(f"drawing {len(drawings)} figures")
    drawn = Studio(drawings, out / "figures", tuple(Suffix)).draw(jobs)
    (out / "tables").mkdir(parents=True, exist_ok=True)
    for name, frame in frames.items():
        file = out / "tables" / f"{name}.csv"
        with naming(file):
            frame.to_csv(file, index=False)
    tell("writing the page")
    facts = {
        **explorer.facts(study, derived),
        "answers": explorer.answered(study, answers(study)),
        "claims": explorer.claims(tested, words.present((judged or study).frame["machine"])),
        "judged": _judged(judged or study) + (" These are the verdicts of docs/findings.md." if judged else ""),
        "said": [words.provenance(study.frame), *study.notes, RATIO, STATISTICS],
        "sections": [_section(part, drawn, frames) for part in parts],
    }
    names = explorer.programs(study)
    found = texts(names, jobs)
    sources = pack_texts([found.get(name, "") for name in names])
    page = out / "index.html"
    replace_text(page, render(facts, explorer.columns(study), sources))
    return page


def _judged(study: Study) -> str:
    """Says by what claims are judged."""
    machines = words.listed(list(words.short_machines(words.present(study.frame["machine"])).values()))
    return f"Judged by {len(study.frame):,} jobs on {machines}, {words.counted(len(study.graphs), 'graph')}."


def _section(part: Part, drawn: Collection[str], frames: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """Returns what the page says of a part, fit for JSON."""
    return {
        "name": part.name,
        "title": part.title,
        "where": part.where,
        "sentences": part.sentences,
        "figures": [
            {"name": drawing.name, "caption": drawing.caption} for drawing in part.drawings if drawing.name in drawn
        ],
        "tables": [{"name": table.name, "title": table.title, **_rows(frames[table.name])} for table in part.tables],
    }


def _rows(frame: pd.DataFrame) -> dict[str, Any]:
    """Returns heads and rows of a table, fit for JSON: what is not known is None."""
    return {"heads": list(frame.columns), "rows": json.loads(frame.to_json(orient="values", double_precision=6))}
