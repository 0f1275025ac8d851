"""A program as a library: its text, the part of the runtime that it uses, and a C interface."""

import inspect
import keyword
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from generator.algorithms import Algorithm, load_algorithms
from generator.errors import UserError, naming
from generator.paths import SHARE
from generator.render import Program, environment
from generator.runtime import algorithm_table, runtime_files
from generator.space import Style

_PARAMETER = re.compile(r'\bParameter \w+\("([\w-]+)", ([^,]+), "([^"]*)"(?:, \w+::whole)?\);')
_LAUNCH = re.compile(r"(<<<1, 1|\b(?:single_)?block_size)>>>")
_INCLUDE = re.compile(r'^#include "(?:\.\./\.\./runtime/)?([^"]+)"', re.MULTILINE)
_REFERENCE = re.compile(r"violet::Algorithm::(\w+)")
_TOGETHER = "violet::run_together<"
_DOUBLED = re.compile(r"\bEdges::(both_ways|sides)\b")
_SIZES = {"vertices": "static_cast<std::size_t>(graph.n)", "edges": "static_cast<std::size_t>(graph.m)", "one": "1"}
_COUNTS = {"vertices": "n", "edges": "m", "one": "1"}
_BEYOND = {"int32": "2^30 - 1", "int64": "2^62 - 1", "float32": "FLT_MAX / 2", "float64": "DBL_MAX / 2"}
_TYPES = {
    "int": ("int32_t", "int32", "%lld"),
    "long long": ("int64_t", "int64", "%lld"),
    "float": ("float", "float32", "%g"),
    "double": ("double", "float64", "%g"),
    "unsigned char": ("uint8_t", "uint8", "%lld"),
}
"""Types of results, as the program has them: in C, of numpy, and for printf."""
_TAKEN = {"all", "check", "clean", "example", "program", "test", "int", "long", "double", "float", "char", "void"}
"""Names of targets, files and types that a library has or needs."""
_MODULES = sys.stdlib_module_names | {"numpy", "scipy", "networkx", "pandas", "cupy"}
"""A module of such a name would be found in the place of what it imports itself."""
_CPP = {".cpp", ".hpp", ".h", ".cu", ".cuh"}


@dataclass(frozen=True)
class Parameter:
    """A number of a program's method that its user may set; the value is as the program's text has it."""

    option: str
    value: str
    meaning: str

    @property
    def name(self) -> str:
        """Its name in C and Python."""
        return self.option.replace("-", "_")


@dataclass(frozen=True)
class Array:
    """A result of a program, as users of its library see it.

    Attributes:
        name: of the array.
        kind: as Aid says.
        length: as Aid says.
        meaning: what a value is.
        type: of a value, as the program has it.
        rows: whether there are so many values for each source.
    """

    name: str
    kind: str
    length: str
    meaning: str
    type: str
    rows: bool

    @property
    def quoted(self) -> str:
        """The name as Python writes it."""
        return f'"{self.name}"'

    @property
    def c_type(self) -> str:
        """The type of a value in C."""
        return _TYPES[self.type][0]

    @property
    def dtype(self) -> str:
        """The type of a value, of numpy."""
        return _TYPES[self.type][1]

    @property
    def format(self) -> str:
        """How printf writes a value."""
        return _TYPES[self.type][2]

    @property
    def count(self) -> str:
        """How many values there are, by the numbers n of vertices and m of directed edges."""
        return f"sources * {_COUNTS[self.length]}" if self.rows else _COUNTS[self.length]

    @property
    def shape(self) -> str:
        """The shape of the array, of numpy."""
        return f"(sources, {_COUNTS[self.length]})" if self.rows else f"({self.count},)"

    @property
    def beyond(self) -> str:
        """The least value of what is beyond reach, if this is a distance."""
        return _BEYOND[self.dtype] if self.kind in ("distance", "real_distance") else ""


def export(program: Program, algorithm: Algorithm, directory: Path, threads: int = 1, name: str | None = None) -> None:
    """Fills a new folder with a program as a library, which needs nothing else to be compiled.

    Args:
        program: what is exported; its text is kept, but for the stream of its launches.
        algorithm: what it computes.
        directory: must not exist, or be empty.
        threads: that a library for a CPU takes unless its caller says otherwise.
        name: of the library and of all that it defines; None: that of the program.

    Raises:
        UserError: the name is none for a library, the folder has something in it, the program takes several GPUs, or
            clang-format is missing or fails.
        OSError: a file cannot be written.
    """
    if name is not None:
        check_name(name)
    if reason := obstacle(program.style):
        raise UserError(f"{program.name}: {reason}; export another")
    if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
        raise UserError(f"{directory}: exists and is not an empty folder; name another with --out")
    existed = directory.exists()
    try:
        for path, text in files(program, algorithm, threads, name).items():
            (directory / path).parent.mkdir(parents=True, exist_ok=True)
            with naming(directory / path):
                (directory / path).write_text(text, encoding="utf-8")
        _format(directory)
    except BaseException:  # so that the same command works once its cause is mended
        shutil.rmtree(directory.resolve(), ignore_errors=True)
        if existed:
            directory.resolve().mkdir(exist_ok=True)
        raise


