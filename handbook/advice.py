"""What to use for an algorithm and a kind of graph, by the same judge as the page of the report."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from analysis.compared.study import read_study
from analysis.defaults import EVERYTHING, SMALLEST
from analysis.judged.answers import ANY, Answer, Place, answers
from analysis.measured.graphs import KINDS
from analysis.words import family

if TYPE_CHECKING:
    from collections.abc import Mapping

TITLES = {**{name: title for name, (title, _) in KINDS.items()}, ANY: "any graph"}


@cache
def advice() -> Mapping[tuple[str, str, str], Answer]:
    """Returns the answers of all committed measurements, by algorithm, hardware and kind of graph."""
    found = answers(read_study(EVERYTHING, SMALLEST))
    return {(each.algorithm, each.hardware, each.kind): each for each in found if each.family == ANY}


def largest(answer: Answer) -> Place:
    """Returns the largest graph on which the program was measured, on an H200 if it was."""
    return max(answer.places, key=lambda each: ("H200" in family(each.machine, answer.hardware), each.edges))


def example(answer: Answer) -> str:
    """Returns that graph, and the time there."""
    place = largest(answer)
    return f"`{place.graph}`, {milliseconds(place.seconds * 1e3)} ms, {family(place.machine, answer.hardware)}"


def milliseconds(value: float) -> str:
    """Returns a time with three digits."""
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"
