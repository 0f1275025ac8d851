"""Mutation testing of what decides between right and wrong: serial references, checks of results, and graph loading.

A mutant is the runtime with one small mistake in one line. The tests of the runtime must fail on it; if they do not,
either they miss something, or the mutant behaves the same as the original and is listed with the reason.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from generator.algorithms import load_algorithms
from generator.errors import UserError
from generator.paths import ALGORITHMS, ROOT
from generator.runtime import runtime_files, write_runtime
from trust import forge
from trust.build import WORK, blame_machine
from trust.pool import for_each, run_command
from trust.records import Table, read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

RUNTIME = WORK / "mutants" / "runtime"
_SERIAL = tuple(f"serial_{name}" for name in load_algorithms())
_SHARED_CHECKS = ("deviation", "distances", "priority", "odds", "range", "ranks")
_WHAT_IS_READ = {"pattern": "test_matching.py", "weights": "test_graph_file.py"}
_HEADERS_OF_ALGORITHMS = tuple(sorted(path.stem for path in ALGORITHMS.glob("*/*.hpp")))
MUTATED = (
    *(f"{stem}.cpp" for stem in _SERIAL),
    "reference.cpp",
    "reference.hpp",
    "reference_file.cpp",
    "graph_file.cpp",
    "graph_file.hpp",
    *(f"{stem}.hpp" for stem in (*_SHARED_CHECKS, *_WHAT_IS_READ, *_HEADERS_OF_ALGORITHMS)),
)
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
COLUMNS = ["file", "line", "operator", "before", "after", "verdict", "by"]

_TESTS = {  # those that should find a mistake in a file first
    **dict.fromkeys(_SERIAL, ("test_reference.py", "test_verification.py")),
    **dict.fromkeys(
        ("reference", "reference_file"),
        ("test_verification.py", "test_report.py", "test_reference.py", "test_command_line.py"),
    ),
    "graph_file": ("test_graph_file.py", "test_command_line.py", "test_reference.py"),
    **dict.fromkeys((*_SHARED_CHECKS, *_HEADERS_OF_ALGORITHMS), ("test_reference.py", "test_verification.py")),
    **dict.fromkeys(("serial_bp", "serial_product", "odds", "news"), ("test_beliefs.py",)),
    "serial_clique": ("test_cliques.py",),
    "serial_match": ("test_matching.py",),
    **{stem: (test, "test_reference.py") for stem, test in _WHAT_IS_READ.items()},
}
_SHARED = (*_SERIAL, "algorithms", "reference", "reference_file", "graph_file")
_ORACLES: dict[str, Callable[[], list[str]]] = {
    "oracle": list,
    "oracle_directed": lambda: ["17"],
    "forge": lambda: [str(file) for file in forge.few()],
}  # by themselves tests, and a hundred times as fast as the others
_HARNESS = ("harness", "command_line", "session", "verification", "report")
_ALONE = (*_HARNESS, "reference_main", "host", "threads", "solver", "triangles", *_ORACLES)
_PROGRAMS = {
    "test-program": ("solver", *_HARNESS),
    "triangles": ("triangles", *_HARNESS, "host", "threads"),
    "violet-reference": ("reference_main",),
}
_TIMEOUT_S = 600
_ORACLE_TIMEOUT_S = 60  # it takes a second; a busy machine must not pass for a test that has noticed something
_HEADERS = """
algorithm array atomic bit charconv chrono cmath cstdarg cstdint cstdio cstdlib cstring exception functional iterator
limits memory mutex new numeric optional queue span sstream stdexcept string string_view system_error thread type_traits
utility vector"""


@dataclass(frozen=True)
class _Stage:
    """A way to build: first quickly, and what survives so once more with sanitizers."""

    name: str
    flags: tuple[str, ...]

    @property
    def folder(self) -> Path:
        """Where the unchanged objects are, and the precompiled standard headers."""
        return WORK / "mutants" / self.name

    def compile(self, source: Path, runtime: Path, out: Path) -> bool:
        """Compiles a source against a copy of the runtime; tells whether that went well."""
        words = [_compiler(), *_FLAGS, *self.flags, "-include", str(self.folder / "standard.hpp"), f"-I{runtime}"]
        return _run([*words, "-c", str(source), "-o", str(out)]) is None

    def build_original(self) -> None:
        """Compiles everything unchanged."""
        self.folder.mkdir(parents=True, exist_ok=True)
        header = self.folder / "standard.hpp"
        header.write_text("".join(f"#include <{name}>\n" for name in _HEADERS.split()), encoding="utf-8")
        words = [_compiler(), *_FLAGS, *self.flags, "-x", "c++-header", str(header), "-o", f"{header}.gch"]
        if said := _run(words):
            raise UserError(f"{header} does not compile with {_compiler()}: {said[-2000:]}")
        for source in _sources(RUNTIME).values():
            if not self.compile(source, RUNTIME, self.folder / f"{source.stem}.o"):
                raise UserError(f"{source} does not compile with {_compiler()}")


_FLAGS = ("-std=c++20", "-O0")
_STAGES = (_Stage("quick", ()), _Stage("sanitized", ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")))


def _sources(runtime: Path) -> dict[str, Path]:
    """Returns the sources of what the tests of the runtime run, by stem."""
    tests = ROOT / "tests" / "runtime"
    files = [*runtime.rglob("*.cpp"), *tests.glob("*.cpp")]
    return {file.stem: file for file in files if file.stem in (*_ALONE, *_SHARED)}


def _compiler() -> str:
    return os.environ.get("CXX", "g++")


Replacements = tuple[tuple[str, str], ...]

# What is replaced by what; each match is a mutant of its own. clang-format puts spaces around operators, none in <T>.
OPERATORS: dict[str, Replacements] = {
    "comparison": (
        (" < ", " <= "),
        (" <= ", " < "),
        (" > ", " >= "),
        (" >= ", " > "),
        (" == ", " != "),
        (" != ", " == "),
    ),
    "logic": ((" && ", " || "), (" || ", " && ")),
    "off by one": ((" + 1", ""), (" - 1", ""), (" = 0;", " = 1;")),
    "arithmetic": ((" + ", " - "), (" - ", " + "), (" += ", " -= "), (" * ", " / ")),
}
_STATEMENT = re.compile(r"^\s*(?!return\b|using\b|constexpr\b|const\b|static_assert\b|\}|//|#)[^{}]*;\s*(?://.*)?$")
_COMMENT_OR_STRING = re.compile(r'"(?:\\.|[^"\\])*"|//.*')


@dataclass(frozen=True)
class Mutant:
    """A file with one line changed; lines count from 1."""

    file: str
    line: int
    operator: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.before}  ->  {self.after}"


def mutants(file: str) -> Iterator[Mutant]:
    """Yields every mutant of a file of the runtime."""
    return mutants_of(file, runtime_files()[Path(file)], OPERATORS)


def mutants_of(file: str, text: str, operators: Mapping[str, Replacements], *, after: int = 0) -> Iterator[Mutant]:
    """Yields every mutant of a text in C++.

    Args:
        file: what mutants are to call it.
        text: laid out by clang-format.
        operators: besides dropped statements.
        after: lines at the beginning that are left alone.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        if number <= after:
            continue
        covered = _COMMENT_OR_STRING.sub(lambda match: "\0" * len(match[0]), line)  # keeps the columns
        for operator, pairs in operators.items():
            for old, new in pairs:
                for match in re.finditer(re.escape(old), covered):
                    changed = line[: match.start()] + new + line[match.end() :]
                    yield Mutant(file, number, operator, line.strip(), changed.strip())
        if _STATEMENT.match(covered):
            yield Mutant(file, number, "dropped", line.strip(), ";")


