import pytest

from generator.config import find_config, select_styles
from generator.space import Space, Style, load_space


@pytest.fixture(scope="session")
def space() -> Space:
    return load_space()


@pytest.fixture(scope="session")
def everything(space: Space) -> list[Style]:
    """Every meaningful style."""
    return select_styles(space, find_config("all"))
