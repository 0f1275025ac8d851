"""What a program says about its run, and what that makes of the job."""

import signal

from pydantic import BaseModel, ValidationError

from runner.process.execute import Line, Outcome, Stop
from runner.results.records import NO_TIMES, NOISY, Parts, Record, Seconds, Status, has_times, spread_of, surplus

_ERROR_TAIL = 2000  # characters of stderr that a record keeps

_EXIT_CODES = {
    1: (Status.WRONG, "wrong result"),
    2: (Status.CRASHED, "it does not accept its command line"),
    3: (Status.REFUSED, "it does not accept the graph"),
    4: (Status.SKIPPED, "too little memory, or no working device"),
}


_NO_ROOM = (b"libgomp: Thread creation failed", b"libgomp: Out of memory")
"""What OpenMP's own runtime ends a program with, where others end with exit code 4."""


class Report(BaseModel):
    """The line of JSON that a program prints for every graph; fields that the runner does not use are allowed."""

    program: str
    graph: str
    verified: bool | None
    error: str | None = None


class Result(Report):
    """The report of a program that ran, right or wrong."""

    vertices: int
    edges: int
    rounds: int
    samples_s: list[Seconds]
    preprocessing_s: list[Seconds] = []
    verified: bool
    checksum: str | None = None
    peak_memory_bytes: int | None = None
    parts: Parts | None = None
    device: str | None = None
    threads: int | None = None
    phases_s: dict[str, Seconds] = {}


class Refusal(Report):
    """The report of a program that could not run on a graph."""

    verified: None
    exit_code: int


def judge_line(blank: Record, graph_path: str, line: Line) -> Record:
    """Completes the record of a job with the line of its graph."""
    record = blank.model_copy(update={"wall_s": line.wall_s, "error": _tail(line.stderr)})
    try:
        report = _parse(line.text)
    except ValidationError as error:
        return _with(record, Status.CRASHED, f"it printed no report: {_first_problem(error)}")
    if (report.program, report.graph) != (blank.program, graph_path):
        return _with(record, Status.CRASHED, f"the report is of {report.program} on {report.graph}")
    if isinstance(report, Refusal):
        status, reason = _by_exit_code(report.exit_code)
        return _with(record, status, f"{reason}: {report.error}" if report.error else reason).model_copy(
            update={"exit_code": report.exit_code}
        )
    return _judge_result(record, report)


def judge_end(blank: Record, outcome: Outcome, timeout_s: float) -> Record:
    """Completes the record of a job whose process ended before the line of its graph was there."""
    status, reason = _by_ending(outcome, timeout_s)
    return _with(blank, status, reason).model_copy(
        update={
            "exit_code": None if outcome.stopped else outcome.exit_code,
            "wall_s": outcome.wall_s,
            "error": _tail(outcome.stderr),
        }
    )


def confirm(record: Record, outcome: Outcome, expected_exit_code: int, timeout_s: float) -> Record:
    """Holds the last record of a process against the way it ended: a job counts as verified only if both agree."""
    if outcome.stopped is Stop.REFUSED or (outcome.stopped is None and outcome.exit_code == expected_exit_code):
        return record
    if outcome.stopped is None and outcome.exit_code in (0, 1):
        return _with(record, Status.WRONG, "its exit code and its report disagree")
    status, reason = _by_ending(outcome, timeout_s)
    return _with(record, status, f"after its report: {reason}").model_copy(update={"exit_code": outcome.exit_code})


def _parse(text: bytes) -> Result | Refusal:
    report = Report.model_validate_json(text)
    return (Refusal if report.verified is None else Result).model_validate_json(text)


def _judge_result(record: Record, result: Result) -> Record:
    if (result.vertices, result.edges) != (record.vertices, record.edges):
        reason = f"the report is of a graph with {result.vertices} vertices and {result.edges} edges"
        return _with(record, Status.CRASHED, reason)
    asked = record.parameters
    if problem := surplus(result.samples_s, result.preprocessing_s, asked.reps):
        return _with(record, Status.CRASHED, f"it printed no report: {problem}")
    if result.verified and result.threads is not None and asked.threads not in (None, result.threads):
        reason = f"it had {result.threads} of {asked.threads} threads"
        return _with(record, Status.SKIPPED, reason).model_copy(update={"exit_code": 0})
    found = result.model_dump(exclude={"program", "graph", "verified", "error", "threads"})
    spread = spread_of(result.samples_s)
    found["parts"] = result.parts
    found |= {
        "spread": spread,
        "noisy": None if spread is None else spread > NOISY,
        "exit_code": 0 if result.verified else 1,
    }
    record = record.model_copy(update=found)
    if result.verified and not has_times(result.samples_s):
        return _with(record, Status.CRASHED, f"it printed no report: {NO_TIMES}")
    if result.verified:
        return _with(record, Status.VERIFIED)
    return _with(record, Status.WRONG, result.error or "wrong result")


def _by_ending(outcome: Outcome, timeout_s: float) -> tuple[Status, str]:
    """Judges the way a process ended."""
    if outcome.stopped is Stop.TIMEOUT:
        return Status.TIMEOUT, f"not done after {timeout_s:g} s"
    if outcome.stopped is Stop.FLOOD:
        return Status.CRASHED, "it printed without end"
    code = outcome.exit_code
    if code is None:
        return Status.CRASHED, "it cannot be killed"
    if code < 0:
        return Status.CRASHED, f"killed by {_signal_name(-code)}"
    if any(text in outcome.stderr for text in _NO_ROOM):
        return _EXIT_CODES[4]
    if code in (0, 1):
        return Status.CRASHED, "it printed no report"
    return _by_exit_code(code)


def _by_exit_code(code: int) -> tuple[Status, str]:
    return _EXIT_CODES.get(code, (Status.CRASHED, f"exit code {code}"))


def _with(record: Record, status: Status, reason: str | None = None) -> Record:
    return record.model_copy(update={"status": status, "reason": reason})


def _tail(stderr: bytes) -> str | None:
    return stderr.decode(errors="replace").strip()[-_ERROR_TAIL:] or None


def _first_problem(error: ValidationError) -> str:
    problem = error.errors()[0]
    return " ".join([*(str(part) for part in problem["loc"]), problem["msg"]])


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
