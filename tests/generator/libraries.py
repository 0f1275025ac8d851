"""Libraries of exported programs, and the programs, compiled once below build/tests: both of the same object."""

from __future__ import annotations

import ctypes
import importlib.util
import re
import shutil
import subprocess
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from filelock import FileLock

from generator.export import files
from generator.render import render
from generator.space import load_space
from runner.hashing import hash_values
from tests import memory
from tests.programs.store import shared_runtime

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORK = memory.WORK / "exports"
FLAGS = [*("-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden", "-pthread", "-fopenmp")]
_BEGIN = "algorithm chrono cmath cstdarg cstdio cstring exception limits memory mutex new span string vector"
_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
_MAIN = "int program_main(int, char**);\nint main(int argc, char** argv) { return program_main(argc, argv); }\n"


def run(command: list[Any], folder: Path) -> None:
    """Runs a compiler."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def write(texts: dict[str, str], folder: Path) -> None:
    """Writes files by their paths in a folder."""
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)


def made(what: object, make: Callable[[Path], None]) -> Path:
    """Returns the folder that a function has filled, now or earlier, for something that decides what is in it."""
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    folder = WORK / hash_values(what)[:24]
    WORK.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not folder.exists():
            new = folder.with_suffix(".new")
            shutil.rmtree(new, ignore_errors=True)
            new.mkdir()
            make(new)
            new.rename(folder)
    return folder


def texts_of(name: str, threads: int = 1) -> dict[str, str]:
    """Returns the files of an exported program."""
    space = load_space()
    style = space.parse(name)
    return files(render(space, style), space.algorithms[style["algorithm"]], threads)


@cache
def _begin() -> Path:
    """What most sources include, compiled."""
    text = "".join(f"#include <{name}>\n" for name in _BEGIN.split())

    def make(folder: Path) -> None:
        write({"begin.hpp": text}, folder)
        run(["g++", *FLAGS, "-x", "c++-header", "begin.hpp"], folder)

    return made([text, FLAGS], make) / "begin.hpp"


def _object(source: str, texts: dict[str, str], *flags: str) -> Path:
    """Compiles a source, which is known by what it includes; returns the object."""
    reached: dict[str, str] = {}
    waiting = [source]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached[name] = texts[name]
            for included in _INCLUDE.findall(texts[name]):
                waiting += {f"src/{included}", f"include/{included}"} & texts.keys()

    def make(folder: Path) -> None:
        write(reached, folder)
        run(["g++", *FLAGS, *flags, "-include", _begin(), "-Isrc", "-Iinclude", "-c", source, "-o", "object.o"], folder)

    return made([reached, FLAGS, flags], make) / "object.o"


@cache
def library(name: str, threads: int = 1) -> Any:
    """Returns the Python module of an exported program, whose folder also has the library, as `make` builds it."""
    texts = texts_of(name, threads)
    sources = [path for path in texts if path.startswith("src/") and path.endswith(".cpp")]

    def make(folder: Path) -> None:
        objects = [_object(path, texts, *(["-Dmain=program_main"] if "-" in path else [])) for path in sources]
        write(texts, folder)
        (module,) = folder.glob("*.py")
        run(["g++", *FLAGS, "-shared", *objects, "-o", f"lib{module.stem}.so"], folder)

    (module,) = made([texts, FLAGS], make).glob("*.py")
    return loaded(module)


@cache
def program(name: str) -> Path:
    """Returns the binary of a program, which shares its object with the library."""
    texts = texts_of(name) | {"main.cpp": _MAIN}
    (source,) = (path for path in texts if path.startswith("src/") and "-" in path)
    objects = [_object("main.cpp", texts), _object(source, texts, "-Dmain=program_main")]
    runtime = shared_runtime()
    identity = [*map(str, objects), runtime.stat().st_mtime_ns]
    return (
        made(identity, lambda folder: run(["g++", "-fopenmp", *objects, runtime, "-o", "program"], folder)) / "program"
    )


def loaded(module: Path) -> Any:
    """Returns the Python module of an exported folder."""
    spec = importlib.util.spec_from_file_location(module.stem, module)
    assert spec is not None
    assert spec.loader is not None
    result = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(result)
    return result


def address(array: Any) -> Any:
    """Returns where the values of an array are, or None."""
    return None if array is None else ctypes.c_void_p(array.ctypes.data)
