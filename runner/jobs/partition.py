"""A partition from a file: the part of each vertex of a graph, one a line, as METIS writes it."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from runner.errors import RunnerError
from runner.jobs.graphs import Graph, check_file

_SHOWN = 20  # characters of a line that is no part


class Partition(BaseModel):
    """Who owns each vertex of a graph, by a file."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    name: str
    """Name of the file."""
    sha256: str
    """Its content."""
    graph_sha256: str
    """Content of the graph that it is about."""
    path: Path | None = Field(default=None, exclude=True)  # where it lies is nobody else's business


def open_partition(file: Path, graphs: Sequence[Graph], parts: int | None) -> Partition:
    """Reads a partition, and checks it as programs do: they would refuse it one by one.

    Args:
        file: the number of a part in each line.
        graphs: of the sweep, which must be one.
        parts: how many the graph is divided into.

    Raises:
        RunnerError: the file cannot be read or does not fit the graph and the parts.
    """
    where = f"--partition {file}"
    if len(graphs) != 1:
        raise RunnerError(f"{where}: a partition is of one graph, not of {len(graphs)}: give one --graphs")
    if parts is None:
        raise RunnerError(f"{where}: say by --gpus how many parts it is for")
    (graph,) = graphs
    check_file(file, where)
    try:
        content = file.read_bytes()
    except OSError as error:
        raise RunnerError(f"{where}: cannot be read: {error.strerror}") from None
    lines = content.removesuffix(b"\n").split(b"\n") if content else []
    for word in Counter(lines):  # millions of lines are a few words
        if not (word.isdigit() and len(word) < 10 and int(word) < parts):
            shown = word[:_SHOWN].decode(errors="replace")
            raise RunnerError(
                f"{where} line {lines.index(word) + 1}: {shown!r} is not a part from 0 to {parts - 1}; "
                "--gpus says how many there are"
            )
    if len(lines) != graph.vertices:
        raise RunnerError(f"{where}: has {len(lines)} lines, but {graph.name} has {graph.vertices} vertices")
    return Partition(
        name=file.name, sha256=hashlib.sha256(content).hexdigest(), graph_sha256=graph.sha256, path=file.absolute()
    )
