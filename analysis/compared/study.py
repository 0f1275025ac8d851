"""What a report or a finding is made of: jobs, what was left out, graphs, and figures of other codes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

from analysis import words
from analysis.compared import baselines, best
from analysis.compared.combinations import combinations
from analysis.compared.comparisons import Comparison
from analysis.compared.correlations import correlations
from analysis.compared.interactions import explained
from analysis.defaults import MEASUREMENTS, SMALLEST
from analysis.errors import AnalysisError
from analysis.measured import records
from analysis.measured.graphs import graph_table, high_degree, known

_NAMED = 4
"""So many graphs that were left out are named; of more, only the number."""


@dataclass(frozen=True, eq=False)
class Study:
    """Results to be reported; what is derived from them is derived once.

    Attributes:
        frame: Jobs, as `records.load` returns them.
        graphs: Their graphs, as `graphs.graph_table` returns them.
        notes: What was left out before, and why: sentences.
        baselines: Figures of other codes, as `baselines.load` returns them, if there are any.
        delayed: Jobs as in `frame`, with an injected latency: nothing but the latency is to be learned from them.
        divided: Jobs as in `frame`, of graphs that a file divided: no style of a program did.
    """

    frame: pd.DataFrame
    graphs: pd.DataFrame
    notes: Sequence[str] = ()
    baselines: pd.DataFrame | None = None
    delayed: pd.DataFrame = field(default_factory=pd.DataFrame)
    divided: pd.DataFrame = field(default_factory=pd.DataFrame)
    _pairs: dict[Comparison, pd.DataFrame] = field(default_factory=dict, repr=False)

    def pairs(self, comparison: Comparison) -> pd.DataFrame:
        """Returns the pairs of a comparison; `degree` says whether their graph is of `high` or `low` degree."""
        if comparison not in self._pairs:
            found = comparison.pairs(self.frame)
            high = self.graphs["graph"][high_degree(self.graphs)]
            self._pairs[comparison] = found.assign(degree=found["graph"].isin(high).map({True: "high", False: "low"}))
        return self._pairs[comparison]

    @cached_property
    def classic(self) -> pd.DataFrame:
        """The jobs that use no `cuda::atomic`."""
        return best.classic(self.frame)

    @cached_property
    def winners(self) -> pd.DataFrame:
        """`best.winners` of the jobs."""
        return best.winners(self.frame)

    @cached_property
    def shares(self) -> pd.DataFrame:
        """`best.shares` of the jobs."""
        return best.shares(self.frame, self.winners)

    @cached_property
    def slowdowns(self) -> pd.DataFrame:
        """`best.slowdowns` of the classic jobs."""
        return best.slowdowns(self.classic)

    @cached_property
    def combinations(self) -> pd.DataFrame:
        """`combinations.combinations` of the CUDA jobs."""
        return combinations(self.frame)

    @cached_property
    def explained(self) -> pd.DataFrame:
        """`interactions.explained` of the CUDA jobs."""
        return explained(self.frame)

    @cached_property
    def correlations(self) -> pd.DataFrame:
        """`correlations.correlations` of the CUDA jobs with the graphs, after Pearson."""
        return correlations(self.frame, self.graphs)

    @cached_property
    def speedups(self) -> pd.DataFrame | None:
        """`baselines.speedups` of the classic jobs, if there are baselines."""
        return None if self.baselines is None else baselines.speedups(self.classic, self.baselines)


def read_study(
    results: Sequence[Path] = MEASUREMENTS, min_edges: int | None = SMALLEST, codes: Path | None = None
) -> Study:
    """Reads all that a report is made of.

    Args:
        results: Directories or files, as `records.load` takes them, with descriptions of graphs beside them.
        min_edges: Graphs with fewer directed edges are left out, and those without edges always. None for `SMALLEST`,
            unless all graphs are smaller.
        codes: The CSV file of other codes, as `baselines.load` takes it, if there is one.

    Raises:
        AnalysisError: Something cannot be read, no graph is large enough, or all jobs have an injected latency or a
            partition from a file.
    """
    everything = records.load(results)
    edges = everything["edges"]
    if min_edges is None:
        min_edges = SMALLEST if (edges.fillna(0) >= SMALLEST).any() else 0
    fewest = max(min_edges, 1)
    large = everything[(edges.fillna(0) >= min_edges) & (edges.fillna(-1) != 0)]
    at_once, by_program = large["latency_us"] == 0, large["partition_file"] == ""
    frame, delayed, divided = (
        large[chosen].reset_index(drop=True) for chosen in (at_once & by_program, ~at_once & by_program, ~by_program)
    )
    if frame.empty and not large.empty:
        raise AnalysisError("all results are of jobs with --latency or --partition; the same ones without are missing")
    if frame.empty:
        raise AnalysisError(f"no graph has {words.counted(fewest, 'edge')}")
    small = sorted(set(everything["graph"]) - set(large["graph"]))
    few = small if len(small) <= _NAMED else [*small[: _NAMED - 1], f"{len(small) - _NAMED + 1} more"]
    left_out = f"Left out: graphs with fewer than {fewest:,} directed edges ({', '.join(few)})."
    other_codes = None if codes is None else baselines.load(codes, frame)
    return Study(frame, graph_table(frame, known(results)), (left_out,) if small else (), other_codes, delayed, divided)
