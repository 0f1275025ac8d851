"""Notebooks call what exists, and carry no outputs.

CI runs them for real, in a kernel (``pytest --nbmake analysis/notebooks``); here their cells run in this process, which
takes a second and not twenty.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "analysis" / "notebooks").glob("*.ipynb"))


def code_of(notebook: Path) -> list[str]:
    """The code cells, without lines that only a kernel understands."""
    cells = [cell for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code"]
    assert not any(cell.outputs or cell.execution_count for cell in cells)
    return ["\n".join(line for line in cell.source.splitlines() if not line.startswith("%")) for cell in cells]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_every_cell_runs(
    notebook: Path,
    record: Callable[..., dict[str, Any]],
    programs: Callable[..., Any],
    write: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    results = write([record(name) for name in programs(models=("openmp",))])
    monkeypatch.setenv("VIOLET_RESULTS", str(results))
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    for code in code_of(notebook):
        exec(code, names)  # noqa: S102  # our own notebook
