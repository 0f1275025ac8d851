"""What the readers of text formats share: opening, fast parsing of columns, and finding the line of an error."""

import csv
import gzip
import logging
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, NoReturn, cast

import numpy as np
from numpy.typing import NDArray

from inputs.formats.errors import GraphFormatError
from inputs.graph import I32, MAX_COUNT

LineCheck = Callable[[list[str]], str | None]
"""Says what is wrong with the fields of a line, or None."""

_log = logging.getLogger(__name__)


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file for reading, through gzip if its name ends in `.gz`."""
    return cast("IO[bytes]", gzip.open(path, "rb")) if path.suffix == ".gz" else path.open("rb")


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield each line with its number from 1; bytes that are not text become replacement characters."""
    with open_bytes(path) as file:
        for number, line in enumerate(file, start=1):
            yield number, line.decode("utf-8", errors="replace").strip()


def read_columns(
    path: Path, names: list[str], dtypes: dict[str, str], *, comment: str, skip_lines: int, check: LineCheck
) -> dict[str, NDArray[Any]]:
    """Parse columns of numbers separated by blanks, at the speed of pandas' C parser.

    Args:
        path: text file, perhaps gzipped.
        names: one name a column; every line must have exactly these.
        dtypes: the dtype of a column; a column not named here may hold any kind of number.
        comment: the character that starts a comment.
        skip_lines: lines of header before the first row.
        check: used only after the fast parser has failed, to find the line and to say what is wrong with it.

    Returns:
        The columns by name, each of shape (lines that are not empty or a comment,).

    Raises:
        GraphFormatError: a line is wrong.
    """
    import pandas as pd  # here, because it takes longer to import than all the rest of this package

    try:
        with np.errstate(invalid="ignore"):  # a vertex number of 1e99 is found below
            frame = pd.read_csv(
                path,
                sep=r"\s+",
                header=None,
                names=names,
                dtype=dtypes,
                comment=comment,
                skiprows=skip_lines,
                index_col=False,
                quoting=csv.QUOTE_NONE,  # a stray quotation mark must not swallow the lines after it
                keep_default_na=False,
                low_memory=False,
            )
    except (ValueError, OverflowError) as error:  # pandas' ParserError and UnicodeDecodeError are ValueErrors
        raise_at_wrong_line(path, comment, skip_lines, check, otherwise=str(error))
    if frame.empty:  # then pandas has no reason to think of numbers
        return {name: np.empty(0, dtype=dtypes.get(name, "int64")) for name in names}
    columns = {name: frame[name].to_numpy() for name in names}
    if not all(_is_numeric(columns[name]) for name in names if name not in dtypes):
        raise_at_wrong_line(path, comment, skip_lines, check, otherwise="a column is not numeric")
    return columns


def raise_at_wrong_line(path: Path, comment: str, skip_lines: int, check: LineCheck, otherwise: str) -> NoReturn:
    """Scan a file that is known to be wrong, line by line, and raise the error of its first wrong line.

    Args:
        path: the file.
        comment: the character that starts a comment.
        skip_lines: lines of header to pass over.
        check: what is wrong with a line.
        otherwise: the reason to give if every line looks right.

    Raises:
        GraphFormatError: always.
    """
    for number, line in numbered_lines(path):
        fields = line.split(comment, maxsplit=1)[0].split()
        reason = check(fields) if fields and number > skip_lines else None
        if reason:
            raise GraphFormatError(path, number, reason)
    raise GraphFormatError(path, None, " ".join(otherwise.split()))


def check_vertex(text: str, *, first: int, last: int) -> str | None:
    """Say why a field is not a vertex id in [first, last], or None if it is."""
    try:
        number = int(text)
    except ValueError:
        return f"'{text}' is not a vertex number"
    return None if first <= number <= last else f"vertex {number} is not in [{first}, {last}]"


def check_number(text: str) -> str | None:
    """Say why a field is not a finite number, or None if it is."""
    try:
        return None if math.isfinite(float(text)) else f"'{text}' is not a finite number"
    except ValueError:
        return f"'{text}' is not a number"


def edge_weights(path: Path, values: NDArray[np.integer | np.floating]) -> I32 | None:
    """Take the values of edges as weights if they can be: positive integers that fit in 32 bits.

    Measurements, signs and matrix entries are not distances. They are dropped, and the log says so; programs then use
    `inputs.graph.hash_weights`.

    Args:
        path: the file, for the message.
        values: numbers of any kind, shape (k,).

    Returns:
        int32 weights, shape (k,), or None.
    """
    in_range = (values >= 1) & (values <= MAX_COUNT)
    if in_range.all() and (np.floor(values) == values).all():
        return values.astype(np.int32)
    _log.warning("%s: its values are not positive integers, so they are dropped: not edge weights", path)
    return None


def _is_numeric(column: NDArray[Any]) -> bool:
    """Say whether the parser took a whole column for finite numbers."""
    return column.dtype.kind in "iuf" and bool(np.isfinite(column).all())
