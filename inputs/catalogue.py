"""Named inputs: what they are, how to get or make them, and where they are kept."""

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from inputs import external
from inputs.defaults import DATA_DIRECTORY, GRAPH500, GTGRAPH, Quadrants
from inputs.directions import directed
from inputs.errors import UnknownInputError
from inputs.formats import edge_list, egr
from inputs.formats.errors import GraphFormatError
from inputs.generators import (
    chains,
    coauthors,
    grid,
    mesh,
    rmat,
    rmat_batches,
    road,
    small_world,
    uniform,
    web,
)
from inputs.graph import EdgeList, Graph
from inputs.published import PUBLISHED
from inputs.shuffling import shuffled, shuffled_numbers
from inputs.tiny import TINY

SHUFFLED = "-shuffled"
"""After the name of any input: the same, with random numbers for its vertices."""

ONE_WAY, HALF_BOTH = "-one-way", "-half-both"
"""After the name of an undirected input, before `SHUFFLED`: its edges have directions, as `directions` draws them."""

_KARATE = Path(__file__).parent / "karate.el"
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Entry:
    """One named input.

    Attributes:
        description: one line.
        make: makes the graph, or its stand-in where it is a published one, or draws the edges of one that may be
            larger than memory; may take minutes.
    """

    description: str
    make: Callable[[], Graph | Iterator[EdgeList]]


def _rmat(scale: int, edge_factor: int = 8, quadrants: Quadrants = GTGRAPH, papers: str = "") -> Entry:
    degree = 2 * edge_factor
    description = f"R-MAT, 2^{scale} vertices, average degree up to {degree}, skewed degrees{papers}"
    return Entry(description, partial(rmat_batches, scale, edge_factor << scale, quadrants))


def _grid(side: int, papers: str = "") -> Entry:
    description = f"{side} x {side} grid, every vertex joined to its 4 neighbours{papers}"
    return Entry(description, partial(grid, side, side))


def _directed_rmat(scale: int) -> Entry:
    description = f"directed R-MAT as in Graph500, 2^{scale} vertices, average degree up to 16"
    return Entry(description, partial(rmat, scale, 16 << scale, GRAPH500, directed=True))


def _road(side: int) -> Entry:
    return Entry(f"road-like, {side} x {side} junctions, average degree 2.7, large diameter", partial(road, side, side))


def _social(scale: int, largest: int) -> Entry:
    description = f"social-like: R-MAT as in Graph500, 2^{scale} vertices, one of them with {largest:,} neighbours"
    return Entry(description, partial(rmat, scale, 8 << scale, GRAPH500))


def _coauthors(vertices: int) -> Entry:
    description = f"co-authorship-like: overlapping cliques, {vertices:,} vertices, average degree 56"
    return Entry(description, partial(coauthors, vertices))


def _web(vertices: int) -> Entry:
    description = f"web-like: {vertices:,} pages, most links within a host, average degree 19"
    return Entry(description, partial(web, vertices))


def _chains(scale: int) -> Entry:
    description = f"chains as of k-mers: 2^{scale} vertices on paths of 64, one of 32 joined to any other"
    return Entry(description, partial(chains, 1 << scale))


def _uniform(scale: int) -> Entry:
    description = f"uniformly random: 2^{scale} vertices, average degree 16"
    return Entry(description, partial(uniform, 1 << scale, 8 << scale))


def _small_world(scale: int) -> Entry:
    description = f"small world: 2^{scale} vertices on a ring, average degree 10, one edge of ten to any other"
    return Entry(description, partial(small_world, 1 << scale))


def _mesh(vertices: int) -> Entry:
    return Entry(f"mesh of triangles: {vertices:,} random points, average degree 6", partial(mesh, vertices))


# Letters stand for papers, as in published.toml.
CATALOGUE: dict[str, Entry] = {
    "karate": Entry("Zachary's karate club: 34 members, 78 friendships", lambda: edge_list.read(_KARATE).to_graph()),
    **{f"tiny-{name}": Entry(tiny.description, tiny.graph) for name, tiny in TINY.items()},
    **{f"grid-{side}": _grid(side) for side in (64, 512)},
    "grid-1024": _grid(1024, papers="; is 2d-2e20.sym (I)"),
    **{f"rmat-{scale}": _rmat(scale) for scale in (10, 16, 20)},
    **{f"rmat-{scale}-directed": _directed_rmat(scale) for scale in (10, 16, 22)},
    "rmat-22": _rmat(22, papers="; like rmat22.sym (I)"),
    **{f"rmat-s{s}-e{e}": _rmat(s, e, GRAPH500, papers=" (G)") for s, e in ((22, 64), (23, 32), (24, 16))},
    **{f"rmat-n{n}-{2 ** (29 - n)}": _rmat(n, 2 ** (29 - n), GRAPH500, papers=" (M)") for n in range(20, 26)},
    "kron-24": _rmat(24, 16, GRAPH500, papers=" (S)"),
    "rmat-simdx": _rmat(22, 61, GTGRAPH, papers=" (S)"),
    "random-simdx": Entry("uniformly random, average degree 128 (S)", partial(uniform, 4_000_000, 256_000_000)),
    "road-16k": _road(128),
    "road-264k": _road(514),
    "road-1m": _road(1024),
    "social-65k": _social(16, 6_305),
    "social-524k": _social(19, 24_912),
    "social-4m": _social(22, 98_007),
    "coauthors-16k": _coauthors(1 << 14),
    "coauthors-131k": _coauthors(1 << 17),
    "coauthors-540k": _coauthors(540_000),
    "web-131k": _web(1 << 17),
    "web-1m": _web(1 << 20),
    "mesh-16k": _mesh(1 << 14),
    "mesh-262k": _mesh(1 << 18),
    "chains-131k": _chains(17),
    "chains-2m": _chains(21),
    "uniform-65k": _uniform(16),
    "uniform-1m": _uniform(20),
    "small-world-65k": _small_world(16),
    "small-world-1m": _small_world(20),
    **{
        name: Entry(f"{it.description} ({it.papers})" if it.papers else it.description, it.stand_in.make)
        for name, it in PUBLISHED.items()
    },
}


