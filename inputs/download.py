"""Getting published graphs: downloading, unpacking, and checking that they are what they should be."""

import errno
import gzip
import json
import lzma
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, cast

import pooch
import requests
from pydantic import TypeAdapter

from inputs import external
from inputs.formats import registry
from inputs.formats.errors import GraphFormatError
from inputs.formats.output import whole_file
from inputs.formats.packed import in_parts, member
from inputs.formats.text import open_bytes
from inputs.graph import EdgeList

_HASHES = "sha256.json"
_TIMEOUT = 30  # seconds without an answer, or between two parts of it
_LINE = 64  # bytes of text that a vertex or an arc takes at most, on average
_PART = 1 << 20  # bytes of an archive that are read at a time
_REST = 1 << 20  # bytes of comments and of other files in an archive
_HASHES_BY_URL = TypeAdapter(dict[str, str])
_DAMAGE = (tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, ValueError)

pooch.get_logger().setLevel("ERROR")


class DownloadError(OSError):
    """A published graph could not be had, or is not what was expected; `str()` of it is one line for a person."""


class NoNetworkError(DownloadError):
    """The server could not be reached at all."""


def get(url: str, folder: Path, out: Path, *, vertices: int, arcs: int, directed: bool = False) -> None:
    """Downloads a published graph and converts it to `.egr`; what is not that graph is not kept.

    The sha256 of the first good download is recorded in the folder; later ones, and the file itself, must agree.

    Args:
        url: where it is; its last part is the name of the file.
        folder: where to keep what is downloaded; made if needed.
        out: the file to make.
        vertices: how many vertices there must be.
        arcs: how many arcs must be read; with the vertices, they bound the size of the file, packed or not.
        directed: edges keep their directions.

    Raises:
        NoNetworkError: the server cannot be reached.
        DownloadError: the server does not have the file, the transfer broke off, the file has changed, or it is not a
            graph of this size.
        OSError: a file cannot be written.
    """
    largest = _LINE * (vertices + arcs) + _REST
    record = _Record(folder / _HASHES)
    archive = fetch(url, folder, record.hash_of(url), largest)
    try:
        graph = unpack(archive, folder, largest)
        try:
            convert(graph, out, vertices=vertices, arcs=arcs, directed=directed)
        finally:
            if graph != archive:
                graph.unlink()
    except (DownloadError, GraphFormatError) as error:
        archive.unlink()
        record.put(url, None)
        raise DownloadError(f"{url}: not kept, as it is not the graph that it should be: {error}") from error
    record.put(url, pooch.file_hash(str(archive)))


def fetch(url: str, folder: Path, sha256: str | None, largest: int) -> Path:
    """Downloads a file unless it is there.

    Args:
        url: where it is; its last part is the name of the file.
        folder: where to keep it; made if needed.
        sha256: of the file, or None if any will do.
        largest: how many bytes it may have.

    Returns:
        The path of the file, complete.

    Raises:
        NoNetworkError: the server cannot be reached.
        DownloadError: the server does not have the file, the transfer broke off, or the file has another sha256 or is
            too large; nothing is left behind.
        OSError: the file cannot be written.
    """

    def transfer(_: str, to: str, __: object) -> None:
        with Path(to).open("wb") as file:
            pooch.HTTPDownloader(timeout=_TIMEOUT)(url, _Bounded(file, url, largest), None)

    try:
        return Path(pooch.retrieve(url, sha256, fname=PurePosixPath(url).name, path=folder, downloader=transfer))
    except (requests.ConnectionError, requests.Timeout) as error:
        raise NoNetworkError(f"{url}: the server cannot be reached") from error
    except requests.HTTPError as error:
        raise DownloadError(f"{url}: {error.response.status_code} {error.response.reason}") from error
    except requests.RequestException as error:
        raise DownloadError(f"{url}: the transfer broke off") from error
    except ValueError as error:  # pooch's answer to a wrong hash
        reason = f"the file has changed; its sha256 is not {sha256}, as recorded"
        raise DownloadError(f"{url}: {reason}; remove the line from {folder / _HASHES} to take the new one") from error


