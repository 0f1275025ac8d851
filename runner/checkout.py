"""Where things lie in a checkout of Violet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

BUILD_RULES = Path(__file__).with_name("build.mk")


@dataclass(frozen=True)
class Checkout:
    """The folder that commands are given in, and the places below it that the runner reads and writes."""

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
    def shapes(self) -> Path:
        """What graphs are like, one file each."""
        return self.build / "shapes"

    @property
    def graphs(self) -> Path:
        """Graphs made or downloaded by name."""
        return self.root / "inputs" / "data"

    @property
    def measurements(self) -> Path:
        """Tables of earlier measurements, from which a search learns what to expect."""
        return self.root / "analysis" / "data"
