"""The downloader against a local server with good, truncated, changed and missing files."""

import gzip
import io
import json
import tarfile
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from inputs import catalogue, download, published
from inputs.formats import egr

MTX = b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"


def tar_of(files):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as tar:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return content.getvalue()


def zip_of(files):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as zipped:
        for name, data in files.items():
            zipped.writestr(name, data)
    return content.getvalue()


@pytest.fixture
def server():
    """Serves the bytes in `files` by path; a path in `truncated` breaks off half-way."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            content = server.files.get(self.path)
            self.send_response(404 if content is None else 200)
            self.send_header("Content-Length", str(len(content or b"")))
            self.end_headers()
            self.wfile.write((content or b"")[: len(content or b"") // 2 if self.path in server.truncated else None])

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.files, server.truncated = {}, set()
    server.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def published_graph(server, monkeypatch):
    """Lists a graph of the server in the catalogue, under the name of a real one."""

    def publish(path, vertices=3, arcs=4):
        entry = published.Published(
            description="a path",
            papers="I",
            url=f"{server.url}{path}",
            vertices=vertices,
            arcs=arcs,
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
        ("/graph.tar.gz", tar_of({"graph/readme.txt": b"0 1", "graph/graph.mtx": MTX})),
        ("/graph.zip", zip_of({"readme.html": b"<p>", "graph.mtx": MTX})),
    ],
    ids=["plain", "gzip", "tar", "zip"],
)
def test_a_good_file_is_downloaded_once(server, published_graph, tmp_path, path, content):
    server.files[path] = content
    name = published_graph(path)
    found = catalogue.ensure(name, tmp_path)
    assert found == tmp_path / f"{name}.egr"
    assert egr.read(found).neighbours.tolist() == [1, 0, 2, 1]
    assert sorted(file.name for file in (tmp_path / "downloads").iterdir()) == [path[1:], "sha256.json"]
    server.files.clear()
    found.unlink()
    assert catalogue.ensure(name, tmp_path) == found  # from the file that is there


def test_a_truncated_transfer_leaves_nothing(server, published_graph, tmp_path):
    server.files["/graph.mtx"] = MTX
    server.truncated.add("/graph.mtx")
    with pytest.raises(download.DownloadError, match=r"graph\.mtx: the transfer broke off"):
        catalogue.ensure(published_graph("/graph.mtx"), tmp_path)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []
    server.truncated.clear()
    assert catalogue.ensure(published_graph("/graph.mtx"), tmp_path).exists()


def test_a_changed_file_is_refused(server, published_graph, tmp_path):
    server.files["/graph.mtx"] = MTX
    catalogue.ensure(published_graph("/graph.mtx"), tmp_path).unlink()
    (tmp_path / "downloads" / "graph.mtx").unlink()
    server.files["/graph.mtx"] = MTX.replace(b"3 2\n", b"3 1\n")
    with pytest.raises(download.DownloadError, match=r"the file has changed; its sha256 is not [0-9a-f]{64}"):
        catalogue.ensure(published_graph("/graph.mtx"), tmp_path)
    assert not (tmp_path / "coPapersDBLP.egr").exists()
    assert not (tmp_path / "downloads" / "graph.mtx").exists()


def test_a_file_that_was_damaged_on_disk_is_downloaded_again(server, published_graph, tmp_path):
    server.files["/graph.mtx"] = MTX
    path = catalogue.ensure(published_graph("/graph.mtx"), tmp_path)
    path.unlink()
    (tmp_path / "downloads" / "graph.mtx").write_bytes(MTX[:-2])
    assert catalogue.ensure(published_graph("/graph.mtx"), tmp_path) == path


def test_hashes_are_recorded(server, tmp_path):
    server.files["/a"], server.files["/b"] = b"a", b"b"
    for name in "ab":
        download.fetch(f"{server.url}/{name}", tmp_path)
    hashes = json.loads((tmp_path / "sha256.json").read_text())
    assert list(hashes) == [f"{server.url}/a", f"{server.url}/b"]
    assert hashes[f"{server.url}/a"].startswith("ca978112ca1bbdca")


def test_a_missing_file(published_graph, tmp_path):
    with pytest.raises(download.DownloadError, match=r"graph\.mtx: 404 Not Found"):
        catalogue.ensure(published_graph("/graph.mtx"), tmp_path)
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == []


@pytest.mark.parametrize(("vertices", "arcs"), [(4, 4), (3, 5)])
def test_a_graph_of_another_size(server, published_graph, tmp_path, vertices, arcs):
    server.files["/graph.mtx"] = MTX
    with pytest.raises(download.DownloadError, match="published, but it has 3 and 4"):
        catalogue.ensure(published_graph("/graph.mtx", vertices, arcs), tmp_path)
    assert not (tmp_path / "coPapersDBLP.egr").exists()


def test_no_network_gives_a_stand_in_that_says_so(server, published_graph, tmp_path, caplog):
    name = published_graph("/graph.mtx")
    server.shutdown()
    server.server_close()
    path = catalogue.ensure(name, tmp_path)
    assert path.name == "coPapersDBLP-stand-in.egr"
    assert "cannot be reached; coPapersDBLP-stand-in.egr is a generated stand-in: path(vertices=3)" in caplog.text
    assert egr.read(path).vertex_count == 3


def test_a_graph_that_is_not_public_has_a_stand_in(published_graph, tmp_path, monkeypatch):
    name = published_graph("/none")
    monkeypatch.setitem(published.PUBLISHED, name, published.PUBLISHED[name].model_copy(update={"url": None}))
    assert catalogue.ensure(name, tmp_path).name == "coPapersDBLP-stand-in.egr"


@pytest.mark.parametrize("name", ["../../evil.mtx", "/evil.mtx", "a/../../evil.mtx"])
@pytest.mark.parametrize("pack", [tar_of, zip_of])
def test_names_in_an_archive_are_never_paths(tmp_path, pack, name):
    folder = tmp_path / "deep" / "folder"
    folder.mkdir(parents=True)
    archive = folder / ("evil.zip" if pack is zip_of else "evil.tar.gz")
    archive.write_bytes(pack({name: MTX}))
    assert download.unpack(archive, folder).parent == folder
    assert sorted(file.name for file in tmp_path.rglob("*") if file.is_file()) == sorted(
        [archive.name, f"{archive.name}.mtx"]
    )


def test_links_in_an_archive_are_not_followed(tmp_path):
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as tar:
        link = tarfile.TarInfo("graph.mtx")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(link)
    (tmp_path / "evil.tar.gz").write_bytes(content.getvalue())
    with pytest.raises(download.DownloadError, match="no graph in this archive"):
        download.unpack(tmp_path / "evil.tar.gz", tmp_path)


@pytest.mark.parametrize("name", ["graph.tar.gz", "graph.zip"])
@pytest.mark.parametrize("cut", [0, 20, 100])
def test_a_damaged_archive(tmp_path, name, cut):
    archive = tmp_path / name
    archive.write_bytes((tar_of if "tar" in name else zip_of)({"graph.mtx": MTX})[:cut])
    with pytest.raises(download.DownloadError):
        download.unpack(archive, tmp_path)
    assert list(tmp_path.iterdir()) == [archive]
