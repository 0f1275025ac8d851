"""The downloader against a local server with good, truncated, changed and missing files."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import struct
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from inputs import catalogue, download, published
from inputs.formats import egr
from tests.inputs.archives import tar_of, zip_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Publish = Callable[..., str]

MTX = b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"
LARGEST = 10_000


@pytest.fixture
def server() -> Iterator[Any]:
    """Serves the bytes in `files` by path; a path in `truncated` breaks off half-way."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = server.files.get(self.path)
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write((content or b"")[: len(content or b"") // 2 if self.path in server.truncated else None])

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.files, server.truncated = {}, set()
    server.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def published_graph(server: Any, monkeypatch: pytest.MonkeyPatch) -> Publish:
    """Lists a graph of the server in the catalogue, under the name of a real one."""

    def publish(path: str, vertices: int = 3, arcs: int = 4, directed: bool = False) -> str:
        entry = published.Published(
            description="a path",
            papers="I",
            url=f"{server.url}{path}",
            vertices=vertices,
            arcs=arcs,
            directed=directed,
            stand_in=published.StandIn(kind="path", vertices=3),
        )
        monkeypatch.setitem(published.PUBLISHED, "coPapersDBLP", entry)
        monkeypatch.setitem(catalogue.CATALOGUE, "coPapersDBLP", catalogue.Entry("a path", entry.stand_in.make))
        return "coPapersDBLP"

    return publish


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/graph.mtx", MTX),
        ("/graph.mtx.gz", gzip.compress(MTX)),
        ("/graph.tar.gz", tar_of({"graph/graph_names.txt": b"0 1\n" * 99, "graph/graph.mtx": MTX})),
        ("/graph.zip", zip_of({"readme.html": b"<p>", "graph.mtx": MTX})),
    ],
    ids=["plain", "gzip", "tar", "zip"],
)
def test_a_good_file_is_downloaded_once(
    server: Any, published_graph: Publish, tmp_path: Path, path: str, content: str
) -> None:
    server.files[path] = content
    name = published_graph(path)
    found = catalogue.ensure(name, tmp_path)
    assert found == tmp_path / f"{name}.egr"
    assert egr.read(found).neighbours.tolist() == [1, 0, 2, 1]
    assert sorted(file.name for file in (tmp_path / "downloads").iterdir()) == [path[1:], "sha256.json"]
    server.files.clear()
    found.unlink()
    assert catalogue.ensure(name, tmp_path) == found  # from the file that is there


def test_a_directed_graph_keeps_its_directions(server: Any, published_graph: Publish, tmp_path: Path) -> None:
    server.files["/graph.txt"] = b"# from to\n0 0\n0 1\n2 1\n1 2\n"
    graph = egr.read(catalogue.ensure(published_graph("/graph.txt", directed=True), tmp_path))
    assert graph.directed
    assert graph.row_offsets.tolist() == [0, 1, 2, 3]
    assert graph.neighbours.tolist() == [1, 2, 1]


def test_slashdot_is_the_graph_that_its_entry_says(shared_graphs: Path, tmp_path: Path) -> None:
    entry = published.PUBLISHED["soc-Slashdot0902"]
    graph = download.unpack(shared_graphs / "soc-Slashdot0902.txt.gz", tmp_path, 1 << 26)
    out = tmp_path / "out.egr"
    download.convert(graph, out, vertices=entry.vertices, arcs=entry.arcs, directed=entry.directed)
    assert egr.read(out).edge_count == 948_464 - 78_303  # loops


def test_a_truncated_transfer_leaves_nothing(server: Any, published_graph: Publish, tmp_path: Path) -> None:
    server.files["/graph.mtx"] = MTX
    server.truncated.add("/graph.mtx")
    with pytest.raises(download.DownloadError, match=r"graph\.mtx: the transfer broke off"):
        catalogue.ensure(published_graph("/graph.mtx"), tmp_path)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []
    server.truncated.clear()
    assert catalogue.ensure(published_graph("/graph.mtx"), tmp_path).exists()


