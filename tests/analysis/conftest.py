"""A factory of synthetic results: programs built from the axis tables, with times that follow a planted rule."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis import statistics
from analysis.cli import main
from analysis.compared.study import Study, read_study
from analysis.judged.findings import Finding, findings
from analysis.styles import axes
from generator.space import Space, Style, load_space, name_of
from tests.configs import chosen, selected

EDGES = 1_000_000
SEVERAL_GPUS = (
    "bfs-multigpu-vertex-data-nodup-push-rmw-nondet-persistent-warp-atomic-i32-ranges-selective-list-store-host"
)
Seconds = Callable[[Iterable[str]], float]
Record = Callable[..., dict[str, Any]]
Run = Callable[..., tuple[int, str, str]]
Write = Callable[..., Path]

REDUCTIONS = {"cuda": ["globaladd", "blockadd", "reductionadd"]}
SCHEDULES = {"cuda": [], "openmp": ["default", "dynamic"], "cpp": ["blocked", "cyclic"]}


@pytest.fixture(scope="module", autouse=True)
def resamples(request: pytest.FixtureRequest) -> Iterator[None]:
    """Few resamples tell that 2 is more than 1; modules about intervals, or committed numbers, have `ALL_RESAMPLES`."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(statistics, "_known", {})
        if not getattr(request.module, "ALL_RESAMPLES", False):
            patch.setattr(statistics, "RESAMPLES", 200)
        statistics._draws.cache_clear()
        yield
    statistics._draws.cache_clear()


def beyond() -> list[str]:
    """For every optional value programs that have it and no other, and the same programs without it."""
    return list(dict.fromkeys(map(name_of, chosen("beyond", _beyond))))


def _beyond() -> list[Style]:
    space = load_space()
    found: list[Style] = []
    for axis in filter(lambda axis: axis.optional and axis.name not in ("bug", "model"), space.axes):
        for value in filter(axis.is_optional, axis.values):
            having = [style for style in _with_optional_values() if style.get(axis.name) == value]
            if not having:  # it is for algorithms that the paper does not have
                continue
            least = min(having, key=lambda style: sum(space.axis(each).is_optional(style[each]) for each in style))
            found += [{**least, **rest} for rest in _along(space, least, "switch")]
            only_with_it = {"driver": "worklist", "flow": "switch", "method": "intersection"}.get(axis.name)
            plain = {each: least[each] for each in least if each not in (only_with_it, axis.name)}
            for other in axis.plain_values or [None]:
                style = {**plain, axis.name: other} if other else plain
                found.append({each.name: style[each.name] for each in space.axes if each.name in style})
    return found


@cache
def _with_optional_values() -> list[Style]:
    """Programs of the paper with optional values on any axes, whether a config selects them or not."""
    space = load_space()
    paper = selected("paper")
    styles = {name_of(style): style for style in paper if style.get("atomics") != "cudaatomic"}
    for axis in filter(lambda axis: axis.optional and axis.name not in ("bug", "model"), space.axes):
        styles |= {name_of(style): style for style in space.add(axis, list(styles.values()))}
    return list(styles.values())


def _along(space: Space, style: Style, axis: str) -> list[Style]:
    """What to replace in a style to get every value of an axis that it has."""
    return [{axis: value} for value in space.axis(axis).values] if axis in style else [{}]


def programs(algorithms: Iterable[str] = ("bfs", "cc"), models: Iterable[str] = ("cuda", "openmp")) -> Iterator[str]:
    """Every name that conditional axes and forced values allow, for the given algorithms and models."""
    for algorithm, model, driver in product(algorithms, models, axes()["driver"]):
        if algorithm == "tc" and driver == "data":
            continue
        cuda = model == "cuda"
        choices = {axis: [""] for axis in axes()} | {
            "algorithm": [algorithm],
            "model": [model],
            "iteration": axes()["iteration"],
            "driver": [driver],
            "worklist": load_space().axis("worklist").plain_values if driver == "data" else [""],
            "flow": load_space().axis("flow").plain_values if algorithm != "tc" else ["push"],
            "update": load_space().axis("update").plain_values if algorithm != "tc" else ["rmw"],
            "determinism": ["det", "nondet"] if algorithm != "tc" else ["det"],
            "persistence": axes()["persistence"] if cuda else [""],
            "granularity": load_space().axis("granularity").plain_values if cuda else [""],
            "atomics": axes()["atomics"] if cuda else [""],
            "reduction": REDUCTIONS.get(model, ["atomicred", "criticalred", "clausered"])
            if algorithm == "tc"
            else [""],
            "schedule": SCHEDULES[model] or [""],
            "datatype": ["i32"],
        }
        for style in product(*choices.values()):
            if "pull" in style and ("rmw" in style or "edge" in style):
                continue
            yield "-".join(filter(None, style))


