"""Mutated files, converted one after the other in one process: no traceback, no hang, no more memory than said."""

from __future__ import annotations

import bz2
import gzip
import lzma
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pytest

from inputs.formats import packed, registry
from inputs.graph import from_edges
from tests.inputs.archives import tar_of, zip_of
from tests.inputs.test_bad_files import CORPUS
from tests.memory import LONG

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SUFFIXES = [suffix for graph_format in registry.FORMATS for suffix in graph_format.suffixes]
ORIGINALS = [
    path
    for path in sorted(CORPUS.iterdir())
    if (path.suffix in SUFFIXES or path.name.startswith("out.")) and path.stat().st_size < 10_000
]
"""Files as others write them, and wrong ones."""
TOKENS = [b"-1", b"1234567890", b"99999999999999999999", b"0x10", b"1e9", b"nan", b"\n", b" ", b"\0", b"\xff" * 4, b'"']
TOKENS += [
    b";",
    b",",
    b"#",
    b"%",
    b"c",
    b"\r",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\x7f\xff\xff\xff",
    b"\0" * 8,
    b"7" * 9999,
]
COUNT = 600 if LONG else 150
LARGEST_FILE = 1 << 26  # a largest id of a billion is right, but its row offsets fill the disk
CONVERT_ALL = """
import resource, signal, sys
from pathlib import Path
from inputs.cli import main

folder, out, largest = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
for path in sorted(path for path in folder.iterdir() if path.suffix != ".v"):  # .v is read with the .e file beside it
    signal.alarm(60)  # ends this process where a file makes it hang
    try:
        main(["convert", *sys.argv[4:], str(path), str(out)])
    except SystemExit as end:
        print("code", end.code or 0, path.name)
print(*(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")))
"""


def mutated(original: bytes, generator: np.random.Generator) -> bytes:
    content = bytearray(original)
    for _ in range(generator.integers(1, 3)):
        first, last = sorted(generator.integers(0, len(content) + 1, 2).tolist())
        match generator.integers(0, 12):
            case 0:
                del content[first:]
            case 1:
                del content[first:last]
            case 2:
                content[last:last] = content[first:last] * 20
            case 3:
                content[first : first + 1] = generator.bytes(1)
            case 4 | 5 | 6 | 7:
                content[first : first + 1] = b"%d" % generator.integers(0, 10)
            case _:
                content[first : min(last, first + 4)] = TOKENS[generator.integers(len(TOKENS))]
    return bytes(content)


PACKINGS: dict[str, Callable[[bytes, str], bytes]] = {
    ".gz": lambda content, _: gzip.compress(content),
    ".bz2": lambda content, _: bz2.compress(content),
    ".xz": lambda content, _: lzma.compress(content),
    ".zst": lambda content, _: pa.Codec("zstd").compress(content, asbytes=True),
    ".zip": lambda content, name: zip_of({name: content}),
    ".tar.gz": lambda content, name: tar_of({name: content}),
    ".tgz": lambda content, name: tar_of({name: content}),
}


def test_every_packing_is_mutated() -> None:
    assert {*PACKINGS} == {*packed.SUFFIXES}


def original(seed: int, generator: np.random.Generator, folder: Path) -> tuple[str, bytes]:
    """Returns the name and the content of a file: by turns as this project writes it, or as others do."""
    if seed % 2:
        path = ORIGINALS[seed // 2 % len(ORIGINALS)]
        return f"out.{seed:03}" if path.name.startswith("out.") else f"{seed:03}{path.suffix}", path.read_bytes()
    path = folder / f"{seed:03}{SUFFIXES[seed // 2 % len(SUFFIXES)]}"
    ends = generator.integers(0, 50, (200, 2))
    weights = generator.integers(0, 1000, 200) if generator.random() < 0.5 else None
    registry.format_named(path).write(from_edges(50, *ends.T, weights), path)
    content = path.read_bytes()
    path.unlink()
    if path.suffix in (".csv", ".el") and generator.random() < 0.5:
        content = content.translate(bytes.maketrans(b"01234", b"abcde"))  # names
    return path.name, content


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files of all formats, a third of them packed, before or after they were mutated."""
    folder = tmp_path_factory.mktemp("mutated")
    for seed in range(COUNT):
        generator = np.random.default_rng(seed)
        name, content = original(seed, generator, folder)
        suffix = [*PACKINGS][generator.integers(len(PACKINGS))]
        match generator.integers(0, 6):
            case 0:
                (folder / f"{name}{suffix}").write_bytes(mutated(PACKINGS[suffix](content, name), generator))
            case 1:
                (folder / f"{name}{suffix}").write_bytes(PACKINGS[suffix](mutated(content, generator), name))
            case _:
                (folder / name).write_bytes(mutated(content, generator))
        if name.endswith(".e"):
            (folder / name).with_suffix(".v").write_bytes(mutated(b"%d\n" * 50 % (*range(50),), generator))
    return folder


@pytest.mark.parametrize("options", [[], ["--compact", "--real-weights"]])
def test_every_file_is_a_graph_or_one_line(folder: Path, tmp_path: Path, options: list[str]) -> None:
    words = [str(folder), str(tmp_path / "out" / "graph.egr"), str(LARGEST_FILE), *options]
    done = subprocess.run([sys.executable, "-c", CONVERT_ALL, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    *results, peak = [line for line in done.stdout.splitlines() if line.startswith(("code", "VmHWM"))]
    codes = [int(line.split()[1]) for line in results]
    assert len(codes) == COUNT
    assert set(codes) <= ({0, 3} if options else {0, 3, 4})
    errors = [line for line in done.stderr.splitlines() if not line.startswith("warning: ")]
    assert len(errors) == sum(code != 0 for code in codes)  # one line each
    too_large = f"error: {tmp_path / 'out' / 'graph.egr'}: File too large"
    assert all(line.startswith(f"error: {folder}/") or line == too_large for line in errors)
    assert int(peak.split()[1]) < 500 << 10  # docs/reference/formats.md says 2 GB for files of any size
    assert {path.name for path in (tmp_path / "out").iterdir()} <= {"graph.egr", "graph.egr.names.parquet"}