def test_a_changed_file_is_refused(server: Any, published_graph: Publish, tmp_path: Path) -> None:
    server.files["/graph.mtx"] = MTX
    catalogue.ensure(published_graph("/graph.mtx"), tmp_path).unlink()
    (tmp_path / "downloads" / "graph.mtx").unlink()
    server.files["/graph.mtx"] = MTX.replace(b"3 2\n", b"3 1\n")
    with pytest.raises(download.DownloadError, match=r"the file has changed; its sha256 is not [0-9a-f]{64}"):
        catalogue.ensure(published_graph("/graph.mtx"), tmp_path)
    assert not (tmp_path / "coPapersDBLP.egr").exists()
    assert not (tmp_path / "downloads" / "graph.mtx").exists()


def test_a_file_that_was_damaged_on_disk_is_downloaded_again(
    server: Any, published_graph: Publish, tmp_path: Path
) -> None:
    server.files["/graph.mtx"] = MTX
    path = catalogue.ensure(published_graph("/graph.mtx"), tmp_path)
    path.unlink()
    (tmp_path / "downloads" / "graph.mtx").write_bytes(MTX[:-2])
    assert catalogue.ensure(published_graph("/graph.mtx"), tmp_path) == path


def test_hashes_are_recorded(server: Any, tmp_path: Path) -> None:
    for name in ("a.mtx", "b.mtx"):
        server.files[f"/{name}"] = MTX
        download.get(f"{server.url}/{name}", tmp_path, tmp_path / "graph.egr", vertices=3, arcs=4)
    hashes = json.loads((tmp_path / "sha256.json").read_text())
    assert hashes == {f"{server.url}/{name}.mtx": hashlib.sha256(MTX).hexdigest() for name in "ab"}


@pytest.mark.parametrize("content", ["", "[1]", '{"a": 1}', '{"a'])
def test_damaged_hashes(server: Any, tmp_path: Path, content: str) -> None:
    (tmp_path / "sha256.json").write_text(content)
    with pytest.raises(download.DownloadError, match=r"sha256\.json: damaged; delete it"):
        download.get(f"{server.url}/a.mtx", tmp_path, tmp_path / "graph.egr", vertices=3, arcs=4)


WRONG = {
    "/graph.mtx": MTX.replace(b"3 3 2", b"4 4 2"),
    "/graph.gr.gz": gzip.compress(MTX),
    "/graph.mtx.gz": gzip.compress(MTX)[:-10],
    "/graph.tar.gz": b"<html>Sign in to this network</html>",
    "/graph.zip": zip_of({"graph.mtx": MTX[:-4]}),
}


@pytest.mark.parametrize("path", WRONG)
def test_a_wrong_file_is_not_kept(server: Any, published_graph: Publish, tmp_path: Path, path: str) -> None:
    server.files[path] = WRONG[path]
    name = published_graph(path)
    with pytest.raises(download.DownloadError, match=r"not kept, as it is not the graph that it should be") as caught:
        catalogue.ensure(name, tmp_path)
    assert "\n" not in str(caught.value)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []
    server.files["/graph.mtx"] = MTX
    assert catalogue.ensure(published_graph("/graph.mtx"), tmp_path).exists()


def test_a_wrong_file_that_was_kept_once_is_replaced(server: Any, published_graph: Publish, tmp_path: Path) -> None:
    """Before files were checked first, wrong ones stayed, with their hashes."""
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    (downloads / "graph.mtx").write_bytes(b"wrong")
    hashes = {f"{server.url}/graph.mtx": hashlib.sha256(b"wrong").hexdigest(), "other": "stays"}
    (downloads / "sha256.json").write_text(json.dumps(hashes))
    server.files["/graph.mtx"] = MTX
    name = published_graph("/graph.mtx")
    with pytest.raises(download.DownloadError, match="not kept"):
        catalogue.ensure(name, tmp_path)
    assert catalogue.ensure(name, tmp_path).exists()
    assert set(json.loads((downloads / "sha256.json").read_text())) == set(hashes)


