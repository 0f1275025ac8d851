"""What tuning is worth: the fastest numbers of each graph are 1, in the cell of those numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from analysis.drawn.tuning import tuned, tuning_figure
from analysis.errors import AnalysisError
from analysis.measured.records import load

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.analysis.conftest import Record, Run, Write

PROGRAM = "bfs-openmp-vertex-data-nodup-hybrid-rmw-nondet-default-i32-estimated"


@pytest.fixture
def measured(record: Record, write: Write) -> Write:
    """Writes what a program took on graphs when it was tuned so."""

    def writes(*jobs: tuple[str, Mapping[str, float] | None, float], program: str = PROGRAM) -> Path:
        return write(
            record(program, seconds, graph=graph, parameters={"threads": 2} | ({"tuning": tuning} if tuning else {}))
            for graph, tuning, seconds in jobs
        )

    return writes


def written(axes: Any) -> dict[tuple[str, str], str]:
    """What cells say, by the labels of their row and column."""
    rows, columns = (
        [each.get_text() for each in axis.get_ticklabels()] for axis in (axes.figure.axes[0].yaxis, axes.xaxis)
    )
    places = ((*text.get_position(), text.get_text()) for text in axes.texts)
    return {(rows[y], columns[x]): said for x, y, said in places}


def test_two_numbers_make_a_table_of_each_graph(measured: Write) -> None:
    file = measured(
        ("rmat", {"do-a": 0.1, "do-b": 1}, 3.0),
        ("rmat", {"do-a": 0.1, "do-b": 10}, 2.0),
        ("rmat", {"do-a": 1, "do-b": 10}, 5.0),
        ("road", {"do-a": 0.1, "do-b": 1}, 1.0),
        ("road", {"do-a": 0.1, "do-b": 10}, 1.5),
    )
    ((program, jobs),) = tuned(load([file])).items()
    rmat, road = tuning_figure(program, jobs).axes
    assert program == PROGRAM
    assert written(rmat) == {("0.1", "1"): "1.5", ("0.1", "10"): "1", ("1", "10"): "2.5"}
    assert written(road) == {("0.1", "1"): "1", ("0.1", "10"): "1.5"}


def test_one_number_makes_a_row_of_each_graph_and_one_that_stays_is_left_out(measured: Write) -> None:
    file = measured(*(("road", {"delta": delta, "share": 20}, delta) for delta in (2.0, 1.0, 4.0)))
    file = measured(*(("rmat", {"delta": delta, "share": 20}, 3 / delta) for delta in (1.0, 2.0)))
    ((_, jobs),) = tuned(load([file])).items()
    (axes,) = tuning_figure(PROGRAM, jobs).axes
    road = {("road", "1"): "1", ("road", "2"): "2", ("road", "4"): "4"}
    assert written(axes) == road | {("rmat", "1"): "2", ("rmat", "2"): "1"}
    assert axes.get_xlabel() == "delta"


def test_a_program_with_one_tuning_or_none_is_not_tuned(measured: Write) -> None:
    assert not tuned(load([measured(("road", {"delta": 1}, 1.0), ("road", None, 1.0), ("rmat", {"delta": 2}, 1.0))]))


def test_three_numbers_do_not_fit(measured: Write) -> None:
    file = measured(("road", {"a": 1, "b": 1, "c": 1}, 1.0), ("road", {"a": 2, "b": 2, "c": 2}, 1.0))
    ((program, jobs),) = tuned(load([file])).items()
    with pytest.raises(AnalysisError, match="a, b, c vary"):
        tuning_figure(program, jobs)


def test_figure_draws_it_though_nothing_can_be_compared(measured: Write, run: Run, tmp_path: Path) -> None:
    file = measured(("road", {"delta": 1}, 1.0), ("road", {"delta": 2}, 2.0))
    code, out, _ = run("figure", file, "--out", tmp_path / "figures", "--format", "png")
    assert code == 0
    assert out.split() == [str(tmp_path / "figures" / f"tuning-{PROGRAM}.png")]


def test_a_program_that_has_no_room_keeps_no_other_from_being_drawn(measured: Write, run: Run, tmp_path: Path) -> None:
    other = PROGRAM.replace("openmp", "cpp").replace("default", "blocked")
    measured(("road", {"delta": 1}, 1.0), ("road", {"delta": 2}, 2.0), program=other)
    file = measured(("road", {"a": 1, "b": 1, "c": 1}, 1.0), ("road", {"a": 2, "b": 2, "c": 2}, 1.0))
    code, out, told = run("figure", file, "--out", tmp_path / "figures", "--format", "png")
    assert code == 0
    assert out.split() == [str(tmp_path / "figures" / f"tuning-{other}.png")]
    assert f"left out: {PROGRAM}: a, b, c vary" in told
