"""What users see: text of files and programs reaches a terminal without its control characters, which command it."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from generator.errors import UserError, one_line

RESOURCES = 4
"""Exit code of a command that the file system or memory ends, as of generated programs."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # but for tabs and line ends


def plain(text: str) -> str:
    """Shows control characters by their numbers."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def say(text: object, *, error: bool = False) -> None:
    """Prints plain text, at once, on stdout or stderr."""
    print(plain(str(text)), file=sys.stderr if error else sys.stdout, flush=True)


@contextmanager
def told_in_one_line() -> Iterator[None]:
    """Ends a command with one line on stderr, never a traceback, if what stops it is for the user to mend.

    Raises:
        SystemExit: something does; with the exit code of the error.
    """
    try:
        yield
    except UserError as error:
        code, said = error.exit_code, one_line(error)
    except OSError as error:
        code, said = RESOURCES, one_line(error)
    except MemoryError as error:
        code, said = RESOURCES, f"not enough memory: {error}".removesuffix(": ")
    else:
        return
    say(f"error: {said}", error=True)
    sys.exit(code)
