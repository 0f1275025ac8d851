"""What to do, derived from pairs by stated thresholds (the counterpart of the paper's Section 5.16)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from analysis.compared.comparisons import Comparison
from analysis.compared.study import Study
from analysis.judged.evidence import ABOUT
from analysis.judged.ratio_checks import too_few
from analysis.statistics import Summary, summaries_by, summarise_pairs
from analysis.words import MODELS, listed, median_in_words, present

RULES = (
    f"A style is faster in a group of pairs if the 95 % interval of the median ratio excludes 1 and the median is at "
    f"least {ABOUT:g} in its favour. It is preferred if that holds over all pairs and the other is faster neither "
    f"for any algorithm nor on any graph. If algorithms, or else graphs, disagree, the choice depends on them. Where "
    f"one style is faster for some algorithms and the other for none, it is advised for these. If the interval lies "
    f"within {1 / ABOUT:.2f} to {ABOUT:g} and no group stands out, the styles are equal. Otherwise it is unclear, but "
    f"the graphs on which one is faster are named."
)


@dataclass(frozen=True)
class Guideline:
    """What one comparison says about one model on one machine.

    Attributes:
        comparison: Of what.
        model: The programming model.
        machine: Where.
        summary: Of all pairs.
        advice: The style to prefer, `depends on the algorithm`, `depends on the graph`, `for some algorithms`, `equal`
            or `unclear`.
        sentence: The same, with its reasons.
        whom: Which style is faster for which algorithms.
    """

    comparison: Comparison
    model: str
    machine: str
    summary: Summary
    advice: str
    sentence: str
    whom: str


def guidelines(study: Study, comparisons: Iterable[Comparison]) -> list[Guideline]:
    """Derives a guideline from every comparison that has pairs, for every model and machine."""
    found = []
    for comparison in comparisons:
        needed = ["machine", "model", "algorithm", "graph", "cluster", "ratio", "ratio_low", "ratio_high"]
        pairs = study.pairs(comparison)[needed]
        for model in present(pairs["model"]):
            of_model = pairs[pairs["model"] == model]
            for machine in present(of_model["machine"]):
                inside = of_model[of_model["machine"] == machine]
                found.append(derive(comparison, model, machine, inside))
    return found


def derive(comparison: Comparison, model: str, machine: str, pairs: pd.DataFrame) -> Guideline:
    """Derives the guideline of pairs of one model on one machine; `RULES` says how."""
    pooled = summarise_pairs(pairs)
    algorithms, graphs = _sides(pairs, "algorithm"), _sides(pairs, "graph")
    overall = _side(pooled)
    names = dict(zip(("first", "second"), comparison.labels, strict=True))
    opposite = {"first": "second", "second": "first", "": ""}[overall]
    lacking = too_few(pooled, pairs)
    median = f"median {median_in_words(pooled)}{f' ({lacking})' if lacking else ''}, n = {pooled.n}"
    whom = _who(algorithms, names, "for")
    if overall and not algorithms[opposite] and not graphs[opposite]:
        advice, why = names[overall], f"prefer {names[overall]}: {median}"
    elif algorithms["first"] and algorithms["second"]:
        advice, why = "depends on the algorithm", f"it depends on the algorithm: {whom} ({median})"
    elif graphs["first"] and graphs["second"]:
        advice, why = "depends on the graph", f"it depends on the graph: {_who(graphs, names, 'on')} ({median})"
    elif algorithms["first"] or algorithms["second"]:
        advice, why = "for some algorithms", f"{whom} ({median})"
    elif pooled.low > 1 / ABOUT and pooled.high < ABOUT and not any((*algorithms.values(), *graphs.values())):
        advice, why = "equal", f"no difference beyond {ABOUT - 1:.0%}: {median}"
    else:
        clear = f"; {_who(graphs, names, 'on')}" if any(graphs.values()) else ""
        advice, why = "unclear", f"unclear: {median}{clear}"
    return Guideline(comparison, model, machine, pooled, advice, f"{MODELS[model]}: {why}.", whom)


def _sides(pairs: pd.DataFrame, by: str) -> dict[str, list[str]]:
    """Returns the groups in which each style is faster."""
    sides: dict[str, list[str]] = {"first": [], "second": [], "": []}
    for name, summary in summaries_by(pairs, by).items():
        sides[_side(summary)].append(name)
    return {"first": sides["first"], "second": sides["second"]} | {"": []}


def _side(summary: Summary) -> str:
    """Returns which style is faster by a factor that matters: `first`, `second` or, if neither, nothing."""
    large = max(summary.median, 1 / summary.median) >= ABOUT
    return summary.verdict if large and summary.verdict != "unclear" else ""


def _who(sides: Mapping[str, list[str]], names: Mapping[str, str], word: str) -> str:
    found = {side: [name.upper() if word == "for" else name for name in sides[side]] for side in names}
    return ", ".join(f"{names[side]} {word} {listed(some)}" for side, some in found.items() if some)
