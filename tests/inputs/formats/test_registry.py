from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

from inputs.formats import egr, registry
from inputs.formats.errors import GraphFormatError
from inputs.graph import Graph, from_edges
from tests.inputs.archives import tar_of, zip_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TRIANGLE = from_edges(3, np.array([0, 1, 2]), np.array([1, 2, 0]), np.array([5, 6, 7]))
TEXTS = {
    ".txt": "# triangle\n0 1 5\n1 2 6\n2 0 7\n",
    ".el": "0 1 5\n1 2 6\n2 0 7\n",
    ".tsv": "0\t1\t5\n1\t2\t6\n2\t0\t7\n",
    ".gr": "p sp 3 3\na 1 2 5\na 2 3 6\na 3 1 7\n",
    ".mtx": "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n2 1 5\n3 2 6\n3 1 7\n",
}


@pytest.mark.parametrize("suffix", TEXTS)
def test_every_text_format_gives_the_same_graph(
    tmp_path: Path, assert_same: Callable[[Graph, Graph], None], suffix: str
) -> None:
    plain = tmp_path / f"triangle{suffix}"
    plain.write_text(TEXTS[suffix])
    assert_same(registry.load(plain), TRIANGLE)
    for name in (f"triangle{suffix}.gz", f"TRIANGLE{suffix}.GZ".upper()):
        packed = tmp_path / name
        packed.write_bytes(gzip.compress(TEXTS[suffix].encode()))
        assert_same(registry.load(packed), TRIANGLE)


@pytest.mark.parametrize("suffix", TEXTS)
def test_lines_end_in_line_feeds(tmp_path: Path, assert_same: Callable[[Graph, Graph], None], suffix: str) -> None:
    path = tmp_path / f"triangle{suffix}"
    path.write_bytes(TEXTS[suffix].replace("\n", "\r\n").encode())
    assert_same(registry.load(path), TRIANGLE)
    path.write_bytes(TEXTS[suffix].replace("\n", "\r").encode())
    with pytest.raises(GraphFormatError, match=r"lines end in carriage returns alone: tr"):
        registry.load(path)


def test_egr_is_cleaned_too(tmp_path: Path, assert_same: Callable[[Graph, Graph], None]) -> None:
    path = tmp_path / "directed.egr"
    np.array([3, 4, 0, 2, 3, 4, 1, 0, 2, 0, 5, 9, 6, 7], dtype="<i4").tofile(path)
    assert_same(registry.load(path), TRIANGLE)


@pytest.mark.parametrize("suffix", [*TEXTS, ".egr"])
def test_a_gzip_that_breaks_off(tmp_path: Path, suffix: str) -> None:
    plain, packed = tmp_path / f"triangle{suffix}", tmp_path / f"broken{suffix}.gz"
    egr.write(TRIANGLE, plain)
    packed.write_bytes(gzip.compress(TEXTS.get(suffix, "").encode() or plain.read_bytes())[:-12])
    with pytest.raises(GraphFormatError, match=r"broken.*: "):
        registry.load(packed)


def _tar(content: bytes, *others: str) -> bytes:
    return tar_of(dict.fromkeys(("triangle/triangle.el", *others), content), "w")


def _zip(content: bytes, *others: str) -> bytes:
    return zip_of(dict.fromkeys(("triangle/triangle.el", *others), content))


def _zst(content: bytes) -> bytes:
    return bytes(pa.compress(content, codec="zstd", asbytes=True))


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "triangle.el.gz": gzip.compress,
    "triangle.el.bz2": bz2.compress,
    "triangle.el.xz": lzma.compress,
    "triangle.el.zst": _zst,
    "triangle.zip": _zip,
    "other.zip": lambda content: _zip(content, "triangle/README.txt", "LICENSE", "triangle/.hidden", "folder/"),
    "triangle.tar.gz": lambda content: gzip.compress(_tar(content, "coordinates.el")),
    "other.tgz": lambda content: gzip.compress(_tar(content, "triangle/README")),
    "other.tar.bz2": lambda content: bz2.compress(_tar(content, "meta.triangle")),
    "OTHER.TAR.XZ": lambda content: lzma.compress(_tar(content)),
}


@pytest.mark.parametrize("name", PACKED)
def test_every_packing(tmp_path: Path, assert_same: Callable[[Graph, Graph], None], name: str) -> None:
    path = tmp_path / name
    path.write_bytes(PACKED[name](("#" + "x" * 100_000 + "\n" + TEXTS[".el"]).encode()))
    assert_same(registry.load(path), TRIANGLE)
    for text in (b"\xef\xbb\xbf0 1 5\r\n1 2 6\r\n2 0 7\r\n", b"id,source,target,weight\n1,0,1,5\n2,1,2,6\n3,2,0,7\n"):
        path.write_bytes(PACKED[name](text))
        assert_same(registry.load(path), TRIANGLE)