def apply(mutant: Mutant, text: str) -> str:
    """Returns the text of a mutant's file with the mutant in it."""
    lines = text.splitlines(keepends=True)
    lines[mutant.line - 1] = lines[mutant.line - 1].replace(mutant.before, mutant.after)
    return "".join(lines)


def equivalents() -> dict[tuple[str, str, str], str]:
    """Returns why mutants that behave like the original do, by file, a line of it and what that becomes."""
    with EQUIVALENT.open("rb") as file:
        listed = tomllib.load(file)["mutant"]
    return {(each["file"], each["before"], each["after"]): each["why"] for each in listed}


def measure(out: Path, *, sample: int | None, seed: int, jobs: int) -> list[dict[str, str]]:
    """Tests every mutant that is neither in the table nor excused, and return those that survive.

    Args:
        out: CSV file; what it holds already is not tested again.
        sample: so many mutants, drawn at random, instead of all.
        seed: of that draw.
        jobs: mutants at a time.

    Raises:
        UserError: the compiler fails, be it on what has no mistake or on whatever it is given.
    """
    write_runtime(RUNTIME)
    todo = [mutant for file in MUTATED for mutant in mutants(file)]
    if sample is not None:
        todo = random.Random(seed).sample(todo, min(sample, len(todo)))  # noqa: S311  (reproducible, no secret)
    table = Table(out, COLUMNS, ("file", "before", "after", "line"))
    excused = equivalents()
    todo = [
        mutant
        for mutant in todo
        if (mutant.file, mutant.before, mutant.after, str(mutant.line)) not in table
        and (mutant.file, mutant.before, mutant.after) not in excused
    ]
    if todo:
        for stage in _STAGES:
            stage.build_original()
    for_each(todo, _judge, lambda row: table.add([row]), jobs=jobs, title="mutants")
    alive = [row for row in read(out) if row["verdict"] == "survived"] if out.exists() else []
    return [row for row in alive if (row["file"], row["before"], row["after"]) not in excused]


