"""The texts of programs, on which alone a test depends that takes them, whichever templates write them."""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from generator.render import Program, decided_by, render
from generator.space import load_space
from tests.memory import keep, key_of, recall
from tests.notes import VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM = "program "
"""Before the name of a program, where it is noted."""


def text_of(program: str) -> str:
    """Returns the text of a program that has a name, and notes that a test depends on it."""
    with unheard() as notes:  # not on the templates that are read for it
        text = _rendered(program).text
    if notes:
        with Path(notes).open("a", encoding="utf-8") as file:
            file.write(f"{PROGRAM}{program}\n")
    return text


@contextmanager
def unheard() -> Iterator[str | None]:
    """Has nothing noted of what is read; yields the file of the notes, if there is one."""
    notes = os.environ.pop(VARIABLE, None)
    try:
        yield notes
    finally:
        if notes:
            os.environ[VARIABLE] = notes


def state_of(program: str) -> str:
    """Returns a hash of what a test of a program may depend on; kept by what decides it, as rendering takes longer.

    Raises:
        UserError: there is no such program, or a rule forbids it.
    """
    space = load_space()
    key = key_of("text", decided_by(space, space.legal(program)))
    state = recall(key)
    if state is None:
        rendered = _rendered(program)
        keep(key, state := key_of(rendered.text, rendered.reference))
    return str(state)


@cache
def _rendered(program: str) -> Program:
    space = load_space()
    return render(space, space.legal(program))
