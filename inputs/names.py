"""Names of vertices: what a file calls them, kept beside the graph, whose vertices have numbers.

They are in a parquet file of one column, `name`, with a row per vertex: words, or numbers of 64 bits.
"""

from __future__ import annotations

import codecs
import csv
import io
import logging
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from inputs.formats import edge_list, edge_table, objects, text
from inputs.formats.errors import GraphFormatError
from inputs.formats.registry import EDGE_LIST, EGR, OBJECTS, file_errors, format_of, stream
from inputs.graph import MAX_COUNT, EdgeList, concatenate

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd
    from numpy.typing import NDArray

    from inputs.graph import Weights
    from inputs.weights import WeightRule

_log = logging.getLogger(__name__)

COLUMN = "name"
_COMMENTS = ("#", "%")
_COMMENT = rb"(?m:^[ \t]*[#%])"
_LOOKED_AT = 1000  # lines
_FIRST = 1 << 16  # bytes that show what names are
_BLOCK = 4 * text.BLOCK  # the longer a block, the fewer of its words are in others, too
_NUMBER = re.compile("[0-9]{1,19}")  # of 64 bits
_BLANKS = re.compile("[ \t]+")  # the others, such as form feeds, are part of names, as they are to the parsers


def file_of(graph: Path) -> Path:
    """Returns where the names of a graph's vertices are, if they have any."""
    return graph.with_name(f"{graph.name}.names.parquet")


def read(graph: Path, vertices: int) -> pd.Series[Any] | None:
    """Reads the names of a graph's vertices.

    Args:
        graph: the graph's file.
        vertices: how many it has.

    Returns:
        A name per vertex; None if they have none.

    Raises:
        GraphFormatError: there are more or fewer names than vertices, two have the same, or the file is damaged.
        OSError: it cannot be read.
    """
    path = file_of(graph)
    if not path.exists():
        return None
    import pandas as pd  # here, because few graphs have names

    try:
        found = pd.read_parquet(path, columns=[COLUMN])[COLUMN]
    except (ValueError, KeyError) as error:
        raise GraphFormatError(path, None, f"no file of names: {error}") from error
    if len(found) != vertices:
        reason = (
            f"{len(found):,} names, but {graph.name} has {vertices:,} vertices; remove it if it is of another graph"
        )
        raise GraphFormatError(path, None, reason)
    named = found.dropna()
    if len(repeated := named[named.duplicated()]):
        raise GraphFormatError(path, f"vertex {repeated.index[0]}", f"'{repeated.iloc[0]}' is another vertex, too")
    return found


def write(names: NDArray[Any], file: IO[bytes]) -> None:
    """Writes names, one per vertex; None where a vertex, which then has no edge, stands for nothing."""
    import pandas as pd

    column = pd.Series(names)
    column = column.convert_dtypes() if column.hasnans else column  # or numbers would be read as floats
    pd.DataFrame({COLUMN: column}).to_parquet(file, index=False)


def forget(graph: Path) -> None:
    """Removes the names of a graph that was there before."""
    with suppress(OSError):
        file_of(graph).unlink()


def are_needed(path: Path) -> bool:
    """Tells whether a file names its vertices.

    A graph does by the file beside it, an edge list if its first ones are no numbers of 31 bits.

    Raises:
        GraphFormatError: as for `inputs.formats.registry.read`.
        OSError: the file cannot be read.
    """
    with file_errors(path):
        known = format_of(path)
        layout = _layout(path) if known is EDGE_LIST else None
    if layout is None:
        return known is OBJECTS or (known is EGR and file_of(path).exists())
    lines = islice(text.numbered_lines(path), layout.header_lines, layout.header_lines + _LOOKED_AT)
    rows = [layout.split(line) for _, line in lines if line and not line.startswith(_COMMENTS)]
    if len({*map(len, rows)}) > 1 and layout.has_header and len(rows[0]) == layout.columns:
        return not rows[0][layout.source].strip('" ').isdecimal()  # and the reader says which row is wrong
    if len({*map(len, rows)}) != 1 or len(rows[0]) < layout.fewest or (layout.weight is None and len(rows[0]) > 3):
        return False  # the reader of numbers says what is wrong
    ends = [row[place].strip().strip('"') for row in rows for place in (layout.source, layout.target)]
    numbers = [end for end in ends if end[:1].isdecimal() or end[:1] in "+-."]
    if len(numbers) == len(ends):
        return all(map(_NUMBER.fullmatch, ends)) and max(map(int, ends)) > MAX_COUNT - 1
    return 2 * len(numbers) < len(ends)  # else a word is a slip


