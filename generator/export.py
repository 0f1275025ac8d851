"""A program as a library: its text, the part of the runtime that it uses, and a C interface."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from generator.algorithms import Algorithm, load_algorithms
from generator.errors import UserError
from generator.paths import ROOT
from generator.render import Program, environment
from generator.runtime import algorithm_table, runtime_files
from generator.space import Style

_PARAMETER = re.compile(r'\bParameter (\w+)\("(\w+)", ([^,]+), "([^"]*)"\);')
_LAUNCH = re.compile(r"\b((?:single_)?block_size)>>>")
_INCLUDE = re.compile(r'^#include "(?:\.\./\.\./runtime/)?([^"]+)"', re.MULTILINE)
_REFERENCE = re.compile(r"violet::Algorithm::(\w+)")
_SIZES = {"vertices": "static_cast<std::size_t>(graph.n)", "edges": "static_cast<std::size_t>(graph.m)", "one": "1"}
_LENGTHS = {"vertices": "one for each vertex", "edges": "one for each directed edge", "one": "a single one"}
_CPP = {".cpp", ".hpp", ".h", ".cu", ".cuh"}
_KINDS = {
    "integer": "whole numbers",
    "distance": "distances; beyond reach, at least half of the largest number of the type",
    "real": "real numbers",
}


@dataclass(frozen=True)
class Parameter:
    """A number of a program's method that its user may set; the value is as the program's text has it."""

    name: str
    value: str
    meaning: str


def export(program: Program, algorithm: Algorithm, directory: Path) -> None:
    """Fills a new folder with a program as a library, which needs nothing else to be compiled.

    Args:
        program: what is exported; its text is kept, but for the stream of its launches.
        algorithm: what it computes.
        directory: must not exist, or be empty.

    Raises:
        UserError: the folder has something in it, the program takes directed graphs or several GPUs, or clang-format is
            missing.
    """
    if reason := obstacle(program.style, algorithm):
        raise UserError(f"{program.name}: {reason}; export another")
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise UserError(f"{directory}: exists and is not an empty folder; name another with --out")
    for path, text in files(program, algorithm).items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
    _format([path for path in directory.rglob("*") if path.suffix in _CPP])


def obstacle(style: Style, algorithm: Algorithm) -> str | None:
    """Returns why a program cannot be a library, or None."""
    if style["model"] == "multigpu":
        return "takes several GPUs, and libraries take one"
    if algorithm.takes_directed(style):
        return "takes directed graphs, and libraries take undirected ones"
    if any(option.is_pattern for option in algorithm.query.values()):
        return "asks for a pattern, and libraries are asked with numbers"
    return None


def _format(paths: list[Path]) -> None:
    """Formats C++ as the project is: names of programs make lines of any length."""
    beside = Path(sys.executable).with_name("clang-format")
    command = str(beside) if beside.is_file() else shutil.which("clang-format")
    if command is None:
        raise UserError("clang-format not found: `make setup` installs it")
    subprocess.run([command, "-i", f"--style=file:{ROOT / '.clang-format'}", *paths], check=True)


def files(program: Program, algorithm: Algorithm) -> dict[str, str]:
    """Returns the files of the library by their path, not yet formatted."""
    text = _LAUNCH.sub(r"\1, 0, stream>>>", program.text)
    runtime = _used(text)
    identifier = re.sub(r"\W", "_", program.name)
    source = Path(program.path).name
    model = program.style["model"]
    reference = _REFERENCE.findall(text)[-1]
    context = {
        "name": program.name,
        "id": identifier,
        "algorithm": algorithm,
        "results": algorithm.result,
        "options": {key: option for key, option in algorithm.query.items() if key != "sources"},
        "several": "sources" in algorithm.query,
        "weighted": algorithm.has("needs", "weights"),
        "needs_source": algorithm.has("needs", "source"),
        "source": source,
        "cuda": model == "cuda",
        "openmp": model == "openmp",
        "asks_degree": "query.source_degree" in text,
        "parameters": [Parameter(*found) for _, *found in _PARAMETER.findall(text)],
        "reference": reference,
        "flags": "-fopenmp" if model == "openmp" else "-pthread",
        "parts": sorted(name for name in runtime if name.endswith(".cpp")),
        "sizes": _SIZES,
        "lengths": _LENGTHS,
        "kinds": _KINDS,
    }

    def rendered(file: str) -> str:
        return environment().get_template(f"export/{file}.jinja").render(context) + "\n"

    return (
        {
            f"include/{identifier}.h": rendered("library.h"),
            f"src/library.{'cu' if model == 'cuda' else 'cpp'}": rendered("library.cpp"),
            "src/check_graph.hpp": rendered("check_graph.hpp"),
            f"src/{source}": text,
            "Makefile": rendered("Makefile"),
            "CMakeLists.txt": rendered("CMakeLists.txt"),
            "README.md": rendered("README.md"),
            "example.cpp": rendered("example.cpp"),
            f"{identifier}.py": rendered("library.py"),
            "test/test.cpp": rendered("test.cpp"),
        }
        | {f"src/{name}": content for name, content in runtime.items()}
        | {
            f"test/{name}": content
            for name, content in _judge(program.style["algorithm"]).items()
            if name not in runtime
        }
    )


def _judge(name: str) -> dict[str, str]:
    """Returns what holds results against an algorithm's serial reference."""
    table = algorithm_table({name: load_algorithms()[name]})
    runtime = {path.as_posix(): content for path, content in runtime_files().items()}
    sources = {file: runtime[file] for file in (f"serial_{name}.cpp", "reference.cpp")} | {"algorithms.cpp": table}
    headers: dict[str, str] = {}
    for content in sources.values():
        headers |= _used(content, beside=False)
    return sources | headers


def _used(text: str, beside: bool = True) -> dict[str, str]:
    """Returns the headers of the runtime that a text includes, and .cpp files beside them that use only those."""
    runtime = {path.as_posix(): content for path, content in runtime_files().items()}
    used: dict[str, str] = {}
    waiting = _INCLUDE.findall(text)
    while waiting:
        name = waiting.pop()
        if name not in used:
            used[name] = runtime[name]
            waiting += _INCLUDE.findall(runtime[name])
    sources = {Path(name).with_suffix(".cpp").name for name in used} & runtime.keys() if beside else set()
    return used | {name: runtime[name] for name in sources if set(_INCLUDE.findall(runtime[name])) <= used.keys()}
