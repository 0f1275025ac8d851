"""What a user says of a graph's vertices: priors, and how much likelier neighbours are to be equal."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from generator.algorithms import load_algorithms
from inputs import labels, names
from inputs.formats.errors import GraphFormatError
from runner.errors import RunnerError

if TYPE_CHECKING:
    from pathlib import Path

    from runner.jobs.graphs import Graph


_LARGEST = 100
"""The surest prior that programs take (`evidence.cpp`); they know lines, and users vertices."""


@dataclass(frozen=True)
class Evidence:
    """What `--priors` and `--agreement` say, if anything; a prior for each vertex."""

    priors: list[float] | None = None
    agreement: float | None = None

    @property
    def is_given(self) -> bool:
        """Whether anything is said."""
        return self.priors is not None or self.agreement is not None

    def options(self, folder: Path) -> list[str]:
        """Returns the options of a program; its file of priors is made in a folder.

        Raises:
            OSError: it cannot be written.
        """
        options = []
        if self.priors is not None:
            file = folder / "priors.txt"
            file.write_text("".join(f"{prior!r}\n" for prior in self.priors), encoding="ascii")
            options += ["--priors", str(file)]
        if self.agreement is not None:
            options += ["--agreement", repr(self.agreement)]
        return options


def read_evidence(algorithm: str, graph: Graph, priors: Path | None, agreement: float | None) -> Evidence:
    """Reads what is said of a graph's vertices.

    Raises:
        RunnerError: something is said that the algorithm does not take.
        GraphFormatError: as `read_priors`.
        OSError: as `read_priors`.
    """
    if (priors or agreement) and not load_algorithms()[algorithm].has("messages", "edges"):
        raise RunnerError(f"{'--priors' if priors else '--agreement'}: {algorithm} takes none; leave it out")
    return Evidence(read_priors(priors, graph) if priors else None, agreement)


def read_priors(path: Path, graph: Graph) -> list[float]:
    """Reads the prior of each vertex, by its name if the graph has names; 0 where the file says nothing.

    Raises:
        GraphFormatError: a line is no vertex and its prior.
        OSError: the names cannot be read.
    """
    called = names.read(graph.path, graph.vertices)
    numbers = None if called is None else {str(name): v for v, name in enumerate(called)}
    priors = np.zeros(graph.vertices)
    for vertex, text in labels.read_column(path, "prior").items():
        if numbers is not None:
            v = numbers.get(vertex, -1)
        else:
            v = int(vertex) if vertex.isdecimal() and len(vertex) < 11 else -1
        if not 0 <= v < graph.vertices:
            raise GraphFormatError(path, None, f"{graph.name} has no vertex {vertex}")
        try:
            priors[v] = float(text)
        except ValueError:
            priors[v] = math.nan
        if not abs(priors[v]) <= _LARGEST:
            said = f"which is no number from -{_LARGEST} to {_LARGEST}"
            raise GraphFormatError(path, None, f"the prior of vertex {vertex} is {text}, {said}")
    found: list[float] = priors.tolist()
    return found
