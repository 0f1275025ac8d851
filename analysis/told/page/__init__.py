"""The page of the report: one file that holds its data, its figures' and tables' library and its own few scripts.

It opens from disk and loads nothing. The scripts are joined in the order of `SCRIPTS`; each has one job.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from bokeh.resources import Resources
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from analysis.told.page.encoding import deflate, pack
from analysis.told.page.sources import Sources

FOLDER = Path(__file__).parent

SCRIPTS = ("data", "state", "selection", "letters", "figures", "tables", "sources", "parts", "verdicts", "answers")
"""What views are made of; `views/` has the views, and `main` puts them together."""

VIEWS = {
    "answer": "What should I use?",
    "ratios": "Choices",
    "throughputs": "Times",
    "programs": "Programs",
    "two": "Two programs",
    "machines": "Two machines",
    "claims": "Claims",
    "tables": "Data",
}
"""What the page shows, answers first: names of views, which are those of scripts in `views/`, and their titles."""


def render(facts: Mapping[str, Any], columns: Mapping[str, np.ndarray], sources: Sources) -> str:
    """Writes the page.

    Args:
        facts: What the numbers in the columns stand for, and all else that the views say, fit for JSON.
        columns: As `explorer.columns` returns them.
        sources: The texts of programs.
    """
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    packed = pack(columns)
    told = {**facts, "layout": packed.layout, "lines": sources.numbers.layout}
    bokeh = Resources(  # figures, tables, and how scripts make them
        mode="inline", components=["bokeh", "bokeh-widgets", "bokeh-tables", "bokeh-api"], log_level="warn"
    )
    scripts = [*SCRIPTS, *(f"views/{name}" for name in VIEWS), "main"]
    return environment.get_template("explorer.html.jinja").render(
        views=VIEWS,
        css=_file("explorer.css"),
        scripts=[_file(f"{name}.js") for name in scripts],
        libraries=[Markup(script) for script in bokeh.js_raw],  # noqa: S704  # a library
        facts=deflate(json.dumps(told, allow_nan=False).encode()),
        columns=packed.text,
        lines=sources.lines,
        numbers=sources.numbers.text,
    )


def _file(name: str) -> Markup:
    return Markup((FOLDER / name).read_text(encoding="utf-8"))  # noqa: S704  # our own
