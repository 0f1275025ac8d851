"""Configs: which programs of the space a user wants.

A config (TOML) narrows the space step by step, each optional and applied in this order:
`base` (another config to start from, by its name in the same folder or in configs/), `add` (axes with optional values:
instead, the programs with each of these that makes sense) or `extend` (these programs, too), `select` (values per
axis), `exclude` and `only` (lists of matches), `names` (globs on program names) and `sample` (a subset in which every
two or three values meet that meet at all, or `n` programs drawn with a seed, or the first program with each combination
of values `of` some axes). A sample may also hold the programs `around` some, to see what each of their values is worth.
Programs named under `also` come last: a sample of more programs would be another one.
"""

import fnmatch
import heapq
import itertools
import math
import os
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field, StrictInt

from generator.errors import FileError, UserError, did_you_mean, line_of
from generator.paths import CONFIGS
from generator.space import Axis, Match, Space, Style, matches, matches_any, name_of, spelled_out
from generator.tables import Table, read_toml, validated
from generator.terminal import say

COVERS = {"pairwise": 2, "threeway": 3}
"""How many values meet in a sample of that kind."""

T = TypeVar("T")


class _Sample(Table):
    kind: Literal["pairwise", "threeway", "random", "first"]
    n: StrictInt | None = Field(default=None, gt=0, lt=2**63)
    of: list[str] = Field(default_factory=list)
    seed: StrictInt = 0
    around: list[str] = Field(default_factory=list)


class _Config(Table):
    description: str = ""
    base: str | None = None
    add: list[str] = Field(default_factory=list)
    extend: list[str] = Field(default_factory=list)
    select: Match = Field(default_factory=dict)
    exclude: list[Match] = Field(default_factory=list)
    only: list[Match] = Field(default_factory=list, min_length=1)
    names: list[str] = Field(default_factory=list, min_length=1)
    sample: _Sample | None = None
    also: list[str] = Field(default_factory=list)


def find_config(name: str) -> Path:
    """Returns the file of a config given by path or by the name of one in configs/.

    Raises:
        UserError: there is no such file, or it is a folder or a pipe.
    """
    for path in (Path(name), CONFIGS / f"{name}.toml"):
        if path.is_file():
            return path
    if os.path.lexists(name):
        raise UserError(f"{name}: a config is a file, but this is a folder, a pipe or a link that leads nowhere")
    raise UserError(f"{name}: no such config; {did_you_mean(name, config_names(CONFIGS))}")


def config_names(folder: Path) -> list[str]:
    """Returns the names of the configs in a folder, sorted."""
    return sorted(path.stem for path in folder.glob("*.toml") if path.stem != "space")


def every_style(space: Space) -> list[Style]:
    """Returns every style that any config in configs/ selects, each once."""
    known: dict[Path, list[Style]] = {}
    styles = (
        style for name in config_names(CONFIGS) for style in select_styles(space, CONFIGS / f"{name}.toml", known)
    )
    return list({name_of(style): style for style in styles}.values())


def writable_styles(
    space: Space, algorithm: str, model: str, *, directed: bool, real_weights: bool = False
) -> list[Style]:
    """Returns every style that makes sense for an algorithm in a model, and takes such graphs.

    They are directed or undirected, and have whole weights or real ones, if these matter to the algorithm.
    Of programs for several GPUs these are the ones that `multigpu` selects: in all styles there would be too many.
    """
    if model == "multigpu":
        styles = [each for each in select_styles(space, find_config(model)) if each["algorithm"] == algorithm]
    else:
        part = replace(space, wanted={"algorithm": algorithm, "model": model})
        styles = select_styles(part, find_config("all"))
        styles += part.add(part.axis("direction"), styles)
    known = space.algorithms[algorithm]
    if real_weights and known.real_weights:
        styles = [*space.add(space.axis("datatype"), styles)]
    return [style for style in styles if known.takes_directed(style) == directed]


def select_styles(space: Space, path: Path, known: dict[Path, list[Style]] | None = None) -> list[Style]:
    """Returns the styles that a config selects, in space order.

    Args:
        space: the space to select from.
        path: of the config.
        known: what configs select, for callers that need several, which may have a base in common; this adds to it.

    Raises:
        UserError: the file cannot be read.
        FileError: a word in it is wrong, a step contradicts the ones before, or nothing is left.
    """
    return _select(space, path, (), {} if known is None else known)


def _select(space: Space, path: Path, seen: tuple[Path, ...], known: dict[Path, list[Style]]) -> list[Style]:
    if path not in known:
        known[path] = _selected(space, path, seen, known)
    return [*known[path]]


