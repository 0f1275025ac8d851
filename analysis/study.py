"""What a report or a finding is made of: jobs, what was left out, graphs, and figures of other codes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import pandas as pd

from analysis import baselines, choice
from analysis.combinations import combinations
from analysis.comparisons import Comparison
from analysis.correlations import correlations
from analysis.graphs import high_degree


@dataclass(frozen=True, eq=False)
class Study:
    """Results to be reported; what is derived from them is derived once.

    Attributes:
        frame: Jobs, as ``records.load`` returns them.
        graphs: Their graphs, as ``graphs.graph_table`` returns them.
        notes: What was left out before, and why: sentences.
        baselines: Figures of other codes, as ``baselines.load`` returns them, if there are any.
    """

    frame: pd.DataFrame
    graphs: pd.DataFrame
    notes: Sequence[str] = ()
    baselines: pd.DataFrame | None = None
    _pairs: dict[Comparison, pd.DataFrame] = field(default_factory=dict, repr=False)

    def pairs(self, comparison: Comparison) -> pd.DataFrame:
        """Returns the pairs of a comparison; ``degree`` says whether their graph is of ``high`` or ``low`` degree."""
        if comparison not in self._pairs:
            found = comparison.pairs(self.frame)
            high = self.graphs["graph"][high_degree(self.graphs)]
            self._pairs[comparison] = found.assign(degree=found["graph"].isin(high).map({True: "high", False: "low"}))
        return self._pairs[comparison]

    @cached_property
    def classic(self) -> pd.DataFrame:
        """The jobs that use no ``cuda::atomic``."""
        return choice.classic(self.frame)

    @cached_property
    def shares(self) -> pd.DataFrame:
        """``choice.shares`` of the jobs."""
        return choice.shares(self.frame)

    @cached_property
    def slowdowns(self) -> pd.DataFrame:
        """``choice.slowdowns`` of the classic jobs."""
        return choice.slowdowns(self.classic)

    @cached_property
    def combinations(self) -> pd.DataFrame:
        """``combinations.combinations`` of the CUDA jobs."""
        return combinations(self.frame)

    @cached_property
    def correlations(self) -> pd.DataFrame:
        """``correlations.correlations`` of the CUDA jobs with the graphs, after Pearson."""
        return correlations(self.frame, self.graphs)

    @cached_property
    def speedups(self) -> pd.DataFrame | None:
        """``baselines.speedups`` of the classic jobs, if there are baselines."""
        return None if self.baselines is None else baselines.speedups(self.classic, self.baselines)
