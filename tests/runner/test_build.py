from __future__ import annotations

import contextlib
import os
import pty
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from generator.paths import ROOT
from runner.errors import RunnerError
from runner.jobs.build import build, build_shared, is_current
from runner.jobs.programs import read_programs
from runner.machine.toolchain import make_command

if TYPE_CHECKING:
    from tests.runner.conftest import Project

SHARED = ["shared.o", "violet-reference"]


def make(project: Project, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(make_command(*arguments), cwd=project.root, capture_output=True, text=True, check=False)


def test_a_build_does_only_what_is_out_of_date(project: Project) -> None:
    source = project.add("bfs-cpp-a")
    project.add("bfs-openmp-b")
    assert make(project).returncode == 0
    assert sorted(project.compiled()) == ["bfs-cpp-a", "bfs-openmp-b", *SHARED]
    make(project)
    assert project.compiled() == []
    project.write(source, "bfs-cpp-a", "exit 9")
    make(project)
    assert project.compiled() == ["bfs-cpp-a"]
    (project.checkout.runtime / "harness.cpp").write_text("int changed;")
    make(project)
    assert sorted(project.compiled()) == ["bfs-cpp-a", "bfs-openmp-b", *SHARED]


def test_other_flags_build_again(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.add("bfs-cpp-a")
    make(project)
    project.compiled()
    monkeypatch.setenv("CXXFLAGS", "-O2")
    make(project)
    assert "bfs-cpp-a" in project.compiled()


def test_globs_select_programs(project: Project) -> None:
    for name in ("bfs-cpp-a", "bfs-cpp-b", "bfs-openmp-a", "cc-cpp-a"):
        project.add(name)
    make(project, "PROGRAMS=bfs-cpp-* cc-cpp-a")
    assert sorted(project.compiled()) == ["bfs-cpp-a", "bfs-cpp-b", "cc-cpp-a", *SHARED]


@pytest.mark.parametrize(
    ("argument", "message"), [("PROGRAMS=none-*", "no program of"), ("MANIFEST=none.csv", "run `make generate` first")]
)
def test_nothing_to_build_is_an_error(project: Project, argument: str, message: str) -> None:
    project.add("bfs-cpp-a")
    done = make(project, argument)
    assert done.returncode != 0
    assert message in done.stderr


def test_cuda_programs_are_left_out_without_nvcc(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.add("bfs-cuda-a")
    done = make(project)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "no-nvcc not found: 1 CUDA programs are left out"


def test_a_null_build_of_hundreds_of_programs_is_fast(project: Project) -> None:
    project.add("bfs-cpp-a")
    make(project)
    project.compiled()
    (binary,) = (program.binary for program in read_programs(project.checkout, ["*"]))
    for i in range(200):
        project.add(f"bfs-cpp-{i}")
        for suffix in ("", ".d"):
            shutil.copy(f"{binary}{suffix}", binary.with_name(f"bfs-cpp-{i}{suffix}"))
    start = os.times()
    make(project)
    ended = os.times()
    assert ended.children_user + ended.children_system - start.children_user - start.children_system < 1
    assert project.compiled() == []


def test_a_compile_error_stops_no_other_and_leaves_no_stale_binary(project: Project) -> None:
    source = project.add("bfs-cpp-a")
    project.add("bfs-cpp-b")
    programs = read_programs(project.checkout, ["*"])
    assert build(project.checkout, programs) == {}
    project.write(source, "bfs-cpp-a", "SYNTAX")
    (complaint,) = build(project.checkout, programs).items()
    assert complaint == ("bfs-cpp-a", "generated/cpp/bfs/bfs-cpp-a.cpp:1: error: SYNTAX")
    assert [program.binary.exists() for program in programs] == [False, True]


def test_a_full_disk_is_no_fault_of_programs(project: Project) -> None:
    compiler = project.root / "fake-cxx"
    full = "case $source in *bfs-*) cat $source > /dev/full || exit;; esac"
    compiler.write_text(compiler.read_text().replace("if grep", f"{full}\nif grep"))
    project.add("bfs-cpp-a")
    with pytest.raises(RunnerError, match="programs cannot be compiled: No space left on device"):
        build(project.checkout, read_programs(project.checkout, ["*"]))


def test_a_broken_runtime_is_an_error_of_its_own(project: Project) -> None:
    project.add("bfs-cpp-a")
    (project.checkout.runtime / "harness.cpp").write_text("SYNTAX")
    with pytest.raises(RunnerError, match="runtime that all programs share"):
        build(project.checkout, read_programs(project.checkout, ["*"]))


def test_binaries_of_before_are_no_result_of_a_build_that_failed(project: Project) -> None:
    for name in ("bfs-cpp-a", "bfs-openmp-b"):
        project.add(name)
    programs = read_programs(project.checkout, ["*"])
    build(project.checkout, programs)
    project.compiled()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CXX", "no-such-compiler")
        for compile_again in (lambda: build(project.checkout, programs), lambda: build_shared(project.checkout)):
            with pytest.raises(RunnerError, match="runtime that all programs share"):
                compile_again()
    assert build(project.checkout, programs) == {}
    (project.checkout.build / "openmp.begin.hpp").write_text("SYNTAX")
    assert build(project.checkout, programs) == {"bfs-openmp-b": "make did not get as far as compiling it"}


def test_what_a_failed_build_has_made_is_there_though_its_source_is_of_tomorrow(project: Project) -> None:
    tomorrow = time.time() + 86400
    for path in (project.add("bfs-cpp-a"), project.checkout.runtime / "tools" / "reference_main.cpp"):
        os.utime(path, (tomorrow, tomorrow))
    project.add("bfs-cpp-b", "SYNTAX")
    complaints = build(project.checkout, read_programs(project.checkout, ["*"]))
    assert list(complaints) == ["bfs-cpp-b"]


def test_a_log_of_before_says_nothing_of_a_build_that_was_not_reached(project: Project) -> None:
    project.add("bfs-openmp-b")
    programs = read_programs(project.checkout, ["*"])
    build(project.checkout, programs)
    (program,) = programs
    program.binary.unlink()
    log = program.binary.with_name(f"{program.name}.log")
    log.write_text("No space left on device")
    os.utime(log, (1, 1))
    (project.checkout.build / "openmp.begin.hpp").write_text("SYNTAX")
    assert build(project.checkout, programs) == {program.name: "make did not get as far as compiling it"}


def test_a_build_folder_that_cannot_be_written_is_an_error(project: Project) -> None:
    project.add("bfs-cpp-a")
    project.checkout.build.write_text("")
    with pytest.raises(RunnerError, match=r"^cannot write to .*build: File exists$"):
        build(project.checkout, read_programs(project.checkout, ["*"]))


def test_a_binary_is_current_until_something_it_is_made_of_changes(project: Project) -> None:
    source = project.add("bfs-cpp-a")
    (program,) = read_programs(project.checkout, ["*"])
    assert not is_current(program, project.checkout)
    build(project.checkout, [program])
    assert is_current(program, project.checkout)
    project.write(source, "bfs-cpp-a", "exit 9")
    assert not is_current(program, project.checkout)


def test_an_interrupt_while_make_is_started_is_not_lost(project: Project) -> None:
    project.add("bfs-cpp-a")
    script = f"""
import os, signal
from pathlib import Path
from runner.checkout import Checkout
from runner.jobs.build import build
from runner.jobs.programs import read_programs
signal.signal(signal.SIGINT, signal.default_int_handler)
checkout = Checkout(Path({str(project.root)!r}))
programs = read_programs(checkout, ["*"])
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGINT))
try:
    build(checkout, programs)
except KeyboardInterrupt:
    print("interrupted")
"""
    command = [sys.executable, "-c", script]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False, cwd=ROOT)
    assert (ended.stdout, "Exception ignored" in ended.stderr) == ("interrupted\n", False), ended.stderr


@pytest.mark.compile
def test_a_real_compiler_notices_changed_headers(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "g++")
    runtime = project.checkout.runtime
    (runtime / "answer.hpp").write_text("inline int answer() { return 3; }\n")
    for header in ("openmp.hpp", "distances.hpp", "session.hpp"):
        (runtime / header).write_text("#pragma once\n")
    threads = runtime / "threads.hpp"
    threads.write_text("#pragma once\ninline int threads() { return 1; }\n")
    (runtime / "tools" / "reference_main.cpp").write_text("int main() {}\n")
    main = '#include "../../runtime/answer.hpp"\nint main() { return answer(); }\n'
    project.add("bfs-openmp-a").write_text(main)
    project.add("bfs-cpp-b").write_text('#include "threads.hpp"\nint main() { return threads(); }\n')
    binary = project.checkout.build / "openmp" / "bfs" / "bfs-openmp-a"
    assert make(project, "-j2").returncode == 0
    assert subprocess.run([binary], check=False).returncode == 3
    (runtime / "answer.hpp").write_text("inline int answer() { return 4; }\n")
    assert make(project).stdout.splitlines() == ["compile openmp/bfs/bfs-openmp-a"]
    assert subprocess.run([binary], check=False).returncode == 4
    threads.write_text("#pragma once\ninline int threads() { return 5; }\n")
    assert make(project).stdout.splitlines() == ["compile cpp.begin.hpp.gch", "compile cpp/bfs/bfs-cpp-b"]
    assert subprocess.run([project.checkout.build / "cpp" / "bfs" / "bfs-cpp-b"], check=False).returncode == 5
    (runtime / "answer.hpp").unlink()
    project.write(project.checkout.generated / "openmp" / "bfs" / "bfs-openmp-a.cpp", "").write_text("int main() {}\n")
    assert make(project).returncode == 0


def test_on_a_terminal_one_line_updates_and_failures_stay(project: Project) -> None:
    for name in ("bfs-cpp-a", "bfs-cpp-b", "bfs-cpp-c"):
        project.add(name, "SYNTAX" if name == "bfs-cpp-b" else None)
    seen, terminal = pty.openpty()
    command = [*make_command("-k", "TOTAL=6")]
    subprocess.run(
        command, cwd=project.root, stdout=terminal, stderr=terminal, env=os.environ | {"TERM": "xterm"}, check=False
    )
    os.close(terminal)
    output = b""
    with contextlib.suppress(OSError):  # how the end of a terminal's output reads
        while piece := os.read(seen, 4096):
            output += piece
    os.close(seen)
    lines = [line.rstrip("\r").rsplit("\r", 1)[-1].replace("\033[K", "") for line in output.decode().split("\n")]
    assert "generated/cpp/bfs/bfs-cpp-b.cpp:1: error: SYNTAX" in lines
    assert not any("compile" in line for line in lines[:-1])
    assert "[6 of 6, about 0 s left] compile" in output.decode()
