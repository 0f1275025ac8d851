"""Columns of numbers as text of a page: little-endian arrays in a row, deflated, in base64.

The page inflates them with the browser's `DecompressionStream` and lays typed arrays over the bytes. Text that is data
alone, such as programs, goes the same way.
"""

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

ALIGNMENT = 8
"""Every array begins at a multiple of this many bytes, as typed arrays must."""

TYPES = {"uint8": "Uint8Array", "uint16": "Uint16Array", "uint32": "Uint32Array", "float32": "Float32Array"}
"""What JavaScript calls the types of columns."""


@dataclass(frozen=True)
class Packed:
    """Columns ready for a page.

    Attributes:
        layout: Of every column its name, type, first byte and length, for the page to find it.
        text: The bytes of all of them: deflated, in base64.
    """

    layout: Mapping[str, tuple[str, int, int]]
    text: str


def pack(columns: Mapping[str, np.ndarray]) -> Packed:
    """Packs columns.

    Args:
        columns: One-dimensional arrays by name, of a type in `TYPES`.

    Raises:
        KeyError: A column has another type.
    """
    layout, parts, end = {}, [], 0
    for name, column in columns.items():
        content = np.ascontiguousarray(column).astype(column.dtype.newbyteorder("<"), copy=False).tobytes()
        layout[name] = TYPES[column.dtype.name], end, len(column)
        parts.append(content.ljust(-(-len(content) // ALIGNMENT) * ALIGNMENT, b"\0"))
        end += len(parts[-1])
    return Packed(layout, deflate(b"".join(parts)))


def deflate(content: bytes) -> str:
    """Returns bytes deflated, in base64."""
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def smallest(values: np.ndarray) -> np.ndarray:
    """Returns whole numbers from 0 on in the smallest type that holds them."""
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))


def steps(values: np.ndarray) -> np.ndarray:
    """Returns the differences of whole numbers from one to the next, the first as it is, modulo 2^32.

    Rising numbers and such that follow others at a distance become small ones that repeat, so they deflate well. The
    page adds them up again.
    """
    return np.diff(values.astype(np.uint32), prepend=np.uint32(0))
