"""Mutants of programs are what they say, and the listed ones are found by whom docs/trust.md names."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from generator.errors import UserError
from generator.render import Program, render
from generator.space import Space, Style, load_space, name_of
from tests.configs import selected
from trust import graphs, program_mutants
from trust.build import Suite, compile_all, write_suite
from trust.observe import Observation, Report, observe
from trust.program_mutants import drawn, listed
from trust.records import read
from trust.report import DATA
from trust.tools import CUDA, TOOLS, VERIFIER

if TYPE_CHECKING:
    from pathlib import Path

ASAN = next(tool for tool in TOOLS if tool.name == "AddressSanitizer")
FOUND = {  # by program: graphs on which one run of AddressSanitizer's build finds it, with the default parameters
    "sssp-openmp-vertex-data-nodup-push-rmw-nondet-default-i32-local-nearfar": lambda: [graphs.long_piles()],
    "mis-cpp-vertex-topology-push-rmw-nondet-blocked-i32-degree": lambda: [graphs.ties()],
    "cc-cpp-vertex-data-dup-hybridmin-rmw-det-blocked-i32-share": lambda: [*graphs.tiny(), *graphs.small()],
}


@pytest.fixture(scope="module")
def space() -> Space:
    return load_space()


@pytest.fixture(scope="module")
def styles() -> dict[str, Style]:
    return {name_of(style): style for style in selected("all")}


def test_every_listed_mutant_is_of_its_programs(space: Space, styles: dict[str, Style]) -> None:
    mutants = listed(space, styles)
    assert FOUND.keys() <= {mutated.program.name for mutated in mutants}
    for mutated in mutants:
        assert mutated.program.text != mutated.original.text
        first = mutated.mutant.before.splitlines()[0]
        assert first in mutated.original.text.splitlines()[mutated.mutant.line - 1]


def test_a_listed_mutant_of_no_program_is_told(
    space: Space, styles: dict[str, Style], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_mutants, "LISTED", tmp_path / "mutants.toml")
    name = next(iter(FOUND))
    program_mutants.LISTED.write_text(
        f'[[mutant]]\nwhat = "x"\nbefore = "no such text"\nafter = ""\nprograms = ["{name}"]\n'
    )
    with pytest.raises(UserError, match=f"{name} is no program that has this once: no such text"):
        listed(space, styles)


def test_who_notices_each_listed_mutant_has_been_measured(space: Space, styles: dict[str, Style]) -> None:
    measured = {(row["what"], row["program"], row["tool"]) for row in read(DATA / "mutants.csv")}
    emulators = ["emulator", "emulator with preemption"]
    for mutated in listed(space, styles):
        model = mutated.program.style["model"]
        tools = emulators if model in CUDA else [tool.name for tool in TOOLS if model in tool.models]
        assert {(mutated.what, mutated.program.name, tool) for tool in tools} <= measured


def test_a_busy_machine_notices_nothing(
    space: Space, styles: dict[str, Style], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What takes too long once, and then verifies, is no finding; what always does is one."""
    mutated = next(each for each in listed(space, styles) if each.program.style["model"] == "cpp")
    verifier = next(tool for tool in TOOLS if tool.name == VERIFIER)
    task = program_mutants._Task(mutated, Suite("x", [mutated.program], "y"), verifier)
    monkeypatch.setattr(program_mutants, "_runs", lambda _: iter([(verifier, (), (tmp_path / "g.egr",))]))
    for after, finding in (("verified", ""), ("timeout", "g timeout: x"), ("wrong", "g wrong: x")):
        statuses = iter(["timeout", after])
        monkeypatch.setattr(
            program_mutants,
            "observe",
            lambda *_, statuses=statuses, **__: Report([Observation("g", next(statuses), "x")], ""),
        )
        assert program_mutants._measure(task)["finding"] == finding


def test_drawn_mutants_differ_in_one_line_of_code_and_depend_on_the_seed(space: Space) -> None:
    styles = {name_of(style): style for style in selected("paper")}  # these never change
    mutants = drawn(space, styles, 60, seed=1)
    for mutated in mutants:
        pairs = zip(mutated.original.text.splitlines(), mutated.program.text.splitlines(), strict=True)
        (line,) = (number for number, (right, wrong) in enumerate(pairs, start=1) if right != wrong)
        assert line == mutated.mutant.line
        assert line > mutated.original.text[: mutated.original.text.index("struct State")].count("\n")
    assert len({mutated.program.name for mutated in mutants}) == 60
    assert set(Counter(mutated.what for mutated in mutants)) >= {"comparison", "dropped", "plain", "off by one"}
    assert [mutated.mutant for mutated in drawn(space, styles, 5, seed=1)] == [each.mutant for each in mutants[:5]]
    assert [mutated.mutant for mutated in drawn(space, styles, 5, seed=2)] != [each.mutant for each in mutants[:5]]


@pytest.mark.long  # compiles all of the runtime for AddressSanitizer
@pytest.mark.compile
@pytest.mark.parametrize("name", FOUND)
def test_what_was_let_through_once_is_found(space: Space, styles: dict[str, Style], name: str) -> None:
    if not shutil.which("g++"):
        pytest.skip("needs g++")
    mutants = [mutated for mutated in listed(space, styles) if mutated.program.name in FOUND]
    suite = write_suite(space, "test-program-mutants", [each.program for each in mutants])
    compile_all(suite, ASAN, suite.programs, 2)
    (mutated,) = (each for each in mutants if each.program.name == name)
    options = ("--reps", "2", "--warmup", "0", "--threads", "16")
    report = observe(suite.binary(mutated.program, ASAN), FOUND[name](), options, ASAN, timeout_s=20)
    assert report.finding(ASAN) or any(each.status == "wrong" for each in report.observations), report


def test_the_emulator_blames_a_mutant_for_nothing_else(
    space: Space, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (style, *_) = (style for style in selected("paper") if style["model"] == "cuda")
    right = render(space, style)
    compiler = work / "compiler"
    monkeypatch.setenv("CXX", str(compiler))

    def compile_with(program: Program, broken: str, said: str) -> set[str]:
        compiler.write_text(
            f"#!/bin/sh\necho $* >>{work}/all\ncase $* in *{broken}) echo '{said}' >&2; exit 1;; esac\n"
            'while [ "$1" != -o ]; do shift; done; touch $2\n'
        )
        compiler.chmod(0o755)
        suite = write_suite(space, "emulated", [program])
        return program_mutants._compile(suite, program_mutants._EMULATOR, 1)

    assert compile_with(right, "nothing", "") == set()
    assert "graph_file.o" in (work / "all").read_text().splitlines()[-1]  # the runtime is linked, too
    wrong = replace(right, text=right.text + "// wrong\n")
    with pytest.raises(UserError, match=r"whatever it compiles: x: No space left on device"):
        compile_with(wrong, f"{wrong.name}.o", "x: No space left on device")
    assert compile_with(wrong, f"{wrong.name}.o", "error: no ;") == {wrong.name}
    (work / "emulated-emulated" / "obj" / "common.hpp.gch").unlink()
    with pytest.raises(UserError, match="what all programs share does not compile: error: no ;"):
        compile_with(wrong, "common.hpp.gch", "error: no ;")
