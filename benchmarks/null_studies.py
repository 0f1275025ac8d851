"""How often do studies without an effect find one?

    python -m benchmarks.null_studies [--studies 200] [--seed 1]

Studies of the shape of the committed ones, in which a style is worth nothing in the mean, but more for some algorithms,
graphs and programs than for others: by the standard deviations of their pairs, in logarithms. Printed is the share of
studies whose 95 % interval excludes 1, by what the interval covers: `programs` and graphs, as findings judged until
2026; algorithms and graphs by the same bootstrap, as they do now (`bootstrap`); and Student's t of the means of
algorithms and graphs (`two-way t`); with the median width of the latter two, as a factor from end to end.
"""

import argparse
from collections.abc import Sequence

import numpy as np
from scipy.special import stdtrit

from analysis.statistics import TAIL, summarise
from generator.terminal import told_in_one_line

PROGRAMS = 9
"""Of each algorithm; in findings there are 6 to 45."""

SPREADS = {
    "as in pairs": (0.5, 0.2, 0.3, 0.5),
    "of graphs": (0.3, 1.0, 0.5, 0.5),
    "of no algorithm": (0, 0.3, 0.2, 0.5),
}
"""Standard deviations by algorithm, graph, both and program."""

NOISE = 0.3
"""That of a pair."""


def study(
    rng: np.random.Generator, algorithms: int, graphs: int, spreads: Sequence[float], programs: int = PROGRAMS
) -> tuple[np.ndarray, np.ndarray]:
    """Returns the logarithms of ratios of a study without an effect, and how they are numbered.

    Returns:
        Shape (n,); and shape (3, n): their programs, graphs and algorithms.
    """
    of_algorithm, of_graph, of_both, of_program = spreads
    axes = algorithms, programs, graphs
    logs = rng.normal(0, of_algorithm, (algorithms, 1, 1)) + rng.normal(0, of_graph, graphs)
    logs = logs + rng.normal(0, of_both, (algorithms, 1, graphs)) + rng.normal(0, of_program, (algorithms, programs, 1))
    algorithm, program, graph = np.indices(axes).reshape(3, -1)
    noisy = logs + rng.normal(0, NOISE, axes)
    return noisy.ravel(), np.array([algorithm * programs + program, graph, algorithm])


def two_way(logs: np.ndarray, algorithms: int, graphs: int) -> tuple[float, float]:
    """Returns the interval of the mean over algorithms and graphs of medians over programs, after Student."""
    cells = np.median(logs.reshape(algorithms, -1, graphs), axis=1)
    parts = [(cells.mean(axis=axis).var(ddof=1) / n, n - 1) for axis, n in ((1, algorithms), (0, graphs))]
    total = sum(part for part, _ in parts)
    freedom = total**2 / sum(part**2 / free for part, free in parts)
    half = stdtrit(freedom, 1 - TAIL) * np.sqrt(total)
    return float(cells.mean() - half), float(cells.mean() + half)


@told_in_one_line()
def main() -> None:
    """Prints a line for each number of algorithms and graphs, and each way in which effects vary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--studies", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng = np.random.default_rng(asked.seed)
    print("effects vary,algorithms,graphs,programs,bootstrap,two-way t,width of bootstrap,width of two-way t")
    for words, spreads in SPREADS.items():
        for algorithms, graphs in ((3, 6), (3, 15), (4, 6), (4, 15), (6, 6), (6, 15)):
            ends = []
            for _ in range(asked.studies):
                logs, (programs, places, kinds) = study(rng, algorithms, graphs, spreads)
                found = [summarise(np.exp(logs), programs, places, algorithms=each) for each in (None, kinds)]
                now = [np.log([each.low, each.high]) for each in found]
                ends.append([*now, two_way(logs, algorithms, graphs)])
            low, high = np.array(ends).transpose(2, 1, 0)
            false, widths = ((low > 0) | (high < 0)).mean(axis=1), np.exp(np.median(high - low, axis=1))
            shown = [*(f"{each:.3f}" for each in false), *(f"{each:.1f}" for each in widths[1:])]
            print(f"{words},{algorithms},{graphs},{','.join(shown)}", flush=True)


if __name__ == "__main__":
    main()
