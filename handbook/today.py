"""How much of the committed measurements is of programs as they are today, for the page on measurements."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from analysis.defaults import EVERYTHING, V1
from analysis.measured import sessions
from analysis.measured.today import count
from analysis.told.document import write
from generator.files import replace_text
from generator.paths import ROOT

PAGE = ROOT / "docs" / "measurements.md"


def page(text: str) -> str:
    """Returns the page with its block written anew."""
    return write(text, {"today": block()})


def write_page() -> None:
    """Writes the block of the page."""
    replace_text(PAGE, page(PAGE.read_text(encoding="utf-8")))


def block() -> str:
    """Returns how many records there are, and how many of today's programs."""
    groups = {"the data set v1": [file for file in EVERYTHING if V1 in file.parents]}
    groups["older files"] = [file for file in EVERYTHING if V1 not in file.parents]
    rows = [
        "| records of | all | tell their program's text | text of today | headers, too |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, files in groups.items():
        if files:
            found = count((row for file in files for row in _rows(file)), sessions.read(files))
            cells = (f"{found[what]:,}" for what in ("all", "known", "text", "headers"))
            rows.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _rows(file: Path) -> list[dict[str, Any]]:
    """Returns what tells of a table's programs, which older ones do not have."""
    known = {*pq.ParquetFile(file).schema_arrow.names}
    asked = [name for name in ("program", "session", "source_sha256", "includes") if name in known]
    rows: list[dict[str, Any]] = pq.read_table(file, columns=asked).to_pylist()
    return rows
