"""What the formats of binary rows share: mapping a file, checking its arrays, and naming the first wrong byte."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from inputs.formats import packed, text
from inputs.formats.errors import GraphFormatError, NoRoomError
from inputs.graph import BATCH, MAX_COUNT, Weights
from inputs.weights import WeightRule, floats_in

Bytes = NDArray[np.uint8]


def map_bytes(path: Path) -> Bytes:
    """Sees a whole file as bytes, read-only, mapped into memory; a packed one is unpacked to a temporary file first.

    Raises:
        GraphFormatError: it is a pipe or a device.
        NoRoomError: it cannot be unpacked, for want of room or of a folder.
        OSError: the file cannot be read.
    """
    with text.open_bytes(path) as file:
        if not packed.is_packed(path):
            return _map(file)
        with _unpacking():
            unpacked = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115  # it lasts as long as it is mapped
        with unpacked:
            while part := memoryview(file.read(BATCH)):
                while part:
                    with _unpacking():
                        part = part[unpacked.write(part) :]
            return _map(unpacked)


@contextmanager
def _unpacking() -> Iterator[None]:
    """Turns what goes wrong in the folder for temporary files into an error that is not about the graph file."""
    try:
        yield
    except OSError as error:
        folder = os.environ.get("TMPDIR", tempfile.tempdir or "/tmp")  # noqa: S108  "only named"
        raise NoRoomError(error.errno, f"{error.strerror}; set TMPDIR to another folder", folder) from error


def _map(file: IO[bytes]) -> Bytes:
    if os.fstat(file.fileno()).st_size == 0:
        return np.empty(0, dtype=np.uint8)  # nothing cannot be mapped
    return np.memmap(file, dtype=np.uint8, mode="r").view(np.ndarray)


def array_at(content: Bytes, byte: int, dtype: str, count: int) -> NDArray[Any]:
    """Sees `count` numbers that begin at `byte`, aligned or not."""
    return content[byte : byte + count * np.dtype(dtype).itemsize].view(dtype)


def check_counts(path: Path, n: int, m: int, *, n_at: int, m_at: int, largest_m: int) -> None:
    """Counts are not negative, and 32-bit numbers are enough for the vertices.

    Raises:
        GraphFormatError: they are not.
    """
    for name, count, byte, largest in (("vertices", n, n_at, MAX_COUNT), ("edges", m, m_at, largest_m)):
        if count < 0:
            raise GraphFormatError(path, f"byte {byte}", f"negative number of {name}: {count}")
        if count > largest:
            raise GraphFormatError(path, f"byte {byte}", f"{count} {name} are more than {largest}")


def check_size(path: Path, content: Bytes, size: int, size_with_weights: int | None = None, *others: int) -> None:
    """The file has one of the sizes that its header allows.

    Raises:
        GraphFormatError: it has not.
    """
    if len(content) not in (size, size_with_weights, *others):
        weights = f", or {size_with_weights:,} with weights" if size_with_weights not in (None, size) else ""
        reason = f"the file ends here, but its header promises {size:,} bytes{weights}; copy or make it again"
        raise GraphFormatError(path, f"byte {len(content)}", reason)


def check_offsets(path: Path, offsets: NDArray[np.integer], m: int, *, at: int) -> None:
    """Row offsets, of which the first begins at byte `at`, start at 0, never decrease and end at m.

    Raises:
        GraphFormatError: they do not.
    """

    def wrong(index: int, reason: str) -> GraphFormatError:
        return GraphFormatError(path, f"byte {at + index * offsets.itemsize}", reason)

    if offsets[0] != 0:
        raise wrong(0, f"the first row offset is {offsets[0]}, not 0")
    for first in range(0, len(offsets) - 1, BATCH):
        part = offsets[first : first + BATCH + 1]
        decreases = part[1:] < part[:-1]
        if decreases.any():
            v = first + int(np.argmax(decreases))
            raise wrong(v + 1, f"row offsets decrease at vertex {v}: from {offsets[v]} to {offsets[v + 1]}")
    if offsets[-1] != m:
        raise wrong(len(offsets) - 1, f"the last row offset is {offsets[-1]}, but there are {m} edges")


def check_neighbours(path: Path, neighbours: NDArray[np.signedinteger], n: int, *, at: int) -> None:
    """Every neighbour is a vertex; the first begins at byte `at`, the next one stride later.

    Raises:
        GraphFormatError: one is not.
    """
    for first in range(0, len(neighbours), BATCH):  # a comparison of all at once would need a byte for each
        part = neighbours[first : first + BATCH]
        wrong = (part < 0) | (part >= n)
        if wrong.any():
            e = first + int(np.argmax(wrong))
            reason = f"neighbour {neighbours[e]} of edge {e} is not in [0, {n})"
            raise GraphFormatError(path, f"byte {at + e * neighbours.strides[0]}", reason)


def read_weights(path: Path, stored: NDArray[np.signedinteger], rule: WeightRule, *, at: int) -> Weights | None:
    """Takes what is stored for edges as weights; the first begins at byte `at`, the next one stride later.

    Args:
        path: the file.
        stored: int32 or int64, shape (m,), or floating-point numbers of that size, seen as such.
        rule: what becomes of them.
        at: the byte.

    Returns:
        int32 or float32, shape (m,), a view if they are stored so; None if they are to be dropped.

    Raises:
        GraphFormatError: one is negative, too large, or no whole number.
    """
    if rule.dropped:
        return None
    floats = floats_in(stored)
    values = stored if floats is None else floats
    dtype: Any = np.float32 if rule.real else np.int32
    is_ready = values.dtype == dtype and rule.scale is None
    taken: list[NDArray[Any]] = [np.empty(0, dtype=dtype)]
    for first in range(0, len(values), BATCH):
        part = rule.weights_of(values[first : first + BATCH])
        if part is None:
            raise _wrong_weight(path, values, first, rule, at=at)
        if not is_ready:
            taken.append(part)
    return stored.view(dtype) if is_ready else np.concatenate(taken)


def _wrong_weight(path: Path, values: NDArray[Any], first: int, rule: WeightRule, *, at: int) -> GraphFormatError:
    """Finds the first number, from one on, that cannot be a weight."""
    is_float = values.dtype.kind == "f"
    bits = f"these are {8 * values.itemsize}-bit floating-point numbers; " if is_float else ""
    for e, value in enumerate(values[first:].tolist(), start=first):
        if reason := rule.objection(value, f"{value:.7g} of edge {e}" if is_float else f"{value} of edge {e}"):
            return GraphFormatError(path, f"byte {at + e * values.strides[0]}", bits + reason)
    raise AssertionError("a number is no weight, but none of them")
