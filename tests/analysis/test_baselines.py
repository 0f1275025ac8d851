"""Figures of other codes: what is read, what is refused, what is divided by what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from analysis import baselines
from analysis.choice import best_styles
from analysis.errors import AnalysisError
from analysis.throughputs import speedup_figure

if TYPE_CHECKING:
    from pathlib import Path

    from analysis.study import Study

HEAD = "code,model,algorithm,graph,machine,throughput\n"


def test_speedups_are_over_the_same_graph_and_machine(study: Study, tmp_path: Path) -> None:
    file = tmp_path / "codes.csv"
    file.write_text(HEAD + "Other,cuda,bfs,grid,box,0.01\nOther,cuda,bfs,road,box,0.04\nOther,cuda,pr,grid,box,1\n")
    found = baselines.speedups(study.classic, baselines.load(file, study.frame))
    best = best_styles(study.classic).query("model == 'cuda' and algorithm == 'bfs'")["program"].item()
    ours = study.frame[study.frame["program"] == best].set_index("graph")["throughput"]
    assert found["speedup"].tolist() == pytest.approx([ours["grid"] / 0.01, ours["road"] / 0.04])
    table = baselines.speedup_table(found)
    assert table["bfs"]["cuda"] == pytest.approx((found["speedup"].prod()) ** 0.5)
    assert table["geomean"]["cuda"] == table["bfs"]["cuda"]
    ax = speedup_figure(found).axes[0]
    points = [item.get_offsets()[:, 1] for item in ax.collections if len(item.get_offsets()) == 2]
    assert sorted(points[0]) == pytest.approx(sorted(found["speedup"]))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("code,model\nx,cuda\n", "has no column 'algorithm'"),
        (HEAD + "x,cud,bfs,grid,box,1\n", "unknown model 'cud'; did you mean 'cuda'"),
        (HEAD + "x,cuda,bsf,grid,box,1\n", "unknown algorithm 'bsf'; did you mean 'bfs'"),
        (HEAD + "x,cuda,bfs,grid,box,1\nx,cuda,bfs,grid,box,fast\n", "line 3: no throughput above 0"),
        (HEAD + "x,cuda,bfs,grid,box,-1\n", "line 2: no throughput above 0"),
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
