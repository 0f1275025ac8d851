"""What each round of a program does on a graph, by a build of it that records that."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from generator.output import add
from generator.render import render
from generator.space import load_space, name_of
from runner.best.known import check_out
from runner.errors import RunnerError
from runner.jobs.once import run_once
from runner.jobs.programs import program_of
from runner.machine.machine import this_machine

if TYPE_CHECKING:
    from generator.render import Program
    from generator.space import Space, Style
    from runner.checkout import Checkout
    from runner.jobs.graphs import Graph
    from runner.jobs.plan import Parameters

_ROUND = "trace.begin_round("
_EDGES = re.compile(r"\bEdgeCount count\(|\bcount_edges\(")


def traced(space: Space, name: str) -> Program:
    """Returns the program of that name, written so that it records its rounds.

    Raises:
        UserError: no program has this name, or a rule forbids it.
        RunnerError: its rounds cannot be seen, or it has none.
    """
    style = space.legal(name)
    if style["model"] == "multigpu":
        raise RunnerError(f"{name}: parts have rounds of their own; trace a program for one GPU")
    program = render(space, style, traced=True)
    if _ROUND not in program.text:
        raise RunnerError(f"{name}: {_without_rounds(space, style)}")
    if not _EDGES.search(program.text):
        raise RunnerError(f"{name}: walks no rows, so there are no edges to count; trace one that pushes or pulls")
    return program


def _without_rounds(space: Space, style: Style) -> str:
    """Says why the host of a program sees no rounds, and which program has the same that it does see."""
    if "fusion" not in style:
        return "has no rounds, so there is nothing to trace"
    apart = {axis: value for axis, value in style.items() if axis != "fusion"}
    other = "" if space.forbidden_by(apart) else f"; trace {name_of(apart)}"
    return f"its rounds are within kernels, where nobody times them{other}"


def trace(checkout: Checkout, name: str, graph: Graph, parameters: Parameters, out: Path) -> tuple[int, float]:
    """Has a program solve a graph, and writes what each round did as CSV; returns their number and seconds.

    Raises:
        UserError: no program has this name.
        RunnerError: it has no rounds that can be seen, no such option, does not compile or does not solve the graph;
            or the file is the graph, or cannot be written.
    """
    check_out(out, graph.path)
    rendered = traced(load_space(), name)
    place = checkout.traced
    add([rendered], place.generated)
    row = {"name": name, "path": rendered.path, "reference": rendered.reference, **rendered.style}
    program = program_of(place, row)
    options = parameters.fitting(program, this_machine())
    for option, asked, taken in (
        ("query", parameters.query, options.query),
        ("tune", parameters.tuning or {}, options.tuning or {}),
    ):
        if unknown := sorted(asked.keys() - taken.keys()):
            raise RunnerError(f"--{option} {unknown[0]}: {name} has no such option")
    with TemporaryDirectory() as folder:
        rounds = Path(folder) / "rounds.csv"
        run_once(place, program, graph, options, "--trace", str(rounds))
        text = rounds.read_text(encoding="utf-8")
    out.write_text(text, encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    return len(rows), sum(float(row["seconds"]) for row in rows)