class _Layout:
    """Where the edges of a file are.

    Attributes:
        header_lines: lines before the first edge.
        has_header: whether the last of them names the columns.
        separator: between fields; None: blanks.
        columns: fields of the header, or of the first edge.
        source: the number of its field.
        target: also.
        weight: also, if there is one.
        fewest: fields that a line has at least.
    """

    def __init__(self, number: int, line: str, columns: edge_table.Columns | None, *, has_header: bool = False) -> None:
        self.header_lines = number if has_header else number - 1
        self.has_header = has_header
        self.separator = next((mark for mark in "\t,;" if mark in line), None)
        self.source, self.target = (columns.source, columns.target) if columns else (0, 1)
        self.columns = len(self.split(line))
        self.weight = columns.weight if columns else 2 if self.columns == 3 else None
        self.fewest = max(self.source, self.target, self.weight or 0) + 1

    def split(self, line: str) -> list[str]:
        """Returns the fields of a line; none if it has quotation marks or characters that no table has."""
        try:
            return next(csv.reader([line], delimiter=self.separator)) if self.separator else _BLANKS.split(line)
        except csv.Error:
            return []


def _layout(path: Path) -> _Layout | None:
    """Finds the first edge; None if there is none, or the file is for the reader of numbers alone (KONECT's pairs)."""
    for number, line in text.numbered_lines(path):
        if number == 1 and line.startswith(("%%", "% bip")):
            return None
        if line and not line.startswith(_COMMENTS):
            columns = edge_table.columns_of(line)
            words = [field.strip().strip('"').lower() for field in _Layout(number, line, None).split(line)]
            is_header = columns is not None or edge_table.are_ends(words)
            return _Layout(number, line, columns, has_header=is_header)
    return None


def edges(path: Path, rule: WeightRule) -> tuple[EdgeList, NDArray[Any]]:
    """Reads a graph whose vertices may be called anything; all of it is held in memory.

    Args:
        path: of an edge list, a table of edges or what networkx reads, perhaps packed; or a graph with names beside it.
        rule: what becomes of weights.

    Returns:
        The edges, and a name per vertex: as they are beside a graph, else numbers if all are, in ascending order; else
        words, in the order of the file.

    Raises:
        GraphFormatError: there is no edge, a line has other fields than the first, a quotation mark that it does not
            close or a carriage return, a name is missing, or a number is no weight.
        OSError: the file cannot be read.
    """
    if format_of(path) is EGR:
        found = concatenate(list(stream(path, weights=rule)))
        return found, np.asarray(read(path, found.vertex_count))
    with file_errors(path):
        return objects.read_named(path, rule) if format_of(path) is OBJECTS else _edges(path, rule)


@dataclass(frozen=True)
class _Rows:
    """What rows of a file say.

    Attributes:
        ends: a number for each source, then for each target.
        words: by these numbers, in the order of the file.
        weights: int32 or float32, of each row; None if they have none.
    """

    ends: NDArray[np.integer]
    words: NDArray[Any]
    weights: Weights | None


