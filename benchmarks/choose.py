"""What does it cost to try only the programs that `python -m analysis choose` suggests?

    python -m benchmarks.choose [RESULTS...] [--candidates 5]

Every measured graph is left out in turn, alone and together with all of its kind. Printed are, for each model and
machine, the geometric mean and the largest of the times of the fastest program suggested over those of the fastest
measured.
"""

import argparse
from pathlib import Path

import numpy as np

from analysis.compared.choose import regrets
from analysis.compared.study import read_study
from analysis.defaults import CANDIDATES
from benchmarks.errors import told_in_one_line


@told_in_one_line()
def main() -> None:
    """Prints a line for each model and machine, and for graphs alone or with their kind left out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="*", type=Path, default=sorted(Path("analysis/data").glob("*.parquet")))
    parser.add_argument("--candidates", type=int, default=CANDIDATES)
    asked = parser.parse_args()
    study = read_study(asked.results, 0)
    print("left out,model,machine,graphs,geometric mean,worst,of")
    for words, kind in (("graph", False), ("kind", True)):
        table = regrets(study.frame, study.graphs, asked.candidates, kind)
        for (model, machine), group in table.groupby(["model", "machine"], observed=True):
            worst = group.iloc[int(group["slowdown"].argmax())]
            mean = np.exp(np.log(group["slowdown"]).mean())
            found = f"{len(group)},{mean:.3f},{worst['slowdown']:.2f},{worst['algorithm']} on {worst['graph']}"
            print(f'{words},{model},"{machine}",{found}')


if __name__ == "__main__":
    main()
