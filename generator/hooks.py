"""Hooks: the macros and constants by which templates know each other, and what they have said before.

Who answers for an owner, such as the axis `flow`, differs from program to program: `Templates` is told for each. What a
hook says depends on its arguments and on who answers for the owners that it asks on its way, however deep, and on
nothing else. So its text is remembered with these, and told again to the next program with the same: most of a program
is what others before it have, too.
"""

import hashlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import metadata
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from jinja2 import (
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateNotFound,
    meta,
    nodes,
)
from jinja2.bccache import Bucket
from jinja2.runtime import Context, Macro

from generator.errors import UserError, nearest
from generator.paths import TEMPLATES, workspace

_ROOM = 1 << 28
"""Characters of text to remember; then all are forgotten. Neighbours in the space share most, so that costs little."""

_numbers = itertools.count()


class Compiled(FileSystemBytecodeCache):
    """Keeps compiled templates: to make them takes most of a short command. Those of another generator are no use."""

    def __init__(self, directory: str) -> None:
        super().__init__(directory)
        self._generator = version()

    def get_source_checksum(self, source: str) -> str:
        """Tells a template's text and the generator that it was compiled by from all others."""
        return super().get_source_checksum(source + self._generator)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Reads what is kept, if that is whole."""
        with suppress(Exception):  # what a damaged file leads to
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps a template."""
        with suppress(OSError):  # where nothing can be kept, it is compiled again next time
            Path(self.directory).mkdir(parents=True, exist_ok=True)
            super().dump_bytecode(bucket)


@cache
def version() -> str:
    """Returns a hash of the generator's code and of what it renders with."""
    code = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
    return hashlib.sha256(b"".join([*code, metadata.version("jinja2").encode()])).hexdigest()


