"""Renders a style to the text of its program.

A program is a skeleton composed of hooks: macros and constants of its algorithm, its model and its axis values. The
templates know each other by axis (`flow.visit`, `update.minimum`, ...) and never by value: which file answers is
decided here, and only here. `axes/<axis>/<value>.jinja` holds what one value means; `axes/<axis>.jinja` documents the
hooks of the axis and holds their defaults, which also serve where the axis does not exist. What a value means for the
hooks of another owner, as a planted bug does, is in `axes/<axis>/<value>/<owner>.jinja`, which comes first.
"""

import gc
import hashlib
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any

from jinja2 import (
    Environment,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateError,
    TemplateNotFound,
    TemplateSyntaxError,
)
from jinja2.runtime import Context

from generator.algorithms import Algorithm
from generator.errors import UserError, did_you_mean, nearest
from generator.layout import columns, comment, lay_out, table
from generator.paths import TEMPLATES
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
_WHOLE = re.compile(r"\bs\b(?!\.)")
_PRIVATE = re.compile("[\U000f0000-\U0010fffd]")  # marks of generator.lines may be anywhere


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
def environment() -> Environment:
    """Returns the Jinja environment that programs are rendered in."""
    return new_environment()


def new_environment() -> Environment:
    """Returns an environment with the filters and tests that templates use."""
    env = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=_Undefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=False,  # noqa: S701 (the output is C++)
    )
    env.context_class = _Context
    env.globals.update(comment=comment, columns=columns, pointer=_pointer, mark=_mark)
    env.filters["field_names"] = _field_names
    env.tests["using"] = _is_using
    return env


class _Context(Context):
    """A context whose calls are those of Python: nothing that templates call asks for the context itself.

    Jinja looks for that at each call, which takes as long as half of all macros.
    """

    def call(
        self, called: Callable[..., Any], /, *args: Any, _loop_vars: Any = None, _block_vars: Any = None, **kwargs: Any
    ) -> Any:
        return called(*args, **kwargs)


class _Undefined(StrictUndefined):
    """What a template names and nobody has; of hooks, the error says who should have it."""

    @property
    def _undefined_message(self) -> str:
        owner = self._undefined_obj
        return owner.lacks(self._undefined_name) if isinstance(owner, Hooks) else super()._undefined_message


def _pointer(variable: str) -> str:
    """Returns the C++ expression for a variable's address."""
    return variable[1:] if variable.startswith("*") else f"&{variable}"


def _field_names(expression: str) -> str:
    """Returns an expression as comments have it: fields of the State by their names alone."""
    return re.sub(r"\bs\.", "", expression)


def _is_using(code: str, name: str) -> bool:
    """Whether a name occurs in C++ code other than in comments."""
    return re.search(rf"\b{name}\b", re.sub(r"//.*", "", code)) is not None


def _mark(text: str = "") -> str:
    """Returns text with a mark, by which the line that it gets to is found."""
    return text + MARK


