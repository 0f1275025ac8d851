"""The atomic operations of CPU programs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from generator.runtime import write_runtime

pytestmark = pytest.mark.compile
HERE = Path(__file__).parent


@pytest.mark.parametrize("header", ["openmp.hpp", "threads.hpp"])
def test_an_atomic_minimum_writes_whether_it_lowers_the_value_or_not(header: str, tmp_path: Path) -> None:
    """Else `rmw` would look first, as `checked` does, and the two would be one style."""
    compiler = shutil.which(os.environ.get("CXX", "g++"))
    if compiler is None:
        pytest.skip("no C++ compiler")
    flags = ["-std=c++20", "-O3", "-fopenmp", "-I", write_runtime(tmp_path / "runtime"), "-include", header]
    subprocess.run([compiler, *flags, HERE / "minimum.cpp", "-o", tmp_path / "minimum"], check=True)
    done = subprocess.run([tmp_path / "minimum"], capture_output=True, text=True, check=False)
    assert done.stdout == "5 3 3\n"
    assert done.returncode == 0, "it does not write"