def _judge(mutant: Mutant) -> dict[str, object]:
    folder = WORK / "mutants" / str(os.getpid())
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(RUNTIME, folder / "runtime")
    file = folder / "runtime" / mutant.file
    file.write_text(apply(mutant, file.read_text(encoding="utf-8")), encoding="utf-8")
    verdict, by = _verdict(mutant, folder)
    shutil.rmtree(folder)
    return {
        "file": mutant.file,
        "line": mutant.line,
        "operator": mutant.operator,
        "before": mutant.before,
        "after": mutant.after,
        "verdict": verdict,
        "by": by,
    }


def _verdict(mutant: Mutant, folder: Path) -> tuple[str, str]:
    """Compiles a mutant and runs the tests; returns what became of it, and the test that killed it."""
    for stage in _STAGES:
        if not _compile(mutant, folder, stage):
            return "does not compile", ""
        for oracle, options in _ORACLES.items():
            _link(mutant, folder, stage, {oracle: (oracle,)})
            if not _agrees(folder / oracle, options()):
                return "killed", f"{oracle}.cpp"
        _link(mutant, folder, stage, _PROGRAMS)
        if killer := _test(mutant, folder):
            return "killed", killer
    return "survived", ""


def _run(words: Sequence[str]) -> str | None:
    """Runs a compiler; returns what it says if it does not take what it is given, or None.

    Raises:
        UserError: it fails for another reason.
    """
    done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
    if not done.returncode:
        return None
    if done.returncode < 0 or not done.stderr.strip():
        raise UserError(f"{words[0]} fails, whatever it compiles: exit code {done.returncode}")
    blame_machine(done.stderr)
    return done.stderr.strip()


def _changed(mutant: Mutant) -> list[str]:
    """Returns the sources that a mutant is part of, by stem."""
    return (
        [Path(mutant.file).stem] if mutant.file.endswith(".cpp") else [*_SHARED, *_HARNESS, "reference_main", *_ORACLES]
    )


def _compile(mutant: Mutant, folder: Path, stage: _Stage) -> bool:
    """Compiles what a mutant is part of; tells whether that goes well."""
    sources = _sources(folder / "runtime")
    return all(stage.compile(sources[stem], folder / "runtime", folder / f"{stem}.o") for stem in _changed(mutant))


def _link(mutant: Mutant, folder: Path, stage: _Stage, programs: Mapping[str, tuple[str, ...]]) -> None:
    changed = _changed(mutant)
    for program, parts in programs.items():
        objects = [(folder if part in changed else stage.folder) / f"{part}.o" for part in (*parts, *_SHARED)]
        words = [_compiler(), *_FLAGS, *stage.flags, "-pthread", *map(str, objects), "-o", str(folder / program)]
        if said := _run(words):
            raise UserError(f"{program} of {mutant.file} cannot be linked: {said[-2000:]}")


def _agrees(oracle: Path, options: list[str]) -> bool:
    try:
        done = subprocess.run([oracle, *options], capture_output=True, check=False, timeout=_ORACLE_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _test(mutant: Mutant, folder: Path) -> str:
    """Runs the tests that should find the mutant until one fails; returns its name, or nothing."""
    tests = [str(ROOT / "tests" / "runtime" / name) for name in _TESTS[Path(mutant.file).stem]]
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-o", "addopts=", *tests]
    environment = {**os.environ, "VIOLET_TEST_BINARIES": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    try:
        done = run_command([*command, "--import-mode=importlib"], ROOT, environment, _TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return "timeout"
    if done.returncode == 0:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) tests/runtime/(\S+)", done.stdout, re.MULTILINE)
    return failed[1] if failed else done.stdout[-200:]
