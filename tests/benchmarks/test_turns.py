"""Builds in turns: who runs when, what is in the table, and what happens where one fails."""

from __future__ import annotations

import csv
import itertools
import json
import os
from typing import TYPE_CHECKING

import pytest

from benchmarks import turns
from inputs.catalogue import ensure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path


pytestmark = pytest.mark.turns(6, 2)

NAMES = ("bfs-cpp-one", "bfs-cpp-two")


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Returns what makes a build of programs that note their name, then report that they took so many seconds."""
    monkeypatch.chdir(tmp_path)
    karate = ensure("karate", tmp_path)

    def make(
        code: str, seconds: Iterable[float] = (1, 2, 3), names: Iterable[str] = NAMES, last: str = "", **changed: object
    ) -> Path:
        folder = tmp_path / code / "cpp" / "bfs"
        folder.mkdir(parents=True, exist_ok=True)
        report = {"graph": str(karate), "vertices": 34, "edges": 156, "rounds": 3, "verified": True}
        for name in names:
            program = folder / name
            said = json.dumps({**report, "program": name, "samples_s": list(seconds), **changed})
            program.write_text(
                f"#!/bin/sh\necho {code} {name} $VIOLET_PLACES $* >> {tmp_path}/noted\necho '{said}'\n{last}\n"
            )
            program.chmod(0o755)
            (folder / f"{name}.d").write_text("a list of headers, which is no program")
        return tmp_path / code

    return make


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8") as text:
        return list(csv.DictReader(text))


def measure(*arguments: str, builds: Iterable[str] = ("before", "after")) -> int:
    return turns.main([*(f"{code}={code}" for code in builds), "--graphs", "karate.egr", *arguments])


def ratios(out: str) -> list[list[str]]:
    return [line.replace("│", " ").split() for line in out.splitlines() if "bfs-cpp" in line]


def test_builds_take_turns_and_every_second_one_goes_backwards(
    build: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build("before", [0.002, 0.004, 0.003])
    build("after", [0.001, 0.003, 0.0015])
    assert measure("--programs", "*-one", "--turns", "3", "--threads", "1") == 0
    noted = [line.split() for line in (tmp_path / "noted").read_text().splitlines()]
    assert [words[0] for words in noted] == ["before", "after", "after", "before", "before", "after"]
    pinned = str(min(os.sched_getaffinity(0)))
    given = ["bfs-cpp-one", pinned, str(tmp_path / "karate.egr"), "--threads", "1", "--reps", "3", "--warmup", "1"]
    assert [words[1:] for words in noted] == [given] * 6
    before, after = rows(tmp_path / "turns.csv")
    assert [before[name] for name in ("graph", "program", "code")] == ["karate", "bfs-cpp-one", "before"]
    assert after["code"] == "after"
    assert before["samples_ms"] == " ".join(["2 4 3"] * 3)
    assert ratios(capsys.readouterr().out) == [["karate", "bfs-cpp-one", "3", "1.5", "2.00"]]


def test_what_the_table_has_is_not_measured_again_unless_it_changed(
    build: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(*arguments: str, builds: Iterable[str] = ("before", "after")) -> list[str]:
        (tmp_path / "noted").unlink(missing_ok=True)
        assert measure(*arguments, builds=builds) == 0
        noted = (tmp_path / "noted").read_text().splitlines() if (tmp_path / "noted").exists() else []
        return sorted({" ".join(line.split()[:2]) for line in noted})

    everything = [" ".join(pair) for pair in itertools.product(["after", "before"], NAMES)]
    build("before")
    build("after")
    assert measured() == everything
    assert measured() == []
    build("after", [1, 1, 1], NAMES[:1])
    assert measured() == ["after bfs-cpp-one", "before bfs-cpp-one"]
    assert ratios(capsys.readouterr().out)[-2][-1] == "2.00"  # over the new one
    assert measured("--turns", "6") == everything
    assert measured("--threads", "7") == everything


def test_only_what_took_turns_is_compared(build: Callable[..., Path], tmp_path: Path) -> None:
    """Not A and C, after A with B and B with C: between those, the machine may have changed."""
    for code in "abc":
        build(code, names=NAMES[:1])
    for builds in ("ab", "bc", "ac"):
        (tmp_path / "noted").unlink(missing_ok=True)
        assert measure(builds=builds) == 0
        assert {line[0] for line in (tmp_path / "noted").read_text().splitlines()} == set(builds)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"last": "echo no memory >&2; exit 4"}, "after its report: too little memory, or no working device"),
        ({"last": "exec sleep 60"}, "after its report: not done after 1 s"),
        ({"last": "exit 1"}, "its exit code and its report disagree"),
        ({"verified": False, "last": "exit 1"}, "wrong: wrong result"),
        ({"samples_s": []}, "it printed no report"),
        ({"samples_s": [-1.0, 1.0, 1.0]}, "it printed no report"),
        ({"samples_s": None}, "it printed no report"),
        ({"program": "bfs-cpp-two"}, "the report is of bfs-cpp-two"),
        ({"last": "echo >> $0"}, "bfs-cpp-one changed meanwhile"),
    ],
)
def test_a_program_that_fails_is_named_and_the_rest_is_timed(
    build: Callable[..., Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changed: dict[str, object],
    reason: str,
) -> None:
    build("before")
    build("after")
    build("after", names=NAMES[:1], **changed)
    assert measure("--limit", "1") == 1
    (said,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("left out: ")]
    assert said.startswith("left out: bfs-cpp-one on karate: after: ")
    assert reason in said
    assert {row["program"] for row in rows(tmp_path / "turns.csv")} == {"bfs-cpp-two"}


def test_an_interrupted_command_goes_on(build: Callable[..., Path], tmp_path: Path) -> None:
    build("before")
    build("after")
    build("after", names=NAMES[1:], last="kill -INT $PPID; sleep 60")
    assert measure() == 130
    assert {row["program"] for row in rows(tmp_path / "turns.csv")} == {"bfs-cpp-one"}
    build("after", names=NAMES[1:])
    (tmp_path / "noted").unlink()
    assert measure() == 0
    assert {line.split()[1] for line in (tmp_path / "noted").read_text().splitlines()} == {"bfs-cpp-two"}


def test_programs_of_every_model_are_found(tmp_path: Path) -> None:
    for model in ("cpp", "openmp", "cuda", "multigpu"):
        program = tmp_path / "build" / model / "bfs" / f"bfs-{model}-one"
        program.parent.mkdir(parents=True)
        program.touch(mode=0o755)
    found, _ = turns.programs_of([turns.Build("after", tmp_path / "build")], ["*"])
    assert sorted(path.parts[0] for path in found) == ["cpp", "cuda", "multigpu", "openmp"]


def test_only_what_all_builds_have_is_compared(
    build: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build("before")
    build("after", names=[*NAMES[1:], "bfs-cpp-three"])
    assert measure() == 0
    assert "left out: 2 programs that not all builds have, as bfs-cpp-one" in capsys.readouterr().err
    assert {row["program"] for row in rows(tmp_path / "turns.csv")} == {"bfs-cpp-two"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["before=before", "after=before", "--graphs", "karate.egr", "--programs", "x*"], "matches x*: compile"),
        (["before=before", "after=before", "--graphs", "absent.egr"], "absent.egr"),
        (["before=before", "after=before", "--graphs", "karate.egr", "--out", "other.csv"], "give another --out"),
        (["before=before", "after=before", "--graphs", "karate.egr", "--out", "cut.csv"], "or damaged: give another"),
        (["before=before", "after=before", "--graphs", "karate.egr", "--out", "no/x.csv"], "no is no folder: make it"),
        (["before=before", "after=absent", "--graphs", "karate.egr"], "'after=absent' is not NAME=FOLDER"),
        (["before=before", "--graphs", "karate.egr"], "give two builds or more"),
        (["a=before", "a=before", "--graphs", "karate.egr"], "each with a name of its own"),
        (["a=before", "b=before", "--graphs", "karate.egr", "--turns", "1"], "has to be 5 at least"),
    ],
)
def test_users_errors_are_one_line(
    build: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    build("before")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    (tmp_path / "cut.csv").write_text(",".join(turns.COLUMNS) + "\nkarate,1,bfs-cpp-one\n")
    with pytest.raises(SystemExit) as end:
        turns.main(arguments)
    assert message in (end.value.code if isinstance(end.value.code, str) else capsys.readouterr().err)
    assert not (tmp_path / "noted").exists()
