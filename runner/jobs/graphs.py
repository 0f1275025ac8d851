"""The graphs of a sweep: named ones of the catalogue, or files."""

from __future__ import annotations

import csv
import shlex
import stat
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from generator.errors import UserError, did_you_mean, one_line
from generator.terminal import say
from inputs.progress import working
from runner.errors import RunnerError
from runner.hashing import hash_unless_known

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from inputs.defaults import Duplicates

_NAMES_SHOWN = 10_000  # that a wrong one is compared with
_DIGITS = 11
BAD_GRAPH = 3
"""Exit code of a program that does not accept a graph."""


class Graph(BaseModel):
    """One input graph."""

    model_config = ConfigDict(frozen=True)

    name: str
    path: Path
    sha256: str
    vertices: int
    edges: int
    directed: bool = False
    weighted: bool = True
    """Whether the file has weights; programs that need some make them otherwise."""
    real: bool = False
    """Whether these are real numbers, which programs of whole ones refuse."""

    def fits(self, *, directed: bool, real_weights: bool) -> bool:
        """Tells whether programs take it that take directed graphs or undirected ones, and real weights or none."""
        return self.directed == directed and (real_weights or not self.real)


@dataclass(frozen=True)
class Reading:
    """What becomes of a file's vertices and weights.

    Attributes:
        labels: a file of these, by which vertices are to be numbered (`inputs.labels`).
        duplicates: the weight of an edge that is there several times.
        real_weights: weights are real numbers though all are whole, for distances that are.
    """

    labels: Path | None = None
    duplicates: Duplicates = "smallest"
    real_weights: bool = False

    @property
    def words(self) -> str:
        """Tells two readings of a file apart; empty where nothing is asked."""
        known_by = [hash_unless_known(self.labels.absolute())[:12]] if self.labels else []
        known_by += [] if self.duplicates == "smallest" else [self.duplicates]
        return "-".join(known_by + ["real"] * self.real_weights)


AS_IT_IS = Reading()


class RefusedError(RunnerError):
    """Programs do not accept a graph; `said` is the reason of one, and the error also says how to mend the graph."""

    exit_code = BAD_GRAPH

    def __init__(self, graph: Graph, said: str) -> None:
        self.said = said
        if not any(word in said for word in ("graphs convert", "variant", ", must be 0 ")):
            mended = graph.path.with_name(f"{graph.path.stem}-mended.egr")
            options = ["--directed"] if graph.directed else []
            command = shlex.join(["violet", "graphs", "convert", *options, str(graph.path), str(mended)])
            said = f"{said}; this mends loops, duplicates, order and missing reverses: {command}"
        super().__init__(f"graph {graph.path}: {said}")


def open_graph(name_or_file: str, directory: Path, reading: Reading = AS_IT_IS) -> Graph:
    """Finds or makes one graph.

    Args:
        name_or_file: a name of the catalogue, the path of a file in any format, or - for the standard input.
        directory: where graphs of the catalogue are kept, and `.egr` files made of others.
        reading: what becomes of a file's vertices and weights.

    Raises:
        GraphFormatError: the file is no graph, or one that has no vertex.
        RunnerError: there is no such graph, or it cannot be read.
    """
    from inputs.formats.egr import (
        has_real_weights,
        is_directed,
        is_weighted,
        read_counts,
    )  # here, because it takes a moment and other commands can do without
    from inputs.formats.errors import GraphFormatError

    path = Path(name_or_file)
    if name_or_file == "-":
        path = _from_stdin(directory / "converted")
    elif path.suffix != ".egr" and not path.is_file():
        path = _from_catalogue(name_or_file, directory)
    if path.is_file() and (path.suffix != ".egr" or reading != AS_IT_IS):
        path = _converted(path, directory / "converted", reading)
    check_file(path, f"graph {path}")
    try:
        vertices, edges = read_counts(path)
        directed, weighted, real = is_directed(path), is_weighted(path), has_real_weights(path)
        sha256 = hash_unless_known(path.absolute())
    except OSError as error:
        raise RunnerError(f"cannot read graph {path}: {error.strerror}") from None
    if vertices < 1:
        raise GraphFormatError(path, None, "it has no vertex, and programs take graphs with one at least")
    return Graph(
        name=path.stem,
        path=path.absolute(),
        sha256=sha256,
        vertices=vertices,
        edges=edges,
        directed=directed,
        weighted=weighted,
        real=real,
    )


def open_graphs(names_or_files: Iterable[str], directory: Path) -> list[Graph]:
    """Finds or makes the graphs of a sweep.

    Raises:
        GraphFormatError: as for `open_graph`.
        RunnerError: also, or two that differ have one name, by which results tell them apart.
    """
    graphs = [open_graph(each, directory) for each in names_or_files]
    known: dict[str, Graph] = {}
    for graph in graphs:
        first = known.setdefault(graph.name, graph)
        if graph.sha256 != first.sha256:
            raise RunnerError(f"graphs {first.path} and {graph.path}: results would call both {graph.name}: rename one")
    return graphs