def _selected(space: Space, path: Path, seen: tuple[Path, ...], known: dict[Path, list[Style]]) -> list[Style]:
    text, data = read_toml(path)
    config = validated(_Config, data, path, text)
    if not {*data} - {"description"} and path.parent != CONFIGS:
        say(f"{path}: narrows nothing, and so selects all programs that make sense", error=True)
    for key in config.select.keys() & _Config.model_fields.keys():  # TOML takes what comes after a table for its own
        raise FileError(path, text, f"{key} is no axis; write it above [select]", word=key)
    select, *exclude = (spelled_out(space, match, path, text) for match in (config.select, *config.exclude))
    only = [spelled_out(space, match, path, text) for match in config.only]

    if config.base is None:
        styles = list(space.styles())
    else:
        folders = (path.parent, CONFIGS)
        base = next((file for folder in folders if (file := folder / f"{config.base}.toml").is_file()), None)
        if base is None:
            names = sorted({name for folder in folders for name in config_names(folder)})
            reason = f"no config '{config.base}' beside this one or in configs/; {did_you_mean(config.base, names)}"
            raise FileError(path, text, reason, word=config.base)
        if path in seen:
            raise FileError(path, text, "a config cannot be its own base", word="base")
        styles = _select(space, base, (*seen, path), known)

    if config.add:
        added = _with_optional_axes(space, config.add, styles, exclude, path, text)
        added = added or _with_optional_axes(space, config.add, styles, [], path, text)  # it is the exclusions
        problem = f"no program of the {len(styles)} can have an optional value of {' or '.join(config.add)}"
        styles = _not_empty(added, problem, path, text, line_of(text, "add"))
    styles += _with_optional_axes(space, config.extend, styles, exclude, path, text)
    styles = _narrowed(styles, [select], "select", path, text)
    for match, line in zip(exclude, _lines(text, "exclude"), strict=False):
        left = [style for style in styles if not matches(match, style)]
        styles = _not_empty(left, f"exclude {_shown(match)} leaves none of {len(styles)} programs", path, text, line)
    styles = _narrowed(styles, only, "only", path, text)
    if config.names:
        by_name = {name_of(style): style for style in styles}
        wanted = set[str]()
        for glob in config.names:
            named = [glob] if glob in by_name else fnmatch.filter(by_name, glob)
            problem = f"'{glob}' matches none of {len(styles)} programs"
            wanted.update(_not_empty(named, problem, path, text, line_of(text, glob)))
        styles = [style for name, style in by_name.items() if name in wanted]
    if config.sample is not None:
        chosen = {name_of(style) for style in _sampled(space, styles, config.sample, path, text)}
        chosen |= _around(styles, config.sample.around, path, text)
        styles = [style for style in styles if name_of(style) in chosen]
    also = [_named(space, name, path, text) for name in config.also]
    return styles + [style for style in also if style not in styles]


def _with_optional_axes(
    space: Space, names: list[str], styles: list[Style], exclude: list[Match], path: Path, text: str
) -> list[Style]:
    """Returns the styles that have an optional value on at least one of some axes, and are else among `styles`.

    Takes the axes in the order of the space, as an axis may exist because of an optional value of one before. What a
    style has before an axis stays, so nothing is made of one that is excluded for that; of those made, some may be.
    """
    extended: dict[str, Style] = {}
    places = {axis.name: place for place, axis in enumerate(space.axes)}
    pool, left = [*styles], [*exclude]
    for axis in sorted((_axis_with_optional_values(space, name, path, text) for name in names), key=space.axes.index):
        settled = [match for match in left if all(places[name] < places[axis.name] for name in match)]
        left = [match for match in left if match not in settled]
        pool = [style for style in pool if not matches_any(settled, style)]
        added = {name_of(style): style for style in space.add(axis, pool)}
        pool += [style for name, style in added.items() if name not in extended]
        extended |= added
    return list(extended.values())


def _axis_with_optional_values(space: Space, name: str, path: Path, text: str) -> Axis:
    optional = {axis.name: axis for axis in space.axes if axis.optional}
    if name not in optional:
        hint = did_you_mean(name, optional)
        raise FileError(path, text, f"no axis '{name}' with optional values; {hint}", word=name)
    return optional[name]


def _narrowed(styles: list[Style], accept: list[Match], key: str, path: Path, text: str) -> list[Style]:
    """Returns the styles that one of the matches accepts, all if there is no match; every match must accept some."""
    for match, line in zip(accept, _lines(text, key), strict=False):
        accepted = [style for style in styles if matches(match, style)]
        _not_empty(accepted, f"{key} {_shown(match)} accepts none of {len(styles)} programs", path, text, line)
    return [style for style in styles if matches_any(accept, style)] if accept else styles


def _not_empty(left: list[T], problem: str, path: Path, text: str, line: int | None) -> list[T]:
    if not left:
        raise FileError(path, text, f"{problem}; see violet list", line=line)
    return left


