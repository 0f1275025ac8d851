"""Compiling programs for a tool, with a shell script in the place of a compiler."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import TYPE_CHECKING

import pytest

from generator.errors import UserError
from trust import build
from trust.tools import TOOLS, Tool

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = pytest.mark.turns(6, 1)

PROGRAM = "tc-cpp-vertex-topology-push-rmw-det-clausered-cyclic-i32"
COMPILER = """#!/bin/sh
case "$*" in *$BROKEN*) echo 'error: broken' >&2; exit 1;; esac
while [ "$1" ]; do
  if [ "$1" = -o ]; then echo "$FLAG" >"$2"; fi
  shift
done
"""


def fake(work: Path, flags: str, broken: str = "nothing") -> Tool:
    """A tool whose compiler says no to command lines with a word in them."""
    compiler = work / "compiler"
    compiler.write_text(COMPILER.replace("$BROKEN", broken).replace("$FLAG", flags))
    compiler.chmod(0o755)
    return Tool("fake", "fake", ("cpp",), {"CXX": str(compiler), "CXXFLAGS": flags})


@pytest.mark.parametrize("code", [0, 4])
def test_a_gpu_that_does_not_compute_is_told(work: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    check = f"#!/bin/sh\necho no device >&2; exit {code}"
    nvcc = work / "nvcc"
    nvcc.write_text(
        f"#!/bin/sh\n[ $1 != --version ] || {{ echo release 13, V13.0; exit; }}\n"
        f"while [ $1 != -o ]; do shift; done; echo '{check}' >$2; chmod +x $2\n"
    )
    nvcc.chmod(0o755)
    monkeypatch.setenv("PATH", str(work), prepend=os.pathsep)
    build.need_gpu(("cpp",), TOOLS[0])
    with pytest.raises(UserError, match="none computes here: no device") if code else nullcontext():
        build.need_gpu(("multigpu",), TOOLS[0])
    assert build.gpu_check(TOOLS[0]).is_file()


def test_the_name_of_a_config_is_no_syntax_of_make(work: Path) -> None:
    suite = suite_of(work, "my $one%b#c:d=1")
    tool = fake(work, "-O1")
    build.compile_all(suite, tool, suite.programs, 1)
    assert suite.binary(suite.programs[0], tool).is_file()


def suite_of(work: Path, stem: str = "one") -> build.Suite:
    config = work / f"{stem}.toml"
    config.write_text(f'names = ["{PROGRAM}"]\n')
    return build.generate(str(config), ("cpp",))


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("runtime/shared.o", "the runtime does not compile: error: broken"),
        ("reference_main", "the runtime does not compile: error: broken"),
        ("cpp.begin.hpp.gch", "what all programs share does not compile: error: broken"),
        (f"{PROGRAM}.tmp", f"{PROGRAM} and 0 more do not compile: error: broken"),
    ],
)
def test_what_was_built_before_is_not_taken_for_what_does_not_compile(work: Path, broken: str, message: str) -> None:
    suite = suite_of(work)
    before = fake(work, "-O1")
    build.compile_all(suite, before, suite.programs, 1)
    assert suite.binary(suite.programs[0], before).read_text() == "-O1\n"
    build.compile_all(suite, fake(work, "-O2", broken), [], 1)
    with pytest.raises(UserError, match=message):
        build.compile_all(suite, fake(work, "-O2", broken), suite.programs, 1)
    after = fake(work, "-O2")
    build.compile_all(suite, after, suite.programs, 1)
    assert suite.binary(suite.programs[0], after).read_text() == "-O2\n"
