"""Which faults `make test` notices, in tiers.csv: python -m tests.programs.tiers adds those that the table lacks.

Each fault that the tests know is planted in all programs with the text that it changes, as if somebody had changed the
template. `make test` then runs a few of these programs (`tests/selection.py`) besides its sample. Faults of headers are
planted for the programs of the sample that the header is for. `make test-all` looks for each fault by itself.
"""

from __future__ import annotations

import csv
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, NamedTuple

import pytest

from generator.config import covering
from generator.space import name_of
from tests.configs import selected, united
from tests.programs import conftest
from tests.programs import test_binned_parts_emulated as binned_parts
from tests.programs import test_bits_emulated as bits
from tests.programs import test_cpu as cpu
from tests.programs import test_cuda_emulated as one_gpu
from tests.programs import test_flags_emulated as flags
from tests.programs import test_multigpu_emulated as several
from tests.programs import test_predecessors as predecessors
from tests.programs import test_real_weights as real_weights
from tests.programs import test_searches as searches
from tests.programs.conftest import find_tiny_graphs
from tests.programs.store import build, emulate, text_of
from tests.selection import MOST_OF_CHANGE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from generator.space import Style


TABLE = Path(__file__).with_name("tiers.csv")
COLUMNS = ["fault", "program", "why"]
"""The first program of `make test` that is wrong with it; if none is, why not."""


class Fault(NamedTuple):
    """A fault of programs, or of a header of the runtime."""

    name: str
    replacements: tuple[tuple[str, str], ...]
    place: Literal["CPU", "GPU", "GPUs"]
    header: str = ""


def faults() -> Iterator[Fault]:
    """Yields the faults that tests plant, each with what it replaces."""
    tables: list[dict[str, tuple[str, str]]] = [
        one_gpu.FAULTS,
        one_gpu.BARRIERS,
        one_gpu.FAULTS_OF_TELLING,
        bits.FAULTS,
    ]
    for changes in tables:
        for name, change in changes.items():
            yield Fault(_named(name, change[0]), (change,), place="GPU")
    for name, change in one_gpu.FAULTS_OF_BINS.items():
        yield Fault(f"bins: {name}", (change,), place="GPU", header="binned_edges.cuh")
    for name, (_, *replacements) in several.FAULTS.items():
        yield Fault(_named(name, replacements[0][0]), tuple(replacements), place="GPUs")
    for name, (_, before, after) in binned_parts.FAULTS.items():
        yield Fault(f"bins in parts: {name}", ((before, after),), place="GPUs")
    for name, change in binned_parts.FAULTS_OF_SCALE.items():
        yield Fault(f"bins in parts: {name}", (change,), place="GPUs", header="binned_parts.cuh")
    for name, fault in flags.FAULTS.items():
        inside = fault.right in text_of(fault.style)
        yield Fault(f"flags: {name}", ((fault.right, fault.wrong),), place="GPUs", header="" if inside else "flags.cuh")
    for module in (searches, predecessors, real_weights):
        for name, (program, *change) in module.FAULTS.items():
            yield Fault(f"{program}: {name}", (tuple(change),), place="CPU")


def _named(name: str, right: str) -> str:
    return f"{name}: {' '.join(right.split())[:60]}"


def noticed_by(fault: Fault, styles: list[Style], tiny: list[Path], torn: Path) -> str:
    """Returns the first program of `make test` that is wrong with a fault, or nothing."""

    def alter(text: str) -> str:
        for right, wrong in fault.replacements:
            text = text.replace(right, wrong)
        return text

    def alter_runtime(runtime: Path) -> None:
        header = runtime / fault.header
        header.write_text(alter(header.read_text(encoding="utf-8")), encoding="utf-8")

    sample = {"CPU": cpu.STYLES, "GPU": one_gpu.STYLES, "GPUs": several.RIGHT}[fault.place]
    if fault.header:
        value = "flags" if fault.header == "flags.cuh" else "binned"
        chosen = [style for style in sample if value in style.values()]
        program = emulate(chosen, alter_runtime=alter_runtime)
    else:
        concerned = [style for style in styles if all(right in text_of(style) for right, _ in fault.replacements)]
        chosen = [style for style in sample if style in concerned]
        chosen += covering(concerned, 1, chosen)[:MOST_OF_CHANGE]
        program = build(chosen, alter) if fault.place == "CPU" else emulate(chosen, alter)
    right = {"CPU": cpu.run_with_threads, "GPU": one_gpu.run_in_any_order, "GPUs": several.run_in_parts}[fault.place]
    for style in chosen:
        try:
            right(program(style), style, [*tiny, torn] if fault.place == "GPUs" else tiny)
        except (AssertionError, subprocess.TimeoutExpired):
            return name_of(style)
    return ""


def rows() -> list[dict[str, str]]:
    """Returns the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main() -> None:
    """Writes the table anew as soon as another fault is known; a reason is for people to write."""
    optional = united(*map(selected, ("searches", "distances", "predecessors", "real")))
    styles = {
        "CPU": cpu.of_cpu(optional),
        "GPU": [style for style in one_gpu.emulated("all") if not one_gpu.takes_directed(style)],
        "GPUs": several.emulated(selected("multigpu")),
    }
    tiny = find_tiny_graphs()
    conftest.TIMEOUT_S = 20.0  # what is right takes a tenth of that
    known = {row["fault"]: row for row in rows()}
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context():
        torn = several.write_torn(Path(folder))
        for fault in faults():
            if fault.name not in known:
                found = noticed_by(fault, styles[fault.place], tiny, torn)
                known[fault.name] = {"fault": fault.name, "program": found, "why": ""}
                print(f"{fault.name}: {found or 'NOT NOTICED'}", flush=True)
                with TABLE.open("w", encoding="utf-8", newline="") as file:
                    table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
                    table.writeheader()
                    table.writerows(known[each.name] for each in faults() if each.name in known)


if __name__ == "__main__":
    main()
