"""A graph that comes on the standard input."""

import hashlib
import sys
from pathlib import Path


def save(folder: Path) -> Path:
    """Writes what comes on the standard input to a file, whose suffix says what format it seems to be in.

    Args:
        folder: where the file goes; it is made if need be.

    Returns:
        The file: the same for the same content.

    Raises:
        OSError: it cannot be written.
    """
    content = sys.stdin.buffer.read()
    suffix = ".el"
    for begin, meant in ((b"%%MatrixMarket", ".mtx"), (b"c ", ".gr"), (b"p ", ".gr")):
        suffix = meant if content.startswith(begin) else suffix
    if b"\0" in content[:64]:
        suffix = ".egr"
    file = folder / hashlib.sha256(content).hexdigest()[:12] / f"stdin{suffix}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file
