"""No shell and no pickle anywhere in the sources."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import pytest

from generator.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PACKAGES = ("generator", "inputs", "runner", "analysis", "fuzz", "trust")
UNSAFE_MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "shelve", "marshal"}
UNSAFE_CALLS = {"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput", "eval", "exec"}
SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def objections(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] in UNSAFE_MODULES)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in UNSAFE_MODULES:
            yield str(node.module)
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in UNSAFE_CALLS or called.endswith(("read_pickle", "to_pickle")):
                yield called
            for keyword in node.keywords:
                if keyword.arg in ("shell", "allow_pickle") and ast.unparse(keyword.value) != "False":
                    yield f"{keyword.arg}={ast.unparse(keyword.value)}"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_source_starts_a_shell_or_reads_a_pickle(path: Path) -> None:
    assert list(objections(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "subprocess.run('x', shell=True)",
        "run('x', shell=flag)",
        "import pickle",
        "from pickle import load",
        "import shelve as s",
        "os.system('x')",
        "np.load(f, allow_pickle=True)",
        "frame.to_pickle('x')",
    ],
)
def test_what_is_unsafe_is_noticed(source: str) -> None:
    assert len(list(objections(source))) == 1
