"""Renders a style to the text of its program.

A program is a skeleton composed of hooks: macros and constants of its algorithm, its model and its axis values. The
templates know each other by axis (`flow.visit`, `update.minimum`, ...) and never by value: which file answers is
decided here, and only here. `axes/<axis>/<value>.jinja` holds what one value means; `axes/<axis>.jinja` documents the
hooks of the axis and holds their defaults, which also serve where the axis does not exist. What either says in one
family alone is at the same path in that family's room, `families/<family>/`, which comes right before. What a value
means for hooks of another owner, as a planted bug does, is in `axes/<axis>/<value>/<owner>.jinja`, which comes first.
"""

import gc
import hashlib
import re
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from jinja2 import TemplateError, TemplateSyntaxError

from generator.algorithms import Algorithm, Result
from generator.errors import UserError, did_you_mean
from generator.hooks import HookEnvironment, Hooks, Owner, content_of, digest, template, version
from generator.layout import columns, comment, lay_out, paragraphs, table
from generator.paths import ALGORITHMS, TEMPLATES
from generator.space import Axis, Space, Style, name_of

_SUFFIX = {"cuda": ".cu", "multigpu": ".cu", "openmp": ".cpp", "cpp": ".cpp"}
MARK = "\x01"  # stands in rendered text where a bug is planted
LINE = "\x02" * 3  # ... and where the number of that line belongs
_DECLARED = "\x03"  # stands where the struct State belongs, until it is known which fields the program uses
_PREPARED = "\x04"  # ... and the function that prepares it
_FIELD = re.compile(r"\bs\.(\w+)")
_USED = re.compile(r"(?:\bs\.|\bbefore\.|\bState::)(\w+)")
_WRITTEN = re.compile(
    r"(?<!\*)\bs\.(\w+)(?:\+\+|--| [-+*/%&|^]?= )|(?:\+\+|--)s\.(\w+)|\b(?:trade|swap)\(s\.(\w+), s\.(\w+)\)"
)
_LATE = {"declare": lambda: _DECLARED, "prepare": lambda: _PREPARED}
_WHOLE = re.compile(r"\bs\b(?!\.)")
PRIVATE = re.compile("[\U000f0000-\U0010fffd]")  # marks of generator.lines may be anywhere


@dataclass(frozen=True)
class Program:
    """A rendered program."""

    style: Style
    text: str
    reference: str
    """The serial algorithm that results are held against."""
    bug_line: int | None = None
    """The line of the planted bug, the first line being 1; where something is missing, the line it belongs before."""

    @property
    def name(self) -> str:
        """The program's name."""
        return name_of(self.style)

    @property
    def path(self) -> str:
        """Where the program belongs, relative to the output directory."""
        return f"{self.style['model']}/{self.style['algorithm']}/{self.name}{_SUFFIX[self.style['model']]}"

    @property
    def sha256(self) -> str:
        """Hash of the program's text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@cache
def environment() -> HookEnvironment:
    """Returns the Jinja environment that programs are rendered in."""
    return new_environment()


def new_environment() -> HookEnvironment:
    """Returns an environment with the filters and tests that templates use."""
    env = HookEnvironment()
    env.globals.update(comment=comment, columns=columns, pointer=_pointer, mark=_mark)
    env.filters["field_names"] = _field_names
    env.tests["using"] = _is_using
    return env


def _pointer(variable: str) -> str:
    """Returns the C++ expression for a variable's address."""
    return variable[1:] if variable.startswith("*") else f"&{variable}"


def _field_names(expression: str) -> str:
    """Returns an expression as comments have it: fields of the State by their names alone."""
    return re.sub(r"\bs\.", "", expression)


def _is_using(code: str, name: str) -> bool:
    """Whether a name occurs in C++ code other than in comments."""
    return re.search(rf"\b{name}\b", _uncommented(code)) is not None


@lru_cache(maxsize=1 << 12)
def _uncommented(code: str) -> str:
    return re.sub(r"//.*", "", code)


