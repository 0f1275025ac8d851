"""The exceptions of readers and writers of graph files."""

from pathlib import Path

from generator.errors import UserError


class GraphFormatError(UserError):
    """A file is not a graph: which file, where in it, and why. `str()` of it is one line for a person.

    Attributes:
        path: the file.
        position: where: a line number, a place such as "byte 8", or None for the file as a whole.
        reason: what is wrong there, in words.
    """

    exit_code = 3  # that of the generated programs

    def __init__(self, path: Path, position: int | str | None, reason: str) -> None:
        super().__init__(path, position, reason)
        self.path = path
        self.position = position
        self.reason = reason

    def __str__(self) -> str:
        place = f"{self.path}" if self.position is None else f"{self.path}:{self.position}"
        return "\\n".join(f"{place}: {self.reason}".splitlines())  # names of files and members are anything


class NoRoomError(OSError):
    """What has to be written to read a file cannot be; the file is not to blame."""
