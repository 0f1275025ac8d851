"""Named inputs: what they are, how to make them, and where they are kept once made."""

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from inputs.formats import edge_list, egr
from inputs.generators import GTGRAPH, grid, rmat, road
from inputs.graph import Graph
from inputs.tiny import TINY

DATA_DIRECTORY = Path(__file__).parent / "data"
_KARATE = Path(__file__).parent / "karate.el"


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
    description = f"R-MAT, 2^{scale} vertices, average degree up to 16, skewed degrees"
    return Entry(description, partial(rmat, scale, 8 << scale, GTGRAPH))


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


def path_of(name: str, directory: Path = DATA_DIRECTORY) -> Path:
    """Say where a named input is kept, made or not.

    Args:
        name: a key of `CATALOGUE`.
        directory: where inputs are kept.

    Returns:
        The path of its `.egr` file.

    Raises:
        UnknownInputError: there is no such input.
    """
    if name not in CATALOGUE:
        raise UnknownInputError(name)
    return directory / f"{name}.egr"


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
    path = path_of(name, directory)
    if not path.exists():
        egr.write(CATALOGUE[name].make(), path)
    return path
