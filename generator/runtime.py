"""The runtime: what programs are compiled against, copied from templates/ and made of the algorithms' manifests."""

import re
from pathlib import Path

from generator.algorithms import Algorithm, load_algorithms
from generator.layout import comment
from generator.paths import ALGORITHMS, TEMPLATES
from generator.render import environment

HEADERS = (".hpp", ".cuh", ".h")
"""Suffixes of what programs include."""

_RUNTIME = TEMPLATES / "runtime"
_INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)


def included(text: str) -> list[str]:
    """Returns the headers of the runtime that a source or a header names, in their order."""
    return _INCLUDE.findall(text)


def runtime_files(folder: Path = ALGORITHMS) -> dict[Path, str]:
    """Returns the files of the runtime, by their path relative to the folder `runtime`.

    Those of templates/runtime/; of each algorithm its reference as `serial_NAME.cpp`, its headers, and its parameters
    as `NAME.hpp`; and the table of all algorithms, which are those of `folder`, and what they may be asked.
    """
    algorithms = load_algorithms(folder)
    copied = {path.relative_to(_RUNTIME): path for path in _RUNTIME.rglob("*.*") if path.suffix != ".jinja"}
    for name in algorithms:
        copied[Path(f"serial_{name}.cpp")] = folder / name / "reference.cpp"
        copied |= {Path(path.name): path for path in (folder / name).glob("*.hpp")}
    files = {path: source.read_text(encoding="utf-8") for path, source in copied.items()}

    references = _references(algorithms)
    query = sorted({name for algorithm in algorithms.values() for name in algorithm.query} - {"sources"})
    files[Path("algorithms.cpp")] = algorithm_table(algorithms)
    for table in ("algorithms.hpp", "query.hpp"):
        files[Path(table)] = _rendered(table, references=references, algorithms=algorithms, query=query)
    for name, algorithm in algorithms.items():
        if algorithm.parameters:
            files[Path(f"{name}.hpp")] = _rendered("parameters.hpp", name=name, algorithm=algorithm, comment=comment)
    return dict(sorted(files.items()))


def algorithm_table(algorithms: dict[str, Algorithm]) -> str:
    """Returns algorithms.cpp: what the runtime knows of these algorithms."""
    return _rendered("algorithms.cpp", references=_references(algorithms), algorithms=algorithms)


def _references(algorithms: dict[str, Algorithm]) -> list[tuple[str, str, str]]:
    """Returns the serial references: the name, that of the algorithm, and what it computes."""
    return [
        (reference, name, meaning)
        for name, algorithm in algorithms.items()
        for reference, meaning in algorithm.references.items()
    ]


def write_runtime(directory: Path, folder: Path = ALGORITHMS) -> Path:
    """Fills a folder with the runtime, for whoever compiles against it without any program; returns the folder."""
    for path, text in runtime_files(folder).items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
    return directory


def _rendered(file: str, **context: object) -> str:
    return environment().get_template(f"runtime/{file}.jinja").render(context) + "\n"
