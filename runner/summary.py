"""Tables of what a sweep has found, by model and algorithm."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from runner.progress import STYLES
from runner.results.records import FAILURES, Record, Status, is_told

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pydantic import JsonValue

    from runner.jobs.plan import Job
    from runner.sweeps.request import Sweep

_MAX_FAILURES = 20
_MAX_CAUSE = 200  # characters
_MANY_TIMEOUTS = 0.05  # a share of the jobs
_STATES = {"done": "green", "failed": "red", "stale": "magenta", "missing": "yellow"}


def has_failures(records: Iterable[Record]) -> bool:
    """Whether any program gave a wrong result, crashed or did not compile."""
    return any(record.status in FAILURES for record in records)


def tabulate_results(records: Sequence[Record]) -> Table:
    """Counts results by model, algorithm and status, the worst first."""
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


def summarise(sweep: Sweep) -> dict[str, JsonValue]:
    """Returns what came of a sweep, for a script."""
    counts = Counter(record.status for record in sweep.records)
    return {
        "sessions": [*sweep.sessions],
        "jobs": len(sweep.records),
        "statuses": {status: counts[status] for status in Status if counts[status]},
        "noisy": sum(bool(record.noisy) for record in sweep.records),
        "phases_s": {**sweep.overhead.phases_s},
        "samples_s": sweep.overhead.samples_s,
        "failures": [
            record.model_dump(mode="json", include={"program", "graph", "status", "reason", "error"})
            for record in sweep.records
            if record.status in FAILURES
        ],
    }


def tell_timeouts(records: Sequence[Record]) -> str:
    """Says how many jobs the timeout has cut off, if these are more than a few."""
    cut_off = sum(record.status is Status.TIMEOUT for record in records)
    if cut_off <= _MANY_TIMEOUTS * len(records):
        return ""
    return (
        f"{cut_off} of {len(records)} jobs ({cut_off / len(records):.0%}) were cut off by the timeout: "
        "--retry timeout with a longer --timeout times them"
    )


def list_failures(records: Iterable[Record]) -> Text:
    """Name the first failures, the worst first, and say what went wrong."""
    order = list(Status)
    failures = sorted((record for record in records if record.status in FAILURES), key=lambda r: order.index(r.status))
    text = Text()
    for record in failures[:_MAX_FAILURES]:
        text.append(f"{record.status:<13} ", STYLES[record.status])
        text.append(f"{record.program} on {record.graph}: {record.reason}{_cause(record)}\n")
    if len(failures) > _MAX_FAILURES:
        text.append(f"and {len(failures) - _MAX_FAILURES} more\n")
    return text


def _cause(record: Record) -> str:
    """Returns, after a colon, the first error that the program or the compiler told, unless the reason has it."""
    lines = (record.error or "").splitlines()
    line = next((line for line in lines if "error" in line), lines[0] if lines else "")  # compilers lead up to it
    said = line.strip().removeprefix(f"{record.program}: error: ")
    if not said or is_told(record.reason, said):
        return ""
    return f": {said if len(said) <= _MAX_CAUSE else said[: _MAX_CAUSE - 3] + '...'}"


def tabulate_plan(jobs: Sequence[Job], records: Mapping[str, Record]) -> Table:
    """Counts what is done, failed, stale and missing of a plan, by model, algorithm and, if several, machine."""
    counts = _count_plan(jobs, records)
    several = len({job.machine for job in jobs}) > 1
    table = Table(*(["machine"] if several else []), "model", "algorithm")
    for state, style in _STATES.items():
        table.add_column(state, justify="right", style=style)
    for group in sorted({key[:3] for key in counts}):
        table.add_row(*group[0 if several else 1 :], *(str(counts[*group, state] or "") for state in _STATES))
    return table


def list_plan(jobs: Iterable[Job], records: Mapping[str, Record]) -> list[dict[str, str | int]]:
    """Returns what `tabulate_plan` shows, for a script."""
    columns = ("machine", "model", "algorithm", "state")
    return [dict(zip(columns, key, strict=True)) | {"jobs": n} for key, n in _count_plan(jobs, records).items()]


def _count_plan(jobs: Iterable[Job], records: Mapping[str, Record]) -> Counter[tuple[str, str, str, str]]:
    """Counts the jobs of a plan by machine, model, algorithm and state.

    Stale is a job without a result that has one of the same program on the same graph and machine, measured before
    the source, the graph, the compiler or the parameters changed.
    """
    known = {(record.program, record.graph, record.machine) for record in records.values()}
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for job in jobs:
        record = records.get(job.key)
        if record is not None:
            state = "failed" if record.status in FAILURES else "done"
        else:
            state = "stale" if (job.program.name, job.graph.name, job.machine) in known else "missing"
        counts[job.machine, job.program.model, job.program.algorithm, state] += 1
    return counts
