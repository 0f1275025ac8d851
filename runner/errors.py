"""What users see of what is not as it should be: one exception, and warnings."""

from generator.errors import UserError
from generator.terminal import say


class RunnerError(UserError):
    """Something the user can act on; `str()` of it is the one line that says what."""


def warn(text: str) -> None:
    """Says on stderr what is not as it should be, but stops nothing."""
    say(f"runner: warning: {text}", error=True)
