"""The golden list of all programs' hashes."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from generator import manifest
from generator.__main__ import app
from generator.errors import UserError
from generator.render import render
from generator.space import Space, name_of

BFS = "bfs-openmp-vertex-topology-push-rmw-nondet-default-i32"
TC = "tc-openmp-vertex-topology-push-rmw-det-atomicred-default-i32"


def test_a_hash_begins_as_that_of_the_text(space: Space) -> None:
    styles = [space.parse(name) for name in (TC, BFS)]
    hashes = manifest.hashes(space, styles, jobs=2)
    assert list(hashes) == [BFS, TC]
    assert all(render(space, style).sha256.startswith(hashes[name_of(style)]) for style in styles)


def test_changes_are_told_by_kind() -> None:
    old, new, same = ({f"bfs-openmp-{number}": digits for number in range(3)} for digits in ("1", "2", "1"))
    assert manifest.differences(old, same) == []
    assert manifest.differences(old | {"cc-cpp-a": "1"}, new | {"tc-cuda-a": "1", "bfs-openmp-9": "1"}) == [
        "new     bfs openmp            1, such as bfs-openmp-9",
        "new     tc cuda               1, such as tc-cuda-a",
        "gone    cc cpp                1, such as cc-cpp-a",
        "changed bfs openmp            3, such as bfs-openmp-0",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, ": is missing; run python -m generator manifest"),
        ("", ":1: is no list of name and sha256; run "),
        ("<<<<<<< HEAD\n", ":1: is no list"),
        ("name,sha256\na,1\n=======\n", ":3: holds no name and sha256; run "),
    ],
)
def test_a_broken_manifest_is_told(tmp_path: Path, text: str | None, message: str) -> None:
    path = tmp_path / "MANIFEST.csv"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UserError, match=re.escape(f"{path}{message}")):
        manifest.listed(path)


def test_the_command_writes_compares_and_names_what_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "MANIFEST.csv"
    path.write_text("<<<<<<< HEAD\n")
    monkeypatch.setattr(manifest, "MANIFEST", path)
    monkeypatch.setattr(manifest, "every_style", lambda space: [space.parse(BFS), space.parse(TC)])

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["manifest", *arguments])
        return f"{result.stdout}{result.exception or ''}"

    assert "new     bfs openmp            1, such as" in run()
    assert run("--check") == "no program has changed\n"
    path.write_text(path.read_text().replace(f"{BFS},", f"{BFS},0"))
    told = run("--check")
    assert f"changed bfs openmp            1, such as {BFS}\n{path}: out of date; run" in told
