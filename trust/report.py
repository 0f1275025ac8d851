"""Who finds which planted bug and mutant of a program: tables in docs/reference/planted-bugs.md and a heat map."""

from __future__ import annotations

import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from analysis.told import document
from generator.errors import UserError
from generator.files import replace_text
from generator.paths import ROOT
from generator.space import load_space
from trust.bugs import COLUMNS
from trust.forge import COLUMNS as FORGED_COLUMNS
from trust.program_mutants import COLUMNS as MUTANT_COLUMNS
from trust.program_mutants import LISTED
from trust.records import read
from trust.tools import TOOLS, VERIFIER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DATA = Path(__file__).with_name("data")
PAGE = ROOT / "docs" / "reference" / "planted-bugs.md"
FIGURE = ROOT / "docs" / "figures" / "trust" / "detection.png"

_MODELS = ("openmp", "cpp", "cuda")


def write(data: Path) -> None:
    """Writes the tables into the page, between their marks, and the heat map beside it.

    Args:
        data: a folder with tables of `violet trust`: `bugs-*.csv`; `other-bugs-*.csv`, of algorithms that have a block
            of their own; `mutants.csv`, of `mutants --of programs`; `forged.csv`.

    Raises:
        UserError: a table is missing or no such table.
    """
    frame, frame_of_others = (_read(sorted(data.glob(f"{name}-*.csv"))) for name in ("bugs", "other-bugs"))
    changed = _latest(
        pd.DataFrame(_rows(data / "mutants.csv", MUTANT_COLUMNS)), "what", "program", "before", "after", "tool"
    )
    verdicts = pd.DataFrame(_rows(data / "forged.csv", FORGED_COLUMNS))
    tables = {
        "detection": [_matrix(frame), _graphs(frame)],
        "others": [_matrix(frame_of_others), _graphs(frame_of_others)],
        "mutants": [_listed(changed), _drawn(changed)],
        "forged": [_bounds(verdicts), _forged(verdicts)],
    }
    text = PAGE.read_text(encoding="utf-8")
    replace_text(PAGE, document.write(text, {name: "\n\n".join(some) for name, some in tables.items()}))
    _draw(frame)


def _read(files: Sequence[Path]) -> pd.DataFrame:
    kinds = load_space().axis("bug").values  # noqa: PD011  (no data frame)

    def complaint(row: dict[str, str]) -> str | None:
        if row["bug"] not in kinds:
            return f"has no bug of {', '.join(kinds)}"
        if not any(row["tool"] == tool.name and row["model"] in tool.models for tool in TOOLS):
            return f"has no tool of model {row['model']}"
        if row["model"] not in _MODELS:
            return f"has no model of {', '.join(_MODELS)}"
        counts = [row["runs"], row["caught"], *(word.rpartition(":")[2] for word in row["graphs"].split())]
        return None if all(map(str.isdigit, counts)) else "has runs that are no numbers"

    frame = pd.DataFrame([row for file in files for row in _rows(file, COLUMNS, complaint)])
    return _latest(frame, "program", "tool").astype({"runs": int, "caught": int})


def _rows(
    file: Path, columns: Sequence[str], complaint: Callable[[dict[str, str]], str | None] | None = None
) -> list[dict[str, str]]:
    rows = read(file, columns, complaint)
    if not rows:
        raise UserError(f"{file}:1: has no row behind the first line; measure first, see violet trust --help")
    return rows


def _latest(frame: pd.DataFrame, *key: str) -> pd.DataFrame:
    """Returns the last row of each measurement: before a program changed it may have been made, too."""
    return frame.drop_duplicates(list(key), keep="last")


def _listed(frame: pd.DataFrame) -> str:
    """Returns who notices the mutants of mutants.toml, by what is wrong (rows) and model (columns)."""
    lines = [_row(["mutant", *_MODELS]), _row(["---"] * (len(_MODELS) + 1))]
    for what in dict.fromkeys(_mistakes()):
        cells = []
        for model in _MODELS:
            rows = frame[(frame["what"] == what) & (frame["model"] == model)]
            cells.append("-" if rows.empty else ", ".join(rows[rows["finding"] != ""]["tool"]) or "nobody")
        lines.append(_row([what, *cells]))
    return "\n".join(lines)


def _drawn(frame: pd.DataFrame) -> str:
    """Returns how many of the drawn mutants each tool notices, and those that nobody does."""
    frame = frame[~frame["what"].isin(_mistakes())]
    lines = [_row(["tool", "drawn mutants", "noticed"]), _row(["---"] * 3)]
    for tool in dict.fromkeys(frame["tool"]):
        rows = frame[frame["tool"] == tool]
        lines.append(_row([tool, str(len(rows)), str((rows["finding"] != "").sum())]))
    lines += ["", _row(["drawn mutant that nobody notices", "of"]), _row(["---"] * 2)]
    for _, rows in frame.groupby("sha256", sort=False):
        if (rows["finding"] == "").all():
            first = rows.iloc[0]
            change = f"`{first['before']}` -> `{first['after']}`".replace("|", "\\|")
            lines.append(_row([change, f"`{first['program']}`, line {first['line']}"]))
    return "\n".join(lines)


