"""What does it cost to try only the programs that `violet choose` suggests?

    python -m benchmarks.choose [FOLDER] [--candidates 5]

Every measured graph is left out in turn, alone and together with all of its kind. Printed are, for each algorithm and
kind of hardware, geometric mean and largest of the time of the first suggestion over that of the fastest program
measured there, and of the fastest of all suggestions.
"""

import argparse
from pathlib import Path

from benchmarks.errors import told_in_one_line
from generator.algorithms import load_algorithms
from runner.best.choose import HARDWARE, possible
from runner.best.measured import read_measured, read_shapes
from runner.best.suggest import CANDIDATES, judge
from runner.checkout import MEASUREMENTS


@told_in_one_line()
def main() -> None:
    """Prints a line for each algorithm and kind of hardware, for graphs alone and with their kind left out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=MEASUREMENTS)
    parser.add_argument("--candidates", type=int, default=CANDIDATES)
    asked = parser.parse_args()
    if not asked.folder.is_dir():
        parser.exit(1, f"error: {asked.folder}: no folder of measurements\n")
    measured, shapes = read_measured(asked.folder), read_shapes(asked.folder)
    print("left out,algorithm,hardware,places,first,worst,best of all,worst")
    for words, kinds in (("graph", False), ("kind", True)):
        for algorithm in load_algorithms():
            for where in ("CPUs", "a GPU"):
                for directed in (False, True):
                    names = possible(measured, algorithm, HARDWARE[where], directed=directed)
                    if found := judge(names, measured, shapes, asked.candidates, kinds=kinds):
                        shown = f"{found.first:.3f},{found.first_worst:.2f},{found.all:.3f},{found.all_worst:.2f}"
                        what = f"{algorithm}{' directed' if directed else ''}"
                        print(f"{words},{what},{where},{found.places},{shown}")


if __name__ == "__main__":
    main()
