"""The circumstances of the runs behind results.

The runner keeps each in `sessions/*.json` of a results directory; beside an exported `NAME.parquet`, all of them
are in `NAME.sessions.json`.
"""

import json
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from analysis.errors import MOVE_IT, RecordWarning
from generator.files import replace_list

PUBLIC = (
    "id",
    "started",
    "seed",
    "timeout_s",
    "parameters",
    "graphs",
    "machine",
    "toolchain",
    "headers",
    "gpus_before",
    "gpus_after",
    "environment",
    "python",
    "commit",
    "dirty",
)
"""What results need to be understood. The rest, such as the name of the host, is nobody's business but the owner's."""

_OF_ALL_BUILDS = {
    "-std=c++20",
    "-Wall",
    "-Wextra",
    "-Wall,-Wextra",
    "-Xcompiler",
    "-pthread",
    "-fopenmp",
    "-D_GLIBCXX_BITS_SPECFUN_H",
}
"""What `runner/build.mk` itself gives to compilers."""

# Paths out of here: alone, one of several, or behind an option, as in -I/usr.
_PATH = re.compile(r"""(^|[\s:,=("']|(?<!\S)-(?:\w|isystem|iquote|idirafter|include))((?:\.\.)?/[^\s:,=)"']+)""")

# Their folders in a sentence, which may have blanks.
_FOLDERS = re.compile(r"""(?<![\w.])(?:\.\.)?/(?=\S)(?:(?:(?! /)[^:;,"'()\n])*/)?""")


def read(roots: Iterable[Path]) -> list[dict[str, Any]]:
    """Returns the sessions of the given results, oldest first and each once.

    A file that is damaged is left out with a `RecordWarning`.

    Args:
        roots: Results directories, or exported files.
    """
    found = [session for root in roots for file in _files(root) for session in _parse(file)]
    by_id = {str(session.get("id")): session for session in found}
    return [by_id[identity] for identity in sorted(by_id)]


def _files(root: Path) -> list[Path]:
    if root.is_dir():
        return sorted([*root.rglob("sessions/*.json"), *root.rglob("*.sessions.json")])
    return [file] if (file := beside(root)).is_file() else []


def beside(results: Path) -> Path:
    """Returns where the sessions of an exported results file are."""
    return results.with_suffix(".sessions.json")


def export(sessions: Sequence[Mapping[str, Any]], results: Path) -> None:
    """Writes what is public of sessions beside an exported results file, a line each.

    Args:
        sessions: As `read` returns them.
        results: The exported file.
    """
    replace_list(beside(results), map(public, sessions))


def public(session: Mapping[str, Any]) -> dict[str, Any]:
    """Returns what may be published of a session: the fields in `PUBLIC`, and of paths out of here the last part."""
    return {field: _without_folders(session[field]) for field in PUBLIC if field in session}


def compiler_in_words(compiler: object) -> str:
    """Returns what a session says of a compiler: its name, version and flags, but those that all builds have."""
    match compiler:
        case {"version": str(version), "command": str(command)} if words := _without_folders(command).split():
            flags = [word for word in words[1:] if word not in _OF_ALL_BUILDS and not word.startswith("-I")]
            return " ".join([PurePosixPath(words[0]).name, version, *flags])
    return ""


def without_folders(sentence: str) -> str:
    """Returns a sentence in which the last part of every path out of here is left, such as the reason of a failure."""
    return _FOLDERS.sub("", sentence)


def text_alone(value: Any) -> Any:
    """Returns a value read from JSON.

    Raises:
        UnicodeEncodeError: it holds half a letter (a lone surrogate), which nothing can write.
    """
    json.dumps(value, ensure_ascii=False).encode()
    return value


def _without_folders(value: Any) -> Any:
    """Returns a value in whose texts only the last part of every path out of here is left."""
    if isinstance(value, Mapping):
        return {
            name: PurePosixPath(inner).name if name == "path" and isinstance(inner, str) else _without_folders(inner)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [_without_folders(inner) for inner in value]
    if isinstance(value, str):
        return _PATH.sub(lambda found: found[1] + PurePosixPath(found[2]).name, value)
    return value


def _parse(file: Path) -> list[dict[str, Any]]:
    """Returns the session in a file of the runner, or all of an exported file."""
    try:
        parsed = text_alone(json.loads(file.read_bytes()))
    except (ValueError, RecursionError):
        warnings.warn(f"{file}: left out, not JSON: {MOVE_IT}", RecordWarning, stacklevel=2)
        return []
    return [entry for entry in (parsed if isinstance(parsed, list) else [parsed]) if isinstance(entry, dict)]
