"""Errors that are the user's to fix."""

from collections.abc import Iterable
from difflib import get_close_matches

from generator.errors import UserError


class UnknownInputError(UserError):
    """A name that the catalogue does not have; `str()` of it suggests the nearest ones."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(name)
        self.name = name
        self.known = known

    def __str__(self) -> str:
        near = get_close_matches(self.name, self.known, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`violet graphs list` shows all"
        return f"no input is called '{self.name}'; {hint}"