def obstacle(style: Style) -> str | None:
    """Returns why a program cannot be a library, or None."""
    if style["model"] == "multigpu":
        return "takes several GPUs, and libraries take one"
    return None


def _format(directory: Path) -> None:
    """Formats C++ as the project is: names of programs make lines of any length."""
    paths = [str(path) for path in directory.rglob("*") if path.suffix in _CPP]
    beside = Path(sys.executable).with_name("clang-format")
    command = str(beside) if beside.is_file() else shutil.which("clang-format")
    if command is None:
        raise UserError("clang-format not found: `make setup` installs it")
    words = [command, "-i", f"--style=file:{SHARE / '.clang-format'}", *paths]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:  # such as of a disk that has become full
        raise UserError(f"{directory}: clang-format: {' '.join(done.stderr.split()) or f'exit code {done.returncode}'}")


def files(program: Program, algorithm: Algorithm, threads: int = 1, name: str | None = None) -> dict[str, str]:
    """Returns the files of the library by their path, not yet formatted; see `export`."""
    text = _LAUNCH.sub(r"\1, 0, stream>>>", program.text)
    identifier = name or re.sub(r"\W", "_", program.name)
    source = Path(program.path).name
    model = program.style["model"]
    options = {key: option for key, option in algorithm.query.items() if key != "sources"}
    together = _TOGETHER in text
    several = "sources" in algorithm.query or together
    needs_source = algorithm.has("needs", "source")
    weighted = algorithm.has("needs", "weights")
    real = program.reference.replace("-", "_") in algorithm.real_weights
    directed = algorithm.takes_directed(program.style)
    doubled = found[0] if (found := _DOUBLED.findall(text)) else ""
    in_rows = directed and not doubled and "graph.in_row_offsets" in text
    sources = "graph.sources" in text
    cuda = model == "cuda"
    begin = ["sources, 2"] if several else ["0"] if needs_source else []
    results = _results(program, algorithm)
    tested = ["starts, query.sources"] if several else ["0"] if needs_source else []
    context: dict[str, object] = {
        "name": program.name,
        "what": _what(algorithm),
        "wrap": _wrap,
        "c_comment": _c_comment,
        "id": identifier,
        "algorithm": algorithm,
        "results": results,
        "distances": [index for index, each in enumerate(results) if each.beyond and each.dtype == "int32"],
        "vertices": [each for each in results if each.kind == "vertex"],
        "counts": "counted(" in text,
        "threads": threads,
        "options": options,
        "patterns": [key for key, option in options.items() if option.is_pattern],
        "numbering": _numbering,
        "several": several,
        "together": together,
        "needs_source": needs_source,
        "asks": needs_source or bool(options),
        "asked": begin + ['"0-1,1-2"' if each.is_pattern else str(each.default) for each in options.values()],
        "tested": tested + ["pattern.c_str()" if each.is_pattern else f"query.{key}" for key, each in options.items()],
        "weighted": weighted,
        "real": real,
        "negative": real and not needs_source,
        "weight_type": "float" if real else "int32_t",
        "weight_dtype": "float32" if real else "int32",
        "directed": directed,
        "doubled": doubled,
        "in_rows": in_rows,
        "transposed": bool(doubled or in_rows),
        "paired": in_rows or not directed,
        "sources": sources,
        "gpu_sources": cuda and sources and not doubled,
        "makes": bool(doubled or in_rows or (sources and not cuda)),
        "source": source,
        "cuda": cuda,
        "openmp": model == "openmp",
        "asks_degree": "query.source_degree" in text,
        "evidence": "evidence" in program.style,
        "coupled": program.style.get("evidence") == "coupled",
        "parameters": _parameters(text, algorithm),
        "reference": _REFERENCE.findall(text)[-1],
        "flags": "-fopenmp" if model == "openmp" else "-pthread",
        "sizes": _SIZES,
    }

    def rendered(file: str) -> str:
        return environment().get_template(f"export/{file}.jinja").render(context) + "\n"

    interface = {
        f"src/library.{'cu' if cuda else 'cpp'}": rendered("library.cpp"),
        "src/check_graph.hpp": rendered("check_graph.hpp"),
    }
    if context["distances"] or context["counts"]:
        interface["src/check_result.hpp"] = rendered("check_result.hpp")
    if context["makes"] or context["gpu_sources"]:
        interface["src/make_graph.hpp"] = rendered("make_graph.hpp")
    runtime = _used("".join((text, *interface.values())))
    context["parts"] = sorted(name for name in runtime if name.endswith(".cpp"))
    return (
        {
            f"include/{identifier}.h": rendered("library.h"),
            f"include/{identifier}.hpp": rendered("library.hpp"),
            f"src/{source}": text,
            "Makefile": rendered("Makefile"),
            "CMakeLists.txt": rendered("CMakeLists.txt"),
            "README.md": rendered("README.md"),
            "example.cpp": rendered("example.cpp"),
            f"{identifier}.py": rendered("library.py"),
            "test/test.cpp": rendered("test.cpp"),
        }
        | interface
        | {f"src/{name}": content for name, content in runtime.items()}
        | {
            f"test/{name}": content
            for name, content in _judge(program.style["algorithm"]).items()
            if name not in runtime
        }
    )


