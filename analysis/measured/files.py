"""Graph files, described as results describe their graphs."""

from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from analysis.errors import AnalysisError
from analysis.measured.graphs import PROPERTIES
from analysis.measured.records import graph_name
from inputs.formats.errors import GraphFormatError
from inputs.properties import inspect


def measure(files: Iterable[Path]) -> list[dict[str, Any]]:
    """Reads graph files and describes them: one object a graph, as `graphs.known` reads them back.

    Raises:
        AnalysisError: A file is not a graph, or cannot be read.
    """
    try:
        return [_describe(file) for file in files]
    except GraphFormatError as error:
        raise AnalysisError(str(error)) from error


def _describe(file: Path) -> dict[str, Any]:
    found = inspect(file)
    shape = asdict(found.shape)
    renamed = {"edges": shape["directed_edges"], "diameter": shape["pseudo_diameter"]}
    kept = {column: (shape | renamed)[column] for column in PROPERTIES}
    return {"name": graph_name(file.as_posix()), "sha256": found.sha256, **kept, "clustering": shape["clustering"]}