def _mark(text: str = "") -> str:
    """Returns text with a mark, by which the line that it gets to is found."""
    return text + MARK


@cache
def _axis_files(axis: str, value: str | None, family: str) -> tuple[tuple[str, ...], str | None]:
    """Returns the templates that answer for an axis, most specific first, and the room of a family for it."""
    files = (f"axes/{axis}/{value}.jinja",) if value else ()
    defaults = f"axes/{axis}.jinja"
    return (*files, defaults) if (TEMPLATES / defaults).is_file() else files, _room(family, axis)


@cache
def _room(family: str, axis: str) -> str | None:
    """Returns the folder of what a family has for itself, if that says something on an axis."""
    room = f"families/{family}"
    axes = TEMPLATES / room / "axes"
    return room if (axes / axis).is_dir() or (axes / f"{axis}.jinja").is_file() else None


@cache
def _overrides(axis: str, value: str, family: str) -> list[tuple[str, str, str | None]]:
    """Returns by what a value overrides hooks of other owners: owner, template and room; its base brings none along."""
    room = _room(family, axis)
    folder = f"models/{value}" if axis == "model" else f"axes/{axis}/{value}"
    places = [TEMPLATES / folder] + ([TEMPLATES / room / folder] if room else [])
    files = sorted(file for place in places for file in place.glob("*.jinja"))
    return [(stem, file, room) for stem, file in {file.stem: f"{folder}/{file.name}" for file in files}.items()]


def render(space: Space, style: Style, *, traced: bool = False) -> Program:
    """Returns the program of a style that no rule forbids; if `traced`, one that can write down what its rounds did.

    Raises:
        UserError: a template is wrong; never the caller's fault, but perhaps of who writes templates.
    """
    try:
        with _no_collection(), _template_errors():
            return laid_out(style, *composed(space, style, environment(), traced=traced))
    except UndeclaredFieldError as error:
        from generator.lines import place_of  # which imports this module

        raise UserError(f"{place_of(error, space, style)}: {error}") from error


@contextmanager
def _template_errors() -> Iterator[None]:
    """Turns what goes wrong in a template into a UserError that names its file and the line."""
    try:
        yield
    except AttributeError as error:
        if isinstance(error.obj, Owner | Hooks):
            raise UserError(error.obj.lacks(error.name)) from error
        raise
    except TemplateSyntaxError as error:
        raise UserError(f"{error.filename}:{error.lineno}: {error.message}") from error
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError, RecursionError) as error:
        place = _place_in_template(error)
        if place is None:
            raise
        raise UserError(f"{place}: {error}") from error


def _place_in_template(error: Exception) -> str | None:
    """Returns the file and the line of the innermost template that an error has come from, or None."""
    place = None
    for frame, line in traceback.walk_tb(error.__traceback__):
        template = frame.f_globals.get("__jinja_template__")
        if template:
            place = f"{template.filename}:{template.get_corresponding_lineno(line)}"
        elif frame.f_code.co_filename.endswith(".jinja"):  # Jinja has put its own place there already
            place = f"{frame.f_code.co_filename}:{line}"
    return place


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keeps Python from looking for garbage.

    Macros and what they are made of refer to each other, so all of a program's are garbage at once, and only then. A
    look in between finds none, but takes as long as rendering and makes Python believe that they stay.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def composed(space: Space, style: Style, env: HookEnvironment, *, traced: bool = False) -> tuple[str, str]:
    """Returns what the templates of an environment say for a style, not laid out yet, and the serial reference."""
    _let_answer(space, style, env, traced=traced)
    name, hooks = style["algorithm"], env.hooks
    context = {**hooks.context}
    context["name"] = name_of(style)
    context["style_table"] = _style_table(space, style)
    context["runtime_headers"] = _runtime_headers(context, style)
    reference = context["algorithm"].reference.replace("_", "-")
    text = template(env, "program.jinja").render(context)
    fields = _fields(context, style)
    results = space.algorithms[name].results_of(reference)
    _check_results(name, results, {declaration.split()[-1] for declaration, _, _ in fields})
    hooks.let("state", ("state.jinja",))
    return _with_state(text, fields, hooks.context["state"]), reference


