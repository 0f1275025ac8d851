"""Values of a program's parameters other than the defaults, with which a mistake may show that is hidden otherwise."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.render import Program

_DECLARED = re.compile(r'^(?:const )?Parameter \w+\("([\w-]+)", ([\d.]+),', re.MULTILINE)
_FACTOR = 100
_DRAWS = 3


def defaults(program: Program) -> dict[str, float]:
    """Returns the parameters that a program has as options, such as `delta`, with their default values."""
    return {name: float(value) for name, value in _DECLARED.findall(program.text)}


def draw_options(program: Program, draw: random.Random) -> tuple[str, ...]:
    """Returns options that give every parameter of a program a value from a hundredth to a hundred times its default.

    Args:
        program: without parameters there are no options, and nothing is drawn.
        draw: random numbers; the same numbers, the same options. Values are even on a logarithmic scale.
    """
    values = {name: value * _FACTOR ** draw.uniform(-1, 1) for name, value in defaults(program).items()}
    return tuple(word for name, value in values.items() for word in (f"--{name}", f"{value:.3g}"))


def several(program: Program) -> list[tuple[str, ...]]:
    """Returns options for several runs of a program: the defaults, and a few draws if there is something to draw.

    The draws depend on the name of the program alone.
    """
    draw = random.Random(program.name)  # noqa: S311  (reproducible, no secret)
    return [(), *(draw_options(program, draw) for _ in range(_DRAWS if defaults(program) else 0))]
