"""The page of axes: what each value means, and the lines of a program that it changes."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from generator.config import every_style
from generator.paths import ROOT
from generator.render import render
from generator.space import load_space, name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from generator.space import Axis, Matches, Space, Style

PAGE = ROOT / "docs" / "reference" / "axes.md"
PLAIN = ("algorithm", "model")
"""Axes whose values make another program altogether: they have no lines to show."""

PREFERRED = ("bfs", "sssp", "cc", "pr", "tc", "mis")
"""Algorithms whose programs are shown before others'."""

CANDIDATES = 3
"""Of so many pairs of programs, the one that differs least is shown."""

LONGEST = 24
"""So many lines of a difference are shown."""

INTRODUCTION = """\
# Axes

<!-- Written by `python -m handbook` from configs/space.toml and the templates. -->

A program's name is its values in this order, joined by `-`. Below each value stand the lines that it changes in a
program, as `violet diff NAME NAME` shows them. *Optional* values are in programs only if a
[config](../how-to/configs.md) adds them.
"""


def page(*, lines: bool = True) -> str:
    """Returns the page.

    Args:
        lines: Whether the lines that values change are on it, for which programs have to be rendered.
    """
    space = load_space()
    styles = {name_of(style): style for style in every_style(space)} if lines else {}
    rows = ["| axis | what it says | values |", "| --- | --- | --- |"]
    rows += [
        f"| [{axis.name}](#{axis.name}) | {axis.title} | {', '.join(_codes(axis.values))} |" for axis in space.axes
    ]
    sections = [_section(space, axis, styles) for axis in space.axes]
    return "\n\n".join([INTRODUCTION.strip(), "\n".join(rows), *sections]) + "\n"


def _section(space: Space, axis: Axis, styles: Mapping[str, Style]) -> str:
    parts = [f"## {axis.name}", f"{axis.title[0].upper()}{axis.title[1:]}.{_exists(axis.when)}"]
    base = next(iter(axis.plain_values), None)
    for value, meaning in axis.values.items():
        optional = " Optional." if axis.is_optional(value) else ""
        where = f" Only where {_shown((axis.values_when[value],))}." if value in axis.values_when else ""
        parts.append(f"**`{value}`**: {meaning}. *{axis.source(value)}.*{optional}{where}")
        if styles and axis.name not in PLAIN and value != base:
            parts += _lines(space, axis, value, base, styles)
    return "\n\n".join(parts)


def _exists(when: Matches) -> str:
    return "" if when == ({},) else f" Where {_shown(when)}."


def _shown(when: Matches) -> str:
    """Returns in words where something exists."""
    return "; or ".join(
        " and ".join(f"{name} is {' or '.join(_codes(values))}" for name, values in match.items()) for match in when
    )


def _codes(values: Iterable[str]) -> list[str]:
    return [f"`{value}`" for value in values]


def _lines(space: Space, axis: Axis, value: str, base: str | None, styles: Mapping[str, Style]) -> list[str]:
    """Returns the lines that a value changes, of the pair of programs that differs least; none if there is no pair."""
    found = []
    for first, second in _pairs(axis.name, value, base, styles):
        before, after = (_code(render(space, styles[name]).text) for name in (first, second))
        if difference := list(difflib.unified_diff(before, after, first, second, lineterm="", n=1)):
            found.append(difference)
    if not found:
        return []
    shortest = min(found, key=len)
    cut = ["..."] if len(shortest) > LONGEST else []
    return ["\n".join(["```diff", *shortest[:LONGEST], *cut, "```"])]


def _pairs(axis: str, value: str, base: str | None, styles: Mapping[str, Style]) -> list[tuple[str, str]]:
    """Returns pairs of programs without a value and with it, that differ in nothing else or in as little as can be."""
    chosen = sorted((name for name, style in styles.items() if style.get(axis) == value), key=_simplest(styles))
    exact = []
    for name in chosen:
        other = {key: held for key, held in styles[name].items() if key != axis} | ({axis: base} if base else {})
        partner = name_of({key: other[key] for key in styles[name] if key in other})
        if partner in styles:
            exact.append((partner, name))
            if len(exact) == CANDIDATES:
                return exact
    return exact or _nearest(axis, chosen[:CANDIDATES], styles)


def _nearest(axis: str, names: Sequence[str], styles: Mapping[str, Style]) -> list[tuple[str, str]]:
    pairs = []
    for name in names:
        style = styles[name]
        alike = [
            other
            for other, another in styles.items()
            if another["algorithm"] == style["algorithm"]
            and another["model"] == style["model"]
            and another.get(axis) != style[axis]
        ]
        if alike:
            pairs.append((min(alike, key=lambda other: (len(style.items() ^ styles[other].items()), other)), name))
    return pairs


def _simplest(styles: Mapping[str, Style]) -> Callable[[str], tuple[int, int, str]]:
    """Returns by what programs are ordered: those that a reader knows first, of the fewest values."""

    def order(name: str) -> tuple[int, int, str]:
        style = styles[name]
        known = PREFERRED.index(style["algorithm"]) if style["algorithm"] in PREFERRED else len(PREFERRED)
        return len(style), known, name

    return order


def _code(text: str) -> list[str]:
    """Returns the lines of a program below its header, without its name."""
    lines = text.splitlines()
    end = next(number for number, line in enumerate(lines) if not line.startswith("//"))
    return [line for line in lines[end:] if not line.startswith("constexpr auto name")]
