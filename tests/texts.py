"""The texts of programs, on which alone a test depends that takes them, whichever templates write them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from generator.render import render
from generator.space import load_space
from tests.notes import VARIABLE

PROGRAM = "program "
"""Before the name of a program, where it is noted."""


def text_of(program: str) -> str:
    """Returns the text of a program that has a name, and notes that a test depends on it."""
    notes = os.environ.pop(VARIABLE, None)  # not on the templates that are read for it
    try:
        text = _rendered(program)
    finally:
        if notes:
            os.environ[VARIABLE] = notes
            with Path(notes).open("a", encoding="utf-8") as file:
                file.write(f"{PROGRAM}{program}\n")
    return text


@cache
def _rendered(program: str) -> str:
    space = load_space()
    return render(space, space.parse(program)).text
