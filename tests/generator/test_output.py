from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from generator.output import PROGRAMS, render_all, write
from generator.render import render
from generator.space import Space, name_of

if TYPE_CHECKING:
    from pathlib import Path


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
