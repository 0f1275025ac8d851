"""What configs of the repository select, worked out once for all tests of a process: some take seconds."""

from functools import cache

from generator.config import find_config, select_styles
from generator.space import Style, load_space


def selected(config: str) -> list[Style]:
    """Returns the styles that a config selects."""
    return [*_selected(config)]


@cache
def _selected(config: str) -> tuple[Style, ...]:
    return tuple(select_styles(load_space(), find_config(config)))
