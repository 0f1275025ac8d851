"""What a sweep consists of: jobs, and what makes two of them the same."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, JsonValue

from generator.algorithms import load_algorithms
from runner.errors import RunnerError
from runner.hashing import has_content, hash_files, hash_values
from runner.jobs.graphs import check_source
from runner.jobs.partition import Partition  # noqa: TC001  # pydantic looks it up
from runner.jobs.programs import GPU_MODELS
from runner.jobs.references import Problem
from runner.machine.pinning import Places, ProcBind, pin

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from runner.checkout import Checkout
    from runner.jobs.graphs import Graph
    from runner.jobs.programs import Program
    from runner.machine.machine import Machine
    from runner.machine.toolchain import Toolchain


_HOW_PINNED = ("proc_bind", "places")
_OF_THREADS = ("threads", *_HOW_PINNED)  # parameters that CUDA programs ignore
_OF_SEVERAL_GPUS = ("gpus", "latency", "partition")
_PINNING = ("OMP_", "GOMP_", "VIOLET_PLACES")  # environment variables


class Parameters(BaseModel):
    """What a program is asked to do, and the pinning of its threads; None leaves the choice to the program."""

    model_config = ConfigDict(frozen=True)

    threads: int | None = None
    reps: int = 9
    warmup: int = 1
    source: int | None = None
    query: dict[str, int | str] = {}
    """What else algorithms are asked, by the names of their options; a program takes those of its algorithm."""
    tuning: dict[str, int | float] | None = None
    """How styles are tuned, by the names of programs' options; a program takes those that it has."""
    weights: Literal["hash", "one"] | None = None
    """Of a graph that has none; None leaves them to the program, which makes them by a hash."""
    budget: float | None = None
    proc_bind: ProcBind | None = None
    places: Places | None = None
    gpus: int | None = None
    """GPUs of a program for several; None: all of the machine."""
    latency: float | None = None
    """Microseconds that every meeting of the parts of such a program takes longer; None: not any."""
    partition: Partition | None = None
    """Who owns each vertex, by a file; None: as the program has it."""

    def arguments(self) -> list[str]:
        """Returns the command line options of a program."""
        given = self.model_dump(exclude_none=True, exclude={*_HOW_PINNED, "query", "tuning", "partition"})
        given |= self.query | (self.tuning or {})
        if self.partition:
            given["partition"] = self.partition.path
        return [word for name, value in given.items() for word in (f"--{name}", str(value))]

    def environment(self) -> dict[str, str]:
        """Returns the environment of a program: ours, but for OpenMP and pinning, which only the parameters steer."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(_PINNING)}
        if self.proc_bind is None or self.places is None or self.threads is None:
            return inherited
        return {**inherited, **pin(self.proc_bind, self.places, self.threads)}

    def identity(self) -> dict[str, JsonValue]:
        """Returns what makes another job; without what came later than the first records where there is none of it.

        Of a partition it is the content: the same one has many names, and a file can change.
        """
        left_out = {name for name in (*_OF_SEVERAL_GPUS, "tuning", "weights") if not getattr(self, name)}
        given = self.model_dump(exclude=left_out)
        return given | ({"partition": self.partition.sha256} if self.partition else {})

    def about(self, graph: Graph) -> Parameters:
        """Returns the parameters without the partition of another graph."""
        if self.partition is None or self.partition.graph_sha256 == graph.sha256:
            return self
        return self.model_copy(update={"partition": None})

    def fitting(self, program: Program, machine: Machine) -> Parameters:
        """Returns the parameters without those that do not concern a program: they must not make another job."""
        threads = dict.fromkeys(_OF_THREADS) if program.model in GPU_MODELS else {}
        several: dict[str, object] = dict.fromkeys(_OF_SEVERAL_GPUS)
        if program.model == "multigpu":
            gpus = self.gpus or len(machine.gpus) or None
            several = {"gpus": gpus, "latency": self.latency or None, "partition": self.partition}
        made = {"weights": self.weights if self.weights and needs_weights(program.algorithm) else None}
        accepted = load_algorithms()[program.algorithm].query if self.query else {}
        query = {name: value for name, value in self.query.items() if name in accepted}
        tuning = {name: value for name, value in (self.tuning or {}).items() if name in program.tunable} or None
        return self.model_copy(update={**threads, **several, **made, "query": query, "tuning": tuning})


@dataclass(frozen=True)
class Job:
    """One program to run on one graph, with everything that can change its result or its time.

    Attributes:
        program: what to run.
        graph: its input.
        parameters: its options.
        build_sha256: identity of the runtime sources, the compiler and its flags.
        machine: fingerprint of the machine.
        obstacle: why the job cannot run here, if it cannot.
    """

    program: Program
    graph: Graph
    parameters: Parameters
    build_sha256: str
    machine: str
    obstacle: str | None

    @property
    def problem(self) -> Problem:
        """What the program's results are held against the solution of."""
        query = tuple(self.parameters.query.items())
        query += (("weights", self.parameters.weights),) if self.parameters.weights else ()
        return Problem(
            self.program.reference, self.graph, self.parameters.source, query, certified=self.program.certified
        )

    def check_files(self) -> None:
        """Raises RunnerError unless the files that the job reads are what it is about: no record may say otherwise."""
        files = [(self.graph.path, self.graph.sha256)]
        if (partition := self.parameters.partition) is not None and partition.path is not None:
            files.append((partition.path, partition.sha256))
        for path, sha256 in files:
            if not has_content(path, sha256):
                raise RunnerError(f"{path} has changed, or cannot be read any more: give the same command again")

    @cached_property
    def key(self) -> str:
        """Identity of the job: a result recorded under the same key need not be measured again."""
        return hash_values(
            {
                "program": self.program.name,
                "source": self.program.source_sha256,
                "graph": self.graph.sha256,
                "parameters": self.parameters.identity(),
                "build": self.build_sha256,
                "machine": self.machine,
            }
        )[:24]


