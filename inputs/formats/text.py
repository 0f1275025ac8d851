"""What the text formats share: opening, fast parsing of columns in bounded memory, and finding the line of an error."""

import codecs
import logging
import math
import re
import stat
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from os import cpu_count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from inputs import progress
from inputs.formats import packed
from inputs.formats.errors import GraphFormatError
from inputs.graph import EdgeList
from inputs.weights import WeightRule

if TYPE_CHECKING:
    import pyarrow as pa

Piece = TypeVar("Piece")
Parsed = TypeVar("Parsed")
LineCheck = Callable[[list[str]], str | None]
"""Says what is wrong with the fields of a line, or None."""

BLOCK = 1 << 22  # bytes parsed at a time; larger ones leave the cache
_LONGEST_LINE = 1 << 20  # bytes, without a comment; else a file without line ends would be read into memory whole
SHOWN = 60  # characters of a wrong word that an error repeats
_START = 1 << 16  # bytes that show how lines end
_SEPARATORS = bytes.maketrans(b"\t,;\r", b"    ")
_LINES = bytes.maketrans(b" \t\r\v\f", b"\n" * 5)
_INTEGER = re.compile(r"-?[0-9]+", re.ASCII)

_FORTRAN = re.compile(rb"(?<=[0-9.])[dD](?=[+-]?[0-9])")
"""Its exponents, such as 1.5D2."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Table:
    """What the lines of a format hold: a source, a destination, perhaps a weight.

    Attributes:
        first: the smallest vertex id.
        last: the largest vertex id.
        weighted: a weight comes third.
        weights: what becomes of it.
        check_fields: says what is wrong with the number or order of the fields of a line.
        comment: what starts a comment, as a regular expression that `.*` completes.
        tag: the word that begins each line, if one does.
        any_values: the numbers may be others than weights, as the entries of a matrix are: a file where some are
            negative or too large has no weights, which is no error.
        others: fields that come last and do not matter.
    """

    first: int
    last: int
    weighted: bool
    weights: WeightRule
    check_fields: LineCheck
    comment: bytes
    tag: str | None = None
    any_values: bool = False
    others: int = 0

    def check(self, fields: list[str]) -> str | None:
        """Says what is wrong with the fields of a line, or None."""
        numbers = fields[1:] if self.tag else fields
        return (
            self.check_fields(fields)
            or check_vertex(numbers[0], first=self.first, last=self.last)
            or check_vertex(numbers[1], first=self.first, last=self.last)
            or (check_weight(numbers[2], self.weights) if self.weighted else None)
        )


@dataclass(frozen=True)
class _Parsed:
    """What some lines come to.

    Attributes:
        edges: they; without weights if something is wrong with these.
        fault: finds the first line whose number is no weight, where that need not be an error.
        has_others: some are too large or negative, so numbers of this file are no weights.
    """

    edges: EdgeList
    fault: Callable[[], GraphFormatError] | None = None
    has_others: bool = False


def open_bytes(path: Path) -> IO[bytes]:
    """Opens a file for reading, unpacked if its name says that it is packed.

    Raises:
        GraphFormatError: it is a pipe or a device (to open a pipe would wait for its writer), or an archive in which no
            file is plainly the graph.
        OSError: the file cannot be read.
    """
    if stat.S_IFMT(path.stat().st_mode) not in (stat.S_IFREG, stat.S_IFDIR):  # opening a folder says what is wrong
        raise GraphFormatError(path, None, "not a file but a pipe or a device")
    return packed.open_bytes(path)


def open_text(path: Path) -> IO[bytes]:
    """Opens a text file for reading, after its byte-order mark if it has one.

    Raises:
        GraphFormatError: the mark says that it is UTF-16, or its lines end as on an old Macintosh.
        OSError: the file cannot be read.
    """
    with open_bytes(path) as file:
        start = file.read(_START)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise GraphFormatError(path, 1, "UTF-16 text; make UTF-8 of it: iconv -f UTF-16 -t UTF-8")
    if b"\r" in start.rstrip() and b"\n" not in start:
        raise GraphFormatError(path, 1, "lines end in carriage returns alone: tr '\\r' '\\n' makes lines of them")
    file = open_bytes(path)  # anew: not every packed file can be wound back
    file.read(len(codecs.BOM_UTF8) if start.startswith(codecs.BOM_UTF8) else 0)
    return file


def tell_read(path: Path, file: IO[bytes]) -> None:
    """Says how much has been read of a file that `open_bytes` opened."""
    stored = getattr(file, "stored", file)
    progress.tell("reading", stored.tell(), path.stat().st_size)


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yields each line with its number from 1; bytes that are not text become replacement characters."""
    with open_text(path) as file:
        for number, line in enumerate(iter(lambda: read_line(file), b""), start=1):
            yield number, line.decode("utf-8", errors="replace").strip()


def read_line(file: IO[bytes]) -> bytes:
    """Reads a line, of which only the first `_LONGEST_LINE` bytes are kept: more than that is a comment, or wrong."""
    line = file.readline(_LONGEST_LINE)
    if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
        while (rest := file.readline(_LONGEST_LINE)) and not rest.endswith(b"\n"):
            pass
        line += rest[-1:] if rest.endswith(b"\n") else b""
    return line


