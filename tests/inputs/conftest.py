"""What the tests of inputs share."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

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
def assert_same():
    """Assert that two graphs are equal, array by array."""

    def compare(one: Graph, other: Graph) -> None:
        np.testing.assert_array_equal(one.row_offsets, other.row_offsets)
        np.testing.assert_array_equal(one.neighbours, other.neighbours)
        assert (one.weights is None) == (other.weights is None)
        if one.weights is not None:
            np.testing.assert_array_equal(one.weights, other.weights)

    return compare
