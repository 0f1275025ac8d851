"""One self-contained HTML page: figures as inline SVG with hover texts, sortable tables, nothing from a network."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from analysis.words import number

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Cell:
    """One cell of a table.

    Attributes:
        text: What is shown.
        value: What to sort by, if that is a number; empty if it is not known.
        number: Whether it is a number.
    """

    text: str
    value: str = ""
    number: bool = False


@dataclass(frozen=True)
class Table:
    """A table of the page.

    Attributes:
        name: Unique, also of the file.
        title: What it holds.
        frame: Its rows; floats are shown with three digits.
        open: Whether it is shown at first.
    """

    name: str
    title: str
    frame: pd.DataFrame
    open: bool = False

    @property
    def heads(self) -> list[str]:
        """The names of the columns."""
        return [str(column) for column in self.frame.columns]

    @property
    def rows(self) -> list[list[Cell]]:
        """The cells, row by row."""
        columns = [[_cell(value) for value in self.frame[column]] for column in self.frame.columns]
        return [list(row) for row in zip(*columns, strict=True)]


@dataclass(frozen=True)
class Picture:
    """A figure of the page.

    Attributes:
        name: Unique, also of the files.
        caption: What it shows.
        svg: The drawing, with ids that no other figure has.
        wide: Whether it takes the whole width.
    """

    name: str
    caption: str
    svg: Markup
    wide: bool = False


@dataclass(frozen=True)
class Section:
    """A part of the page.

    Attributes:
        name: Unique.
        title: The heading.
        where: Where the paper shows it, if it does.
        sentences: What the figures say.
        pictures: The figures.
        tables: The tables.
    """

    name: str
    title: str
    where: str
    sentences: Sequence[str]
    pictures: Sequence[Picture]
    tables: Sequence[Table]


def inline(svg: str, name: str, tips: Mapping[str, str]) -> Markup:
    """Makes an SVG file part of a page: only its root, its shapes given their hover texts, its ids made unique.

    Ids to which nothing refers are dropped.

    Args:
        svg: The content of a file that matplotlib wrote.
        name: What ids begin with.
        tips: The hover texts by id, as `canvas.hover_texts` returns them.
    """
    root = svg[svg.index("<svg") :]
    root = re.sub(r"<metadata>.*?</metadata>", "", root, flags=re.DOTALL)
    needed = {*re.findall(r'href="#([^"]+)"', root), *re.findall(r"url\(#([^)]+)\)", root), *tips}
    root = re.sub(r' id="([^"]+)"', lambda found: found[0] if found[1] in needed else "", root)
    root = re.sub(r'(?<= id=")|(?<=href="#)|(?<=url\(#)', f"{name}-", root)
    for identity, text in tips.items():
        root = root.replace(f' id="{name}-{identity}"', f' id="{name}-{identity}" data-tip="{escape(text)}"')
    return Markup(root)  # noqa: S704  # our own drawing; hover texts are escaped above


def render(sections: Sequence[Section], origin: str, notes: Sequence[str], statistics: str) -> str:
    """Writes the page.

    Args:
        sections: Its parts, in order.
        origin: Which machines and graphs.
        notes: What was left out, and why.
        statistics: How intervals were made.
    """
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    css, script = (Markup((FOLDER / name).read_text(encoding="utf-8")) for name in ("page.css", "page.js"))  # noqa: S704
    page = environment.get_template("page.html.jinja")
    return page.render(sections=sections, origin=origin, notes=notes, statistics=statistics, css=css, script=script)


def _cell(value: object) -> Cell:
    if isinstance(value, bool | np.bool_):
        return Cell("yes" if value else "no")
    if isinstance(value, int | np.integer):
        return Cell(f"{value:,}", str(value), number=True)
    if isinstance(value, float | np.floating):
        known = not np.isnan(value)
        return Cell(_float(float(value)) if known else "-", repr(float(value)) if known else "", number=True)
    return Cell("" if value is None or value is pd.NA else str(value))


def _float(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else number(value)
