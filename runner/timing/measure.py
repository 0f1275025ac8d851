"""Runs one program on several graphs in one process, so that its start and its device are paid for once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runner.errors import RunnerError
from runner.jobs.programs import GPU_MODELS
from runner.machine.conditions import Conditions, observe
from runner.process.execute import execute
from runner.process.limits import Limits
from runner.results.records import Record, Status, blank_record
from runner.timing.judge import confirm, judge_end, judge_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from runner.jobs.plan import Job
    from runner.process.execute import Line


@dataclass(frozen=True)
class Settings:
    """What is the same for all jobs of a session."""

    session: str
    timeout_s: float
    memory_bytes: int | None = None

    def limits(self, model: str) -> Limits:
        """Returns the limits of programs of a model; CUDA reserves far more memory than it uses, so it has none."""
        return Limits(None if model in GPU_MODELS else self.memory_bytes)


def measure(
    jobs: Sequence[Job], references: Sequence[Path], settings: Settings, keep: Callable[[Record], None]
) -> list[Job]:
    """Runs one program once, and hands over each record as soon as it is certain.

    Args:
        jobs: one program on different graphs.
        references: the file of each job's reference, or none at all.
        settings: of the session.
        keep: is given the records, at least one, in the order of the jobs.

    Returns:
        The jobs that a crash, a hang or a garbled line has left without a record: they need another process.

    Raises:
        RunnerError: the program is not there any more, for which no record should blame it.
    """
    program, parameters = jobs[0].program, jobs[0].parameters
    command = [str(program.binary), *(str(job.graph.path) for job in jobs), *parameters.arguments()]
    command += [word for path in references for word in ("--reference", str(path))]
    listener = _Listener(jobs, settings.session, keep)
    try:
        outcome = execute(
            command,
            settings.timeout_s,
            listener.hear,
            limits=settings.limits(program.model),
            environment=parameters.environment(),
        )
    except OSError as error:
        if not program.binary.exists():
            raise RunnerError(f"{program.binary} is gone: give the same command again") from None
        keep(blank_record(jobs[0], settings.session, Status.CRASHED, f"it cannot be started: {error.strerror}"))
        return list(jobs[1:])
    if listener.last:
        keep(confirm(listener.last, outcome, listener.exit_code, settings.timeout_s))
    elif not listener.garbled:
        keep(judge_end(listener.blank(), outcome, settings.timeout_s).model_copy(update=listener.conditions()))
        listener.judged += 1
    return list(jobs[listener.judged :])


@dataclass
class _Listener:
    """Turns the lines of a process, one a graph and in their order, into records.

    The last graph's record waits for the process to end, for its exit code to confirm it.

    Attributes:
        judged: how many jobs have their record, `last` included.
        last: the record that waits.
        exit_code: what the process must end with, by what it has said so far.
        garbled: whether a line was not what it should be, and the next ones cannot be told apart.
    """

    jobs: Sequence[Job]
    session: str
    keep: Callable[[Record], None]
    judged: int = 0
    last: Record | None = None
    exit_code: int = 0
    garbled: bool = False

    def blank(self) -> Record:
        return blank_record(self.jobs[self.judged], self.session, Status.CRASHED)

    def conditions(self) -> dict[str, Conditions]:
        return {"conditions": observe(gpu=self.jobs[0].program.model in GPU_MODELS)}

    def hear(self, line: Line) -> bool:
        """Takes a line; returns whether the process may go on."""
        if self.last:
            return False  # it has said all there is to say
        job = self.jobs[self.judged]
        record = judge_line(self.blank(), str(job.graph.path), line).model_copy(update=self.conditions())
        self.judged += 1
        self.exit_code = self.exit_code or record.exit_code or 0
        self.garbled = record.exit_code is None
        if self.garbled or self.judged < len(self.jobs):
            self.keep(record)
        else:
            self.last = record
        return not self.garbled