def check_file(path: Path, what: str) -> None:
    """Raises RunnerError if a file, which need not be there, can be read only once: every job reads it."""
    try:
        mode = path.stat().st_mode
    except OSError:  # who reads it says so
        return
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise RunnerError(f"{what}: is a pipe or a device, and every job reads it: write it to a file")


def check_source(source: int | None, graphs: Iterable[Graph]) -> None:
    """Raises RunnerError if the start vertex is none of a graph: all programs would refuse it."""
    for graph in graphs:
        if source is not None and source >= graph.vertices:
            raise RunnerError(f"--source {source}: is no vertex of {graph.name}, which has 0 to {graph.vertices - 1}")


def find_vertex(graph: Graph, called: str | None, option: str = "--source") -> int | None:
    """Returns the number of a vertex, by its name if the graph has names, else as it is given.

    Raises:
        RunnerError: it is no vertex.
    """
    from inputs import names  # here, because few graphs have some

    return None if called is None else _number(graph, names.read(graph.path, graph.vertices), called, option)


def find_vertices(graph: Graph, called: str | None) -> list[int]:
    """Returns the numbers of vertices with commas between; a name that has one stands alone, or in quotes as in CSV.

    Raises:
        RunnerError: one is no vertex, or is given twice.
    """
    from inputs import names

    found = names.read(graph.path, graph.vertices)
    if called is None:
        return []
    alone = found is not None and (found.astype(str) == called).any()
    words = [called] if alone else next(csv.reader([called], skipinitialspace=True)) or [called]
    numbers = [_number(graph, found, word, "--source") for word in words]
    for place, (word, number) in enumerate(zip(words, numbers, strict=True)):
        if number in numbers[:place]:
            raise RunnerError(f"--source {word}: is given twice")
    return numbers


def _number(graph: Graph, found: pd.Series[Any] | None, called: str, option: str) -> int:
    from inputs.formats.text import is_count

    if found is not None:
        numbers = found.index[found.astype(str) == called]
        if not len(numbers):
            near = did_you_mean(called, map(str, found.head(_NAMES_SHOWN)))
            raise RunnerError(f"{option} {called}: no vertex of {graph.name} has this name; {near}")
        return int(numbers[0])
    if not (is_count(called) and len(called) < _DIGITS and int(called) < graph.vertices):
        raise RunnerError(f"{option} {called}: is no vertex of {graph.name}, which has 0 to {graph.vertices - 1}")
    return int(called)


def _converted(file: Path, folder: Path, reading: Reading) -> Path:
    """Returns the `.egr` file of a graph in another format: undirected, as `violet graphs convert` makes it.

    Its weights are real if some are not whole, or negative, or these are asked for.

    Raises:
        GraphFormatError: it is no graph.
        RunnerError: it cannot be read, or its `.egr` file not be written.
    """
    check_file(file, f"graph {file}")
    stem = file.name.removesuffix(".gz").rpartition(".")[0] or file.name
    known_by = [hash_unless_known(file.absolute())[:12], reading.words]
    path = folder / "-".join(filter(None, known_by)) / f"{stem}.egr"
    if not path.exists():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with working(f"reading {file.name}"):
                _convert(file, path, reading)
        except OSError as error:
            raise RunnerError(f"graph {file}: {one_line(error).removeprefix(f'{file}: ')}") from None
        say(f"{file} is read as {path}, undirected: `violet graphs convert --directed` keeps directions", error=True)
    return path


def _convert(file: Path, path: Path, reading: Reading) -> None:
    from inputs.conversion import convert  # here, because it takes a second and .egr files can do without
    from inputs.weights import REAL, WholeSoFar

    convert_by = partial(convert, file, path, labels=reading.labels, duplicates=reading.duplicates)
    rule = WholeSoFar()
    try:
        convert_by(weights=REAL if reading.real_weights else rule)
    except UserError:
        if not rule.others:
            raise
        convert_by(weights=REAL)


def _from_stdin(folder: Path) -> Path:
    """Returns the file of the graph that comes on the standard input.

    Raises:
        RunnerError: it is no graph.
    """
    from inputs.standard import save

    try:
        return save(folder)
    except OSError as error:
        raise RunnerError(f"cannot write {error.filename}: {error.strerror}") from None


def _from_catalogue(name: str, directory: Path) -> Path:
    try:
        with working(f"getting {name}"):
            from inputs.catalogue import ensure  # here, because it takes a second and files can do without

            return ensure(name, directory)
    except (UserError, ValueError, OSError) as error:
        is_folder = "it is a folder, not a file, and " if Path(name).is_dir() else ""
        no_file = is_folder or ("there is no such file, and " if Path(name).suffix else "")
        raise RunnerError(f"graph {name}: {no_file}{error}") from None
