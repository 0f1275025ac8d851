"""Suggestions in words: which programs to try on a graph, how long they should take, and how sure that is."""

from __future__ import annotations

import math
import shlex
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from generator.algorithms import load_algorithms
from generator.config import writable_styles
from generator.errors import UserError
from generator.space import load_space
from runner.best.measured import is_called, read_shapes
from runner.best.searches import all_measured
from runner.best.suggest import CANDIDATES, NOT_KNOWN, WHOLE_WEIGHTS, suggest
from runner.checkout import MEASUREMENTS
from runner.errors import RunnerError
from runner.jobs.programs import GPU_MODELS
from runner.machine.machine import this_machine

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from pydantic import JsonValue

    from runner.best.measured import Measured, Shape
    from runner.best.suggest import Suggestion
    from runner.checkout import Checkout

HARDWARE = {"CPUs": ("openmp", "cpp"), "a GPU": ("cuda",), "several GPUs": ("multigpu",)}
"""Models of programs that run on the same."""


@dataclass(frozen=True)
class Chosen:
    """What is suggested for an algorithm on one kind of hardware."""

    algorithm: str
    hardware: str
    models: Sequence[str]
    suggestion: Suggestion


def choose_programs(
    checkout: Checkout,
    shape: Shape,
    algorithm: str | None = None,
    model: str | None = None,
    count: int = CANDIDATES,
    *,
    directed: bool = False,
    real_weights: bool = False,
    results: Path | None = None,
) -> list[Chosen]:
    """Suggests programs for a graph, for each kind of hardware on which some were measured.

    Args:
        checkout: what Violet works in: earlier searches count, too.
        shape: what is known of the graph.
        algorithm: for one algorithm; None: for each.
        model: in one model; None: in any for a single GPU or CPUs.
        count: how many programs to suggest.
        directed: whether the graph is.
        real_weights: whether it has such.
        results: records of the user's own.

    Raises:
        RunnerError: there is no such model, or nothing that fits was measured.
    """
    known = {each: where for where, models in HARDWARE.items() for each in models}
    if model is not None and model not in known:
        raise RunnerError(f"no model is called '{model}'; there are {', '.join(known)}")
    asked = {known[model]: (model,)} if model else {where: HARDWARE[where] for where in ("CPUs", "a GPU")}
    measured, shapes = all_measured(checkout, results, real_weights=real_weights), read_shapes(MEASUREMENTS)
    fingerprint, found = this_machine().fingerprint, []
    for name in [algorithm] if algorithm else load_algorithms():
        for where, models in asked.items():
            names = possible(measured, name, models, directed=directed, real_weights=real_weights)
            if suggestion := suggest(names, measured, shapes, shape, fingerprint, count):
                found.append(Chosen(name, where, models, suggestion))
    if not found:
        kind = "directed" if directed else "undirected"
        every = [each for some in asked.values() for each in some]
        if algorithm and not any(writable_styles(load_space(), algorithm, each, directed=directed) for each in every):
            hint = "" if directed else "; `violet graphs convert --directed` keeps directions"
            raise RunnerError(f"Violet has no program of {algorithm} for {kind} graphs{hint}")
        what = " in ".join(filter(None, [algorithm or "any algorithm", model]))
        raise RunnerError(f"no program of {what} was measured on {kind} graphs: `violet best` finds a fast one")
    return found


def possible(
    measured: Iterable[Measured], algorithm: str, models: Sequence[str], *, directed: bool, real_weights: bool = False
) -> list[str]:
    """Returns the measured programs that Violet can still write, and that take such graphs."""
    space, known = load_space(), load_algorithms()[algorithm]
    begins = tuple(f"{algorithm}-{model}-" for model in models)
    possible = []
    for name in sorted({name for table in measured for name in table.times_s if name.startswith(begins)}):
        try:
            style = space.parse(name)
        except UserError:  # of an earlier version
            continue
        takes_real = known.takes_real_weights(style)
        takes = known.takes_directed(style) == directed and takes_real == (real_weights and bool(known.real_weights))
        if takes and not space.forbidden_by(style):
            possible.append(name)
    return possible


def tell(word: str, shape: Shape, found: Sequence[Chosen]) -> str:
    """Returns all in words; `word` is how the graph was named."""
    known = [
        f"average degree {shape.average_degree:.1f}",
        "" if math.isnan(shape.maximum_degree) else f"maximum {shape.maximum_degree:,.0f}",
        "" if math.isnan(shape.diameter) else f"diameter at least {shape.diameter:,.0f}",
        "" if math.isnan(shape.clustering) else f"clustering {shape.clustering:.2f}",
    ]
    lines = [", ".join(filter(None, known))]
    titles, here = load_algorithms(), this_machine()
    for each in found:
        suggestion, quality = each.suggestion, each.suggestion.quality
        like = ", ".join(f"{name} ({share:.0%})" for name, share in suggestion.like)
        lines += ["", f"{titles[each.algorithm].title} on {each.hardware}: time, ratio to the first, program"]
        lines += [f"  {_time(one.seconds):>8}  {one.ratio:5.2f}  {one.name}" for one in suggestion.programs]
        whole = f", {WHOLE_WEIGHTS}" if suggestion.whole_weights else ""
        machine = "this machine" if is_called(here.fingerprint, suggestion.machine) else suggestion.machine
        lines.append(f"  Times as on {machine}, mostly from {like}{whole}.")
        several = len(suggestion.programs)
        lines.append(f"  The first is {quality.in_words(1)}." if quality else f"  Of the first, {NOT_KNOWN}.")
        lines += [f"  The fastest of {several} is {quality.in_words(several)}."] if quality and several > 1 else []
        model = [] if {"openmp", "cuda"} & {*each.models} and len(each.models) > 1 else ["--model", each.models[0]]
        elsewhere = {*GPU_MODELS} & {*each.models} and not here.gpus
        where = f" on a machine with {each.hardware}" if elsewhere else ""
        command = ["violet", "best", each.algorithm, word, *model]
        lines.append(f"  To measure them{where}: {shlex.join(command)}")
    return "\n".join(lines)


def as_json(shape: Shape, found: Sequence[Chosen]) -> JsonValue:
    """Returns all as JSON has it."""
    told: list[JsonValue] = []
    for each in found:
        quality = each.suggestion.quality
        suggestion = asdict(each.suggestion) | {"quality": quality.in_numbers() if quality else None}
        told.append(asdict(each) | {"suggestion": suggestion})
    return {"graph": asdict(shape), "found": told}


def _time(seconds: float) -> str:
    """Returns a time with two digits: more are not known."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size or unit == "us":
            return f"{float(f'{seconds / size:.2g}'):g} {unit}"
    raise AssertionError
