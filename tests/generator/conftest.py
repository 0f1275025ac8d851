import pytest

from generator.space import Space, load_space


@pytest.fixture(scope="session")
def space() -> Space:
    return load_space()
