import pytest

from generator.config import CONFIGS, find_config, select_styles
from generator.space import Space, Style, load_space


@pytest.fixture(scope="session")
def space() -> Space:
    return load_space()


@pytest.fixture(scope="session")
def everything(space: Space) -> list[Style]:
    """Every meaningful style."""
    return select_styles(space, find_config("all"))


@pytest.fixture(
    scope="session",
    params=sorted(
        {path.stem for path in CONFIGS.glob("*.toml")} - {"space", "fast", "all", "more", "directed", "multigpu"}
    ),
)
def plain_config(request: pytest.FixtureRequest, space: Space) -> list[Style]:
    """What a config selects that is to have no fast styles; one after the other."""
    return select_styles(space, find_config(request.param))
