"""The sources of a sweep's programs as one archive, for machines that do not share our files."""

from __future__ import annotations

import csv
import io
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from runner.checkout import Checkout
from runner.hashing import hash_values

if TYPE_CHECKING:
    from collections.abc import Collection

    from runner.jobs.programs import Program

_COLUMNS = ("name", "model", "algorithm", "path")
_HERE = Checkout(Path())  # paths in the archive


@dataclass(frozen=True)
class Bundle:
    """Programs, the runtime that they share, and a manifest.

    Attributes:
        name: short hash of the programs and of the runtime.
        archive: a tar file, compressed; 754 programs take 0.2 MB.
    """

    name: str
    archive: bytes


def pack(checkout: Checkout, programs: Collection[Program], runtime_sha256: str) -> Bundle:
    """Packs programs and what they share."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:xz") as tar:
        for program in programs:
            tar.add(program.source, program.in_checkout(_HERE).source)
        for path in checkout.runtime_files:
            tar.add(path, _HERE.runtime / path.relative_to(checkout.runtime))
        manifest = _manifest(programs).encode()
        entry = tarfile.TarInfo(str(_HERE.manifest))
        entry.size = len(manifest)
        tar.addfile(entry, io.BytesIO(manifest))
    identity = {program.name: program.source_sha256 for program in programs} | {"": runtime_sha256}
    return Bundle(hash_values({**identity})[:16], archive.getvalue())


def unpack(bundle: Bundle, folder: Path) -> None:
    """Unpacks a bundle into a folder, which then is a checkout of its own, unless it has been before.

    Raises:
        OSError: it cannot be written.
    """
    if Checkout(folder).manifest.exists():  # packed last, so all the others are there
        return
    with tarfile.open(fileobj=io.BytesIO(bundle.archive)) as tar:
        tar.extractall(folder, filter="data")


def _manifest(programs: Collection[Program]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for program in programs:
        path = program.in_checkout(_HERE).source.relative_to(_HERE.generated)
        writer.writerow([program.name, program.model, program.algorithm, path])
    return text.getvalue()
