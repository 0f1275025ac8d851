"""Whether an answer of another library is right: held against Violet's serial reference, or a rule where many are.

Distances, counts and core numbers have to be equal. Labels of components may have other names. Ranks and centralities
are sums that each code rounds, and ranks end within a tolerance. An independent set or a colouring need not be the one
that Violet finds; it has to be one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.libraries import DAMPING, TOLERANCE, Answer, Problem

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

HEADER_BYTES = 72
"""Of the files that violet-reference writes; their values follow, 8 bytes each (`runtime/reference_file.cpp`)."""

_RELATIVE_ERROR = 1e-4  # of single-precision sums of many terms


def read_reference(path: Path, algorithm: str, problem: Problem) -> Answer:
    """Reads what Violet's serial reference has found.

    Args:
        path: a file that violet-reference wrote.
        algorithm: what it solved.
        problem: the graph.

    Returns:
        int64 or float64, shape (n,), or a number where the answer is one.
    """
    n, m = problem.graph.vertex_count, problem.graph.edge_count
    kind = np.float64 if algorithm in ("pr", "ppr", "bc", "lcc") else np.int64
    values = np.fromfile(path, dtype=kind, offset=HEADER_BYTES)
    if algorithm == "lcc":
        return values[n:]  # after the triangles of each
    if algorithm == "tc":
        return int(values[0])
    return int(values[m]) if algorithm == "mst" else values[:n]


def find_error(algorithm: str, answer: Answer, reference: Answer, problem: Problem) -> str | None:
    """Returns what is wrong with an answer, or None.

    Args:
        algorithm: such as "bfs".
        answer: as `libraries.Call.read` returns it.
        reference: as `read_reference` returns it.
        problem: the graph.
    """
    if np.shape(answer) != np.shape(reference):
        return f"{np.size(answer):,} values instead of {np.size(reference):,}"
    return _CHECKS.get(algorithm, _unequal)(answer, reference, problem)


def _unequal(answer: Answer, reference: Answer, _: Problem) -> str | None:
    wrong = np.flatnonzero(np.not_equal(answer, reference))
    if not wrong.size:
        return None
    first = int(wrong[0])
    found, right = np.ravel(answer)[first], np.ravel(reference)[first]
    return f"{wrong.size:,} wrong values, first [{first}]: {found}, not {right}"


def _other_partition(answer: Answer, reference: Answer, problem: Problem) -> str | None:
    """Whether two labellings divide the vertices differently: renamed after its smallest vertex, each has one form."""
    _, first, group = np.unique(answer, return_index=True, return_inverse=True)
    return _unequal(first[group], reference, problem)


def _far_ranks(answer: Answer, reference: Answer, _: Problem) -> str | None:
    """Whether ranks are further from the fixpoint than stopping at the tolerance allows.

    What vertices without edges would pass on is lost in some codes and shared in others, which scales all ranks alike.
    """
    distance = float(np.abs(answer / np.sum(answer) - reference / np.sum(reference)).sum())
    allowed = 2 * TOLERANCE / (1 - DAMPING)  # once for the ranks, once for their sum
    return f"ranks are {distance:.2g} from the right ones in total" if distance > allowed else None


def _far(answer: Answer, reference: Answer, _: Problem) -> str | None:
    wrong = np.flatnonzero(~np.isclose(answer, reference, rtol=_RELATIVE_ERROR))
    if not wrong.size:
        return None
    first = int(wrong[0])
    return f"{wrong.size:,} wrong values, first [{first}]: {answer[first]:.6g}, not {reference[first]:.6g}"


def _not_maximal_independent(answer: Answer, _: Answer, problem: Problem) -> str | None:
    edges, inside = problem.graph.to_edges(), np.asarray(answer, dtype=bool)
    both = inside[edges.sources] & inside[edges.destinations]
    if both.any():
        return f"{edges.sources[both][0]} and {edges.destinations[both][0]} are in the set and neighbours"
    covered = inside.copy()
    covered[edges.destinations[inside[edges.sources]]] = True
    return None if covered.all() else f"{int(np.flatnonzero(~covered)[0])} could be added to the set"


def _not_a_colouring(answer: Answer, _: Answer, problem: Problem) -> str | None:
    edges, colours = problem.graph.to_edges(), np.asarray(answer)
    same: NDArray[Any] = np.flatnonzero(colours[edges.sources] == colours[edges.destinations])
    if not same.size:
        return None
    return f"{edges.sources[same[0]]} and {edges.destinations[same[0]]} have the same colour and are neighbours"


_CHECKS: dict[str, Callable[[Answer, Answer, Problem], str | None]] = {
    "cc": _other_partition,
    "pr": _far_ranks,
    "ppr": _far_ranks,
    "bc": _far,
    "lcc": _far,
    "mis": _not_maximal_independent,
    "gc": _not_a_colouring,
}
