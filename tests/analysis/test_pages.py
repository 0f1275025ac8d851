"""Findings and tables of ratios on pages are in step with the data, by the command that made them.

Of tables that is `violet figure FILES... --axis ...` in a fenced block above; n, medians and intervals are held
against it. A row is about the comparison whose title its first cell is.
"""

from __future__ import annotations

import math
import re
import shlex
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from analysis.compared.comparisons import COMPARISONS, Comparison
from analysis.compared.study import read_study
from analysis.statistics import Summary, summarise_pairs

if TYPE_CHECKING:
    import pandas as pd

    from tests.analysis.conftest import Run


pytestmark = pytest.mark.turns(8, 6)

ALL_RESAMPLES = True

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = ("n", "median", "interval")
COMMAND = "violet figure "


@dataclass(frozen=True)
class Row:
    """A row of a table, and where it is.

    Attributes:
        place: The page and the number of the line.
        cells: What the row has, the text of a cell by its column; the first column by `first`.
        command: What stands above the table, from the files on.
    """

    place: str
    cells: dict[str, str]
    command: str


def rows_of(page: Path) -> list[Row]:
    """Returns the rows below a command of all tables with the columns."""
    found: list[Row] = []
    command, heads = "", list[str]()
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), start=1):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced and COMMAND in line:
            command = line.split(COMMAND)[1]
        elif command.endswith("\\"):
            command = command[:-1] + line
        elif line.startswith("#") and not fenced:
            command = ""  # of the section before
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not cells:
            heads = []
        elif not heads:
            heads = ["first", *cells[1:]]
        elif set(COLUMNS) <= set(heads) and command and not set(cells[0]) <= {"-", ":"}:
            found.append(Row(f"{page.name}:{number}", dict(zip(heads, cells, strict=True)), command))
    return found


@cache
def frame_of(files: tuple[str, ...]) -> pd.DataFrame:
    return read_study([ROOT / file for file in files], min_edges=0).frame


@cache
def summary_of(comparison: Comparison, files: tuple[str, ...]) -> Summary:
    return summarise_pairs(comparison.pairs(frame_of(files)))


def rounded(value: float) -> str:
    """Returns a ratio as pages write it: two digits after the point below 2, from there on two significant ones."""
    words = f"{value:.2f}"
    if float(words) < 2:
        return words
    short = float(f"{value:.2g}")
    return f"{short:,.1f}" if short < 10 else f"{short:,.0f}"


def interval(summary: Summary) -> str:
    return "too few" if math.isnan(summary.low) else f"{rounded(summary.low)} to {rounded(summary.high)}"


def asked_by(row: Row) -> Comparison | None:
    """Returns the comparison that a row is about: that of its title."""
    return next((one for one in COMPARISONS if one.title == row.cells["first"]), None)


def stale(row: Row) -> str | None:
    """Returns the row as it should be, if it is not."""
    comparison = asked_by(row)
    if comparison is None:
        return None
    words = shlex.split(row.command)
    assert comparison.axis in words, f"{row.place}: the command above the table lacks --axis {comparison.axis}"
    summary = summary_of(comparison, tuple(word for word in words if word.endswith(".parquet")))
    right = dict(zip(COLUMNS, (f"{summary.n:,}", rounded(summary.median), interval(summary)), strict=True))
    should = row.cells | right
    return None if should == row.cells else f"{row.place}: | {' | '.join(should.values())} |"


PAGES = [page for page in sorted((ROOT / "docs").rglob("*.md")) if rows_of(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_ratios_on_pages_are_those_of_the_data(page: Path) -> None:
    wrong = [line for row in rows_of(page) if (line := stale(row))]
    assert not wrong, "these rows should be:\n" + "\n".join(wrong)


@pytest.mark.long  # and in CI
def test_findings_are_those_of_the_data(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The document says by which command it was made: that command, with --check, must find nothing to change."""
    monkeypatch.chdir(ROOT)
    (command,) = re.findall(r"`violet (findings[^`]*)`", (ROOT / "docs" / "findings.md").read_text(encoding="utf-8"))
    code, _, err = run(*shlex.split(command), "--check")
    assert (code, err) == (0, "")


def test_every_row_is_held_against_the_data() -> None:
    rows = [row for page in PAGES for row in rows_of(page)]
    assert [row for row in rows if not asked_by(row)] == []
    assert "several-gpus" in {page.stem for page in PAGES}


def test_ratios_are_written_in_one_way() -> None:
    written = {0.0384: "0.04", 0.999: "1.00", 1.994: "1.99", 1.996: "2.0", 2.66: "2.7", 9.96: "10", 8150: "8,200"}
    assert {value: rounded(value) for value in written} == written
