import pytest

from generator.config import CONFIGS, covering, every_style
from generator.space import Space, Style, load_space
from tests.selection import chosen, selected

GROWN = "a new algorithm or axis value has programs here, too: if they make sense, change the number in this test"
OUTDATED = "run python -m generator manifest and look at what changed"


@pytest.fixture(scope="session")
def space() -> Space:
    return load_space()


def every() -> list[Style]:
    """Returns the programs of all configs, planted bugs included, each once."""
    return chosen("every", lambda: every_style(load_space()))


def cover(values: int) -> list[Style]:
    """Returns some of them in which so many values meet if they meet in any."""
    return chosen(f"cover {values}", lambda: covering(every(), values))


def rule_against(space: Space, name: str) -> str | None:
    """Returns the id of the rule that forbids a program, if any does."""
    rule = space.forbidden_by(space.parse(name))
    return rule.id if rule else None


@pytest.fixture(scope="session")
def everything() -> list[Style]:
    """Every meaningful style."""
    return selected("all")


@pytest.fixture(
    scope="session",
    params=sorted(
        {path.stem for path in CONFIGS.glob("*.toml")}
        - {"space", "fast", "all", "more", "directed", "multigpu", "multigpu-base", "scaling"}
    ),
)
def plain_config(request: pytest.FixtureRequest) -> list[Style]:
    """What a config selects that is to have no fast styles; one after the other."""
    return selected(request.param)