BLANKS = MTX + b" " * (2 << 20)


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/graph.mtx", BLANKS),
        ("/graph.mtx.gz", gzip.compress(BLANKS)),
        ("/graph.tar.gz", tar_of({"graph.mtx": BLANKS})),
        ("/graph.tar.gz", tar_of({"other": BLANKS, "graph.mtx": MTX})),
        ("/graph.zip", zip_of({"graph.mtx": BLANKS})),
    ],
    ids=["plain", "gzip", "tar", "tar-other", "zip"],
)
def test_what_is_too_large_is_not_kept(
    server: Any, published_graph: Publish, tmp_path: Path, path: str, content: str
) -> None:
    server.files[path] = content
    with pytest.raises(download.DownloadError, match=r"more than 1,049,024 bytes, too much for the graph"):
        catalogue.ensure(published_graph(path), tmp_path)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []


def test_a_missing_file(published_graph: Publish, tmp_path: Path) -> None:
    with pytest.raises(download.DownloadError, match=r"graph\.mtx: 404 Not Found"):
        catalogue.ensure(published_graph("/graph.mtx"), tmp_path)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []


@pytest.mark.parametrize(("vertices", "arcs"), [(4, 4), (3, 5), (3, 3)])
def test_a_graph_of_another_size(
    server: Any, published_graph: Publish, tmp_path: Path, vertices: int, arcs: int
) -> None:
    server.files["/graph.mtx"] = MTX
    with pytest.raises(download.DownloadError, match="published, but it has 3 and 4"):
        catalogue.ensure(published_graph("/graph.mtx", vertices, arcs), tmp_path)
    assert not (tmp_path / "coPapersDBLP.egr").exists()


def test_no_network_gives_a_stand_in_that_says_so(
    server: Any, published_graph: Publish, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    name = published_graph("/graph.mtx")
    server.shutdown()
    server.server_close()
    path = catalogue.ensure(name, tmp_path)
    assert path.name == "coPapersDBLP-stand-in.egr"
    assert "cannot be reached; coPapersDBLP-stand-in.egr is a generated stand-in: path(vertices=3)" in caplog.text
    assert egr.read(path).vertex_count == 3


def test_a_graph_that_is_not_public_has_a_stand_in(
    published_graph: Publish, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = published_graph("/none")
    monkeypatch.setitem(published.PUBLISHED, name, published.PUBLISHED[name].model_copy(update={"url": None}))
    assert catalogue.ensure(name, tmp_path).name == "coPapersDBLP-stand-in.egr"


@pytest.mark.parametrize("name", ["../../evil.mtx", "/evil.mtx", "a/../../evil.mtx"])
@pytest.mark.parametrize("pack", [tar_of, zip_of])
def test_names_in_an_archive_are_never_paths(
    tmp_path: Path, pack: Callable[[dict[str, bytes]], bytes], name: str
) -> None:
    folder = tmp_path / "deep" / "folder"
    folder.mkdir(parents=True)
    archive = folder / ("evil.zip" if pack is zip_of else "evil.tar.gz")
    archive.write_bytes(pack({name: MTX}))
    assert download.unpack(archive, folder, LARGEST).parent == folder
    assert sorted(file.name for file in tmp_path.rglob("*") if file.is_file()) == sorted(
        [archive.name, f"{archive.name}.mtx"]
    )


def extended(kind: bytes, size: int, count: int = 1) -> bytes:
    """A tar file that begins with headers of a kind, each of a size."""
    headers = []
    for _ in range(count):
        member = tarfile.TarInfo("graph.mtx")
        member.type, member.size = kind, size
        headers.append(member.tobuf(tarfile.GNU_FORMAT) + bytes(min(size, LARGEST) + -size % 512))
    return gzip.compress(b"".join(headers) + bytes(1024))


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK])
@pytest.mark.parametrize(("size", "count"), [(2**33 - 1, 1), (2**21, 1), (512, 5000)])
def test_headers_of_members_are_bounded(tmp_path: Path, kind: bytes, size: int, count: int) -> None:
    """Each of them would be read into memory whole."""
    (tmp_path / "evil.tar.gz").write_bytes(extended(kind, size, count))
    with pytest.raises(download.DownloadError, match="damaged"):
        download.unpack(tmp_path / "evil.tar.gz", tmp_path, LARGEST)
    assert {path.name for path in tmp_path.iterdir()} == {"evil.tar.gz"}