class Hooks:
    """The macros and constants of one template, falling back to those of its axis; each loaded at first use.

    A value that is another one but for some hooks names its template as `base`, which comes before the axis.
    What overrides hooks of another owner finds those as `overridden`; hooks that it does not have are answered by them.
    Loading late lets templates use each other's hooks in any order.
    """

    def __init__(
        self,
        env: Environment,
        files: list[str],
        context: dict[str, Any],
        known: Mapping[str, Any] | None = None,
        overridden: "Hooks | None" = None,
    ) -> None:
        self._env = env
        self._files = files
        self._context = context
        self._known = known or {}
        self._overridden = overridden
        self._modules: dict[str, dict[str, Any]] = {}  # by their files
        self._left = files  # not loaded yet
        self._loads = False  # whether the first of them is being loaded: a constant in it may need one that nobody has

    def __getattr__(self, hook: str) -> Any:
        self.__dict__[hook] = found = self._find(hook)  # Python finds it there from now on
        return found

    def _find(self, hook: str) -> Any:
        if hook in self._known:
            return self._known[hook]
        for module in self._all_modules():
            if hook in module:
                return module[hook]
        if self._overridden:
            return getattr(self._overridden, hook)
        raise AttributeError(name=hook, obj=self)  # without words, as `getattr` and templates try many

    def lacks(self, hook: str | None) -> str:
        """Says that there is no such hook, and where it belongs or how it is spelled."""
        if self._overridden:
            return self._overridden.lacks(hook)
        modules = [*self._all_modules(), self._known]
        near = nearest(hook or "", (name for module in modules for name in module))
        hint = near or "the comments on top of them list the hooks"
        return f"no hook '{hook}' in {' or '.join(self._files)}; {hint}"

    def _all_modules(self) -> Iterator[dict[str, Any]]:
        yield from self._modules.values()
        while self._left and not self._loads:
            file, *others = self._left
            context = {**self._context, "overridden": self._overridden} if self._overridden else self._context
            self._loads = True
            module = vars(_template(self._env, file).make_module(context, shared=True))
            self._loads = False
            self._modules[file] = module
            base = module.get("base")
            if base is not None and (not isinstance(base, str) or base in self._modules):
                raise UserError(f"{TEMPLATES / file}: `base` is the path of another template in quotes, not {base!r}")
            self._left = others if base is None else [base, *others]
            yield module


@cache
def _template(env: Environment, file: str) -> Template:
    try:
        return env.get_template(file)
    except TemplateNotFound as error:
        reason = "no such file among the templates, but an algorithm, an axis value or a `base` needs it"
        raise UserError(f"{TEMPLATES / file}: {reason}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{TEMPLATES / file}: is not UTF-8 text (byte {error.start})") from error


@cache
def _axis_files(axis: str, value: str | None) -> list[str]:
    """Returns the templates that answer for an axis, most specific first."""
    files = [f"axes/{axis}/{value}.jinja"] if value else []
    defaults = f"axes/{axis}.jinja"
    return [*files, defaults] if (TEMPLATES / defaults).is_file() else files


@cache
def _overrides(axis: str, value: str) -> dict[str, str]:
    """Returns the templates by which a value overrides hooks of other owners, by owner; its base brings none along."""
    folder = "models" if axis == "model" else f"axes/{axis}"
    files = sorted((TEMPLATES / folder / value).glob("*.jinja"))
    return {file.stem: file.relative_to(TEMPLATES).as_posix() for file in files}


def render(space: Space, style: Style) -> Program:
    """Returns the program of a style that no rule forbids.

    Raises:
        UserError: a template is wrong; never the caller's fault, but perhaps of who writes templates.
    """
    with _no_collection(), _template_errors():
        return laid_out(style, *composed(space, style, environment()))


@contextmanager
def _template_errors() -> Iterator[None]:
    """Turns what goes wrong in a template into a UserError that names its file and the line."""
    try:
        yield
    except AttributeError as error:
        if isinstance(error.obj, Hooks):
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


def composed(space: Space, style: Style, env: Environment) -> tuple[str, str]:
    """Returns what the templates of an environment say for a style, not laid out yet, and the serial reference."""
    context: dict[str, Any] = {**env.globals, "overridden": None}
    algorithm = space.algorithms[style["algorithm"]]
    files = [f"algorithms/{style['algorithm']}/hooks.jinja", f"families/{algorithm.family}.jinja", "families.jinja"]
    context["algorithm"] = Hooks(env, files, context, _manifest_hooks(style["algorithm"], algorithm))
    context["model"] = Hooks(env, [f"models/{style['model']}.jinja", "models.jinja"], context)
    context["graph"] = Hooks(env, [*_graph_files(algorithm), "graph.jinja"], context)
    context["trees"] = Hooks(env, ["trees.jinja"], context)
    late = {"declare": lambda: _DECLARED, "prepare": lambda: _PREPARED}
    context["state"] = Hooks(env, ["state.jinja"], context, late)
    axes = [axis for axis in space.axes if axis.name not in ("algorithm", "model")]
    for axis in axes:
        context[axis.name] = Hooks(env, _axis_files(axis.name, style.get(axis.name)), context)
    for axis_name, value in style.items():
        for owner, file in _overrides(axis_name, value).items():
            context[owner] = Hooks(env, [file], context, overridden=context[owner])
    context["name"] = name_of(style)
    context["style_table"] = table(
        [(axis.name, style[axis.name], _meaning(axis, style)) for axis in axes if axis.name in style]
    )
    context["runtime_headers"] = _runtime_headers(context, style)
    reference = context["algorithm"].reference.replace("_", "-")
    text = _template(env, "program.jinja").render(context)
    fields = _fields(context, style)
    _check_results(style["algorithm"], algorithm, {declaration.split()[-1] for declaration, _, _ in fields})
    return _with_state(text, fields, Hooks(env, ["state.jinja"], context)), reference


