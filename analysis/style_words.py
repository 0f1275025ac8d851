"""Styles in a few words, for tables and pictures: what a value is called where the fastest programs are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ITEMS = {
    ("vertex", "topology"): "all vertices",
    ("edge", "topology"): "all edges",
    ("vertex", "data"): "worklist of vertices",
    ("edge", "data"): "worklist of edges",
    ("vertex", "residual"): "vertices with residuals",
    ("vertex", "ordered"): "vertices in order",
}
"""What a round visits, by iteration and driver."""

THREADS = {
    "thread": "a thread per vertex",
    "warp": "a warp per vertex",
    "block": "a block per vertex",
    "twc": "rows by class",
    "merge": "even shares of edges",
    "blockmerge": "even shares within blocks",
    "lists": "worklists by degree",
    "teams": "teams of threads",
}
"""Who walks the row of a vertex."""

WORDS = {
    "flow": {
        "push": "push",
        "pull": "pull",
        "hybrid": "push or pull",
        "hybridmin": "push or pull",
        "hybridsum": "push or pull",
        "binned": "bins",
    },
    "method": {
        "hook": "join trees",
        "sampled": "join trees by a sample",
        "jumping": "pointer jumping",
        "pivot": "a search from a hub first",
        "oriented": "orient edges",
        "renumbered": "orient edges, bits of hubs",
        "nonzero": "orient edges, some bits of hubs",
        "bydegree": "start by degree",
        "chebyshev": "Chebyshev",
    },
    "intersection": {"rowmerge": "merge rows", "rowsearch": "binary search", "rowbitmap": "bitmaps"},
    "priority": {
        "nearfar": "near-far",
        "delta": "delta-stepping",
        "degree": "small degrees first",
        "light": "light edges first",
    },
    "fusion": {
        "graph": "a CUDA graph",
        "all": "one kernel for all rounds",
        "few": "one kernel of few blocks",
        "phase": "a kernel per direction",
        "single": "rounds in one block",
        "cluster": "rounds in one cluster",
        "free": "no rounds",
        "apart": "no rounds, threads apart",
        "levels": "one kernel, lists of blocks",
    },
    "lookahead": {
        "four": "four edges under way",
        "eight": "eight edges under way",
        "voted": "rows searched by warps, with votes",
    },
    "append": {
        "aggregated": "append per block",
        "local": "append per thread",
        "ballot": "sorted worklist",
        "strided": "sorted worklist, strided",
    },
    "worklist": {"history": "recent duplicates left out", "culled": "duplicates culled"},
    "storage": {"bits": "bitmap", "marks": "bitmap with marks", "byte": "status per byte", "float8": "8-bit messages"},
    "vote": {"lanes": "votes within a warp", "hashed": "hash tables", "compared": "compare all pairs"},
    "update": {"checked": "look before writing"},
    "schedule": {
        "dynamic": "chunks of 64",
        "dynamic1": "one at a time",
        "scaled": "growing chunks",
        "guided": "guided chunks",
        "cyclic": "cyclic",
    },
}
"""What values are called that are worth a word, axis by axis; others say little of why a program is fast."""

COUNTING = ("tc", "clique", "match")
"""Algorithms that neither push nor pull."""

MODELS = {"openmp": "OpenMP", "cpp": "C++ threads"}


def in_words(style: Mapping[str, str]) -> str:
    """Returns a style in words, the choice of the most weight first."""
    said: list[str | None] = [MODELS.get(style["model"])]
    said += [_value(style, axis) for axis in ("method", "intersection", "priority")]
    if style.get("method") not in ("hook", "sampled"):
        said.append(_items(style))
    said.append(_threads(style))
    said += [_value(style, axis) for axis in WORDS if axis not in ("flow", "method", "intersection", "priority")]
    return ", ".join(word for word in said if word)


def in_short(style: Mapping[str, str]) -> tuple[str, str]:
    """Returns a style in two lines of two or three words each: what it does, and who does it."""
    first = _value(style, "method") or _value(style, "priority")
    if style.get("method") in ("bydegree", "chebyshev"):
        first = f"{WORDS['flow'][style['flow']]}, {first}"
    items = _items(style, brief=True)
    second = _value(style, "fusion") or _value(style, "intersection") or _threads(style)
    return (first or items, second if first is None or second else items)


def group(style: Mapping[str, str]) -> str:
    """Returns the group of styles that a picture gives a colour: by what decides most."""
    if style.get("method") in ("hook", "sampled", "oriented", "renumbered", "nonzero"):
        return "another method"
    if style["algorithm"] in COUNTING:
        return "one pass"
    return {"binned": "bins", "pull": "pull", "push": "push"}.get(style["flow"], "push or pull")


def _items(style: Mapping[str, str], *, brief: bool = False) -> str:
    flow = WORDS["flow"].get(style.get("flow", ""), "")
    if style["algorithm"] in COUNTING:
        return "per edge" if style.get("iteration") == "edge" else "per vertex"
    driver = style.get("driver", "")
    visits = ITEMS.get((style.get("iteration", ""), driver), "")
    return ", ".join(filter(None, (flow, "worklist" if brief and driver == "data" else visits)))


def _threads(style: Mapping[str, str]) -> str:
    threads = style.get("granularity", "")
    if style.get("iteration") == "edge":
        return {"thread": "a thread per edge", "warp": "a warp per edge", "block": "a block per edge"}.get(threads, "")
    return THREADS.get(threads, "")


def _value(style: Mapping[str, str], axis: str) -> str | None:
    return WORDS[axis].get(style.get(axis, ""))
