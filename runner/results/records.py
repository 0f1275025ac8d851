"""The results of jobs on disk: JSON Lines that survive a kill at any moment, one writer at a time."""

import os
import statistics
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from runner.errors import RunnerError, warn
from runner.jobs.plan import Job, Parameters
from runner.machine.conditions import Conditions


class Status(StrEnum):
    """What became of a job; from worst to best."""

    WRONG = "wrong"
    CRASHED = "crashed"
    COMPILE_ERROR = "compile_error"
    TIMEOUT = "timeout"
    REFUSED = "refused"
    SKIPPED = "skipped"
    VERIFIED = "verified"


FAILURES = frozenset({Status.WRONG, Status.CRASHED, Status.COMPILE_ERROR})
"""What makes a sweep fail; a timeout, a refusal or a skip is a finding, not a fault."""


NOISY = 0.1
"""Spread of samples from which on a record is flagged."""


Count = Annotated[int, Field(ge=0, lt=2**63)]
Seconds = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


class Parts(BaseModel):
    """What the parts of a divided graph came to, in their order, in a repetition apart from the timed ones."""

    gpu: list[Count]
    """Number of the GPU that solves each part."""
    edges: list[Count]
    """Directed edges of its vertices."""
    imbalance: float
    """Edges of the largest part over the mean."""
    memory_bytes: list[Count]
    """Memory that it holds on its GPU, which has it from the first to the last."""
    items_sent: list[Count] | None
    """Messages to other parts; None where kernels reach for values in their memory."""
    bytes_sent: list[Count] | None
    """Bytes of these messages."""
    computing_s: list[Seconds]
    """Seconds of all but communicating and waiting."""
    communicating_s: list[Seconds] | None
    """Seconds from the first message of a round until all are sent; None where kernels send while they compute."""
    waiting_s: list[Seconds]
    """Seconds for other parts."""


class Record(BaseModel):
    """One job and its result: one line of `results/*.jsonl`."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    format: Literal[1] = 1
    """Version of these fields."""
    key: str
    """Identity of the job; two records with one key would be the same measurement."""
    program: str
    """Name of the program."""
    algorithm: str
    """What it computes."""
    model: str
    """Programming model it is written in."""
    graph: str
    """Name of the graph."""
    status: Status
    """What became of the job."""
    samples_s: list[Seconds] = []
    """Seconds of every timed repetition; empty unless the program ran."""
    turns: list[int] = []
    """How many of them each turn took, in order, if the sweep took several; empty if it took one."""
    preprocessing_s: list[Seconds] = []
    """How many of them were preprocessing, such as orienting edges; empty if there was none."""
    rounds: int | None = None
    """Passes until convergence."""
    vertices: Count
    """Vertices of the graph."""
    edges: Count
    """Directed edges of the graph; throughput is edges / seconds."""
    session: str
    """The run that measured it, described in `results/sessions/SESSION.json`."""
    source_sha256: str
    """Content of the program's source; its first digits are those in `generated/MANIFEST.csv`."""
    includes: list[str] = []
    """Headers that the source names; what they hold is in the session's `headers`."""
    build_sha256: str = ""
    """All that the program was built of but its source: the runtime, the compiler and its flags."""
    graph_sha256: str
    """Content of the graph's file."""
    machine: str
    """Fingerprint of the machine; compare times only where it is the same."""
    parameters: Parameters
    """Options the program was given."""
    wall_s: float | None = None
    """Seconds from the start of the process, or the end of its previous graph, to the end of this one."""
    phases_s: dict[str, float] = {}
    """Seconds of the program's phases, by name."""
    checksum: str | None = None
    """Hash of the result."""
    peak_memory_bytes: int | None = None
    """Memory the program held for the graph and its work."""
    parts: Parts | None = None
    """What each part of the graph came to; None unless a program for several GPUs ran."""
    device: str | None = None
    """What the program ran on."""
    spread: float | None = None
    """Interquartile range of the samples over their median."""
    noisy: bool | None = None
    """Whether the spread is more than 10%, so that the time is to be taken with care."""
    conditions: Conditions | None = None
    """State of the machine just after the job."""
    exit_code: int | None = None
    """Of the process; negative: the signal that killed it."""
    reason: str | None = None
    """Why the job is not verified."""
    error: str | None = None
    """The end of what the program or the compiler wrote to stderr."""

    @model_validator(mode="after")
    def _has_times(self) -> Self:
        if self.status is Status.VERIFIED and not has_times(self.samples_s):
            raise ValueError(NO_TIMES)
        if problem := surplus(self.samples_s, self.preprocessing_s, self.parameters.reps * max(1, len(self.turns))):
            raise ValueError(problem)
        return self


NO_TIMES = "it is verified but has no times, or one of 0 s"


def has_times(samples: list[float]) -> bool:
    """Whether samples are what a verified repetition takes: there is one, and each took time."""
    return bool(samples) and min(samples) > 0


def surplus(samples: list[float], preprocessing: list[float], repetitions: int) -> str | None:
    """Says that there are more samples than repetitions, or of preprocessing than samples; None if it is not so."""
    if len(samples) > repetitions:
        return f"it has {len(samples)} samples of {repetitions} repetitions"
    if len(preprocessing) > len(samples):
        return f"it has {len(preprocessing)} times of preprocessing in {len(samples)} samples"
    return None


