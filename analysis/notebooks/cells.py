"""What cells of notebooks do with results that do not hold what they show."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from analysis.errors import AnalysisError
from generator.terminal import say

P = ParamSpec("P")
T = TypeVar("T")


def shown(show: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T | None:
    """Returns what a function makes of its arguments; if the results have nothing for it, says so and goes on."""
    try:
        return show(*arguments, **options)
    except AnalysisError as error:
        say(error)
        return None
