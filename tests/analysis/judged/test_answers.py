"""Answers name the fastest program, and are as sure as they were right where they had not looked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import pandas as pd
import pytest

from analysis import words
from analysis.compared.study import Study
from analysis.judged.answers import ANY, Answer, answers
from analysis.measured.graphs import graph_table, kinds
from analysis.measured.records import load

if TYPE_CHECKING:
    from tests.analysis.conftest import Record, Write

NAME = "bfs-openmp-{}-topology-push-{}-nondet-default-i32"
PROGRAMS = [NAME.format(iteration, update) for iteration in ("vertex", "edge") for update in ("rw", "rmw")]
BEST, CLOSE, SLOW, SLOWEST = PROGRAMS
ROAD = {"vertices": 10_000, "edges": 27_000, "average_degree": 2.7, "maximum_degree": 4, "diameter": 300}
WEB = {**ROAD, "edges": 160_000, "maximum_degree": 3_000, "diameter": 8}

Answered = Callable[[Mapping[str, tuple[Mapping[str, float], Mapping[str, float]]]], dict[str, Answer]]


@pytest.fixture
def answered(record: Record, write: Write) -> Answered:
    """Answers by kind of graph; of each graph its properties and, by program, the seconds."""

    def answer(graphs: Mapping[str, tuple[Mapping[str, float], Mapping[str, float]]]) -> dict[str, Answer]:
        jobs = [
            record(program, seconds, graph=graph, vertices=properties["vertices"], edges=properties["edges"])
            for graph, (properties, times) in graphs.items()
            for program, seconds in times.items()
        ]
        frame = load(write(jobs))
        described = {graph: {"name": graph, **properties} for graph, (properties, _) in graphs.items()}
        return {each.kind: each for each in answers(Study(frame, graph_table(frame, described)))}

    return answer


def times(*milliseconds: float) -> dict[str, float]:
    return {program: time / 1e3 for program, time in zip(PROGRAMS, milliseconds, strict=True)}


def test_the_same_program_on_every_graph_is_sure(answered: Answered) -> None:
    found = answered({f"road-{number}": (ROAD, times(1, 1.2, 3, 4)) for number in range(3)})
    assert set(found) == {"road", ANY}
    answer = found["road"]
    assert answer.certainty == "sure"
    assert [ranked.program for ranked in answer.ranking] == PROGRAMS
    assert [ranked.slowdown for ranked in answer.ranking] == pytest.approx([1, 1.2, 3, 4])
    assert answer.left_out == [(f"road-{number}", pytest.approx(1)) for number in range(3)]
    assert [(place.graph, place.seconds, place.edges) for place in answer.places] == [
        (f"road-{number}", pytest.approx(1e-3), 27_000) for number in range(3)
    ]
    assert [(choice.axis, choice.value, choice.other) for choice in answer.choices] == [
        ("iteration", "vertex", "edge"),
        ("update", "rw", "rmw"),
    ]
    assert [choice.factor for choice in answer.choices] == pytest.approx([3, 1.2])


def test_a_choice_that_fails_where_it_was_not_looked_at_is_to_be_measured(answered: Answered) -> None:
    """Each graph's best program is bad on the other."""
    answer = answered({"a": (ROAD, times(1, 9, 9, 2)), "b": (ROAD, times(9, 1, 9, 2))})["road"]
    assert answer.ranking[0].program == SLOWEST  # never far off
    assert answer.certainty == "measure"
    assert answer.left_out == [("a", pytest.approx(9)), ("b", pytest.approx(9))]
    assert answer.why.endswith("within 10 % of the best known on none, and takes 9 times as long on a.")


def test_nothing_is_sure_of_a_busy_machine(record: Record, write: Write) -> None:
    jobs = [
        record(
            program, graph=f"road-{number}", vertices=10_000, edges=27_000, samples_s=[seconds, seconds, 3 * seconds]
        )
        for number in range(3)
        for program, seconds in times(1, 2, 3, 4).items()
    ]
    frame = load(write(jobs))
    (answer,) = answers(Study(frame, graph_table(frame, {})))
    assert (answer.kind, answer.certainty) == (ANY, "measure")
    assert answer.why == "Its timings range over 200 % of their median: the machine was busy."


def test_two_graphs_make_a_choice_likely_and_one_does_not(answered: Answered) -> None:
    assert answered({"a": (ROAD, times(1, 2, 3, 4)), "b": (ROAD, times(1, 2, 3, 4))})["road"].certainty == "likely"
    alone = answered({"c": (WEB, times(1, 2, 3, 4))})
    assert (alone["hubs"].certainty, alone["hubs"].left_out) == ("measure", [])


def test_a_program_that_finds_more_is_no_other_choice(answered: Answered) -> None:
    answer = answered({"a": (ROAD, {BEST: 1e-3, f"{BEST}-derived": 2e-3})})["road"]
    assert (answer.ranking[0].program, answer.choices) == (BEST, [])


def test_kinds_have_answers_of_their_own(answered: Answered) -> None:
    found = answered({"road": (ROAD, times(1, 2, 3, 4)), "web": (WEB, times(4, 3, 2, 1))})
    assert {kind: answer.ranking[0].program for kind, answer in found.items() if kind != ANY} == {
        "road": BEST,
        "hubs": SLOWEST,
    }


def test_a_program_that_is_known_on_one_graph_only_is_doubted(answered: Answered) -> None:
    """Its time there is the best by a hair; that of another is known to be as good everywhere."""
    everywhere = {program: time for program, time in times(1, 2, 3, 4).items() if program != CLOSE}
    graphs = {f"g{number}": (ROAD, everywhere) for number in range(3)}
    graphs["g0"] = (ROAD, {**everywhere, CLOSE: 0.99e-3})
    answer = answered(graphs)["road"]
    assert answer.ranking[0].program == BEST
    assert answer.ranking[1].graphs == [pytest.approx(1), None, None]


def test_graphs_are_sorted_by_what_they_are_like() -> None:
    grid = {**ROAD, "edges": 40_000, "average_degree": 4.0}
    even = {**ROAD, "edges": 80_000, "maximum_degree": 20, "diameter": 8}
    unknown = {"vertices": 5.0, "edges": 7.0}
    described: dict[str, Mapping[str, float]] = {"road": ROAD, "grid": grid, "hubs": WEB, "even": even, "?": unknown}
    rows = [(name, graph["vertices"], graph["edges"]) for name, graph in described.items()]
    sizes = pd.DataFrame(rows, columns=["graph", "vertices", "edges"])
    found = kinds(graph_table(sizes, described))
    assert found.to_dict() == {name: name for name in ("even", "grid", "hubs", "road")}


def test_machines_have_short_names_that_differ() -> None:
    xeon = "Intel(R) Xeon(R) Processor with {} cores ({})"
    machines = {
        f"NVIDIA H200, {xeon.format(16, '3d92b8')}": "H200, 16 cores",
        f"NVIDIA H200, {xeon.format(32, '89b885')}": "H200, 32 cores",
        f"NVIDIA H100 80GB HBM3, {xeon.format(16, '6eaf95')}": "H100",
        f"2 x NVIDIA H200, {xeon.format(64, '7a15b2')}": "2 x H200",
        xeon.format(2, "ab02b7"): "Intel Xeon, 2 cores",
        "box": "box",
    }
    assert words.short_machines(list(machines)) == machines
    two = next(machine for machine in machines if machine.startswith("2 x"))
    assert [words.family(two, hardware) for hardware in ("gpu", "gpus", "cpu")] == [
        "H200",
        "H200",
        "Intel Xeon, 64 cores",
    ]
