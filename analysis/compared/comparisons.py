"""What is compared with what: one row a comparison, in the paper's order and orientation.

A new comparison is a new row; everything that loops over comparisons picks it up.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import pandas as pd

from analysis.compared.pairs import PLAIN, SIDES, having, left_out, pairs
from analysis.errors import check_word
from analysis.words import MODELS, present


def _only(**values: str) -> Mapping[str, str]:
    """Restricts a comparison to one value an axis; programs without the axis stay.

    Default `cuda::atomic` is so slow that the paper leaves it out of every figure but its own (Section 5.1).
    """
    return MappingProxyType({"atomics": "atomic", **values})


@dataclass(frozen=True)
class Comparison:
    """One question: by which factor is the first style faster than the second, all else equal?

    Attributes:
        axis: The axis on which the two styles differ.
        first: The values that count as the first style, the numerator of the ratio.
        second: The values that count as the second style.
        labels: What figures call the first and the second style.
        figure: Where the paper shows it, or "" if it does not.
        forced: Axes on which a value of `axis` leaves no choice (see `pairs`).
        only: The value that programs must have on other axes, where these exist.
        scope: Which programs, if it is not all that have the axis; in words, for the title.
    """

    axis: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    labels: tuple[str, str]
    figure: str = ""
    forced: tuple[str, ...] = ()
    only: Mapping[str, str] = field(default_factory=_only, hash=False)
    scope: str = ""

    @property
    def title(self) -> str:
        """What is divided by what, in words."""
        return " over ".join(self.labels) + (f", {self.scope}" if self.scope else "")

    @property
    def slug(self) -> str:
        """The title as a file name."""
        return re.sub("[^a-z0-9]+", "-", self.title.lower())

    def pairs(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Returns the pairs of this comparison, as `pairs.pairs` does."""
        return pairs(self._jobs(frame), self.axis, self.first, self.second, self.forced)

    def caveats(self, pairs: pd.DataFrame) -> list[str]:
        """Says model by model how many pairs differ in a forced axis, too: of these, a ratio is not of one style."""
        said = []
        for axis in self.forced:
            values = [pairs[f"{axis}_{side}"].astype(object) for side in SIDES]
            both = (values[0] != values[1]) & values[0].notna() & values[1].notna()
            for model in present(pairs["model"]):
                of_model = pairs["model"] == model
                if count := int((both & of_model).sum()):
                    said.append(
                        f"{MODELS[model]}: {count} of {int(of_model.sum())} pairs also differ in the {axis}, since the "
                        f"{self.axis} of one side leaves no choice there."
                    )
        return said

    def left_out(self, frame: pd.DataFrame) -> Mapping[str, int]:
        """Counts the pairs of this comparison without a ratio by the reason, as `pairs.left_out` does."""
        return left_out(self._jobs(frame), self.axis, self.first, self.second, self.forced)

    def _jobs(self, frame: pd.DataFrame) -> pd.DataFrame:
        keep = having(frame, self.axis, self.first) | having(frame, self.axis, self.second)  # the others only take time
        for axis, value in self.only.items():
            keep &= frame[axis].isna() | (frame[axis] == value)
        return frame[keep]


