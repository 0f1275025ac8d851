from __future__ import annotations

import csv
from pathlib import Path

import pytest

from generator import output
from generator.errors import UserError
from generator.output import FILES, PROGRAMS, render_all, write
from generator.render import render
from generator.space import Space, name_of


def some(space: Space, algorithm: str, count: int) -> list[dict[str, str]]:
    return [style for style in space.styles() if style["algorithm"] == algorithm][:count]


def contents(directory: Path) -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()
    }


def test_generation_is_reproducible_and_processes_do_not_matter(space: Space, tmp_path: Path) -> None:
    styles = some(space, "bfs", 120)
    write(space, render_all(space, styles, jobs=1), tmp_path / "a")
    write(space, render_all(space, styles, jobs=2), tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_what_is_right_stays_untouched_and_what_is_stale_goes(space: Space, tmp_path: Path) -> None:
    first = [render(space, style) for style in some(space, "bfs", 3)]
    second = [*first[1:], render(space, some(space, "cc", 1)[0])]
    assert write(space, first, tmp_path) == (3, 0)
    kept = tmp_path / first[1].path
    stamp = kept.stat().st_mtime_ns
    assert write(space, second, tmp_path) == (1, 1)
    assert kept.stat().st_mtime_ns == stamp
    assert not (tmp_path / first[0].path).exists()
    assert {path.stem for path in tmp_path.glob("*/*/*") if path.parent.name in ("bfs", "cc")} == {
        program.name for program in second
    }


def test_the_list_has_name_path_hash_and_axes(space: Space, tmp_path: Path) -> None:
    programs = [render(space, style) for style in some(space, "sssp", 5)]
    write(space, programs, tmp_path)
    rows = list(csv.DictReader((tmp_path / PROGRAMS).open()))
    assert [row["name"] for row in rows] == [name_of(program.style) for program in programs]
    for row, program in zip(rows, programs, strict=True):
        assert row["sha256"] == program.sha256
        assert (tmp_path / row["path"]).read_text() == program.text
        assert {axis: row[axis] for axis in program.style} == program.style


def test_files_of_others_stay(space: Space, tmp_path: Path) -> None:
    programs = [render(space, style) for style in some(space, "bfs", 2)]
    write(space, programs, tmp_path)
    mine = [tmp_path / "thesis" / "chapter.tex", tmp_path / "runtime" / "mine.hpp", tmp_path / "openmp" / "mine.cpp"]
    for path in mine:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    assert write(space, programs[1:], tmp_path) == (0, 1)
    assert [path.read_text() for path in mine] == ["mine"] * 3


def test_files_of_an_earlier_runtime_go(space: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr(output, "runtime_files", lambda: {Path("gone.cpp"): "", Path("tools/gone.cpp"): ""})
        write(space, [], tmp_path)
    assert write(space, [], tmp_path) == (0, 2)
    assert not list(tmp_path.rglob("gone.cpp"))


def test_what_a_kill_left_goes(space: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> str:
        raise KeyboardInterrupt

    programs = [render(space, style) for style in some(space, "bfs", 2)]
    with monkeypatch.context() as patch:
        patch.setattr(output, "listing", killed)
        with pytest.raises(KeyboardInterrupt):
            write(space, programs, tmp_path)
    assert write(space, programs[1:], tmp_path) == (0, 1)


def test_a_folder_from_before_there_was_a_list_of_files_is_known_by_its_programs(space: Space, tmp_path: Path) -> None:
    programs = [render(space, style) for style in some(space, "bfs", 2)]
    write(space, programs, tmp_path)
    (tmp_path / FILES).unlink()
    assert write(space, programs[1:], tmp_path) == (0, 1)


@pytest.mark.parametrize("name", ["notes.txt", PROGRAMS, FILES])
def test_a_folder_of_somebody_else_is_refused(space: Space, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("name,of,mine\n")
    with pytest.raises(UserError, match="name a new or an empty folder"):
        write(space, [], tmp_path)
    assert contents(tmp_path) == {name: b"name,of,mine\n"}


def test_the_folder_of_the_repository_needs_no_list(
    space: Space, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "GENERATED", tmp_path)
    (tmp_path / "MANIFEST.csv").write_text("name\n")
    write(space, [], tmp_path)
    assert (tmp_path / "MANIFEST.csv").read_text() == "name\n"