def _let_answer(space: Space, style: Style, env: HookEnvironment, *, traced: bool = False) -> None:
    """Lets the templates of a style answer for its program."""
    hooks, algorithm = env.hooks, space.algorithms[style["algorithm"]]
    known = {"algorithm": _manifest_hooks(style["algorithm"], algorithm), "state": _LATE}
    hooks.begin()
    for owner, files, room in _answering(space, style, traced=traced):
        hooks.let(owner, files, room, known.get(owner))
    for owner, file, room in _overriding(style, algorithm.family):
        hooks.override(owner, file, room)


def _answering(
    space: Space, style: Style, *, traced: bool = False
) -> Iterator[tuple[str, tuple[str, ...], str | None]]:
    """Yields the owners with the templates that answer for them, most specific first, and the room of a family."""
    name = style["algorithm"]
    algorithm = space.algorithms[name]
    yield (
        "algorithm",
        (f"algorithms/{name}/hooks.jinja", f"families/{algorithm.family}/hooks.jinja", "families.jinja"),
        None,
    )
    yield "model", (f"models/{style['model']}.jinja", "models.jinja"), None
    yield "graph", (*_graph_files(algorithm), "graph.jinja"), None
    yield "trees", ("trees.jinja",), None
    yield "trace", ("trace/rounds.jinja", "trace.jinja") if traced else ("trace.jinja",), None
    yield "state", ("state.jinja",), None
    for axis in space.axes:
        if axis.name not in ("algorithm", "model"):
            yield axis.name, *_axis_files(axis.name, style.get(axis.name), algorithm.family)


def _overriding(style: Style, family: str) -> Iterator[tuple[str, str, str | None]]:
    """Yields owners with a template by which a value of another axis says more for them, and the room of a family."""
    for axis, value in style.items():
        yield from _overrides(axis, value, family)


def _style_table(space: Space, style: Style) -> list[str]:
    """Returns what the values of a style mean, as lines."""
    shown = [axis for axis in space.axes if axis.name in style and axis.name not in ("algorithm", "model")]
    return table([(axis.name, style[axis.name], _meaning(axis, style)) for axis in shown])


def deciding(space: Space, style: Style) -> list[frozenset[str]]:
    """Returns the templates that decide what the program of a style is, some more than once, and some that do not.

    Raises:
        UserError: a template is wrong.
    """
    family = space.algorithms[style["algorithm"]].family
    hooks = environment().hooks
    with _template_errors():
        answering = [hooks.files(files, room) for _, files, room in _answering(space, style)]
        return [
            *answering,
            *(hooks.files((file,), room) for _, file, room in _overriding(style, family)),
            _shared(family),
        ]


def decided_by(space: Space, style: Style) -> str:
    """Returns a hash of all that decides what the program of a style is, which takes far less time than to render it.

    Raises:
        UserError: a template is wrong.
    """
    manifest = _manifest_of(style["algorithm"])
    meanings = [_meaning(axis, style) for axis in space.axes if axis.name in style]
    return digest([name_of(style), version(), manifest, *map(_content, deciding(space, style)), *meanings])


@cache
def _content(files: frozenset[str]) -> str:
    """Returns a hash of templates."""
    return digest(map(content_of, sorted(files)))


@cache
def _shared(family: str) -> frozenset[str]:
    """The templates of no algorithm, model or value: those whose names templates compute are among them."""
    owned = ("algorithms", "axes", "export", "families", "models")
    files = (str(path.relative_to(TEMPLATES)) for path in TEMPLATES.rglob("*.jinja"))
    return frozenset(file for file in files if file.split("/")[0] not in owned or _is_of_family(file, family))


