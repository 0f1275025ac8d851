"""Which faults `make test` notices: python -m tests.programs.tiers [OUT.csv].

Each fault that the tests know is planted in all programs with the text that it changes, as if somebody had changed the
template. `make test` then runs a few of these programs (`tests/selection.py`) besides its sample. Faults of headers are
planted for all programs of the sample. `make test-all` looks for each fault by itself.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import pytest

from generator.config import covering
from generator.space import name_of
from tests.configs import selected
from tests.programs import conftest
from tests.programs import test_binned_parts_emulated as binned_parts
from tests.programs import test_bits_emulated as bits
from tests.programs import test_cuda_emulated as one_gpu
from tests.programs import test_flags_emulated as flags
from tests.programs import test_multigpu_emulated as several
from tests.programs.conftest import find_tiny_graphs
from tests.programs.store import emulate, text_of
from tests.selection import MOST_OF_CHANGE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from generator.space import Style


class Fault(NamedTuple):
    """A fault of programs, or of a header of the runtime."""

    name: str
    replacements: tuple[tuple[str, str], ...]
    several: bool
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
            yield Fault(f"{name}: {change[0].strip()[:60]}", (change,), several=False)
    for name, change in one_gpu.FAULTS_OF_BINS.items():
        yield Fault(f"bins: {name}", (change,), several=False, header="binned_edges.cuh")
    for name, (_, *replacements) in several.FAULTS.items():
        yield Fault(f"{name}: {replacements[0][0].strip()[:60]}", tuple(replacements), several=True)
    for name, (_, before, after) in binned_parts.FAULTS.items():
        yield Fault(f"bins in parts: {name}", ((before, after),), several=True)
    for name, change in binned_parts.FAULTS_OF_SCALE.items():
        yield Fault(f"bins in parts: {name}", (change,), several=True, header="binned_parts.cuh")
    for name, fault in flags.FAULTS.items():
        inside = fault.right in text_of(fault.style)
        yield Fault(f"flags: {name}", ((fault.right, fault.wrong),), several=True, header="" if inside else "flags.cuh")


def noticed_by(fault: Fault, texts: dict[str, str], styles: dict[str, Style], tiny: list[Path], torn: Path) -> str:
    """Returns the first program of `make test` that is wrong with a fault, or nothing."""

    def alter(text: str) -> str:
        for right, wrong in fault.replacements:
            text = text.replace(right, wrong)
        return text

    def alter_runtime(runtime: Path) -> None:
        header = runtime / fault.header
        header.write_text(alter(header.read_text(encoding="utf-8")), encoding="utf-8")

    sample = {name_of(style): style for style in (several.RIGHT if fault.several else one_gpu.STYLES)}
    if fault.header:
        chosen = [style for name, style in sample.items() if "binned" in style.values() or fault.several]
        program = emulate(chosen, alter_runtime=alter_runtime)
    else:
        concerned = [
            style for name, style in styles.items() if all(right in texts[name] for right, _ in fault.replacements)
        ]
        chosen = covering(concerned, 1)[:MOST_OF_CHANGE]
        chosen += [style for name, style in sample.items() if style in concerned and style not in chosen]
        program = emulate(chosen, alter)
    right: Callable[..., None] = several.run_in_parts if fault.several else one_gpu.run_in_any_order
    for style in chosen:
        try:
            right(program(style), style, [*tiny, torn] if fault.several else tiny)
        except (AssertionError, subprocess.TimeoutExpired):
            return name_of(style)
    return ""


def main() -> None:
    """Writes a row for each fault, as soon as it is known."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("results/tiers.csv")
    out.parent.mkdir(parents=True, exist_ok=True)
    of_one = {name_of(style): style for style in one_gpu.emulated("all") if not one_gpu.takes_directed(style)}
    of_several = {name_of(style): style for style in several.emulated(selected("multigpu"))}
    texts = {name: text_of(style) for name, style in (of_one | of_several).items()}
    tiny = find_tiny_graphs()
    conftest.TIMEOUT_S = 20.0  # what is right takes a tenth of that
    with (
        out.open("w", encoding="utf-8", newline="") as file,
        TemporaryDirectory() as folder,
        pytest.MonkeyPatch.context(),
    ):
        torn = several.write_torn(Path(folder))
        table = csv.writer(file)
        table.writerow(["fault", "noticed by"])
        for fault in faults():
            found = noticed_by(fault, texts, of_several if fault.several else of_one, tiny, torn)
            table.writerow([fault.name, found])
            file.flush()
            print(f"{'quick' if found else 'LONG ':5} {fault.name}  {found}", flush=True)


if __name__ == "__main__":
    main()
