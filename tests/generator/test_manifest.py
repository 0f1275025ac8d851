"""The golden list of all programs' hashes."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from generator import hooks, manifest, output
from generator import render as render_module
from generator.__main__ import app
from generator.errors import UserError
from generator.render import Program, render
from generator.space import Space, Style, name_of

BFS = "bfs-openmp-vertex-topology-push-rmw-nondet-default-i32"
TC = "tc-openmp-vertex-topology-push-rmw-det-atomicred-default-i32"


def test_a_hash_begins_as_that_of_the_text(space: Space) -> None:
    styles = [space.parse(name) for name in (TC, BFS)]
    hashes = manifest.hashes(space, styles, jobs=2)
    assert list(hashes) == [BFS, TC]
    assert all(render(space, style).sha256.startswith(hashes[name_of(style)]) for style in styles)


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two programs are all there are."""
    monkeypatch.setattr(manifest, "KEPT", tmp_path / "kept.json")
    monkeypatch.setattr(manifest, "every_style", lambda space: [space.parse(BFS), space.parse(TC)])


@pytest.mark.usefixtures("two")
def test_only_programs_that_something_has_changed_for_are_rendered_again(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = manifest.current(space, jobs=1)
    plain, decided_by = output.render, manifest.decided_by
    monkeypatch.setattr(output, "render", lambda *_: pytest.fail("is rendered again"))
    monkeypatch.setattr(manifest, "every_style", lambda _: pytest.fail("is selected again"))
    assert manifest.current(space, jobs=1) == first
    monkeypatch.setattr(manifest, "decided_by", lambda *what: f"{decided_by(*what)}{name_of(what[1]) == TC}")

    def rendered(space: Space, style: Style) -> Program:
        assert name_of(style) == TC
        return replace(plain(space, style), text="another")

    kept = json.loads(manifest.KEPT.read_text())
    kept["programs"] = {f"{decided}False": digits for decided, digits in kept["programs"].items()}
    manifest.KEPT.write_text(json.dumps(kept))
    monkeypatch.setattr(output, "render", rendered)
    second = manifest.current(space, jobs=1)
    assert second[BFS] == first[BFS]
    assert second[TC] != first[TC]


@pytest.mark.parametrize("kept", ["", "[]", "{", '{"selection": "of another time", "names": [], "programs": {}}'])
@pytest.mark.usefixtures("two")
def test_what_was_kept_and_is_no_use_is_made_anew(space: Space, kept: str) -> None:
    manifest.KEPT.write_text(kept)
    assert list(manifest.current(space, jobs=1)) == [BFS, TC]


def test_what_decides_a_program_is_told_from_what_does_not(space: Space) -> None:
    style = space.parse(BFS)

    def decided(changed: str) -> str:
        """Returns what decides in a process of its own, as one reads templates once."""
        plain = hooks.content_of

        def content_of(file: str) -> str:
            return f"{plain(file)} and more" if file == changed else plain(file)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(render_module, "content_of", content_of)
            render_module._content.cache_clear()
            found = render_module.decided_by(space, style)
        render_module._content.cache_clear()
        return found

    now = decided("")
    assert decided("axes/flow/pull.jinja") == now
    for file in (
        "axes/flow/push.jinja",
        "axes/flow.jinja",
        "models/openmp.jinja",
        "families/relaxation/skeleton.jinja",
        "program.jinja",
        "algorithms/bfs/hooks.jinja",
    ):
        assert decided(file) != now, file


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
    monkeypatch.setattr(manifest, "KEPT", tmp_path / "kept.json")
    monkeypatch.setattr(manifest, "every_style", lambda space: [space.parse(BFS), space.parse(TC)])

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["manifest", *arguments])
        return f"{result.stdout}{result.exception or ''}"

    assert "new     bfs openmp            1, such as" in run()
    assert run("--check") == "no program has changed\n"
    path.write_text(path.read_text().replace(f"{BFS},", f"{BFS},0"))
    told = run("--check")
    assert f"changed bfs openmp            1, such as {BFS}\n{path}: out of date; run" in told