def _is_of_family(file: str, family: str) -> bool:
    return file.startswith(f"families/{family}/") and not file.startswith(f"families/{family}/axes/")


@cache
def _manifest_of(algorithm: str) -> str:
    return (ALGORITHMS / algorithm / "algorithm.toml").read_text(encoding="utf-8")


def _check_results(name: str, results: Iterable[Result], fields: set[str]) -> None:
    """Raises UserError if a result is no array of the State."""
    for result in results:
        if result.name not in fields:
            manifest = TEMPLATES / "algorithms" / name / "algorithm.toml"
            hint = did_you_mean(result.name, sorted(fields))
            raise UserError(f"{manifest}: no array of its programs is called '{result.name}', a [[result]]; {hint}")


def _graph_files(algorithm: Algorithm) -> list[str]:
    """Returns the templates of the graphs that an algorithm needs, if they are not undirected."""
    return [file for kind in algorithm.facts.get("graphs", ()) if _is_there(file := f"graphs/{kind}.jinja")]


@cache
def _is_there(file: str) -> bool:
    return (TEMPLATES / file).is_file()


def _manifest_hooks(name: str, algorithm: Algorithm) -> dict[str, Any]:
    """Returns what templates know of an algorithm from its manifest, the same object whenever asked."""
    if id(algorithm) in _KNOWN:
        return _KNOWN[id(algorithm)][1]
    hooks = {key: getattr(algorithm, key) for key in ("title", "summary", "has")}
    headers = [f"{name}.hpp"] if algorithm.parameters else []
    hooks |= {
        "id": name,
        "reference": name,
        "family": algorithm.family,
        "skeleton": algorithm.skeleton or "skeleton",
        "results": [f"&State::{result.name}" for result in algorithm.results_of(name)],
        "parameters": headers,
    }
    _KNOWN[id(algorithm)] = algorithm, hooks
    return hooks


_KNOWN: dict[int, tuple[Algorithm, dict[str, Any]]] = {}
"""What templates know of algorithms, which cannot be hashed themselves."""


def _meaning(axis: Axis, style: Style) -> str:
    label = axis.label.format(line=LINE) + ": " if axis.label else ""
    return f"{label}{axis.means(style)} ({axis.source(style[axis.name])})"


class UndeclaredFieldError(UserError):
    """A program uses a field that its State does not have.

    Attributes:
        field: its name.
        text: the program, not laid out yet.
        line: the number of the line in it, the first being 0.
    """

    def __init__(self, field: str, text: str, line: int, known: Iterable[str]) -> None:
        super().__init__(f"s.{field}: the State has no such field; {did_you_mean(field, sorted(known))}")
        self.field = field
        self.text = text
        self.line = line


def _check_fields(text: str, known: set[str]) -> None:
    """Raises UndeclaredFieldError if the code of a program, not its comments, uses a field that is not known."""
    for number, line in enumerate(text.splitlines()):
        for field in _FIELD.findall(PRIVATE.sub("", line).partition("//")[0]):
            if field not in known:
                raise UndeclaredFieldError(field, text, number, known)


