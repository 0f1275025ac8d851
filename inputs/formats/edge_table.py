"""Edge tables: text with a header that names the columns, as Gephi and pandas write it; other columns do not matter."""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
from numpy.typing import NDArray

from inputs.formats import text
from inputs.formats.errors import GraphFormatError
from inputs.graph import I32, MAX_COUNT, EdgeList
from inputs.weights import WeightRule

_SOURCES = {"source", "src", "from"}
_TARGETS = {"target", "dst", "to", "destination"}
_WEIGHTS = {"weight"}
_DIRECTIONS = {"type"}  # Gephi's: Directed or Undirected
_BLOCK = 1 << 16  # rows at a time
_NO_COMMENT = rb"(?!)"
_HEXADECIMAL = re.compile(rb"0[xX]")


@dataclass(frozen=True)
class Columns:
    """Where things are in a row.

    Attributes:
        separator: between the columns.
        count: how many there are.
        source: the number of the column.
        target: also.
        weight: also, if there is one.
        direction: also; a row that says "Undirected" is an edge in both directions.
    """

    separator: str
    count: int
    source: int
    target: int
    weight: int | None
    direction: int | None


def columns_of(header: str) -> Columns | None:
    """Reads a header; None if it does not name both ends, or these come first and at most one column follows."""
    separator = next((mark for mark in ",;\t" if mark in header), " ")
    try:
        names = [name.strip().lower() for name in next(csv.reader([header], delimiter=separator))]
    except csv.Error:
        return None

    def find(known: set[str]) -> int | None:
        return next((place for place, name in enumerate(names) if name in known), None)

    source, target = find(_SOURCES), find(_TARGETS)
    if source is None or target is None or ((source, target) == (0, 1) and len(names) <= 3):
        return None
    return Columns(separator, len(names), source, target, find(_WEIGHTS), find(_DIRECTIONS))


def are_ends(words: list[str]) -> bool:
    """Tells whether the first two words of a line name both ends of an edge."""
    return len(words) > 1 and words[0] in _SOURCES and words[1] in _TARGETS


def stream(path: Path, header_lines: int, columns: Columns, rule: WeightRule) -> Iterator[EdgeList]:
    """Reads the rows of a table piece by piece; from one on that the fast parser does not take, row by row.

    Args:
        path: text file, perhaps packed.
        header_lines: lines before the first row.
        columns: what rows hold.
        rule: what becomes of weights.

    Raises:
        GraphFormatError: a row has another number of columns, an id is no number from 0 to 2^31 - 2, a number is no
            weight, or there is no row.
        OSError: the file cannot be read.
    """
    done = 0  # rows
    for _, lines in text.blocks(path, _NO_COMMENT, header_lines, text.BLOCK):
        parsed = _parsed(lines, columns, rule)
        if parsed is None:
            break
        count, edges = parsed
        done += count
        yield edges
    else:
        if done:
            return
    with text.open_text(path) as file:
        text_lines = TextIOWrapper(cast("BinaryIO", file), "utf-8", errors="replace", newline="")
        rows = islice(_rows(path, header_lines, islice(text_lines, header_lines, None), columns, rule), done, None)
        while block := list(islice(rows, _BLOCK)):
            done += len(block)
            text.tell_read(path, file)
            yield _edges(
                np.array([row.source for row in block], dtype=np.int32),
                np.array([row.target for row in block], dtype=np.int32),
                None if columns.weight is None else np.array([row.weight for row in block]),
                np.array([row.undirected for row in block]),
                rule,
            )
    if not done:
        raise GraphFormatError(path, None, "the file has no edge")


