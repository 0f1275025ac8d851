"""Algorithms: what their folders in templates/algorithms/ say of them, apart from how they compute it.

A folder holds `algorithm.toml` (read here), `hooks.jinja` (what a program computes, see templates/families/) and
`reference.cpp` (the serial algorithm). Nothing else names an algorithm: rules and templates go by its facts.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import Field

from generator.errors import FileError, UserError, nearest
from generator.paths import ALGORITHMS
from generator.tables import Table, Words, read_toml, validated

_TELLING = 4  # letters in the middle of a title that mean it: an x is in a single one


class Aid(Table):
    """One array that a reference has.

    Attributes:
        name: of the array; of a result, in the program's State, too.
        kind: whole numbers that are right or wrong; such numbers that are distances, and infinite beyond reach, or
            vertices, -1 where there is none, which users get by their names; or real numbers, or real distances, which
            the algorithm's own check judges; or, of an aid, the binary exponent of the largest number that a program
            has to hold.
        length: one value for each vertex or (directed) edge of the graph, or a single one.
    """

    name: str
    kind: Literal["integer", "distance", "vertex", "real", "real_distance", "exponent"]
    length: Literal["vertices", "edges", "one"]

    @property
    def is_distance(self) -> bool:
        """Whether values are distances, which are infinite beyond reach."""
        return self.kind in ("distance", "real_distance")


class Result(Aid):
    """One array of what a program computes.

    Attributes:
        meaning: what a value is, for users.
        only: the references that have it, if not all of the algorithm do.
    """

    meaning: str
    only: Words = ()


class Parameter(Table):
    """A number that programs and the reference agree on: a constant of the algorithm's namespace in C++."""

    value: int | float
    meaning: str

    @property
    def type(self) -> str:
        """The type of the constant."""
        return "int" if isinstance(self.value, int) else "double"


PATTERN = r"[0-4][a-g]?-[0-4][a-g]?(,[0-4][a-g]?-[0-4][a-g]?)*"
"""Regular expression of a pattern: edges between vertices with or without a label."""


def pattern_fault(text: str) -> str | None:
    """Says why edges make no pattern, in the words of pattern.hpp, which reads them; None if they do."""
    joined: dict[str, set[str]] = {}
    labels: dict[str, str] = {}
    for edge in text.split(","):
        (u, of_u), (v, of_v) = re.findall("([0-4])([a-g]?)", edge)
        for end, label in ((u, of_u), (v, of_v)):
            if label and labels.setdefault(end, label) != label:
                return "has a vertex with two labels"
        if u == v:
            return "has an edge from a vertex to itself"
        joined.setdefault(u, set()).add(v)
        joined.setdefault(v, set()).add(u)
    if len(joined) <= int(max(joined)):
        return "leaves out a vertex: they are numbered from 0 without gaps"
    reached = {"0"}
    for _ in joined:
        reached = reached.union(*(joined[v] for v in reached))
    return None if reached == joined.keys() else "is not connected"


class QueryOption(Table):
    """What a user may ask with: the option `--NAME` of programs, and a field of `Query` in C++.

    It is a whole number, or, if the default is a text, a pattern: edges such as "0-1,1-2", as pattern.hpp reads them.
    """

    default: int | str
    minimum: int = 0
    maximum: int = 2**31 - 1
    meaning: str
    labels: str = ""
    """Of a pattern: the option that says how many labels the graph has, as no vertex has others."""

    @property
    def is_pattern(self) -> bool:
        """Whether it is a pattern."""
        return isinstance(self.default, str)


