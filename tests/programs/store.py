"""Programs that tests compile: each when it is first run, once for all tests, workers and runs of pytest.

A program is known by the content that decides what it does: its text, the runtime, and the compiler with its flags. So
one that has not changed is not compiled again, and what it did is remembered (`conftest.run_on`).
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from filelock import FileLock

from generator.output import write
from generator.paths import ROOT
from generator.runtime import runtime_files
from generator.space import Style, load_space, name_of
from runner.jobs.programs import GPU_MODELS
from runner.machine.toolchain import make_command
from tests import texts
from tests.emulator.translate import translate, translate_all
from tests.memory import WORK, content_of, key_of, version_of
from trust.build import compile_runtime
from trust.tools import TOOLS, VERIFIER

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_BINARIES = WORK / "binaries"
_RUNTIMES = WORK / "runtimes"
_FEW = 3
"""Programs for which a header of an altered runtime is not compiled first."""
_BLOCK_DIGITS, _BLOCK_DIGITS_OF_PARTS = 6, 7
"""On the emulator, blocks have 64 threads, or 128 where four parts may meet in kernels, each by a warp."""


class Executable(os.PathLike[str]):
    """A program, compiled when its path is first asked for; the compiler has nothing to say of one that users compile.

    Attributes:
        name: of the program.
        identity: a hash of all that decides what it does.
    """

    def __init__(self, name: str, text: str, target: _Target) -> None:
        self.name = name
        self.identity = key_of(name, text, target.identity)
        self._text = text
        self._target = target

    def __fspath__(self) -> str:
        folder = _BINARIES / self.identity
        if not (folder / self.name).is_file():
            folder.mkdir(parents=True, exist_ok=True)
            with FileLock(folder / "lock"):
                if not (folder / self.name).is_file():
                    self._compile(folder)
        os.utime(folder)  # it is in use
        return str(folder / self.name)

    def _compile(self, folder: Path) -> None:
        source = folder / f"{self.name}{self._target.suffix}"
        source.write_text(self._text, encoding="utf-8")
        for command in self._target.commands(source, folder / f"{self.name}.part"):
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
            said = done.stdout + done.stderr
            assert done.returncode == 0, f"{source}: does not compile: {shlex.join(command)}\n{said}"
            assert not said or self._target.emulator, f"{source}: the compiler has something to say:\n{said}"
        (folder / f"{self.name}.part").rename(folder / self.name)


Binaries = Callable[[Style], Executable]
"""The program of a style."""


@dataclass(frozen=True)
class _Target:
    """How programs are compiled.

    Attributes:
        suffix: of a source.
        compile: the command, which takes a source and "-o".
        libraries: what is linked after the program.
        identity: a hash of all of it.
        emulator: objects that are linked before the program, in a second step: of functions that are in several objects
            the first are taken, and it must not call those of programs.
    """

    suffix: str
    compile: tuple[str, ...]
    libraries: tuple[str, ...]
    identity: str
    emulator: tuple[str, ...] = ()

    def commands(self, source: Path, out: Path) -> list[list[str]]:
        """Returns the commands that make a program of its source."""
        if not self.emulator:
            return [[*self.compile, str(source), *self.libraries, "-o", str(out)]]
        link = [
            self.compile[0],
            *_fast_linker(),
            "-pthread",
            *self.emulator,
            f"{out}.o",
            *self.libraries,
            "-o",
            str(out),
        ]
        return [[*self.compile, "-c", str(source), "-o", f"{out}.o"], link]


def build(styles: Iterable[Style], alter: Callable[[str], str] = str) -> Binaries:
    """Returns a function from a style to its program for this machine.

    Args:
        styles: of the programs.
        alter: is given each program's text, and returns what is to be compiled.
    """
    known = {name_of(style) for style in styles}

    def program(style: Style) -> Executable:
        assert name_of(style) in known
        return Executable(name_of(style), alter(text_of(style)), _native(style["model"]))

    return program


def emulate(
    styles: Iterable[Style],
    alter: Callable[[str], str] = str,
    alter_runtime: Callable[[Path], object] | None = None,
    replaced: tuple[str, ...] = (),
) -> Binaries:
    """Returns a function from a style to its program for the emulator.

    Args:
        styles: of the programs.
        alter: is given each program's text, and returns what is to be translated.
        alter_runtime: is given a folder with the runtime's headers, to change them.
        replaced: names of the runtime's sources, without .cpp, that it changes as well.
    """
    known = {name_of(style) for style in styles}
    targets: list[_Target] = []

    def program(style: Style) -> Executable:
        assert name_of(style) in known
        digits = _BLOCK_DIGITS if style["model"] == "cuda" else _BLOCK_DIGITS_OF_PARTS
        if alter_runtime is None:
            target = emulator(digits)
        else:
            if not targets:
                targets.append(_altered(digits, alter_runtime, replaced, first=len(known) > _FEW))
            (target,) = targets
        return Executable(name_of(style), translate(alter(text_of(style))), target)

    return program


def text_of(style: Style) -> str:
    """Returns the text of a program."""
    return texts.text_of(name_of(style))


@cache
def shared_runtime() -> Path:
    """Compiles what all programs share, once for all tests and workers of pytest, those of `trust` among them."""
    (plain,) = (tool for tool in TOOLS if tool.name == VERIFIER)
    library = compile_runtime(plain, os.cpu_count() or 1)
    for log in library.parents[1].rglob("*.log"):
        assert not log.read_text(), f"{log}: the compiler says something to whoever builds"
    return library


@cache
def runtime_identity(patterns: tuple[str, ...]) -> str:
    """Returns a hash of the runtime's files whose names match, and of how it is compiled for this machine."""
    files = {str(path): text for path, text in runtime_files().items() if any(path.match(each) for each in patterns)}
    return key_of(files, [os.environ.get(name) for name in ("CXX", "CXXFLAGS")])