def unpack(archive: Path, folder: Path, largest: int) -> Path:
    """Takes the graph out of an archive, as reading it there would.

    Nothing else is unpacked, and names inside an archive are never used as paths.

    Args:
        archive: a `.tar.gz`, `.zip` or `.gz` file; any other is a graph itself.
        folder: where to put it.
        largest: how many bytes the graph, and all that is before it in a `.tar.gz`, may have.

    Returns:
        The path of the graph.

    Raises:
        DownloadError: there is no graph in the archive, or one that is too large, encrypted, packed by an unknown
            method or damaged; nothing is left behind.
        OSError: the file cannot be written.
    """
    try:
        if archive.name.endswith(".tar.gz"):
            with (
                gzip.open(archive) as unpacked,
                tarfile.open(fileobj=in_parts(cast("IO[bytes]", unpacked), archive), mode="r:") as tar,
            ):
                files = {each.name: each for each in _members(archive, tar, largest) if each.isfile()}
                chosen = member(archive, files)
                content = tar.extractfile(files[chosen])
                assert content is not None  # noqa: S101  "a file, as checked"
                return _copy(archive, content, folder / f"{archive.name}{PurePosixPath(chosen).suffix}", largest)
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as zipped:
                chosen = member(archive, zipped.namelist())
                with zipped.open(chosen) as packed:
                    path = folder / f"{archive.name}{PurePosixPath(chosen).suffix}"
                    return _copy(archive, packed, path, largest)
        if archive.suffix == ".gz":
            with open_bytes(archive) as packed:
                return _copy(archive, packed, folder / f"{archive.name}{Path(archive.stem).suffix}", largest)
    except GraphFormatError as error:
        raise DownloadError(str(error)) from error
    except _DAMAGE as error:
        raise DownloadError(f"{archive}: a damaged archive, or one of an unknown kind: {error}") from error
    except OSError as error:
        # Unpackers give no errno, and zipfile seeks to wherever a header says; others are about this machine.
        if isinstance(error, DownloadError) or error.errno not in (None, errno.EINVAL):
            raise
        raise DownloadError(f"{archive}: a damaged archive: {error}") from error
    return archive


def convert(source: Path, out: Path, *, vertices: int, arcs: int, directed: bool = False) -> None:
    """Converts a downloaded graph to `.egr`, if it has the size that its source publishes.

    Args:
        source: a graph file.
        out: the file to make.
        vertices: how many vertices there must be.
        arcs: how many arcs must be read.
        directed: edges keep their directions.

    Raises:
        DownloadError: it has another size; nothing is written.
        GraphFormatError: it is not a graph.
        OSError: the file cannot be written.
    """

    def checked() -> Iterator[EdgeList]:
        found_vertices, found_arcs = 0, 0
        for batch in registry.stream(source):
            found_vertices, found_arcs = max(found_vertices, batch.vertex_count), found_arcs + len(batch.sources)
            if found_arcs > arcs:
                break
            yield batch
        if (found_vertices, found_arcs) != (vertices, arcs):
            more = " or more" if found_arcs > arcs else ""
            expected = f"{vertices:,} vertices and {arcs:,} arcs are published"
            raise DownloadError(f"{source}: {expected}, but it has {found_vertices:,} and {found_arcs:,}{more}")

    external.write_graph(checked(), out, directed=directed)


def _members(archive: Path, tar: tarfile.TarFile, largest: int) -> Iterator[tarfile.TarInfo]:
    """Lists what is in an archive, but nothing that begins or ends after `largest` bytes."""
    for each in tar:
        if each.offset_data + each.size > largest:
            raise _too_large(archive, largest)
        yield each


def _copy(archive: Path, content: IO[bytes], path: Path, largest: int) -> Path:
    with whole_file(path) as file:
        shutil.copyfileobj(content, _Bounded(file, archive, largest), _PART)
    return path


def _too_large(source: Path | str, largest: int) -> DownloadError:
    return DownloadError(f"{source}: more than {largest:,} bytes, too much for the graph that it should be")


class _Bounded:
    """A file that takes only so many bytes."""

    def __init__(self, file: IO[bytes], source: Path | str, largest: int) -> None:
        self._file, self._source, self._largest = file, source, largest
        self._left = largest

    def write(self, content: bytes) -> int:
        """Writes, or raises DownloadError."""
        self._left -= len(content)
        if self._left < 0:
            raise _too_large(self._source, self._largest)
        return self._file.write(content)

    def flush(self) -> None:
        """Does what pooch does after each part."""
        self._file.flush()


class _Record:
    """The file with the sha256 of each good download, by URL."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._hashes = _HASHES_BY_URL.validate_json(path.read_bytes()) if path.exists() else {}
        except ValueError as error:
            raise DownloadError(f"{path}: damaged; delete it, and the downloads beside it") from error

    def hash_of(self, url: str) -> str | None:
        """Returns the sha256 of a file, or None if there has been no good download."""
        return self._hashes.get(url)

    def put(self, url: str, sha256: str | None) -> None:
        """Records the sha256 of a good download, or forgets a bad one."""
        hashes = {known: of for known, of in {**self._hashes, url: sha256}.items() if of is not None}
        if hashes != self._hashes:
            self._hashes = hashes
            with whole_file(self._path) as file:
                file.write(json.dumps(hashes, indent=2).encode())
