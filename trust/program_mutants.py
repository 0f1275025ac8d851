"""Mutation testing of what looks at programs: who notices a small mistake in a generated program.

Some mutants are listed, because tests have let them through once; others are drawn. Those of CPU programs face the
verifier and the sanitizers, those of CUDA programs the emulator of the tests: no GPU is needed.
"""

from __future__ import annotations

import os
import random
import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from generator.config import find_config, select_styles
from generator.errors import UserError
from generator.paths import ROOT
from generator.render import Program, render
from generator.space import load_space, name_of
from tests.emulator.translate import UnknownError, translate, translate_all
from trust import graphs
from trust.build import Suite, blame_machine, compile_possible, write_suite
from trust.mutants import OPERATORS, Mutant, apply, mutants_of
from trust.observe import observe
from trust.parameters import several
from trust.pool import for_each, run_command
from trust.records import Table, read
from trust.tools import CPU, CUDA, VERIFIER, Tool, tools_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from generator.space import Space, Style

LISTED = Path(__file__).with_name("mutants.toml")
_COMPILER = "compiler"
COLUMNS = ["what", "program", "sha256", "model", "line", "before", "after", "tool", "finding"]

_TIMEOUTS_S = (6.0, 60.0)  # what takes too long is given longer before it counts: machines are busy
_VERIFIED = ("--reps", "10", "--warmup", "0", "--threads", "8")  # what a repetition leaves behind, the next one finds
_WATCHED = ("--reps", "3", "--warmup", "0", "--threads", "16")
_EMULATED = ("--reps", "1", "--warmup", "0")

# A plain access for an atomic one, as a function of the same arguments.
_PLAIN = {
    "load": "[](auto* x) { return *x; }(",
    "store": "[](auto* x, auto value) { *x = value; }(",
    "exchange": "[](auto* x, auto value) { const auto old = *x; *x = value; return old; }(",
    "add": "[](auto* x, auto value) { const auto old = *x; *x += value; return old; }(",
    "min": "[](auto* x, auto value) { const auto old = *x; if (value < old) *x = value; return old; }(",
}
_ATOMICS = {"exchange": "atomicExch(", "add": "atomicAdd(", "min": "atomicMin("}
_PROGRAM_OPERATORS = OPERATORS | {
    "plain": (
        *((f"atomic_{what}(", plain) for what, plain in _PLAIN.items()),
        *((atomic, _PLAIN[what]) for what, atomic in _ATOMICS.items()),
    ),
    "unprotected": (("#pragma omp critical", ""),),
}

_EMULATOR = Tool("emulator", "emulated", CUDA, slowdown=5)
_PREEMPTING = replace(_EMULATOR, name="emulator with preemption")
_ALWAYS = "3"
_SLICES = {_EMULATOR.name: ("100000",), _PREEMPTING.name: ("100", _ALWAYS, _ALWAYS)}
"""How many accesses a thread makes until another one has its turn, on average, in each of the runs."""


@dataclass(frozen=True)
class Mutated:
    """A program with a mistake.

    Attributes:
        what: is wrong, of a mutant that is listed; else the operator that has made it.
        mutant: the change.
        program: the wrong program.
        original: the right one.
    """

    what: str
    mutant: Mutant
    program: Program
    original: Program


@dataclass(frozen=True)
class _Task:
    mutated: Mutated
    suite: Suite
    tool: Tool

    def __str__(self) -> str:
        return f"{self.mutated.program.name}, {self.mutated.mutant}"


