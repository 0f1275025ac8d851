"""Python imports this when it starts as a child of a test: it notes what the child reads (`tests/reads.py`)."""

import os
import sys
from contextlib import suppress

_NOTES = os.environ.get("TESTS_READS")
_ROOT = __file__.removesuffix("tests/children/sitecustomize.py")


def _begin(notes: str) -> None:
    seen: set[str] = set()

    def note(what: str) -> None:
        if what not in seen and (what.startswith(_ROOT) or not what.startswith("/")):
            seen.add(what)
            with suppress(OSError):  # the file of tests has ended, or this child may not write as much
                descriptor = os.open(notes, os.O_WRONLY | os.O_APPEND)
                try:
                    os.write(descriptor, f"{what}\n".encode(errors="replace"))
                finally:
                    os.close(descriptor)

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            path, mode = arguments[:2]
            if isinstance(path, str) and (not isinstance(mode, str) or not {*"wax+"} & {*mode}):
                note(os.path.abspath(path))  # noqa: PTH100  (starting costs what this file imports)
        elif event in ("os.listdir", "os.scandir") and isinstance(arguments[0], str):
            note(f"{os.path.abspath(arguments[0])}/")  # noqa: PTH100
        elif event == "subprocess.Popen":
            name = str(arguments[0]).rpartition("/")[2]
            if name == "git":
                note(".")
            elif not name.startswith("python"):
                for each in ("templates", "runner/build.mk", "tests/emulator", "Makefile"):
                    note(each)

    sys.addaudithook(hear)


if _NOTES:
    _begin(_NOTES)
