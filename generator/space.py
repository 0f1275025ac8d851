"""The style space: axes, the values that exist on them, and the rules that forbid combinations.

A style is one value on every axis that exists for it (a dict from axis to value, in axis order); a program's name is
its style's values joined by "-". The space is plain data (configs/space.toml): enumerate and filter, nothing to solve.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import BeforeValidator, Field

from generator.algorithms import Algorithm, load_algorithms
from generator.errors import FileError, UserError, did_you_mean
from generator.paths import ALGORITHMS, CONFIGS
from generator.tables import Table, Words, read_toml, validated

SPACE_FILE = CONFIGS / "space.toml"
_AXES_AT_A_TIME = 5
"""How long a stretch is: a longer one saves steps, but fewer styles have the same there."""

Style = dict[str, str]
"""One value on every axis that exists for a program, in axis order."""


Match = dict[str, Words]
"""Axis -> accepted values; a style matches if it has one of them on every axis named. In files, a fact about algorithms
may stand in the place of an axis; see `spelled_out`."""


def _as_tuple(value: object) -> object:
    return (value,) if isinstance(value, dict) else value


Matches = Annotated[tuple[Match, ...], BeforeValidator(_as_tuple)]
"""One match or a list of them, of which one is enough."""


class Meaning(Table):
    """What a value means in the programs that match, where it is not what it means elsewhere."""

    value: str
    when: Match
    text: str


class Plain(Table):
    """That an axis is for programs without optional values of axes before, and why."""

    why: str
    but: Words = ()
    """The axes that may have such values nevertheless."""


class Axis(Table):
    """One axis of the space.

    No program has an optional value unless a config adds it. An axis all of whose values are optional is one that
    programs may lack.
    """

    name: str
    title: str
    section: str = ""
    values: dict[str, str] = Field(default_factory=dict)
    """What each value means. Those of the axis `algorithm` are the algorithms there are."""
    when: Matches = ({},)
    values_when: dict[str, Match] = Field(default_factory=dict)
    optional: bool | tuple[str, ...] = ()
    """Which values are optional; true: all of them."""
    sections: dict[str, str] = Field(default_factory=dict)
    """Where single values come from, if not from `section`."""
    meaning: tuple[Meaning, ...] = ()
    """What values mean where that is not what `values` says."""
    plain: Plain | None = None
    """If programs with it have no optional value of axes before."""
    label: str = ""
    """What a program's header says before the meaning; {line} stands for the line that its template marks."""

    def means(self, style: Mapping[str, str]) -> str:
        """Returns what the value of a style on this axis means for its program."""
        value = style[self.name]
        for each in self._meanings.get(value, ()):
            if matches(each.when, style):
                return each.text
        return self.values[value]

    @cached_property
    def _meanings(self) -> defaultdict[str, list[Meaning]]:
        """The entries of `meaning` for each value that has some."""
        meanings: defaultdict[str, list[Meaning]] = defaultdict(list)
        for each in self.meaning:
            meanings[each.value].append(each)
        return meanings

    def source(self, value: str) -> str:
        """Returns where a value comes from."""
        return self.sections.get(value, self.section)

    def choices(self, style: Mapping[str, str]) -> list[str]:
        """Returns the values that exist for a style fixed on all axes before this one."""
        if not self.exists(style):
            return []
        when = self.values_when
        return [value for value in self.values if value not in when or matches(when[value], style)]

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

    def exists(self, style: Mapping[str, str]) -> bool:
        """Tells whether a style fixed on all axes before this one is one that the axis exists for."""
        return matches_any(self.when, style)


class Rule(Table):
    """A combination that makes no sense, and why."""

    id: str
    forbid: Match
    why: str
    source: str


class _SpaceFile(Table):
    facts: dict[str, dict[str, str]]
    axis: tuple[Axis, ...]
    rule: tuple[Rule, ...]