def measure(out: Path, *, sample: int, seed: int, jobs: int) -> list[Mutated]:
    """Runs every listed mutant, and some that are drawn, under every tool; returns those that nobody notices.

    Args:
        out: CSV file; what it holds already is not measured again.
        sample: how many are drawn: first a model, then a program of it, then a mutant of that.
        seed: of that draw.
        jobs: programs at a time.

    Raises:
        UserError: a tool is missing, a listed mutant is of no program, or a compiler fails whatever it is given.
    """
    space = load_space()
    styles = {name_of(style): style for style in select_styles(space, find_config("all")) if _is_emulated(style)}
    chosen = listed(space, styles)
    chosen += drawn(space, {name: styles[name] for name in styles.keys() - _names(chosen)}, sample, seed)
    table = Table(out, COLUMNS, ("sha256", "tool"))
    unnoticed = []
    for models, tools in ((CPU, tools_for(CPU)), (CUDA, [_EMULATOR, _PREEMPTING])):
        of_models = [mutated for mutated in chosen if mutated.program.style["model"] in models]
        suite = write_suite(space, f"program-mutants-{models[-1]}", [mutated.program for mutated in of_models])
        for tool in tools:
            failed = _compile(suite, tool, jobs)
            table.add(
                _row(mutated, suite, _COMPILER, "does not compile")
                for mutated in of_models
                if mutated.program.name in failed and (suite.identity(mutated.program), _COMPILER) not in table
            )
            tasks = [
                _Task(mutated, suite, tool)
                for mutated in of_models
                if mutated.program.name not in failed and (suite.identity(mutated.program), tool.name) not in table
            ]
            for_each(tasks, _measure, lambda row: table.add([row]), jobs=jobs, title=tool.name)
        noticed = {row["sha256"] for row in read(out) if row["finding"]}
        left = [mutated for mutated in of_models if suite.identity(mutated.program) not in noticed]
        originals = write_suite(space, f"program-originals-{models[-1]}", [mutated.original for mutated in left])
        if left:
            _compile(originals, tools[0], jobs)
        for mutated in left:
            wrong, right = _binary(suite, mutated.program, tools[0]), _binary(originals, mutated.original, tools[0])
            if wrong.read_bytes() == right.read_bytes():
                table.add([_row(mutated, suite, _COMPILER, "the same code")])
            else:
                unnoticed.append(mutated)
    return unnoticed


def listed(space: Space, styles: Mapping[str, Style]) -> list[Mutated]:
    """Returns the mutants that are listed, each in all of its programs.

    Args:
        space: of the styles.
        styles: of all programs, by name.

    Raises:
        UserError: there is no such program, or it does not have that text once.
    """
    with LISTED.open("rb") as file:
        entries = tomllib.load(file)["mutant"]
    found = []
    for entry in entries:
        for name in entry["programs"]:
            original = render(space, styles[name]) if name in styles else None
            if original is None or original.text.count(entry["before"]) != 1:
                raise UserError(f"{LISTED}: {name} is no program that has this once: {entry['before']}")
            line = original.text[: original.text.index(entry["before"])].count("\n") + 1
            mutant = Mutant(original.path, line, "listed", entry["before"], entry["after"])
            text = original.text.replace(mutant.before, mutant.after)
            found.append(Mutated(entry["what"], mutant, replace(original, text=text), original))
    return found


def drawn(space: Space, styles: Mapping[str, Style], count: int, seed: int) -> list[Mutated]:
    """Returns mutants drawn at random: first a model, then a program of it, then a mutant of that.

    Args:
        space: of the styles.
        styles: of the programs to draw from, by name; each is drawn once at most.
        count: how many mutants.
        seed: same seed, same mutants.
    """
    draw = random.Random(seed)  # noqa: S311  (reproducible, no secret)
    left = {model: sorted(name for name in styles if styles[name]["model"] == model) for model in (*CPU, *CUDA)}
    found: list[Mutated] = []
    while len(found) < count:
        names = left[draw.choice(sorted(left))]
        original = render(space, styles[names.pop(draw.randrange(len(names)))])
        begin = original.text[: original.text.index("\n};\n", original.text.index("struct State"))].count("\n") + 2
        mutant = draw.choice(list(mutants_of(original.path, original.text, _PROGRAM_OPERATORS, after=begin)))
        text = apply(mutant, original.text)
        if mutant.operator == "dropped" and mutant.before.startswith("const "):
            continue  # never compiles
        try:
            translate(text)
        except UnknownError:
            continue  # nothing that the emulator could run
        found.append(Mutated(mutant.operator, mutant, replace(original, text=text), original))
    return found


def _is_emulated(style: Style) -> bool:
    """Whether a program can be run without a GPU."""
    return style.get("atomics", "atomic") == "atomic" and style.get("fusion") != "graph"


def _names(chosen: Iterable[Mutated]) -> set[str]:
    return {mutated.program.name for mutated in chosen}