def _edges(path: Path, rule: WeightRule) -> tuple[EdgeList, NDArray[Any]]:
    layout = _layout(path)
    if layout is None:
        raise GraphFormatError(path, None, "the file has no edge")
    places = {"source": layout.source, "target": layout.target}
    if layout.weight is not None and not rule.dropped:
        places["weight"] = layout.weight
    others = [word for _, word in edge_list.vertices_beside(path)]
    parsed = partial(_parsed, path, layout, places, rule)
    rows = (None if others else parsed(are_numbers=True)) or parsed()
    rows = rows or _read(path, layout, places, rule)
    half = len(rows.ends) // 2
    if not layout.has_header and half > 1 and np.isin(rows.ends, rows.ends[[0, half]]).sum() == 2:
        _log.warning("%s: the first line is read as an edge; if it names the columns, put a # before it", path)
    words = np.array([*dict.fromkeys([*rows.words, *others])], dtype=object) if others else rows.words
    numbers, names = _numbered(rows.ends, words)
    if len(names) > MAX_COUNT:
        raise GraphFormatError(path, None, f"{len(names):,} vertices do not fit in 32-bit numbers")
    return EdgeList(len(names), numbers[:half], numbers[half:], rows.weights), names


@dataclass(frozen=True)
class _Part:
    """What some rows say: arrays of pyarrow that number what they hold, and weights, if rows have any."""

    sources: list[Any]
    targets: list[Any]
    weights: Weights | None


def _parsed(
    path: Path, layout: _Layout, places: dict[str, int], rule: WeightRule, *, are_numbers: bool = False
) -> _Rows | None:
    """Parses rows with all cores; returns None if something is odd, or wrong, or no number of 64 bits and has to be."""
    import pyarrow as pa

    before = islice(text.numbered_lines(path), layout.header_lines)
    if any("\r" in line for _, line in before):  # behind which an edge may hide
        return None
    parse = partial(_parse, layout, {str(place): name for name, place in places.items()}, rule, are_numbers)
    blocks = partial(text.blocks, path, _COMMENT, layout.header_lines)
    if are_numbers and parse(next(blocks(_FIRST), (0, b""))) is None:
        return None
    parts: list[_Part] = []
    for part in text.ahead(parse, blocks(_BLOCK)):
        if part is None:
            return None
        parts.append(part)
    ends = [chunk for part in parts for chunk in part.sources] + [chunk for part in parts for chunk in part.targets]
    if not ends:
        return None
    weights = (
        np.concatenate([part.weights for part in parts if part.weights is not None]) if "weight" in places else None
    )
    del parts
    chunks = pa.chunked_array(ends).unify_dictionaries().chunks
    words = chunks[0].dictionary.to_numpy(zero_copy_only=False)
    return _Rows(np.concatenate([np.from_dlpack(chunk.indices) for chunk in chunks]), words, weights)


