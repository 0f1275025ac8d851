"""Earlier measurements: how long programs took on graphs, and what these graphs are like."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping  # noqa: TC003  # pydantic looks it up
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field

from generator.files import replace_text
from runner.errors import warn
from runner.machine.words import SHOWN, equals_counted, machine_in_words
from runner.results.records import Status, read_records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow as pa

    from runner.checkout import Checkout
    from runner.jobs.graphs import Graph

_COLUMNS = ["program", "graph", "machine", "parameters", "session", "status", "samples_s", "vertices", "edges"]
_CHANGED = ("latency", "partition", "tuning")
"""Parameters with which a time is not that of the program as others have it."""
_REAL_TYPE = re.compile(r"(?<=-)i(?=32\b|64\b)")  # of the names of programs, what those for real weights have another


def is_called(fingerprint: str, machine: str) -> bool:
    """Tells whether the machine with a fingerprint is called so: by it, or by words that end in the start of it."""
    return machine == fingerprint or machine.endswith(f"({fingerprint[:SHOWN]})")


@dataclass(frozen=True)
class Measured:
    """Times on one graph and one kind of machine.

    Attributes:
        graph: its name.
        vertices: how many it has.
        edges: how many it has, directed.
        machine: fingerprint of the machine, or words that end in the start of it.
        times_s: median seconds by program.
        stopped: programs that took too long.
        stand_ins: programs that take real weights and have the times of those that take whole ones.
    """

    graph: str
    vertices: Annotated[int, Field(ge=0, lt=2**63)]
    edges: Annotated[int, Field(ge=0, lt=2**63)]
    machine: str
    times_s: Mapping[str, Annotated[float, Field(gt=0, allow_inf_nan=False)]]
    stopped: frozenset[str] = field(default_factory=frozenset)
    stand_ins: frozenset[str] = field(default_factory=frozenset)

    def is_of(self, fingerprint: str) -> bool:
        """Tells whether this is of the machine with a fingerprint."""
        return is_called(fingerprint, self.machine)


@dataclass(frozen=True)
class Shape:
    """What a graph is like; NaN where that is not known."""

    vertices: float
    average_degree: float
    maximum_degree: float = math.nan
    diameter: float = math.nan
    clustering: float = math.nan


def read_measured(directory: Path) -> list[Measured]:
    """Returns the newest times of the tables in a folder; none if it has none.

    Those with an injected latency, or a partition from a file, are left out: they are not the program's own.
    """
    import pyarrow as pa  # here, because it takes a while
    import pyarrow.parquet as pq

    tables = []
    for path in sorted(directory.rglob("*.parquet")):
        try:
            table = pq.ParquetFile(path).read(_COLUMNS)  # `read_table` loads pandas, which takes longer
            tables.append(table.select(_COLUMNS))  # raises KeyError if there are fewer
        except (OSError, KeyError, pa.ArrowException) as error:
            warn(f"{path}: left out, no table of results: {str(error).splitlines()[0]}")
    found: dict[tuple[str, int, int, str], dict[str, float]] = {}
    stopped: dict[tuple[str, int, int, str], set[str]] = {}
    words = _machines(directory)
    rows = [row for table in tables for row in _rows(table)]
    for _, program, (graph, vertices, edges, machine), median in sorted(rows, key=lambda row: row[0]):
        place = (graph, vertices, edges, words.get(machine) or equals_counted(machine))  # older tables have words
        if math.isnan(median):
            stopped.setdefault(place, set()).add(program)
        else:
            found.setdefault(place, {})[program] = median
    return [
        Measured(*place, times, frozenset(stopped.get(place, set()) - times.keys())) for place, times in found.items()
    ]


def _machines(directory: Path) -> dict[str, str]:
    """Returns the words for machines by their fingerprints, as the sessions in a folder tell."""
    files = sorted(directory.rglob("*.sessions.json"))
    machines = [session["machine"] for path in files for session in json.loads(path.read_text(encoding="utf-8"))]
    return {machine["fingerprint"]: machine_in_words(machine) for machine in machines}


def _rows(table: pa.Table) -> Iterator[tuple[str, str, tuple[str, int, int, str], float]]:
    """Yields session, program, place and median of what was verified, and with no median of what was stopped."""
    medians = _medians(table.column("samples_s").combine_chunks())
    columns = [_values(table.column(name).combine_chunks()) for name in _COLUMNS if name != "samples_s"]
    own = {text: not any(f'"{name}"' in text for name in _CHANGED) for text in set(columns[3])}
    for program, graph, machine, parameters, session, status, vertices, edges, median in zip(
        *columns, medians, strict=True
    ):
        is_time = status == "verified" and not math.isnan(median)
        if own[parameters] and edges is not None and (is_time or status == "timeout"):
            yield session or "", program, (graph, vertices, edges, machine), median if is_time else math.nan


def _values(column: pa.Array) -> list[Any]:
    """Returns the values of a column; of words, each is made once."""
    if not hasattr(column, "dictionary"):
        return list(column.to_pylist())
    words = column.dictionary.to_pylist()
    return [None if index is None else words[index] for index in column.indices.to_pylist()]


def _medians(lists: pa.ListArray) -> list[float]:
    """Returns the median of each list, NaN of an empty one; all of one length at once."""
    values, ends = np.from_dlpack(lists.values).astype(float), np.from_dlpack(lists.offsets)  # pyarrow's loads pandas
    starts, lengths = ends[:-1], np.diff(ends)
    medians = np.full(len(lengths), np.nan)
    for length in np.unique(lengths[lengths > 0]):
        rows = np.flatnonzero(lengths == length)
        medians[rows] = np.median(values[starts[rows, None] + np.arange(length)], axis=1)
    found: list[float] = medians.tolist()
    return found


def read_shapes(directory: Path) -> dict[str, Shape]:
    """Returns what is known of measured graphs, by name, from the descriptions in a folder."""
    shapes = {}
    for path in sorted(directory.rglob("*.graphs.json")):
        for graph in json.loads(path.read_text(encoding="utf-8")):
            numbers = (graph.get(each.name) for each in fields(Shape))
            shapes[graph["name"]] = Shape(*(math.nan if number is None else float(number) for number in numbers))
    return shapes


def read_own(results: Path) -> list[Measured]:
    """Returns the verified times in a folder of records; none with a latency injected, divided by a file, or tuned."""
    found: dict[tuple[str, int, int, str], dict[str, float]] = {}
    for record in read_records(results).values() if results.is_dir() else ():
        asked = record.parameters
        if record.status is Status.VERIFIED and record.samples_s and not any(getattr(asked, name) for name in _CHANGED):
            key = (record.graph, record.vertices, record.edges, record.machine)
            found.setdefault(key, {})[record.program] = float(np.median(record.samples_s))
    return [Measured(*key, times) for key, times in found.items()]


def measure_shape(checkout: Checkout, graph: Graph) -> Shape:
    """Measures a graph, or finds what was measured before."""
    file = checkout.shapes / f"{graph.sha256}.json"
    with suppress(OSError, ValueError, TypeError, KeyError):  # of an earlier version, perhaps
        kept = json.loads(file.read_text(encoding="utf-8"))
        return Shape(*(float(kept[each.name]) for each in fields(Shape)))
    from inputs.formats import egr  # here, because they take a while
    from inputs.properties import shape

    found = shape(egr.read_any(graph.path))
    numbers = (found.vertices, found.average_degree, found.maximum_degree, found.pseudo_diameter, found.clustering)
    measured = Shape(*map(float, numbers))
    with suppress(OSError):  # it is measured again then
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_text(file, json.dumps(asdict(measured)))
    return measured


def for_real_weights(table: Measured) -> Measured:
    """Gives the times of programs also to those that take real weights and are the same in all else, if unmeasured."""
    known = table.times_s.keys() | table.stopped
    real = {_REAL_TYPE.sub("r", name): name for name in known}
    new = real.keys() - known
    times = {name: table.times_s[real[name]] for name in new if real[name] in table.times_s}
    stopped = {name for name in new if real[name] in table.stopped}
    times |= table.times_s
    return replace(table, times_s=times, stopped=table.stopped | stopped, stand_ins=frozenset(new))


def shape_of(table: Measured, shapes: Mapping[str, Shape]) -> Shape:
    """Returns what is known of the graph of a table, of which at least the size is."""
    plain = Shape(table.vertices, table.edges / max(table.vertices, 1))
    return shapes.get(table.graph, plain)
