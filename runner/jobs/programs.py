"""The generated programs, as the generator's manifest lists them."""

from __future__ import annotations

import csv
import hashlib
import re
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from generator.algorithms import load_algorithms
from generator.runtime import included
from runner.errors import RunnerError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from runner.checkout import Checkout
    from runner.jobs.graphs import Graph

GPU_MODELS = ("cuda", "multigpu")
_COLUMNS = ("name", "model", "algorithm", "reference", "path")
_PARAMETER = re.compile(r'\bParameter \w+\(\s*"([^"]+)"')


@dataclass(frozen=True)
class Program:
    """One generated program: an algorithm in one style.

    Attributes:
        name: of the program.
        model: its programming model.
        algorithm: what it computes.
        reference: the serial algorithm that its results must agree with.
        source: its text.
        binary: where it is built.
        source_sha256: identity of its text.
        includes: the headers of the runtime that it names.
        directed: whether it takes directed graphs; then it takes no others.
        real_weights: whether it takes such, or, where it looks at none, whether it does not matter.
        shares_edges: whether its parts share out edges in place of vertices, so that it takes no partition of these.
        certified: whether it can verify its results by the graph alone.
        tunable: the options by which its style can be tuned, such as the width of a bucket.
    """

    name: str
    model: str
    algorithm: str
    reference: str
    source: Path
    binary: Path
    source_sha256: str
    includes: tuple[str, ...] = ()
    directed: bool = False
    real_weights: bool = False
    shares_edges: bool = False
    certified: bool = False
    tunable: tuple[str, ...] = ()

    def takes(self, graph: Graph) -> bool:
        """Tells whether it takes graphs with such edges."""
        return graph.fits(directed=self.directed, real_weights=self.real_weights)

    def complaint(self, stderr: str) -> str:
        """Returns the last that it said on stderr, without its name; nothing if that was nothing."""
        *_, last = stderr.strip().splitlines() or [""]
        return last.removeprefix(f"{self.name}: error: ")

    def in_checkout(self, checkout: Checkout) -> Program:
        """Returns the same program where it lies in another checkout."""
        folder = Path(self.model, self.algorithm)
        return replace(
            self, source=checkout.generated / folder / self.source.name, binary=checkout.build / folder / self.name
        )


def read_programs(checkout: Checkout, globs: Sequence[str]) -> list[Program]:
    """Returns the programs of the manifest whose names match any of the globs.

    The hash is taken of the file as it is now, not from the manifest: a program edited by hand is another program.

    Raises:
        RunnerError: there is no manifest, it is broken or names a missing file, or one of the globs matches nothing.
    """
    rows = list(_rows(checkout.manifest))
    idle = [glob for glob in globs if not any(fnmatchcase(row["name"], glob) for row in rows)]
    if idle:
        raise RunnerError(f"no program of {checkout.manifest} matches {' '.join(idle)}")
    return [program_of(checkout, row) for row in rows if any(fnmatchcase(row["name"], glob) for glob in globs)]


def _rows(manifest: Path) -> Iterator[dict[str, str]]:
    try:
        with manifest.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            missing = [column for column in _COLUMNS if column not in (reader.fieldnames or [])]
            if missing:
                raise RunnerError(f"{manifest}: no column {', '.join(missing)}; run `violet generate` again")
            yield from reader
    except FileNotFoundError:
        raise RunnerError(f"{manifest} is missing: run `violet generate quick` first") from None


def program_of(checkout: Checkout, row: Mapping[str, str]) -> Program:
    """Returns the program that a row of a manifest describes: `path` in the folder of sources, and its style.

    Raises:
        RunnerError: its source is missing.
    """
    name, model, algorithm = row["name"], row["model"], row["algorithm"]
    source = checkout.generated / row["path"]
    try:
        content = source.read_bytes()
    except FileNotFoundError:
        raise RunnerError(f"{source} is missing though the manifest lists it: run `violet generate` again") from None
    binary, text = checkout.build / model / algorithm / name, content.decode(errors="replace")
    known = load_algorithms().get(algorithm)
    style = {axis: value for axis, value in row.items() if value}
    directed = known is not None and known.takes_directed(style)
    real_weights = known is not None and known.allows_real_weights(style)
    shares_edges = model == "multigpu" and row.get("iteration") == "edge"
    return Program(
        name=name,
        model=model,
        algorithm=algorithm,
        reference=row["reference"],
        source=source,
        binary=binary,
        source_sha256=hashlib.sha256(content).hexdigest(),
        includes=tuple(included(text)),
        directed=directed,
        real_weights=real_weights,
        shares_edges=shares_edges,
        certified=known is not None and known.certificate,
        tunable=tuple(_PARAMETER.findall(text)),
    )
