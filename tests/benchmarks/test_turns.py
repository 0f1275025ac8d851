"""Builds in turns: who runs when, what is in the table, and what happens where one fails."""

from __future__ import annotations

import csv
import itertools
from typing import TYPE_CHECKING

import pytest

from benchmarks import turns
from inputs.catalogue import ensure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

NAMES = ("bfs-cpp-one", "bfs-cpp-two")


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Returns what makes a build of programs that note their name, then say that they took so many seconds."""
    monkeypatch.chdir(tmp_path)
    ensure("karate", tmp_path)

    def make(code: str, seconds: Iterable[float] = (1, 2, 3), names: Iterable[str] = NAMES, last: str = "") -> Path:
        folder = tmp_path / code / "cpp" / "bfs"
        folder.mkdir(parents=True, exist_ok=True)
        report = f'{{"samples_s": [{", ".join(map(str, seconds))}]}}'
        for name in names:
            program = folder / name
            program.write_text(f"#!/bin/sh\necho {code} {name} $* >> {tmp_path}/noted\necho '{report}'\n{last}\n")
            program.chmod(0o755)
            (folder / f"{name}.d").write_text("a list of headers, which is no program")
        return tmp_path / code

    return make


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8") as text:
        return list(csv.DictReader(text))


def measure(*arguments: str) -> int:
    return turns.main(["before=before", "after=after", "--graphs", "karate.egr", *arguments])


def test_builds_take_turns_and_every_second_one_goes_backwards(
    build: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    build("before", [0.002, 0.004, 0.003])
    build("after", [0.001, 0.003, 0.0015])
    assert measure("--programs", "*-one", "--turns", "3", "--", "--threads", "8") == 0
    noted = [line.split() for line in (tmp_path / "noted").read_text().splitlines()]
    assert [words[0] for words in noted] == ["before", "after", "after", "before", "before", "after"]
    given = ["bfs-cpp-one", str(tmp_path / "karate.egr"), "--threads", "8", "--reps", "3", "--warmup", "1"]
    assert all(words[1:] == given for words in noted)
    before, after = rows(tmp_path / "turns.csv")
    assert (before["graph"], before["program"], before["code"], after["code"]) == (
        "karate",
        "bfs-cpp-one",
        "before",
        "after",
    )
    assert before["samples_ms"] == " ".join(["2.0000 4.0000 3.0000"] * 3)
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "bfs-cpp-one" in line]
    assert line.replace("│", " ").split() == ["karate", "bfs-cpp-one", "3", "1.5", "2.00"]


def test_what_the_table_has_is_not_measured_again_unless_it_changed(
    build: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def measured(*arguments: str) -> list[str]:
        (tmp_path / "noted").unlink(missing_ok=True)
        assert measure(*arguments) == 0
        noted = (tmp_path / "noted").read_text().splitlines() if (tmp_path / "noted").exists() else []
        return sorted({" ".join(line.split()[:2]) for line in noted})

    everything = [" ".join(pair) for pair in itertools.product(["after", "before"], NAMES)]
    build("before")
    build("after")
    assert measured() == everything
    assert measured() == []
    build("after", [1, 1, 1], NAMES[:1])
    assert measured() == ["after bfs-cpp-one", "before bfs-cpp-one"]
    (line,) = [line for line in capsys.readouterr().out.splitlines()[-8:] if "bfs-cpp-one" in line]
    assert line.replace("│", " ").split()[-1] == "2.00"  # over the new one
    assert measured("--turns", "6") == everything
    ensure("rmat-10", tmp_path).rename(tmp_path / "karate.egr")
    assert measured() == everything


@pytest.mark.parametrize(
    ("last", "reason"),
    [
        ("echo no memory >&2; exit 4", "left out: bfs-cpp-one on karate: after: exit code 4, it says: no memory"),
        ("exec sleep 60", "left out: bfs-cpp-one on karate: after: not done after 0.5 s"),
        ("exit 1", 'left out: bfs-cpp-one on karate: after: exit code 1, it says: {"samples_s": [1, 2, 3]}'),
    ],
)
def test_a_program_that_fails_is_named_and_the_rest_is_timed(
    build: Callable[..., Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], last: str, reason: str
) -> None:
    build("before")
    build("after")
    build("after", names=NAMES[:1], last=last)
    assert measure("--limit", "0.5") == 1
    assert reason in capsys.readouterr().err.splitlines()
    assert {row["program"] for row in rows(tmp_path / "turns.csv")} == {"bfs-cpp-two"}


def test_only_what_all_builds_have_is_compared(build: Callable[..., Path], tmp_path: Path) -> None:
    build("before")
    build("after", names=[*NAMES[1:], "bfs-cpp-new"])
    assert measure() == 0
    assert {row["program"] for row in rows(tmp_path / "turns.csv")} == {"bfs-cpp-two"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["before=before", "after=before", "--graphs", "karate.egr", "--programs", "x*"], "matches x*: compile them"),
        (["before=before", "after=before", "--graphs", "absent.egr"], "absent.egr"),
        (["before=before", "after=before", "--graphs", "karate.egr", "--out", "other.csv"], "give another --out"),
        (["before=before", "after=absent", "--graphs", "karate.egr"], "'after=absent' is not NAME=FOLDER"),
        (["before=before", "--graphs", "karate.egr"], "give two builds or more"),
        (["a=before", "a=before", "--graphs", "karate.egr"], "each with a name of its own"),
        (["a=before", "b=before", "--graphs", "karate.egr", "--turns", "1"], "has to be 5 at least"),
    ],
)
def test_users_errors_are_one_line(
    build: Callable[..., Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    build("before")
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(SystemExit) as end:
        turns.main(arguments)
    assert message in (end.value.code if isinstance(end.value.code, str) else capsys.readouterr().err)
    assert not (tmp_path / "noted").exists()
