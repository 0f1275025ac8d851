"""TOML files as typed tables, with errors that name the file, the line and the nearest right word."""

import tomllib
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from generator.errors import FileError, UserError, did_you_mean, line_of_key

Model = TypeVar("Model", bound=BaseModel)


class Table(BaseModel):
    """A table that has only the keys that it declares."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


_WANTED = {
    "missing": "is missing",
    "tuple_type": 'write a word in quotes or a list of them, such as "a" or ["a", "b"]',
    "list_type": 'write a list, such as ["a", "b"]',
    "string_type": 'write a word in quotes, such as "a"',
    "int_type": "write a whole number",
    "dict_type": "write a table of keys and values",
    "model_type": "write a table of keys and values",
    "too_short": "is empty; leave it out, or write what belongs there",
}
"""What to write, by the error of pydantic that says what is not right."""

Words = Annotated[tuple[str, ...], BeforeValidator(_as_list)]
"""One word or a list of them."""


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """Returns the text of a TOML file and what it says.

    Raises:
        UserError: the file cannot be read, or holds more than Python can take.
        FileError: it is not TOML.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")  # perhaps with a byte-order mark
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not UTF-8 text (byte {error.start})") from error
    try:
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason, _, place = str(error).partition(" (at line ")
        line = int(place.split(",")[0]) if place else len(text.splitlines())
        raise FileError(path, text, f"not valid TOML: {reason}", line=line) from error
    except ValueError as error:  # of Python's, which converts no more digits
        raise UserError(f"{path}: holds a number of too many digits") from error
    except RecursionError as error:
        raise UserError(f"{path}: is nested too deeply") from error


def validated(model: type[Model], data: dict[str, Any], path: Path, text: str) -> Model:
    """Returns TOML data as `model`; raises FileError for the first key that is unknown, missing or mistyped."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        keys = [str(key) for key in first["loc"] if isinstance(key, str)]
        word = keys[-1] if keys else ""
        where = ".".join(str(key) for key in first["loc"])
        if first["type"] == "extra_forbidden":
            reason = f"unknown key '{word}'; {did_you_mean(word, model.model_fields)}"
        else:
            reason = f"{where}: {_WANTED.get(first['type'], first['msg'].lower())}"
        raise FileError(path, text, reason, line=line_of_key(text, first["loc"])) from error
