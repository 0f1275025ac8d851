"""What commands do unless told otherwise; here, so that nothing that takes long is loaded before one is chosen."""

from enum import StrEnum
from pathlib import Path

_DATA = Path(__file__).parent / "data"

V1 = _DATA / "v1"
"""The data set: what is left out of it by itself, all others keep: jobs of programs that have changed since."""

MEASUREMENTS = (V1 / "paper.parquet", V1 / "cpu.parquet")
"""The committed results that findings and notebooks are about."""

LATER = (
    *(V1 / f"{name}.parquet" for name in ("best", "paper", "around", "gpus")),
    _DATA / "h200-x4-multigpu.parquet",  # all programs for several GPUs, of its day
)
"""The committed results that the claims of later papers are about."""

EVERYTHING = tuple(sorted(_DATA.rglob("*.parquet")))
"""All committed results, newer styles and algorithms among them."""

SMALLEST = 10_000
"""Of these, graphs with fewer directed edges are left out: little but the start of the work is timed on them."""

DOCUMENT = Path("docs/findings.md")
"""The page of findings; its details are beside it."""


class Suffix(StrEnum):
    """A format of figures; each is in all of them."""

    PNG = "png"
    SVG = "svg"
