"""Text files that are whole, or as they were."""

import json
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.errors import naming


def replace_text(path: Path, text: str) -> None:
    """Makes a text what a file holds; if that fails, the file stays as it was.

    Raises:
        OSError: the file cannot be written; the error names it.
    """
    with replacing(path) as place:
        place.write_text(text, encoding="utf-8")


def replace_list(path: Path, entries: Iterable[object]) -> None:
    """Makes a list what a JSON file holds, with a line per entry; if that fails, the file stays as it was.

    Raises:
        OSError: the file cannot be written; the error names it.
    """
    lines = ",\n".join(map(json.dumps, entries))
    replace_text(path, f"[\n{lines}\n]\n")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yields where to write what a file is to hold; if that fails, the file stays as it was.

    Raises:
        OSError: the file cannot be written; the error names it.
    """
    with naming(path):
        target = path.resolve() if path.is_symlink() else path
        existed = target.exists()
        if existed and not target.is_file():  # such as a terminal
            yield path  # whoever cleans up after a failure removes a link to it at most
            return
        temporary = temporary_of(target)
        try:
            yield temporary
            if existed:
                shutil.copymode(target, temporary)
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def temporary_of(path: Path) -> Path:
    """Returns where a file's new text is until it is whole; what a killed process left there is nobody's."""
    return path.with_name(f".{path.name}.new")
