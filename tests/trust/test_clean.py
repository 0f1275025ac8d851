"""Clean programs under tools with many threads and drawn parameters, and going on where it was stopped."""

from __future__ import annotations

import random
import shutil
from typing import TYPE_CHECKING

import pytest

from generator.render import Program, render
from generator.space import load_space
from inputs.formats import egr
from trust import graphs
from trust.clean import measure
from trust.parameters import defaults, draw_options, several
from trust.records import read
from trust.soak import draw_run

if TYPE_CHECKING:
    from pathlib import Path

PLAIN = "cc-cpp-vertex-topology-push-rmw-nondet-blocked-i32"
HYBRID = "bfs-openmp-vertex-data-nodup-hybrid-rmw-nondet-default-i32-estimated"
FAR = "sssp-openmp-vertex-data-nodup-push-rmw-nondet-default-i32-local-nearfar"


@pytest.fixture(scope="module")
def programs() -> dict[str, Program]:
    space = load_space()
    return {name: render(space, space.parse(name)) for name in (PLAIN, HYBRID, FAR)}


def test_parameters_are_drawn_around_their_defaults(programs: dict[str, Program]) -> None:
    assert defaults(programs[HYBRID]) == {"do-a": 0.0002, "do-b": 0.001, "beta": 100}
    for number in range(50):
        options = draw_options(programs[HYBRID], random.Random(number))
        assert options[::2] == ("--do-a", "--do-b", "--beta")
        for (name, default), value in zip(defaults(programs[HYBRID]).items(), options[1::2], strict=True):
            assert default / 101 < float(value) < default * 101, name
    assert len({draw_options(programs[FAR], random.Random(number)) for number in range(50)}) > 40


def test_a_program_runs_with_the_defaults_and_with_others_if_it_has_any(programs: dict[str, Program]) -> None:
    assert several(programs[PLAIN]) == [()]
    runs = several(programs[FAR])
    assert runs[0] == ()
    assert len(set(runs)) == len(runs) > 2
    assert runs == several(programs[FAR])


def test_a_soak_draws_parameters_for_most_runs(programs: dict[str, Program]) -> None:
    drawn = sum("--delta" in draw_run([programs[FAR]], 1, run)[2] for run in range(40))
    assert 20 <= drawn < 40


def test_pairs_tie_in_the_bits_that_priorities_by_degree_have() -> None:
    def priority(v: int) -> int:
        for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
            v = ((v ^ v >> shift) * factor) % 2**32
        return v

    edges = egr.read(graphs.ties()).to_edges()
    assert len(edges.sources) > 8
    for u, v in zip(edges.sources.tolist(), edges.destinations.tolist(), strict=True):
        assert priority(u) >> 13 == priority(v) >> 13


@pytest.mark.long  # compiles all of the runtime for AddressSanitizer
@pytest.mark.compile
def test_a_far_pile_stays_within_bounds_and_is_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which("g++"):
        pytest.skip("needs g++")
    config, table = tmp_path / "far.toml", tmp_path / "table.csv"
    config.write_text(f'extend = ["append", "priority"]\nnames = ["{FAR}"]\n')
    for _ in range(2):
        tools = ("AddressSanitizer", "UBSan")
        assert measure(str(config), ("openmp",), table, way=("--threads", "16"), tools=tools, jobs=1) == (0, 0)
        rows = read(table)
        assert [(row["program"], row["tool"], row["threads"]) for row in rows] == [(FAR, tool, "16") for tool in tools]
        assert all(row["parameters"].count("--delta") >= 2 for row in rows)
        monkeypatch.setattr("trust.clean.observe", None)  # the second time has nothing to do
