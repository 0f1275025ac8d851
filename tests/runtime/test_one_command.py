"""Every program compiles alone, by the command that its header prints."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from trust.build import compile_runtime
from trust.tools import TOOLS, VERIFIER

pytestmark = pytest.mark.compile

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("generated")
    command = [sys.executable, "-m", "generator", "generate", "quick", "--out", folder]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("model", ["openmp", "cuda"])
def test_the_command_in_the_header_builds_the_program(generated: Path, path_graph: Path, model: str) -> None:
    # C++ with threads differs from OpenMP by one flag, and a whole build takes seconds.
    source = min((generated / model).glob("*/*.c*"))
    found = re.search(r"^// Build:\n//   (name=.+)\n//   (.+)$", source.read_text(), re.MULTILINE)
    assign, command = found.groups()
    compiler = command.split()[0]
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    sources = " ../../runtime/*.cpp "
    assert command.count(sources) == 1
    if model == "cuda":  # the other command compiles these sources
        (plain,) = (tool for tool in TOOLS if tool.name == VERIFIER)
        library = compile_runtime(plain, os.cpu_count() or 1)
        command = command.replace(" -O3 ", " -O0 ").replace(sources, f" {library} ")
    else:
        # Without inlining, two definitions of one name would be mixed; only the linker's optimisation can tell of them.
        command = command.replace(" -O3 ", " -O0 -flto -Werror=odr -Werror=lto-type-mismatch ")
    subprocess.run(["/bin/sh", "-c", f"{assign}\n{command}"], cwd=source.parent, check=True)
    if model != "cuda":  # a GPU is more than this test asks for
        done = subprocess.run([source.with_suffix(""), path_graph, "--reps", "1"], capture_output=True, check=True)
        assert json.loads(done.stdout)["verified"] is True
