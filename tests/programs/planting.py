"""Plants faults in programs and in the runtime that they are compiled against, all at once: the variable PLANTED says
which one is there, by its number, and 0 that none is. So one program shows many."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from generator.space import load_space
from tests.programs.store import build

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.programs.store import Executable

_ASKS = 'inline int planted() { const char* number = std::getenv("PLANTED"); return number ? std::atoi(number) : 0; }'


def plant(text: str, right: str, wrong: str, number: int) -> str:
    """Returns a text that has what is wrong as well wherever it has what is right: whole statements, or an expression.

    An expression may stand in brackets, and these in both.
    """
    if right.endswith((";", "\n")):
        both = f"if (planted() == {number}) {{ {wrong} }} else {{ {right} }}"
    elif subscript := re.fullmatch(r"\[(.*)\]", right):
        both = f"[planted() == {number} ? ({wrong[1:-1]}) : ({subscript[1]})]"
    else:
        both = f"(planted() == {number} ? ({wrong}) : ({right}))"
    return text.replace(right, both)


def replacing(*changes: tuple[str, str]) -> Callable[[str], str]:
    """Returns a function that has texts replaced, one after the other, of which each has to stand there once."""

    def change(text: str) -> str:
        for before, after in changes:
            assert text.count(before) == 1, before
            text = text.replace(before, after)
        return text

    return change


def rewrite(file: Path, change: Callable[[str], str]) -> None:
    """Changes the text of a file."""
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")


def faulty(name: str, right: str, wrong: str) -> Executable:
    """Returns a program for CPUs that has what is wrong in place of what is right, which stands there once."""
    style = load_space().parse(name)
    return build([style], replacing((right, wrong)))(style)


def ask_what_is_planted(runtime: Path) -> None:
    """Declares what faults ask in the header that all of the runtime includes."""
    begin = "\nnamespace violet {"
    rewrite(runtime / "violet.hpp", replacing((begin, f"\n#include <cstdlib>{begin}\n{_ASKS}")))
