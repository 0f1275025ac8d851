"""A program as a library: its text as it is, the part of the runtime that it uses, and a C interface."""

import re
from pathlib import Path

from generator.algorithms import Algorithm
from generator.errors import UserError
from generator.render import Program, environment
from generator.runtime import runtime_files

_INCLUDE = re.compile(r'^#include "(?:\.\./\.\./runtime/)?([^"]+)"', re.MULTILINE)
_SIZES = {"vertices": "static_cast<std::size_t>(graph.n)", "edges": "static_cast<std::size_t>(graph.m)", "one": "1"}
_LENGTHS = {"vertices": "one for each vertex", "edges": "one for each directed edge", "one": "a single one"}
_KINDS = {
    "integer": "whole numbers",
    "distance": "distances; beyond reach, at least half of the largest number of the type",
    "real": "real numbers",
}


def export(program: Program, algorithm: Algorithm, directory: Path) -> None:
    """Fills a new folder with a program as a library, which needs nothing else to be compiled.

    Args:
        program: what is exported; its text is kept as it is.
        algorithm: what it computes.
        directory: must not exist, or be empty.

    Raises:
        UserError: the folder has something in it, or the program takes directed graphs.
    """
    if "constexpr auto edges = Edges::" in program.text:
        raise UserError(f"{program.name}: takes directed graphs, and libraries take undirected ones; export another")
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise UserError(f"{directory}: exists and is not an empty folder; name another with --out")
    for path, text in files(program, algorithm).items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")


def files(program: Program, algorithm: Algorithm) -> dict[str, str]:
    """Returns the files of the library by their path."""
    runtime = _used(program.text)
    identifier = re.sub(r"\W", "_", program.name)
    source = Path(program.path).name
    model = program.style["model"]
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
        "flags": "-fopenmp" if model == "openmp" else "-pthread",
        "parts": sorted(name for name in runtime if name.endswith(".cpp")),
        "sizes": _SIZES,
        "lengths": _LENGTHS,
        "kinds": _KINDS,
    }

    def rendered(file: str) -> str:
        return environment().get_template(f"export/{file}.jinja").render(context) + "\n"

    return {
        f"include/{identifier}.h": rendered("library.h"),
        "src/library.cpp": rendered("library.cpp"),
        f"src/{source}": program.text,
        "Makefile": rendered("Makefile"),
        "example.cpp": rendered("example.cpp"),
        f"{identifier}.py": rendered("library.py"),
    } | {f"src/{name}": text for name, text in runtime.items()}


def _used(text: str) -> dict[str, str]:
    """Returns the headers of the runtime that a program includes, and .cpp files beside them that use only those."""
    runtime = {path.as_posix(): content for path, content in runtime_files().items()}
    used: dict[str, str] = {}
    waiting = _INCLUDE.findall(text)
    while waiting:
        name = waiting.pop()
        if name not in used:
            used[name] = runtime[name]
            waiting += _INCLUDE.findall(runtime[name])
    beside = {Path(name).with_suffix(".cpp").name for name in used} & runtime.keys()
    return used | {name: runtime[name] for name in beside if set(_INCLUDE.findall(runtime[name])) <= used.keys()}