def test_links_in_an_archive_are_not_followed(tmp_path: Path) -> None:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as tar:
        link = tarfile.TarInfo("graph.mtx")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    (tmp_path / "evil.tar.gz").write_bytes(content.getvalue())
    with pytest.raises(download.DownloadError, match="no graph in this archive"):
        download.unpack(tmp_path / "evil.tar.gz", tmp_path, LARGEST)


def flagged(zipped: bytes, flag: int, method: int) -> bytes:
    """Say in both headers of a zip file that its one file has these flags and is packed by this method."""
    content = bytearray(zipped)
    for start in (content.index(b"PK\3\4") + 6, content.index(b"PK\1\2") + 8):
        content[start : start + 4] = struct.pack("<HH", flag, method)
    return bytes(content)


GOOD = {
    "graph.tar.gz": tar_of({"graph.mtx": MTX}),
    "graph.zip": zip_of({"graph.mtx": MTX}),
    "stored.zip": zip_of({"graph.mtx": MTX}, zipfile.ZIP_STORED),
    "bzip2.zip": zip_of({"graph.mtx": MTX}, zipfile.ZIP_BZIP2),
    "lzma.zip": zip_of({"graph.mtx": MTX}, zipfile.ZIP_LZMA),
    "graph.mtx.gz": gzip.compress(MTX),
}


def damaged(archive: bytes, generator: np.random.Generator) -> bytes:
    """Change a few bytes of an archive, or cut or repeat a part of it."""
    content = bytearray(archive)
    for _ in range(generator.integers(1, 4)):
        first, last = sorted(generator.integers(0, len(content) + 1, 2).tolist())
        match generator.integers(0, 5):
            case 0:
                del content[first:]
            case 1:
                del content[first:last]
            case 2:
                content[first:first] = content[first:last]
            case _:
                content[first : first + 1] = generator.bytes(1)
    return bytes(content)


@pytest.mark.parametrize("seed", range(250))
def test_a_damaged_archive_is_one_line_or_the_graph(tmp_path: Path, seed: int) -> None:
    generator = np.random.default_rng(seed)
    name = list(GOOD)[seed % len(GOOD)]
    archive = tmp_path / name
    archive.write_bytes(damaged(GOOD[name], generator))
    graph, complaint = archive, ""
    try:
        graph = download.unpack(archive, tmp_path, LARGEST)
    except download.DownloadError as error:
        complaint = str(error)
    assert complaint.startswith(f"{archive}: ") == (graph == archive)
    assert "\n" not in complaint
    assert set(tmp_path.iterdir()) == {archive, graph}
    assert graph == archive or graph.stat().st_size <= LARGEST


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("graph.zip", flagged(GOOD["graph.zip"], 1, 8), "encrypted"),
        ("graph.zip", flagged(GOOD["graph.zip"], 0, 77), "compression method is not supported"),
        ("graph.zip", GOOD["graph.zip"][:-30], "not a zip file"),
        ("graph.tar.gz", GOOD["graph.tar.gz"][:60], "damaged"),
        ("graph.tar.gz", b"", "damaged"),
        ("graph.mtx.gz", MTX, "Not a gzipped file"),
    ],
    ids=["encrypted", "method", "no-zip", "cut-tar", "empty-tar", "no-gzip"],
)
def test_an_archive_that_cannot_be_read_says_why(tmp_path: Path, name: str, content: str, reason: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(download.DownloadError, match=reason):
        download.unpack(tmp_path / name, tmp_path, LARGEST)
    assert list(tmp_path.iterdir()) == [tmp_path / name]
