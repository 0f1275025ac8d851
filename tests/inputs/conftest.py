"""What the tests of inputs share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from inputs.graph import Graph

settings.register_profile("inputs", deadline=None, max_examples=20)  # a machine under load misses any deadline
settings.load_profile("inputs")

SHARED = Path(__file__).parents[3] / "shared" / "graphs"


@pytest.fixture(scope="session")
def shared_graphs() -> Path:
    """The folder of small real graphs beside the repository."""
    if not SHARED.is_dir():
        pytest.skip("../shared/graphs is not there")
    return SHARED


@pytest.fixture(scope="session")
def assert_same() -> Callable[[Graph, Graph], None]:
    """Assert that two graphs are equal, array by array."""

    def compare(one: Graph, other: Graph) -> None:
        np.testing.assert_array_equal(one.row_offsets, other.row_offsets)
        np.testing.assert_array_equal(one.neighbours, other.neighbours)
        assert (one.weights is None) == (other.weights is None)
        if one.weights is not None:
            np.testing.assert_array_equal(one.weights, other.weights)

    return compare


@pytest.fixture(scope="session")
def convert_apart() -> Callable[[Path, Path], tuple[str, int]]:
    """Convert a file in a process of its own; return what it says on stderr, and its peak memory in bytes."""
    peak = "print(*(line for line in open('/proc/self/status') if line.startswith('VmHWM')))"

    def convert(source: Path, out: Path) -> tuple[str, int]:
        code = f"from inputs import cli\ntry: cli.main(['convert', {str(source)!r}, {str(out)!r}])\nfinally: {peak}"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=600)
        return done.stderr, int(done.stdout.split("VmHWM:")[1].split()[0]) << 10

    return convert
