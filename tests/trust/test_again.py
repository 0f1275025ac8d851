"""A command that goes on with a table counts the failures that it finds there: nothing runs a second time."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from inputs.catalogue import ensure
from runner.hashing import hash_file
from trust import clean, exports, verify
from trust.build import Built, generate
from trust.observe import Observation, Report
from trust.records import Table, read
from trust.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from generator.render import Program

PROGRAM = "tc-cpp-vertex-topology-push-rmw-det-clausered-cyclic-i32"


@pytest.fixture
def config(tmp_path: Path) -> str:
    file = tmp_path / "again.toml"
    file.write_text(f'names = ["{PROGRAM}"]\n')
    return str(file)


@pytest.fixture
def row(config: str) -> dict[str, object]:
    suite = generate(config, ("cpp",))
    return {"program": PROGRAM, "sha256": suite.identity(suite.programs[0]), "model": "cpp", "threads": "2"}


def test_verify(
    config: str,
    row: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("compile_all", "_solve"):
        monkeypatch.setattr(verify, name, lambda *_: {})
    graphs = [ensure(name, tmp_path) for name in ("tiny-k5", "tiny-path")]
    out = tmp_path / "table.csv"
    failed = {**row, "status": "wrong", "detail": "off"}
    rows = [{**failed, "graph": graph.stem, "graph_sha256": hash_file(graph)} for graph in graphs]
    rows[1] |= {"status": "verified", "detail": ""}
    old: dict[str, object] = {**rows[0], "sha256": "of an earlier version"}
    Table(out, verify.COLUMNS, ("sha256",)).add([old, *rows])
    assert verify.measure(config, ("cpp",), list(map(str, graphs)), [("--threads", "2")], out, jobs=1) == 1
    assert f"{PROGRAM} on tiny-k5: wrong: off" in capsys.readouterr().out
    assert verify.measure(config, ("cpp",), [str(graphs[1])], [("--threads", "2")], out, jobs=1) == 0
    assert len(read(out)) == 3


def test_verify_takes_no_graph_for_another_one_of_its_name(
    config: str, row: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks: list[verify._Task] = []
    monkeypatch.setattr(verify, "compile_all", lambda *_: None)
    monkeypatch.setattr(verify, "_solve", lambda *_: defaultdict(Path))
    monkeypatch.setattr(verify, "for_each", lambda todo, *_, **__: tasks.extend(todo))
    graph = ensure("tiny-k5", tmp_path)
    out = tmp_path / "table.csv"
    known = {**row, "graph": graph.stem, "graph_sha256": hash_file(graph), "status": "wrong", "detail": "off"}
    Table(out, verify.COLUMNS, ("sha256",)).add([known])
    ensure("tiny-path", tmp_path).replace(graph)
    assert verify.measure(config, ("cpp",), [str(graph)], [("--threads", "2")], out, jobs=1) == 0
    (task,) = tasks
    assert [each.sha256 for each in task.references] == [hash_file(graph)]


def test_clean(
    config: str,
    row: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(clean, "compile_all", lambda *_: None)
    out = tmp_path / "table.csv"
    tools = {"AddressSanitizer": "heap-buffer-overflow", "UBSan": ""}
    rows = [{**row, "tool": tool, "graphs": 1, "parameters": "", "finding": said} for tool, said in tools.items()]
    Table(out, clean.COLUMNS, ("sha256",)).add(rows)
    assert clean.measure(config, ("cpp",), out, way=("--threads", "2"), tools=tools, jobs=1) == (1, 0)
    assert f"{PROGRAM}: AddressSanitizer: heap-buffer-overflow" in capsys.readouterr().out
    assert len(read(out)) == 2


@pytest.mark.parametrize(("said", "counts"), [("", (0, 0)), ("heap-buffer-overflow", (1, 0)), ("stopped: k5", (0, 1))])
def test_what_was_stopped_is_watched_again(
    config: str,
    row: dict[str, object],
    said: str,
    counts: tuple[int, int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tools = {"AddressSanitizer": "stopped: karate timeout: no result in 30 s", "UBSan": ""}
    rows = [{**row, "tool": tool, "graphs": 1, "parameters": "", "finding": finding} for tool, finding in tools.items()]
    out = tmp_path / "table.csv"
    Table(out, clean.COLUMNS, ("sha256",)).add(rows)

    def for_each(tasks: Sequence[clean._Task], _: object, store: Callable[[object], None], **__: object) -> None:
        assert [[tool.name for tool in task.tools] for task in tasks] == [["AddressSanitizer"]]
        store([{**rows[0], "finding": said}])

    monkeypatch.setattr(clean, "for_each", for_each)
    assert clean.measure(config, ("cpp",), out, way=("--threads", "2"), tools=tools, jobs=1) == counts
    assert [each["finding"] for each in read(out)] == [tools["AddressSanitizer"], "", said]


def test_a_finding_counts_more_than_a_stop(row: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    late, off = Observation("karate", "timeout", "no result in 30 s"), Observation("k5", "wrong", "vertex 1")
    program = Built({}, row, Path("binary"), TOOLS[0])
    task = clean._Task(cast("Program", None), program, (TOOLS[0],), (), ())
    monkeypatch.setattr(clean, "several", lambda _: [(), ("--delta", "2")])
    for reports, finding in {
        (): "",
        (late,): "stopped: karate timeout: no result in 30 s",
        (late, off): "k5 wrong: vertex 1",
    }.items():
        monkeypatch.setattr(clean, "observe", lambda *_, told=reports, **__: Report(list(told), ""))
        assert clean._measure(task)[0]["finding"] == finding


def test_exports(
    config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(exports, "hash_values", lambda _: "it")
    monkeypatch.setattr(exports.shutil, "which", lambda _: "/bin/true")
    out = tmp_path / "table.csv"
    row = {"program": PROGRAM, "sha256": "it", "model": "cpp", "status": "leaks", "detail": "8 bytes"}
    Table(out, exports.COLUMNS, ("sha256",)).add([row])
    assert exports.measure(config, ("cpp",), out, jobs=1) == 1
    assert f"{PROGRAM}: leaks: 8 bytes" in capsys.readouterr().out
