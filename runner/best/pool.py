"""The programs that a search may try: all that Violet can write, or those that were generated."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Protocol

from generator.algorithms import load_algorithms
from generator.config import writable_styles
from generator.errors import nearest
from generator.export import obstacle
from generator.output import add
from generator.render import render
from generator.space import load_space, name_of
from runner.errors import RunnerError
from runner.jobs.plan import check_query
from runner.jobs.programs import GPU_MODELS, program_of, read_programs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from generator.space import Style
    from runner.best.find import Question
    from runner.checkout import Checkout
    from runner.jobs.graphs import Graph
    from runner.jobs.programs import Program
    from runner.machine.machine import Machine
    from runner.machine.toolchain import Toolchain


class Pool(Protocol):
    """Programs by name, which need not exist before they are asked for."""

    @property
    def checkout(self) -> Checkout:
        """Where they are, and are built."""
        ...

    @property
    def names(self) -> Sequence[str]:
        """Of all of them."""
        ...

    @property
    def lazy(self) -> bool:
        """Whether it takes a while to have one, so that a search has only those that it tries."""
        ...

    def take(self, names: Iterable[str]) -> list[Program]:
        """Returns programs, whose sources are there from now on."""
        ...


@dataclass(frozen=True)
class Generated:
    """The programs that were generated last, as they are now."""

    checkout: Checkout
    programs: dict[str, Program]
    lazy: bool = False

    @property
    def names(self) -> Sequence[str]:
        """Of all of them."""
        return list(self.programs)

    def take(self, names: Iterable[str]) -> list[Program]:
        """Returns programs."""
        return [self.programs[name] for name in names]


@dataclass(frozen=True)
class Written:
    """All that Violet can write, in a place of its own."""

    checkout: Checkout
    styles: dict[str, Style]
    lazy: bool = True

    @property
    def names(self) -> Sequence[str]:
        """Of all of them."""
        return list(self.styles)

    def take(self, names: Iterable[str]) -> list[Program]:
        """Writes programs that are not there yet, or are out of date."""
        space = load_space()
        rendered = [render(space, self.styles[name]) for name in names]
        add(rendered, self.checkout.generated)
        rows = [{"name": it.name, "path": it.path, "reference": it.reference, **it.style} for it in rendered]
        return [program_of(self.checkout, row) for row in rows]


def generated(checkout: Checkout, question: Question, graph: Graph) -> Generated:
    """Returns the generated programs that a question is about, and that take a graph; all of them if none does.

    Raises:
        RunnerError: there are none, or their algorithm is not asked so.
    """
    algorithm, model = question.algorithm, question.model
    programs = read_programs(checkout, question.programs)
    found = [program for program in programs if program.algorithm == algorithm and model in (None, program.model)]
    if not found:
        known = sorted({f"{program.algorithm} in {program.model}" for program in programs})
        wanted = f"{algorithm} in {model}" if model else algorithm
        raise RunnerError(
            f"no program of {wanted} has been generated; there are {', '.join(known)}, "
            "and all others without --generated"
        )
    check_query(question.parameters.query, found)
    found = [program for program in found if program.takes(graph)] or found
    possible = _only_libraries(question, [(program.name, program.model) for program in found])
    return Generated(checkout, {program.name: program for program in found if program.name in possible})


def written(checkout: Checkout, question: Question, graph: Graph, machine: Machine, toolchain: Toolchain) -> Written:
    """Returns the programs that Violet can write for a question, and that can run on a graph here.

    Raises:
        RunnerError: there are none, or their algorithm is not asked so.
    """
    space, algorithm = load_space(), question.algorithm
    models = runnable(question.model, machine, toolchain, several=bool(question.parameters.gpus))
    every = [
        style
        for model in models
        for style in writable_styles(space, algorithm, model, directed=graph.directed, real_weights=graph.real)
    ]
    styles = {name_of(style): style for style in every}
    if not styles:
        kind = ("directed" if graph.directed else "undirected") + (" and has real weights" if graph.real else "")
        hint = "" if graph.directed else "; `violet graphs convert --directed` keeps directions"
        raise RunnerError(f"{graph.name} is {kind}, and Violet has no program of {algorithm} for such graphs{hint}")
    for glob in question.programs:
        if not any(fnmatchcase(name, glob) for name in styles):
            raise RunnerError(f"none of the {len(styles)} programs of {algorithm} for this graph matches {glob}")
    _check_query(question)
    possible = _only_libraries(question, [(name, style["model"]) for name, style in styles.items()])
    chosen = {
        name: style
        for name, style in styles.items()
        if name in possible and any(fnmatchcase(name, glob) for glob in question.programs)
    }
    add([], checkout.written.generated)
    return Written(checkout.written, chosen)


def runnable(model: str | None, machine: Machine, toolchain: Toolchain, *, several: bool) -> list[str]:
    """Returns the models whose programs can be built and run here, or the one that is asked for.

    Raises:
        RunnerError: there is no such model, or its programs cannot be built or run here.
    """
    known = {"openmp": None, "cpp": None, "cuda": None, "multigpu": None}
    if model is not None and model not in known:
        raise RunnerError(f"no model is called '{model}'; {nearest(model, known) or 'there are ' + ', '.join(known)}")
    wanted = [model] if model else ["openmp", "cpp", "cuda", *(["multigpu"] if several else [])]
    found = [each for each in wanted if each in toolchain and (each not in GPU_MODELS or machine.gpus)]
    if not found:
        reason = "no compiler" if not set(wanted) & set(toolchain) else "no GPU"
        raise RunnerError(f"no program in {' or '.join(wanted)} can run here: {reason}; `violet doctor` says more")
    return found


def _check_query(question: Question) -> None:
    algorithm = load_algorithms()[question.algorithm]
    for name in question.parameters.query:
        if name not in algorithm.query:
            asked = ", ".join(sorted(algorithm.query)) or "nothing"
            raise RunnerError(f"--query {name}: {question.algorithm} is asked {asked}")
    if fault := algorithm.fault_of(question.parameters.query):
        raise RunnerError(f"--query {fault}, by {question.algorithm}")


def _only_libraries(question: Question, programs: Sequence[tuple[str, str]]) -> set[str]:
    """Returns the names of those that can be libraries, if that is asked for; all otherwise."""
    reasons = {name: obstacle({"model": model}) if question.library else None for name, model in programs}
    if all(reasons.values()):
        said = min(filter(None, reasons.values()))
        raise RunnerError(f"--export: no program of {question.algorithm} can be a library: {said}")
    return {name for name, reason in reasons.items() if not reason}