def _numbering() -> str:
    """Returns the function of `generator.numbering`, for a file that has numpy as `np`."""
    from generator.numbering import numbers_with  # here, because numpy takes a while

    return inspect.getsource(numbers_with)


def _parameters(text: str, algorithm: Algorithm) -> list[Parameter]:
    """Returns the parameters of a program; where several share a sentence of its help, each gets the whole of it."""
    known = {name: str(each.value) for name, each in algorithm.parameters.items()}
    found = [
        Parameter(option, known.get(option, value), meaning.replace(option, option.replace("-", "_")))
        for option, value, meaning in _PARAMETER.findall(text)
    ]
    sentences: list[list[Parameter]] = []
    for parameter in found:
        if parameter.meaning.startswith("... "):
            sentences[-1].append(parameter)
        else:
            sentences.append([parameter])
    return [
        replace(parameter, meaning=parameter.meaning if len(parts) == 1 else _sentence(parts))
        for parts in sentences
        for parameter in parts
    ]


def _sentence(parts: list[Parameter]) -> str:
    """Joins what is said of parameters, each of which calls itself `this`."""
    named = [re.sub(r"\bthis\b", part.name, part.meaning.removeprefix("... ").removesuffix(" ...")) for part in parts]
    return " ".join(named)


def check_name(name: str) -> None:
    """Raises UserError unless a name can be that of a C type, a Python module and a target of make."""
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name) or name in _TAKEN | _MODULES:
        raise UserError(f"--name {name}: is no name for a library: take letters, digits and _, such as mybfs")


def _what(algorithm: Algorithm) -> str:
    """Returns what an algorithm computes as a sentence, without the name, which is above it."""
    what = algorithm.meaning.partition(": ")[2] or algorithm.meaning
    return f"{what[0].upper()}{what[1:]}."


def _wrap(text: str, indent: int = 0) -> str:
    """Breaks a paragraph of a Python docstring into lines, all but the first one indented by four more."""
    begin = " " * indent
    further = begin + ("    " if indent else "")
    return textwrap.fill(text, 120, initial_indent=begin, subsequent_indent=further, break_on_hyphens=False)


def _c_comment(caller: Callable[[], str]) -> str:
    """Makes a comment of C of its body."""
    text = " ".join(caller().split())
    return textwrap.fill(text, 117, initial_indent="/* ", subsequent_indent=" * ", break_on_hyphens=False) + " */\n"


def _results(program: Program, algorithm: Algorithm) -> list[Array]:
    """Returns the results of a program, with the types that its text says."""
    types = dict(re.findall(r"^using (\w+) = ([\w ]+);", program.text, re.MULTILINE))
    results = []
    for each in algorithm.results_of(program.reference):
        (name,) = re.findall(rf"^\s*([\w ]+)\* {each.name};", program.text, re.MULTILINE)
        rows = _TOGETHER in program.text
        results.append(Array(each.name, each.kind, each.length, each.meaning, types.get(name, name), rows))
    return results


@cache
def _runtime() -> dict[str, str]:
    """Returns the files of the runtime by their names."""
    return {path.as_posix(): content for path, content in runtime_files().items()}


def _judge(name: str) -> dict[str, str]:
    """Returns what holds results against an algorithm's serial reference."""
    table = algorithm_table({name: load_algorithms()[name]})
    runtime = _runtime()
    sources = {file: runtime[file] for file in (f"serial_{name}.cpp", "reference.cpp")} | {"algorithms.cpp": table}
    headers: dict[str, str] = {}
    for content in sources.values():
        headers |= _used(content, beside=False)
    return sources | headers


def _used(text: str, beside: bool = True) -> dict[str, str]:
    """Returns the headers of the runtime that a text includes, and .cpp files beside them that use only those."""
    runtime = _runtime()
    used: dict[str, str] = {}
    waiting = _INCLUDE.findall(text)
    while waiting:
        name = waiting.pop()
        if name in runtime and name not in used:
            used[name] = runtime[name]
            waiting += _INCLUDE.findall(runtime[name])
    sources = {Path(name).with_suffix(".cpp").name for name in used} & runtime.keys() if beside else set()
    return used | {name: runtime[name] for name in sources if set(_INCLUDE.findall(runtime[name])) <= used.keys()}