def path_of(name: str, directory: Path = DATA_DIRECTORY) -> Path:
    """Says where a named input is kept, made or not.

    Args:
        name: a key of `CATALOGUE`, perhaps with `ONE_WAY` or `HALF_BOTH` and `SHUFFLED` after it.
        directory: where inputs are kept.

    Returns:
        The path of its `.egr` file.

    Raises:
        UnknownInputError: there is no such input.
    """
    if name.removesuffix(SHUFFLED).removesuffix(ONE_WAY).removesuffix(HALF_BOTH) not in CATALOGUE:
        raise UnknownInputError(name, CATALOGUE)
    return directory / f"{name}.egr"


def ensure(name: str, directory: Path = DATA_DIRECTORY) -> Path:
    """Gets or makes a named input unless it is there already.

    A published input whose server cannot be reached, or that has none, is replaced by a generated stand-in; the log and
    the name of the file say so.

    Args:
        name: as for `path_of`.
        directory: where to keep it.

    Returns:
        The path of a complete `.egr` file, `NAME.egr` or `NAME-stand-in.egr`; what was after `NAME` comes last.

    Raises:
        UnknownInputError: there is no such input.
        GraphFormatError: the edges of a directed one are to be given directions.
        DownloadError: what the server has is not what it should be.
        OSError: the file cannot be written.
    """
    path = path_of(name, directory)
    if path.exists():
        return path
    if (natural := name.removesuffix(SHUFFLED)) != name:
        return _shuffle(ensure(natural, directory))
    for suffix in (ONE_WAY, HALF_BOTH):
        if (undirected := name.removesuffix(suffix)) != name:
            return _direct(ensure(undirected, directory), suffix)
    from inputs import download  # here, because it takes a while

    if name in PUBLISHED:
        try:
            return _download(name, path)
        except download.NoNetworkError as error:
            path = directory / f"{name}-stand-in.egr"
            _log.warning("%s; %s is a generated stand-in: %s", error, path.name, PUBLISHED[name].stand_in)
    if not path.exists():
        made = CATALOGUE[name].make()
        if isinstance(made, Graph):
            egr.write(made, path)
        else:
            external.write_graph(made, path)
    return path


def _direct(undirected: Path, suffix: str) -> Path:
    """Gives the edges of a graph directions, in a file beside it."""
    path = undirected.with_stem(undirected.stem + suffix)
    if not path.exists():
        graph = egr.read(undirected)
        if graph.directed:
            raise GraphFormatError(undirected, None, f"its edges have directions already; leave out {suffix}")
        external.write_graph(directed(graph.batches(), suffix == HALF_BOTH), path, directed=True)
    return path


def _shuffle(natural: Path) -> Path:
    """Gives the vertices of a graph random numbers, in a file beside it."""
    path = natural.with_stem(natural.stem + SHUFFLED)
    if not path.exists():
        graph = egr.read(natural)
        edges = graph.batches() if graph.directed else (_one_way(batch) for batch in graph.batches())
        numbers = shuffled_numbers(graph.vertex_count, seed=1)
        external.write_graph(shuffled(edges, numbers), path, directed=graph.directed)
    return path


def _one_way(edges: EdgeList) -> EdgeList:
    """Leaves out the reverses of edges."""
    kept = edges.sources < edges.destinations
    weights = None if edges.weights is None else edges.weights[kept]
    return EdgeList(edges.vertex_count, edges.sources[kept], edges.destinations[kept], weights)


def _download(name: str, path: Path) -> Path:
    """Downloads a published input and converts it."""
    from inputs import download

    published = PUBLISHED[name]
    if published.url is None:
        raise download.NoNetworkError(f"{name} is not public")
    downloads = path.parent / "downloads"
    download.get(
        published.url,
        downloads,
        path,
        vertices=published.vertices,
        arcs=published.arcs,
        directed=published.directed,
    )
    return path
