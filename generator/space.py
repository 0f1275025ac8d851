"""The style space: axes, the values that exist on them, and the rules that forbid combinations.

A style is one value on every axis that exists for it (a dict from axis to value, in axis order); a program's name is
its style's values joined by "-". The space is plain data (configs/space.toml): enumerate and filter, nothing to solve.
"""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from generator.errors import FileError, UserError, did_you_mean

ROOT = Path(__file__).resolve().parent.parent
SPACE_FILE = ROOT / "configs" / "space.toml"

Model = TypeVar("Model", bound=BaseModel)

Style = dict[str, str]
"""One value on every axis that exists for a program, in axis order."""


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


Match = dict[str, Annotated[tuple[str, ...], BeforeValidator(_as_list)]]
"""Axis -> accepted values; a style matches if it has one of them on every axis named."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Meaning(_Table):
    """What a value means in the programs that match, where it is not what it means elsewhere."""

    value: str
    when: Match
    text: str


class Axis(_Table):
    """One axis of the space.

    No program has an optional value unless a config adds it. An axis all of whose values are optional is one that
    programs may lack.
    """

    name: str
    title: str
    section: str
    values: dict[str, str]
    when: Match = Field(default_factory=dict)
    values_when: dict[str, Match] = Field(default_factory=dict)
    optional: bool | tuple[str, ...] = ()
    """Which values are optional; true: all of them."""
    sections: dict[str, str] = Field(default_factory=dict)
    """Where single values come from, if not from `section`."""
    meaning: tuple[Meaning, ...] = ()
    """What values mean where that is not what `values` says."""
    label: str = ""
    """What a program's header says before the meaning; {line} stands for the line that its template marks."""

    def means(self, style: Mapping[str, str]) -> str:
        """Returns what the value of a style on this axis means for its program."""
        value = style[self.name]
        fitting = (each.text for each in self.meaning if each.value == value and matches(each.when, style))
        return next(fitting, self.values[value])

    def source(self, value: str) -> str:
        """Returns where a value comes from."""
        return self.sections.get(value, self.section)

    def choices(self, style: Mapping[str, str]) -> list[str]:
        """Returns the values that exist for a style fixed on all axes before this one."""
        return self._existing(self.values, style)

    @cached_property
    def optional_values(self) -> tuple[str, ...]:
        """The values that only programs of a config that adds this axis have."""
        if isinstance(self.optional, bool):
            return tuple(self.values) if self.optional else ()
        return self.optional

    def is_optional(self, value: str) -> bool:
        """Tells whether a value is one of them."""
        return value in self.optional_values

    @cached_property
    def plain_values(self) -> list[str]:
        """The other values; if there are none, programs may lack this axis where it exists."""
        return [value for value in self.values if not self.is_optional(value)]

    def plain_choices(self, style: Mapping[str, str]) -> list[str]:
        """Returns the plain values among `choices`."""
        return self._existing(self.plain_values, style)

    def _existing(self, values: Iterable[str], style: Mapping[str, str]) -> list[str]:
        if not matches(self.when, style):
            return []
        when = self.values_when
        return [value for value in values if value not in when or matches(when[value], style)]


class Rule(_Table):
    """A combination that makes no sense, and why."""

    id: str
    forbid: Match
    why: str
    source: str


class _SpaceFile(_Table):
    axis: tuple[Axis, ...]
    rule: tuple[Rule, ...]


@dataclass(frozen=True)
class Space:
    """All axes in name order, and the rules."""

    axes: tuple[Axis, ...]
    rules: tuple[Rule, ...]

    def axis(self, name: str) -> Axis:
        """Returns an axis by name; raises KeyError."""
        return {axis.name: axis for axis in self.axes}[name]

    def styles(self) -> Iterator[Style]:
        """Yields every meaningful style without optional values, in axis and value order."""
        return self._complete({}, {}, 0)

    def add(self, axis: Axis, styles: Iterable[Style]) -> Iterator[Style]:
        """Yields every meaningful style that an optional value of an axis makes of one of `styles`, each once.

        The value takes the place of the one that the style has on that axis. Axes that exist only with it get each of
        their values, and axes that exist only without it are left out.
        """
        seen = set()
        place = self.axes.index(axis)
        for style in styles:
            before = {each.name: style[each.name] for each in self.axes[:place] if each.name in style}
            for value in filter(axis.is_optional, axis.choices(before)):
                for extended in self._complete(before, {**style, axis.name: value}, place):
                    if (name := name_of(extended)) not in seen:
                        seen.add(name)
                        yield extended

    def _complete(self, style: Style, wanted: Style, place: int) -> Iterator[Style]:
        """Yields every meaningful style that begins like `style` and has what is `wanted` on axes that exist for it.

        The axis at `place` comes next.
        """
        if place == len(self.axes):
            yield style
            return
        axis = self.axes[place]
        if axis.name in wanted:
            choices = [value for value in axis.choices(style) if value == wanted[axis.name]]
        else:
            choices = axis.plain_choices(style)
        for value in choices:
            longer = {**style, axis.name: value}
            if not any(matches(forbid, longer) for forbid in self._forbidden_with.get((axis.name, value), ())):
                yield from self._complete(longer, wanted, place + 1)
        if not matches(axis.when, style) or (axis.name not in wanted and not axis.plain_values):
            yield from self._complete(style, wanted, place + 1)

    @cached_property
    def _forbidden_with(self) -> dict[tuple[str, str], list[Match]]:
        """What rules forbid, by the last axis that they name and each value of it: then, a style is theirs or never."""
        names = [axis.name for axis in self.axes]
        forbidden: dict[tuple[str, str], list[Match]] = defaultdict(list)
        for rule in self.rules:
            last = max(rule.forbid, key=names.index)
            for value in rule.forbid[last]:
                forbidden[last, value].append(rule.forbid)
        return forbidden

    def forbidden_by(self, style: Mapping[str, str]) -> Rule | None:
        """Returns the first rule that a (possibly partial) style breaks, or None."""
        return next((rule for rule in self.rules if matches(rule.forbid, style)), None)

    def parse(self, name: str) -> Style:
        """Returns the style that a program's name spells, which may be one that a rule forbids.

        Raises:
            UserError: a token is unknown, missing, misplaced or does not exist for this program.
        """
        axis_of = {value: axis.name for axis in self.axes for value in axis.values}
        given: Style = {}
        for token in name.split("-"):
            if token not in axis_of:
                raise UserError(f"{name}: no axis has the value '{token}'; {did_you_mean(token, axis_of)}")
            if axis_of[token] in given:
                raise UserError(f"{name}: '{given[axis_of[token]]}' and '{token}' are both values of {axis_of[token]}")
            given[axis_of[token]] = token
        style: Style = {}
        for axis in self.axes:
            choices = axis.choices(style)
            value = given.pop(axis.name, None)
            if value is None and (plain := axis.plain_choices(style)):
                raise UserError(f"{name}: no value for {axis.name}; one of {', '.join(plain)}")
            if value is not None and not choices:
                raise UserError(f"{name}: there is no {axis.name} axis here: it needs {_shown(axis.when)}")
            if value is not None and value not in choices:
                raise UserError(f"{name}: '{value}' does not exist here: it needs {_shown(axis.values_when[value])}")
            if value is not None:
                style[axis.name] = value
        if name != name_of(style):
            raise UserError(f"{name}: the values are in the wrong order; the program is called {name_of(style)}")
        return style