def add_turn(earlier: Record, latest: Record) -> Record:
    """Returns the record of a job after another turn: with the samples of all, or with what went wrong in the last."""
    if latest.status != Status.VERIFIED:
        return latest
    samples = earlier.samples_s + latest.samples_s
    spread = spread_of(samples)
    return latest.model_copy(
        update={
            "samples_s": samples,
            "turns": [*(earlier.turns or [len(earlier.samples_s)]), len(latest.samples_s)],
            "preprocessing_s": earlier.preprocessing_s + latest.preprocessing_s,
            "spread": spread,
            "noisy": None if spread is None else spread > NOISY,
        }
    )


def spread_of(samples: list[float]) -> float | None:
    """Returns the interquartile range over the median: one slow repetition of nine does not move it."""
    if len(samples) < 2 or not (middle := statistics.median(samples)):
        return None
    low, _, high = statistics.quantiles(samples, n=4, method="inclusive")
    return (high - low) / middle


def is_told(reason: str | None, said: str) -> bool:
    """Whether a line that a program wrote to stderr says no more than the reason of its record."""
    if not reason:
        return False
    cause = reason.partition(": ")[2]
    return reason in said or (cause != "" and said.endswith(cause))


def blank_record(job: Job, session: str, status: Status, reason: str | None = None) -> Record:
    """Returns the record of a job before, or without, any measurement."""
    return Record(
        key=job.key,
        program=job.program.name,
        algorithm=job.program.algorithm,
        model=job.program.model,
        graph=job.graph.name,
        status=status,
        vertices=job.graph.vertices,
        edges=job.graph.edges,
        session=session,
        source_sha256=job.program.source_sha256,
        includes=list(job.program.includes),
        build_sha256=job.build_sha256,
        graph_sha256=job.graph.sha256,
        machine=job.machine,
        parameters=job.parameters,
        reason=reason,
    )


class RecordFile:
    """Appends records to a file; each one is on disk before the next job starts."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def append(self, record: Record) -> None:
        """Writes one record, whole or not at all.

        Raises:
            RunnerError: the disk is full or fails.
        """
        line = record.model_dump_json().encode() + b"\n"
        try:
            if self._descriptor is None:
                self._descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
                _sync_directory(self._path.parent)
            start = os.fstat(self._descriptor).st_size
            if os.write(self._descriptor, line) < len(line):
                os.ftruncate(self._descriptor, start)
                raise RunnerError(f"{self._path}: no space left for the result of {record.program}")
            os.fsync(self._descriptor)
        except OSError as error:
            raise RunnerError(f"cannot write {self._path}: {error.strerror}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)


def read_records(results: Path) -> dict[str, Record]:
    """Returns all records of a results folder by key, oldest session first.

    A line that is no record is left out, with a warning that names it; an unfinished last line without.
    """
    records: dict[str, Record] = {}
    for path in _files(results):
        for number, _, record in _read_lines(path):
            if isinstance(record, Record):
                records[record.key] = record
            else:
                warn(f"{path}:{number}: left out, not a record: {record}")
    return records


def repair_records(results: Path) -> None:
    """Makes every line a record; only for who holds the lock of the folder.

    Lines that are none go to FILE.jsonl.rejected, with a warning that names them: somebody may want them back. A last
    line that a kill or a full disk left unfinished is cut off; its job is simply run again.

    Raises:
        RunnerError: a file cannot be read or written.
    """
    for path in _files(results):
        try:
            _repair(path)
        except OSError as error:
            raise RunnerError(f"cannot repair {path}: {error.strerror}") from None


def _files(results: Path) -> list[Path]:
    """Returns the files of records: no folders, and no pipes, which would be waited for."""
    return [path for path in sorted(results.glob("*.jsonl")) if path.is_file()]


def _repair(path: Path) -> None:
    lines = list(_read_lines(path))
    records = b"".join(line for _, line, record in lines if isinstance(record, Record))
    rejected = b"".join(line for _, line, record in lines if not isinstance(record, Record))
    if rejected:
        aside = path.with_name(f"{path.name}.rejected")
        with aside.open("ab") as file:
            file.write(rejected)
            file.flush()
            os.fsync(file.fileno())
        for number, _, record in lines:
            if not isinstance(record, Record):
                warn(f"{path}:{number}: set aside in {aside.name}, not a record: {record}")
    if len(records) < path.stat().st_size:
        repaired = path.with_name(f"{path.name}.tmp")
        with repaired.open("wb") as file:
            file.write(records)
            file.flush()
            os.fsync(file.fileno())
        repaired.replace(path)
        _sync_directory(path.parent)


def _read_lines(path: Path) -> Iterator[tuple[int, bytes, Record | str]]:
    """Yields the number of every finished line, the line, and its record, or what keeps it from being one."""
    *lines, _unfinished = path.read_bytes().split(b"\n")
    for number, line in enumerate(lines, start=1):
        try:
            yield number, line + b"\n", Record.model_validate_json(line)
        except ValidationError as error:
            problem = error.errors()[0]
            where = ".".join(str(part) for part in problem["loc"])
            yield number, line + b"\n", f"{where} {problem['msg']}".strip()


def _sync_directory(directory: Path) -> None:
    """Makes a new file's name as durable as its content."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
