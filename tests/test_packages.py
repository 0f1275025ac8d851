"""Packages import one another in one direction."""

import ast
import graphlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("package", "floors"),
    [("analysis", ["measured", "compared", "judged", "told", "cli"]), ("runner", ["machine", "jobs", "sweeps", "cli"])],
)
def test_packages_import_one_another_in_one_direction(package: str, floors: list[str]) -> None:
    imports: dict[str, set[str]] = {}
    for path in (ROOT / package).rglob("*.py"):
        importer = path.relative_to(ROOT / package).with_suffix("").parts[0]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or (node.module or "").split(".")[0] != package:
                continue
            _, *inner = (node.module or "").split(".")
            imports.setdefault(importer, set()).update(inner[:1] or (alias.name for alias in node.names))
    without_own = {importer: imported - {importer} for importer, imported in imports.items()}
    order = list(graphlib.TopologicalSorter(without_own).static_order())
    assert [name for name in order if name in floors] == floors
