"""Notebooks call what exists, do nothing else, and carry no outputs.

In CI, their cells run on the committed data, and the first notebook in a kernel besides (`pytest -p nbmake --nbmake`);
in `make test`, they run on little, which lacks much of what they show.
"""

import ast
import json
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest

from analysis.compared import study

ROOT = Path(__file__).resolve().parents[3]
NOTEBOOKS = sorted((ROOT / "analysis" / "notebooks").glob("*.ipynb"))


def code_of(notebook: Path) -> list[str]:
    """The code cells, without lines that only a kernel understands."""
    cells = [cell for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code"]
    return ["\n".join(line for line in cell.source.splitlines() if not line.startswith("%")) for cell in cells]


def test_there_are_all() -> None:
    assert [notebook.stem[:2] for notebook in NOTEBOOKS] == ["00", *["01"] * 8, "02", "03", "04", "05", "06"]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_no_outputs_are_kept(notebook: Path) -> None:
    cells = [cell for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_notebooks_only_call_functions(notebook: Path) -> None:
    defined = ast.FunctionDef | ast.ClassDef | ast.Lambda | ast.For | ast.While
    assert not [node for code in code_of(notebook) for node in ast.walk(ast.parse(code)) if isinstance(node, defined)]


@pytest.fixture(scope="session")
def cpu_results(study_results: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep of few programs on one graph, and without a GPU."""
    jobs = [json.loads(line) for line in study_results.read_text().splitlines()]
    few = [
        job
        for job in jobs
        if job["model"] in ("openmp", "cpp") and job["graph"] == "grid" and "-det-" in job["program"]
    ]
    file = tmp_path_factory.mktemp("cpu") / "r.jsonl"
    file.write_text("\n".join(map(json.dumps, few)))
    return file


@pytest.mark.turns(14)
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_every_cell_runs_on_little(notebook: Path, cpu_results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_cells(notebook, cpu_results, monkeypatch)


@pytest.mark.long  # and in CI
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_every_cell_runs_on_the_committed_data(notebook: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They share what most of them read, which takes longer than all else."""
    monkeypatch.setattr(study, "read_study", lambda results, *rest, **named: read_once(tuple(results), *rest, **named))
    run_cells(notebook, "", monkeypatch)


read_once = cache(study.read_study)


def run_cells(notebook: Path, results: Path | str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs the cells in this process."""
    monkeypatch.setenv("VIOLET_RESULTS", str(results))
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    for code in code_of(notebook):
        exec(code, names)  # noqa: S102  # our own notebook
