"""How numbers, names and origins are put into words, the same in figures, tables and findings."""

import re
import textwrap
from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.statistics import Summary

MODELS = {"cuda": "CUDA", "multigpu": "CUDA on several GPUs", "openmp": "OpenMP", "cpp": "C++ threads"}

STUDIED = ("cuda", "openmp", "cpp")
"""The models that the paper measures."""

CPU = ("openmp", "cpp")
"""The models of CPU programs."""

VALUES = {
    "vertex": "vertex-based",
    "edge": "edge-based",
    "topology": "topology-driven",
    "data": "data-driven",
    "dup": "duplicates",
    "nodup": "no duplicates",
    "rw": "read-write",
    "rmw": "read-modify-write",
    "det": "deterministic",
    "nondet": "nondeterministic",
    "nonpersistent": "non-persistent",
    "globaladd": "global-add",
    "blockadd": "block-add",
    "reductionadd": "reduction-add",
    "atomicred": "atomic reduction",
    "criticalred": "critical section",
    "clausered": "reduction clause",
}
"""What figures call the values of axes; all others by their names."""


def in_words(summary: Summary) -> str:
    """Returns a summary in a line: median, interval, n."""
    return f"{median_in_words(summary)}, n = {summary.n}{bounds_in_words(summary)}"


def median_in_words(summary: Summary) -> str:
    """Returns a median and its interval, if it has one."""
    interval = "" if np.isnan(summary.low) else f" [{number(summary.low)}, {number(summary.high)}]"
    return f"{number(summary.median)}{interval}"


def bounds_in_words(summary: Summary) -> str:
    """Returns how many ratios are only bounds, if any is."""
    return f" ({counted(summary.bounds, 'bound')})" if summary.bounds else ""


def counted(n: int, noun: str) -> str:
    """Returns a number of things: `1 pair`, `2 pairs`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def listed(names: Sequence[str]) -> str:
    """Returns names in a row: `a`, `a and b`, `a, b and c`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def models(names: Sequence[str]) -> str:
    """Returns what models are called, in a row; those that the paper measures are `all models`."""
    return "all models" if set(names) == set(STUDIED) else listed([MODELS[name] for name in names])


def number(value: float) -> str:
    """Returns a number with three digits, or with as many more as tell it from 1."""
    words = (f"{value:.{digits}g}" for digits in range(3, 8))
    return next((word for word in words if word != "1" or value == 1), "1")


def times(factor: float) -> str:
    """Returns a factor with two digits, in words: `1.2 times`, `12 times`."""
    return f"{factor:.2g} times" if factor < 100 else f"{factor:.0f} times"


def plain(value: float) -> str:
    """Returns a number as people write it: no exponent up to a hundred thousand."""
    return f"{value:g}" if 1e-4 <= value < 1e5 else f"{value:.0e}".replace("e+0", "e").replace("e-0", "e-")


def present(column: pd.Series) -> list[str]:
    """Returns the values that occur: in axis order if the column has one, else sorted."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return [value for value in column.cat.categories if (column == value).any()]
    return sorted(column.unique())


def provenance(jobs: pd.DataFrame) -> str:
    """Says where jobs or pairs come from: the machine and the graphs of every model, told once where they are equal."""
    models: dict[tuple[str, str], list[str]] = {}
    for model in present(jobs["model"]):
        inside = jobs[jobs["model"] == model]
        where = "; ".join(present(inside["machine"])), ", ".join(present(inside["graph"]))
        models.setdefault(where, []).append(MODELS[model])
    said = " ".join(f"{', '.join(names)}: {machine}; {graphs}." for (machine, graphs), names in models.items())
    return said + (" A star marks a stand-in." if "-stand-in" in said else "")


def label(name: str, width: int = 20) -> str:
    """Shortens and breaks the name of a graph, or any other, for a label; `provenance` has it in full."""
    short = name.removesuffix("-stand-in") + "*" if name.endswith("-stand-in") else name
    return "\n".join(textwrap.wrap(short.replace("-", "- "), width, break_long_words=False)).replace("- ", "-")


def styled(value: str) -> str:
    """Returns what figures call the value of an axis."""
    return VALUES.get(value, value)


def short_machines(machines: Sequence[str]) -> dict[str, str]:
    """Returns short names of machines, all different: their GPUs, if need be with cores, or all that is known."""
    found: dict[str, str] = {}
    for way in (_gpus, _gpus_and_cores, lambda machine: machine):
        left = [machine for machine in machines if machine not in found]
        names = [way(machine) for machine in left]
        found |= {machine: name for machine, name in zip(left, names, strict=True) if names.count(name) == 1}
    return {machine: found[machine] for machine in machines}


def family(machine: str, hardware: str) -> str:
    """Returns what machines have in common that are the same to programs of a kind of hardware (`judged.answers`)."""
    gpu = _gpus(machine)
    if hardware == "cpu" or gpu == _cpu(machine):
        return _cpu(machine)
    return re.sub(r"^\d+ x ", "", gpu)


def _gpus(machine: str) -> str:
    """Returns the GPUs of a machine in short, or its CPU if it has none."""
    found = re.match(r"((?:\d+ x )?)NVIDIA (\w+)", machine)
    return found[1] + found[2] if found else _cpu(machine)


def _gpus_and_cores(machine: str) -> str:
    cores = re.search(r"with (\d+) cores", machine)
    return f"{_gpus(machine)}, {cores[1]} cores" if cores else machine


def _cpu(machine: str) -> str:
    found = re.search(r"([^,]*) with (\d+) cores", machine)
    if not found:
        return machine
    name = re.sub(r"\((?:R|TM)\)| Processor| CPU|@.*", "", found[1]).strip()
    return f"{name}, {found[2]} cores"