def read_edges(path: Path, table: Table, *, skip_lines: int = 0, block: int = BLOCK) -> Iterator[EdgeList]:
    """Parses columns between blanks, tabs, commas or semicolons, block by block, with all cores and in bounded memory.

    Args:
        path: text file, perhaps packed.
        table: what its lines hold.
        skip_lines: lines of header before the first row.
        block: bytes to parse at a time; only tests need another number.

    Yields:
        Consecutive edges, numbered from 0, with as many vertices as the largest id demands. They have no weights if
        the table says so, or if it allows values that are none; the log tells of such once.

    Raises:
        GraphFormatError: a line is wrong.
        OSError: the file cannot be read.
    """
    fault, has_others = None, False
    for parsed in ahead(partial(_parse, path, table), blocks(path, table.comment, skip_lines, block)):
        if parsed.has_others and not has_others:
            _log.warning("%s: some of its values are negative or too large for weights, so all are dropped", path)
        fault, has_others = fault or parsed.fault, has_others or parsed.has_others
        yield parsed.edges
    if fault and not has_others:
        raise fault()


def check_vertex(text: str, *, first: int, last: int) -> str | None:
    """Says why a field is not a vertex id in [first, last], or None if it is."""
    shown = text[:SHOWN]
    if not _INTEGER.fullmatch(text):
        return f"'{shown}' is not a vertex number"
    number = text.lstrip("-0") or "0"
    if len(number) < 20 and first <= int(text) <= last:  # Python refuses to convert thousands of digits
        return None
    return f"vertex {shown} is not in [{first}, {last}]"


def number_of(word: str) -> float | None:
    """Returns the number that a word is, None if it is none: 1_0 and digits other than 0 to 9 are Python's alone."""
    try:
        return float(word) if word.isascii() and "_" not in word else None
    except ValueError:
        return None


def is_count(word: str) -> bool:
    """Tells whether a word is digits from 0 to 9, and nothing else."""
    return word.isascii() and word.isdecimal()


def check_weight(text: str, rule: WeightRule) -> str | None:
    """Says why a field is not a number that becomes a weight, or None if it does."""
    shown, number = text[:SHOWN], number_of(text)
    if number is None:
        hint = "; a decimal comma has to be a point" if text.replace(",", "", 1).isdecimal() else ""
        return f"'{shown}' is not a number{hint}"
    if not math.isfinite(number):
        return f"'{shown}' is not a finite number"
    return rule.objection(number, shown)


def ahead(parse: Callable[[Piece], Parsed], pieces: Iterator[Piece]) -> Iterator[Parsed]:
    """Parses a few pieces ahead of the one that is yielded."""
    workers = cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:  # pyarrow and numpy release the interpreter lock
        pending: deque[Future[Parsed]] = deque()
        for piece in pieces:
            pending.append(pool.submit(parse, piece))
            if len(pending) > workers:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def blocks(path: Path, comment: bytes, skip_lines: int, size: int) -> Iterator[tuple[int, bytes]]:
    """Cuts a file after a line end about every `size` bytes; yields the number of the first line, and the lines.

    Raises:
        GraphFormatError: a line is too long, and what makes it so is no comment.
    """
    with open_text(path) as file:
        for _ in range(skip_lines):
            read_line(file)
        line = skip_lines + 1
        while lines := file.read(size):
            if not lines.endswith(b"\n"):
                last = read_line(file)
                lines += last
                begun = lines[lines.rfind(b"\n", 0, -1) + 1 :]
                if len(last) >= _LONGEST_LINE and not re.search(comment, begun):
                    number = line + lines.count(b"\n", 0, -1)
                    raise GraphFormatError(path, number, f"the line has more than {_LONGEST_LINE:,} bytes")
            tell_read(path, file)
            yield line, lines
            line += lines.count(b"\n")


def _parse(path: Path, table: Table, block: tuple[int, bytes]) -> _Parsed:
    """Parses some lines: as they are if they are regular, which is fast, else without comments and repeated blanks."""
    first_line, lines = block
    separator = re.search(rb"[ \t,;]", lines)
    found = _parse_regular(lines, table, separator[0].decode()) if separator else None
    if found is None and table.any_values:
        lines = _FORTRAN.sub(b"e", lines)
    if found is None:
        found = _parse_regular(_normalise(lines, table.comment), table, " ")
    if found is None:
        raise _wrong_line(path, table, first_line, lines)
    edges, values = found
    weights = table.weights.weights_of(values) if values is not None else None
    if weights is not None or values is None:
        return _Parsed(replace(edges, weights=weights))
    fault = partial(_wrong_line, path, table, first_line, lines)
    if not table.any_values:
        raise fault()
    return _Parsed(edges, fault, table.weights.has_others(values))


