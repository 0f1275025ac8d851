"""Every program compiles alone, with the one command that its header prints."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.compile

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("generated")
    command = [sys.executable, "-m", "generator", "generate", "quick", "--out", folder]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("model", ["openmp", "cuda"])
def test_the_command_in_the_header_builds_the_program(generated, path_graph, model):
    # C++ with threads differs from OpenMP by one flag, and a whole build takes seconds.
    source = min((generated / model).glob("*/*.c*"))
    found = re.search(r"^// Build:\n//   (.+)$", source.read_text(), re.MULTILINE)
    words = shlex.split(found[1].replace(" -O3 ", " -O0 "))  # the rest as it stands
    if shutil.which(words[0]) is None:
        pytest.skip(f"no {words[0]}")
    files = [file for word in words for file in (sorted(source.parent.glob(word)) if "*" in word else [word])]
    subprocess.run([str(file) for file in files], cwd=source.parent, check=True)
    if model != "cuda":  # a GPU is more than this test asks for
        done = subprocess.run([source.with_suffix(""), path_graph, "--reps", "1"], capture_output=True, check=True)
        assert json.loads(done.stdout)["verified"] is True