def _with_state(text: str, fields: list[tuple[str, str, str | None]], state: Owner) -> str:
    """Returns a program's text with its State, and what prepares it, in their places.

    What only the first values of other fields need, such as the length of their arrays, is no field, but a local
    constant of the function that prepares them. What nobody needs, such as rows that no kernel walks, is neither. A
    first value that is made of the whole State comes last.
    """
    parts = paragraphs(text)
    used = set[str]().union(*map(_used, parts))
    named = [(declaration.split()[-1], declaration, value) for declaration, _, value in fields]
    known = {name for name, _, _ in named}
    if not used <= known:
        _check_fields(text, known)
    needed = set(used)
    for name, _, value in reversed(named):  # fields follow those that their first values are made of
        if value and name in needed:
            needed.update(_fields_in(value))

    def first_value(name: str, declaration: str, value: str) -> str:
        target = f"s.{name}" if name in used else f"const {declaration}"
        if not used.issuperset(_fields_in(value)):
            value = _FIELD.sub(lambda found: found[0] if found[1] in used else found[1], value)
        return f"{target} = {value};"

    kept = [field for field, (name, _, _) in zip(fields, named, strict=True) if name in used]

    def changing() -> list[str]:
        """Returns the fields that change after `prepare`; called only where it matters."""
        written = set[str]().union(*map(_written, parts))
        return [name for name, _, _ in named if name in used and name in written]

    first_values = [
        first_value(name, declaration, value)
        for name, declaration, value in sorted(named, key=lambda field: _is_of_whole(field[2]))
        if value and name in needed
    ]
    return text.replace(_DECLARED, state.declare(kept, changing)).replace(_PREPARED, state.prepare(first_values))


@cache
def _fields_in(value: str) -> frozenset[str]:
    """Returns the fields of a State that a first value is made of."""
    return frozenset(_FIELD.findall(value))


@cache
def _is_of_whole(value: str | None) -> bool:
    """Tells whether a first value is made of the whole State."""
    return bool(value and _WHOLE.search(value))


@lru_cache(maxsize=1 << 17)
def _used(part: str) -> frozenset[str]:
    """Returns the fields of a State that a part of a program names; remembered, as programs share most parts."""
    return frozenset(_USED.findall(part))


@lru_cache(maxsize=1 << 17)
def _written(part: str) -> frozenset[str]:
    """Returns the fields of a State that a part of a program assigns to."""
    return frozenset(name for names in _WRITTEN.findall(PRIVATE.sub("", part)) for name in names)


def laid_out(style: Style, text: str, reference: str) -> Program:
    """Returns the program of a composed text, its marks removed and the line of the first one named."""
    text = lay_out(text)
    if MARK not in text:
        return Program(style, text, reference)
    lines = text.splitlines(keepends=True)
    line = next(number for number, content in enumerate(lines, start=1) if MARK in content)
    unmarked = (content.replace(MARK, "") for content in lines if content.strip() != MARK)
    return Program(style, "".join(unmarked).replace(LINE, str(line)), reference, line)


def _runtime_headers(context: Mapping[str, Any], style: Style) -> set[str]:
    """Returns the headers of the runtime that a program includes: what its model, algorithm and axis values need."""
    owners = ["algorithm", "trace", *(axis for axis in style if axis not in ("algorithm", "model"))]
    needed = (getattr(context[owner], "runtime", ()) for owner in owners)
    return {context["model"].header, *context["algorithm"].parameters}.union(*needed)


def _fields(context: Mapping[str, Any], style: Style) -> list[tuple[str, str, str | None]]:
    """Returns the fields of a program's State: what its algorithm and axis values contribute, each once.

    Graph and results come first, then the axes backwards: what an axis allocates may depend on a later one, as the
    length of a worklist does on whether it has duplicates.
    """
    owners = [
        "iteration",
        "graph",
        "algorithm",
        *(axis for axis in reversed(style) if axis not in ("iteration", "algorithm")),
        "trace",
    ]
    lists = [getattr(context[owner], "fields", ()) for owner in owners]
    lists.insert(owners.index("algorithm") + 1, context["algorithm"].more_fields)
    fields = {field[0]: field for some in lists for field in _with_named(context, some)}
    return [("int n", context["graph"].about_n, "graph.n"), *fields.values()]


def _with_named(context: Mapping[str, Any], fields: Iterable[Any]) -> Iterator[tuple[str, str, str | None]]:
    """Yields fields, and in the place of a name such as "worklist.counter_fields" those that this hook holds.

    A name is looked up only now: templates whose constants need each other could not be loaded.
    """
    for field in fields:
        if isinstance(field, str):
            axis, hook = field.split(".")
            yield from _with_named(context, getattr(context[axis], hook))
        else:
            yield field
