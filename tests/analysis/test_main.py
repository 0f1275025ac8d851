"""The command line, from results to what a user sees."""

from __future__ import annotations

import base64
import errno
import json
import re
import zlib
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis.compared.study import read_study
from analysis.defaults import Suffix
from analysis.drawn.rounds import load_rounds, rounds_figure
from analysis.drawn.studio import Drawing, Studio
from analysis.measured.graphs import known
from analysis.measured.records import load
from analysis.told.sections import plan

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.analysis.conftest import Run


def test_rounds_of_traces(run: Run, tmp_path: Path) -> None:
    trace, other = tmp_path / "hybrid.csv", tmp_path / "other.csv"
    trace.write_text("round,direction,frontier,edges,seconds\n1,push,1,4,0.5\n2,pull,4,0,0.5\n3,pull,8,8,0.5\n")
    assert run("figure", trace, "--out", tmp_path, "--format", "png")[:2] == (0, f"{tmp_path / 'rounds.png'}\n")
    figure = rounds_figure({"hybrid": load_rounds(trace)})
    by_round, by_frontier = figure.axes
    assert by_round.lines[0].get_xydata().tolist() == [[1, 8], [3, 16]]
    assert [line.get_xydata().tolist() for line in by_frontier.lines] == [[[1, 8]], [[8, 16]]]
    other.write_text("round,edges\n1,4\n")
    assert "no column direction" in run("figure", other, "--out", tmp_path)[2]


def test_figures_and_a_table(run: Run, results: Path, tmp_path: Path) -> None:
    code, out, _ = run("figure", results, "--axis", "flow", "--out", tmp_path / "figures")
    assert code == 0
    figures = ("overview", "push-over-pull", "push-over-pull-same-update")
    names = {f"{figure}.{suffix}" for figure in figures for suffix in ("png", "svg")}
    assert {path.name for path in (tmp_path / "figures").iterdir()} == names
    assert all(str(tmp_path / "figures" / name) in out for name in names)
    row = next(line for line in out.splitlines() if "push over pull" in line)
    cells = [cell.strip() for cell in row.split("│")][1:-1]
    assert cells[:2] == ["push over pull", "Figure 5"]
    assert float(cells[3]) == pytest.approx(2.0, rel=0.1)
    assert cells[4] == "too few"  # algorithms to speak for others: there are two
    assert cells[5:] == ["100%", "unclear"]


def test_export_and_best(run: Run, results: Path, tmp_path: Path) -> None:
    parquet = tmp_path / "compact.parquet"
    code, out, _ = run("export", results, parquet)
    assert (code, str(parquet) in out) == (0, True)
    assert run("best", results)[1] == run("best", parquet)[1]
    _, out, _ = run("best", parquet, "--algorithm", "cc")
    assert "cc-openmp-" in out
    assert "bfs-openmp-" not in out
    assert run("best", parquet, "--model", "cuda")[0] == 2


def test_a_damaged_file_is_named(run: Run, results: Path, tmp_path: Path) -> None:
    parquet = tmp_path / "compact.parquet"
    run("export", results, parquet)
    content = bytearray(parquet.read_bytes())
    third = len(content) // 3
    content[third : third + 300] = bytes(byte ^ 0x5A for byte in content[third : third + 300])
    parquet.write_bytes(content)
    code, _, err = run("best", parquet)
    assert (code, err.count("\n"), f"error: {parquet} cannot be read: " in err) == (2, 1, True)