def _parsed(lines: bytes, columns: Columns, rule: WeightRule) -> tuple[int, EdgeList] | None:
    """Parses whole lines; returns how many rows they are, and the edges; None if something is odd, or wrong."""
    import pyarrow as pa  # here, because it takes longer to import than all the rest of this package
    import pyarrow.compute as pc
    from pyarrow import csv

    if _HEXADECIMAL.search(lines) or _has_open_quote(lines):
        return None  # pyarrow would take 0x10 for 16, and what is up to the next quotation mark for one field
    if lines.isspace():
        return 0, EdgeList(0, *np.empty((2, 0), dtype=np.int32))
    places = {columns.source: "int32", columns.target: "int32", columns.weight: "double", columns.direction: "string"}
    types = {str(place): kind for place, kind in places.items() if place is not None}
    names = [str(place) for place in range(columns.count)]
    try:
        table = csv.read_csv(
            pa.BufferReader(lines),
            csv.ReadOptions(column_names=names),
            csv.ParseOptions(delimiter=columns.separator),
            csv.ConvertOptions(column_types=types, include_columns=list(types), null_values=[]),
        )
    except pa.ArrowInvalid:
        return None
    sources, targets = (text.array_of(table[str(place)]) for place in (columns.source, columns.target))
    values = None if columns.weight is None else text.array_of(table[str(columns.weight)])
    if min(sources.min(), targets.min()) < 0 or max(sources.max(), targets.max()) >= MAX_COUNT:
        return None
    if values is not None and not (np.isfinite(values).all() and (rule.dropped or rule.weights_of(values) is not None)):
        return None
    twice = np.zeros(len(sources), dtype=np.bool_)
    if columns.direction is not None:
        words = pc.utf8_lower(pc.utf8_trim_whitespace(table[str(columns.direction)]))
        twice = pc.equal(words, "undirected").to_numpy()
    return len(sources), _edges(sources, targets, values, twice, rule)


@dataclass(frozen=True)
class _Row:
    """What is of interest of a row."""

    source: int
    target: int
    weight: float
    undirected: bool


def _rows(path: Path, header_lines: int, lines: Iterable[str], columns: Columns, rule: WeightRule) -> Iterator[_Row]:
    """Reads rows one by one."""
    rows = csv.reader(lines, delimiter=columns.separator, strict=True)  # or a lost quotation mark hides all lines after
    done = 0  # lines

    def wrong(reason: str) -> GraphFormatError:
        return GraphFormatError(path, header_lines + rows.line_num, reason)

    try:
        for row in rows:
            done = rows.line_num
            if not row:
                continue
            if len(row) != columns.count:
                raise wrong(f"{len(row)} fields, but the header names {columns.count}")
            ends = [row[place].strip() for place in (columns.source, columns.target)]
            value = "0" if columns.weight is None else row[columns.weight].strip()
            reasons = [text.check_vertex(end, first=0, last=MAX_COUNT - 1) for end in ends]
            if reason := reasons[0] or reasons[1] or text.check_weight(value, rule):
                raise wrong(reason)
            undirected = columns.direction is not None and row[columns.direction].strip().lower() == "undirected"
            yield _Row(int(ends[0]), int(ends[1]), float(value), undirected)
    except csv.Error as error:
        raise GraphFormatError(
            path, header_lines + done + 1, f"no row of a table: {error}; a quotation mark may lack its partner"
        ) from None


def _has_open_quote(lines: bytes) -> bool:
    """Tells whether a quotation mark lacks its partner on its line."""
    if b'"' not in lines:
        return False
    characters = np.frombuffer(lines, dtype=np.uint8)
    marks = np.cumsum(characters == ord('"'))
    return bool((marks[characters == ord("\n")] % 2).any() or marks[-1] % 2)


def _edges(
    sources: I32, targets: I32, values: NDArray[np.float64] | None, twice: NDArray[np.bool_], rule: WeightRule
) -> EdgeList:
    """Takes rows as edges; those of undirected ones are there in both directions."""
    weights = None if values is None or rule.dropped else rule.weights_of(values)
    return EdgeList(
        1 + int(max(sources.max(), targets.max())),
        np.concatenate([sources, targets[twice]]),
        np.concatenate([targets, sources[twice]]),
        None if weights is None else np.concatenate([weights, weights[twice]]),
    )