def _check_results(name: str, algorithm: Algorithm, fields: set[str]) -> None:
    """Raises UserError if a result is no array of the State."""
    for result in algorithm.result:
        if result.name not in fields:
            manifest = TEMPLATES / "algorithms" / name / "algorithm.toml"
            hint = did_you_mean(result.name, sorted(fields))
            raise UserError(f"{manifest}: no array of its programs is called '{result.name}', a [[result]]; {hint}")


def _graph_files(algorithm: Algorithm) -> list[str]:
    """Returns the templates of the graphs that an algorithm needs, if they are not undirected."""
    files = [f"graphs/{kind}.jinja" for kind in algorithm.facts.get("graphs", ())]
    return [file for file in files if (TEMPLATES / file).is_file()]


def _manifest_hooks(name: str, algorithm: Algorithm) -> dict[str, Any]:
    """Returns what templates know of an algorithm from its manifest."""
    hooks = {key: getattr(algorithm, key) for key in ("title", "summary", "has")}
    headers = [f"{name}.hpp"] if algorithm.parameters else []
    return hooks | {
        "id": name,
        "reference": name,
        "skeleton": algorithm.skeleton or algorithm.family,
        "results": [f"&State::{result.name}" for result in algorithm.result],
        "parameters": headers,
    }


def _meaning(axis: Axis, style: Style) -> str:
    label = axis.label.format(line=LINE) + ": " if axis.label else ""
    return f"{label}{axis.means(style)} ({axis.source(style[axis.name])})"


def _with_state(text: str, fields: list[tuple[str, str, str | None]], state: Hooks) -> str:
    """Returns a program's text with its State, and what prepares it, in their places.

    What only the first values of other fields need, such as the length of their arrays, is no field, but a local
    constant of the function that prepares them. What nobody needs, such as rows that no kernel walks, is neither. A
    first value that is made of the whole State comes last.
    """
    used = set(_USED.findall(text))
    needed = set(used)
    for declaration, _, value in reversed(fields):  # fields follow those that their first values are made of
        if value and declaration.split()[-1] in needed:
            needed.update(_FIELD.findall(value))

    def first_value(declaration: str, value: str) -> str:
        name = declaration.split()[-1]
        target = f"s.{name}" if name in used else f"const {declaration}"
        return f"{target} = {_FIELD.sub(lambda found: found[0] if found[1] in used else found[1], value)};"

    kept = [field for field in fields if field[0].split()[-1] in used]

    def changing() -> list[str]:
        """Returns the fields that change after `prepare`; called only where it matters, as it takes a seventh more."""
        written = {name for names in _WRITTEN.findall(_PRIVATE.sub("", text)) for name in names}
        return [name for declaration, _, _ in kept if (name := declaration.split()[-1]) in written]

    first_values = [
        first_value(declaration, value)
        for declaration, _, value in sorted(fields, key=lambda field: bool(_WHOLE.search(field[2] or "")))
        if value and declaration.split()[-1] in needed
    ]
    return text.replace(_DECLARED, state.declare(kept, changing)).replace(_PREPARED, state.prepare(first_values))


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
    owners = ["algorithm", *(axis for axis in style if axis not in ("algorithm", "model"))]
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
    ]
    fields = {
        field[0]: field for owner in owners for field in _with_named(context, getattr(context[owner], "fields", ()))
    }
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
