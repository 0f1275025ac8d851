"""Tables of what a sweep has found, by model and algorithm."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from runner.progress import STYLES
from runner.records import FAILURES, Record, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from runner.plan import Job

_MAX_FAILURES = 20


def has_failures(records: Iterable[Record]) -> bool:
    """Whether any program gave a wrong result, crashed or did not compile."""
    return any(record.status in FAILURES for record in records)


def tabulate_results(records: Sequence[Record]) -> Table:
    """Count results by model, algorithm and status, the worst first."""
    counts = Counter((record.model, record.algorithm, record.status) for record in records)
    seen = [status for status in Status if any(key[2] is status for key in counts)]

    def badness(group: tuple[str, str]) -> list[int]:
        return [-counts[*group, status] for status in Status if status is not Status.VERIFIED]

    table = Table("model", "algorithm")
    for status in seen:
        table.add_column(status.replace("_", " "), justify="right", style=STYLES[status])
    groups = sorted({(record.model, record.algorithm) for record in records})
    for model, algorithm in sorted(groups, key=badness):
        table.add_row(model, algorithm, *(str(counts[model, algorithm, status] or "") for status in seen))
    return table


def list_failures(records: Iterable[Record]) -> Text:
    """Name the first failures, the worst first, and say what went wrong."""
    order = list(Status)
    failures = sorted((record for record in records if record.status in FAILURES), key=lambda r: order.index(r.status))
    text = Text()
    for record in failures[:_MAX_FAILURES]:
        text.append(f"{record.status:<13} ", STYLES[record.status])
        text.append(f"{record.program} on {record.graph}: {record.reason}\n")
    if len(failures) > _MAX_FAILURES:
        text.append(f"and {len(failures) - _MAX_FAILURES} more\n")
    return text


def tabulate_plan(jobs: Iterable[Job], records: Mapping[str, Record]) -> Table:
    """Count what is done, failed and missing of a plan, by model and algorithm."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for job in jobs:
        record = records.get(job.key)
        state = "missing" if record is None else "failed" if record.status in FAILURES else "done"
        counts[job.program.model, job.program.algorithm, state] += 1
    table = Table("model", "algorithm")
    for state, style in (("done", "green"), ("failed", "red"), ("missing", "yellow")):
        table.add_column(state, justify="right", style=style)
    for model, algorithm in sorted({key[:2] for key in counts}):
        row = (counts[model, algorithm, state] for state in ("done", "failed", "missing"))
        table.add_row(model, algorithm, *(str(count or "") for count in row))
    return table