def _fast_linker() -> list[str]:
    return ["-fuse-ld=gold"] if shutil.which("ld.gold") else []


@cache
def _native(model: str) -> _Target:
    """Programs of a model as the build rules compile them."""
    library = shared_runtime()
    built, generated = library.parents[1], library.parents[2] / "runtime-generated"
    rules = [f"GENERATED={_relative(generated)}", f"BUILD={_relative(built)}"]  # as for the library
    listed = subprocess.run(
        make_command("-s", *rules, "toolchain"), cwd=ROOT, capture_output=True, text=True, check=True
    )
    (line,) = (line for line in listed.stdout.splitlines() if line.startswith(f"{model}\t"))
    _, version, command = line.split("\t")
    words = shlex.split(command)
    if model in ("cpp", "openmp"):
        begin = built / f"{model}.begin.hpp"
        with FileLock(built.with_suffix(".begin.lock")):
            subprocess.run(
                make_command("-s", *rules, f"{_relative(begin)}.gch"), cwd=ROOT, check=True, capture_output=True
            )
        words += [*_fast_linker(), "-include", _relative(begin)]
    headers, suffix = (("*.hpp", "*.cuh"), ".cu") if model in GPU_MODELS else (("*.hpp",), ".cpp")
    identity = key_of(model, version, words, runtime_identity(("*.cpp", *headers)))
    return _Target(suffix, tuple(words), (str(library),), identity)


@cache
def emulator(digits: int) -> _Target:
    """The emulator and the header that all programs begin with, compiled once for all tests and workers of pytest.

    Args:
        digits: of the number of threads of a block, in binary.
    """
    base = None if digits == _BLOCK_DIGITS else emulator(_BLOCK_DIGITS)
    return _emulated(digits, WORK / f"emulator-{digits}", base, (), first=True)


def header_folder() -> Path:
    """Returns the folder of the runtime's headers as the emulator has them."""
    emulator(_BLOCK_DIGITS)
    return WORK / f"emulator-{_BLOCK_DIGITS}" / "build" / "runtime"


def _altered(digits: int, alter: Callable[[Path], object], replaced: tuple[str, ...], *, first: bool) -> _Target:
    """The emulator with a runtime that is changed; the folder of that is found again by its content."""
    fresh = _RUNTIMES / f"new-{os.getpid()}"
    shutil.rmtree(fresh, ignore_errors=True)
    write(load_space(), [], fresh)
    alter(fresh / "runtime")
    content = [(path.name, content_of(path)) for path in sorted((fresh / "runtime").glob("*.*"))]
    folder = _RUNTIMES / key_of(digits, replaced, first, content)
    with FileLock(folder.with_suffix(".lock")):
        if not folder.is_dir():
            folder.mkdir()
            fresh.rename(folder / "generated")
    shutil.rmtree(fresh, ignore_errors=True)
    return _emulated(digits, folder, emulator(digits), replaced, first=first)


def _emulated(digits: int, folder: Path, base: _Target | None, replaced: tuple[str, ...], *, first: bool) -> _Target:
    generated, built = folder / "generated", folder / "build"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_suffix(".lock")):
        if folder.parent != _RUNTIMES:
            write(load_space(), [], generated)
        translate_all(generated, built, digits)
        own = [built / "obj" / f"{source}.o" for source in replaced]
        objects = own if base else [built / "obj" / "emulator.o", built / "obj" / "cuda_runtime.o"]
        header = built / "obj" / "common.hpp"
        _make(built, generated, *map(_relative, objects), *([f"{_relative(header)}.gch"] if first else []))
        flags = shlex.split(_make(built, generated, "-s", "flags"))
    words = [*shlex.split(os.environ.get("CXX", "g++")), *flags, *(["-include", str(header)] if first else [])]
    machine = base.emulator if base else tuple(map(str, objects))
    libraries = (*map(str, own), str(shared_runtime()))
    texts = [(path.name, content_of(path)) for path in sorted((built / "runtime").glob("*"))]
    tools = [(path.name, content_of(path)) for path in sorted((ROOT / "tests" / "emulator").glob("*.*"))]
    changed = [(source, content_of(generated / "runtime" / f"{source}.cpp")) for source in replaced]
    version = version_of(words[0])
    identity = key_of(version, flags, texts, tools, changed, runtime_identity(("*.cpp", "*.hpp")))
    return _Target(".cpp", tuple(words), libraries, identity, machine)


def _make(built: Path, generated: Path, *arguments: str) -> str:
    command = ["make", "--no-print-directory", "-f", "tests/emulator/build.mk", f"-j{os.cpu_count()}", *arguments]
    command += [f"DIR={_relative(built)}", f"RUNTIME={_relative(generated / 'runtime')}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _relative(path: Path) -> str:
    return str(path.relative_to(ROOT))
