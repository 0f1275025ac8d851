"""How the best styles compare with codes of others (the paper's Section 5.17, Figure 16 and Table 6).

The other codes' figures come from a CSV file of the user's: `code`, `model`, `algorithm`, `graph`, `machine`
and `throughput` in giga-edges/s. A machine is named by its name in the results or a part of it, such as the last six
letters of the fingerprint: a speedup over a run on another machine would say nothing. More columns do not matter, and
rows of Violet itself, as `violet peers` writes them, are left out.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from analysis.compared.best import best_styles, fastest
from analysis.errors import AnalysisError, check_word
from analysis.styles import axes

COLUMNS = ("code", "model", "algorithm", "graph", "machine", "throughput")
VIOLET = "violet"
"""The code that is no baseline."""


def load(path: Path, frame: pd.DataFrame) -> pd.DataFrame:
    """Reads a file of baselines.

    Args:
        path: The CSV file.
        frame: Jobs, as `records.load` returns them.

    Returns:
        `COLUMNS`, the machine spelled as in the results.

    Raises:
        AnalysisError: The file cannot be read, or says something that does not fit the results; the message says what.
    """
    try:
        table = pd.read_csv(path, dtype=dict.fromkeys(COLUMNS[:-1], str))
    except (OSError, ValueError) as error:
        raise AnalysisError(f"{path} is not a readable CSV file: {error}".splitlines()[0]) from error
    if missing := [column for column in COLUMNS if column not in table.columns]:
        raise AnalysisError(f"{path} has no column {missing[0]!r}; it needs {', '.join(COLUMNS)}")
    for axis in ("model", "algorithm"):
        for word in table[axis].unique():
            check_word(str(word), axes()[axis], axis)
    throughputs = pd.to_numeric(table["throughput"], errors="coerce")
    sound = (throughputs > 0) & np.isfinite(throughputs)
    if not sound.all():
        raise AnalysisError(f"{path}: line {int((~sound).argmax()) + 2}: no throughput above 0")
    table, throughputs = table[table["code"] != VIOLET], throughputs[table["code"] != VIOLET]
    everywhere = frame["machine"].unique()
    machines = {model: rows["machine"].unique() for model, rows in frame.groupby("model", observed=True)}
    places = zip(table["machine"], table["model"], strict=True)
    return table[list(COLUMNS)].assign(
        throughput=throughputs,
        machine=[_machine(str(word), machines.get(model, everywhere), path) for word, model in places],
    )


def speedups(frame: pd.DataFrame, baselines: pd.DataFrame) -> pd.DataFrame:
    """Divides the throughput of the best style by that of a baseline on the same graph and machine.

    Args:
        frame: Jobs, as `records.load` returns them.
        baselines: As `load` returns them.

    Returns:
        One row a baseline whose graph was measured: its columns, the `program` of the best style (`best_styles`),
        and `speedup`, above 1 where that is faster, in its fastest setting.
    """
    best = best_styles(frame)[["model", "algorithm", "machine", "program"]].astype(str)
    measured = fastest(frame, ["machine", "program", "graph"])[["machine", "program", "graph", "throughput"]]
    ours = best.merge(measured, on=["machine", "program"]).rename(columns={"throughput": "ours"})
    found = baselines.merge(ours, on=["model", "algorithm", "graph", "machine"])
    return found.assign(speedup=found["ours"] / found["throughput"]).drop(columns="ours")


def speedup_table(found: pd.DataFrame) -> pd.DataFrame:
    """Averages speedups (the paper's Table 6).

    Returns:
        One row a model and code, which are the index; one column an algorithm: the geometric mean over graphs, NaN
        without a baseline; and `geomean`, that of the algorithms.
    """
    logs = found.assign(log=np.log(found["speedup"])).pivot_table("log", ["model", "code"], "algorithm")
    logs = logs[[algorithm for algorithm in axes()["algorithm"] if algorithm in logs.columns]]
    table = logs.apply(np.exp)
    table["geomean"] = np.exp(logs.mean(axis=1))
    return table


def _machine(word: str, machines: np.ndarray, path: Path) -> str:
    matching = [machine for machine in machines if word == machine] or [name for name in machines if word in name]
    if len(matching) != 1:
        count = f"{len(matching)} machines of the results match" if matching else "no machine of the results matches"
        raise AnalysisError(f"{path}: {count} {word!r}; there are: {'; '.join(machines)}")
    return str(matching[0])