def _lines(text: str, key: str) -> Iterator[int | None]:
    """Yields the line of each table of a list, [[key]]; that of the key where it is written in another way."""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip().startswith(f"[[{key}]]"):
            yield number
    yield from itertools.repeat(line_of(text, key))


def _shown(match: Match) -> str:
    return "{" + ", ".join(f"{axis} = {'|'.join(values)}" for axis, values in match.items()) + "}"


def _sampled(space: Space, styles: list[Style], sample: _Sample, path: Path, text: str) -> list[Style]:
    if sample.kind in COVERS:
        return covering(styles, COVERS[sample.kind])
    if sample.kind == "first":
        if not sample.of:
            raise FileError(path, text, "a sample of the first programs needs `of`, a list of axes", word="sample")
        for axis in sample.of:
            spelled_out(space, {axis: ()}, path, text)
        return first_of_each(styles, sample.of)
    if sample.n is None:
        raise FileError(path, text, "a random sample needs n", word="sample")
    if sample.n > len(styles):
        raise FileError(path, text, f"a sample of {sample.n} out of {len(styles)} programs", word="sample")
    return random.Random(sample.seed).sample(styles, sample.n)  # noqa: S311 (reproducible, no secret)


def _named(space: Space, name: str, path: Path, text: str) -> Style:
    """Returns the style of a program that a config names."""
    try:
        style = space.parse(name)
    except UserError as error:
        raise FileError(path, text, str(error), word=name) from None
    if rule := space.forbidden_by(style):
        raise FileError(path, text, f"{name}: rule '{rule.id}' forbids it: {rule.why}", word=name)
    return style


def _around(styles: list[Style], names: list[str], path: Path, text: str) -> set[str]:
    """Returns the names of some programs and of those that differ from one of them in one value."""
    named = {name_of(style): style for style in styles}
    for name in names:
        if name not in named:
            raise FileError(path, text, f"no program '{name}' to sample around; see violet list", word=name)
    middles: defaultdict[str, list[Style]] = defaultdict(list)
    for name in names:
        middles[named[name]["algorithm"]].append(named[name])
    return {
        name for name, style in named.items() if any(differ_once(style, each) for each in middles[style["algorithm"]])
    }


def differ_once(style: Style, other: Style) -> bool:
    """Tells whether styles of an algorithm differ in one value or none; an axis may come or go with that."""
    if style["algorithm"] != other["algorithm"]:
        return False
    differing = sum(style[axis] != other[axis] for axis in style.keys() & other.keys())
    return differing <= 1 and len(style.keys() ^ other.keys()) <= 1


def covering(styles: Iterable[Style], values: int, begun: Iterable[Style] = ()) -> list[Style]:
    """Returns a small subset in which so many values meet again in some style if they meet in one, such as every pair.

    Greedy: the next one is the style with most combinations that those before it lack, the first of equals. So any
    beginning of the list covers about as much as that number of programs can.

    Args:
        styles: to choose from.
        values: how many meet.
        begun: styles that are there besides: what meets in them need not do so again.
    """
    styles = list(styles)
    bits: dict[tuple[str, str], int] = {}  # a bit for each value, so that a number is a set of them
    numbers: dict[tuple[int, ...], int] = {}  # of combinations that lack one value
    sets, combinations = [], []
    for style in styles:
        of_style = [bits.setdefault(value, 1 << len(bits)) for value in style.items()]
        sets.append(sum(of_style))
        some = itertools.combinations(of_style, values - 1)
        combinations.append([numbers.setdefault(each, len(numbers)) for each in some])
    # The values that each combination has not met yet, without its own.
    lacking = [~sum(combination) for combination in numbers]
    for style in begun:
        of_style = [bits[value] for value in style.items() if value in bits]
        for combination in itertools.combinations(of_style, values - 1):
            if combination in numbers:
                lacking[numbers[combination]] &= ~sum(of_style)
    chosen = []
    # What a style adds never grows, so the first of the heap is the best one if its number still holds.
    heap = [(-values * math.comb(len(style), values), index) for index, style in enumerate(styles)]
    heapq.heapify(heap)
    while heap and heap[0][0] < 0:
        added_once, index = heap[0]
        adds = sum([(lacking[number] & sets[index]).bit_count() for number in combinations[index]])
        heapq.heapreplace(heap, (-adds, index))
        if adds == -added_once:
            chosen.append(styles[index])
            for number in combinations[index]:
                lacking[number] &= ~sets[index]
    return chosen


def first_of_each(styles: Iterable[Style], axes: Sequence[str]) -> list[Style]:
    """Returns the first style with each combination of values on the given axes, where no value counts as one."""
    first: dict[tuple[str | None, ...], Style] = {}
    for style in styles:
        first.setdefault(tuple(style.get(axis) for axis in axes), style)
    return list(first.values())
