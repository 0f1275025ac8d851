"""Errors that are the user's to fix."""

from collections.abc import Iterable

from generator.errors import UserError, did_you_mean


class AnalysisError(UserError):
    """Something the user can fix about results or about a word; the message is one complete line."""


MOVE_IT = "move it away, or write it again"
"""What to do with a file of results that is not what it should be."""


class RecordWarning(UserWarning):
    """Something in a results folder is not what it should be and was left out."""


def check_word(word: str, known: Iterable[str], kind: str) -> str:
    """Returns a word if it is known.

    Args:
        word: What the user wrote.
        known: The words that exist.
        kind: What the word names, for the message ("axis", "graph").

    Raises:
        AnalysisError: The word is not known; the message says which known one is nearest.
    """
    choices = list(dict.fromkeys(known))
    if word not in choices:
        raise AnalysisError(f"unknown {kind} '{word}'; {did_you_mean(word, choices)}")
    return word
