"""Every figure and table of the study, for whatever the results hold: files, and a page to explore it all."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from analysis import words
from analysis.compared.comparisons import COMPARISONS
from analysis.compared.study import Study
from analysis.defaults import Suffix
from analysis.drawn.studio import Studio
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
    frames = {table.name: table.make() for part in parts for table in part.tables}
    drawings = [drawing for part in parts for drawing in part.drawings]
    drawn = Studio(drawings, out / "figures", tuple(Suffix)).draw(jobs)
    (out / "tables").mkdir(parents=True, exist_ok=True)
    for name, frame in frames.items():
        file = out / "tables" / f"{name}.csv"
        with naming(file):
            frame.to_csv(file, index=False)
    facts = {
        **explorer.facts(study, derived),
        "claims": explorer.claims(tested),
        "said": [words.provenance(study.frame), *study.notes, RATIO, STATISTICS],
        "sections": [_section(part, drawn, frames) for part in parts],
    }
    names = explorer.programs(study)
    found = texts(names, jobs)
    sources = pack_texts([found.get(name, "") for name in names])
    page = out / "index.html"
    replace_text(page, render(facts, explorer.columns(study), sources))
    return page


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