def _bounds(verdicts: pd.DataFrame) -> str:
    """Returns the largest bound of each algorithm (columns) on each graph (rows), of f32 / f64."""
    named = verdicts.assign(bound=verdicts["bound"].astype(float))
    tiny = named["graph"].str.startswith("tiny-")
    named["graph"] = named["graph"].str.removesuffix("-one-way").where(~tiny, "tiny ones")
    largest = named.groupby(["graph", "algorithm", "element"])["bound"].max()
    algorithms = sorted(set(named["algorithm"]))
    lines = [_row(["graph", *algorithms]), _row(["---"] * (len(algorithms) + 1))]
    for graph in sorted(set(named["graph"])):
        cells = []
        for name in algorithms:
            bounds = [largest.get((graph, name, element)) for element in ("f32", "f64")]
            cells.append(" / ".join("-" if bound is None else f"{bound:.0e}" for bound in bounds))
        lines.append(_row([graph, *("-" if cell == "- / -" else cell for cell in cells)]))
    return "\n".join(lines)


def _forged(verdicts: pd.DataFrame) -> str:
    """Returns how many results of each algorithm (rows) are refused that were forged in each way (columns).

    Forgeries that come out right, as zeros do where all is zero, do not count.
    """
    counted = verdicts.astype({"refused": int, "near": int})
    counted = counted[(counted["refused"] > 0) | (counted["near"] > 0)]
    ways = list(dict.fromkeys(counted["forgery"]))
    lines = [_row(["algorithm", *ways]), _row(["---"] * (len(ways) + 1))]
    for algorithm in sorted(set(counted["algorithm"])):
        cells = []
        for way in ways:
            rows = counted[(counted["algorithm"] == algorithm) & (counted["forgery"] == way)]
            near = rows["near"].sum()
            cells.append(f"{rows['refused'].sum()}" + (f", {near} near" if near else ""))
        lines.append(_row([algorithm, *cells]))
    return "\n".join(lines)


def _mistakes() -> list[str]:
    """Returns what is wrong with the programs of mutants.toml."""
    return [entry["what"] for entry in tomllib.loads(LISTED.read_text(encoding="utf-8"))["mutant"]]


def counts(frame: pd.DataFrame) -> pd.DataFrame:
    """Returns programs in which a tool found something, and programs, by bug (rows), and model and tool (columns)."""
    found = frame.assign(sum=frame["caught"] > 0, count=1)
    grouped = found.pivot_table(index="bug", columns=["model", "tool"], values=["sum", "count"], aggfunc="sum")
    order = [
        (what, model, tool.name)
        for what in ("sum", "count")
        for model in _MODELS
        for tool in TOOLS
        if model in tool.models
    ]
    columns = [column for column in order if column in grouped.columns]
    kinds = [kind for kind in load_space().axis("bug").values if kind in grouped.index]  # noqa: PD011  (no data frame)
    return pd.DataFrame(grouped.reindex(index=kinds, columns=pd.MultiIndex.from_tuples(columns))).fillna(0).astype(int)


def _matrix(frame: pd.DataFrame) -> str:
    table = counts(frame)
    columns = list(table["sum"].columns)
    lines = [_row(["bug", *(f"{model}: {tool}" for model, tool in columns)]), _row(["---"] * (len(columns) + 1))]
    for kind in table.index:
        cells = [f"{table.loc[kind, ('sum', *column)]}/{table.loc[kind, ('count', *column)]}" for column in columns]
        lines.append(_row([kind, *("-" if cell == "0/0" else cell for cell in cells)]))
    return "\n".join(lines)


def _graphs(frame: pd.DataFrame) -> str:
    """Returns how many of its runs caught a bug, from the worst program to the best, and on which graphs."""
    lines = [_row(["bug", "model", "runs that caught it, least to most", "graphs, by runs that caught it"])]
    lines.append(_row(["---"] * 4))
    verified = frame[frame["tool"] == VERIFIER]
    for kind in counts(frame).index:
        for model in _MODELS:
            rows = verified[(verified["bug"] == kind) & (verified["model"] == model)]
            if rows.empty:
                continue
            shares = sorted(zip(rows["caught"] / rows["runs"], rows["caught"], rows["runs"], strict=True))
            caught = " ... ".join(f"{hits} of {runs}" for _, hits, runs in (shares[0], shares[-1]))
            on: Counter[str] = Counter()
            for words in rows["graphs"]:
                for word in words.split():
                    graph, _, hits = word.rpartition(":")
                    on[graph] += int(hits)
            best = ", ".join(graph for graph, _ in on.most_common(4)) or "none"
            lines.append(_row([kind, model, caught, best]))
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _draw(frame: pd.DataFrame) -> None:
    table = counts(frame)
    share = table["sum"] / table["count"].where(table["count"] > 0)
    words = table["sum"].astype(str) + "/" + table["count"].astype(str)
    with mpl.rc_context(fname=str(ROOT / "analysis" / "drawn" / "violet.mplstyle")):
        figure = Figure(figsize=(1.5 + 0.62 * share.shape[1], 1.6 + 0.34 * share.shape[0]), layout="constrained")
        axes = figure.subplots()
        labels = [f"{tool} ({model})" for model, tool in share.columns]
        style = {"cmap": "Purples", "vmin": 0, "vmax": 1, "linewidths": 0.5, "annot_kws": {"size": 7}}
        sns.heatmap(share, annot=words, fmt="", xticklabels=labels, ax=axes, cbar_kws={"label": "share found"}, **style)
        axes.set(xlabel="", ylabel="", title="Programs with a planted bug in which each tool finds something")
        axes.tick_params(axis="x", labelrotation=90)
        FIGURE.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(FIGURE, dpi=120)
