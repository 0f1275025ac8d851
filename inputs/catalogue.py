"""Named inputs: what they are, how to make them, and where they are kept once made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from inputs.formats import edge_list, egr
from inputs.generators import grid, rmat, road
from inputs.graph import Graph
from inputs.tiny import TINY

DATA_DIRECTORY = Path(__file__).parent / "data"
_KARATE = Path(__file__).parent / "karate.el"
_GTGRAPH = {"a": 0.45, "b": 0.15, "c": 0.15, "d": 0.25}  # probabilities of GTgraph, as in the Galois and ECL inputs


@dataclass(frozen=True)
class Entry:
    """One named input.

    Attributes:
        description: one line.
        make: makes the graph; may take seconds.
    """

    description: str
    make: Callable[[], Graph]


def _rmat(scale: int) -> Entry:
    edges = 8 << scale
    return Entry(f"R-MAT, 2^{scale} vertices, {edges:,} edges drawn, skewed degrees", partial(rmat, scale, edges, **_GTGRAPH))


def _grid(side: int) -> Entry:
    return Entry(f"{side} x {side} grid, every vertex joined to its 4 neighbours", partial(grid, side, side))


def _road(side: int) -> Entry:
    return Entry(f"road-like, {side} x {side} junctions, average degree 2.7, large diameter", partial(road, side, side))


CATALOGUE: dict[str, Entry] = {
    "karate": Entry("Zachary's karate club: 34 members, 78 friendships", lambda: edge_list.read(_KARATE).to_graph()),
    **{f"tiny-{name}": Entry(tiny.description, tiny.graph) for name, tiny in TINY.items()},
    **{f"grid-{side}": _grid(side) for side in (64, 512, 1024)},
    **{f"rmat-{scale}": _rmat(scale) for scale in (10, 16, 20, 22)},
    "road-16k": _road(128),
    "road-264k": _road(514),
}


class UnknownInputError(KeyError):
    """A name that the catalogue does not have; `str()` of it suggests the nearest ones."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        near = get_close_matches(self.name, CATALOGUE, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`python -m inputs list` shows all"
        return f"no input is called '{self.name}'; {hint}"


def ensure(name: str, directory: Path = DATA_DIRECTORY) -> Path:
    """Make a named input unless it is there already.

    Args:
        name: a key of `CATALOGUE`.
        directory: where to keep it.

    Returns:
        The path of a complete `.egr` file.

    Raises:
        UnknownInputError: there is no such input.
        OSError: the file cannot be written.
    """
    if name not in CATALOGUE:
        raise UnknownInputError(name)
    path = directory / f"{name}.egr"
    if not path.exists():
        egr.write(CATALOGUE[name].make(), path)
    return path