COMPARISONS = (
    Comparison("atomics", ("atomic",), ("cudaatomic",), ("atomic", "cuda::atomic"), "Figure 1", only={}),
    Comparison(
        "atomics", ("cudaatomicrelaxed",), ("atomic",), ("relaxed cuda::atomic", "atomic"), "Section 5.1", only={}
    ),
    Comparison("iteration", ("vertex",), ("edge",), ("vertex", "edge"), "Figure 2"),
    Comparison(
        "iteration",
        ("vertex",),
        ("edge",),
        ("vertex", "edge"),
        "Figure 2c",
        only=_only(algorithm="tc", model="cuda", granularity="thread"),
        scope="TC with one thread per item",
    ),
    Comparison(
        "driver", ("topology",), ("data",), ("topology", "data with duplicates"), "Figure 3", only=_only(worklist="dup")
    ),
    Comparison(
        "driver",
        ("topology",),
        ("data",),
        ("topology", "data without duplicates"),
        "Figure 4",
        only=_only(worklist="nodup"),
    ),
    Comparison("worklist", ("dup",), ("nodup",), ("duplicates", "no duplicates")),
    Comparison("flow", ("push",), ("pull",), ("push", "pull"), "Figure 5", forced=("update",)),
    Comparison("flow", ("push",), ("pull",), ("push", "pull"), scope="same update"),
    Comparison("update", ("rw",), ("rmw",), ("read-write", "read-modify-write"), "Figure 6"),
    Comparison(
        "determinism",
        ("det", "copydet", "mergedet"),  # the latter two are MIS on CPUs
        ("nondet",),
        ("deterministic", "nondeterministic"),
        "Figure 7",
    ),
    Comparison("persistence", ("persistent",), ("nonpersistent",), ("persistent", "non-persistent"), "Figure 8"),
    Comparison("granularity", ("thread",), ("warp",), ("thread", "warp"), "Figure 9"),
    Comparison("granularity", ("warp",), ("block",), ("warp", "block"), "Figure 9"),
    Comparison("reduction", ("reductionadd",), ("globaladd",), ("reduction-add", "global-add"), "Figure 10"),
    Comparison("reduction", ("blockadd",), ("globaladd",), ("block-add", "global-add"), "Figure 10"),
    Comparison("reduction", ("reductionadd",), ("blockadd",), ("reduction-add", "block-add"), "Figure 10"),
    Comparison("reduction", ("clausered",), ("atomicred",), ("reduction clause", "atomic reduction"), "Figure 11"),
    Comparison("reduction", ("criticalred",), ("atomicred",), ("critical section", "atomic reduction"), "Figure 11"),
    Comparison("schedule", ("default",), ("dynamic",), ("default schedule", "dynamic schedule"), "Figure 12"),
    Comparison("schedule", ("blocked",), ("cyclic",), ("blocked schedule", "cyclic schedule"), "Figure 13"),
    # Beyond the paper
    Comparison("schedule", ("scaled",), ("dynamic",), ("chunks that grow", "chunks of 64")),
    Comparison("schedule", ("dynamic1",), ("dynamic",), ("one item at a time", "chunks of 64")),
    Comparison("append", ("aggregated",), (PLAIN,), ("aggregated append", "one atomic per item")),
    Comparison("append", ("ballot",), (PLAIN,), ("ballot", "one atomic per item")),
    Comparison("append", ("strided",), ("ballot",), ("strided filter", "ballot")),
    Comparison("append", ("jit",), (PLAIN,), ("bins or ballot", "one atomic per item")),
    Comparison("append", ("jit",), ("ballot",), ("bins or ballot", "ballot")),
    Comparison("append", ("scan",), (PLAIN,), ("advance and filter", "one atomic per item")),
    Comparison("append", ("local",), (PLAIN,), ("thread-local append", "one atomic per item")),
    Comparison("batch", ("multisource",), (PLAIN,), ("several searches at once", "one search")),
    Comparison("driver", ("residual",), ("topology",), ("residuals", "all ranks"), forced=("worklist",)),
    Comparison("driver", ("ordered",), ("topology",), ("vertices in order", "rounds over all vertices")),
    Comparison("flow", ("hybrid",), ("push",), ("hybrid", "push")),
    Comparison("flow", ("hybridmin",), ("push",), ("hybrid minimum", "push")),
    Comparison("flow", ("hybridrank",), ("push",), ("hybrid ranks", "push")),
    Comparison("flow", ("hybridsum",), ("push",), ("hybrid sum", "push")),
    Comparison("switch", ("estimated",), ("counted",), ("estimated switch", "counted switch")),
    Comparison("switch", ("share",), ("counted",), ("switch at a share of all edges", "counted switch")),
    Comparison("fusion", ("all",), (PLAIN,), ("one kernel for all rounds", "one launch per round")),
    Comparison("fusion", ("few",), ("all",), ("one kernel of few blocks", "one kernel of all blocks")),
    Comparison("fusion", ("phase",), (PLAIN,), ("one kernel per direction", "one launch per round")),
    Comparison("fusion", ("phase",), ("all",), ("one kernel per direction", "one kernel for all rounds")),
    Comparison("fusion", ("single",), (PLAIN,), ("rounds in one block", "one launch per round")),
    Comparison("fusion", ("cluster",), ("single",), ("rounds in one cluster", "rounds in one block")),
    Comparison("fusion", ("graph",), (PLAIN,), ("one CUDA graph", "one launch per round")),
    Comparison("granularity", ("twc",), ("warp",), ("rows by class", "warp")),
    Comparison("granularity", ("lists",), ("warp",), ("worklists by degree", "warp")),
    Comparison("granularity", ("listed",), ("warp",), ("worklists sorted by degree", "warp")),
    Comparison("granularity", ("listed",), ("lists",), ("worklists sorted by degree", "worklists by degree")),
    Comparison("granularity", ("teams",), ("warp",), ("teams of threads", "warp")),
    Comparison("granularity", ("merge",), ("warp",), ("even shares of edges", "warp")),
    Comparison("granularity", ("merge",), ("twc",), ("even shares of edges", "rows by class")),
    Comparison("granularity", ("blockmerge",), ("warp",), ("even shares within blocks", "warp")),
    Comparison("granularity", ("blockmerge",), ("merge",), ("even shares within blocks", "even shares of edges")),
    Comparison("lookahead", ("four",), (PLAIN,), ("four edges under way", "one edge")),
    Comparison("lookahead", ("eight",), ("four",), ("eight edges under way", "four edges")),
    Comparison("lookahead", ("voted",), (PLAIN,), ("pulling by voting warps", "pulling by threads")),
    Comparison("method", ("hook",), (PLAIN,), ("hooking", "label propagation"), only=_only(algorithm="cc")),
    Comparison("method", ("sampled",), (PLAIN,), ("sampled hooking", "label propagation"), only=_only(algorithm="cc")),
    Comparison("method", ("stars",), (PLAIN,), ("rounds of hooking", "label propagation"), only=_only(algorithm="cc")),
    Comparison("method", ("jumping",), (PLAIN,), ("pointer jumping", "labels alone"), only=_only(algorithm="scc")),
    Comparison("method", ("pivot",), (PLAIN,), ("a search from a hub first", "labels alone")),
    Comparison("method", ("oriented",), (PLAIN,), ("oriented edges", "all edges"), only=_only(algorithm="tc")),
    Comparison("method", ("renumbered",), (PLAIN,), ("bits of hubs", "all edges")),
    Comparison("method", ("nonzero",), ("renumbered",), ("words that are not zero", "all words")),
    Comparison("method", ("bydegree",), (PLAIN,), ("first ranks by degree", "equal first ranks")),
    Comparison("method", ("chebyshev",), ("bydegree",), ("Chebyshev's acceleration", "plain iterations")),
    Comparison("predecessors", ("derived",), (PLAIN,), ("predecessors from a pass at the end", "none")),
    Comparison("predecessors", ("stored",), (PLAIN,), ("predecessors stored while relaxing", "none")),
    Comparison("priority", ("nearfar",), (PLAIN,), ("near-far", "no order")),
    Comparison("priority", ("delta",), (PLAIN,), ("delta-stepping", "no order")),
    Comparison("priority", ("degree",), (PLAIN,), ("priorities by degree", "random priorities")),
    Comparison("update", ("checked",), ("rmw",), ("look before writing", "read-modify-write")),
    Comparison("update", ("critical",), ("rmw",), ("critical section", "read-modify-write")),
    Comparison("worklist", ("culled",), ("nodup",), ("culled duplicates", "no duplicates")),
    Comparison("worklist", ("culled",), ("dup",), ("culled duplicates", "duplicates"), scope="BFS"),
    Comparison("worklist", ("bitmask",), ("dup",), ("a bitmask", "duplicates"), scope="BFS"),
    Comparison("worklist", ("history",), ("dup",), ("a history of the block", "duplicates"), scope="BFS"),
    Comparison("worklist", ("matched",), ("dup",), ("matches within a warp", "duplicates"), scope="BFS"),
    Comparison("worklist", ("sieved",), ("culled",), ("culled, and matches within a warp", "culled duplicates")),
    Comparison("flow", ("binned",), ("push",), ("bins", "push")),
    Comparison("flow", ("binned",), ("pull",), ("bins", "pull"), forced=("granularity", "persistence")),
    Comparison("fusion", ("free",), (PLAIN,), ("no rounds", "one launch per round")),
    Comparison("fusion", ("levels",), ("all",), ("levels in one kernel, lists of blocks", "one kernel for all rounds")),
    Comparison("fusion", ("apart",), ("free",), ("threads apart", "warps together")),
    Comparison("storage", ("byte",), (PLAIN,), ("one byte per status", "one word per status")),
    Comparison("storage", ("bits",), (PLAIN,), ("bitmap of reached vertices", "levels alone")),
    Comparison("storage", ("marks",), ("bits",), ("marks without answers", "bitmap of reached vertices")),
    Comparison("storage", ("float8",), (PLAIN,), ("one byte per message", "two bytes per message")),
    Comparison("priority", ("light",), (PLAIN,), ("light edges first", "no order")),
    Comparison("intersection", ("rowsearch",), ("rowmerge",), ("binary search", "merging rows")),
    Comparison("intersection", ("roweither",), ("rowmerge",), ("merging or searching rows", "merging rows")),
    Comparison("intersection", ("rowbitmap",), ("rowmerge",), ("bitmaps", "merging rows")),
    Comparison("vote", ("lanes",), ("hashed",), ("matches within a warp", "a hash table")),
    Comparison("vote", ("compared",), ("hashed",), ("all pairs of labels", "a hash table")),
    Comparison("vote", ("tallied",), ("sorted",), ("one counter per label", "sorted labels")),
    Comparison("vote", ("compared",), ("sorted",), ("all pairs of labels", "sorted labels")),
    Comparison("datatype", ("i32", "f32"), ("i64", "f64"), ("32 bits", "64 bits")),
    Comparison("datatype", ("e32", "e64"), ("f32", "f64"), ("separate exponent", "plain numbers")),
    Comparison("datatype", ("r32",), ("r64",), ("real distances of 32 bits", "of 64 bits")),
    # Several GPUs
    Comparison("partition", ("balanced",), ("ranges",), ("equal edges", "equal vertices")),
    Comparison("partition", ("random",), ("ranges",), ("random parts", "equal vertices")),
    Comparison("partition", ("biased",), ("random",), ("parts beside neighbours", "random parts")),
    Comparison("duplication", ("copyall",), (PLAIN,), ("copies of all vertices", "copies of neighbours")),
    Comparison("communication", ("frontier",), ("selective",), ("frontiers to all", "messages to owners")),
    Comparison("communication", ("direct",), ("selective",), ("updates in place", "messages to owners")),
    Comparison("communication", ("load",), ("broadcast",), ("reads in place", "messages to all")),
    Comparison("message", ("dense",), ("list",), ("one value per copy", "lists of vertices")),
    Comparison("message", ("bitmap",), ("list",), ("one bit per copy", "lists of vertices")),
    Comparison("exchange", ("store",), ("staged",), ("stores by kernels", "copies through the host")),
    Comparison("exchange", ("peercopy",), ("staged",), ("copies between GPUs", "copies through the host")),
    Comparison("synchronisation", ("events",), ("host",), ("events", "waits of the host")),
    Comparison("synchronisation", ("flags",), ("host",), ("flags in one kernel", "waits of the host")),
    Comparison("overlap", ("border",), (PLAIN,), ("border sent early", "all sent at the end")),
    Comparison("ids", ("edges64",), (PLAIN,), ("64-bit edge numbers", "32-bit numbers")),
)


def comparisons_of(axes: Iterable[str]) -> list[Comparison]:
    """Returns the comparisons along the given axes; all of them if none is given.

    Raises:
        AnalysisError: Nothing is compared along an axis of that name.
    """
    wanted = {check_word(axis, (comparison.axis for comparison in COMPARISONS), "axis") for axis in axes}
    return [comparison for comparison in COMPARISONS if not wanted or comparison.axis in wanted]


def comparison_of(title: str) -> Comparison:
    """Returns the comparison of a title.

    Raises:
        AnalysisError: There is none.
    """
    by_title = {comparison.title: comparison for comparison in COMPARISONS}
    return by_title[check_word(title, by_title, "comparison")]
