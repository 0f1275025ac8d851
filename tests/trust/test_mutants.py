"""Mutants are what they say, and the tests of the runtime kill a sample of them."""

import os
import shutil
import subprocess
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

import pytest

from generator.errors import UserError
from generator.paths import ROOT
from generator.runtime import runtime_files, write_runtime
from trust.build import compile_runtime
from trust.mutants import _TESTS, MUTATED, Mutant, _verdict, apply, equivalents, mutants
from trust.tools import TOOLS, VERIFIER

GXX = shutil.which("g++") or "g++"
ORACLE = ROOT / "tests" / "runtime" / "oracle.cpp"
RUNTIME = runtime_files()
SAMPLE = {
    "serial_bfs.cpp": "level[v] = level[u] - 1;",
    "serial_mis.cpp": "if (in_set[v] != 1 && has_neighbour_in_set) {",
    "serial_tc.cpp": "triangles -= count;",
    "reference.cpp": "if (beyond ? values[i] >= infinity<T> : values[i] != static_cast<T>(right[i])) continue;",
}


@pytest.mark.parametrize("file", MUTATED)
def test_a_mutant_changes_one_line(file: str) -> None:
    lines = RUNTIME[Path(file)].splitlines()
    for mutant in mutants(file):
        changed = apply(mutant, "\n".join(lines) + "\n").splitlines()
        differing = [number for number, pair in enumerate(zip(lines, changed, strict=True), 1) if pair[0] != pair[1]]
        assert differing == [mutant.line]
        assert changed[mutant.line - 1].strip() == mutant.after


def test_what_outlives_the_oracles_faces_tests_that_are_there() -> None:
    for file in MUTATED:
        for test in _TESTS[Path(file).stem]:
            assert (ROOT / "tests" / "runtime" / test).is_file()


def test_operators_leave_types_comments_and_strings_alone() -> None:
    for file in MUTATED:
        for mutant in mutants(file):
            assert not mutant.before.startswith(("//", "#include"))
    operators = Counter(mutant.operator for file in MUTATED for mutant in mutants(file))
    assert set(operators) == {"comparison", "logic", "off by one", "arithmetic", "dropped"}
    assert min(operators.values()) >= 3


def test_every_excuse_is_for_a_mutant_that_exists() -> None:
    known = {(mutant.file, mutant.before, mutant.after) for file in MUTATED for mutant in mutants(file)}
    for key, why in equivalents().items():
        assert key in known
        assert len(why) > 20


@pytest.fixture(scope="module")
def library() -> Path:
    """The runtime as it is: what a mutant has comes before it, so that the linker does not look for that in here."""
    (plain,) = (tool for tool in TOOLS if tool.name == VERIFIER)
    return compile_runtime(plain, os.cpu_count() or 1)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The oracle, compiled, beside the headers of the runtime."""
    folder = tmp_path_factory.mktemp("oracle")
    write_runtime(folder / "runtime")
    return compile_one(ORACLE, folder / "runtime", folder / "oracle.o")


def compile_one(source: Path, runtime: Path, to: Path) -> Path:
    subprocess.run([GXX, "-std=c++20", "-O0", f"-I{runtime}", "-c", source, "-o", to], check=True)
    return to


def oracle(folder: Path, *objects: Path) -> int:
    first = "-Wl,--allow-multiple-definition"  # the library has all references in one object
    subprocess.run([GXX, "-pthread", first, *objects, "-o", folder / "oracle"], check=True)
    return subprocess.run([folder / "oracle"], capture_output=True, check=False, timeout=300).returncode


@pytest.mark.turns(8)
@pytest.mark.compile
@pytest.mark.parametrize(
    "mutant",
    [next(mutant for mutant in mutants(file) if mutant.after == line) for file, line in SAMPLE.items()],
    ids=lambda mutant: f"{mutant.file}:{mutant.line}",
)
def test_the_oracle_kills(compiled: Path, library: Path, tmp_path: Path, mutant: Mutant) -> None:
    source = tmp_path / mutant.file
    source.write_text(apply(mutant, RUNTIME[Path(mutant.file)]))
    mutated = compile_one(source, compiled.parent / "runtime", tmp_path / "m.o")
    assert oracle(tmp_path, compiled, mutated, library) != 0


@pytest.mark.parametrize(
    ("compiler", "message"),
    [
        ("echo 'x.cpp:1: error: expected ;' >&2; exit 1", None),
        ("echo 'x.s: No space left on device' >&2; exit 1", "x.s: No space left on device"),
        ("echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1", "Killed signal"),
        ("echo 'x.cpp:1: internal compiler error: Segmentation fault' >&2; exit 1", "internal compiler error"),
        ("kill -9 $$", "exit code -9"),
        ("exit 1", "exit code 1"),
        (None, "No such file"),
    ],
)
def test_a_compiler_that_fails_by_itself_judges_no_mutant(
    compiler: str | None, message: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "compiler"
    if compiler:
        script.write_text(f"#!/bin/sh\n{compiler}\n")
        script.chmod(0o755)
    monkeypatch.setenv("CXX", str(script))
    mutant = next(mutants("reference.cpp"))
    (tmp_path / "runtime").mkdir()
    (tmp_path / "runtime" / mutant.file).touch()
    with pytest.raises((UserError, FileNotFoundError), match=message) if message else nullcontext():
        assert _verdict(mutant, tmp_path) == ("does not compile", "")