@pytest.mark.parametrize("name", PACKED)
def test_a_packed_file_that_breaks_off_is_damaged_or_is_none(tmp_path: Path, name: str) -> None:
    path, content = tmp_path / name, PACKED[name](TEXTS[".el"].encode() * 50)
    end = [] if "tar" in name.lower() or "tgz" in name else [content[:-12]]  # of a tar file, nothing but zeros
    for wrong in (content[: len(content) // 2], *end, b"0 1 5\n" * 20, b""):
        path.write_bytes(wrong)
        with pytest.raises(GraphFormatError, match=name):
            registry.load(path)


def test_a_binary_file_may_be_packed(tmp_path: Path, assert_same: Callable[[Graph, Graph], None]) -> None:
    egr.write(TRIANGLE, tmp_path / "triangle.egr")
    for suffix, pack in ((".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress), (".zst", _zst)):
        (tmp_path / f"triangle.egr{suffix}").write_bytes(pack((tmp_path / "triangle.egr").read_bytes()))
        assert_same(registry.load(tmp_path / f"triangle.egr{suffix}"), TRIANGLE)


@pytest.mark.parametrize(("name", "pack"), [("a.zip", _zip), ("a.tar.gz", lambda *each: gzip.compress(_tar(*each)))])
def test_an_archive_has_one_graph(tmp_path: Path, name: str, pack: Callable[..., bytes]) -> None:
    path = tmp_path / name
    path.write_bytes(pack(b"0 1\n", "others.el"))
    with pytest.raises(GraphFormatError, match=r"several files \(triangle/triangle.el, others.el\); unpack it"):
        registry.load(path)


def test_a_tar_whose_header_would_fill_memory_is_damaged(tmp_path: Path) -> None:
    member = tarfile.TarInfo("name")
    member.type, member.size = tarfile.GNUTYPE_LONGNAME, 1 << 30
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(member.tobuf()))
    with pytest.raises(GraphFormatError, match="it has a header of"):
        registry.load(path)


@pytest.mark.parametrize("others", [(), ("b\nerror: c.el",)])
def test_names_in_an_archive_make_no_lines(tmp_path: Path, others: tuple[str, ...]) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(_zip(b"0 1\n", *others).replace(b"triangle/triangle.el", b"triangle/x\nerror:.xl"))
    with pytest.raises(GraphFormatError) as caught:
        registry.load(path)
    assert "\\n" in str(caught.value) or not others
    assert len(str(caught.value).splitlines()) == 1


PAX = {"comment": "x" * 9, "size": "8", "GNU.sparse.map": "0,8", "GNU.sparse.size": "8", "path": "triangle.el"}


def _with_checksums(content: bytes) -> bytes:
    """Returns a tar file whose headers are read whatever they say."""
    blocks = bytearray(content)
    for at in range(0, len(blocks) - 511, 512):
        if blocks[at + 257 : at + 262] == b"ustar":
            total = sum(blocks[at : at + 148]) + 8 * 32 + sum(blocks[at + 156 : at + 512])
            blocks[at + 148 : at + 156] = b"%06o\0 " % total
    return bytes(blocks)


def _pax() -> bytes:
    file, member = io.BytesIO(), tarfile.TarInfo("triangle.el")
    member.size, member.pax_headers = 8, PAX
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(member, io.BytesIO(b"0 1\n1 2\n"))
    return file.getvalue()[:2560]


@pytest.mark.parametrize(
    ("name", "content", "pack"),
    [
        ("a.zip", _zip(b"0 1\n1 2\n").replace(b"triangle/", "tri\u00e4ngle".encode()), bytes),
        ("a.tar.gz", _pax(), lambda content: gzip.compress(_with_checksums(content), 1)),
    ],
)
def test_an_archive_with_any_byte_wrong_is_read_or_refused(
    tmp_path: Path, name: str, content: bytes, pack: Callable[[bytes], bytes]
) -> None:
    """Python's own errors are about no file."""
    path, refused = tmp_path / name, 0
    places = [at for at in range(len(content)) if content[at : at + 16].strip(b"\0")]  # not in the midst of nothing
    for at in places:
        for wrong in (b"\xff", b"9"):
            path.write_bytes(pack(content[:at] + wrong + content[at + 1 :]))
            try:
                registry.load(path)
            except GraphFormatError:
                refused += 1
    assert refused > len(places) / 10


@pytest.mark.parametrize("key", ["GNU.sparse.map", "GNU.sparse.size", "size"])
def test_a_sparse_or_endless_member_is_no_graph(tmp_path: Path, key: str) -> None:
    for value in ("x", "-5", "9" * 30, "1" + "0" * 12):
        file, member = io.BytesIO(), tarfile.TarInfo("triangle.el")
        member.pax_headers = {"GNU.sparse.map": "0,0", "GNU.sparse.size": "1", key: value}
        with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
            archive.addfile(member)
        (tmp_path / "a.tar.gz").write_bytes(gzip.compress(file.getvalue()))
        with pytest.raises(GraphFormatError, match=r"a\.tar\.gz: "):
            registry.load(tmp_path / "a.tar.gz")


def test_konect_says_it_in_front(tmp_path: Path, assert_same: Callable[[Graph, Graph], None]) -> None:
    for name in ("out.triangle", "out.moreno_triangle.bz2"):
        content = TEXTS[".el"].encode()
        (tmp_path / name).write_bytes(bz2.compress(content) if name.endswith(".bz2") else content)
        assert_same(registry.load(tmp_path / name), TRIANGLE)


def test_not_gzip_at_all(tmp_path: Path) -> None:
    path = tmp_path / "graph.el.gz"
    path.write_text("0 1\n")
    with pytest.raises(GraphFormatError, match=r"[Nn]ot a gzipped file"):
        registry.load(path)


@pytest.mark.parametrize("name", ["missing.el", "missing.egr", "missing.mtx", "missing.gr"])
def test_a_missing_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(GraphFormatError, match=f"{name}: No such file"):
        registry.load(tmp_path / name)


@pytest.mark.parametrize("suffix", [*TEXTS, ".egr"])
def test_a_directory(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"folder{suffix}"
    path.mkdir()
    with pytest.raises(GraphFormatError, match="Is a directory"):
        registry.load(path)


def test_an_unknown_suffix(tmp_path: Path) -> None:
    with pytest.raises(GraphFormatError, match=r"unknown suffix '\.doc'; known.* \.egr .*\.mtx"):
        registry.load(tmp_path / "graph.doc")