class HookEnvironment(Environment):
    """A Jinja environment whose templates know each other by hooks; see `Templates`."""

    def __init__(self) -> None:
        super().__init__(
            loader=FileSystemLoader(TEMPLATES),
            undefined=_Undefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=False,
            autoescape=False,  # the output is C++
            auto_reload=False,
            bytecode_cache=Compiled(str(workspace() / "build" / "templates")),
        )
        self.context_class = _Context
        self.hooks = Templates(self)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Returns `obj.attribute` of a template."""
        if type(obj) is not Owner and type(obj) is not Hooks:
            return super().getattr(obj, attribute)
        try:
            return obj.ask(attribute)
        except AttributeError:
            return self.undefined(obj=obj, name=attribute)


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
        if isinstance(owner, Owner | Hooks):
            return owner.lacks(self._undefined_name)
        return super()._undefined_message


class Owner:
    """An owner of hooks, as templates see it, whatever program is at hand.

    Attributes:
        place: its number among the owners of the environment.
        bit: a number with that bit set alone.
        hooks: those of the program at hand.
    """

    hooks: "Hooks"
    ask: Callable[[str], Any]
    """Returns a hook; raises AttributeError."""

    def __init__(self, place: int) -> None:
        self.place = place
        self.bit = 1 << place

    def answers(self, hooks: "Hooks") -> None:
        """Has hooks answer for the program at hand."""
        self.hooks = hooks
        self.ask = hooks.ask

    def __getattr__(self, hook: str) -> Any:
        return self.hooks.ask(hook)

    def lacks(self, hook: str | None) -> str:
        """Says that there is no such hook, and where it belongs or how it is spelled."""
        return self.hooks.lacks(hook)


class Templates:
    """The hooks of an environment's templates, for one program after another.

    Attributes:
        context: what a template sees: the owners by their names, and what the environment has for all templates.
        asked: the owners whose hooks have been asked for since it was last emptied, a bit each.
    """

    def __init__(self, env: Environment) -> None:
        self._env = env
        self._owners: dict[str, Owner] = {}
        self.context: dict[str, Any] = {}
        self.asked = 0
        self._all: dict[tuple[object, ...], Hooks] = {}
        self._chains: dict[tuple[object, ...], Hooks] = {}
        self._numbers: list[int] = []  # of who answers in the program at hand, in the order of bits
        self._answers: dict[int, Any] = {}
        self._pick: dict[int, Callable[[list[int]], Any]] = {}  # the numbers of some owners
        self._texts: list[dict[Any, Any]] = []
        self._room = _ROOM

    def begin(self) -> None:
        """Begins with another program, for which nobody answers yet."""
        self.context |= {**self._env.globals, "overridden": None}
        self._answers.clear()
        self.asked = 0

    def let(
        self, name: str, files: tuple[str, ...], room: str | None = None, known: Mapping[str, Any] | None = None
    ) -> None:
        """Lets templates answer for an owner, the first of them first, and before them what is `known`.

        Before each template, or in its place, comes the one of the same path in the room, a folder, if there is one.
        """
        if name not in self._owners:
            self._owners[name] = self.context[name] = Owner(len(self._owners))
            self._numbers.append(-1)
        self._answer(name, self._hooks(name, files, known or {}, None, room))

    def override(self, name: str, file: str, room: str | None = None) -> None:
        """Lets a template answer for an owner before those that do already; room as in `let`."""
        self._answer(name, self._hooks(name, (file,), {}, self._owners[name].hooks, room))

    def _answer(self, name: str, hooks: "Hooks") -> None:
        owner = self._owners[name]
        if self._numbers[owner.place] != hooks.number:
            self._numbers[owner.place] = hooks.number
            owner.answers(hooks)

    def _hooks(
        self, name: str, files: tuple[str, ...], known: Mapping[str, Any], rest: "Hooks | None", room: str | None
    ) -> "Hooks":
        """Returns the hooks of some templates and of what these name as `base`, the first of them first."""
        key = (name, files, id(known) if known else 0, rest, room)
        if key not in self._chains:
            first, *others = _with_bases(self._env, files, room)
            for file in reversed(others):
                rest = self._link(name, file, {}, rest)
            self._chains[key] = self._link(name, first, known, rest)
        return self._chains[key]

    def _link(self, name: str, file: str, known: Mapping[str, Any], rest: "Hooks | None") -> "Hooks":
        bit = self._owners[name].bit
        key = (bit, file, id(known) if known else 0, rest)
        if key not in self._all:
            self._all[key] = Hooks(self, bit, file, known, rest)
        return self._all[key]

    def answers(self, owners: int) -> Any:
        """Returns who answers for some owners in the program at hand, by their numbers."""
        found = self._answers.get(owners)
        if found is None:
            if owners not in self._pick:
                places = [place for place in range(owners.bit_length()) if owners >> place & 1]
                self._pick[owners] = itemgetter(*places) if places else lambda _: None
            found = self._answers[owners] = self._pick[owners](self._numbers)
        return found

    def module(self, file: str, overridden: "Hooks | None") -> dict[str, Any]:
        """Returns the macros and constants of a template, for the program at hand."""
        context = {**self.context, "overridden": overridden} if overridden else self.context
        module = vars(template(self._env, file).make_module(context, shared=True))
        return {name: self._remembering(value) if type(value) is Macro else value for name, value in module.items()}

    def _remembering(self, macro: Macro) -> "_Remembering":
        texts: dict[Any, Any] = {}
        self._texts.append(texts)
        return _Remembering(self, macro, texts)

    def keep(self, characters: int) -> None:
        """Makes room for a text by forgetting all, if there is none left."""
        self._room -= characters
        if self._room < 0:
            self._room = _ROOM
            for texts in self._texts:
                texts.clear()

    def unsettled(self, file: str) -> frozenset[str]:
        """Returns the names of a template whose values depend on other owners when it is loaded; see `_unsettled`."""
        return _unsettled(self._env, file)

    def files(self, files: tuple[str, ...], room: str | None) -> frozenset[str]:
        """Returns templates, room as in `let`, with those that they name as `base` and those that they import."""
        return _with_all(self._env, files, room)


class _Remembering:
    """A macro that is asked by the name of its owner. With the same arguments and answers, it says the same again."""

    __slots__ = ("_macro", "_templates", "_texts")

    def __init__(self, templates: Templates, macro: Macro, texts: dict[Any, Any]) -> None:
        self._templates = templates
        self._macro = macro
        self._texts = texts  # by arguments, then by the owners that were asked, then by who answered for them

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        for value in itertools.chain(args, kwargs.values()) if kwargs else args:
            if type(value) not in _PLAIN:  # such as `caller`, which sees the variables of the macro that it is in
                return self._macro(*args, **kwargs)
        key = (*args, *kwargs.items()) if kwargs else args
        templates = self._templates
        known: dict[int, dict[tuple[int, ...], str]] | None = self._texts.get(key)
        if known is None:
            known = self._texts[key] = {}
        for owners, texts in known.items():
            said = texts.get(templates.answers(owners))
            if said is not None:
                templates.asked |= owners
                return said
        before, templates.asked = templates.asked, 0
        text: str = self._macro(*args, **kwargs)
        owners = templates.asked
        templates.asked |= before
        templates.keep(len(text))
        known.setdefault(owners, {})[templates.answers(owners)] = text
        return text


_PLAIN = frozenset({str, bool, int, type(None), _Remembering})


class _Loaded(NamedTuple):
    """What a template is in some programs."""

    hooks: dict[str, Any]
    owners: int
    """Those that decide about what is unsettled."""


class Hooks:
    """The macros and constants of one template, loaded at first use; what it does not have, the rest answers.

    The rest is what names the template as one that comes before it: its `base`, the defaults of its axis, what it
    overrides. To the template itself it is known as `overridden`. Loading late lets templates use each other's hooks in
    any order.

    Attributes:
        number: tells it from all others.
    """

    def __init__(
        self, templates: Templates, bit: int, file: str, known: Mapping[str, Any], overridden: "Hooks | None"
    ) -> None:
        self.number = next(_numbers)
        self._templates = templates
        self._bit = bit
        self._file = file
        self._overridden = overridden
        self._unsettled = templates.unsettled(file)
        self._settled = dict(known)  # the hooks that are the same in all programs
        self._loaded: dict[int, dict[tuple[int, ...], _Loaded]] = {}  # by the owners that decide, and who answers
        self._loads = False
        self._names: frozenset[str] | None = None
        self._lacking: set[str] = set()  # what was asked for and nobody has

    def __getattr__(self, hook: str) -> Any:
        return self.ask(hook)

    def ask(self, hook: str) -> Any:
        """Returns a hook; raises AttributeError."""
        self._templates.asked |= self._bit
        try:
            return self._settled[hook]
        except KeyError:
            return self._find(hook)

    def _find(self, hook: str) -> Any:
        if hook in self._lacking:
            self._missed(hook)
        if not self._loads:  # else a constant is being made of what the rest says
            if self._names is None:
                self._names = frozenset(self._load().hooks)
            if hook in self._names:
                loaded = self._load()
                if hook in self._unsettled:
                    self._templates.asked |= loaded.owners
                else:
                    self._settled[hook] = loaded.hooks[hook]
                return loaded.hooks[hook]
        rest = self._overridden
        try:
            found = rest.ask(hook) if rest else self._missed(hook)
        except AttributeError:
            if not self._loads and (rest is None or hook in rest._lacking):
                self._lacking.add(hook)
            raise
        if rest and not self._loads and hook in rest._settled:
            self._settled[hook] = found
        return found

    def _missed(self, hook: str) -> NoReturn:
        raise AttributeError(name=hook, obj=self)  # without words, as `getattr` and templates try many

    def _load(self) -> _Loaded:
        """Returns what the template is in the program at hand."""
        templates = self._templates
        for owners, known in self._loaded.items():
            found = known.get(templates.answers(owners))
            if found:
                return found
        before, templates.asked = templates.asked, 0
        self._loads = True
        try:
            hooks = templates.module(self._file, self._overridden)
        finally:
            self._loads = False
        found = _Loaded(hooks, templates.asked)
        templates.asked = before
        self._loaded.setdefault(found.owners, {})[templates.answers(found.owners)] = found
        return found

    def lacks(self, hook: str | None) -> str:
        """Says that there is no such hook, and where it belongs or how it is spelled."""
        files, names = self._all_names()
        hint = nearest(hook or "", names) or "the comments on top of them list the hooks"
        return f"no hook '{hook}' in {' or '.join(files)}; {hint}"

    def _all_names(self) -> tuple[list[str], list[str]]:
        """Returns the templates, and the hooks that any of them has."""
        files, names = self._overridden._all_names() if self._overridden else ([], [])
        return [self._file, *files], [*(self._names or ()), *self._settled, *names]


def _with_bases(env: Environment, files: Iterable[str], room: str | None) -> list[str]:
    """Returns templates with what a room has for their paths, which comes first, and with what they name as `base`."""
    found: list[str] = []
    left = [each for file in files for each in _with_twin(file, room)]
    while left:
        file, *left = left
        found.append(file)
        base = _base(env, file)
        if base is not None:
            if not isinstance(base, str) or base in found:
                raise UserError(f"{TEMPLATES / file}: `base` is the path of another template in quotes, not {base!r}")
            left = [*_with_twin(base, room), *left]
    return found


@cache
def _base(env: Environment, file: str) -> Any:
    """Returns what a template names as its `base`: a value that this one is like, but for what it says itself."""
    for part in _tree(env, file).body:
        if isinstance(part, nodes.Assign) and isinstance(part.target, nodes.Name) and part.target.name == "base":
            return part.node.value if isinstance(part.node, nodes.Const) else part.node
    return None


@cache
def _tree(env: Environment, file: str) -> nodes.Template:
    template(env, file)  # which says what is wrong with it
    return env.parse((TEMPLATES / file).read_text(encoding="utf-8"))


@cache
def _with_twin(file: str, room: str | None) -> tuple[str, ...]:
    """Returns the templates of a path: what a room has there comes first."""
    twin = f"{room}/{file}"
    if room is None or not (TEMPLATES / twin).is_file():
        return (file,)
    return (twin, file) if (TEMPLATES / file).is_file() else (twin,)


@cache
def template(env: Environment, file: str) -> Template:
    """Returns a template.

    Raises:
        UserError: it is not there, or no text.
    """
    try:
        return env.get_template(file)
    except TemplateNotFound as error:
        reason = "no such file among the templates, but an algorithm, an axis value or a `base` needs it"
        raise UserError(f"{TEMPLATES / file}: {reason}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{TEMPLATES / file}: is not UTF-8 text (byte {error.start})") from error


def digest(parts: Iterable[str]) -> str:
    """Returns a short hash of texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


