from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from runner.errors import RunnerError
from runner.jobs.programs import read_programs

if TYPE_CHECKING:
    from tests.runner.conftest import Project


def names(project: Project, *globs: str) -> list[str]:
    return [program.name for program in read_programs(project.checkout, globs)]


def test_globs_match_whole_names(project: Project) -> None:
    for name in ("bfs-cpp-a", "bfs-openmp-a", "cc-cpp-a"):
        project.add(name)
    assert names(project, "*") == ["bfs-cpp-a", "bfs-openmp-a", "cc-cpp-a"]
    assert names(project, "bfs-*", "cc-cpp-a") == ["bfs-cpp-a", "bfs-openmp-a", "cc-cpp-a"]
    assert names(project, "*-cpp-*") == ["bfs-cpp-a", "cc-cpp-a"]


def test_programs_know_their_files(project: Project) -> None:
    source = project.add("bfs-openmp-a")
    (program,) = read_programs(project.checkout, ["*"])
    assert (program.source, program.model, program.algorithm) == (source, "openmp", "bfs")
    assert program.binary == project.root / "build" / "openmp" / "bfs" / "bfs-openmp-a"


def test_no_match_is_an_error(project: Project) -> None:
    with pytest.raises(RunnerError, match=r"no program of .* matches cc-"):
        names(project, "cc-*")


def test_every_glob_has_to_match(project: Project) -> None:
    project.add("bfs-cpp-a")
    with pytest.raises(RunnerError, match=r"no program of .* matches bfs-ccp-\* cc-\*$"):
        names(project, "bfs-cpp-a", "bfs-ccp-*", "cc-*")


def test_no_manifest_is_an_error(project: Project) -> None:
    project.checkout.manifest.unlink()
    with pytest.raises(RunnerError, match="run `violet generate quick` first"):
        names(project, "*")


def test_a_manifest_without_a_column_is_an_error(project: Project) -> None:
    project.checkout.manifest.write_text("name,model\na,b\n")
    with pytest.raises(RunnerError, match="no column algorithm, reference, path"):
        names(project, "*")


def test_a_missing_source_is_an_error(project: Project) -> None:
    project.add("bfs-cpp-a").unlink()
    with pytest.raises(RunnerError, match="run `violet generate` again"):
        names(project, "*")
