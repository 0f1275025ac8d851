import ast
import graphlib
from pathlib import Path

RUNNER = Path(__file__).parents[2] / "runner"


def test_packages_of_the_runner_import_one_another_in_one_direction() -> None:
    imports: dict[str, set[str]] = {}
    for path in RUNNER.rglob("*.py"):
        importer = path.relative_to(RUNNER).with_suffix("").parts[0]
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("runner."):
                imports.setdefault(importer, set()).add((node.module or "").split(".")[1])
    without_own = {importer: imported - {importer} for importer, imported in imports.items()}
    assert {"machine", "jobs", "cluster"} <= set(graphlib.TopologicalSorter(without_own).static_order())
