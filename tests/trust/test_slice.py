"""A fast slice of what docs/trust.md shows: every kind of bug is caught, and clean programs are clean."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from generator.errors import UserError
from generator.space import load_space
from inputs.formats import egr
from tests.trust.conftest import BUGS, CLEAN, TOOL, Prepared, usable
from trust import graphs
from trust.observe import observe
from trust.soak import draw_run, soak
from trust.tools import VERIFIER

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from generator.render import Program

pytestmark = [pytest.mark.compile, pytest.mark.turns(6, 4)]


def test_the_slice_has_every_kind_of_bug() -> None:
    assert sorted(name.rsplit("-", 1)[1] for name in BUGS) == sorted(load_space().axis("bug").values)


def for_sanitizers(finder: str) -> tuple[pytest.MarkDecorator, ...]:
    """Returns the mark of what compiles all of the runtime once more, which takes a minute for each sanitizer."""
    return () if finder == VERIFIER else (pytest.mark.long,)


@pytest.mark.parametrize(("name", "finder"), [pytest.param(*bug, marks=for_sanitizers(bug[1])) for bug in BUGS.items()])
def test_a_planted_bug_is_caught(prepared: Prepared, name: str, finder: str) -> None:
    tool = usable(TOOL[finder], name)
    _, binary = prepared(name, tool)
    options = ("--reps", "3", "--warmup", "0", "--threads", "4")
    report = observe(binary, graphs.few(), options, tool, timeout_s=3, patience=1)
    bad = [each for each in report.observations if each.status != "verified"]
    assert report.finding(tool) if tool.finding else bad, report


@pytest.mark.parametrize(
    "finder",
    [pytest.param(name, marks=for_sanitizers(name)) for name in ("ThreadSanitizer", "AddressSanitizer", VERIFIER)],
)
@pytest.mark.parametrize("name", CLEAN)
def test_a_clean_program_is_clean(prepared: Prepared, name: str, finder: str) -> None:
    tool = usable(TOOL[finder], name)
    _, binary = prepared(name, tool)
    inputs = [*graphs.few(), *graphs.small()]
    report = observe(binary, inputs, ("--reps", "2", "--warmup", "0", "--threads", "4"), tool, timeout_s=20)
    assert report.finding(tool) is None
    assert [each.status for each in report.observations] == ["verified"] * len(inputs), report


def test_a_soak_repeats_itself(prepared: Prepared, capsys: pytest.CaptureFixture[str]) -> None:
    programs = [prepared(name, TOOL["verifier"])[0] for name in CLEAN[-2:]]
    first, second = (draw_run(programs, 3, 14) for _ in range(2))
    assert first[:3] == second[:3]
    assert first[3].neighbours.tolist() == second[3].neighbours.tolist()
    assert draw_run(programs, 3, 15)[1:3] != first[1:3]
    assert soak("quick", ("openmp",), seconds=0, seed=1, only=5) == (1, 0)
    assert capsys.readouterr().out == ""


def test_a_soak_compiles_what_it_runs_next(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    def stop(_suite: object, _tool: object, programs: Iterable[Program], _jobs: int) -> None:
        compiled.extend(program.name for program in programs)
        raise UserError("enough")

    monkeypatch.setattr("trust.soak.compile_all", stop)
    with pytest.raises(UserError, match="enough"):
        soak("quick", ("openmp",), seconds=1, seed=1)
    assert 0 < len(compiled) <= 50


def test_the_graphs_of_a_soak_are_legal(tmp_path: Path) -> None:
    kinds = set()
    for number in range(300):
        what, graph = graphs.random_graph(random.Random(number))
        kinds.add(what.split()[0])
        egr.write(graph, tmp_path / "graph.egr")  # refuses what is not a legal graph
        assert egr.read(tmp_path / "graph.egr").vertex_count == graph.vertex_count
    assert len(kinds) >= 10
