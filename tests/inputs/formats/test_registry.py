from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import numpy as np
import pytest

from inputs.formats import egr, registry
from inputs.formats.errors import GraphFormatError
from inputs.graph import Graph, from_edges

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
