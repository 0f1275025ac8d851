"""The graphs that programs are tried on: hand-checkable, small of every kind, and made for contention."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from generator.algorithms import load_algorithms
from inputs.catalogue import CATALOGUE, ensure
from inputs.formats import egr
from inputs.generators import (
    binary_forest,
    geometric,
    grid,
    k_max_degree,
    path,
    preferential,
    rmat,
    road,
    small_world,
    star,
    uniform,
)
from inputs.graph import Graph, from_arcs, from_edges
from trust.build import WORK

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from generator.space import Style
    from runner.jobs.graphs import Graph as File

_FOLDER = WORK / "graphs"


def complete(vertices: int) -> Graph:
    """Joins every two vertices, so that all threads write to the same few values."""
    sources, destinations = np.triu_indices(vertices, k=1)
    return from_edges(vertices, sources.astype(np.int32), destinations.astype(np.int32))


def hubs(count: int = 40, leaves: int = 500) -> Graph:
    """Joins every hub to every leaf: rows longer than a block has threads, in several warps of one block."""
    numbers = np.arange(count * leaves, dtype=np.int32)
    return from_edges(count + leaves, numbers // leaves, count + numbers % leaves)


def scattered_stars(stars: int = 1000, leaves: int = 11) -> Graph:
    """Makes stars whose leaves have random numbers below those of the centres.

    Leaves of one star are in the hands of different threads, which all write to its centre. What a leaf with a small
    number writes has no second way to the others, so nothing makes up for an update that is lost.
    """
    numbers = np.random.default_rng(1).permutation(stars * leaves).astype(np.int32)
    centres = np.repeat(np.arange(stars * leaves, stars * (leaves + 1), dtype=np.int32), leaves)
    return from_edges(stars * (leaves + 1), numbers, centres)


def heavy_star(vertices: int = 3000, seed: int = 1) -> Graph:
    """Makes a star of heavy edges whose leaves have light edges among them.

    From the centre, every leaf is about as far as any other, and very far for what the average weight suggests: all of
    them wait, on one pile or in one bucket, and are looked at again and again.
    """
    draw = np.random.default_rng(seed)
    light = 8 * vertices
    leaves = np.arange(1, vertices, dtype=np.int32)
    sources = np.concatenate([np.zeros_like(leaves), draw.integers(1, vertices, light, dtype=np.int32)])
    ends = np.concatenate([leaves, draw.integers(1, vertices, light, dtype=np.int32)])
    weights = np.concatenate([draw.integers(3000, 4000, len(leaves)), draw.integers(1, 4, light)])
    return from_edges(vertices, sources, ends, weights)


def tied_pairs(vertices: int = 3000) -> Graph:
    """Joins pairs of vertices whose random priorities agree in the 19 bits that independent sets by degree look at."""
    numbers = np.arange(vertices, dtype=np.uint32)
    x = numbers.copy()
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):  # `priority` of priority.hpp
        x ^= x >> np.uint32(shift)
        x *= np.uint32(factor)
    order = np.argsort(x >> np.uint32(13), kind="stable")
    bits = x[order] >> np.uint32(13)
    first = np.flatnonzero((bits[1:] == bits[:-1]) & np.append(True, bits[1:-1] != bits[:-2]))
    return from_edges(vertices, numbers[order[first]].astype(np.int32), numbers[order[first + 1]].astype(np.int32))


def takes_directed(style: Style) -> bool:
    """Tells whether a program takes directed graphs; it takes no others then."""
    return load_algorithms()[style["algorithm"]].takes_directed(style)


def takes(style: Style, graph: File) -> bool:
    """Tells whether a program takes graphs with such edges."""
    algorithm = load_algorithms()[style["algorithm"]]
    return graph.fits(directed=algorithm.takes_directed(style), real_weights=algorithm.allows_real_weights(style))


def fitting(style: Style, files: Iterable[Path]) -> tuple[Path, ...]:
    """Returns undirected graphs as they are, or made directed by leaving out arcs, whichever kind a program takes."""
    return tuple(one_way_of(file) if takes_directed(style) else file for file in files)


def one_way(graph: Graph) -> Graph:
    """Returns a directed graph: of every edge of an undirected one, either arc or both, and of some none."""
    sources = np.repeat(np.arange(graph.vertex_count, dtype=np.int32), graph.degrees)
    kept = np.random.default_rng(1).random(graph.edge_count) < 0.7
    weights = None if graph.weights is None else graph.weights[kept]
    return from_arcs(graph.vertex_count, sources[kept], graph.neighbours[kept], weights)


def one_way_of(file: Path) -> Path:
    """Makes the directed graph of a file with an undirected one."""
    return _made(f"{file.stem}-one-way", lambda: one_way(egr.read(file)))


def named(*names: str) -> list[Path]:
    """Gets graphs of the catalogue by name."""
    _FOLDER.mkdir(parents=True, exist_ok=True)
    return [ensure(name, _FOLDER) for name in names]


def tiny() -> list[Path]:
    """Every hand-checkable graph of the catalogue, and the karate club."""
    return named(*(name for name in CATALOGUE if name.startswith("tiny-")), "karate")


def small() -> list[Path]:
    """One of each kind: even degrees, uneven degrees, a large diameter, and neighbours whose priorities tie."""
    return [*named("grid-64", "rmat-10"), _made("road-24", partial(road, 24, 24)), ties()]


def few() -> list[Path]:
    """Five graphs for tools that make programs slow: apart, real, uneven, crowded, with many long rows."""
    crowds = (_made("complete-64", partial(complete, 64)), _made("hubs-40", hubs))
    return [*named("tiny-components", "karate", "rmat-10"), *crowds]


def ties() -> Path:
    """A graph all of whose neighbours have the same priority where they go by degree."""
    return _made("tied-pairs-3000", tied_pairs)


def long_piles() -> Path:
    """A graph on which nearly all vertices wait at a time."""
    return _made("heavy-star-3000", heavy_star)


def long_worklists() -> list[Path]:
    """Graphs with worklists that are not short, at first or after the source, and yet few vertices for the emulator."""
    return [_made("stars-1000", scattered_stars), _made("star-5000", partial(star, 5000))]


def star_and_others(leaves: int = 20000, others: int = 777) -> Graph:
    """Makes a star whose centre has the last number, behind vertices without neighbours."""
    numbers = np.arange(leaves, dtype=np.int32)
    return from_edges(leaves + others + 1, numbers, np.full_like(numbers, leaves + others))


def counted_beyond_32_bits() -> list[Path]:
    """Graphs on which worklists of edges where vertices enter again and again may get more than 2^32 items a round."""
    return [_made("lowered-65536", lowered_often), _made("lowering-65535", star_with_a_tail)]


def lowered_often(leaves: int = 65536) -> Graph:
    """Makes a hub whose neighbours lower its distance one after the other, by one each, and a vertex behind it.

    Each time, the hub may append its edges.
    """
    source, behind, hub = 0, 1, leaves + 2
    leaf = np.arange(2, hub)
    sources = np.concatenate([np.full(leaves, source), leaf, [hub]])
    destinations = np.concatenate([leaf, np.full(leaves, hub), [behind]])
    weights = np.concatenate([np.ones(leaves, int), hub - leaf, [1]])
    return from_edges(leaves + 3, sources, destinations, weights)


def star_with_a_tail(leaves: int = 65535) -> Graph:
    """Makes a star whose centre has a number behind the leaves, one of which has a neighbour that is last.

    The centre lowers the labels of all leaves: each time, it may append its edges, as it may have lost an update.
    """
    centre, tail = leaves + 1, leaves + 2
    leaf = np.arange(centre)
    return from_edges(leaves + 3, np.append(leaf, leaves // 2), np.append(np.full_like(leaf, centre), tail))


def waiting() -> list[Path]:
    """Graphs on which vertices wait for thousands of others, all for one, or one for another."""
    stars = (_made("star-20001", partial(star, 20001)), _made("star-20000-777", star_and_others))
    crowds = (_made("complete-64", partial(complete, 64)), _made("hubs-10", partial(hubs, 10, 300)))
    return [*stars, *crowds, _made("path-5000", partial(path, 5000)), ties()]


def extreme() -> list[Path]:
    """A graph with a row as long, and one with as many levels, as rounding has to be looked at."""
    return [_made("star-60001", partial(star, 60001)), _made("path-20000", partial(path, 20000))]


def contended() -> list[Path]:
    """Graphs on which threads meet all the time."""
    crowds = (_made("complete-64", partial(complete, 64)), _made("stars-1000", scattered_stars))
    return [*crowds, short_star(), *named("rmat-10")]


def short_star() -> Path:
    """A star that is soon made."""
    return _made("star-300", partial(star, 300))


def _made(name: str, make: Callable[[], Graph]) -> Path:
    _FOLDER.mkdir(parents=True, exist_ok=True)
    file = _FOLDER / f"{name}.egr"
    if not file.exists():
        egr.write(make(), file)
    return file


def random_graph(draw: random.Random) -> tuple[str, Graph]:
    """Draws the kind, the size and the seed of a graph of up to some thousand vertices; returns it and its description.

    Args:
        draw: random numbers; the same numbers, the same graph.
    """
    n = draw.choice((1, 2, 3, 7, 32, 33, 255, 256, 257, 1000, 3000))
    seed = draw.randrange(1 << 30)
    degree = draw.choice((1, 2, 8))
    kinds: dict[str, Callable[[], Graph]] = {
        "uniform": lambda: uniform(n, n * degree, seed=seed),
        "rmat": lambda: rmat(max(1, n.bit_length() - 1), n * degree, seed=seed),
        "grid": lambda: grid(n, 1 + seed % 3),
        "road": lambda: road(max(2, n // 32), 8, seed=seed),
        "star": lambda: star(n),
        "heavy-star": lambda: heavy_star(max(n, 2), seed),
        "path": lambda: path(n),
        "complete": lambda: complete(1 + n % 100),
        "forest": lambda: binary_forest(n, 1 + seed % min(n, 5)),
        "small-world": lambda: small_world(n, min(4, (n - 1) // 2 * 2), seed=seed),
        "preferential": lambda: preferential(max(n, 10), min(degree, 4), seed=seed),
        "geometric": lambda: geometric(n, min(1.0, (degree / n) ** 0.5), seed=seed),
        "k-max-degree": lambda: k_max_degree(n, 1 + degree, seed=seed),
    }
    kind = draw.choice(sorted(kinds))
    return f"{kind} n={n} degree={degree} seed={seed}", kinds[kind]()
