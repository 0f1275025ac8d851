"""What does it cost to try only the programs that `violet choose` suggests, and does it say how sure that is?

    python -m benchmarks.choose [--candidates 5]

Every measured graph is left out in turn, together with all of its kind and alone, where at least eight programs were
tried and where at least two were. Printed are, for each algorithm and kind of hardware and for all, geometric mean and
largest of the time of the first suggestion over that of the fastest program measured there, and of the fastest of all
suggestions; 30 stands for more, too. Last comes in how many cases the first was as near to the best as was to be
expected in 80 % by the graphs of other kinds.
"""

import argparse
from itertools import product

from generator.algorithms import load_algorithms
from generator.terminal import told_in_one_line
from runner.best.choose import HARDWARE, possible
from runner.best.measured import read_measured, read_shapes
from runner.best.suggest import CANDIDATES, Quality, judge, mean, usual
from runner.checkout import MEASUREMENTS

LEAST = (8, 2)
"""So many programs tell what is the best in a place."""


@told_in_one_line()
def main() -> None:
    """Prints a line for each algorithm and kind of hardware, for graphs with their kind and alone left out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candidates", type=int, default=CANDIDATES)
    count = parser.parse_args().candidates
    measured, shapes = read_measured(MEASUREMENTS), read_shapes(MEASUREMENTS)
    print("programs,left out,algorithm,hardware,places,first,worst,best of all,worst,as sure as said")
    for least, alone, where in product(LEAST, (False, True), ("CPUs", "a GPU")):
        found = []
        for algorithm, directed in product(load_algorithms(), (False, True)):
            names = possible(measured, algorithm, HARDWARE[where], directed=directed)
            if quality := judge(names, measured, shapes, count, alone=alone, least=least):
                found.append(quality)
                what = f"{algorithm}{' directed' if directed else ''}"
                print(f"{least},{'graph' if alone else 'kind'},{what},{where},{_told([quality])}")
        if found:
            print(f"{least},{'graph' if alone else 'kind'},all,{where},{_told(found)}", flush=True)


def _told(found: list[Quality]) -> str:
    first, best = ([ratio for quality in found for ratio in getattr(quality, which)] for which in ("first", "all"))
    pairs = [pair for quality in found for pair in zip(quality.first, _said(quality), strict=True)]
    shown = f"{mean(first):.3f},{max(first):.2f},{mean(best):.3f},{max(best):.2f}"
    return f"{len(first)},{shown},{sum(ratio <= said for ratio, said in pairs) / len(pairs):.0%}"


def _said(quality: Quality) -> list[float]:
    """Returns for each case what `usual` expects from those of other kinds."""
    cases = [*zip(quality.first, quality.kinds, strict=True)]
    by_kind = {kind: usual([ratio for ratio, other in cases if other != kind] or [1.0]) for kind in {*quality.kinds}}
    return [by_kind[kind] for kind in quality.kinds]


if __name__ == "__main__":
    main()
