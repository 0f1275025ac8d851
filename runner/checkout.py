"""Where things lie in what Violet works in: a checkout, or a workspace of an installed Violet."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from generator.paths import ROOT, workspace

BUILD_RULES = Path(__file__).with_name("build.mk")
MEASUREMENTS = ROOT / "analysis" / "data"
"""Tables of earlier measurements, from which a search learns what to expect."""


def here() -> Checkout:
    """Returns what commands work in: the current folder if programs were generated there, else the workspace.

    Raises:
        OSError: the workspace cannot be made.
    """
    current = Checkout(Path.cwd())
    if current.manifest.is_file() and "VIOLET_HOME" not in os.environ:
        return current
    home = workspace()
    home.mkdir(parents=True, exist_ok=True)
    return Checkout(home)


@dataclass(frozen=True)
class Checkout:
    """A folder, and the places below it that the runner reads and writes."""

    root: Path

    @property
    def generated(self) -> Path:
        """The programs' sources, written by the generator."""
        return self.root / "generated"

    @property
    def manifest(self) -> Path:
        """The list of all programs, one row each."""
        return self.generated / "programs.csv"

    @property
    def runtime(self) -> Path:
        """The sources that all programs share."""
        return self.generated / "runtime"

    @property
    def runtime_files(self) -> list[Path]:
        """All files of the runtime, those in subfolders included."""
        return [path for path in sorted(self.runtime.rglob("*")) if path.is_file()]

    @property
    def build(self) -> Path:
        """Everything compiled or computed; safe to delete."""
        return self.root / "build"

    @property
    def gpu_check(self) -> Path:
        """The program that tells whether the GPU works; there only if CUDA programs have been built."""
        return self.build / "violet-gpu-check"

    @property
    def reference_program(self) -> Path:
        """The program that runs the serial algorithms."""
        return self.build / "violet-reference"

    @property
    def references(self) -> Path:
        """Results of the serial algorithms, one file each."""
        return self.build / "references"

    @property
    def searches(self) -> Path:
        """What searches of `solve` found, one a line."""
        return self.build / "searches.jsonl"

    @property
    def written(self) -> Checkout:
        """A place of their own for programs that searches write and build: whatever is generated, they stay."""
        return Checkout(self.build / "written")

    @property
    def traced(self) -> Checkout:
        """The same for programs that record their rounds, whose names others have."""
        return Checkout(self.build / "traced")

    @property
    def shapes(self) -> Path:
        """What graphs are like, one file each."""
        return self.build / "shapes"

    @property
    def graphs(self) -> Path:
        """Graphs made or downloaded by name."""
        return self.root / "inputs" / "data"
