"""Which files decide whether a file of tests passes, and which of those that passed nothing has changed for since.

A file of tests depends on what it imports, as far as its imports lead within the repository, and on what is read while
it runs: by itself, by its children if they are Python (`children/sitecustomize.py`), and by compilers and programs,
which may read the runtime. Of programs it depends on the text, not on the templates (`texts.py`). What is read once for
all tests of a process, such as the space, decides about all files.
`make test` leaves out files that passed with the same content of all that; `make test FRESH=1` leaves out none.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from generator import paths, render
from generator.errors import UserError
from generator.hooks import HookEnvironment
from generator.paths import ROOT
from generator.space import load_space, name_of
from tests.children.sitecustomize import heard
from tests.costs import takes_turns
from tests.memory import LONG, WORK, content_of, key_of, version_of
from tests.notes import VARIABLE
from tests.selection import changed, today
from tests.texts import PROGRAM, state_of, unheard

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from jinja2 import Template

    from generator.space import Space, Style

_PASSED = WORK / "passed"
_PACKAGES = ("analysis", "benchmarks", "fuzz", "generator", "handbook", "inputs", "runner", "tests", "trust", "violet")
_CACHES = ("pytest", "ruff", "mypy")
_OTHERS = (
    "build",
    ".venv",
    ".git",
    "results",
    "generated",
    "inputs/data",
    ".pytest_cache",
    ".ruff_cache",
    ".mypy_cache",
)
"""Folders of what is made from the rest."""
_EVERYWHERE = (
    "pyproject.toml",
    "uv.lock",
    "configs",
    "tests/conftest.py",
    "tests/costs.csv",
    "tests/costs.py",
    "tests/memory.py",
    "tests/reads.py",
    "tests/notes.py",
    "tests/texts.py",
)
_MANIFEST = "generated/MANIFEST.csv"
_IMPORT = re.compile(r"^\s*(?:from ([\w.]+) import (\([^)]*\)|.*)|import (.*))", re.MULTILINE)
"""What only looks like one, in a text, makes a file depend on more than it does."""
_FEW = 200
"""Programs whose texts are compared: of more, it is the templates."""


class Reads:
    """What this process notes down while it runs a file of tests."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        sys.addaudithook(self._hear)
        composed = render.composed

        def noting(space: Space, style: Style, env: HookEnvironment, *, traced: bool = False) -> object:
            if traced or not _is_known(space, style, env):
                self.note("templates")  # which a process reads once
                return composed(space, style, env, traced=traced)
            self.note(f"{PROGRAM}{name_of(style)}")
            with unheard():
                return composed(space, style, env)

        render.composed = noting  # type: ignore[assignment]
        get_template = HookEnvironment.get_template

        def getting(env: HookEnvironment, name: str, *arguments: Any, **options: Any) -> Template:
            self.note(f"templates/{name}")
            return get_template(env, name, *arguments, **options)

        HookEnvironment.get_template = getting  # type: ignore[method-assign, assignment]

    def begin(self, file: Path) -> None:
        """Has all that is read from now on noted as what a file of tests depends on."""
        self._seen.clear()
        path = _notes_of(file)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
        os.environ[VARIABLE] = str(path)

    def end(self) -> None:
        """Has nothing noted any more."""
        os.environ.pop(VARIABLE, None)

    def note(self, what: str) -> None:
        """Notes a path, absolute or below the root, or a folder with a slash at its end for what is listed in it."""
        notes = os.environ.get(VARIABLE)
        if notes and what not in self._seen:
            self._seen.add(what)
            descriptor = os.open(notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(descriptor, f"{what}\n".encode(errors="replace"))
            os.close(descriptor)

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        for what in heard(event, arguments):
            if what == "." or _is_ours(what):
                self.note(what)


def _is_known(space: Space, style: Style, env: HookEnvironment) -> bool:
    """Whether the program of a style is one of the repository's templates, which its name tells."""
    if space is not load_space() or env is not render.environment() or render.TEMPLATES is not paths.TEMPLATES:
        return False
    with suppress(UserError):
        return space.parse(name_of(style)) == style
    return False


def _is_ours(path: str) -> bool:
    """Whether a path is one of the repository's, and of nothing that is made from it."""
    return _relative(path) is not None


@cache
def _relative(path: str) -> str | None:
    absolute = os.path.normpath(os.path.join(ROOT, path))  # noqa: PTH118  (one path of thousands)
    folder, _, name = absolute.rpartition("/")
    if folder.endswith("/__pycache__"):
        absolute = f"{folder.removesuffix('/__pycache__')}/{name.partition('.')[0]}.py"
    if not absolute.startswith(f"{ROOT}/"):
        return None
    short = absolute[len(str(ROOT)) + 1 :]
    if any(short == each or short.startswith(f"{each}/") for each in _OTHERS) and short != _MANIFEST:
        return None
    return short


def _notes_of(file: Path) -> Path:
    return WORK / "reads" / str(file.relative_to(ROOT)).replace("/", "--")


def _record_of(file: Path) -> Path:
    return _PASSED / f"{str(file.relative_to(ROOT)).replace('/', '--')}{'-long' if LONG else ''}.json"


def remember(file: Path, tests: int, took: float) -> None:
    """Keeps that all tests of a file that are due have passed, or were skipped for a reason that this machine has.

    And how many seconds they took.

    Of a file of which none is due today, it is only what it imports that decides about this.
    """
    notes = _notes_of(file).read_text(encoding="utf-8").splitlines() if tests else []
    needed = {short + ("/" if note.endswith("/") else "") for note in notes if (short := _relative(note.rstrip("/")))}
    needed |= {"."} if "." in notes else set()
    programs = {each for each in needed if each.startswith(PROGRAM)}
    if "templates" in needed or len(programs) > _FEW:
        needed = needed - programs | {"templates"}
    record = {
        "tests": tests,
        "seconds": round(took, 1),
        "needed": {each: _state_of(each) for each in sorted(needed)},
        "key": _key_of(file, needed),
        "templates": _state_of("templates"),
    }
    _PASSED.mkdir(parents=True, exist_ok=True)
    _record_of(file).write_text(json.dumps(record), encoding="utf-8")


def seconds() -> dict[Path, float]:
    """Returns how long the files of tests took that passed before, whether or not they need run again."""
    records = {file: _record_of(file) for file in (ROOT / "tests").rglob("test_*.py")}
    return {
        file: json.loads(record.read_text(encoding="utf-8")).get("seconds", 0.0)
        for file, record in records.items()
        if record.is_file()
    }


def remembered() -> dict[str, int]:
    """Returns the files of tests that need not run, by their path below the root, with the number of their tests."""
    found = {}
    for file in (ROOT / "tests").rglob("test_*.py"):
        record = _record_of(file)
        if record.is_file():
            known = json.loads(record.read_text(encoding="utf-8"))
            if known["key"] == _key_of(file, known["needed"]) and all(
                _state_of(each) == was
                for each, was in known["needed"].items()
                if not each.startswith(PROGRAM) or known["templates"] != _state_of("templates")
            ):
                found[str(file.relative_to(ROOT))] = known["tests"]
    return found


def _key_of(file: Path, read: Iterable[str]) -> str:
    """Returns a hash of what decides about a file of tests besides what is read: imports, this machine, the day."""
    short = str(file.relative_to(ROOT))
    imported = _closure(short)
    sampling = "tests/selection.py" in imported
    by_day = sampling or takes_turns(short) or "mark.turns" in file.read_text(encoding="utf-8")
    needed = [*_EVERYWHERE, *_manifests(ROOT), *sorted(imported)]
    of_change = _changed_like(read) if sampling else None
    return key_of([_state_of(each) for each in needed], today() if by_day else None, of_change, _machine())


@cache
def _manifests(root: Path) -> list[str]:
    """Returns the manifests of algorithms, which a process reads once."""
    return sorted(str(each.relative_to(root)) for each in root.glob("templates/algorithms/*/algorithm.toml"))


def _changed_like(read: Iterable[str]) -> str:
    """Tells of a change what a sample may take of its programs: those of its models, if it has texts alone."""
    return _of_models(changed(), frozenset(each.split("-")[1] for each in read if each.startswith(PROGRAM)))


@cache
def _of_models(names: frozenset[str], models: frozenset[str]) -> str:
    return key_of(sorted(name for name in names if not models or name.split("-")[1] in models))


@cache
def _machine() -> str:
    commands = ("g++", "clang++-19", "nvcc", "make", "git", "chromedriver", "nvidia-smi", "ld.gold")
    variables = ("CXX", "CXXFLAGS", "NVCC", "NVCCFLAGS", "CUDA_ARCH")
    return key_of(
        platform.python_version(),
        os.getuid(),
        [shutil.which(command) for command in commands],
        [version_of(os.environ.get("CXX", "g++")), version_of("nvcc")],
        [os.environ.get(name) for name in variables],
    )


@cache
def _state_of(short: str) -> str | None:
    """Returns a hash of a file, of all files of a folder, or, with a slash at the end, of a folder's list of names."""
    if short.startswith(PROGRAM):
        return _state_of_program(short.removeprefix(PROGRAM))
    path = ROOT / short
    if not path.is_dir():
        return content_of(path) if path.is_file() else None
    names = sorted(each.name for each in path.iterdir() if each.name != "__pycache__" and _is_ours(str(each)))
    if short.endswith("/"):
        return key_of(names)
    return key_of([(name, _state_of(os.path.normpath(f"{short}/{name}"))) for name in names])


def _state_of_program(name: str) -> str | None:
    with suppress(UserError):  # a program that there is no more
        return state_of(name)
    return None


@cache
def _closure(file: str) -> frozenset[str]:
    """Returns the files of the repository that a file of tests imports, and they import, and so on, with itself.

    Without what tests/conftest.py imports, which decides whether tests run, but not whether they pass.
    """
    found: set[str] = set()
    parts = file.split("/")
    left = [file, *filter(_is_file, ["/".join([*parts[:end], "conftest.py"]) for end in range(2, len(parts))])]
    while left:
        each = left.pop()
        if each not in found:
            found.add(each)
            left += _imports(each)
    return frozenset(found)


@cache
def _imports(file: str) -> tuple[str, ...]:
    names: set[str] = set()
    for module, some, modules in _IMPORT.findall((ROOT / file).read_text(encoding="utf-8")):
        names |= {module, *(f"{module}.{name}" for name in re.findall(r"\w+", some)), *re.findall(r"[\w.]+", modules)}
    found: set[str] = set()
    for name in names:
        parts = name.split(".")
        if parts[0] in _PACKAGES:
            modules = ["/".join(parts[:end]) for end in range(1, len(parts) + 1)]
            found.update(*((f"{module}.py", f"{module}/__init__.py") for module in modules))
    return tuple(filter(_is_file, found))


@cache
def _is_file(short: str) -> bool:
    return (ROOT / short).is_file()
