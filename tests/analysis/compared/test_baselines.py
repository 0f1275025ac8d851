"""Figures of other codes: what is read, what is refused, what is divided by what."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pytest

from analysis.compared import baselines
from analysis.compared.best import best_styles
from analysis.drawn.throughputs import speedup_figure
from analysis.errors import AnalysisError
from analysis.judged.study_checks import baseline_speedup
from analysis.measured.records import load

if TYPE_CHECKING:
    from analysis.compared.study import Study
    from tests.analysis.conftest import Record, Write

ROOT = Path(__file__).resolve().parents[3]

HEAD = "code,model,algorithm,graph,machine,throughput\n"


def test_speedups_are_over_the_same_graph_and_machine(study: Study, tmp_path: Path) -> None:
    file = tmp_path / "codes.csv"
    file.write_text(
        HEAD + "Other,cuda,bfs,grid,box,0.01\nviolet,cuda,bfs,grid,box,2\n"  # Violet is no baseline of its own
        "Other,cuda,bfs,road,box,0.04\nOther,cuda,pr,grid,box,1\n"
    )
    found = baselines.speedups(study.classic, baselines.load(file, study.frame))
    best = best_styles(study.classic).query("model == 'cuda' and algorithm == 'bfs'")["program"].item()
    ours = study.frame[study.frame["program"] == best].set_index("graph")["throughput"]
    assert found["speedup"].tolist() == pytest.approx([ours["grid"] / 0.01, ours["road"] / 0.04])
    table = baselines.speedup_table(found)
    row = table.loc[("cuda", "Other")]
    assert row["bfs"] == row["geomean"] == pytest.approx((found["speedup"].prod()) ** 0.5)
    ax = speedup_figure(found).axes[0]
    points = [item.get_offsets()[:, 1] for item in ax.collections if len(item.get_offsets()) == 2]
    assert sorted(points[0]) == pytest.approx(sorted(found["speedup"]))


def test_codes_are_averaged_and_drawn_apart(study: Study, tmp_path: Path) -> None:
    file = tmp_path / "codes.csv"
    file.write_text(HEAD + "One,cuda,bfs,grid,box,0.01\nTwo,cuda,bfs,grid,box,0.02\n")
    found = baselines.speedups(study.classic, baselines.load(file, study.frame))
    geomean = baselines.speedup_table(found)["geomean"]
    assert geomean["cuda", "One"] == pytest.approx(2 * geomean["cuda", "Two"])
    assert [ax.get_title(loc="left") for ax in speedup_figure(found).axes] == ["CUDA over One", "CUDA over Two"]


@pytest.mark.parametrize(
    ("ratios", "answer"),
    [
        ({"bfs": 2.0, "pr": 2.2, "sssp": 1.9}, "yes"),  # all of them far above 0.70
        ({"bfs": 0.2, "pr": 0.21, "sssp": 0.19}, "no"),
        ({"bfs": 0.1, "pr": 1.0, "sssp": 10.0}, "open"),  # their mean is above, but they disagree
    ],
)
def test_table_6_is_held_against_the_code_of_the_paper(ratios: dict[str, float], answer: str) -> None:
    rows = [("Gardenia", name, "grid", ratio) for name, ratio in ratios.items()]
    rows += [("Other", name, "grid", 1e-3) for name in ratios]  # of which the paper says nothing
    found = pd.DataFrame(rows, columns=["code", "algorithm", "graph", "speedup"]).assign(model="cuda")
    (evidence,) = baseline_speedup("cuda")(SimpleNamespace(speedups=found))
    assert evidence.answer == answer
    assert evidence.value == pytest.approx(np.prod(list(ratios.values())) ** (1 / 3))


def test_without_figures_of_the_papers_code_nothing_is_claimed() -> None:
    found = pd.DataFrame({"code": ["Other"], "model": "openmp", "algorithm": "bfs", "graph": "g", "speedup": 2.0})
    (evidence,) = baseline_speedup("openmp")(SimpleNamespace(speedups=found))
    assert (evidence.answer, evidence.found) == ("no data", "no figures of Lonestar on these graphs")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("code,model\nx,cuda\n", "has no column 'algorithm'"),
        (HEAD + "x,cud,bfs,grid,box,1\n", "unknown model 'cud'; did you mean 'cuda'"),
        (HEAD + "x,cuda,bsf,grid,box,1\n", "unknown algorithm 'bsf'; did you mean 'bfs'"),
        (HEAD + "x,cuda,bfs,grid,box,1\nx,cuda,bfs,grid,box,fast\n", "line 3: no throughput above 0"),
        (HEAD + "x,cuda,bfs,grid,box,-1\n", "line 2: no throughput above 0"),
        (HEAD + "x,cuda,bfs,grid,box,1\nx,cuda,bfs,grid,box,inf\n", "line 3: no throughput above 0"),
        (HEAD + "x,cuda,bfs,grid,elsewhere,1\n", "no machine of the results matches 'elsewhere'; there are: box"),
        ("", "is not a readable CSV file"),
    ],
)
def test_a_bad_file_is_a_users_error(study: Study, tmp_path: Path, content: str, message: str) -> None:
    file = tmp_path / "codes.csv"
    file.write_text(content)
    with pytest.raises(AnalysisError, match=message):
        baselines.load(file, study.frame)


def test_an_absent_file_is_a_users_error(study: Study, tmp_path: Path) -> None:
    with pytest.raises(AnalysisError, match="is not a readable CSV file"):
        baselines.load(tmp_path / "absent.csv", study.frame)


def test_a_whole_name_is_of_one_machine_though_it_begins_another(study: Study, tmp_path: Path) -> None:
    file = tmp_path / "codes.csv"
    file.write_text(HEAD + "x,cuda,bfs,grid,box,1\n")
    both = pd.concat([study.frame, study.frame.assign(machine="box, g++ 12.2.0 -O3")])
    assert baselines.load(file, both)["machine"].tolist() == ["box"]


def test_a_machine_is_one_of_those_that_ran_the_model(study: Study, tmp_path: Path) -> None:
    file = tmp_path / "codes.csv"
    file.write_text(HEAD + "x,openmp,bfs,grid,box,1\n")
    compiled = [study.frame.assign(model="openmp", machine=f"box, g++ 12.2.0 {flag}") for flag in ("-O2", "-O3")]
    with pytest.raises(AnalysisError, match="2 machines of the results match 'box'"):
        baselines.load(file, pd.concat([study.frame.assign(model="cuda"), *compiled]))


def test_names_of_digits_are_names(study: Study, tmp_path: Path) -> None:
    file = tmp_path / "codes.csv"
    file.write_text(HEAD + "1,cuda,bfs,7,box,1\n")
    found = baselines.load(file, study.frame)
    assert found[["code", "graph"]].to_numpy().tolist() == [["1", "7"]]
    assert baselines.speedups(study.classic, found).empty


def test_a_program_counts_in_its_fastest_setting(record: Record, write: Write, tmp_path: Path) -> None:
    push, pull = (f"bfs-openmp-vertex-topology-{way}-rw-nondet-default-i32" for way in ("push", "pull"))
    jobs = [record(push, 1e-3, threads=16), record(push, 8e-3, threads=1), record(pull, 1.5e-3, threads=16)]
    frame = load(write(jobs))
    file = tmp_path / "codes.csv"
    file.write_text(HEAD + "x,openmp,bfs,grid,box,0.5\n")
    found = baselines.speedups(frame, baselines.load(file, frame))
    assert found[["program", "speedup"]].to_numpy().tolist() == [[push, pytest.approx(2.0)]]