def test_a_graph_that_does_not_fit_is_an_error(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def inspect(*_: Any) -> None:
        raise MemoryError("Unable to allocate 7.63 GiB")

    monkeypatch.setattr("analysis.measured.files.inspect", inspect)
    (tmp_path / "large.egr").touch()
    code, _, err = run("graphs", tmp_path / "large.egr", "--out", tmp_path / "x.graphs.json")
    assert (code, err) == (4, "error: not enough memory: Unable to allocate 7.63 GiB\n")


def test_a_name_in_brackets_is_no_markup(run: Run, results: Path) -> None:
    (file,) = results.glob("*.jsonl")
    job = json.loads(file.read_text().splitlines()[0])
    (results / "named.jsonl").write_text(json.dumps(job | {"graph": "a[red]b", "graph_sha256": "ab"}) + "\n")
    assert "a[red]b" in run("best", results)[1]


def test_an_export_keeps_jobs_with_a_latency(run: Run, results: Path, tmp_path: Path) -> None:
    (file,) = results.glob("*.jsonl")
    job = json.loads(file.read_text().splitlines()[0])
    delayed = job | {"parameters": {"latency": 50}}
    (results / "delayed.jsonl").write_text(json.dumps(delayed) + "\n")
    parquet = tmp_path / "compact.parquet"
    assert run("export", results, parquet)[0] == 0
    assert set(load(parquet)["latency_us"]) == {0, 50}


def test_an_export_keeps_jobs_with_a_partition(run: Run, results: Path, tmp_path: Path) -> None:
    (file,) = results.glob("*.jsonl")
    job = json.loads(file.read_text().splitlines()[0])
    partition = {"name": "owners", "sha256": "0123456789ab", "graph_sha256": "cd"}
    (results / "divided.jsonl").write_text(json.dumps(job | {"parameters": {"partition": partition}}) + "\n")
    parquet = tmp_path / "compact.parquet"
    assert run("export", results, parquet)[0] == 0
    assert set(load(parquet)["partition_file"]) == {"", "owners (01234567)"}


def test_only_large_graphs_and_only_one_format(run: Run, results: Path, tmp_path: Path) -> None:
    figures = tmp_path / "figures"
    command = ("figure", results, "--axis", "flow", "--out", figures, "--format", "png", "--min-edges")
    assert run(*command, 1_000_000)[0] == 0
    assert {path.suffix for path in figures.iterdir()} == {".png"}
    code, _, err = run(*command, 1_000_001)
    assert (code, "no graph has 1000001 edges" in err) == (2, True)


def test_an_export_into_its_own_folder_does_not_grow_and_keeps_what_is_known_of_graphs(run: Run, results: Path) -> None:
    described = [{"name": "grid", "sha256": "a" * 64, "vertices": 9, "diameter": 4}]
    (results / "mine.graphs.json").write_text(json.dumps(described))
    sizes = []
    for _ in range(3):
        assert run("export", results, results / "all.parquet")[0] == 0
        sizes.append(len(pd.read_parquet(results / "all.parquet")))
    assert sizes == [sizes[0]] * 3
    assert known([results / "all.parquet"]) == {"grid": described[0]}


def test_export_takes_along_what_is_public_of_the_sessions(run: Run, results: Path, tmp_path: Path) -> None:
    (results / "sessions").mkdir()
    session = {"id": "s1", "host": "secret", "command_line": ["secret"], "python": "3.12.3"}
    (results / "sessions" / "s1.json").write_text(json.dumps(session))
    code, out, _ = run("export", results, tmp_path / "data" / "compact.parquet")
    beside = tmp_path / "data" / "compact.sessions.json"
    assert (code, str(beside) in out) == (0, True)
    assert json.loads(beside.read_text()) == [{"id": "s1", "python": "3.12.3"}]


def test_an_export_of_exports_keeps_all_sessions(run: Run, results: Path, tmp_path: Path) -> None:
    (results / "sessions").mkdir()
    (results / "sessions" / "s1.json").write_text(json.dumps({"id": "s1"}))
    first, both = tmp_path / "first.parquet", tmp_path / "both.parquet"
    assert run("export", results, first)[0] == 0
    (results / "sessions" / "s1.json").write_text(json.dumps({"id": "s2"}))
    assert run("export", first, results, both)[0] == 0
    assert json.loads(both.with_suffix(".sessions.json").read_text()) == [{"id": "s1"}, {"id": "s2"}]


def test_comparisons_without_the_axis_of_the_boxes_are_named(run: Run, results: Path, tmp_path: Path) -> None:
    by = ("--by", "worklist", "--format", "svg")
    code, _, err = run("figure", results, "--axis", "driver", "--axis", "flow", *by, "--out", tmp_path / "figures")
    drawn = {path.stem for path in (tmp_path / "figures").iterdir()}
    assert (code, drawn) == (0, {"overview", "push-over-pull", "push-over-pull-same-update"})
    assert {line.startswith("left out: the pairs of ") for line in err.splitlines()} == {True}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["figure", "RESULTS", "--axis", "drivr"], "unknown axis 'drivr'; did you mean 'driver'?"),
        (["figure", "RESULTS", "--axis", "granularity"], "no pairs"),
        (["figure", "RESULTS", "--axis", "flow", "--by", "weather"], "unknown word for --by 'weather'"),
        (["figure", "RESULTS", "--axis", "flow", "--by", "synchronisation"], "no 'synchronisation' in common"),
        (["best", "RESULTS", "--graph", "gird"], "unknown graph 'gird'; did you mean 'grid'?"),
        (["best", "EMPTY"], "no results in"),
        (["report", "EMPTY"], "no results in"),
        (["report", "RESULTS", "--baselines", "ABSENT"], "is not a readable CSV file"),
        (["report", "RESULTS", "--min-edges", "1000000000"], "no graph has 1000000000 edges"),
        (["findings", "FEW", "--document", "ABSENT", "--check"], "is out of date"),
        (["export", "ABSENT", "x.parquet"], "no such file or directory"),
        (["export", "RESULTS", "FILE/x.parquet"], "file: "),
        (["export", "RESULTS", "x.foo"], "x.foo: an export ends in .parquet"),
        (["export", "RESULTS", "x.csv"], "x.csv: an export ends in .parquet"),
        (["figure", "RESULTS", "--axis", "flow", "--out", "FILE/x"], "file/x: Not a directory"),
    ],
)
def test_users_errors_are_one_line(
    run: Run, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    few = [line for line in (results / "results.jsonl").open() if "bfs-openmp-vertex-topology-" in line]
    (tmp_path / "few.jsonl").write_text("".join(few))
    places = {
        "RESULTS": results,
        "FEW": tmp_path / "few.jsonl",
        "EMPTY": tmp_path / "empty",
        "ABSENT": tmp_path / "absent",
        "FILE/x": tmp_path / "file/x",
        "FILE/x.parquet": tmp_path / "file/x.parquet",
    }
    code, out, err = run(*(places.get(argument, argument) for argument in arguments))
    assert (code, out) == (4 if message.startswith("file") else 2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", ["report", "figure", "findings"])
def test_results_of_graphs_without_edges_are_an_error(run: Run, results: Path, tmp_path: Path, command: str) -> None:
    lines = [json.loads(line) | {"edges": 0} for line in (results / "results.jsonl").read_text().splitlines()]
    (results / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    where = ("--document", tmp_path / "x.md") if command == "findings" else ("--out", tmp_path / "out")
    code, out, err = run(command, results, "--min-edges", 0, *where)
    assert (code, out, err) == (2, "", "error: no graph has 1 edge\n")


def test_jobs_of_unknown_size_stay_unless_a_size_is_asked_for(results: Path) -> None:
    lines = [json.loads(line) for line in (results / "results.jsonl").read_text().splitlines()]
    lines = [line | {"edges": None} for line in lines[:1]] + lines[1:]
    (results / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert len(read_study([results], 0).frame) == len(lines)
    assert len(read_study([results], 1).frame) == len(lines) - 1


def test_a_report_lies_in_its_results(run: Run, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("analysis.told.report.report", lambda _, out, __, **___: out)
    (tmp_path / "results.jsonl").write_bytes((results / "results.jsonl").read_bytes())
    assert run("report", results)[1] == f"{results / 'report'}\n"
    assert run("report", tmp_path / "results.jsonl")[1] == "results/report\n"


def test_an_export_that_fails_leaves_the_earlier_one(
    run: Run, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: Any, file: Any, **__: Any) -> None:
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    parquet = tmp_path / "data" / "compact.parquet"
    assert run("export", results, parquet)[0] == 0
    before = {file.name: file.read_bytes() for file in parquet.parent.iterdir()}
    monkeypatch.setattr("pyarrow.parquet.write_table", fail)
    code, _, err = run("export", results, parquet)
    assert (code, err) == (4, f"error: {parquet}: No space left on device\n")
    assert {file.name: file.read_bytes() for file in parquet.parent.iterdir()} == before


def test_a_damaged_session_is_told_and_does_no_harm(run: Run, results: Path, tmp_path: Path) -> None:
    parquet, beside = tmp_path / "compact.parquet", tmp_path / "compact.sessions.json"
    assert run("export", results, parquet)[0] == 0
    beside.write_text("{torn")
    code, _, err = run("best", parquet)
    assert (code, err) == (0, f"warning: {beside}: left out, not JSON: move it away, or write it again\n")


@pytest.mark.turns(8)
def test_findings_need_a_pair(run: Run, record: Callable[..., Any], programs: Any, write: Any, tmp_path: Path) -> None:
    failed = write([record(name, status="timeout", samples_s=[]) for name in programs(models=("openmp",))], "failed")
    code, _, err = run("findings", failed, "--document", tmp_path / "findings.md")
    assert (code, err) == (2, "error: no pairs: no two verified jobs differ in just one style\n")


def test_torn_lines_are_told_and_do_no_harm(run: Run, results: Path) -> None:
    with (results / "results.jsonl").open("a") as file:
        file.write('{"program": "bfs-')
    code, _, err = run("best", results)
    assert code == 0
    assert err.startswith("warning: ")
    count = len((results / "results.jsonl").read_text().splitlines())
    assert f"1 of {count} lines are none and left out" in err


@pytest.mark.turns(8)
def test_a_report_of_little_is_little_but_whole(run: Run, results: Path, tmp_path: Path) -> None:
    """No model but OpenMP, one graph of a useful size: what cannot be drawn is left out, and nothing fails."""
    with (results / "results.jsonl").open() as file:
        job = json.loads(file.readline())
    with (results / "results.jsonl").open("a") as file:
        file.writelines(json.dumps(job | {"graph": f"small-{number}", "edges": 10}) + "\n" for number in range(6))
    out = tmp_path / "report"
    code, said, err = run("report", results, "--out", out, "--min-edges", 1000, "--jobs", 1)
    assert (code, said.strip()) == (0, str(out / "index.html"))
    study = read_study([results], 1000)
    assert err.splitlines()[0] == f"comparing {len(study.frame)} jobs of {study.frame['program'].nunique()} programs"
    drawings = [drawing for part in plan(study, [], []) for drawing in part.drawings]
    assert "atomic-over-cuda-atomic" not in {drawing.name for drawing in drawings}
    some = [drawing for drawing in drawings if drawing.name == "combinations-cuda"]
    assert (len(some), Studio(some, tmp_path, [Suffix.SVG]).draw(1)) == (1, [])
    left_out = "Left out: graphs with fewer than 1,000 directed edges (small-0, small-1, small-2, 3 more)."
    assert left_out in facts_of((out / "index.html").read_text())["said"]


def facts_of(page: str) -> dict[str, Any]:
    """Returns what a page says."""
    (text,) = re.findall(r'id="facts">(.*?)<', page)
    facts: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(text)))
    return facts


def test_graphs_are_described(run: Run, tmp_path: Path) -> None:
    (tmp_path / "path.el").write_text("0 1\n1 2\n")
    out = tmp_path / "data" / "x.graphs.json"
    assert run("graphs", tmp_path / "path.el", "--out", out)[0] == 0
    assert json.loads(out.read_text())[0]["diameter"] == 2
    code, _, err = run("graphs", tmp_path / "absent.el", "--out", out)
    assert (code, err.count("\n")) == (2, 1)


@pytest.mark.parametrize("name", ["out.parquet", "out.sessions.json"])
def test_an_export_that_finds_the_disk_full_is_named(run: Run, results: Path, tmp_path: Path, name: str) -> None:
    (results / "sessions").mkdir(exist_ok=True)
    (results / "sessions" / "1.json").write_text('{"id": "1"}')
    (tmp_path / name).symlink_to("/dev/full")
    code, _, err = run("export", results, tmp_path / "out.parquet")
    assert (code, err.count("\n"), err.startswith(f"error: {tmp_path / name}: ")) == (4, 1, True)
    assert "No space left on device" in err


@pytest.mark.parametrize("suffix", list(Suffix))
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_figure_that_finds_the_disk_full_is_named(tmp_path: Path, suffix: Suffix, jobs: int) -> None:
    full = tmp_path / f"empty.{suffix}"
    full.symlink_to("/dev/full")
    studio = Studio([Drawing("empty", "Nothing.", Figure)], tmp_path, [suffix])
    with pytest.raises(OSError, match="No space left on device") as caught:
        studio.draw(jobs)
    assert caught.value.filename == str(full)


@pytest.mark.turns(8)
@pytest.mark.parametrize("name", ["tables/jobs.csv", "index.html"])
def test_a_report_that_finds_the_disk_full_names_the_file(
    run: Run, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for slow in ("guidelines", "findings", "answers"):
        monkeypatch.setattr(f"analysis.told.report.{slow}", lambda *_: [])
    monkeypatch.setattr("analysis.told.report.texts", lambda *_: {})
    full = tmp_path / "report" / name
    full.parent.mkdir(parents=True)
    full.symlink_to("/dev/full")
    code, _, err = run("report", results, "--out", tmp_path / "report")
    assert (code, err.splitlines()[-1]) == (4, f"error: {full}: No space left on device")


def test_why_there_are_no_results_is_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"program": "bfs-')
    code, _, err = run("best", tmp_path)
    assert (code, err.splitlines()[0]) == (
        2,
        f"warning: {tmp_path / 'r.jsonl'}:1: not a result; 1 of 1 lines are none and left out",
    )
    assert err.splitlines()[1:] == [f"error: no results in {tmp_path}"]


def test_the_names_of_the_best_programs_are_whole(run: Run, results: Path) -> None:
    job = json.loads((results / "results.jsonl").read_text().splitlines()[0])
    long = job | {"machine": "NVIDIA H200, Intel(R) Xeon(R) Processor with 16 cores (3d92b8)", "graph": "g" * 90}
    (results / "long.jsonl").write_text(json.dumps(long) + "\n")
    assert any(job["program"] in line and "g" * 90 in line for line in run("best", results)[1].splitlines())