class _Options(NamedTuple):
    """Whether an axis exists for a style, its values that exist, and those of them that no rule forbids."""

    exists: bool
    choices: list[str]
    values: list[str]
    plain: list[str]
    optional: list[str]


class _Stretch(NamedTuple):
    """Axes in a row, and what styles are known to have there.

    Hundreds of thousands of styles are completed for some configs, and few values decide how each of them goes on.
    """

    before: frozenset[str]
    """The axes before it."""
    places: dict[str, int]
    """Its axes and where they stand."""
    deciding: list[str]
    """The axes before that decide what there is."""
    known: dict[tuple[str | None, ...], list[Style]]
    """What there is for values of the deciding axes and values wanted in the stretch."""


@dataclass(frozen=True)
class Space:
    """All axes in name order, the rules, and what rules know of algorithms.

    Attributes:
        axes: in the order of a program's name.
        rules: what they forbid is spelled out: axes and values alone.
        algorithms: by name.
        facts: fact -> value -> what it means.
        wanted: values that all styles have: a part of the space takes a part of the time.
    """

    axes: tuple[Axis, ...]
    rules: tuple[Rule, ...]
    algorithms: Mapping[str, Algorithm] = field(default_factory=dict)
    facts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    wanted: Mapping[str, str] = field(default_factory=dict)

    def axis(self, name: str) -> Axis:
        """Returns an axis by name; raises KeyError."""
        return self._named[name]

    @cached_property
    def _named(self) -> dict[str, Axis]:
        return {axis.name: axis for axis in self.axes}

    def styles(self) -> Iterator[Style]:
        """Yields every meaningful style without optional values, in axis and value order."""
        return iter(self._complete(self.wanted))

    def add(self, axis: Axis, styles: Iterable[Style]) -> Iterator[Style]:
        """Yields every meaningful style that an optional value of an axis makes of one of `styles`, each once.

        The value takes the place of the one that the style has on that axis. Axes that exist only with it get each of
        their values, and axes that exist only without it are left out.
        """
        place = self.axes.index(axis)
        changed = ({**style, axis.name: value} for style in styles for value in self._options(place, style).optional)
        wanted = {name_of(style): style for style in changed}.values()
        extended = (style for each in wanted for style in self._complete(each, place))
        yield from {name_of(style): style for style in extended}.values()

    def _complete(self, wanted: Mapping[str, str], place: int = 0) -> list[Style]:
        """Returns every meaningful style that has what is `wanted` on the axes that exist for it.

        Before a place, `wanted` has what a meaningful style has; what comes later has no say in that.
        """
        stretches = self._stretches[place // _AXES_AT_A_TIME :]
        styles = [{name: value for name, value in wanted.items() if name in stretches[0].before}]
        for stretch in stretches:
            styles = [{**style, **more} for style in styles for more in self._continuations(stretch, style, wanted)]
        return styles

    def _continuations(self, stretch: _Stretch, style: Style, wanted: Mapping[str, str]) -> list[Style]:
        """Returns what a style that is fixed on all axes before a stretch can have on the axes of the stretch."""
        decision = (*map(style.get, stretch.deciding), *map(wanted.get, stretch.places))
        if decision not in stretch.known:
            ways: list[Style] = [{}]
            for name, place in stretch.places.items():
                ways = [
                    {**way, name: value} if value else way
                    for way in ways
                    for value in self._values(place, {**style, **way}, wanted.get(name))
                ]
            stretch.known[decision] = ways
        return stretch.known[decision]

    def _values(self, place: int, style: Style, wanted: str | None) -> tuple[str | None, ...]:
        """Returns the values with which a style can go on at a place; none is one if it may lack that axis."""
        if wanted is None and not self.axes[place].plain_values:
            return (None,)
        options = self._options(place, style)
        values = options.plain if wanted is None else [value for value in options.values if value == wanted]
        return (*values,) if options.exists else (None,)

    @cached_property
    def _stretches(self) -> list[_Stretch]:
        """All axes, some at a time, in name order."""
        names = [axis.name for axis in self.axes]
        stretches = []
        for first in range(0, len(names), _AXES_AT_A_TIME):
            places = {name: names.index(name) for name in names[first : first + _AXES_AT_A_TIME]}
            deciding = set[str]().union(*(self._decisions[place][0] for place in places.values()))
            stretches.append(
                _Stretch(frozenset(names[:first]), places, [name for name in names[:first] if name in deciding], {})
            )
        return stretches

    def _options(self, place: int, style: Style) -> _Options:
        """Returns what is left of the axis at a place for a style fixed on all axes before it."""
        deciding, known = self._decisions[place]
        decision = tuple(map(style.get, deciding))
        if decision not in known:
            axis, forbidden = self.axes[place], self._forbidden_with
            fixed = {name: value for name, value in zip(deciding, decision, strict=True) if value is not None}
            choices = axis.choices(fixed)
            values = [
                value
                for value in choices
                if not matches_any((others for _, others in forbidden[axis.name, value]), fixed)
            ]
            optional = [value for value in values if axis.is_optional(value)]
            plain = [value for value in values if value not in optional]
            known[decision] = _Options(axis.exists(fixed), choices, values, plain, optional)
        return known[decision]

    @cached_property
    def _decisions(self) -> list[tuple[list[str], dict[tuple[str | None, ...], _Options]]]:
        """For each axis, the ones before it that decide about its options, and the options that are known already."""
        decisions: list[tuple[list[str], dict[tuple[str | None, ...], _Options]]] = []
        for place, axis in enumerate(self.axes):
            forbidden = (others for value in axis.values for _, others in self._forbidden_with[axis.name, value])
            named = set[str]().union(*axis.when, *axis.values_when.values(), *forbidden)
            decisions.append(([before.name for before in self.axes[:place] if before.name in named], {}))
        return decisions

    @cached_property
    def _forbidden_with(self) -> defaultdict[tuple[str, str], list[tuple[int, Match]]]:
        """What rules forbid beside each value of the last axis that they name: then, a style is theirs or never.

        With the number of the rule.
        """
        names = [axis.name for axis in self.axes]
        forbidden: defaultdict[tuple[str, str], list[tuple[int, Match]]] = defaultdict(list)
        for number, rule in enumerate(self.rules):
            last = max(rule.forbid, key=names.index)
            others = {axis: values for axis, values in rule.forbid.items() if axis != last}
            for value in rule.forbid[last]:
                forbidden[last, value].append((number, others))
        return forbidden

    @cached_property
    def _axis_of(self) -> dict[str, str]:
        """The axis of each value."""
        return {value: axis.name for axis in self.axes for value in axis.values}

    def forbidden_by(self, style: Mapping[str, str]) -> Rule | None:
        """Returns the first rule that a (possibly partial) style breaks, or None."""
        forbidden = self._forbidden_with
        broken = [number for item in style.items() for number, others in forbidden[item] if matches(others, style)]
        return self.rules[min(broken)] if broken else None

    def legal(self, name: str) -> Style:
        """Returns the style that a program's name spells.

        Raises:
            UserError: as of `parse`, or a rule forbids it.
        """
        style = self.parse(name)
        if rule := self.forbidden_by(style):
            match = " ".join(f"{axis}={style[axis]}" for axis in rule.forbid)
            raise UserError(f"{name}: forbidden by rule '{rule.id}' ({match}): {rule.why} ({rule.source})")
        return style

    def parse(self, name: str) -> Style:
        """Returns the style that a program's name spells, which may be one that a rule forbids.

        Raises:
            UserError: a token is unknown, missing, misplaced or does not exist for this program.
        """
        given = self.spelled(name)
        style: Style = {}
        for place, axis in enumerate(self.axes):
            choices = self._options(place, style).choices
            value = given.pop(axis.name, None)
            if value is None:
                if plain := [choice for choice in choices if not axis.is_optional(choice)]:
                    raise UserError(f"{name}: no value for {axis.name}; one of {', '.join(plain)}")
                continue
            if not choices:
                needed = _shown(*axis.when) or _shown(axis.values_when[value])
                raise UserError(f"{name}: there is no {axis.name} axis here: it needs {needed}")
            if value not in choices:
                raise UserError(f"{name}: '{value}' does not exist here: it needs {_shown(axis.values_when[value])}")
            style[axis.name] = value
        if name != name_of(style):
            raise UserError(f"{name}: the values are in the wrong order; the program is called {name_of(style)}")
        return style

    def spelled(self, name: str) -> Style:
        """Returns the values that a program's name spells, by axis; whether they go together takes longer to tell.

        Raises:
            UserError: a token is unknown, or two are values of one axis.
        """
        axis_of = self._axis_of
        given: Style = {}
        for token in name.split("-"):
            if token not in axis_of:
                raise UserError(f"{name}: no axis has the value '{token}'; {did_you_mean(token, axis_of)}")
            if axis_of[token] in given:
                raise UserError(f"{name}: '{given[axis_of[token]]}' and '{token}' are both values of {axis_of[token]}")
            given[axis_of[token]] = token
        return given


def _shown(*alternatives: Match) -> str:
    return ", or ".join(
        " and ".join(f"{axis} {' or '.join(values)}" for axis, values in match.items()) for match in alternatives
    )


def matches(match: Mapping[str, tuple[str, ...]], style: Mapping[str, str]) -> bool:
    """Tells whether a style has one of the accepted values on every axis of the match."""
    for axis, values in match.items():  # noqa: SIM110 (millions of calls, and `all` takes twice as long)
        if style.get(axis) not in values:
            return False
    return True


def matches_any(accepted: Iterable[Match], style: Mapping[str, str]) -> bool:
    """Tells whether a style has what one of several matches accepts."""
    for match in accepted:  # as above: no call for each
        for axis, values in match.items():
            if style.get(axis) not in values:
                break
        else:
            return True
    return False


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
    algorithms = load_algorithms()
    _check_facts(algorithms, file.facts)
    _check_rules(file.rule, path, text)
    space = Space(tuple(_with_algorithms(axis, algorithms) for axis in file.axis), file.rule, algorithms, file.facts)
    owner: dict[str, str] = {}
    for axis in space.axes:
        if not axis.values:
            raise FileError(
                path, text, f"axis {axis.name} has no values; [axis.values] says what each means", word="axis"
            )
        for value in axis.values:
            if value in owner:
                reason = f"'{value}' is a value of both {owner[value]} and {axis.name}; names would not parse back"
                raise FileError(path, text, reason, word=value)
            owner[value] = axis.name
            if axis.name != "algorithm" and not axis.values[value].strip():
                raise FileError(path, text, f"say what '{value}' of {axis.name} means to users", word=value)
        for value in (*axis.values_when, *axis.sections, *axis.optional_values, *(each.value for each in axis.meaning)):
            spelled_out(space, {axis.name: (value,)}, path, text)
        for name in axis.plain.but if axis.plain else ():
            spelled_out(space, {name: ("*",)}, path, text)

    def plain(match: Match) -> Match:
        return spelled_out(space, match, path, text)

    axes = [
        axis.model_copy(
            update={
                "when": tuple(map(plain, axis.when)),
                "values_when": {value: plain(match) for value, match in axis.values_when.items()},
                "meaning": tuple(each.model_copy(update={"when": plain(each.when)}) for each in axis.meaning),
            }
        )
        for axis in space.axes
    ]
    rules = [rule.model_copy(update={"forbid": plain(rule.forbid)}) for rule in space.rules]
    return replace(space, axes=tuple(axes), rules=(*rules, *_rules_of_plain(axes)))


def _rules_of_plain(axes: Sequence[Axis]) -> Iterator[Rule]:
    """Yields what forbids optional values beside axes that are for plain programs."""
    for place, axis in enumerate(axes):
        for other in axes[:place]:
            if axis.plain and other.optional_values and other.name not in axis.plain.but:
                forbid = {axis.name: tuple(axis.values), other.name: other.optional_values}
                rule = f"{axis.name}-wants-plain-{other.name}"
                yield Rule(id=rule, forbid=forbid, why=axis.plain.why, source=axis.title)


def _with_algorithms(axis: Axis, algorithms: Mapping[str, Algorithm]) -> Axis:
    """Returns an axis; the axis `algorithm` with the algorithms there are as its values."""
    if axis.name != "algorithm":
        return axis
    values = {name: algorithm.meaning for name, algorithm in algorithms.items()}
    sections = {name: algorithm.source for name, algorithm in algorithms.items()}
    return axis.model_copy(update={"values": values, "sections": sections})


def _check_facts(algorithms: Mapping[str, Algorithm], facts: Mapping[str, Mapping[str, str]]) -> None:
    """Raises FileError if an algorithm has a fact, or a value of one, that the space does not list."""
    for name, algorithm in algorithms.items():
        for fact, values in algorithm.facts.items():
            for word, known in ((fact, facts), *((value, facts.get(fact, {})) for value in values)):
                if word not in known:
                    path = ALGORITHMS / name / "algorithm.toml"
                    reason = f"no fact '{word}' is listed in configs/space.toml; {did_you_mean(word, known)}"
                    raise FileError(path, path.read_text(encoding="utf-8"), reason, word=word)


def _check_rules(rules: Iterable[Rule], path: Path, text: str) -> None:
    """Raises FileError if a rule forbids everything or nothing, gives no reason, or has the id of another one."""
    known: set[str] = set()
    for rule in rules:
        if not rule.forbid:
            raise FileError(
                path, text, f"rule '{rule.id}' forbids every program; name an axis in `forbid`", word=rule.id
            )
        for axis, values in rule.forbid.items():
            if not values:
                raise FileError(path, text, f"rule '{rule.id}' forbids nothing: {axis} has no value", word=rule.id)
        if not rule.why.strip():
            raise FileError(path, text, f"rule '{rule.id}' has no reason; write it after `why`", word=rule.id)
        if rule.id in known:
            raise FileError(path, text, f"two rules have the id '{rule.id}'; rename one", word=rule.id)
        known.add(rule.id)


def spelled_out(space: Space, match: Match, path: Path, text: str) -> Match:
    """Returns a match that names axes and values alone: no `*` for all values, and no facts about algorithms.

    Facts such as `family = "relaxation"` become the algorithms that have all of them.

    Raises:
        FileError: the match names an axis, a fact or a value that the space does not have, or facts that no algorithm
            has.
    """
    known = {axis.name: list(axis.values) for axis in space.axes} | {fact: list(of) for fact, of in space.facts.items()}
    plain: Match = {}
    fitting = set(space.algorithms)
    for name, values in match.items():
        if name not in known:
            raise FileError(path, text, f"unknown axis '{name}'; {did_you_mean(name, known)}", word=name)
        for value in values:
            if value not in known[name] and values != ("*",):
                hint = did_you_mean(value, known[name])
                raise FileError(path, text, f"axis {name} has no value '{value}'; {hint}", word=value)
        if name in space.facts:
            fitting = {each for each in fitting if set(space.algorithms[each].facts.get(name, ())) & {*values}}
        else:
            plain[name] = tuple(known[name]) if values == ("*",) else values
    if any(name in space.facts for name in match):
        named = plain.get("algorithm", tuple(space.algorithms))
        plain["algorithm"] = tuple(name for name in named if name in fitting)
        if not plain["algorithm"]:
            raise FileError(path, text, f"no algorithm has all of {_shown(match)}", word=next(iter(match)))
    return plain
