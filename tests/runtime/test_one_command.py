"""Every program compiles alone, by the command that its header prints."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs.store import shared_runtime

pytestmark = pytest.mark.compile

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("generated")
    command = [sys.executable, "-m", "generator", "generate", "quick", "--out", folder]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


FIRST = "parts"
"""The one of the runtime's sources that nvcc compiles: it has an object of its own in what is built."""


def _with_the_rest_built(command: str, assign: str, folder: Path) -> str:
    """Returns a command for nvcc that takes all but one of the runtime's sources from what is built for all tests.

    Of those, nvcc only has the host's compiler make objects, which the test of OpenMP sees in any case. That it would
    do so is asked for here.
    """
    plan = f"{assign}\n{command.replace('nvcc ', 'nvcc --dryrun ', 1)}"
    said = subprocess.run(["/bin/sh", "-c", plan], cwd=folder, capture_output=True, text=True, check=True).stderr
    compiled = re.findall(r'^#\$ gcc .* -c -x c\+\+ .* "[./]*/runtime/(\w+)\.cpp" -o ', said, re.MULTILINE)
    assert sorted(compiled) == sorted(path.stem for path in (folder / "../../runtime").glob("*.cpp"))
    assert command.count("/*.cpp") == 1
    return command.replace("/*.cpp", f"/{FIRST}.cpp {shared_runtime()}")


@pytest.mark.turns(8)
@pytest.mark.parametrize("model", [pytest.param("openmp", marks=pytest.mark.long), "cuda"])  # builds all of the runtime
def test_the_command_in_the_header_builds_the_program(generated: Path, path_graph: Path, model: str) -> None:
    # C++ with threads differs from OpenMP by one flag, and a whole build takes seconds.
    source = min((generated / model).glob("*/*.c*"))
    found = re.search(r"^// Build:\n//   (name=.+)\n//   (.+)$", source.read_text(), re.MULTILINE)
    assign, command = found.groups()
    compiler = command.split()[0]
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    if model == "cuda":
        command = _with_the_rest_built(command, assign, source.parent)
    # Without inlining, two definitions of one name would be mixed; only the linker's optimisation can tell of them.
    flags = "-O0" if model == "cuda" else "-O0 -flto -Werror=odr -Werror=lto-type-mismatch"
    command = command.replace(" -O3 ", f" {flags} ")  # the rest as it stands
    subprocess.run(["/bin/sh", "-c", f"{assign}\n{command}"], cwd=source.parent, check=True)
    if model != "cuda":  # a GPU is more than this test asks for
        done = subprocess.run([source.with_suffix(""), path_graph, "--reps", "1"], capture_output=True, check=True)
        assert json.loads(done.stdout)["verified"] is True