def _shown(match: Match) -> str:
    return " and ".join(f"{axis} {' or '.join(values)}" for axis, values in match.items())


def matches(match: Mapping[str, tuple[str, ...]], style: Mapping[str, str]) -> bool:
    """Tells whether a style has one of the accepted values on every axis of the match."""
    for axis, values in match.items():  # noqa: SIM110 (millions of calls, and `all` takes twice as long)
        if style.get(axis) not in values:
            return False
    return True


def name_of(style: Mapping[str, str]) -> str:
    """Returns the program name of a style."""
    return "-".join(style.values())


@cache
def load_space(path: Path = SPACE_FILE) -> Space:
    """Reads and checks a space file.

    Raises:
        FileError: TOML syntax, an unknown or missing key, or an axis or value that is named but not declared.
    """
    text, data = read_toml(path)
    file = validated(_SpaceFile, data, path, text)
    every = {axis.name: tuple(axis.values) for axis in file.axis}
    space = Space(file.axis, tuple(_spelled_out(rule, every) for rule in file.rule))
    owner: dict[str, str] = {}
    for axis in space.axes:
        for value in axis.values:
            if value in owner:
                reason = f"'{value}' is a value of both {owner[value]} and {axis.name}; names would not parse back"
                raise FileError(path, text, reason, word=value)
            owner[value] = axis.name
        for match in (axis.when, *axis.values_when.values(), *(each.when for each in axis.meaning)):
            check_match(space, match, path, text)
        named = (each.value for each in axis.meaning)
        for value in (*axis.values_when, *axis.sections, *axis.optional_values, *named):
            check_match(space, {axis.name: (value,)}, path, text)
    for rule in space.rules:
        check_match(space, rule.forbid, path, text)
    return space


def _spelled_out(rule: Rule, every: Match) -> Rule:
    """Returns a rule with every value of an axis in the place of ``*``."""
    forbid = {name: every.get(name, values) if values == ("*",) else values for name, values in rule.forbid.items()}
    return rule.model_copy(update={"forbid": forbid})


def check_match(space: Space, match: Match, path: Path, text: str) -> None:
    """Raises FileError if a match names an axis or value that the space does not have."""
    known = {axis.name: list(axis.values) for axis in space.axes}
    for axis, values in match.items():
        if axis not in known:
            raise FileError(path, text, f"unknown axis '{axis}'; {did_you_mean(axis, known)}", word=axis)
        for value in values:
            if value not in known[axis]:
                hint = did_you_mean(value, known[axis])
                raise FileError(path, text, f"axis {axis} has no value '{value}'; {hint}", word=value)


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """Returns the text of a TOML file and what it says.

    Raises:
        UserError: the file cannot be read.
        FileError: it is not TOML.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not UTF-8 text (byte {error.start})") from error
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).partition(" (at line ")
        line = int(place.split(",")[0]) if place else len(text.splitlines())
        raise FileError(path, text, f"not valid TOML: {reason}", line=line) from error


def validated(model: type[Model], data: dict[str, Any], path: Path, text: str) -> Model:
    """Returns TOML data as `model`; raises FileError for the first key that is unknown, missing or mistyped."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        keys = [str(key) for key in first["loc"] if isinstance(key, str)]
        word = keys[-1] if keys else ""
        where = ".".join(str(key) for key in first["loc"])
        if first["type"] == "extra_forbidden":
            reason = f"unknown key '{word}'; {did_you_mean(word, model.model_fields)}"
        else:
            reason = f"{where}: {first['msg'].lower()}"
        raise FileError(path, text, reason, word=word) from error
