"""What configs of the repository select, worked out once for all tests of a process: some take seconds."""

from pathlib import Path

from generator.config import find_config, select_styles
from generator.space import Style, load_space

_KNOWN: dict[Path, list[Style]] = {}


def selected(config: str) -> list[Style]:
    """Returns the styles that a config selects."""
    return select_styles(load_space(), find_config(config), _KNOWN)