@cache
def content_of(file: str) -> str:
    """Returns a hash of a template's name and text."""
    return digest([file, (TEMPLATES / file).read_text(encoding="utf-8")])


@cache
def _with_all(env: Environment, files: tuple[str, ...], room: str | None) -> frozenset[str]:
    return frozenset[str]().union(*(imported_by(env, file) for file in _with_bases(env, files, room)))


@cache
def imported_by(env: Environment, file: str) -> frozenset[str]:
    """Returns a template with those that it imports or includes by names that are not computed, and they in turn."""
    named = {other for other in meta.find_referenced_templates(_tree(env, file)) if other}
    return frozenset({file}).union(*(imported_by(env, other) for other in named))


@cache
def _unsettled(env: Environment, file: str) -> frozenset[str]:
    """Returns the names that a template gives to what depends on other owners at the time when it is loaded.

    These are constants that are made of hooks, and macros that use such a constant. What other macros say depends on
    whom they ask when they are called.
    """
    names: set[str] = set()
    settled: set[str] = {*env.globals, "none"}
    macros: dict[str, set[str]] = {}
    for part in _tree(env, file).body:
        used = {name.name for name in part.find_all(nodes.Name) if name.ctx == "load"}
        if isinstance(part, nodes.Macro):
            macros[part.name] = used - {argument.name for argument in part.args}
        elif isinstance(part, nodes.Assign | nodes.AssignBlock):
            targets = {name.name for name in part.find_all(nodes.Name) if name.ctx == "store"}
            (settled if used <= settled else names).update(targets)
        elif isinstance(part, nodes.Import | nodes.FromImport) and (
            not isinstance(part.template, nodes.Const) or _unsettled(env, part.template.value)
        ):
            names |= {part.target} if isinstance(part, nodes.Import) else {*_imported(part)}
    while more := {name for name, used in macros.items() if name not in names and used & names}:
        names |= more
    return frozenset(names)


def _imported(part: nodes.FromImport) -> Iterator[str]:
    for name in part.names:
        yield name if isinstance(name, str) else name[1]