def _compile(suite: Suite, tool: Tool, jobs: int) -> set[str]:
    """Compiles the programs of a suite for a tool; returns the names of those that do not compile.

    Raises:
        UserError: what they share does not compile, or a compiler fails whatever it is given.
    """
    if tool.build != _EMULATOR.build:
        missing, said = compile_possible(suite, tool, suite.programs, jobs)
        if missing:
            blame_machine(said)
        return set(missing)
    folder = suite.binary_folder(tool)
    translate_all(suite.generated, folder)
    runtime = suite.generated / "runtime"
    rules = ["-f", "tests/emulator/build.mk", f"DIR={folder.relative_to(ROOT)}", f"RUNTIME={runtime.relative_to(ROOT)}"]
    done = run_command(["make", "-s", "-k", f"-j{jobs}", *rules], ROOT, os.environ)
    if not done.returncode:
        return set()
    blame_machine(done.stderr)
    # What it would still make: an earlier file of that name is of another program.
    planned = run_command(["make", "-n", *rules], ROOT, os.environ).stdout
    left = {Path(file) for file in re.findall(r" -o (\S+)$", planned, re.MULTILINE)}
    names = {program.name for program in suite.programs}
    if not left or {file.stem for file in left} - names:
        raise UserError(f"what all programs share does not compile: {done.stderr.strip()[-2000:]}")
    return {file.stem for file in left}


def _binary(suite: Suite, program: Program, tool: Tool) -> Path:
    if tool.build == _EMULATOR.build:
        return suite.binary_folder(tool) / "bin" / program.name
    return suite.binary(program, tool)


def _measure(task: _Task) -> dict[str, object]:
    tool = task.tool
    for run, options, inputs in _runs(task):
        binary = _binary(task.suite, task.mutated.program, tool)
        for timeout_s in _TIMEOUTS_S:
            report = observe(binary, inputs, options, run, timeout_s=timeout_s, patience=1)
            bad = [each for each in report.observations if each.status != "verified"]
            if tool.finding or not bad or bad[0].status != "timeout":
                break
        words = (f"{each.graph} {each.status}: {each.detail}" for each in bad)
        finding = report.finding(tool) if tool.finding else next(words, None)
        if finding:
            return _row(task.mutated, task.suite, tool.name, " ".join(finding.split()))
    return _row(task.mutated, task.suite, tool.name, "")


def _runs(task: _Task) -> Iterator[tuple[Tool, tuple[str, ...], tuple[Path, ...]]]:
    """Yields what to do under a tool: the tool with its environment, the options and the graphs."""
    tool, style = task.tool, task.mutated.program.style
    inputs = dict.fromkeys([*graphs.tiny(), *graphs.small(), *graphs.contended(), graphs.long_piles()])
    for parameters in several(task.mutated.original):
        if tool.name in _SLICES:
            for seed, accesses in enumerate(_SLICES[tool.name]):
                environment = {"EMULATOR_SEED": str(seed), "EMULATOR_SLICE": accesses}
                yield (
                    replace(tool, environment=environment),
                    (*_EMULATED, *parameters),
                    graphs.fitting(style, _emulated(task, accesses)),
                )
        else:
            yield (
                tool,
                (*(_VERIFIED if tool.name == VERIFIER else _WATCHED), *parameters),
                graphs.fitting(style, inputs),
            )


def _emulated(task: _Task, accesses: str) -> list[Path]:
    """Returns graphs that do not take the emulator too long: tiny ones where threads take turns all the time."""
    if accesses == _ALWAYS or task.mutated.program.style.get("granularity") == "block":
        return graphs.tiny()
    return [*graphs.tiny(), *graphs.named("rmat-10"), *graphs.long_worklists(), graphs.ties(), graphs.long_piles()]


def _row(mutated: Mutated, suite: Suite, tool: str, finding: str) -> dict[str, object]:
    return {
        "what": mutated.what,
        "program": mutated.program.name,
        "sha256": suite.identity(mutated.program),
        "model": mutated.program.style["model"],
        "line": mutated.mutant.line,
        "before": mutated.mutant.before,
        "after": mutated.mutant.after,
        "tool": tool,
        "finding": finding,
    }
