"""Answers as users see them: a table with a row per vertex, by its name, or per edge; a path; a count."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from generator.algorithms import load_algorithms
from inputs import names
from inputs.formats import egr
from inputs.formats.output import whole_file
from runner.best.paths import NOBODY, PREDECESSOR, SOURCE, path_in, predecessors
from runner.errors import RunnerError
from runner.jobs.plan import needs_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pandas as pd
    from numpy.typing import NDArray

    from generator.algorithms import Result
    from inputs.graph import EdgeList
    from runner.best.find import Question
    from runner.jobs.graphs import Graph

STDOUT = Path("-")
_SUFFIXES = (".csv", ".parquet")


def is_table(out: Path | None) -> bool:
    """Tells whether an answer is made from what a program dumps; other files are written by the program itself."""
    return out is None or out == STDOUT or out.suffix in _SUFFIXES


def check(algorithm: str, out: Path | None, path_to: str | None) -> None:
    """Raises RunnerError unless there will be an answer: before the search, not after it."""
    known = load_algorithms()
    if algorithm not in known:
        return  # no other has programs
    results = known[algorithm].results_of(algorithm)
    if path_to is not None:
        if not any(each.is_distance for each in results):
            raise RunnerError(f"--path-to {path_to}: {algorithm} finds no paths; bfs and sssp do")
        if not is_table(out):
            raise RunnerError(f"--path-to {path_to}: needs a table: let --out end in .csv or .parquet, or leave it out")
    elif out is None and not any(each.length == "one" for each in results):
        named = f"{results[0].name}.csv"
        raise RunnerError(f"{algorithm} finds a value for each of many: give --out {named}, or --out - to print them")


def give(
    results: Mapping[Result, NDArray[Any]], graph: Graph, question: Question, out: Path | None, path_to: int | None
) -> str:
    """Writes a table of what a program has found, or returns what to print of it: the table, a path or a count.

    Args:
        results: as of `tabulate`.
        graph: that was solved.
        question: what was asked.
        out: the file; None: no table is wanted.
        path_to: where a shortest path is to end.

    Raises:
        GraphFormatError: the names of vertices are those of another graph.
        OSError: a file cannot be read or written.
    """
    if out is None and path_to is None:
        return "\n".join(f"{result.name}: {values[0]}" for result, values in results.items() if result.length == "one")
    table = tabulate(results, graph, question)
    printed = []
    if out == STDOUT:
        printed = [table.to_csv(index=False).rstrip("\n")]
    elif out is not None:
        with whole_file(out) as file:
            table.to_csv(file, index=False) if out.suffix == ".csv" else table.to_parquet(file, index=False)
    return "\n".join(printed if path_to is None else [*printed, path_in(table, path_to)])


def tabulate(results: Mapping[Result, NDArray[Any]], graph: Graph, question: Question) -> pd.DataFrame:
    """Returns what a program has found, with the numbers or names of vertices; what is beyond reach is missing.

    Beside a distance is the vertex before, on a shortest path; if the program has found none, `runner.best.paths` does.
    What has no row per vertex or edge, such as a count, is the same in each row.

    Args:
        results: what each result is, with its values; if each of several sources has an answer, a row of them for each,
            and the table has these answers one after the other, under `SOURCE`.
        graph: that was solved.
        question: what was asked.

    Raises:
        GraphFormatError: the names of vertices are those of another graph.
        OSError: a file cannot be read.
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
    return table.dropna(subset="vertex") if "vertex" in table else table  # without numbers that labels have left over


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
