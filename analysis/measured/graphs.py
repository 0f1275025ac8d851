"""What the graphs look like: the paper's Tables 4 and 5, and the properties that throughputs are correlated with."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analysis.errors import AnalysisError
from generator.files import replace_list

SUFFIX = ".graphs.json"
"""Of the file beside exported results that describes their graphs."""

PROPERTIES: Mapping[str, str] = {
    "vertices": "vertices",
    "edges": "directed edges",
    "average_degree": "average degree",
    "maximum_degree": "maximum degree",
    "share_degree_32": "degree >= 32",
    "share_degree_512": "degree >= 512",
    "diameter": "diameter",
}
"""The columns of a table of graphs, and what figures call them (the paper's Tables 4 and 5, Section 5.13)."""

HIGH_DEGREE = 8.0
"""From this average degree on, a graph counts as one of high degree: the paper's have 2.8 and 4.0, or 15.7 and more."""

KINDS: Mapping[str, tuple[str, str]] = {
    "road": ("road network", "long ways, two or three neighbours each"),
    "grid": ("grid or mesh", "long ways, about as many neighbours for all"),
    "hubs": ("social or web network", "short ways, some with very many neighbours"),
    "even": ("evenly connected graph", "short ways, about as many neighbours for all"),
}
"""Kinds of graphs, as far as it matters to styles: what each is called, and what it looks like."""

LONG_WAYS = 3.0
"""A diameter of so many times the binary logarithm of the vertices is a long one."""

HUBS = 10.0
"""A maximum degree of so many times the average is that of a hub."""

ROADS = 3.5
"""Graphs with long ways and a smaller average degree are road networks; others are grids."""


def kinds(graphs: pd.DataFrame) -> pd.Series:
    """Returns by name of a graph its kind in `KINDS`; graphs whose degrees or diameter are not known are left out.

    Args:
        graphs: As `graph_table` returns them.
    """
    known = graphs.dropna(subset=["maximum_degree", "diameter", "average_degree"]).set_index("graph")
    known = known[known["vertices"] > 1]
    long = known["diameter"] > LONG_WAYS * np.log2(known["vertices"])
    road, hubs = known["average_degree"] < ROADS, known["maximum_degree"] >= HUBS * known["average_degree"]
    names = np.select([long & road, long, hubs], ["road", "grid", "hubs"], "even")
    return pd.Series(names, index=known.index, dtype=object)


def write(described: Iterable[Mapping[str, Any]], file: Path) -> None:
    """Writes descriptions of graphs, as `measure` and `known` return them, to a file that `known` reads."""
    replace_list(file, described)


def known(roots: Iterable[Path]) -> dict[str, dict[str, Any]]:
    """Returns the descriptions beside results: of `NAME.parquet` in `NAME.graphs.json`, of a directory inside it.

    Raises:
        AnalysisError: A file holds something else.
    """
    found: dict[str, dict[str, Any]] = {}
    for root in roots:
        for file in sorted(root.rglob(f"*{SUFFIX}")) if root.is_dir() else [root.with_suffix(SUFFIX)]:
            if file.is_file():
                found |= {graph["name"]: graph for graph in _read(file)}
    return found


def graph_table(frame: pd.DataFrame, described: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """Describes the graphs that jobs ran on.

    Args:
        frame: Jobs, as `records.load` returns them; they know the size of their graphs.
        described: What `known` returns; a description of another size is of another graph, and not used.

    Returns:
        One row a graph, in order of its name: `graph` and the columns of `PROPERTIES`, NaN where not known. Shares
        are from 0 to 1; the diameter is a lower bound, the depth of two breadth-first searches.
    """
    sizes = frame.groupby("graph")[["vertices", "edges"]].max().astype(float).reset_index()
    rows = []
    for name, vertices, edges in sizes.itertuples(index=False):
        given = described.get(name, {})
        same = (given.get("vertices"), given.get("edges")) == (vertices, edges)
        rows.append({column: given.get(column) if same else None for column in PROPERTIES})
    table = pd.DataFrame(rows, columns=list(PROPERTIES), index=sizes.index).astype(float)
    table["vertices"], table["edges"] = sizes["vertices"], sizes["edges"]
    table["average_degree"] = table["edges"] / table["vertices"].where(table["vertices"] > 0)
    table.insert(0, "graph", sizes["graph"])
    return table


def high_degree(frame: pd.DataFrame) -> pd.Series:
    """Returns which rows of jobs or pairs with vertices, or of a table of graphs, are of graphs of high degree."""
    return frame["edges"].astype(float) / frame["vertices"].astype(float) >= HIGH_DEGREE


def _read(file: Path) -> list[dict[str, Any]]:
    try:
        content = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, list) or not all(map(_is_description, content)):
        raise AnalysisError(f"{file} does not describe graphs; make it with 'python -m analysis graphs'")
    return content


def _is_description(graph: object) -> bool:
    """Says whether this has the name of a graph, and numbers for what it has of its properties."""
    if not isinstance(graph, dict) or not isinstance(graph.get("name"), str):
        return False
    return all(isinstance(graph.get(name), int | float | None) for name in PROPERTIES)
