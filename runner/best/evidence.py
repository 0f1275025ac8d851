"""What a user says of a graph's vertices and edges: priors, and how much likelier neighbours are to be equal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from generator.algorithms import load_algorithms
from inputs import labels, names
from inputs.formats import egr
from inputs.formats.errors import GraphFormatError
from inputs.formats.text import is_count, number_of
from runner.errors import RunnerError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from runner.jobs.graphs import Graph


_LARGEST = 100
"""The surest prior that programs take (`evidence.cpp`); they know lines, and users vertices."""
_MOST = 1000
"""The largest agreement that they take; its inverse is the least."""


@dataclass(frozen=True)
class Evidence:
    """What a user says, if anything: a prior for each vertex, an agreement for all directed edges or one for each."""

    priors: list[float] | None = None
    agreement: float | None = None
    couplings: list[float] | None = None

    @property
    def style(self) -> str | None:
        """What programs that take it have on the axis `evidence`."""
        if self.couplings is not None:
            return "coupled"
        return None if self.priors is None and self.agreement is None else "given"

    def options(self, folder: Path) -> list[str]:
        """Returns the options of a program; its files are made in a folder.

        Raises:
            OSError: one cannot be written.
        """
        options = [] if self.agreement is None else ["--agreement", repr(self.agreement)]
        for option, numbers in (("priors", self.priors), ("couplings", self.couplings)):
            if numbers is not None:
                file = folder / f"{option}.txt"
                file.write_text("".join(f"{number!r}\n" for number in numbers), encoding="ascii")
                options += [f"--{option}", str(file)]
        return options


def check_evidence(algorithm: str, **said: object) -> None:
    """Raises RunnerError if something is said, by the names of options, and the algorithm does not take it."""
    for option, value in said.items():
        if value and not load_algorithms()[algorithm].has("messages", "edges"):
            raise RunnerError(f"--{option}: {algorithm} takes none; leave it out")


def read_evidence(
    algorithm: str, graph: Graph, priors: Path | None, agreement: float | None, couplings: Path | None
) -> Evidence:
    """Reads what is said of a graph's vertices and edges, which `check_evidence` accepts.

    Raises:
        GraphFormatError: as `read_priors` and `read_couplings`.
        OSError: as these.
    """
    known = load_algorithms()[algorithm]
    return Evidence(
        read_priors(priors, graph) if priors else None,
        agreement,
        read_couplings(couplings, graph, agreement or known.parameters["agreement"].value) if couplings else None,
    )


def read_priors(path: Path, graph: Graph) -> list[float]:
    """Reads the prior of each vertex, by its name if the graph has names; 0 where the file says nothing.

    Raises:
        GraphFormatError: a line is no vertex and its prior.
        OSError: the names cannot be read.
    """
    vertex_of, priors = _numbering(path, graph), np.zeros(graph.vertices)
    for vertex, text in labels.read_column(path, "prior").items():
        v = vertex_of(vertex)
        prior = number_of(text)
        if prior is None or not abs(prior) <= _LARGEST:
            said = f"which is no number from -{_LARGEST} to {_LARGEST}"
            raise GraphFormatError(path, None, f"the prior of vertex {vertex} is {text}, {said}")
        priors[v] = prior
    found: list[float] = priors.tolist()
    return found


def read_couplings(path: Path, graph: Graph, agreement: float) -> list[float]:
    """Reads how much likelier the ends of each edge are to be equal than to differ, by their names if they have some.

    Args:
        path: a file of edges, each in one direction or the same in both.
        graph: undirected.
        agreement: that of edges which the file does not name.

    Returns:
        That of each directed edge, in the order of the graph.

    Raises:
        GraphFormatError: a line is no edge and its agreement, or an edge has two.
        OSError: the graph or its names cannot be read.
    """
    pairs, vertex_of = labels.read_pairs(path, "agreement"), _numbering(path, graph)
    edges = egr.read_any(graph.path).to_edges()
    places = edges.sources.astype(np.int64) * graph.vertices + edges.destinations  # ascending, as rows are
    found = np.full(graph.edges, np.nan)
    for pair, text in pairs.items():
        u, v = map(vertex_of, pair)
        both = np.searchsorted(places, [u * graph.vertices + v, v * graph.vertices + u])
        if both.max() >= graph.edges or places[both[0]] != u * graph.vertices + v:
            raise GraphFormatError(path, None, f"{graph.name} has no edge {', '.join(pair)}")
        said = number_of(text)
        if said is None or not 1 / _MOST <= said <= _MOST:
            reason = f"which is no number from {1 / _MOST:g} to {_MOST}"
            raise GraphFormatError(path, None, f"the agreement of edge {', '.join(pair)} is {text}, {reason}")
        if (already := found[both[0]]) == already != said:  # if it is a number
            raise GraphFormatError(path, None, f"edge {', '.join(pair)} has another agreement, {already:g}, already")
        found[both] = said
    couplings: list[float] = np.nan_to_num(found, nan=agreement).tolist()
    return couplings


def _numbering(path: Path, graph: Graph) -> Callable[[str], int]:
    """Returns what tells the number of a vertex from what a file calls it; raises GraphFormatError if there is none."""
    called = names.read(graph.path, graph.vertices)
    numbers = None if called is None else {str(name): v for v, name in enumerate(called)}

    def vertex_of(vertex: str) -> int:
        if numbers is not None:
            v = numbers.get(vertex, -1)
        else:
            v = int(vertex) if is_count(vertex) and len(vertex) < 11 else -1
        if not 0 <= v < graph.vertices:
            raise GraphFormatError(path, None, f"{graph.name} has no vertex {vertex}")
        return v

    return vertex_of
