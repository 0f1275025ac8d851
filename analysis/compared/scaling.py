"""What several GPUs are worth: times on more GPUs against times on one, and a model that tells what bounds them.

A program for several GPUs is held against itself on one GPU (what the second GPU is worth), and against the fastest
program for one GPU (what a user gains). Strong scaling keeps the graph, weak scaling lets its edges grow with the GPUs
(*Multi-GPU Graph Analytics*, Sections V and VII). Programs that were given `--latency` meet later on purpose: how their
times grow with it says how often they meet. Programs that were given `--partition` are held against themselves alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.optimize import nnls

from analysis.measured.records import settings_but_for

if TYPE_CHECKING:
    from collections.abc import Sequence


_JOB = ["graph", "edges", "machine", "asked"]
_LINE = ["algorithm", "graph", "machine", "program", "gpus"]
_COUNTS = ["imbalance", "bytes_sent", "items_sent", "rounds"]
_SAME_SHARE = 0.1  # edges of a GPU may differ by so much, and still count as the same for weak scaling


def strong_scaling(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns what more GPUs are worth on the same graph.

    Args:
        frame: Jobs, as `records.load` returns them.

    Returns:
        One row a verified job on several GPUs: `algorithm`, `graph`, `machine`, `program`, `gpus`, its `median_s`;
        `alone_s`, of the same program on one GPU, and `speedup_alone` over that; `single` and `single_s`, the fastest
        program for one GPU, and `speedup_single` over that; NaN where that was not measured. Sorted by these columns.
    """
    columns = ["algorithm", "graph", "machine", "program", "gpus", "median_s"]
    return _against_one(frame)[[*columns, "alone_s", "speedup_alone", "single", "single_s", "speedup_single"]]