class Algorithm(Table):
    """What algorithm.toml says.

    Attributes:
        title: the name in words.
        meaning: what is computed, for users.
        summary: how, for the head of a program.
        source: where it comes from.
        skeleton: that of its programs, if it is not its family's.
        facts: what rules and templates go by; configs/space.toml lists the facts and their values.
        result: the arrays that are verified, in order.
        aid: arrays that the reference has besides, for the check.
        references: the serial algorithms, `serial_NAME` in reference.cpp, and what each computes. Without: one that has
            the algorithm's name.
        real_weights: those of the references that take real weights.
        parameters: constants of a namespace that has the algorithm's name, in the header NAME.hpp.
        query: what a user may ask with besides the start vertex. `sources` is how many vertices to start from.
        own_check: whether reference.cpp has a `check_NAME` of its own; without, results have to be equal.
        certificate: whether it has a `certify_NAME` for each reference, which tells from the graph alone that a result
            is right.
    """

    title: str
    meaning: str
    summary: str
    source: str
    skeleton: str = ""
    facts: dict[str, Words]
    result: tuple[Result, ...] = Field(min_length=1)
    aid: tuple[Aid, ...] = ()
    references: dict[str, str] = Field(default_factory=dict)
    real_weights: Words = ()
    parameters: dict[str, Parameter] = Field(default_factory=dict)
    query: dict[str, QueryOption] = Field(default_factory=dict, max_length=4)
    own_check: bool = False
    certificate: bool = False

    @property
    def family(self) -> str:
        """What kind of computation it is; also the skeleton of its programs, unless it or a style says otherwise."""
        return self.facts["family"][0]

    def results_of(self, reference: str) -> tuple[Result, ...]:
        """Returns the arrays of a reference, which has the name that it has in C++ or that programs are listed with."""
        return tuple(each for each in self.result if not each.only or reference.replace("-", "_") in each.only)

    def has(self, fact: str, value: str) -> bool:
        """Tells whether a fact has a value."""
        return value in self.facts.get(fact, ())

    def fault_of(self, asked: Mapping[str, int | str]) -> str | None:
        """Says what its programs would refuse of what they are asked, or None. Keys are those of `query`."""
        values = {name: asked.get(name, option.default) for name, option in self.query.items()}
        for name, value in asked.items():
            option = self.query[name]
            if isinstance(value, int) and not option.minimum <= value <= option.maximum:
                return f"{name}={value}: not from {option.minimum} to {option.maximum}"
            if option.is_pattern and (fault := pattern_fault(str(value))):
                return f"{name}={value}: {fault}"
        for name, option in self.query.items():
            if not option.labels:
                continue
            largest, count = max(re.findall("[a-g]", str(values[name])), default=""), int(values[option.labels])
            if largest and ord(largest) - ord("a") >= count:
                return f"{name}={values[name]}: has label {largest}, which no vertex has with {option.labels}={count}"
        return None

    def takes_real_weights(self, style: Mapping[str, str]) -> bool:
        """Tells whether a program of the algorithm takes real weights."""
        return bool(self.real_weights) and style.get("datatype", "").startswith("r")

    def allows_real_weights(self, style: Mapping[str, str]) -> bool:
        """Tells whether a program of the algorithm takes graphs with such: those that look at no weights do, too."""
        return not self.has("needs", "weights") or self.takes_real_weights(style)

    def takes_directed(self, style: dict[str, str]) -> bool:
        """Tells whether a program of the algorithm takes directed graphs; it takes no others then."""
        return "direction" in style or self.has("graphs", "both") or self.has("graphs", "sides")


def _check_functions(path: Path, algorithm: Algorithm) -> None:
    """Raises FileError if a reference.cpp lacks a function that the manifest beside it promises; else only ld would."""
    text = path.read_text(encoding="utf-8")
    functions = [f"serial_{name}" for name in algorithm.references]
    functions += [f"certify_{name}" for name in algorithm.references if algorithm.certificate]
    functions += [f"check_{path.parent.name}"] if algorithm.own_check else []
    for function in functions:
        if f" {function}(" not in text:
            hint = nearest(function, re.findall(r"\w+(?=\()", text))
            reason = f"no function '{function}', which algorithm.toml beside it makes necessary"
            raise FileError(path, text, f"{reason}; {hint}" if hint else reason)


def find_algorithm(word: str) -> str:
    """Returns the algorithm that a word means: its name, or its title or the beginning of one, however written.

    Raises:
        UserError: it means none, or several.
    """
    known = load_algorithms()
    if word in known:
        return word
    titles = {_letters(algorithm.title): name for name, algorithm in known.items()}
    meant = _letters(word)
    begins = [title for title in titles if title.startswith(meant)]
    within = [title for title in titles if len(meant) >= _TELLING and meant in title]
    fitting = [meant] if meant in titles else begins or within
    if meant and len(fitting) == 1:
        return titles[fitting[0]]
    near = get_close_matches(word.lower(), [*known, *titles], n=1)
    meant_names = [titles.get(each, each) for each in (fitting if meant else []) or near]
    hint = f"did you mean {' or '.join(meant_names)}?" if meant_names else f"there are {', '.join(known)}"
    raise UserError(f"no algorithm is called '{word}'; {hint}")


def _letters(words: str) -> str:
    return re.sub("[^a-z0-9]", "", words.lower())


@cache
def load_algorithms(folder: Path = ALGORITHMS) -> dict[str, Algorithm]:
    """Returns the algorithms by name, in alphabetical order.

    Raises:
        FileError: TOML syntax, an unknown or missing key, or a file that is missing beside algorithm.toml.
    """
    algorithms = {}
    for path in sorted(folder.glob("*/algorithm.toml")):
        text, data = read_toml(path)
        algorithm = validated(Algorithm, data, path, text)
        if len(algorithm.facts.get("family", ())) != 1:
            raise FileError(
                path, text, 'an algorithm belongs to one family: family = "..." under [facts]', word="facts"
            )
        if not algorithm.own_check and any(result.kind.startswith("real") for result in algorithm.result):
            reason = "real numbers are never equal: own_check = true, and a check_NAME in reference.cpp"
            raise FileError(path, text, reason, word="real")
        for name in ("hooks.jinja", "reference.cpp"):
            if not (path.parent / name).is_file():
                raise FileError(path, text, f"{name} is missing beside it", line=1)
        for option in algorithm.query.values():
            if option.labels and (option.labels not in algorithm.query or not option.is_pattern):
                reason = "labels is for patterns, and names a key of [query]"
                raise FileError(path, text, reason, word="labels")
        name = path.parent.name
        references = algorithm.references or {name: algorithm.meaning}
        algorithms[name] = algorithm.model_copy(update={"references": references})
        _check_functions(path.parent / "reference.cpp", algorithms[name])
    return algorithms