def plan(
    programs: Iterable[Program],
    graphs: Iterable[Graph],
    parameters: Parameters,
    *,
    machine: Machine,
    toolchain: Toolchain,
    runtime_sha256: str,
) -> list[Job]:
    """Returns one job for every program on every graph; a graph that is there twice, by whatever name, counts once."""
    graphs = list({graph.sha256: graph for graph in reversed(list(graphs))}.values())[::-1]
    builds = {
        model: hash_values([runtime_sha256, compiler.version, compiler.command])
        for model, compiler in toolchain.items()
    }
    return [
        Job(
            program=program,
            graph=graph,
            parameters=(fitting := parameters.about(graph).fitting(program, machine)),
            build_sha256=builds.get(program.model, ""),
            machine=machine.fingerprint,
            obstacle=_obstacle(program, graph, fitting, machine, toolchain),
        )
        for program in programs
        for graph in graphs
    ]


def check_query(query: Mapping[str, int | str], programs: Iterable[Program]) -> None:
    """Raises RunnerError if what is asked concerns no program, or one would refuse it: before anything is compiled."""
    if not query:
        return
    asked = {name: load_algorithms()[name] for name in sorted({program.algorithm for program in programs})}
    for name in query:
        if not any(name in algorithm.query for algorithm in asked.values()):
            known = ", ".join(sorted({each for algorithm in asked.values() for each in algorithm.query})) or "nothing"
            raise RunnerError(f"--query {name}: {', '.join(asked)} {'is' if len(asked) == 1 else 'are'} asked {known}")
    for name, algorithm in asked.items():
        if fault := algorithm.fault_of({each: value for each, value in query.items() if each in algorithm.query}):
            raise RunnerError(f"--query {fault}, by {name}")


def check_tuning(tuning: Mapping[str, float] | None, programs: Iterable[Program]) -> None:
    """Raises RunnerError if a style is tuned that no program has: before anything is compiled."""
    known = {name for program in programs for name in program.tunable} if tuning else set()
    for name in tuning or ():
        if name not in known:
            raise RunnerError(f"--tune {name}: no program has it; they have {', '.join(sorted(known)) or 'nothing'}")


def needs_weights(algorithm: str) -> bool:
    """Tells whether an algorithm asks for the weights of edges."""
    known = load_algorithms()
    return algorithm in known and known[algorithm].has("needs", "weights")


def check_start(algorithm: str, source: int | None, graph: Graph) -> None:
    """Raises RunnerError if an algorithm starts from no vertex, or the start vertex is none of the graph."""
    known = load_algorithms()
    if source is not None and algorithm in known and not known[algorithm].has("needs", "source"):
        raise RunnerError(f"--source {source}: {algorithm} starts from no vertex; leave it out")
    check_source(source, [graph])


def check_signs(algorithm: str, graph: Graph) -> None:
    """Raises RunnerError, with the names of vertices, if a weight is negative and all programs would refuse that."""
    known = load_algorithms().get(algorithm)
    if not (graph.real and known and known.real_weights and known.has("needs", "source")):
        return
    from inputs import names  # here, because few graphs have real weights
    from inputs.formats import egr

    edges = egr.read_any(graph.path).to_edges()
    if edges.weights is None or edges.weights.min(initial=0) >= 0:
        return
    first, called = int((edges.weights < 0).argmax()), names.read(graph.path, graph.vertices)
    u, v = (each if called is None else called[each] for each in (edges.sources[first], edges.destinations[first]))
    raise RunnerError(
        f"{graph.name}: edge {u}, {v} has weight {edges.weights[first]:g}, and {algorithm} takes none below 0"
    )


def made_weights(algorithm: str, graph: Graph, weights: str | None) -> str | None:
    """Returns what programs assume of the weights of a graph that has none; None if it has some, or they matter not.

    Args:
        algorithm: what is computed.
        graph: the input.
        weights: the choice of the user, if any.

    Raises:
        RunnerError: it is about no weights.
    """
    if not needs_weights(algorithm):
        if weights:
            raise RunnerError(f"--weights {weights}: {algorithm} looks at none; leave it out")
        return None
    if graph.weighted:
        if weights:
            raise RunnerError(f"--weights {weights}: {graph.name} has weights; leave it out")
        return None
    if weights == "one":
        return f"{graph.name} has no weights: all are 1"
    return f"{graph.name} has no weights: each is made by a hash of both ends, from 1 to 64 (--weights one: all are 1)"


def hash_runtime(checkout: Checkout) -> str:
    """Returns the hash of the sources that all programs share: programs are timed and verified by them."""
    return hash_files(checkout.runtime_files)


def _obstacle(
    program: Program, graph: Graph, parameters: Parameters, machine: Machine, toolchain: Toolchain
) -> str | None:
    """Says why a program cannot run on a graph here, if it cannot."""
    if program.directed != graph.directed:
        return f"{graph.name} is {'directed' if graph.directed else 'undirected'}"
    if not program.takes(graph):
        return f"{graph.name} has real weights: `violet generate real` writes programs for such"
    if parameters.partition and program.shares_edges:
        return "a partition is about vertices, and these programs share out edges"
    model = program.model
    if model not in toolchain:
        return "no nvcc" if model in GPU_MODELS else f"no compiler for {model}"
    if model in GPU_MODELS and not machine.gpus:
        return "no GPU"
    if (parameters.gpus or 0) > len(machine.gpus):
        return f"--gpus {parameters.gpus}: this machine has {len(machine.gpus)}"
    return None
