"""The one exception that users see."""


class RunnerError(Exception):
    """Something the user can act on; `str()` of it is the one line that says what."""
