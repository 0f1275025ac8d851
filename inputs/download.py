"""Getting published graphs: downloading, unpacking, and checking that they are what they should be."""

import json
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

import pooch
import requests

from inputs import external
from inputs.formats import registry
from inputs.formats.output import replacing
from inputs.graph import EdgeList

_HASHES = "sha256.json"
_TIMEOUT = 30  # seconds without an answer, or between two parts of it
_GRAPH_SUFFIXES = {".mtx", ".txt", ".edges"}

pooch.get_logger().setLevel("ERROR")


class DownloadError(OSError):
    """A published graph could not be had, or is not what was expected; `str()` of it is one line for a person."""


class NoNetworkError(DownloadError):
    """The server could not be reached at all."""


def fetch(url: str, folder: Path) -> Path:
    """Download a file unless it is there, and check that it is the same as ever.

    The sha256 of a first download is recorded in the folder; later ones, and the file itself, must agree.

    Args:
        url: where it is; its last part is the name of the file.
        folder: where to keep it; made if needed.

    Returns:
        The path of the file, complete and checked.

    Raises:
        NoNetworkError: the server cannot be reached.
        DownloadError: the server does not have the file, the transfer broke off, or the file has changed.
        OSError: the file cannot be written.
    """
    record = folder / _HASHES
    hashes: dict[str, str] = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    name = PurePosixPath(url).name
    downloader = pooch.HTTPDownloader(timeout=_TIMEOUT)
    try:
        path = Path(pooch.retrieve(url, hashes.get(url), fname=name, path=folder, downloader=downloader))
    except (requests.ConnectionError, requests.Timeout) as error:
        raise NoNetworkError(f"{url}: the server cannot be reached") from error
    except requests.HTTPError as error:
        raise DownloadError(f"{url}: {error.response.status_code} {error.response.reason}") from error
    except requests.RequestException as error:
        raise DownloadError(f"{url}: the transfer broke off") from error
    except ValueError as error:  # pooch's answer to a wrong hash
        raise DownloadError(f"{url}: the file has changed; its sha256 is not {hashes[url]}, as recorded") from error
    if url not in hashes:
        hashes[url] = pooch.file_hash(str(path))
        with replacing(record) as file:
            file.write(json.dumps(hashes, indent=2).encode())
    return path


def unpack(archive: Path, folder: Path) -> Path:
    """Take the graph out of an archive: the one largest `.mtx`, `.txt` or `.edges` file.

    Nothing else is unpacked, and names inside an archive are never used as paths.

    Args:
        archive: a `.tar.gz` or `.zip` file; any other is a graph itself.
        folder: where to put it.

    Returns:
        The path of the graph.

    Raises:
        DownloadError: there is no graph in the archive, or the archive is damaged.
        OSError: the file cannot be written.
    """
    try:
        if archive.name.endswith(".tar.gz"):
            with tarfile.open(archive, "r:gz") as tar:
                files = {member.name: member for member in tar if member.isfile()}
                chosen = _graph_in(archive, {name: member.size for name, member in files.items()})
                content = tar.extractfile(files[chosen])
                assert content is not None  # noqa: S101  "a file, as checked"
                return _copy(content, folder / f"{archive.name}{PurePosixPath(chosen).suffix}")
        if archive.suffix == ".zip":
            with zipfile.ZipFile(archive) as zipped:
                chosen = _graph_in(archive, {info.filename: info.file_size for info in zipped.infolist()})
                with zipped.open(chosen) as content:
                    return _copy(content, folder / f"{archive.name}{PurePosixPath(chosen).suffix}")
    except (tarfile.TarError, zipfile.BadZipFile, EOFError) as error:
        raise DownloadError(f"{archive}: a damaged archive: {error}") from error
    return archive


def convert(source: Path, out: Path, *, vertices: int, arcs: int) -> None:
    """Convert a downloaded graph to `.egr`, if it has the size that its source publishes.

    Args:
        source: a graph file.
        out: the file to make.
        vertices: how many vertices there must be.
        arcs: how many arcs must be read.

    Raises:
        DownloadError: it has another size; nothing is written.
        GraphFormatError: it is not a graph.
        OSError: the file cannot be written.
    """

    def checked() -> Iterator[EdgeList]:
        found_vertices, found_arcs = 0, 0
        for batch in registry.stream(source):
            found_vertices, found_arcs = max(found_vertices, batch.vertex_count), found_arcs + len(batch.sources)
            yield batch
        if (found_vertices, found_arcs) != (vertices, arcs):
            expected = f"{vertices:,} vertices and {arcs:,} arcs are published"
            raise DownloadError(f"{source}: {expected}, but it has {found_vertices:,} and {found_arcs:,}")

    external.write_graph(checked(), out)


def _graph_in(archive: Path, sizes: dict[str, int]) -> str:
    """Choose the graph among the files of an archive."""
    graphs = [name for name in sizes if PurePosixPath(name).suffix in _GRAPH_SUFFIXES]
    if not graphs:
        raise DownloadError(f"{archive}: there is no graph in this archive")
    return max(graphs, key=lambda name: sizes[name])


def _copy(content: IO[bytes], path: Path) -> Path:
    with replacing(path) as file:
        shutil.copyfileobj(content, file, 1 << 20)
    return path
