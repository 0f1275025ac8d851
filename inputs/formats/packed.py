"""Packed files and archives: which there are, what their names say is in them, and how that is read."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, cast

from inputs.formats.errors import GraphFormatError, NoRoomError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError, RuntimeError)
"""What the libraries raise of a file that breaks off, is damaged, encrypted, or none of theirs."""
_ABOUT = ("readme", "license", "licence", "meta.")
"""How names of files begin that are about the graph of an archive."""
_LONGEST_HEADER = 1 << 20


def _zstandard(file: IO[bytes]) -> IO[bytes]:
    import pyarrow as pa  # here, because it takes longer to import than all the rest of this package

    return cast("IO[bytes]", _Reader(pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd")))


class _Reader(io.BufferedReader):
    """A buffered reader that can be told attributes."""


_UNPACK: dict[str, Callable[[IO[bytes]], IO[bytes]]] = {
    ".gz": lambda file: cast("IO[bytes]", gzip.GzipFile(fileobj=file)),
    ".bz2": lambda file: cast("IO[bytes]", bz2.BZ2File(file)),
    ".xz": lambda file: cast("IO[bytes]", lzma.LZMAFile(file)),  # noqa: SIM115
    ".zst": _zstandard,
}
SUFFIXES = (*_UNPACK, ".zip", ".tar.gz", ".tgz")
"""What a packed file's name ends in; of `.tar`, any packing may follow."""


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """Turns what can go wrong while a file, packed or not, is read into a GraphFormatError."""
    try:
        yield
    except NoRoomError:
        raise
    except _DAMAGE as error:
        hint = f"get the file again, or take {path.suffix} off its name if it is not packed"
        raise GraphFormatError(path, None, f"{error}; {hint}") from error
    except OSError as error:
        raise GraphFormatError(path, None, error.strerror or str(error)) from error


def is_packed(path: Path) -> bool:
    """Tells whether a file's name says that it is packed."""
    return _is_archive(path) or path.suffix.lower() in _UNPACK


def name_inside(path: Path) -> str:
    """Returns the name of the graph file that a path stands for: its own, that which is packed, or a member's.

    Raises:
        GraphFormatError: an archive has no file, or several that may be the graph.
        OSError: an archive cannot be read.
    """
    if path.name.lower().endswith(".zip"):
        with _damage(path), zipfile.ZipFile(path) as archive:
            return PurePosixPath(member(path, (each.filename for each in archive.infolist()))).name
    if _is_archive(path):
        with path.open("rb") as stored, _damage(path), _tar(path, stored) as archive:
            return PurePosixPath(member(path, (each.name for each in _files(archive)))).name
    return path.stem if is_packed(path) else path.name


def open_bytes(path: Path) -> IO[bytes]:
    """Opens a file, unpacked if its name says that it is packed; `stored` of the latter is the file as it is stored.

    Raises:
        GraphFormatError: an archive has no file, or several that may be the graph.
        OSError: the file cannot be read.
    """
    stored = path.open("rb")
    if not is_packed(path):
        return stored
    try:
        with _damage(path):
            file = _open(path, stored)
    except BaseException:
        stored.close()
        raise
    cast("Any", file).stored = stored
    return file


def member(path: Path, names: Iterable[str]) -> str:
    """Chooses the graph in an archive: its only file, but for what is about it, or the one of its own name.

    Raises:
        GraphFormatError: there is no file, or several that may be the graph.
    """
    files = [name for name in names if not name.endswith("/") and not _is_about(PurePosixPath(name).name)]
    own = path.name.partition(".")[0]
    named = [name for name in files if PurePosixPath(name).stem == own]
    if len(files) != 1 and len(named) != 1:
        some = ", ".join(files[:5]) + (", ..." if len(files) > 5 else "")
        reason = f"an archive with several files ({some}); unpack it, and name the graph"
        raise GraphFormatError(path, None, reason if files else "there is no graph in this archive")
    return files[0] if len(files) == 1 else named[0]


def _open(path: Path, stored: IO[bytes]) -> IO[bytes]:
    if path.name.lower().endswith(".zip"):
        archive = zipfile.ZipFile(stored)
        return archive.open(member(path, archive.namelist()))
    if _is_archive(path):
        tar = _tar(path, stored)
        members = _files(tar)
        name = member(path, (each.name for each in members))
        content = tar.extractfile(next(each for each in members if each.name == name))
        assert content is not None  # noqa: S101  (a file, as asked for)
        return content
    return _UNPACK[path.suffix.lower()](stored)


def _tar(path: Path, stored: IO[bytes]) -> tarfile.TarFile:
    packing = ".gz" if path.suffix.lower() == ".tgz" else path.suffix.lower()
    if packing == ".zst":
        raise GraphFormatError(path, None, "a .tar.zst file has to be unpacked first: tar -xf")
    return tarfile.open(fileobj=in_parts(_UNPACK[packing](stored), path), mode="r:")


def _files(archive: tarfile.TarFile) -> list[tarfile.TarInfo]:
    """Returns the files of an archive, but for sparse ones: a few bytes would make terabytes of zeros."""
    return [each for each in archive if each.isfile() and not each.issparse()]


@contextmanager
def _damage(path: Path) -> Iterator[None]:
    """Turns what the libraries let through of a damaged directory of members into a GraphFormatError."""
    try:
        yield
    except (ValueError, OverflowError, LookupError, struct.error) as error:
        raise GraphFormatError(path, None, f"a damaged archive: {error}") from error


def _is_archive(path: Path) -> bool:
    name = path.name.lower()
    stem, packing = name[: -len(path.suffix)], path.suffix.lower()
    return name.endswith((".zip", ".tgz")) or (packing in _UNPACK and stem.endswith(".tar"))


def _is_about(name: str) -> bool:
    return name.startswith(".") or name.lower().startswith(_ABOUT)


def in_parts(file: IO[bytes], archive: Path) -> IO[bytes]:
    """Returns a file for tarfile, which would read a header that says that it goes on for long into memory at once.

    Raises:
        GraphFormatError: (when read) a header is longer than any that serves.
    """
    return cast("IO[bytes]", _InParts(file, archive))


class _InParts:
    def __init__(self, file: IO[bytes], archive: Path) -> None:
        self._file, self._archive = file, archive

    def read(self, size: int) -> bytes:
        if size > _LONGEST_HEADER:
            raise GraphFormatError(self._archive, None, f"a damaged archive: it has a header of {size:,} bytes")
        return self._file.read(size)

    def seek(self, position: int) -> int:
        return self._file.seek(position)

    def seekable(self) -> bool:
        return self._file.seekable()

    def tell(self) -> int:
        return self._file.tell()
