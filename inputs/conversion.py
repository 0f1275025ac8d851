"""Any format to any other, in bounded memory."""

import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generator.errors import naming
from inputs import external, names
from inputs.compaction import renumbered, used_ids
from inputs.defaults import Duplicates
from inputs.formats import egr
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import target_of, whole_file
from inputs.formats.registry import format_named, format_of, stream
from inputs.graph import EdgeList, concatenate
from inputs.labels import labelled
from inputs.shuffling import shuffled, shuffled_numbers
from inputs.weights import WHOLE, WeightRule

_log = logging.getLogger(__name__)


def convert(
    source: Path,
    out: Path,
    *,
    compact: bool = False,
    shuffle: int | None = None,
    directed: bool = False,
    weights: WeightRule = WHOLE,
    duplicates: Duplicates = "smallest",
    labels: Path | None = None,
) -> None:
    """Cleans a graph file and writes it in the format that the name of `out` promises.

    The log warns if most vertices have no edge.

    Args:
        source: a graph in any known format.
        out: the file to make or replace. Other formats than `.egr` are written from a temporary `.egr` file beside it.
        compact: leave out vertices that no edge has, and keep what `source` calls the others beside `out`
            (`inputs.names`); so are names that are words, or numbers of 64 bits.
        shuffle: the seed of random numbers for the vertices; None: they keep theirs.
        directed: edges keep the directions that they have in the source, and all are held in memory.
        weights: what becomes of the numbers of edges.
        duplicates: what becomes of the weights of an edge that is there several times; for sums, all edges are held.
        labels: a file of these, by which vertices are numbered (`inputs.labels`), and so what they are called is kept;
            all edges are held.

    Raises:
        GraphFormatError: the source is not a graph, or lacks weights to scale or to keep real; a sum of weights is too
            large; or a format is unknown, has no directions or real weights, or cannot hold a graph without edges.
        OSError: a file cannot be written; nothing is left behind.
    """
    graph_format = format_named(out)
    if directed and graph_format.only_undirected:
        raise GraphFormatError(out, None, f"{graph_format.name} files hold undirected graphs only")
    if weights.real and out.suffix != ".egr":
        raise GraphFormatError(out, None, "only .egr files hold real weights, for programs of r32 and r64")
    target_of(out)  # before minutes of work
    found: NDArray[Any] | None = None
    if labels is not None:
        edges, found = _labelled(source, labels, weights)
        batches = iter([edges])
    elif names.are_needed(source):
        edges, found = names.edges(source, weights)
        _log.warning("%s: vertices have names, which are kept in %s", source, names.file_of(out))
        batches = iter([edges])
        if compact:
            ids = used_ids(iter([edges]))
            found, batches = found[ids], renumbered(iter([edges]), ids)
    elif compact:
        ids = used_ids(stream(source, weights=weights))
        found = ids + format_of(source).first_id
        batches = renumbered(stream(source, weights=weights, once=not directed), ids)
    else:
        batches = stream(source, weights=weights, once=not directed)
    if asked := ["--real-weights"] * weights.real + ["--scale-weights"] * (weights.scale is not None):
        batches = _weighted(batches, source, " and ".join(asked))
    if shuffle is not None:
        count = max(part.vertex_count for part in stream(source, weights=weights)) if found is None else len(found)
        numbers = shuffled_numbers(count, shuffle)
        batches, found = shuffled(batches, numbers), None if found is None else found[np.argsort(numbers)]
    if found is None:
        _write(batches, source, out, duplicates, directed=directed)
        names.forget(out)
        return
    with whole_file(names.file_of(out)) as file:  # around the other, so that both are there or neither
        names.write(found, file)
        file.flush()
        _write(batches, source, out, duplicates, directed=directed)


def _labelled(source: Path, labels: Path, weights: WeightRule) -> tuple[EdgeList, NDArray[Any]]:
    if names.are_needed(source):
        edges, found = names.edges(source, weights)
        return labelled(edges, found.tolist(), labels)
    edges, first = concatenate(list(stream(source, weights=weights))), format_of(source).first_id
    return labelled(edges, range(first, first + edges.vertex_count), labels)


def _weighted(batches: Iterator[EdgeList], source: Path, asked: str) -> Iterator[EdgeList]:
    """Yields edges that have weights, as who says what becomes of them expects."""
    for edges in batches:
        if edges.weights is None and len(edges.sources):
            raise GraphFormatError(source, None, f"it has no weights: leave out {asked}")
        yield edges


def _write(batches: Iterator[EdgeList], source: Path, out: Path, duplicates: Duplicates, *, directed: bool) -> None:
    """Writes the edges of a source, some of them perhaps renumbered."""
    if out.suffix == ".egr":
        external.write_graph(batches, out, directed=directed, duplicates=duplicates)
        _warn_of_unused(source, out)
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    with naming(out), tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as folder:
        between = Path(folder) / "graph.egr"
        external.write_graph(batches, between, directed=directed, duplicates=duplicates)
        _warn_of_unused(source, between)
        format_named(out).write(egr.read(between), out)


def _warn_of_unused(source: Path, graph: Path) -> None:
    """Says so if most vertices of an `.egr` file have no edge."""
    vertices, _ = egr.read_counts(graph)
    isolated = egr.count_isolated(graph)
    if vertices / 2 < isolated < vertices:
        numbers = f"{vertices - isolated:,} of {vertices:,} vertices have edges"
        _log.warning("%s: %s; --compact leaves the others out", source, numbers)
