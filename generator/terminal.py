"""What users see: text of files and programs reaches a terminal without its control characters, which command it."""

import re
import sys

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # but for tabs and line ends


def plain(text: str) -> str:
    """Shows control characters by their numbers."""
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def say(text: object = "", *, error: bool = False, end: str = "\n") -> None:
    """Prints plain text, at once, on stdout or stderr."""
    print(plain(str(text)), file=sys.stderr if error else sys.stdout, end=end, flush=True)