def _parse(
    layout: _Layout, names: dict[str, str], rule: WeightRule, are_numbers: bool, block: tuple[int, bytes]
) -> _Part | None:
    """Parses lines; returns None if something is odd, or wrong."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from pyarrow import csv

    _, lines = block
    if b'"' in lines or lines.startswith(codecs.BOM_UTF8) or lines.count(b"\r") != lines.count(b"\r\n"):
        return None  # of the mark, pyarrow would rob the name that it begins
    lines = _without_comments(lines)
    if layout.separator is None and any(odd in b"\n" + lines for odd in (b"\t", b"  ", b"\n ", b" \n", b" \r")):
        return None
    if are_numbers and any(odd in lines for odd in (b"x", b"X", b"-0")):
        return None  # pyarrow would take 0x10 for 16, and -0 for 0
    if not lines.strip(b" \r\n"):  # a row of tabs has fields
        return _Part([], [], np.empty(0, dtype=np.int32))
    end = pa.int64() if are_numbers else pa.dictionary(pa.int32(), pa.string())
    kinds = {"source": end, "target": end, "weight": pa.float64()}
    columns = [names.get(str(place), str(place)) for place in range(layout.columns)]
    try:
        table = csv.read_csv(
            pa.BufferReader(lines),
            csv.ReadOptions(use_threads=False, column_names=columns, block_size=len(lines) + 1),
            csv.ParseOptions(delimiter=layout.separator or " ", quote_char=False),
            csv.ConvertOptions(column_types=kinds, include_columns=[*names.values()], null_values=[]),
        )
    except pa.ArrowInvalid:
        return None
    ends = [table[end].dictionary_encode() if are_numbers else table[end] for end in ("source", "target")]
    sources, targets = (column.chunks for column in ends)
    for words in (chunk.dictionary for chunk in (*sources, *targets)):
        odd = pc.less(words, 0) if are_numbers else pc.not_equal(words, pc.utf8_trim_whitespace(words))
        if pc.any(odd).as_py() or (not are_numbers and pc.any(pc.equal(words, "")).as_py()):
            return None
    if "weight" not in table.column_names:
        return _Part(sources, targets, None)
    values = text.array_of(table["weight"])
    weights = rule.weights_of(values) if np.isfinite(values).all() else None
    return None if weights is None else _Part(sources, targets, weights)


def _read(path: Path, layout: _Layout, places: dict[str, int], rule: WeightRule) -> _Rows:
    """Reads rows as a table at once; the file is held in memory."""
    import pandas as pd

    lines = _lines(path, layout.header_lines)
    try:
        table = pd.read_csv(
            io.BytesIO(lines),
            sep=layout.separator or r"\s+",
            header=None,
            dtype=str,
            keep_default_na=False,
            skipinitialspace=True,
        )
    except pd.errors.ParserError as error:
        raise GraphFormatError(path, None, str(error).strip().rpartition("C error: ")[2]) from error
    except UnicodeDecodeError as error:
        raise GraphFormatError(path, None, "no UTF-8 text: iconv -f LATIN1 -t UTF-8 makes it so") from error
    if b'"' in lines:
        over_lines = table.apply(lambda column: column.str.contains("\n", regex=False)).any(axis=1)
        if over_lines.any():
            reason = "a quotation mark that its line does not close, so it would hide the lines after"
            raise GraphFormatError(path, f"edge {over_lines.to_numpy().argmax() + 1}", reason)
    columns = {name: table[place].str.strip() for name, place in places.items()}
    missing = (columns["source"] == "") | (columns["target"] == "")
    if missing.any():
        row = int(missing.to_numpy().argmax())
        raise GraphFormatError(path, None, f"edge {row + 1} lacks the name of an end")
    weights = _weights(path, columns["weight"], rule, layout) if "weight" in columns else None
    ends, words = pd.factorize(pd.concat([columns["source"], columns["target"]]))
    return _Rows(ends, np.asarray(words), weights)


def _lines(path: Path, header_lines: int) -> bytes:
    """Reads all lines; those of the header and comments are empty.

    Raises:
        GraphFormatError: a carriage return is in the midst of one, which pandas would take for its end.
    """
    with text.open_text(path) as file:
        content = file.read()
    if split := re.search(rb"\r(?!\n|\Z)", content):
        line = content.count(b"\n", 0, split.start()) + 1
        raise GraphFormatError(path, line, "a carriage return in the midst of a line: tr -d '\\r' takes it out")
    rows = content.split(b"\n", header_lines)[-1]
    return b"\n" * header_lines + _without_comments(rows)


def _without_comments(lines: bytes) -> bytes:
    """Makes lines empty that are comments."""
    return re.sub(_COMMENT + rb".*", b"", lines) if any(mark.encode() in lines for mark in _COMMENTS) else lines


def _numbered(ends: NDArray[np.integer], words: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[Any]]:
    """Takes words as names; if all are numbers of 64 bits, these are, in ascending order."""
    if words.dtype == object and all(map(_NUMBER.fullmatch, words)):
        values = [*map(int, words)]
        words = np.array(values, dtype=np.int64) if max(values) < 2**63 else words
    if words.dtype == object:
        return ends.astype(np.int32, copy=False), words
    names, places = np.unique(words, return_inverse=True)
    return places.astype(np.int32)[ends], names


def _weights(path: Path, column: pd.Series[str], rule: WeightRule, layout: _Layout) -> Weights | None:
    import pyarrow as pa

    try:
        values = pa.array(column).cast(pa.float64()).to_numpy()
    except pa.ArrowInvalid:  # one is no number
        values = np.array([np.nan])
    weights = rule.weights_of(values) if np.isfinite(values).all() else None
    if weights is None:
        for row, word in enumerate(column, start=1):
            if reason := text.check_weight(word, rule):
                hint = "; if this line is a header, put a # before it" if row == 1 and not layout.has_header else ""
                raise GraphFormatError(path, f"edge {row}", reason + hint)
    return weights
