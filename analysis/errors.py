"""Errors that are the user's to fix, and words that help to fix them."""

from collections.abc import Iterable
from difflib import get_close_matches


class AnalysisError(ValueError):
    """Something the user can fix; its message is one complete line and needs no traceback."""


def check_word(word: str, known: Iterable[str], kind: str) -> str:
    """Returns a word if it is known, and otherwise says which known one is nearest.

    Args:
        word: What the user wrote.
        known: The words that exist.
        kind: What the word names, for the message ("axis", "graph").

    Raises:
        AnalysisError: The word is not known.
    """
    choices = sorted(set(known))
    if word in choices:
        return word
    nearest = get_close_matches(word, choices, n=1, cutoff=0.5)
    hint = f"did you mean {nearest[0]!r}?" if nearest else f"choose from {', '.join(choices)}"
    raise AnalysisError(f"unknown {kind} {word!r}; {hint}")
