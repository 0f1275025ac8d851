"""Hooks: the macros and constants by which templates know each other, and what they have said before.

Who answers for an owner, such as the axis `flow`, differs from program to program: `Templates` is told for each. What a
hook says depends on its arguments and on who answers for the owners that it asks on its way, however deep, and on
nothing else. So its text is remembered with these, and told again to the next program with the same: most of a program
is what others before it have, too.
"""

import hashlib
import itertools
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import (
    Environment,
    FileSystemBytecodeCache,
    FileSystemLoader,
    StrictUndefined,
    Template,
    TemplateNotFound,
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
        code = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
        self._generator = hashlib.sha256(code).hexdigest()

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
        bit: a number with one bit set, which no other owner of the environment has.
        hooks: those of the program at hand.
    """

    hooks: "Hooks"

    def __init__(self, bit: int) -> None:
        self.bit = bit

    def __getattr__(self, hook: str) -> Any:
        return self.hooks.ask(hook)

    def ask(self, hook: str) -> Any:
        """Returns a hook; raises AttributeError."""
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
        self._answers: dict[int, tuple[int, ...]] = {}
        self._texts: list[dict[Any, Any]] = []
        self._room = _ROOM

    def begin(self) -> None:
        """Begins with another program, for which nobody answers yet."""
        self.context |= {**self._env.globals, "overridden": None}
        self._answers.clear()
        self.asked = 0

    def let(
        self, name: str, files: tuple[str, ...], known: Mapping[str, Any] | None = None, room: str | None = None
    ) -> None:
        """Lets templates answer for an owner, the first of them first, and before them what is `known`.

        Before each template, or in its place, comes the one of the same path in the room, a folder, if there is one.
        """
        if name not in self._owners:
            self._owners[name] = self.context[name] = Owner(1 << len(self._owners))
        owner = self._owners[name]
        owner.hooks = self._hooks(owner, files, known, None, room)

    def override(self, name: str, file: str, room: str | None = None) -> None:
        """Lets a template answer for an owner before those that do already; room as in `let`."""
        owner = self._owners[name]
        owner.hooks = self._hooks(owner, (file,), None, owner.hooks, room)

    def _hooks(
        self,
        owner: Owner,
        files: tuple[str, ...],
        known: Mapping[str, Any] | None,
        overridden: "Hooks | None",
        room: str | None,
    ) -> "Hooks":
        key = (owner.bit, files, id(known), overridden, room)
        if key not in self._all:
            self._all[key] = Hooks(self, owner.bit, files, known or {}, overridden, room)
        return self._all[key]

    def answers(self, owners: int) -> tuple[int, ...]:
        """Returns who answers for some owners in the program at hand, by their numbers."""
        found = self._answers.get(owners)
        if found is None:
            found = tuple(owner.hooks.number for owner in self._owners.values() if owners & owner.bit)
            self._answers[owners] = found
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


class _Part:
    """One of the templates of `Hooks`."""

    def __init__(self, templates: Templates, file: str, overridden: "Hooks | None") -> None:
        self._templates = templates
        self._file = file
        self._overridden = overridden
        self.unsettled = templates.unsettled(file)
        self._known: dict[int, dict[tuple[int, ...], _Loaded]] = {}  # by the owners that decide, and who answers
        self.loads = False
        self.names = self.loaded().hooks

    def loaded(self) -> _Loaded:
        """Returns what the template is in the program at hand."""
        templates = self._templates
        for owners, known in self._known.items():
            found = known.get(templates.answers(owners))
            if found:
                return found
        before, templates.asked = templates.asked, 0
        self.loads = True
        try:
            hooks = templates.module(self._file, self._overridden)
        finally:
            self.loads = False
        found = _Loaded(hooks, templates.asked)
        templates.asked = before
        self._known.setdefault(found.owners, {})[templates.answers(found.owners)] = found
        return found


class Hooks:
    """The macros and constants of one template, falling back to those of its axis; each loaded at first use.

    A value that is another one but for some hooks names its template as `base`, which comes before the axis. What a
    family has in place of a template is in the family's room at the same path, and comes right before that template.
    What overrides hooks of another owner finds those as `overridden`; hooks that it does not have are answered by them.
    Loading late lets templates use each other's hooks in any order.

    Attributes:
        number: tells it from all others.
    """

    def __init__(
        self,
        templates: Templates,
        bit: int,
        files: tuple[str, ...],
        known: Mapping[str, Any],
        overridden: "Hooks | None",
        room: str | None,
    ) -> None:
        self.number = next(_numbers)
        self._templates = templates
        self._bit = bit
        self._room = room
        self._files = [each for file in files for each in _with_twin(file, room)]
        self._known = known
        self._overridden = overridden
        self._parts: dict[str, _Part] = {}
        self._left = [*self._files]  # not loaded yet
        self._loads = False  # whether the first of them is being loaded: a constant in it may need one that nobody has
        self._settled = dict(known)  # the hooks that are the same in all programs
        self._homes: dict[str, _Part] = {}
        self._absent: set[str] = set()

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
        part = self._homes.get(hook) or self._home(hook)
        if part and not part.loads:
            if hook not in part.unsettled:
                self._settled[hook] = part.names[hook]
                return part.names[hook]
            loaded = part.loaded()
            self._templates.asked |= loaded.owners
            return loaded.hooks[hook]
        if self._overridden:
            return self._overridden.ask(hook)
        raise AttributeError(name=hook, obj=self)  # without words, as `getattr` and templates try many

    def _home(self, hook: str) -> "_Part | None":
        """Returns the template that has a hook, if any has that is not being loaded."""
        if hook in self._absent:
            return None
        for part in self._all_parts():
            if hook in part.names:
                self._homes[hook] = part
                return part
        if not self._left:
            self._absent.add(hook)
        return None

    def lacks(self, hook: str | None) -> str:
        """Says that there is no such hook, and where it belongs or how it is spelled."""
        if self._overridden:
            return self._overridden.lacks(hook)
        modules = [*(part.names for part in self._all_parts()), self._known]
        near = nearest(hook or "", (name for module in modules for name in module))
        hint = near or "the comments on top of them list the hooks"
        return f"no hook '{hook}' in {' or '.join(self._files)}; {hint}"

    def _all_parts(self) -> Iterator[_Part]:
        yield from self._parts.values()
        while self._left and not self._loads:
            file, *others = self._left
            self._loads = True
            try:
                part = _Part(self._templates, file, self._overridden)
            finally:
                self._loads = False
            self._parts[file] = part
            base = part.names.get("base")
            if base is not None and (not isinstance(base, str) or base in self._parts):
                raise UserError(f"{TEMPLATES / file}: `base` is the path of another template in quotes, not {base!r}")
            self._left = others if base is None else [*_with_twin(base, self._room), *others]
            yield part


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


@cache
def _unsettled(env: Environment, file: str) -> frozenset[str]:
    """Returns the names that a template gives to what depends on other owners at the time when it is loaded.

    These are constants that are made of hooks, and macros that use such a constant. What other macros say depends on
    whom they ask when they are called.
    """
    template(env, file)  # which says what is wrong with it
    tree = env.parse((TEMPLATES / file).read_text(encoding="utf-8"))
    names: set[str] = set()
    settled: set[str] = {*env.globals, "none"}
    macros: dict[str, set[str]] = {}
    for part in tree.body:
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
