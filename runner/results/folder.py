"""What makes a results folder explain itself: a README and the schemas of its files; and its export as one table."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from generator.files import replacing
from runner.errors import RunnerError
from runner.results.records import FAILURES, NOISY, Record, Status, read_records
from runner.results.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

_MEANINGS = {
    Status.VERIFIED: "every repetition gave the right result",
    Status.WRONG: "a repetition gave a wrong one; `reason` names the first wrong value",
    Status.CRASHED: "it ended otherwise, or said what it should not; `reason` and `error` say how",
    Status.COMPILE_ERROR: "it does not compile; `error` holds what the compiler said",
    Status.TIMEOUT: "it was not done in time and was stopped",
    Status.REFUSED: "it does not take the graph, for which its numbers may be too small; `reason` says why",
    Status.SKIPPED: "it cannot run here, for want of a device or of memory, or on such a graph, or with a partition",
}


_TITLE = "# Results of Violet\n"
"""First line of the README, by which the runner knows its own."""
_COMMENT = "Written by python -m runner, which brings it up to date"
_FOREIGN_KEYS = frozenset({"$schema", "$id"})
"""Of a schema: no runner has written them, and one of somebody else has at least one, or another title."""


def describe_results(results: Path) -> None:
    """Writes, or brings up to date, the files that explain the folder; those of somebody else stay as they are.

    Raises:
        RunnerError: they cannot be written.
    """
    texts = {"README.md": _readme(), "record.schema.json": _schema(Record), "session.schema.json": _schema(Session)}
    try:
        for name, text in texts.items():
            file = results / name
            before = file.read_bytes() if file.exists() else None
            if before is None or (_is_own(before, name) and before != text.encode()):
                file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunnerError(f"cannot write to {results}: {error.strerror}") from None


def _is_own(before: bytes, name: str) -> bool:
    """Tells whether a runner, of whatever version, wrote a file of the folder."""
    if name == "README.md":
        return before.startswith(_TITLE.encode())
    try:
        schema = json.loads(before)
    except (ValueError, RecursionError):
        return False
    title = name.partition(".")[0].capitalize()
    return isinstance(schema, dict) and schema.get("title") == title and not schema.keys() & _FOREIGN_KEYS


def load_table(results: Path) -> pd.DataFrame:
    """Returns the newest record of every job, one row each; the fields of nested objects become `parameters.reps`.

    Raises:
        RunnerError: there are none.
    """
    records = read_records(results)
    if not records:
        raise RunnerError(f"{results} holds no results")
    import pandas as pd  # here, because it takes a second and a sweep can do without

    return pd.json_normalize([record.model_dump(mode="json", exclude={"format"}) for record in records.values()])


def export_table(results: Path, out: Path) -> int:
    """Writes the newest record of every job as a table; returns how many there are.

    Raises:
        RunnerError: there are none, the file's suffix is unknown, or it cannot be written.
    """
    if out.suffix not in (".parquet", ".csv"):
        raise RunnerError(f"{out}: a table ends in .parquet or .csv")
    table = load_table(results)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with replacing(out) as place:
            if out.suffix == ".csv":
                table.to_csv(place, index=False)
            else:
                table.to_parquet(place, index=False)
    except OSError as error:
        raise RunnerError(f"cannot write {out}: {error.strerror}") from None
    except OverflowError:
        raise RunnerError(f"cannot write {out}: a record has a number of more than 64 bits; take .csv") from None
    return len(table)


def _readme() -> str:
    statuses = "\n".join(f"| `{status}` | {meaning} |" for status, meaning in _MEANINGS.items())
    failures = ", ".join(f"`{status}`" for status in Status if status in FAILURES)
    return f"""{_TITLE}
Written by `violet run`; text that any tool can read.

| file | holds |
| --- | --- |
| `*.jsonl` | one JSON object a line, the result of one job: a program on a graph; `record.schema.json` describes it |
| `sessions/*.json` | the circumstances of one run: machine, compilers, flags, commit, options; `session.schema.json` |
| `.lock`, `.lock-holder` | keep a second runner out while one is writing; a lock left by a kill is no obstacle |

A file of records has the name of its session, which begins with the time (UTC) of its start. Of several records with
one `key` the newest counts: that of the last session and, within it, the last line. A last line without an end was cut
off by a kill; the next run removes it and runs its job again.

| `status` | meaning |
| --- | --- |
{statuses}

A run that has any of {failures} ends with exit code 1.

- `samples_s` holds the seconds of every timed repetition, none left out. Throughput is `edges` / seconds.
- `noisy` says that the interquartile range of the samples exceeds {NOISY:.0%} of their median.
- Compare times only where `machine` is the same.

`violet status` says what is missing, `violet records` makes one table (parquet or CSV) of it all,
`violet figure` draws it.
"""


@cache  # it takes 0.1 s
def _schema(model: type[Record | Session]) -> str:
    return json.dumps({"$comment": _COMMENT} | model.model_json_schema(mode="serialization"), indent=2) + "\n"