def record(program: str, seconds: float = 1e-3, **fields: Any) -> dict[str, Any]:
    """One record as the runner writes it."""
    algorithm, model, *_ = program.split("-")
    return {
        "program": program,
        "graph": "inputs/data/grid.egr",
        "algorithm": algorithm,
        "model": model,
        "status": "verified",
        "samples_s": [seconds] * 3,
        "rounds": 7,
        "edges": EDGES,
        "session": "s1",
        "machine": "box",
        **fields,
    }


@pytest.fixture(name="programs", scope="session")
def _programs() -> Callable[..., Iterator[str]]:
    return programs


@pytest.fixture(name="record", scope="session")
def _record() -> Record:
    return record


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes records to a results directory and returns it."""

    def write_records(records: Iterable[Mapping[str, Any]], name: str = "results") -> Path:
        directory = tmp_path / name
        directory.mkdir(exist_ok=True)
        with (directory / "results.jsonl").open("a") as file:
            file.writelines(json.dumps(record) + "\n" for record in records)
        return directory

    return write_records


def planted(effects: Mapping[str, float], noise: float = 0.1, seed: int = 0) -> Seconds:
    """Times in which each style value multiplies the throughput by its factor, with log-normal noise."""
    rng = np.random.default_rng(seed)

    def seconds(style: Iterable[str]) -> float:
        factor = np.prod([effects.get(value, 1.0) for value in style])
        return float(1e-3 / factor * rng.lognormal(0, noise))

    return seconds


@pytest.fixture(name="planted", scope="session")
def _planted() -> Callable[..., Seconds]:
    return planted


@pytest.fixture(scope="session")
def study_results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All models on three graphs, in which push and TC are twice as fast, and critical sections ten times slower.

    One program ran on two GPUs, too, on one graph with an injected latency, and by a partition from a file. One job
    timed out and one is wrong.
    """
    seconds = planted({"push": 2.0, "tc": 2.0, "cudaatomic": 0.05, "criticalred": 0.1})
    sizes = {"grid": 4_000, "road": 10_000, "social": 100_000}
    names = list(programs(("bfs", "tc"), ("cuda", "openmp", "cpp")))
    jobs = [
        record(name, seconds(name.split("-")), graph=graph, vertices=sizes[graph], edges=16_000 * (1 + number))
        for name in names
        for number, graph in enumerate(sizes)
    ]
    jobs += [
        record(SEVERAL_GPUS, seconds(["push"]) / gpus, graph=graph, vertices=sizes[graph], edges=16_000 * (1 + number))
        | {"parameters": {"gpus": gpus}}
        for gpus in (1, 2)
        for number, graph in enumerate(sizes)
    ]
    jobs.append(
        record(SEVERAL_GPUS, 0.1, graph="grid", vertices=4_000, edges=16_000)
        | {"parameters": {"gpus": 2, "latency": 50}}
    )
    partition = {"name": "owners", "sha256": "0123456789ab", "graph_sha256": "cd"}
    jobs.append(
        record(SEVERAL_GPUS, 0.1, graph="grid", vertices=4_000, edges=16_000)
        | {"parameters": {"gpus": 2, "partition": partition}}
    )
    jobs[0] |= {"status": "timeout", "samples_s": [], "wall_s": 60.0, "reason": "60 s were not enough"}
    jobs[1] |= {"status": "wrong", "reason": "vertex 3 has distance 2"}
    file = tmp_path_factory.mktemp("study") / "r.jsonl"
    file.write_text("\n".join(map(json.dumps, jobs)))
    (file.parent / "r.graphs.json").write_text(
        json.dumps(
            [
                {
                    "name": name,
                    "vertices": vertices,
                    "edges": 16_000 * (1 + number),
                    "average_degree": 0.0,  # follows from the others
                    "maximum_degree": 10**number,
                    "share_degree_32": 0.1 * number,
                    "share_degree_512": 0.0,
                    "diameter": 100 - number,
                }
                for number, (name, vertices) in enumerate(sizes.items())
            ]
        )
    )
    return file


@pytest.fixture(scope="session")
def study(study_results: Path) -> Study:
    """The results of `study_results`."""
    found = read_study([study_results])
    return Study(found.frame, found.graphs, notes=["Left out: nothing."], delayed=found.delayed)


@pytest.fixture(scope="session")
def tested(study: Study) -> list[Finding]:
    """All claims, put to the test."""
    return findings(study)


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command line; returns exit code, stdout and stderr without what is said first."""

    def run_main(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["analysis", *map(str, arguments)])
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err.removeprefix("reading results\n")

    return run_main


@pytest.fixture
def results(record: Record, programs: Callable[..., Any], planted: Callable[..., Any], write: Write) -> Path:
    """OpenMP programs in which push is twice as fast."""
    seconds = planted({"push": 2.0})
    return write([record(name, seconds(name.split("-"))) for name in programs(models=("openmp",))])
