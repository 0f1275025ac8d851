"""Runs a program on graphs and tells, graph by graph, how it went, whatever becomes of the program."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from generator.errors import UserError
from runner.process.execute import Line, Stop, execute
from trust.tools import Tool, environment_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_DETAIL = 160  # characters of a message that are kept

_USAGE, _NO_RESOURCES = 2, 4  # exit codes of programs
_FAULT = re.compile(  # what a kernel has done, not what the machine lacks
    "illegal memory access|illegal instruction|misaligned address|invalid program counter|address space|stack error"
    "|launch failure|launch timed out|device-side assert|has not reported"
)

STATUSES = ("verified", "wrong", "failed", "crashed", "timeout")


@dataclass(frozen=True)
class Observation:
    """How a program did on one graph.

    Attributes:
        graph: the name of the graph.
        status: verified, wrong, failed (it gave up with a message, as for memory), crashed or timeout.
        detail: what was wrong.
        rounds: of the last repetition, None without a result.
        checksum: of the bytes of the last result, None without one.
    """

    graph: str
    status: str
    detail: str = ""
    rounds: int | None = None
    checksum: str | None = None


@dataclass(frozen=True)
class Report:
    """What came of a program: an observation a graph, and all that it and the tools that it ran under said."""

    observations: list[Observation]
    words: str

    def finding(self, tool: Tool) -> str | None:
        """Returns what a tool found first, if anything."""
        match = tool.finding.search(self.words) if tool.finding else None
        return match[1].strip() if match else None


def observe(
    binary: Path,
    graphs: Sequence[Path],
    options: Sequence[str],
    tool: Tool,
    *,
    timeout_s: float,
    patience: int = 1_000_000,
    references: Mapping[Path, Path] | None = None,
) -> Report:
    """Runs a program on graphs; where it dies or hangs, go on with the next graph.

    Args:
        binary: the program.
        graphs: `.egr` files.
        options: of the program.
        tool: what it runs under.
        timeout_s: seconds a graph, of a program without a tool.
        patience: after so many graphs on which it hung, give up on the others.
        references: of each graph, the file with the serial result; without, the program computes its own.

    Raises:
        UserError: it does not take the options.
    """
    left = list(graphs)
    observations: list[Observation] = []
    words = ""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        prefix = [word.replace("{log}", str(log)) for word in tool.prefix]
        while left and sum(each.status == "timeout" for each in observations) < patience:
            said: list[bytes] = []
            done: list[Observation] = []

            def take(line: Line, done: list[Observation] = done, said: list[bytes] = said) -> bool:
                said.append(line.stderr)
                if line.text.startswith(b"{"):
                    done.append(_observation(line.text))
                return True

            command = [*prefix, str(binary), *map(str, left), *options]
            command += [word for graph in left if references for word in ("--reference", str(references[graph]))]
            outcome = execute(command, timeout_s * tool.slowdown, take, environment=environment_of(tool))
            said.append(outcome.stderr)
            if len(done) < len(left):
                graph = left[len(done)].stem
                message = b"".join(said).decode(errors="replace").strip()
                if outcome.stopped is Stop.TIMEOUT:
                    done.append(Observation(graph, "timeout", f"no result in {timeout_s * tool.slowdown:g} s"))
                elif outcome.exit_code == _USAGE:
                    raise UserError(f"{binary}: {message}")
                else:
                    gave_up = outcome.exit_code == _NO_RESOURCES and not _FAULT.search(message)
                    detail = f"exit code {outcome.exit_code}: {message[-_DETAIL:]}"
                    done.append(Observation(graph, "failed" if gave_up else "crashed", detail))
            observations += done
            left = left[len(done) :]
            words += b"\n".join([*said, b""]).decode(errors="replace")
            if log.exists():
                words += log.read_text(encoding="utf-8", errors="replace")
                log.unlink()
    return Report(observations, words)


def _observation(line: bytes) -> Observation:
    record = json.loads(line)
    graph = Path(record["graph"]).stem
    if "rounds" not in record:
        return Observation(graph, "failed", record["error"][:_DETAIL])
    status = "wrong" if record["verified"] is False else "verified"
    return Observation(graph, status, record.get("error", "")[:_DETAIL], record["rounds"], record["checksum"])
