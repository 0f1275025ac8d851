"""What a program's name says about its style: the only place where the analysis reads names."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from generator.space import load_space


@cache
def axes() -> Mapping[str, tuple[str, ...]]:
    """Returns every axis of the style space in name order, with its values in the order in which figures show them."""
    return MappingProxyType({axis.name: tuple(axis.values) for axis in load_space().axes})


@cache
def titles() -> Mapping[str, str]:
    """Returns what every axis is about, in a few words."""
    return {axis.name: axis.title for axis in load_space().axes}


@cache
def meanings() -> Mapping[str, Mapping[str, str]]:
    """Returns what every value of every axis means, in a sentence."""
    return {axis.name: axis.values for axis in load_space().axes}


@cache
def options() -> frozenset[str]:
    """Returns the axes that programs may lack where they exist: without a value, a program is a plain one."""
    return frozenset(axis.name for axis in load_space().axes if not axis.plain_values)


@cache
def style_of(name: str) -> Mapping[str, str]:
    """Returns the style that a program's name spells: axis to value, in name order, absent axes left out.

    The generator's own parser also wants the style to be complete. This one does not, because records outlive the
    space: a program that was measured before an axis was added has no value on it, and is none the worse for that.

    Args:
        name: A program name such as `bfs-openmp-vertex-topology-push-rmw-nondet-default-i32`.

    Raises:
        ValueError: A token belongs to no axis, the tokens are not in name order, or algorithm or model are missing.
    """
    axis_of = {value: axis for axis, values in axes().items() for value in values}
    tokens = name.split("-")
    if unknown := [token for token in tokens if token not in axis_of]:
        raise ValueError(f"{name!r} is not a program name: no axis has the value {unknown[0]!r}")
    given = {axis_of[token]: token for token in tokens}
    style = {axis: given[axis] for axis in axes() if axis in given}
    if list(style.values()) != tokens:
        raise ValueError(f"{name!r} is not a program name: its values are out of order or repeated")
    if not {"algorithm", "model"} <= style.keys():
        raise ValueError(f"{name!r} is not a program name: it names no algorithm or no model")
    return MappingProxyType(style)