def _parse_regular(rows: bytes, table: Table, separator: str) -> tuple[EdgeList, NDArray[np.float64] | None] | None:
    """Parses rows without comments, with one separator between fields.

    Returns:
        The edges, and the numbers that may be their weights if there are any; None if a row is not like that, or wrong.
    """
    import pyarrow as pa  # here, because it takes longer to import than all the rest of this package
    from pyarrow import csv

    if b"x" in rows or b"X" in rows:
        return None  # pyarrow would take 0x10 for 16
    takes_weights = table.weighted and not table.weights.dropped
    if not rows or rows.isspace():
        nothing = np.empty(0, dtype=np.int32)
        return EdgeList(0, nothing, nothing), np.empty(0) if takes_weights else None
    types = {"tag": "string"} if table.tag else {}
    types |= {"source": "int32", "destination": "int32"} | ({"weight": "double"} if table.weighted else {})
    types |= {f"other {number}": "string" for number in range(table.others)}
    try:
        parsed = csv.read_csv(
            pa.BufferReader(rows),
            csv.ReadOptions(use_threads=False, column_names=list(types)),
            csv.ParseOptions(delimiter=separator, quote_char=False),  # a quotation mark must not swallow later lines
            csv.ConvertOptions(column_types=types, null_values=[]),
        )
    except pa.ArrowInvalid:
        return None
    sources, destinations = array_of(parsed["source"]), array_of(parsed["destination"])
    values = array_of(parsed["weight"]) if table.weighted else np.zeros(1)
    largest = max(sources.max(), destinations.max())
    in_range = min(sources.min(), destinations.min()) >= table.first and largest <= table.last
    is_tagged = table.tag is None or parsed.column("tag").unique().to_pylist() == [table.tag]
    if not (in_range and np.isfinite(values).all() and is_tagged):
        return None
    if table.first:
        sources, destinations = sources - np.int32(table.first), destinations - np.int32(table.first)
    return EdgeList(int(largest) - table.first + 1, sources, destinations), values if takes_weights else None


def numbers(content: bytes) -> NDArray[Any] | None:
    """Parses numbers between any blanks: int64 if all are whole, else float64; None if something is no number."""
    import pyarrow as pa
    from pyarrow import csv

    lines = content.translate(_LINES) if any(blank in content for blank in b" \t\r\v\f") else content
    if not lines or lines.isspace():
        return np.empty(0, dtype=np.int64)
    for kind in () if b"x" in lines or b"X" in lines else ("int64", "double"):  # 0x10 is not 16 here
        try:
            parsed = csv.read_csv(
                pa.BufferReader(lines),
                csv.ReadOptions(column_names=["number"], block_size=len(lines), use_threads=False),
                csv.ParseOptions(delimiter="\t", quote_char=False),
                csv.ConvertOptions(column_types={"number": kind}, null_values=[]),
            )
        except pa.ArrowInvalid:
            continue
        return array_of(parsed["number"])
    return None


def array_of(column: "pa.ChunkedArray") -> NDArray[Any]:
    """Copies a column of numbers, all of them there; `to_numpy` would load pandas, which takes as long as 30 MB do."""
    return np.concatenate([np.from_dlpack(chunk) for chunk in column.chunks])


def _normalise(lines: bytes, comment: bytes) -> bytes:
    """Makes single blanks the only separators, and removes comments; nothing between two commas stays a field.

    Quotation marks around a number go, others stay, so that they are an error.
    """
    if b'"' in lines:
        lines = re.sub(rb'"([0-9.eE+-]+)"', rb"\1", lines)
    if b"," in lines or b";" in lines:
        lines = re.sub(rb"(?m)[,;](?=[ \t]*([,;]|\r?$))", b", (nothing)", lines)
    rows = lines.translate(_SEPARATORS)
    if re.search(comment, rows):
        rows = re.sub(comment + rb".*", b"", rows)
    if b"  " in rows:
        rows = re.sub(rb"  +", b" ", rows)
    if rows.startswith(b" ") or rows.endswith(b" ") or b"\n " in rows or b" \n" in rows:
        rows = re.sub(rb"(?m)^ | $", b"", rows)
    return rows


def fields_of(line: bytes, comment: bytes) -> list[str]:
    """Splits a line as the fast parser does; bytes that are not text become replacement characters."""
    return _normalise(line, comment).decode("utf-8", errors="replace").split()


def write_rows(file: IO[bytes], columns: Sequence[NDArray[np.generic]], separator: str) -> None:
    """Writes columns of equal length as lines of text."""
    import pyarrow as pa
    from pyarrow import csv

    rows = pa.table(list(columns), names=[str(number) for number in range(len(columns))])
    options = csv.WriteOptions(include_header=False, delimiter=separator, quoting_style="none")
    csv.write_csv(rows, file, options)


def _wrong_line(path: Path, table: Table, first_line: int, lines: bytes) -> GraphFormatError:
    """Scans lines that the parser has refused, one by one, for the first wrong one."""
    for number, line in enumerate(lines.split(b"\n"), start=first_line):
        fields = fields_of(line, table.comment)
        reason = table.check(fields) if fields else None
        if reason:
            return GraphFormatError(path, number, reason)
    return GraphFormatError(path, first_line, "something in the lines from here on cannot be parsed")