def best_scaling(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the rows of `strong_scaling` that are the fastest of their algorithm, graph, machine and GPUs."""
    found = strong_scaling(frame)
    fastest = found.groupby(["algorithm", "graph", "machine", "gpus"], observed=True)["median_s"].idxmin()
    return found.loc[sorted(fastest)].reset_index(drop=True)


def weak_scaling(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns how throughput grows where a graph has as many edges more as there are GPUs more.

    Args:
        frame: Jobs, as `records.load` returns them.

    Returns:
        One row a program on a graph and several GPUs, and a smaller graph on one whose edges are, to a tenth, what each
        of those GPUs has: `algorithm`, `program`, `machine`, `gpus`, `graph`, `smaller`, and `efficiency`, the
        throughput over that on one GPU and over the number of GPUs: 1 is perfect.
    """
    jobs = _verified(frame)
    jobs = jobs[jobs["model"] == "multigpu"]
    one = jobs[jobs["gpus"] == 1].rename(columns={"graph": "smaller"})
    same = ["program", "algorithm", "machine", "asked"]
    found = jobs[jobs["gpus"] > 1].merge(one[[*same, "smaller", "edges", "throughput"]], on=same, suffixes=("", "_one"))
    share = found["edges"].astype(float) / found["gpus"].astype(float)
    found = found[(share / found["edges_one"].astype(float) - 1).abs() <= _SAME_SHARE]
    found = found.assign(efficiency=found["throughput"] / found["throughput_one"] / found["gpus"].astype(float))
    columns = ["algorithm", "program", "machine", "gpus", "graph", "smaller", "efficiency"]
    return found[columns].sort_values(columns[:-1], ignore_index=True)


@dataclass(frozen=True)
class TimeModel:
    """T = W / n + H / bandwidth + C * items + S * latency, the model of *Multi-GPU Graph Analytics*, Section V.

    W is the time on one GPU, and n the number of GPUs, of which the one with most edges is waited for; H the bytes and
    `items` the messages that a GPU sends; S the rounds.

    Attributes:
        bandwidth: Bytes a second; infinite if bytes explain nothing.
        item_s: Seconds to make a message and to take it in.
        latency_s: Seconds that a round takes longer than on one GPU.
        error: Median of |T - measured| / measured over the jobs that it was fitted to.
        jobs: How many these are.
    """

    bandwidth: float
    item_s: float
    latency_s: float
    error: float
    jobs: int

    @property
    def sentence(self) -> str:
        """What the model says, in words."""
        return (
            f"T = W / n + H / {self.bandwidth / 1e9:.3g} GB/s + {self.item_s * 1e9:.3g} ns a message + "
            f"{self.latency_s * 1e6:.3g} us a round: median error {self.error:.0%} of {self.jobs} jobs."
        )

    def seconds(self, jobs: pd.DataFrame) -> pd.Series:
        """Predicts times.

        Args:
            jobs: `alone_s`, `gpus`, `imbalance`, `bytes_sent`, `items_sent` and `rounds` of each; one may ask for other
                numbers of GPUs than were measured by replacing these.
        """
        coefficients = np.array([1 / self.bandwidth, self.item_s, self.latency_s])
        return pd.Series(_computing_s(jobs) + _costs(jobs) @ coefficients, index=jobs.index)


def fit(frame: pd.DataFrame) -> dict[tuple[str, str], TimeModel]:
    """Fits the model to what was measured, by least squares of relative errors; no cost is negative.

    Args:
        frame: Jobs, as `records.load` returns them.

    Returns:
        A model for each algorithm and machine of which three jobs on several GPUs were also measured on one, and
        counted what they send.
    """
    jobs = _against_one(frame).dropna(subset=["alone_s", *_COUNTS])
    models = {}
    for (algorithm, machine), some in jobs.groupby(["algorithm", "machine"], observed=True):
        if len(some) < 3:
            continue
        measured = some["median_s"].to_numpy(dtype=float)
        costs = _costs(some)
        largest = np.maximum(costs.max(axis=0), 1.0)  # so that bytes and rounds count alike
        solution, _ = nnls(costs / largest / measured[:, None], (measured - _computing_s(some)) / measured)
        per_byte, item_s, latency_s = (float(value) for value in solution / largest)
        model = TimeModel(1 / per_byte if per_byte else np.inf, item_s, latency_s, np.nan, len(some))
        error = float(np.median(np.abs(model.seconds(some) - measured) / measured))
        models[str(algorithm), str(machine)] = replace(model, error=error)
    return models


def predict(frame: pd.DataFrame, gpus: Sequence[int] = (4, 8)) -> pd.DataFrame:
    """Returns what the fitted models say of more GPUs than were measured, of the programs of `best_scaling`.

    Each GPU is taken to have the same share of the edges as now, and to send to each further GPU what it sends to each
    of the others now: more than it does where not every part has copies of a vertex.

    Args:
        frame: Jobs, as `records.load` returns them.
        gpus: Numbers of GPUs; what was measured on as many or more is left out.

    Returns:
        One row a program and number of GPUs: `algorithm`, `graph`, `machine`, `program`, `gpus`, `predicted_s`, and the
        `speedup_alone` that this would be over the same program on one GPU. Sorted by these columns.
    """
    jobs = _against_one(frame).merge(best_scaling(frame)[_LINE], on=_LINE)
    jobs = jobs.sort_values("gpus").drop_duplicates(["algorithm", "graph", "machine"], keep="last")
    found = []
    for (algorithm, machine), model in fit(frame).items():
        some = jobs[(jobs["algorithm"] == algorithm) & (jobs["machine"] == machine)].dropna(
            subset=["alone_s", *_COUNTS]
        )
        for count in gpus:
            more = some[some["gpus"] < count]
            messages = (count - 1) / (more["gpus"] - 1)
            more = more.assign(gpus=count, **{name: more[name] * messages for name in ("bytes_sent", "items_sent")})
            found.append(more.assign(predicted_s=model.seconds(more)))
    columns = [*_LINE, "predicted_s", "speedup_alone"]
    if not found:
        return pd.DataFrame(columns=columns)
    table = pd.concat(found)
    return table.assign(speedup_alone=table["alone_s"] / table["predicted_s"])[columns].sort_values(
        _LINE, ignore_index=True
    )


def by_latency(jobs: pd.DataFrame) -> pd.DataFrame:
    """Returns times of jobs that were measured with several injected latencies.

    Args:
        jobs: As `records.load` returns them.

    Returns:
        One row a verified job of which another one differs in nothing but its latency: `algorithm`, `graph`, `machine`,
        `program`, `gpus`, `latency_us` and `median_s`. Sorted by these columns.
    """
    return jobs_by_latency(jobs)[[*_LINE, "latency_us", "median_s"]]


def meetings(jobs: pd.DataFrame) -> pd.DataFrame:
    """Returns how often parts wait for each other: by so much time grows with an injected latency.

    Args:
        jobs: As `records.load` returns them.

    Returns:
        One row a program on a graph and so many GPUs, with several latencies: `algorithm`, `graph`, `machine`,
        `program`, `gpus`, `latencies`, how many there were, `rounds`, and of the line that fits best `without_s`, the
        time without a latency, `meetings`, its slope, and `meetings_a_round`.
    """
    rows = []
    for names, line in jobs_by_latency(jobs).groupby([*_LINE, "asked"], observed=True):
        slope, without_s = np.polyfit(line["latency_us"] * 1e-6, line["median_s"], 1)
        rounds = float(line["rounds"].astype(float).median())
        rows.append([*names[:-1], line["latency_us"].nunique(), rounds, without_s, slope, slope / rounds])
    columns = [*_LINE, "latencies", "rounds", "without_s", "meetings", "meetings_a_round"]
    return pd.DataFrame(rows, columns=columns)


def by_partition(jobs: pd.DataFrame) -> pd.DataFrame:
    """Returns times of jobs whose graph was divided by a file, and in another way.

    Args:
        jobs: As `records.load` returns them.

    Returns:
        One row a verified job of which another one differs in nothing but who owns each vertex: `algorithm`, `graph`,
        `machine`, `program`, `gpus`, `latency_us`, `partition_file`, of these the program's own first, `imbalance`,
        `items_sent`, `median_s`, and `speedup_own` over the program's own partition, NaN where that was not measured.
        Sorted by the first seven columns.
    """
    found = _verified(jobs[jobs["model"] == "multigpu"], "partition")
    same = found.groupby([*_LINE, "asked"], observed=True)
    found = found[same["setting"].transform("nunique") > 1]
    own = found[found["partition_file"] == ""].rename(columns={"median_s": "own_s"})
    found = found.merge(own[[*_LINE, "asked", "own_s"]], how="left", on=[*_LINE, "asked"])
    found["speedup_own"] = found["own_s"] / found["median_s"]
    order = [*_LINE, "latency_us", "partition_file"]
    columns = [*order, "imbalance", "items_sent", "median_s", "speedup_own"]
    return found[columns].sort_values(order, ignore_index=True)


def jobs_by_latency(jobs: pd.DataFrame) -> pd.DataFrame:
    """Returns the jobs of `by_latency`, with all columns, and what was `asked` of them beside the latency."""
    jobs = _verified(jobs[jobs["model"] == "multigpu"], "latency")
    latencies = jobs.groupby([*_LINE, "asked"], observed=True)["latency_us"].transform("nunique")
    return jobs[latencies > 1].sort_values([*_LINE, "latency_us"], ignore_index=True)


def _against_one(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns the verified jobs on several GPUs with what `strong_scaling` says of each."""
    jobs = _verified(frame)
    several = jobs[(jobs["model"] == "multigpu") & (jobs["gpus"] > 1)]
    one = jobs[jobs["gpus"] == 1]
    alone = one[one["model"] == "multigpu"].rename(columns={"median_s": "alone_s"})
    single = one[one["model"] == "cuda"].sort_values("median_s").drop_duplicates([*_JOB, "algorithm"])
    single = single.rename(columns={"median_s": "single_s", "program": "single"})
    found = several.merge(alone[[*_JOB, "program", "alone_s"]], how="left", on=[*_JOB, "program"])
    found = found.merge(single[[*_JOB, "algorithm", "single", "single_s"]], how="left", on=[*_JOB, "algorithm"])
    found["speedup_alone"] = found["alone_s"] / found["median_s"]
    found["speedup_single"] = found["single_s"] / found["median_s"]
    return found.sort_values(["algorithm", "graph", "machine", "program", "gpus"], ignore_index=True)


def _verified(frame: pd.DataFrame, but_for: str = "gpus") -> pd.DataFrame:
    """Returns the verified jobs of GPUs, with what was `asked` of them beside one parameter."""
    jobs = frame[frame["throughput"].notna() & frame["gpus"].notna()]
    return jobs.assign(asked=settings_but_for(jobs, but_for))


def _computing_s(jobs: pd.DataFrame) -> np.ndarray:
    """Returns W / n in seconds, shape (jobs,)."""
    alone, imbalance, gpus = (jobs[name].to_numpy(dtype=float) for name in ("alone_s", "imbalance", "gpus"))
    computing: np.ndarray = alone * imbalance / gpus
    return computing


def _costs(jobs: pd.DataFrame) -> np.ndarray:
    """Returns the bytes and messages of a GPU, and the rounds, shape (jobs, 3)."""
    gpus = jobs["gpus"].to_numpy(dtype=float)
    sent = [jobs[name].to_numpy(dtype=float) / gpus for name in ("bytes_sent", "items_sent")]
    return np.column_stack([*sent, jobs["rounds"].to_numpy(dtype=float)])
