"""Results as a table: a row per vertex, under the name that a user gave it, or per edge."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from inputs import names
from inputs.formats import egr
from inputs.formats.output import whole_file
from runner.best.paths import NOBODY, PREDECESSOR, SOURCE, predecessors
from runner.jobs.plan import needs_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import pandas as pd
    from numpy.typing import NDArray

    from generator.algorithms import Result
    from inputs.graph import EdgeList
    from runner.best.find import Question
    from runner.jobs.graphs import Graph

SUFFIXES = (".csv", ".parquet")


def write(results: Mapping[Result, NDArray[Any]], graph: Graph, out: Path, question: Question) -> None:
    """Writes what a program has found, with the numbers or names of vertices; what is beyond reach is left empty.

    Beside a distance is the vertex before, on a shortest path; if the program has found none, `runner.best.paths` does.

    Args:
        results: what each result is, with its values; if each of several sources has an answer, a row of them for each,
            and the table has these answers one after the other, under `SOURCE`.
        graph: that was solved.
        question: what was asked.
        out: `.csv` or `.parquet`. What has no row per vertex or edge, such as a count, is the same in each row.

    Raises:
        GraphFormatError: the names of vertices are those of another graph.
        OSError: a file cannot be read or written.
    """
    import pandas as pd  # here, because it takes a while, and is last

    found = names.read(graph.path, graph.vertices)
    # Of a type that knows what is missing: numbers stay whole.
    called = (pd.Series(np.arange(graph.vertices)) if found is None else found).convert_dtypes()
    edges = cache(lambda: egr.read_any(graph.path).to_edges())
    if question.is_repeated:
        tables = []
        for row, source in enumerate(question.sources):
            one = {result: values[row] for result, values in results.items()}
            tables.append(_table(one, called, edges, replace(question, sources=(source,))))
            tables[-1].insert(0, SOURCE, called[source])
        table = pd.concat(tables)
    else:
        table = _table(results, called, edges, question)
    with whole_file(out) as file:
        table.to_csv(file, index=False) if out.suffix == ".csv" else table.to_parquet(file, index=False)


def _table(
    results: Mapping[Result, NDArray[Any]], called: pd.Series[Any], edges: Callable[[], EdgeList], question: Question
) -> pd.DataFrame:
    import pandas as pd

    columns: dict[str, Any] = {}
    if any(result.length == "edges" for result in results):
        ends = {"source": edges().sources, "target": edges().destinations}
        columns = {end: called.iloc[numbers].reset_index(drop=True) for end, numbers in ends.items()}
    elif any(result.length == "vertices" for result in results):
        columns = {"vertex": called}
    has_vertices = any(result.kind == "vertex" for result in results)
    for result, values in results.items():
        if result.kind == "vertex":
            columns[result.name] = _named(called, values)
            continue
        columns[result.name] = _values(result, values) if result.length != "one" or not columns else values[0]
        if result.is_distance and not has_vertices:
            columns[PREDECESSOR] = _named(called, _predecessors(values, edges(), question))
    return pd.DataFrame(columns)


def _named(called: pd.Series[Any], vertices: NDArray[Any]) -> pd.Series[Any]:
    """Returns what vertices are called; nobody is left empty."""
    return called.reindex(vertices).mask(vertices == NOBODY).reset_index(drop=True)


def _predecessors(distances: NDArray[Any], edges: EdgeList, question: Question) -> NDArray[np.int64]:
    asked, weighted = question.parameters, needs_weights(question.algorithm)
    source = question.sources[0] if question.sources else asked.source
    return predecessors(edges, distances, source, weighted=weighted, made=asked.weights)


def _values(result: Result, values: NDArray[Any]) -> pd.Series[Any]:
    import pandas as pd

    column = pd.Series(values)
    if result.is_distance:
        kind: Any = "Int64" if values.dtype.kind == "i" else f"Float{8 * values.itemsize}"  # with as many digits
        column = column.astype(kind).mask(values < 0)
    return column
