"""Graphs of pages and hosts, by counter-based random numbers: the same on CPU and GPU."""

from types import ModuleType
from typing import Any

import numpy as np

from inputs.generators.draw import below, check_vertices, draw_graph
from inputs.graph import Graph
from inputs.hashing import U64, random_bits

# Pages of hosts: few have most of them.
_SIZES = np.array([4] * 64 + [16] * 64 + [64] * 32 + [256] * 16 + [1024] * 6 + [4096] * 2)
_WITHIN, _NEAR, _ELSEWHERE = (np.uint64(first) for first in (8, 13, 14))
"""Of every 16 links, the first of a kind; those before are copied."""
_STEPS = 8  # to the next pages of a host


def web(vertices: int, links: int = 10, *, seed: int = 1, xp: ModuleType = np) -> Graph:
    """Makes a web-like graph: pages of a host have consecutive numbers, and mostly link to one another.

    Half of the links of a page are copied from an earlier page of its host. Others lead to its host's first pages, to
    the next pages, or seldom to the first page of another host, of which a few are very popular.

    Args:
        vertices: number of pages.
        links: how many links each page draws; duplicates then vanish, and so do directions.
        seed: same seed, same graph.
        xp: numpy, or cupy to do the work on a GPU; the graph is the same.

    Raises:
        ValueError: a number is out of range.

    Source:
        R. Kumar et al., "Stochastic models for the web graph", FOCS 2000, doi 10.1109/SFCS.2000.892065.
    """
    check_vertices(vertices)
    one, each, low = np.uint64(1), np.uint64(max(links, 1)), np.uint64(0xFFFFFFFF)
    # Hosts come in rounds of one for each entry of _SIZES, in an order of their own: tables tell a page's place on its.
    order = np.argsort(random_bits(seed, 0, np.arange(len(_SIZES), dtype=np.uint64)))
    sizes = np.repeat(_SIZES[order], _SIZES[order]).astype(np.uint64)
    starts = np.repeat(np.cumsum(_SIZES[order]) - _SIZES[order], _SIZES[order]).astype(np.uint64)
    sizes, starts, in_round = xp.asarray(sizes), xp.asarray(starts), np.uint64(len(sizes))

    def first_of_host(page: U64) -> Any:
        return page // in_round * in_round + starts[(page % in_round).astype(np.int64)]

    def squared(fraction: U64) -> Any:
        """Returns a random number of 32 bits that is rather small."""
        return (fraction & low) * (fraction & low) >> np.uint64(32)

    def ends(index: U64) -> tuple[Any, Any]:
        page, slot = index // each, index % each
        copied = page
        while True:  # only pages whose links are copied move; a first page copies nothing
            words = random_bits(seed, 1, copied * each + slot)
            first = first_of_host(copied)
            is_open = (words >> np.uint64(60) < _WITHIN) & (copied > first)
            if not is_open.any():
                break
            earlier = first + ((words & low) * (copied - first) >> np.uint64(32))
            copied = copied + is_open.astype(np.uint64) * (earlier - copied)  # unsigned numbers wrap, and back
        kind, size = words >> np.uint64(60), sizes[(copied % in_round).astype(np.int64)]
        within = first + (squared(words) * size >> np.uint64(32))
        near = copied + one + (words & low) % np.uint64(_STEPS)
        elsewhere = first_of_host(below(squared(words), vertices))
        is_near, is_elsewhere = ((kind == _NEAR).astype(np.uint64), (kind >= _ELSEWHERE).astype(np.uint64))
        target = within + is_near * (near - within) + is_elsewhere * (elsewhere - within)
        return page, target % np.uint64(vertices)

    return draw_graph(vertices, vertices * links, ends, xp)
