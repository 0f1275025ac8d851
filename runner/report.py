"""What a program says about its run, and what that makes of the job."""

from __future__ import annotations

import signal
from typing import Annotated

from pydantic import BaseModel, Field, ValidationError

from runner.execute import Outcome, Stop
from runner.records import Record, Status

_ERROR_TAIL = 2000  # characters of stderr that a record keeps

_EXIT_CODES = {
    0: (Status.VERIFIED, None),
    1: (Status.WRONG, None),
    2: (Status.CRASHED, "it does not accept its command line"),
    3: (Status.CRASHED, "it does not accept the graph"),
    4: (Status.SKIPPED, "too little memory, or no working device"),
}

Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Report(BaseModel):
    """The line of JSON that every program prints; fields that the runner does not use are allowed."""

    program: str
    vertices: int
    edges: int
    rounds: int
    samples_s: list[Seconds]
    verified: bool
    error: str | None = None
    checksum: str | None = None
    peak_memory_bytes: int | None = None
    device: str | None = None
    phases_s: dict[str, Seconds] = {}


def judge(blank: Record, outcome: Outcome, timeout_s: float) -> Record:
    """Complete the record of a job with what its process did.

    A job counts as verified only if the exit code and the report agree on it.
    """
    status, reason = _by_ending(outcome, timeout_s)
    report = None
    if status in (Status.VERIFIED, Status.WRONG):
        try:
            report = Report.model_validate_json(outcome.stdout)
        except ValidationError as error:
            status, reason = Status.CRASHED, f"it printed no report: {_first_problem(error)}"
    if report is not None:
        status, reason = _by_report(status, report, blank)
    found = {} if report is None else report.model_dump(exclude={"program", "verified", "error"})
    found |= {
        "status": status,
        "reason": reason,
        "exit_code": None if outcome.stopped else outcome.exit_code,
        "wall_s": outcome.wall_s,
        "error": outcome.stderr.decode(errors="replace").strip()[-_ERROR_TAIL:] or None,
    }
    return blank.model_copy(update=found)


def _by_ending(outcome: Outcome, timeout_s: float) -> tuple[Status, str | None]:
    """Judge the way a process ended."""
    if outcome.stopped is Stop.TIMEOUT:
        return Status.TIMEOUT, f"not done after {timeout_s:g} s"
    if outcome.stopped is Stop.FLOOD:
        return Status.CRASHED, "it printed without end"
    code = outcome.exit_code
    if code is None:
        return Status.CRASHED, "it cannot be killed"
    if code < 0:
        return Status.CRASHED, f"killed by {_signal_name(-code)}"
    return _EXIT_CODES.get(code, (Status.CRASHED, f"exit code {code}"))


def _by_report(status: Status, report: Report, blank: Record) -> tuple[Status, str | None]:
    """Judge what a process that ended in good order says."""
    if report.program != blank.program:
        return Status.CRASHED, f"the report is of {report.program}"
    if (report.vertices, report.edges) != (blank.vertices, blank.edges):
        return Status.CRASHED, f"the report is of a graph with {report.vertices} vertices and {report.edges} edges"
    if status is Status.VERIFIED and report.verified:
        return Status.VERIFIED, None
    return Status.WRONG, report.error or "wrong result"


def _first_problem(error: ValidationError) -> str:
    problem = error.errors()[0]
    return " ".join([*(str(part) for part in problem["loc"]), problem["msg"]])


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
