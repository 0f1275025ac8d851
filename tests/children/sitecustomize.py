"""Python imports this when it starts as a child of a test: it notes what the child reads (`tests/reads.py`)."""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress

# No pathlib: each start of a child would cost what this file imports.
CHILDREN = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120
_NOTES = os.environ.get("TESTS_READS")
_ROOT = CHILDREN.removesuffix("tests/children")
_COMPILED = ("templates/runtime", "templates/algorithms", "runner/build.mk", "tests/emulator", "Makefile")
"""What make, compilers and programs may depend on, but for the text of programs: who renders that notes it."""


def heard(event: str, arguments: tuple[object, ...]) -> Iterable[str]:
    """Returns what a process is about to read, or a child of it that cannot tell, as audit hooks hear it.

    Paths are absolute; a folder with a slash at its end stands for what is listed in it. The repository is ".", and
    what compilers read are folders and files of it.
    """
    if event == "open":
        path, mode = arguments[:2]
        if isinstance(path, str) and (not isinstance(mode, str) or not {*"wax+"} & {*mode}):
            return [os.path.abspath(path)]  # noqa: PTH100
    elif event in ("os.listdir", "os.scandir"):
        if isinstance(arguments[0], str | os.PathLike):
            return [f"{os.path.abspath(arguments[0])}/"]  # noqa: PTH100
    elif event == "subprocess.Popen":
        name = str(arguments[0]).rpartition("/")[2]
        if name == "git":
            folder = os.path.abspath(str(arguments[2] or "."))  # noqa: PTH100
            return ["."] if f"{folder}/".startswith(_ROOT) else []
        if not name.startswith("python"):
            return _COMPILED
        environment = dict(os.environ if arguments[3] is None else arguments[3])
        if CHILDREN not in str(environment.get("PYTHONPATH", "")) or "TESTS_READS" not in environment:
            return ["."]
    return []


def _begin(notes: str) -> None:
    seen: set[str] = set()

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        for what in heard(event, arguments):
            if what not in seen and (what.startswith(_ROOT) or not what.startswith("/")):
                seen.add(what)
                with suppress(OSError):  # the file of tests has ended, or this child may not write as much
                    descriptor = os.open(notes, os.O_WRONLY | os.O_APPEND)
                    try:
                        os.write(descriptor, f"{what}\n".encode(errors="replace"))
                    finally:
                        os.close(descriptor)

    sys.addaudithook(hear)


if _NOTES:
    _begin(_NOTES)
